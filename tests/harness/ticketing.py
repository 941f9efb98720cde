"""What tests about tickets share: the ticket office on an engine, and scans of its codes."""

import re
from collections.abc import Sequence

import bespeak
from bespeak import Booking, Line
from bespeak.ticketing.check_ins import Scan
from bespeak.ticketing.service import TicketService
from bespeak.ticketing.tickets import Ticket, TicketState
from tests.harness.shows import book

VALID, CHECKED_IN, CANCELLED = TicketState


async def tickets_of(office: TicketService, booking: Booking) -> list[Ticket]:
    """All tickets of a booking."""
    page = await office.tickets(booking.id, limit=1000)
    assert page.next is None
    assert [ticket.index for ticket in page.items] == list(range(1, page.count + 1))
    return page.items


async def codes_of(office: TicketService, booking: Booking) -> list[str]:
    """The codes of a booking of which nothing is cancelled."""
    return [ticket.code or "" for ticket in await tickets_of(office, booking)]


async def booked_codes(
    engine: bespeak.Engine, office: TicketService, lines: Sequence[Line]
) -> tuple[Booking, list[str]]:
    """A new booking of these lines, and its codes."""
    booking = await book(engine, lines)
    return booking, await codes_of(office, booking)


async def states_of(office: TicketService, booking: Booking) -> list[TicketState]:
    """How the tickets of a booking stand."""
    return [ticket.state for ticket in await tickets_of(office, booking)]


def scan(code: str, **fields: object) -> Scan:
    """A scan at the north gate."""
    return Scan(**{"code": code, "gate": "North", **fields})  # type: ignore[arg-type]


def pages_of(content: bytes) -> int:
    """How many pages a PDF says that it has."""
    assert content.startswith(b"%PDF-") and content.rstrip().endswith(b"%%EOF")
    counts = re.findall(rb"/Type */Pages\b.*?/Count (\d+)", content, re.DOTALL)
    return sum(map(int, counts))
