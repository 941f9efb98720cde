"""The calendar of a resource: what of it is booked or blocked, gathered from the database for the
feed that `inventory.calendar_feed` writes. Carts that have their home elsewhere count too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING

from bespeak.inventory import blocks
from bespeak.inventory.blocks import Block, BlockLine
from bespeak.inventory.calendars.events import When
from bespeak.inventory.calendars.feed import Busy, place_of
from bespeak.inventory.resources import ReadyResource
from bespeak.postgres.queries import load
from bespeak.reservations.holds import Booking, booking_of
from bespeak.reservations.lines import BookedLine

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.reservations", "calendars.sql")
EVENTS_MAX = 10_000
_PAST_DAYS = 92
_PAGE = 1000


async def read_busy(
    connection: Connection,
    ready: ReadyResource,
    now: datetime,
    *,
    details: bool = False,
    without: Sequence[str] = (),
) -> list[Busy]:
    """What keeps the resource busy, of nights and times from about three months ago on, the latest
    10,000 bookings and as many blocks. With `details` it says who has booked, and why something is
    blocked. Blocks from calendars that `without` names are left out.

    What nobody can say the time of is left out: see `place_of`.
    """
    first = (now.astimezone(ready.zone) - timedelta(days=_PAST_DAYS)).date()
    since = first.isoformat() if _is_dated(ready) else None
    rows = await connection.fetch(_QUERIES["booked"], ready.number, since, EVENTS_MAX)
    found: list[Busy] = []
    for row in rows:
        found += _of_booking(ready, booking_of(row["hold"], row["booking"]), details=details)
    prefixes = tuple(f"ics:{name}:" for name in without)
    for block in await _blocks(connection, ready):
        if block.source is None or not block.source.startswith(prefixes):
            found += _of_block(ready, block, details=details)
    begin = datetime.combine(first, time(), ready.zone)
    return [busy for busy in found if since is None or _reaches(busy, begin)]


def _is_dated(ready: ReadyResource) -> bool:
    return ready.plan.range_kind in ("dates", "times")


async def _blocks(connection: Connection, ready: ReadyResource) -> list[Block]:
    found: list[Block] = []
    after: str | None = None
    while len(found) < EVENTS_MAX:
        page = await blocks.list_page(connection, ready, after, _PAGE)
        found += page.items
        if page.next is None:
            break
        after = page.next
    return found


def _of_booking(ready: ReadyResource, booking: Booking, *, details: bool) -> Iterator[Busy]:
    for number, line in enumerate(booking.lines, start=1):
        left = (line.quantity or 1) - line.cancelled_quantity
        place = place_of(ready, line.from_, line.to)
        if line.resource_id != ready.resource.id or left < 1 or place is None:
            continue
        yield Busy(
            id=booking.id,
            line=number,
            start=place[0],
            end=place[1],
            known_at=booking.cancelled_at or booking.confirmed_at,
            summary=_named("Booked", line, left),
            details=f"{booking.id}, {booking.owner}" if details else "",
            is_block=False,
        )


def _of_block(ready: ReadyResource, block: Block, *, details: bool) -> Iterator[Busy]:
    for number, line in enumerate(block.lines, start=1):
        place = place_of(ready, line.from_, line.to)
        if place is not None:
            yield Busy(
                id=block.id,
                line=number,
                start=place[0],
                end=place[1],
                known_at=block.created_at,
                summary=_named("Blocked", line, line.quantity or 1),
                details=f"{block.id}, {block.reason}" if details else "",
                is_block=True,
            )


def _named(word: str, line: BookedLine | BlockLine, quantity: int) -> str:
    named = word if line.unit is None else f"{word}: {line.unit}"
    return named if quantity == 1 else f"{named} \N{MULTIPLICATION SIGN} {quantity}"


def _reaches(busy: Busy, begin: datetime) -> bool:
    """Whether it is still going on then, or later."""
    last: When = busy.start if busy.end is None else busy.end
    if isinstance(last, datetime):
        return last >= begin
    return datetime.combine(last, time(), UTC) >= begin
