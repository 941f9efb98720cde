"""Where a hold or booking with a number stands in line."""

from __future__ import annotations

from bespeak.http.server import tags
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OF_BOOKING, OF_HOLD, endpoint_table
from bespeak.http.server.scopes import CHECK_IN, READ, SELL
from bespeak.reservations.positions import Positions

ENDPOINTS, endpoint = endpoint_table(tags.HOLDS)


@endpoint(
    "GET",
    "/v1/holds/{hold_id}/position",
    "Ask a hold's place in line",
    needs_shopper=True,
    errors=OF_HOLD,
    scopes=READ | SELL | CHECK_IN,
)
async def get_hold_position(call: Call[None, None]) -> Positions:
    """Where a hold stands in line: its number, and how many come before."""
    return await call.engine.positions(call.path["hold_id"], owner=call.acting_owner())


@endpoint(
    "GET",
    "/v1/bookings/{booking_id}/position",
    "Ask a booking's place in line",
    needs_shopper=True,
    booking_link_opens=True,
    errors=OF_BOOKING,
    tag=tags.BOOKINGS,
    scopes=READ | SELL | CHECK_IN,
)
async def get_booking_position(call: Call[None, None]) -> Positions:
    """Where a booking stands in line: its number, and how many come before."""
    engine, booking_id = call.engine, call.path["booking_id"]
    await engine.get_booking(booking_id, owner=call.acting_owner())  # not every hold is a booking
    return await engine.positions(booking_id)
