"""What happened to a booking or a hold, and to its money."""

from __future__ import annotations

from bespeak import ids
from bespeak.feed.timeline import Timeline
from bespeak.http.server import tags
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OF_BOOKING, OF_HOLD, endpoint_table
from bespeak.http.server.scopes import READ

ENDPOINTS, endpoint = endpoint_table(tags.HOLDS)


@endpoint(
    "GET",
    "/v1/bookings/{booking_id}/timeline",
    "Read a booking's timeline",
    needs_shopper=True,
    errors=OF_BOOKING,
    tag=tags.BOOKINGS,
    scopes=READ,
)
async def get_booking_timeline(call: Call[None, None]) -> Timeline:
    """Tells what happened to a booking, from its hold to its refunds."""
    booking_id = ids.show(ids.BOOKING, ids.parse(ids.BOOKING, call.path["booking_id"]))
    return await call.engine.timeline(booking_id, owner=call.acting_owner())


@endpoint(
    "GET",
    "/v1/holds/{hold_id}/timeline",
    "Read a hold's timeline",
    needs_shopper=True,
    errors=OF_HOLD,
    scopes=READ,
)
async def get_hold_timeline(call: Call[None, None]) -> Timeline:
    """Tells what happened to a hold, and to the booking that it became."""
    hold_id = ids.show(ids.HOLD, ids.parse(ids.HOLD, call.path["hold_id"]))
    return await call.engine.timeline(hold_id, owner=call.acting_owner())
