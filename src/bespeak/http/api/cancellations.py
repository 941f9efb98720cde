"""Calling a whole resource off: it is closed, and all its holds and bookings are cancelled; and
opening it again after that."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidId, PlanChanged
from bespeak.http.server import tags
from bespeak.http.server.answers import JsonAnswer, once
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OF_RESOURCE, SERVERS, endpoint_table
from bespeak.http.server.scopes import READ, REFUND
from bespeak.inventory.errors import ResourceCalledOff
from bespeak.inventory.resources import Resource
from bespeak.payments.errors import CallingOffRuns, NotCalledOff
from bespeak.payments.refunds.call_off import CalledOff

ENDPOINTS, endpoint = endpoint_table(tags.RESOURCES)


class CallOff(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Call a resource off: cancel all of it, with the reason for the record, and give the money
    back in `full`, or by the `policy` that each booking was sold with."""

    reason: Annotated[str, Meta(min_length=1, max_length=500)]
    refund: Literal["full", "policy"] = "full"


@endpoint(
    "POST",
    "/v1/resources/{resource_id}/cancellation",
    "Call a resource off",
    status=202,
    kinds=SERVERS,
    repeatable=True,
    errors=(*OF_RESOURCE, ResourceCalledOff, PlanChanged),
    scopes=REFUND,
    audited=True,
    needs_proof=True,
)
async def call_off_resource(call: Call[None, CallOff]) -> JsonAnswer[CalledOff]:
    """Closes a resource and begins to cancel all of it, in the background."""
    begun = await call.engine.call_off(
        call.path["resource_id"],
        reason=call.body.reason,
        refund=call.body.refund,
        idempotency_key=call.idempotency_key,
    )
    return once(202, begun)


@endpoint(
    "GET",
    "/v1/resources/{resource_id}/cancellation",
    "See how far calling off has come",
    kinds=SERVERS,
    errors=(InvalidId, NotCalledOff),
    scopes=READ | REFUND,
)
async def get_cancellation(call: Call[None, None]) -> JsonAnswer[CalledOff]:
    """Tells how far the calling off of a resource has come."""
    return once(200, await call.engine.cancellation(call.path["resource_id"]))


@endpoint(
    "POST",
    "/v1/resources/{resource_id}/cancellation/reopening",
    "Open a resource again that was called off",
    kinds=SERVERS,
    errors=(InvalidId, NotCalledOff, CallingOffRuns),
    scopes=REFUND,
    audited=True,
)
async def reopen_resource(call: Call[None, None]) -> Resource:
    """Opens a resource again that was called off. What was cancelled stays cancelled."""
    return await call.engine.reopen(call.path["resource_id"])
