"""What guests wrote of a property: read by all, and hidden by who answers for the page."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from bespeak import ids
from bespeak.list_cursors import read_cursor, show_cursor
from bespeak.verticals.stays.catalogue import StaysReader, read_property
from bespeak.verticals.stays.errors import RatingNotFound
from bespeak.verticals.stays.ratings.giving import QUERIES, shown_rating
from bespeak.verticals.stays.ratings.views import (
    GuestComment,
    GuestComments,
    RatingsQuestion,
    StayRating,
)

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record


async def comments(
    connection: Connection, reader: StaysReader, property_id: str, asked: RatingsQuestion
) -> GuestComments:
    """A page of comments. Raises PropertyNotFound, InvalidId, InvalidCursor."""
    after = read_cursor(asked.after, tuple[datetime, UUID]) or (None, None)
    await read_property(connection, reader, property_id)
    told = (reader.workspace, property_id, reader.sells)
    rows = await connection.fetch(QUERIES["of_property"], *told, *after, asked.limit + 1)
    page = rows[: asked.limit]
    last = page[-1] if len(rows) > len(page) else None
    return GuestComments(
        [_shown(row, sells=reader.sells) for row in page],
        None if last is None else show_cursor(last["rated_at"], last["booking_id"]),
    )


async def hide_comment(
    connection: Connection, workspace: str, booking_id: str, *, hidden: bool
) -> StayRating:
    """Hides a comment, or shows it again. Raises RatingNotFound, InvalidId."""
    number = ids.parse(ids.BOOKING, booking_id)
    row = await connection.fetchrow(QUERIES["hide"], workspace, number, hidden)
    if row is None:
        raise RatingNotFound(booking_id=booking_id)
    return shown_rating(row)


def _shown(row: Record, *, sells: bool) -> GuestComment:
    found = GuestComment(rating=row["rating"], comment=row["comment"], rated_at=row["rated_at"])
    if not sells:
        return found
    return GuestComment(
        rating=found.rating,
        comment=found.comment,
        rated_at=found.rated_at,
        booking_id=ids.show(ids.BOOKING, row["booking_id"]),
        hidden=row["hidden"],
    )
