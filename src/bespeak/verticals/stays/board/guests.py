"""Who arrives, departs and stays on a day: bookings that have a room in the night before it, or in
its own.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Literal
from uuid import UUID

from bespeak import ids
from bespeak.errors import InvalidCursor, InvalidRequest
from bespeak.list_cursors import read_cursor, show_cursor
from bespeak.money import Money
from bespeak.reservations.booking_code import BookingCode
from bespeak.verticals.stays.board.bars import contact_of
from bespeak.verticals.stays.board.house import (
    QUERIES,
    HouseRow,
    nights_from,
    rows_of,
    today_at,
)
from bespeak.verticals.stays.board.views import GuestOfDay, GuestsOfDay

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record
    from bespeak.verticals.stays.catalogue import StaysReader
    from bespeak.verticals.stays.queries import ArrivalsQuestion

_PAID = ("authorized", "captured", "refunded")


async def guests_of_day(
    connection: Connection, reader: StaysReader, property_id: str, asked: ArrivalsQuestion
) -> GuestsOfDay:
    """A page of them. Raises PropertyNotFound, InvalidId, InvalidCursor, InvalidRequest."""
    after = _read_after(asked.after)
    day = asked.date or await today_at(connection, reader, property_id)
    if asked.date is not None:
        await today_at(connection, reader, property_id)
    if day == date.min:
        raise InvalidRequest("date: there is no night before", field="date")
    behind = nights_from(day, 1, "date").last
    listings = {row.number: row for row in await rows_of(connection, reader, property_id)}
    rows = await connection.fetch(
        QUERIES["on_a_day"],
        list(listings),
        [row.id for row in listings.values()],
        day,
        (day - timedelta(days=1)).isoformat(),
        behind.isoformat(),
        *after,
        asked.limit + 1,
    )
    keys = list(dict.fromkeys((row["resource_id"], row["hold_id"]) for row in rows))
    page = set(keys[: asked.limit])
    items = [
        _guest(row, listings[row["resource_id"]], day)
        for row in rows
        if row["place"] is not None and (row["resource_id"], row["hold_id"]) in page
    ]
    more = len(keys) > asked.limit
    number, hold_id = keys[asked.limit - 1] if more else (0, "")
    return GuestsOfDay(day, items, show_cursor(number, str(hold_id)) if more else None)


def _guest(row: Record, listing: HouseRow, day: date) -> GuestOfDay:
    number: UUID = row["hold_id"]
    first, last = row["first"], row["last"]
    kind: Literal["arrival", "departure", "in_house"] = "in_house"
    if day in (first, last):
        kind = "arrival" if day == first else "departure"
    return GuestOfDay(
        kind=kind,
        listing=listing.id,
        listing_name=listing.name,
        room=row["room"],
        rooms=row["rooms"],
        booking=ids.show(ids.BOOKING, number),
        code=str(BookingCode.of(number, row["confirmed_at"])),
        contact=contact_of(row["contact"]),
        from_=first,
        to=last,
        nights=(last - first).days,
        to_pay=Money(0 if row["payment"] in _PAID else row["worth"], row["currency"]),
    )


def _read_after(cursor: str | None) -> tuple[int | None, UUID | None]:
    """Raises InvalidCursor."""
    key = read_cursor(cursor, tuple[int, str])
    if key is None:
        return None, None
    try:
        return key[0], UUID(key[1])
    except ValueError as error:
        raise InvalidCursor(after=(cursor or "")[:60]) from error
