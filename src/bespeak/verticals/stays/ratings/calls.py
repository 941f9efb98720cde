"""The calls of ratings: given and read by the guest of a booking, read by all as comments of a
property, hidden by the operator.
"""

from __future__ import annotations

from functools import partial

import msgspec

from bespeak.verticals.stays.catalogue import StaysReader
from bespeak.verticals.stays.ratings import comments as written
from bespeak.verticals.stays.ratings import giving
from bespeak.verticals.stays.ratings.views import (
    GiveRating,
    GuestComments,
    HideComment,
    RatingsQuestion,
    StayRating,
)
from bespeak.verticals.vertical import VerticalRequest


async def rate_stay(request: VerticalRequest[None, GiveRating]) -> StayRating:
    """Says what the guest of a booking thinks of it, once the last night is over: once, and changed
    by the same call until 30 days later."""
    engine, owner = request.engine, request.acting_owner()
    booking = await engine.get_booking(request.path["booking_id"], owner=owner)
    async with engine.database.borrow() as connection, connection.transaction():
        found, replayed = await giving.give_rating(
            connection, request.workspace, booking, request.body, request.idempotency_key
        )
    return msgspec.structs.replace(found, replayed=replayed)


async def get_rating(request: VerticalRequest[None, None]) -> StayRating:
    """Reads what the guest of a booking said."""
    booking_id = request.path["booking_id"]
    await request.engine.get_booking(booking_id, owner=request.acting_owner())
    async with request.connection() as connection:
        return await giving.rating_of_booking(connection, request.workspace, booking_id)


async def list_comments(request: VerticalRequest[RatingsQuestion, None]) -> GuestComments:
    """What guests wrote of a property, the latest first. Who sells sees what is hidden, too."""
    sells = request.caller.kind not in (None, "publishable") and not request.published_only
    reader = StaysReader(request.workspace, request.published_only, sells, request.language)
    asked = partial(written.comments, property_id=request.path["property_id"], asked=request.query)
    return await request.engine.reads.run(partial(asked, reader=reader))


async def hide_comment(request: VerticalRequest[None, HideComment]) -> StayRating:
    """Hides what a guest wrote, or shows it again. The figure counts either way."""
    async with request.connection() as connection:
        return await written.hide_comment(
            connection,
            request.workspace,
            request.path["booking_id"],
            hidden=request.body.hidden,
        )
