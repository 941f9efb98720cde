"""The calls of numbered tickets: where one stands in line, and which number is being served."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.errors import BookingNotFound, HoldNotFound, InvalidId, NotOwner, ResourceNotFound
from bespeak.http.server.call import Answer, Call
from bespeak.http.server.endpoint import SERVERS, Endpoint
from bespeak.reservations.positions import Positions


class Serving(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The number that is being served."""

    number: Annotated[int, Meta(ge=0, le=999_999_999)]


async def hold_position(call: Call, _: None) -> Answer:
    """Where a hold stands in line: its number, and how many come before."""
    return Answer(
        200, await call.service.engine.positions(call.path["hold_id"], owner=call.acting_owner())
    )


async def booking_position(call: Call, _: None) -> Answer:
    """Where a booking stands in line: its number, and how many come before."""
    engine, booking_id = call.service.engine, call.path["booking_id"]
    await engine.get_booking(booking_id, owner=call.acting_owner())  # not every hold is a booking
    return Answer(200, await engine.positions(booking_id))


async def set_serving(call: Call, body: Serving) -> Answer:
    """Says which number is being served."""
    await call.service.engine.set_serving(call.path["resource_id"], body.number)
    return Answer(200, body)


ENDPOINTS = [
    Endpoint(
        "GET",
        "/v1/holds/{hold_id}/position",
        hold_position,
        "Ask a hold's place in line",
        Positions,
        needs_shopper=True,
        errors=(InvalidId, HoldNotFound, NotOwner),
    ),
    Endpoint(
        "GET",
        "/v1/bookings/{booking_id}/position",
        booking_position,
        "Ask a booking's place in line",
        Positions,
        needs_shopper=True,
        errors=(InvalidId, BookingNotFound, NotOwner),
    ),
    Endpoint(
        "PUT",
        "/v1/resources/{resource_id}/serving",
        set_serving,
        "Say which number is served",
        Serving,
        kinds=SERVERS,
        body=Serving,
        errors=(InvalidId, ResourceNotFound),
    ),
]
