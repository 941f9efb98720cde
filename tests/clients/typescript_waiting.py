"""The verbs of `@bespeak/server` for waiting rooms and waitlists, as those of the door."""

from __future__ import annotations

from abc import ABC, abstractmethod
from datetime import datetime
from typing import TypeVar

from bespeak import (
    ChangeWaitingRoom,
    Contact,
    GivenPass,
    Hold,
    HoldBooking,
    InviteBatch,
    JoinedQueue,
    NewInviteBatch,
    NewWaitingRoom,
    NewWaitlist,
    PlaceNow,
    TurnMail,
    WaitingRoom,
    WaitingRoomNow,
    Waitlist,
    WaitlistChange,
    WaitlistEntry,
    WaitlistEntryPage,
    WaitlistWish,
)
from bespeak.admission.audit import RoomAuditPage
from bespeak.admission.invite_lists import InviteCodePage
from bespeak.admission.invites import InviteState
from bespeak.admission.rooms import WaitingRoomPage
from bespeak.client import InLine
from bespeak.client.requests import given
from bespeak.waitlists.entry import EntryState
from bespeak.waitlists.outlook import Outlook, Sources
from bespeak.waitlists.waitlist import PublicWaitlist

Answer = TypeVar("Answer")


class TypeScriptWaiting(ABC):
    """Each verb by that of the package; what a verb answers comes from `_ask`."""

    @abstractmethod
    async def _ask(self, answer: type[Answer], verb: str, *arguments: object) -> Answer: ...

    async def make_waiting_room(self, new: NewWaitingRoom) -> WaitingRoom:
        return await self._ask(WaitingRoom, "makeWaitingRoom", new)

    async def list_waiting_rooms(self, *, limit: int) -> WaitingRoomPage:
        return await self._ask(WaitingRoomPage, "listWaitingRooms", {"limit": limit})

    async def get_waiting_room(self, room: str) -> WaitingRoom:
        return await self._ask(WaitingRoom, "getWaitingRoom", room)

    async def change_waiting_room(self, room: str, change: ChangeWaitingRoom) -> WaitingRoom:
        return await self._ask(WaitingRoom, "changeWaitingRoom", room, change)

    async def waiting_room_audit(
        self, room: str, *, after: str | None = None, limit: int
    ) -> RoomAuditPage:
        query = given(after=after, limit=limit)
        return await self._ask(RoomAuditPage, "waitingRoomAudit", room, query)

    async def waiting_room_now(self, room: str) -> WaitingRoomNow:
        return await self._ask(WaitingRoomNow, "waitingRoomNow", room)

    async def join_waiting_room(
        self,
        room: str,
        *,
        queue: str | None = None,
        code: str | None = None,
        owner: str | None = None,
    ) -> JoinedQueue:
        body = given(queue=queue, code=code, owner=owner)
        return await self._ask(JoinedQueue, "joinWaitingRoom", room, body)

    async def queue_place(self, room: str, queue_token: str) -> PlaceNow:
        return await self._ask(PlaceNow, "queuePlace", room, {"queue_token": queue_token})

    async def ask_pass(self, room: str, queue_token: str, *, owner: str) -> GivenPass:
        body = {"queue_token": queue_token, "owner": owner}
        return await self._ask(GivenPass, "askPass", room, body)

    async def leave_waiting_room(self, room: str, queue_token: str, *, owner: str) -> None:
        query = {"queue_token": queue_token}
        return await self._ask(type(None), "leaveWaitingRoom", room, query, {"owner": owner})

    async def ask_turn_mail(
        self, room: str, queue_token: str, email: str, *, locale: str | None = None, owner: str
    ) -> TurnMail:
        body = given(queue_token=queue_token, email=email, locale=locale, owner=owner)
        return await self._ask(TurnMail, "askTurnMail", room, body)

    async def withdraw_turn_mail(self, room: str, queue_token: str, *, owner: str) -> None:
        query = {"queue_token": queue_token}
        return await self._ask(type(None), "withdrawTurnMail", room, query, {"owner": owner})

    async def wait_in_line(self, room: str, *, owner: str, seconds: float) -> list[InLine]:
        """All looks, up to the last."""
        wish, options = {"owner": owner}, {"seconds": seconds}
        return await self._ask(list[InLine], "waitInLine", room, wish, options)

    async def make_invite_batch(
        self, room: str, new: NewInviteBatch, *, idempotency_key: str | None = None
    ) -> InviteBatch:
        options = given(idempotencyKey=idempotency_key)
        return await self._ask(InviteBatch, "makeInviteBatch", room, new, options)

    async def list_invite_batches(self, room: str) -> list[InviteBatch]:
        return await self._ask(list[InviteBatch], "listInviteBatches", room)

    async def get_invite_batch(self, room: str, batch: int) -> InviteBatch:
        return await self._ask(InviteBatch, "getInviteBatch", room, batch)

    async def revoke_invite_batch(self, room: str, batch: int) -> InviteBatch:
        return await self._ask(InviteBatch, "revokeInviteBatch", room, batch)

    async def list_invite_codes(self, room: str, batch: int, *, limit: int) -> InviteCodePage:
        return await self._ask(InviteCodePage, "listInviteCodes", room, batch, {"limit": limit})

    async def revoke_invite_code(self, room: str, batch: int, serial: int) -> InviteState:
        return await self._ask(InviteState, "revokeInviteCode", room, batch, serial)

    async def look_up_invite_code(self, room: str, code: str) -> InviteState:
        return await self._ask(InviteState, "lookUpInviteCode", room, code)

    async def create_waitlist(self, new: NewWaitlist) -> Waitlist:
        return await self._ask(Waitlist, "createWaitlist", new)

    async def list_waitlists(self) -> list[Waitlist]:
        return await self._ask(list[Waitlist], "listWaitlists")

    async def get_waitlist(self, waitlist: str) -> Waitlist:
        return await self._ask(Waitlist, "getWaitlist", waitlist)

    async def update_waitlist(self, waitlist: str, change: WaitlistChange) -> Waitlist:
        return await self._ask(Waitlist, "updateWaitlist", waitlist, change)

    async def end_waitlist(self, waitlist: str) -> Waitlist:
        return await self._ask(Waitlist, "endWaitlist", waitlist)

    async def entries_of_waitlist(self, waitlist: str, *, state: EntryState) -> WaitlistEntryPage:
        return await self._ask(WaitlistEntryPage, "entriesOfWaitlist", waitlist, {"state": state})

    async def waitlist_outlook(self, waitlist: str, *, of: Sources) -> Outlook:
        return await self._ask(Outlook, "waitlistOutlook", waitlist, {"of": of})

    async def waitlists_of_resource(self, resource: str) -> list[PublicWaitlist]:
        return await self._ask(list[PublicWaitlist], "waitlistsOfResource", resource)

    async def join_waitlist(
        self,
        waitlist: str,
        wish: WaitlistWish,
        *,
        owner: str,
        contact: Contact | None = None,
        until: datetime | None = None,
        offers_max: int = 1,
        idempotency_key: str | None = None,
    ) -> WaitlistEntry:
        body = given(wish=wish, owner=owner, contact=contact, until=until, offers_max=offers_max)
        options = given(idempotencyKey=idempotency_key)
        return await self._ask(WaitlistEntry, "joinWaitlist", waitlist, body, options)

    async def list_waitlist_entries(
        self, *, owner: str, after: str | None = None, limit: int = 100
    ) -> WaitlistEntryPage:
        query = given(owner=owner, after=after, limit=limit)
        return await self._ask(WaitlistEntryPage, "listWaitlistEntries", query)

    async def get_waitlist_entry(self, entry: str, *, owner: str | None = None) -> WaitlistEntry:
        return await self._ask(WaitlistEntry, "getWaitlistEntry", entry, given(owner=owner))

    async def accept_waitlist_offer(self, entry: str, *, owner: str | None = None) -> Hold:
        return await self._ask(Hold, "acceptWaitlistOffer", entry, given(owner=owner))

    async def decline_waitlist_offer(
        self, entry: str, *, owner: str | None = None
    ) -> WaitlistEntry:
        return await self._ask(WaitlistEntry, "declineWaitlistOffer", entry, given(owner=owner))

    async def withdraw_waitlist_entry(self, entry: str) -> WaitlistEntry:
        return await self._ask(WaitlistEntry, "withdrawWaitlistEntry", entry)

    async def remove_waitlist_entry(self, entry: str, *, note: str) -> WaitlistEntry:
        return await self._ask(WaitlistEntry, "removeWaitlistEntry", entry, {"note": note})

    async def booking_of_hold(self, hold: str, *, owner: str | None = None) -> HoldBooking:
        return await self._ask(HoldBooking, "bookingOfHold", hold, given(owner=owner))
