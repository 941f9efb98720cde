"""The ticket office: everything about the tickets of bookings, for one process. It reads bookings
as the engine does, with the same owners' rights, and checks tickets in.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from bespeak import ids
from bespeak.errors import BespeakError, InvalidRequest, ResourceNotFound
from bespeak.inventory import resources
from bespeak.inventory.resources import ReadyResource
from bespeak.merchants.letterheads import EMPTY, Letterheads
from bespeak.merchants.refund_wording import say_refunds
from bespeak.pricing.refund_steps import RefundStep
from bespeak.reservations.holds import Booking
from bespeak.reservations.request import check_text
from bespeak.reservations.verbs import Reservations
from bespeak.ticketing import check_ins, codes
from bespeak.ticketing.calendars import moves_of, write_booking_calendar
from bespeak.ticketing.check_ins import (
    BATCH_MAX,
    CheckIn,
    CheckInPage,
    Entrance,
    Scan,
    ScanOutcome,
    SeenTicket,
)
from bespeak.ticketing.errors import TicketCancelled, TicketNotFound
from bespeak.ticketing.keys import PublicKeys, TicketKeys, TicketKeyStore, read_keys
from bespeak.ticketing.margins import Margin
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
from bespeak.ticketing.wording import Wording, wording_for

# Which of these resources are none of the caller's.
Others: TypeAlias = Callable[[Iterable[int]], Awaitable[set[int]]]
# What cancelling a booking gives back from now on, by the function that refunds.
StepsOf: TypeAlias = Callable[[str], Awaitable[Sequence[RefundStep]]]
PAGE_MAX = 1000
PDF_PAGES_MAX = 100
ENTRANCE_TEXT_MAX = 100


class _Read(NamedTuple):
    booking: Booking
    ready_resources: Mapping[str, ReadyResource]
    uses: Mapping[int, Use]


class TicketService:
    """Tickets and check-ins. Made by `open_office`.

    Where a method takes a `language` (a BCP 47 tag), it is that of what people read.
    Where a method takes `owner`, naming one asserts that the booking is theirs (else NotOwner). All
    of them raise DatabaseUnavailable, and those about a booking BookingNotFound and InvalidId.
    """

    def __init__(
        self,
        engine: Reservations,
        keys: TicketKeyStore,
        letterheads: Letterheads | None = None,
        steps: StepsOf | None = None,
    ) -> None:
        self._engine = engine
        self._keys = self.keys = keys
        self._letterheads = letterheads
        self._steps = steps
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
        self,
        booking_id: str,
        *,
        owner: str | None = None,
        after: int = 0,
        limit: int = 100,
        language: str | None = None,
    ) -> TicketPage:
        """The tickets of a booking after this index. Raises InvalidRequest."""
        check_page(after, limit, PAGE_MAX)
        maker = await self._maker(booking_id, owner, language)
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
        language: str | None = None,
    ) -> bytes:
        """The tickets after this index that are not cancelled, as a PDF. Raises InvalidRequest,
        TicketNotFound if there is none after it, TicketCancelled if all there were are."""
        check_page(after, limit, PDF_PAGES_MAX)
        maker = await self._maker(booking_id, owner, language)
        read = _Read(maker.booking, maker.ready_resources, maker.uses)
        margin = await self._margin(read, maker.wording)
        async with self._typesetting:
            return await asyncio.to_thread(_pdf, maker, margin, after, limit)

    async def calendar(
        self, booking_id: str, *, owner: str | None = None, language: str | None = None
    ) -> bytes:
        read = await self._read(booking_id, owner)
        wording = wording_for(language)
        margin = await self._margin(read, wording)
        async with self._engine.database.borrow() as connection:
            moves = await moves_of(connection, booking_id)
        return await asyncio.to_thread(
            write_booking_calendar, read.booking, read.ready_resources, wording, margin, moves
        )

    async def refunds(
        self, booking_id: str, *, owner: str | None = None, language: str | None = None
    ) -> str | None:
        """What cancelling the booking gives back, in words; None where nothing was paid."""
        read = await self._read(booking_id, owner)
        return (await self._margin(read, wording_for(language))).refunds or None

    async def check_in(self, scan: Scan, others: Others | None = None) -> CheckIn:
        """Lets the holder of a ticket in, once. The same scan with the same idempotency key is
        answered the same. Tickets to the `others` are not known here.

        Raises TicketCodeInvalid, WrongResource, AlreadyCheckedIn, TicketCancelled,
        IdempotencyKeyReused; InvalidRequest, InvalidId.
        """
        keys = await self._keys.with_key(codes.key_named(scan.code))
        seen = _seen(scan, keys)
        if others is not None and await others([seen.home]):
            raise check_ins.no_such_ticket()
        check_ins.check_gate(seen)
        async with self._engine.database.borrow() as connection:
            (result,) = await check_ins.check_in(connection, [seen])
        if isinstance(result, BespeakError):
            raise result
        return result

    async def check_in_many(
        self, scans: Sequence[Scan], others: Others | None = None
    ) -> list[ScanOutcome]:
        """What became of scans that a gate made while it was offline, in their order, up to 500.
        One that is refused does not keep the rest out; of two of one ticket the first counts.
        Tickets to the `others` are not known here.
        Raises InvalidRequest for a batch of none or too many."""
        if not 1 <= len(scans) <= BATCH_MAX:
            raise InvalidRequest(f"a batch has 1 to {BATCH_MAX} scans", field="scans")
        keys = await self._keys.current()
        for named in {each for scan in scans if (each := codes.key_named(scan.code))}:
            keys = await self._keys.with_key(named)
        # Verifying 500 signatures takes long enough for others to notice.
        judged = await asyncio.to_thread(lambda: [_judged(scan, keys) for scan in scans])
        homes = {found.home for found in judged if isinstance(found, SeenTicket)}
        hidden = set[int]() if others is None else await others(homes)
        results: dict[int, CheckIn | BespeakError] = {}
        by_home: dict[int, list[tuple[int, SeenTicket]]] = {}
        for place, found in enumerate(judged):
            let_in = found if isinstance(found, BespeakError) else _at_gate(found, hidden)
            if isinstance(let_in, SeenTicket):
                by_home.setdefault(let_in.home, []).append((place, let_in))
            else:
                results[place] = let_in
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

    async def entrances(
        self,
        *,
        text: str | None = None,
        only: Sequence[str] | None = None,
        workspace: str | None = None,
        limit: int = 100,
    ) -> list[Entrance]:
        """Where tickets may be scanned, the earliest first: of the resources `only`, or of those
        with a text in their name, or else of what began less than a day ago, begins within two
        days, or has no time of its own; of one workspace or of all. Raises InvalidRequest,
        InvalidId."""
        if text is not None:
            check_text(text, "q", ENTRANCE_TEXT_MAX)
        async with self._engine.database.borrow() as connection:
            return await check_ins.entrances(connection, text, only, workspace, limit)

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

    async def _margin(self, read: _Read, wording: Wording) -> Margin:
        """What stands around the tickets of a booking. Its resources are of one workspace."""
        home = read.ready_resources[read.booking.lines[0].resource_id]
        refunds = None
        if self._steps is not None:
            steps = await self._steps(read.booking.id)
            refunds = say_refunds(steps, read.booking.amount, home.zone, wording.locale)
        letterhead = EMPTY
        if self._letterheads is not None:
            letterhead = await self._letterheads.of(home.resource.workspace)
        return Margin(letterhead, refunds or "")

    async def _maker(
        self, booking_id: str, owner: str | None, language: str | None = None
    ) -> Maker:
        read = await self._read(booking_id, owner)
        keys = await self._keys.current()
        wording = wording_for(language)
        return Maker(read.booking, read.ready_resources, read.uses, keys, wording)


async def open_office(
    engine: Reservations, letterheads: Letterheads | None = None, steps: StepsOf | None = None
) -> TicketService:
    """The ticket office of an engine; the key to sign with is made if there is none yet. Its
    documents show the letterhead and what cancelling gives back where these are given. Raises
    DatabaseUnavailable."""
    async with engine.database.borrow() as connection:
        keys = await read_keys(connection)
    return TicketService(engine, TicketKeyStore(engine.database, keys), letterheads, steps)


def _seen(scan: Scan, keys: TicketKeys) -> SeenTicket:
    check_ins.check_scan(scan)
    return SeenTicket(scan, codes.read(scan.code, keys))


def _judged(scan: Scan, keys: TicketKeys) -> SeenTicket | BespeakError:
    try:
        return _seen(scan, keys)
    except BespeakError as error:
        return error


def _at_gate(seen: SeenTicket, hidden: set[int]) -> SeenTicket | BespeakError:
    if seen.home in hidden:
        return check_ins.no_such_ticket()
    try:
        check_ins.check_gate(seen)
    except BespeakError as error:
        return error
    return seen


def _pdf(maker: Maker, margin: Margin, after: int, limit: int) -> bytes:
    # The typesetter and its fonts are loaded by those processes that need them.
    from bespeak.ticketing.documents import write_pdf  # noqa: PLC0415

    page = maker.page(after, limit)
    if not page.items:
        raise TicketNotFound(count=page.count)
    good: list[Ticket] = [one for one in page.items if one.state is not TicketState.CANCELLED]
    if not good:
        raise TicketCancelled
    return write_pdf(maker.booking, maker.ready_resources, good, maker.wording, margin)
