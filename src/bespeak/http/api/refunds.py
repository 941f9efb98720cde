"""Refunds: what a cancellation would give back, and how a refund stands."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bespeak.errors import (
    BookingCancelled,
    InvalidId,
    NotInBooking,
    NotOwner,
)
from bespeak.http.api.asked_holds import Lines
from bespeak.http.server import tags
from bespeak.http.server.answers import WholeList
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OF_BOOKING, OPERATORS, SERVERS, endpoint_table
from bespeak.http.server.scopes import READ, REFUND
from bespeak.http.server.workspaces import Reach
from bespeak.payments.errors import (
    RefundNotAtDesk,
    RefundNotFailed,
    RefundNotFound,
)
from bespeak.payments.refunds import hand_over
from bespeak.payments.refunds.owed import RefundQuote
from bespeak.payments.refunds.record import Refund

ENDPOINTS, endpoint = endpoint_table(tags.PAYMENTS)


class AskRefund(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask what cancelling would give back; with lines, only those."""

    lines: Lines | None = None


class RefundQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which refunds: those that failed, or that somebody is to hand over at the desk; so many at
    most."""

    state: Literal["failed", "at_desk"] = "failed"
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100


class RefundList(WholeList[Refund], frozen=True):
    """Refunds that wait for a person, the oldest first."""


@endpoint(
    "GET",
    "/v1/refunds",
    "List the refunds that wait for a person",
    kinds=SERVERS,
    scopes=READ | REFUND,
    reach=Reach.WORKSPACE,
)
async def list_refunds(call: Call[RefundQuery, None]) -> RefundList:
    """Lists the refunds that failed, or those to be handed over at the desk, the oldest first."""
    refunds = call.engine.refunds
    asked = refunds.at_desk if call.query.state == "at_desk" else refunds.failed
    return RefundList(await asked(call.query.limit, call.workspace))


@endpoint(
    "POST",
    "/v1/bookings/{booking_id}/refund-quote",
    "Ask what cancelling would give back",
    needs_shopper=True,
    booking_link_opens=True,
    errors=(*OF_BOOKING, BookingCancelled, NotInBooking),
    scopes=READ | REFUND,
)
async def quote_refund(call: Call[None, AskRefund | None]) -> RefundQuote:
    """Tells what cancelling a booking would give back now; nothing is cancelled."""
    lines = None if call.body is None else call.body.lines
    return await call.engine.refund_quote(
        call.path["booking_id"], lines=lines, owner=call.acting_owner()
    )


@endpoint(
    "GET",
    "/v1/refunds/{refund_id}",
    "Read a refund",
    needs_shopper=True,
    errors=(InvalidId, RefundNotFound, NotOwner),
    scopes=READ | REFUND,
)
async def get_refund(call: Call[None, None]) -> Refund:
    """Reads a refund."""
    return await call.engine.refunds.get(call.path["refund_id"], call.acting_owner())


@endpoint(
    "POST",
    "/v1/refunds/{refund_id}/retry",
    "Try a refund again",
    kinds=OPERATORS,
    errors=(InvalidId, RefundNotFound, RefundNotFailed),
    scopes=REFUND,
    audited=True,
)
async def retry_refund(call: Call[None, None]) -> Refund:
    """Has a refund that failed tried again."""
    return await call.engine.refunds.retry(call.path["refund_id"])


@endpoint(
    "POST",
    "/v1/refunds/{refund_id}/hand-over",
    "Say that a refund was handed over",
    kinds=SERVERS,
    errors=(InvalidId, RefundNotFound, RefundNotAtDesk),
    scopes=REFUND,
    audited=True,
)
async def hand_over_refund(call: Call[None, None]) -> Refund:
    """Notes that the money of a refund was handed over. Repeated, it changes nothing."""
    engine = call.engine
    return await hand_over.hand_over_refund(engine.payments, engine.refunds, call.path["refund_id"])
