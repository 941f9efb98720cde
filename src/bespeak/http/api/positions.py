"""Numbered tickets: where one stands in line, and which number is being served."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OF_BOOKING, OF_HOLD, OF_RESOURCE, SERVERS, Endpoint
from bespeak.reservations.positions import Positions


class Serving(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The number that is being served."""

    number: Annotated[int, Meta(ge=0, le=999_999_999)]


async def hold_position(call: Call[None, None]) -> Positions:
    """Where a hold stands in line: its number, and how many come before."""
    return await call.engine.positions(call.path["hold_id"], owner=call.acting_owner())


async def booking_position(call: Call[None, None]) -> Positions:
    """Where a booking stands in line: its number, and how many come before."""
    engine, booking_id = call.engine, call.path["booking_id"]
    await engine.get_booking(booking_id, owner=call.acting_owner())  # not every hold is a booking
    return await engine.positions(booking_id)


async def set_serving(call: Call[None, Serving]) -> Serving:
    """Says which number is being served."""
    await call.engine.set_serving(call.path["resource_id"], call.body.number)
    return call.body


ENDPOINTS = [
    Endpoint(
        "GET",
        "/v1/holds/{hold_id}/position",
        hold_position,
        "Ask a hold's place in line",
        needs_shopper=True,
        errors=OF_HOLD,
    ),
    Endpoint(
        "GET",
        "/v1/bookings/{booking_id}/position",
        booking_position,
        "Ask a booking's place in line",
        needs_shopper=True,
        errors=OF_BOOKING,
    ),
    Endpoint(
        "PUT",
        "/v1/resources/{resource_id}/serving",
        set_serving,
        "Say which number is served",
        kinds=SERVERS,
        errors=OF_RESOURCE,
    ),
]
