"""The calls that tell what happened to a booking or a hold, and to its money."""

from __future__ import annotations

from bespeak import ids
from bespeak.errors import BookingNotFound, HoldNotFound, InvalidId, NotOwner
from bespeak.feed.timeline import Timeline
from bespeak.http.server.call import Answer, Call
from bespeak.http.server.endpoint import Endpoint


async def booking_timeline(call: Call, _: None) -> Answer:
    """Tells what happened to a booking, from its hold to its refunds."""
    engine = call.service.engine
    number = ids.parse(ids.BOOKING, call.path["booking_id"])
    booking_id = ids.show(ids.BOOKING, number)
    return Answer(200, await engine.timeline(booking_id, owner=call.acting_owner()))


async def hold_timeline(call: Call, _: None) -> Answer:
    """Tells what happened to a hold, and to the booking that it became."""
    engine = call.service.engine
    hold_id = ids.show(ids.HOLD, ids.parse(ids.HOLD, call.path["hold_id"]))
    return Answer(200, await engine.timeline(hold_id, owner=call.acting_owner()))


ENDPOINTS = [
    Endpoint(
        "GET",
        "/v1/bookings/{booking_id}/timeline",
        booking_timeline,
        "Read a booking's timeline",
        Timeline,
        needs_shopper=True,
        errors=(InvalidId, BookingNotFound, NotOwner),
    ),
    Endpoint(
        "GET",
        "/v1/holds/{hold_id}/timeline",
        hold_timeline,
        "Read a hold's timeline",
        Timeline,
        needs_shopper=True,
        errors=(InvalidId, HoldNotFound, NotOwner),
    ),
]
