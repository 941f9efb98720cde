"""A guest who stayed rates the property, once for each booking. The figures of the property are
counted in the same transaction; whoever rates has its row locked, so that none is lost, and the
search learns of it as of any change of a listing.
"""

from __future__ import annotations

import hashlib
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from msgspec import UNSET

from bespeak import ids
from bespeak.inventory.resource_changes import tell_changed
from bespeak.postgres.queries import load
from bespeak.reservations.holds import Booking
from bespeak.reservations.request import KEY_LENGTH_MAX, check_text
from bespeak.verticals.once import made_before, remember
from bespeak.verticals.stays.errors import RatingNotFound, RatingNotOpen
from bespeak.verticals.stays.ratings.views import GiveRating, StayRating

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

QUERIES = load("bespeak.verticals.stays.ratings", "ratings.sql")
_ONCE = load("bespeak.verticals.stays", "changes.sql")
_CHANGEABLE = timedelta(days=30)


class _Stay(NamedTuple):
    """The property where the guests of a booking stayed, and in which listing of it."""

    property_id: str
    listing: int


async def give_rating(
    connection: Connection,
    workspace: str,
    booking: Booking,
    said: GiveRating,
    key: str | None,
) -> tuple[StayRating, bool]:
    """The rating of a booking, and whether it was given by this key. Runs in a transaction. Raises
    RatingNotOpen, InvalidRequest, IdempotencyKeyReused."""
    stay = await _stay_of(connection, workspace, booking)
    await connection.execute(QUERIES["lock_property"], workspace, stay.property_id)
    once = None if key is None else _once_for(booking, key)
    if await made_before(connection, _ONCE, workspace, once, "rating", said) is not None:
        return await rating_of_booking(connection, workspace, booking.id), True
    number = ids.parse(ids.BOOKING, booking.id)
    before = await connection.fetchrow(QUERIES["of_booking"], workspace, number)
    told = (number, workspace, stay.property_id, booking.owner, said.rating, said.comment)
    row = await connection.fetchrow(QUERIES["give"], *told)
    if row is None:
        raise RatingNotOpen("it can be changed no more", reason="over")
    more = said.rating - (0 if before is None else before["rating"])
    if before is None or more:
        await connection.execute(QUERIES["count"], stay.property_id, int(before is None), more)
        # Of one listing: the search looks at all of the property, which may have hundreds.
        await tell_changed(connection, [stay.listing])
    await remember(connection, _ONCE, workspace, once, booking.id)
    return shown_rating(row), False


async def rating_of_booking(connection: Connection, workspace: str, booking_id: str) -> StayRating:
    """What the guest of a booking said. Raises RatingNotFound, InvalidId."""
    number = ids.parse(ids.BOOKING, booking_id)
    row = await connection.fetchrow(QUERIES["of_booking"], workspace, number)
    if row is None:
        raise RatingNotFound(booking_id=booking_id)
    return shown_rating(row)


def shown_rating(row: Record) -> StayRating:
    return StayRating(
        booking_id=ids.show(ids.BOOKING, row["booking_id"]),
        property_id=row["property_id"],
        rating=row["rating"],
        comment=row["comment"],
        rated_at=row["rated_at"],
        changeable_until=row["rated_at"] + _CHANGEABLE,
        hidden=row["hidden"],
    )


async def _stay_of(connection: Connection, workspace: str, booking: Booking) -> _Stay:
    """Where its guests stayed, once their last night is over. Raises RatingNotOpen."""
    left = [
        (ids.parse_resource(line.resource_id), date.fromisoformat(line.to))
        for line in booking.lines
        if line.to is not UNSET and (line.quantity or 1) > line.cancelled_quantity
    ]
    numbers = [number for number, _ in left]
    rows = await connection.fetch(QUERIES["stayed_at"], workspace, numbers)
    if not rows:
        raise RatingNotOpen("nobody stayed somewhere by this booking", reason="no_stay")
    if len({row["property_id"] for row in rows}) > 1:
        raise RatingNotOpen("it is of several properties", reason="several_properties")
    departure = max(day for _, day in left)
    if rows[0]["today"] < departure:
        raise RatingNotOpen(
            f"the stay can be rated from {departure} on",
            reason="not_over",
            opens_on=departure.isoformat(),
        )
    return _Stay(rows[0]["property_id"], rows[0]["listing"])


def _once_for(booking: Booking, key: str) -> str:
    """A key of one booking: guests know nothing of each other's."""
    check_text(key, "idempotency_key", KEY_LENGTH_MAX)
    return hashlib.sha256(f"{booking.id} {key}".encode()).hexdigest()
