"""The calls about money that goes back: what a cancellation would give back, how a refund stands,
and calling a whole resource off.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bespeak.errors import (
    BookingCancelled,
    BookingNotFound,
    InvalidId,
    NotInBooking,
    NotOwner,
    PlanChanged,
    ResourceNotFound,
)
from bespeak.http.server.call import REPLAYED, Answer, Call
from bespeak.http.server.endpoint import OPERATORS, SERVERS, Endpoint
from bespeak.http.api.holds import Lines
from bespeak.payments.errors import (
    NotCalledOff,
    RefundNotFailed,
    RefundNotFound,
    ResourceCalledOff,
)
from bespeak.payments.refunds.call_off import CalledOff
from bespeak.payments.refunds.owed import RefundQuote
from bespeak.payments.refunds.record import Refund

_ACCEPTED = 202


class AskRefund(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask what cancelling would give back; with lines, only those."""

    lines: Lines | None = None


class CallOff(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Call a resource off: cancel all of it, with the reason for the record, and give the money
    back in `full`, or by the `policy` that each booking was sold with."""

    reason: Annotated[str, Meta(min_length=1, max_length=500)]
    refund: Literal["full", "policy"] = "full"


class RefundQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which refunds: those that failed, so many at most."""

    state: Literal["failed"] = "failed"
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100


class RefundList(msgspec.Struct, frozen=True):
    """Refunds that wait for a person, the oldest first."""

    items: list[Refund]


async def list_refunds(call: Call, _: None) -> Answer:
    """Lists the refunds that failed, the oldest first: somebody must look at them."""
    query = call.query
    if not isinstance(query, RefundQuery):
        raise TypeError("the endpoint has this query")
    return Answer(200, RefundList(await call.service.engine.refunds.failed(query.limit)))


async def quote_refund(call: Call, body: AskRefund | None) -> Answer:
    """Tells what cancelling a booking would give back now; nothing is cancelled."""
    asked = body or AskRefund()
    quote = await call.service.engine.refund_quote(
        call.path["booking_id"], lines=asked.lines, owner=call.acting_owner()
    )
    return Answer(200, quote)


async def get_refund(call: Call, _: None) -> Answer:
    """Reads a refund."""
    owner = call.acting_owner()
    return Answer(200, await call.service.engine.refunds.get(call.path["refund_id"], owner))


async def retry_refund(call: Call, _: None) -> Answer:
    """Has a refund that failed tried again."""
    return Answer(200, await call.service.engine.refunds.retry(call.path["refund_id"]))


async def call_off(call: Call, body: CallOff) -> Answer:
    """Closes a resource and begins to cancel all of it, in the background."""
    begun = await call.service.engine.call_off(
        call.path["resource_id"],
        reason=body.reason,
        refund=body.refund,
        idempotency_key=call.idempotency_key,
    )
    return _progress_answer(_ACCEPTED, begun)


async def get_cancellation(call: Call, _: None) -> Answer:
    """Tells how far the calling off of a resource has come."""
    engine = call.service.engine
    return _progress_answer(200, await engine.cancellation(call.path["resource_id"]))


def _progress_answer(status: int, told: CalledOff) -> Answer:
    if not told.replayed:
        return Answer(status, told)
    return Answer(status, msgspec.structs.replace(told, replayed=False), headers=REPLAYED)


ENDPOINTS = [
    Endpoint(
        "POST",
        "/v1/bookings/{booking_id}/refund-quote",
        quote_refund,
        "Ask what cancelling would give back",
        RefundQuote,
        needs_shopper=True,
        body=AskRefund,
        body_required=False,
        errors=(InvalidId, BookingNotFound, NotOwner, BookingCancelled, NotInBooking),
    ),
    Endpoint(
        "GET",
        "/v1/refunds",
        list_refunds,
        "List the refunds that failed",
        RefundList,
        kinds=SERVERS,
        query=RefundQuery,
    ),
    Endpoint(
        "GET",
        "/v1/refunds/{refund_id}",
        get_refund,
        "Read a refund",
        Refund,
        needs_shopper=True,
        errors=(InvalidId, RefundNotFound, NotOwner),
    ),
    Endpoint(
        "POST",
        "/v1/refunds/{refund_id}/retry",
        retry_refund,
        "Try a refund again",
        Refund,
        kinds=OPERATORS,
        errors=(InvalidId, RefundNotFound, RefundNotFailed),
    ),
    Endpoint(
        "POST",
        "/v1/resources/{resource_id}/cancellation",
        call_off,
        "Call a resource off",
        CalledOff,
        _ACCEPTED,
        kinds=SERVERS,
        body=CallOff,
        repeatable=True,
        errors=(InvalidId, ResourceNotFound, ResourceCalledOff, PlanChanged),
    ),
    Endpoint(
        "GET",
        "/v1/resources/{resource_id}/cancellation",
        get_cancellation,
        "See how far calling off has come",
        CalledOff,
        kinds=SERVERS,
        errors=(InvalidId, NotCalledOff),
    ),
]
