"""The verbs of waitlists: to join one, to take up, decline or leave. What is offered
is a hold, so whoever takes it up, lets it lapse or declines it at the same instant is told apart by
that hold, which ends once.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, get_args
from uuid import UUID, uuid4

import msgspec

from bespeak import ids
from bespeak.actors import acting
from bespeak.arguments import check_limit, checked
from bespeak.errors import (
    BespeakError,
    BookingCancelled,
    BookingNotFound,
    ExtensionBeyondCap,
    HoldConfirmed,
    HoldExpired,
    HoldNotFound,
    HoldReleased,
    IdempotencyKeyReused,
    InternalError,
    InvalidRequest,
    NotOwner,
)
from bespeak.inventory.fingerprints import fingerprint
from bespeak.postgres.queries import load
from bespeak.reservations.contact import encode_contact
from bespeak.reservations.errors import BookingNotExchangeable
from bespeak.reservations.holds import Hold
from bespeak.reservations.request import KEY_LENGTH_MAX, OWNER_LENGTH_MAX, check_text
from bespeak.states import HoldState
from bespeak.waitlists.entry import (
    NOTE_LENGTH_MAX,
    EntryState,
    NewWaitlistEntry,
    WaitlistEntry,
    WaitlistEntryPage,
    entry_of,
)
from bespeak.waitlists.entry_lists import page_of_list, page_of_owner, place_after
from bespeak.waitlists.errors import (
    BookingWaits,
    NoOfferStands,
    WaitlistClosed,
    WaitlistEntriesTooMany,
    WaitlistEntryNotFound,
    WaitlistFull,
    WaitlistNotFound,
    WaitlistWithoutExchange,
)
from bespeak.waitlists.exchanges import begins_of
from bespeak.waitlists.lists import OperatorsWaitlists, check_struct
from bespeak.waitlists.never_sold import never_sold
from bespeak.waitlists.wish import check_wish, numbers_of_wish

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_ENTRIES = load("bespeak.waitlists", "entries.sql")
_ENDED = (HoldConfirmed, HoldExpired, HoldReleased, HoldNotFound)


class Waitlists(OperatorsWaitlists):
    """The verbs of waitlists, those of operators and those of who waits. With `published_only` a
    resource that is not published is not found."""

    @checked
    async def join(
        self,
        waitlist_id: str,
        new: NewWaitlistEntry,
        *,
        owner: str,
        idempotency_key: str | None = None,
        workspace: str | None = None,
        published_only: bool = False,
        timeout: float | None = None,
    ) -> WaitlistEntry:
        """Puts a party on a waitlist, at its end.

        Raises WaitlistNotFound, WaitlistClosed, WaitlistFull, WaitlistEntriesTooMany,
        ResourceNotFound, InvalidRequest, NotOnSale for a range that its plan does not sell,
        IdempotencyKeyReused; of a booking that would be given back WaitlistWithoutExchange,
        BookingNotFound, NotOwner, BookingCancelled, BookingNotExchangeable, BookingWaits.
        """
        _check_entry(new, owner, idempotency_key)
        wish, until = new.wish, new.until
        numbers = numbers_of_wish(wish)
        ready = await self._ready(numbers, published_only=published_only)
        check_wish(wish, ready)
        never = await never_sold(wish, ready, self._engine.clock.now())
        told = encode_contact(new.contact)
        said = msgspec.json.encode(wish).decode()
        ends = "" if until is None else until.isoformat()
        contents = [said, told or "", ends, str(new.offers_max)]
        instead = begins_at = None
        if new.instead_of_booking is not None:
            instead = ids.parse(ids.BOOKING, new.instead_of_booking)
            begins_at = await begins_of(self._engine, new.instead_of_booking)
            contents.append(new.instead_of_booking)
        number, entry = ids.parse(ids.WAITLIST, waitlist_id), uuid4()
        async with self._database.borrow() as connection, connection.transaction():
            await self._check_places(connection, number, numbers, workspace)
            row = await connection.fetchrow(
                _ENTRIES["join"],
                number,
                workspace,
                entry,
                owner,
                told,
                said,
                numbers,
                wish.party,
                new.offers_max,
                until,
                idempotency_key,
                None if idempotency_key is None else fingerprint(contents),
                acting(),
                instead,
                begins_at,
            )
            made, replayed = _joined(row, never)
            found = await self._entry(connection, made, workspace, None)
        return msgspec.structs.replace(found, replayed=replayed)

    @checked
    async def get_entry(
        self,
        entry_id: str,
        *,
        owner: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> WaitlistEntry:
        """Reads an entry. Raises WaitlistEntryNotFound, NotOwner."""
        number = ids.parse(ids.WAITLIST_ENTRY, entry_id)
        async with self._database.borrow() as connection:
            return await self._entry(connection, number, workspace, owner)

    @checked
    async def list_entries(
        self,
        *,
        waitlist_id: str | None = None,
        owner: str | None = None,
        state: EntryState | None = None,
        after: str | None = None,
        limit: int = 100,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> WaitlistEntryPage:
        """A page of the entries of a list, by place; or, without a list, those of an owner: those
        that wait or are offered something, then those that ended, of each the newest first. What
        comes and goes meanwhile moves no entry to another page. Raises WaitlistNotFound,
        InvalidCursor, InvalidRequest."""
        check_limit(limit)
        if waitlist_id is None and owner is None:
            raise InvalidRequest("say of which list or owner", field="owner")
        if state is not None and state not in get_args(EntryState):
            raise InvalidRequest("there is no such state", field="state")
        if waitlist_id is None:
            async with self._database.borrow() as connection:
                return await page_of_owner(connection, owner or "", state, after, limit, workspace)
        number, place = ids.parse(ids.WAITLIST, waitlist_id), place_after(after)
        async with self._database.borrow() as connection:
            await self._list(connection, number, workspace)
            return await page_of_list(connection, number, owner, state, place, limit, workspace)

    @checked
    async def accept(
        self,
        entry_id: str,
        *,
        owner: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> Hold:
        """Takes an offer up: its hold, which lasts at least as long as any hold of its resource
        does from now, once. What makes it a booking is to pay or confirm that hold. Raises
        WaitlistEntryNotFound, NotOwner, NoOfferStands."""
        entry = await self._offered(entry_id, owner, workspace)
        hold_id = _hold_of(entry)
        number = ids.parse(ids.WAITLIST_ENTRY, entry_id)
        try:
            hold = await self._engine.get_hold(hold_id, owner=entry.owner)
            if hold.state is not HoldState.HELD:
                raise HoldExpired(hold_id=hold_id)  # whichever way: what became of it is told below
            if entry.offer is not None and entry.offer.taken_up_at is None:
                hold = await self._extended(hold, entry.owner)
            async with self._database.borrow() as connection:
                await connection.execute(_ENTRIES["take_up"], number)
        except _ENDED as error:
            await self._settle(number)
            raise await self._no_offer(entry_id, workspace) from error
        return hold

    @checked
    async def decline(
        self,
        entry_id: str,
        *,
        owner: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> WaitlistEntry:
        """Declines an offer: its hold is released, and goes to the next at once. Raises
        WaitlistEntryNotFound, NotOwner, NoOfferStands."""
        entry = await self._offered(entry_id, owner, workspace)
        number = ids.parse(ids.WAITLIST_ENTRY, entry_id)
        refused: BespeakError | None = None
        try:
            await self._engine.release_hold(_hold_of(entry), owner=entry.owner)
        except _ENDED as error:
            refused = error
        await self._settle(number)
        if refused is not None:
            raise await self._no_offer(entry_id, workspace) from refused
        return await self.get_entry(entry_id, workspace=workspace)

    @checked
    async def withdraw(
        self,
        entry_id: str,
        *,
        owner: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> WaitlistEntry:
        """Takes an entry off its list for good, and releases what is offered to it. Repeated, or of
        one that has ended, it changes nothing. Raises WaitlistEntryNotFound, NotOwner."""
        await self.get_entry(entry_id, owner=owner, workspace=workspace)
        number = ids.parse(ids.WAITLIST_ENTRY, entry_id)
        async with self._database.borrow() as connection:
            await connection.execute(_ENTRIES["withdraw"], number, acting())
        return await self._released(entry_id, workspace)

    @checked
    async def remove(
        self,
        entry_id: str,
        *,
        note: str,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> WaitlistEntry:
        """Takes an entry off its list for good as an operator's act, and releases what is offered
        to it; the party is told by the `note` why. Of one that has ended, it changes nothing.
        Raises WaitlistEntryNotFound, InvalidRequest."""
        check_text(note, "note", NOTE_LENGTH_MAX)
        await self.get_entry(entry_id, workspace=workspace)
        number = ids.parse(ids.WAITLIST_ENTRY, entry_id)
        async with self._database.borrow() as connection:
            await connection.execute(_ENTRIES["remove"], number, note, acting())
        return await self._released(entry_id, workspace)

    async def _released(self, entry_id: str, workspace: str | None) -> WaitlistEntry:
        """The entry that has left, once what was offered to it is released."""
        # Read again: it may have been made an offer at the last moment.
        entry = await self.get_entry(entry_id, workspace=workspace)
        if entry.offer is not None and entry.offer.state == "standing":
            with suppress(*_ENDED):
                await self._engine.release_hold(entry.offer.hold_id)
            await self._settle(ids.parse(ids.WAITLIST_ENTRY, entry_id))
        return await self.get_entry(entry_id, workspace=workspace)

    async def _check_places(
        self, connection: Connection, number: UUID, numbers: list[int], workspace: str | None
    ) -> None:
        """Raises WaitlistNotFound, InvalidRequest for a place that is of another list."""
        own = set((await self._list(connection, number, workspace)).resource_ids)
        for index, one in enumerate(numbers):
            if own and ids.show_resource(one) not in own:
                raise InvalidRequest(
                    "the list is not of this resource", field=f"wish.places[{index}].resource_id"
                )

    async def _entry(
        self, connection: Connection, number: UUID, workspace: str | None, owner: str | None
    ) -> WaitlistEntry:
        row = await connection.fetchrow(_ENTRIES["get"], number, workspace)
        if row is None:
            raise WaitlistEntryNotFound(entry_id=ids.show(ids.WAITLIST_ENTRY, number))
        if owner is not None and row["owner"] != owner:
            raise NotOwner
        return entry_of(row)

    async def _offered(
        self, entry_id: str, owner: str | None, workspace: str | None
    ) -> WaitlistEntry:
        entry = await self.get_entry(entry_id, owner=owner, workspace=workspace)
        if entry.offer is None or entry.offer.state != "standing" or entry.state != "offered":
            raise NoOfferStands(state=entry.state)
        return entry

    async def _no_offer(self, entry_id: str, workspace: str | None) -> NoOfferStands:
        entry = await self.get_entry(entry_id, workspace=workspace)
        return NoOfferStands(state=entry.state)

    async def _extended(self, hold: Hold, owner: str) -> Hold:
        """The hold, with the usual time for the checkout."""
        numbers = [ids.home_of(ids.parse(ids.HOLD, hold.id))]
        ready = await self._engine.ready_resources.get_many(numbers, None)
        seconds = min((one.resource.hold_seconds for one in ready.values()), default=0)
        left = (hold.extends_until - self._engine.clock.now()).total_seconds()
        try:
            return await self._engine.extend_hold(
                hold.id, seconds=max(1, min(seconds, int(left))), owner=owner
            )
        except ExtensionBeyondCap:
            return hold

    async def _settle(self, number: UUID) -> None:
        async with self._database.borrow() as connection:
            await connection.fetchval(_ENTRIES["settle"], number)


def _hold_of(entry: WaitlistEntry) -> str:
    if entry.offer is None:
        raise InternalError("an entry that is offered something has an offer")
    return entry.offer.hold_id


def _check_entry(new: NewWaitlistEntry, owner: str, key: str | None) -> None:
    """Raises InvalidRequest."""
    check_struct(new, "entry")
    check_text(owner, "owner", OWNER_LENGTH_MAX)
    if key is not None:
        check_text(key, "idempotency_key", KEY_LENGTH_MAX)
    if new.until is not None and new.until.tzinfo is None:
        raise InvalidRequest("a time with its zone", field="until")


def _joined(row: Record | None, never: BespeakError | None) -> tuple[UUID, bool]:
    """The entry, and whether it was made before. What can `never` be had is not joined for now; but
    its time may have passed since somebody did, and a repeat is answered."""
    if row is None:
        raise InternalError("joining answers one row")
    match row["outcome"]:
        case "joined" if never is not None:
            raise never
        case "joined" | "replayed" as outcome:
            return row["entry_id"], outcome == "replayed"
        case "not_found":
            raise WaitlistNotFound
        case "key_reused":
            raise IdempotencyKeyReused(fields=["body"])
        case "party_too_large":
            raise InvalidRequest(
                f"a party is of at most {row['bound']}", field="wish.party", limit=row["bound"]
            )
        case "until_over":
            raise InvalidRequest("this is over", field="until")
        case "owner_full":
            raise WaitlistEntriesTooMany(limit=row["bound"])
        case "full":
            raise WaitlistFull(limit=row["bound"])
        case outcome if outcome in _OF_BOOKING:
            raise _OF_BOOKING[outcome]
        case "exchange_checked_in" | "exchange_begun" as outcome:
            raise BookingNotExchangeable(reason=outcome.removeprefix("exchange_"))
    raise WaitlistClosed


_OF_BOOKING: dict[str, type[BespeakError]] = {
    "no_exchange": WaitlistWithoutExchange,
    "booking_not_found": BookingNotFound,
    "not_owner": NotOwner,
    "booking_cancelled": BookingCancelled,
    "booking_waits": BookingWaits,
}
