"""What happened to a booking or a hold, and to its money."""

from __future__ import annotations

from msgspec.structs import replace

from bespeak import ids
from bespeak.actors import SHOPPER
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
    booking_link_opens=True,
    errors=OF_BOOKING,
    tag=tags.BOOKINGS,
    scopes=READ,
)
async def get_booking_timeline(call: Call[None, None]) -> Timeline:
    """Tells what happened to a booking, from its hold to its refunds."""
    booking_id = ids.show(ids.BOOKING, ids.parse(ids.BOOKING, call.path["booking_id"]))
    return _shown(call, await call.engine.timeline(booking_id, owner=call.acting_owner()))


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
    return _shown(call, await call.engine.timeline(hold_id, owner=call.acting_owner()))


def _shown(call: Call[None, None], timeline: Timeline) -> Timeline:
    """What a caller sees of it: a shopper not who of the staff, or which program, served them."""
    if call.caller.shopper is None:
        return timeline
    items = [
        entry if entry.actor == SHOPPER else replace(entry, actor=None) for entry in timeline.items
    ]
    return replace(timeline, items=items)
