"""The verbs of the client for waitlists: operators set them up and look after them; who waits
joins, and takes up or declines what is offered.
"""

from __future__ import annotations

from datetime import datetime

from bespeak.client.answers import Items
from bespeak.client.async_transport import AsyncTransport
from bespeak.client.requests import again, given, of_resource, once, part, read, write
from bespeak.reservations.contact import Contact
from bespeak.reservations.holds import Hold
from bespeak.waitlists.entry import EntryState, WaitlistEntry, WaitlistEntryPage
from bespeak.waitlists.outlook import Outlook, Sources
from bespeak.waitlists.waitlist import NewWaitlist, PublicWaitlist, Waitlist, WaitlistChange
from bespeak.waitlists.wish import WaitlistWish


class AsyncWaitlists(AsyncTransport):
    """Waitlists of a server, and who waits on them."""

    async def create_waitlist(self, new: NewWaitlist, *, timeout: float | None = None) -> Waitlist:
        """Sets up a waitlist. It has no key: after ServerUnreachable, look at the list of them."""
        return await self._send(once("POST", "/v1/waitlists", Waitlist, new), timeout)

    async def list_waitlists(self, *, timeout: float | None = None) -> list[Waitlist]:
        """The newest 200 waitlists."""
        return (await self._send(read("/v1/waitlists", Items[Waitlist]), timeout)).items

    async def get_waitlist(self, waitlist_id: str, *, timeout: float | None = None) -> Waitlist:
        """Reads a waitlist with its settings."""
        return await self._send(read(_of_list(waitlist_id), Waitlist), timeout)

    async def update_waitlist(
        self, waitlist_id: str, change: WaitlistChange, *, timeout: float | None = None
    ) -> Waitlist:
        """Changes settings of a waitlist. It has no key: after ServerUnreachable, read it."""
        return await self._send(once("PATCH", _of_list(waitlist_id), Waitlist, change), timeout)

    async def end_waitlist(self, waitlist_id: str, *, timeout: float | None = None) -> Waitlist:
        """Ends a waitlist for good. Offers that stand stay good."""
        return await self._send(again("DELETE", _of_list(waitlist_id), Waitlist), timeout)

    async def entries_of_waitlist(
        self,
        waitlist_id: str,
        *,
        state: EntryState | None = None,
        after: str | None = None,
        limit: int = 100,
        timeout: float | None = None,
    ) -> WaitlistEntryPage:
        """A page of who waits, by place, with what is offered to each."""
        path = f"{_of_list(waitlist_id)}/entries"
        asked = read(path, WaitlistEntryPage, state=state, after=after, limit=limit)
        return await self._send(asked, timeout)

    async def waitlist_outlook(
        self, waitlist_id: str, *, of: Sources = "holds", timeout: float | None = None
    ) -> Outlook:
        """Whom it would serve if the holds that end first, or the newest blocks or bookings, were
        gone."""
        path = f"{_of_list(waitlist_id)}/outlook"
        return await self._send(read(path, Outlook, of=of), timeout)

    async def waitlists_of_resource(
        self, resource_id: str, *, timeout: float | None = None
    ) -> list[PublicWaitlist]:
        """The waitlist that a resource is of, as who would join it sees it: one, or none."""
        path = f"{of_resource(resource_id)}/waitlists"
        return (await self._send(read(path, Items[PublicWaitlist]), timeout)).items

    async def join_waitlist(
        self,
        waitlist_id: str,
        wish: WaitlistWish,
        *,
        owner: str | None = None,
        contact: Contact | None = None,
        until: datetime | None = None,
        offers_max: int = 1,
        instead_of_booking: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> WaitlistEntry:
        """Puts a party on a waitlist, at its end. A shopper's token says who the owner is. The
        booking that it names is given back for what is offered, once that is booked."""
        path = f"{_of_list(waitlist_id)}/entries"
        body = given(
            wish=wish,
            owner=owner,
            contact=contact,
            until=until,
            offers_max=offers_max,
            instead_of_booking=instead_of_booking,
        )
        asked = write("POST", path, WaitlistEntry, body, key=idempotency_key)
        return await self._send(asked, timeout)

    async def list_waitlist_entries(
        self,
        *,
        owner: str | None = None,
        after: str | None = None,
        limit: int = 100,
        timeout: float | None = None,
    ) -> WaitlistEntryPage:
        """A page of the entries of an owner, or, with a token, of the shopper: those that wait or
        are offered something, then those that ended, of each the newest first."""
        asked = read(
            "/v1/waitlist-entries", WaitlistEntryPage, owner_=owner, after=after, limit=limit
        )
        return await self._send(asked, timeout)

    async def get_waitlist_entry(
        self, entry_id: str, *, owner: str | None = None, timeout: float | None = None
    ) -> WaitlistEntry:
        """Reads an entry: how many wait before it, and what is offered to it."""
        return await self._send(read(_of_entry(entry_id), WaitlistEntry, owner=owner), timeout)

    async def accept_waitlist_offer(
        self, entry_id: str, *, owner: str | None = None, timeout: float | None = None
    ) -> Hold:
        """Takes an offer up: its hold, which is bought as any is. Again, it is the same hold."""
        asked = again("POST", f"{_of_entry(entry_id)}/accept", Hold, owner=owner)
        return await self._send(asked, timeout)

    async def decline_waitlist_offer(
        self, entry_id: str, *, owner: str | None = None, timeout: float | None = None
    ) -> WaitlistEntry:
        """Declines an offer, which goes to the next. It has no key, and sent again it could decline
        the offer after this: after ServerUnreachable, read the entry."""
        asked = once("POST", f"{_of_entry(entry_id)}/decline", WaitlistEntry, owner=owner)
        return await self._send(asked, timeout)

    async def withdraw_waitlist_entry(
        self, entry_id: str, *, owner: str | None = None, timeout: float | None = None
    ) -> WaitlistEntry:
        """Leaves a waitlist for good, with what is offered."""
        asked = again("DELETE", _of_entry(entry_id), WaitlistEntry, owner=owner)
        return await self._send(asked, timeout)

    async def remove_waitlist_entry(
        self, entry_id: str, *, note: str, timeout: float | None = None
    ) -> WaitlistEntry:
        """Takes a party off its list for good; the `note` tells it why."""
        path = f"{_of_entry(entry_id)}/remove"
        return await self._send(again("POST", path, WaitlistEntry, {"note": note}), timeout)


def _of_list(waitlist_id: str) -> str:
    return f"/v1/waitlists/{part(waitlist_id, 'waitlist_id')}"


def _of_entry(entry_id: str) -> str:
    return f"/v1/waitlist-entries/{part(entry_id, 'entry_id')}"
