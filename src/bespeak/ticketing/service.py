"""The ticket office: everything about the tickets of bookings, for one process. It reads bookings
as the engine does, with the same owners' rights, and checks tickets in.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bespeak import ids
from bespeak.errors import BespeakError, InvalidRequest, ResourceNotFound
from bespeak.inventory import resources
from bespeak.inventory.resources import ReadyResource
from bespeak.reservations.holds import Booking
from bespeak.reservations.verbs import Reservations
from bespeak.ticketing import check_ins, codes
from bespeak.ticketing.calendars import write_booking_calendar
from bespeak.ticketing.check_ins import (
    BATCH_MAX,
    CheckIn,
    CheckInPage,
    Scan,
    ScanOutcome,
    SeenTicket,
)
from bespeak.ticketing.errors import TicketCancelled, TicketNotFound
from bespeak.ticketing.keys import PublicKeys, TicketKeys, TicketKeyStore, read_keys
from bespeak.ticketing.qr_codes import svg_of
from bespeak.ticketing.tickets import (
    Maker,
    Ticket,
    TicketPage,
    TicketState,
    Use,
    check_page,
    count_of,
)

PAGE_MAX = 1000
PDF_PAGES_MAX = 100


class _Read(NamedTuple):
    booking: Booking
    ready_resources: Mapping[str, ReadyResource]
    uses: Mapping[int, Use]


class TicketService:
    """Tickets and check-ins. Made by `open_office`.

    Where a method takes `owner`, naming one asserts that the booking is theirs (else NotOwner). All
    of them raise DatabaseUnavailable, and those about a booking BookingNotFound and InvalidId.
    """

    def __init__(self, engine: Reservations, keys: TicketKeyStore) -> None:
        self._engine = engine
        self._keys = keys
        # One document at a time: a hundred pages must not take the processor from everyone else.
        self._typesetting = asyncio.Semaphore(1)

    async def public_keys(self) -> PublicKeys:
        """What a gate needs to verify codes by itself. It never fails for want of a database."""
        return (await self._keys.current()).public()

    async def rotate_keys(self, *, keep_old: bool = True) -> PublicKeys:
        """Makes a key that signs from now on. The codes of the old ones stay good, or (without
        `keep_old`) they are void within seconds, and tickets must be sent anew."""
        return (await self._keys.rotate(keep_old=keep_old)).public()

    async def tickets(
        self, booking_id: str, *, owner: str | None = None, after: int = 0, limit: int = 100
    ) -> TicketPage:
        """The tickets of a booking after this index. Raises InvalidRequest."""
        check_page(after, limit, PAGE_MAX)
        maker = await self._maker(booking_id, owner)
        return await asyncio.to_thread(maker.page, after, limit)

    async def qr_code(self, booking_id: str, index: int, *, owner: str | None = None) -> bytes:
        """The QR code of one ticket, as SVG. Raises TicketNotFound, TicketCancelled."""
        maker = await self._maker(booking_id, owner)
        count = count_of(maker.booking)
        if not 1 <= index <= count:
            raise TicketNotFound(count=count)
        (ticket,) = maker.page(index - 1, 1).items
        if ticket.code is None:
            raise TicketCancelled
        return svg_of(ticket.code, f"Ticket {booking_id}-{index}")

    async def pdf(
        self,
        booking_id: str,
        *,
        owner: str | None = None,
        after: int = 0,
        limit: int = PDF_PAGES_MAX,
    ) -> bytes:
        """The tickets after this index that are not cancelled, as a PDF. Raises InvalidRequest,
        TicketNotFound if there is none after it, TicketCancelled if all there were are."""
        check_page(after, limit, PDF_PAGES_MAX)
        maker = await self._maker(booking_id, owner)
        async with self._typesetting:
            return await asyncio.to_thread(_pdf, maker, after, limit)

    async def calendar(self, booking_id: str, *, owner: str | None = None) -> bytes:
        read = await self._read(booking_id, owner)
        return await asyncio.to_thread(write_booking_calendar, read.booking, read.ready_resources)

    async def check_in(self, scan: Scan) -> CheckIn:
        """Lets the holder of a ticket in, once. The same scan with the same idempotency key is
        answered the same.

        Raises TicketCodeInvalid, WrongResource, AlreadyCheckedIn, TicketCancelled,
        IdempotencyKeyReused; InvalidRequest, InvalidId.
        """
        keys = await self._keys.with_key(codes.key_named(scan.code))
        seen = _seen(scan, keys)
        async with self._engine.database.borrow() as connection:
            (result,) = await check_ins.check_in(connection, [seen])
        if isinstance(result, BespeakError):
            raise result
        return result

    async def check_in_many(self, scans: Sequence[Scan]) -> list[ScanOutcome]:
        """What became of scans that a gate made while it was offline, in their order, up to 500.
        One that is refused does not keep the others out; of two of one ticket the first counts.
        Raises InvalidRequest for a batch of none or too many."""
        if not 1 <= len(scans) <= BATCH_MAX:
            raise InvalidRequest(f"a batch has 1 to {BATCH_MAX} scans", field="scans")
        keys = await self._keys.current()
        for named in {each for scan in scans if (each := codes.key_named(scan.code))}:
            keys = await self._keys.with_key(named)
        # Verifying 500 signatures takes long enough for others to notice.
        judged = await asyncio.to_thread(lambda: [_judged(scan, keys) for scan in scans])
        results: dict[int, CheckIn | BespeakError] = {}
        by_home: dict[int, list[tuple[int, SeenTicket]]] = {}
        for place, found in enumerate(judged):
            if isinstance(found, SeenTicket):
                by_home.setdefault(found.home, []).append((place, found))
            else:
                results[place] = found
        async with self._engine.database.borrow() as connection:
            for _, group in sorted(by_home.items()):
                done = await check_ins.check_in(connection, [seen for _, seen in group])
                results |= zip((place for place, _ in group), done, strict=True)
        return [check_ins.outcome_of(results[place]) for place in range(len(scans))]

    async def check_ins(
        self, resource_id: str, *, after: str | None = None, limit: int = 100
    ) -> CheckInPage:
        """Who was let in to a resource, the latest first. Raises ResourceNotFound, InvalidCursor,
        InvalidRequest."""
        if not 1 <= limit <= PAGE_MAX:
            raise InvalidRequest(f"limit is 1 to {PAGE_MAX}", field="limit")
        async with self._engine.database.borrow() as connection:
            await resources.get(connection, resource_id)
            return await check_ins.list_page(connection, resource_id, after, limit)

    async def _read(self, booking_id: str, owner: str | None) -> _Read:
        async with self._engine.database.borrow() as connection:
            booking = await self._engine.get_booking(booking_id, owner=owner, connection=connection)
            numbers = {ids.parse_resource(line.resource_id) for line in booking.lines}
            found = await resources.get_many(connection, sorted(numbers))
            rows = await check_ins.uses_of(connection, booking_id)
        if len(found) < len(numbers):
            raise ResourceNotFound
        uses = {row["ticket"]: Use(row["checked_in_at"], row["gate"]) for row in rows}
        return _Read(booking, {each.id: resources.ready_resource(each) for each in found}, uses)

    async def _maker(self, booking_id: str, owner: str | None) -> Maker:
        read = await self._read(booking_id, owner)
        return Maker(read.booking, read.ready_resources, read.uses, await self._keys.current())


async def open_office(engine: Reservations) -> TicketService:
    """The ticket office of an engine; the key to sign with is made if there is none yet. Raises
    DatabaseUnavailable."""
    async with engine.database.borrow() as connection:
        keys = await read_keys(connection)
    return TicketService(engine, TicketKeyStore(engine.database, keys))


def _seen(scan: Scan, keys: TicketKeys) -> SeenTicket:
    check_ins.check_scan(scan)
    seen = SeenTicket(scan, codes.read(scan.code, keys))
    check_ins.check_gate(seen)
    return seen


def _judged(scan: Scan, keys: TicketKeys) -> SeenTicket | BespeakError:
    try:
        return _seen(scan, keys)
    except BespeakError as error:
        return error


def _pdf(maker: Maker, after: int, limit: int) -> bytes:
    # The typesetter and its fonts are loaded by those processes that need them.
    from bespeak.ticketing.documents import write_pdf  # noqa: PLC0415

    page = maker.page(after, limit)
    if not page.items:
        raise TicketNotFound(count=page.count)
    good: list[Ticket] = [one for one in page.items if one.state is not TicketState.CANCELLED]
    if not good:
        raise TicketCancelled
    return write_pdf(maker.booking, maker.ready_resources, good)
