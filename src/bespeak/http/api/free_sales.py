"""The free list: holds that the desk gives for nothing."""

from __future__ import annotations

import msgspec

from bespeak.errors import HoldConfirmed, HoldExpired, HoldNotFound, HoldReleased, InvalidId
from bespeak.http.api.holds import HoldView, hold_answer
from bespeak.http.server import tags
from bespeak.http.server.answers import JsonAnswer
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import SERVERS, endpoint_table
from bespeak.http.server.scopes import SELL
from bespeak.payments.errors import FreeSalesOff, PaymentInProgress
from bespeak.payments.free_sales import FreeReason, give_free

ENDPOINTS, endpoint = endpoint_table(tags.HOLDS)


class GiveFree(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a hold is given for nothing."""

    reason: FreeReason


@endpoint(
    "POST",
    "/v1/holds/{hold_id}/free-sale",
    "Give a hold for nothing",
    kinds=SERVERS,
    errors=(
        InvalidId,
        HoldNotFound,
        HoldConfirmed,
        HoldReleased,
        HoldExpired,
        PaymentInProgress,
        FreeSalesOff,
    ),
    scopes=SELL,
    audited=True,
)
async def give_hold_free(call: Call[None, GiveFree]) -> JsonAnswer[HoldView]:
    """Takes the price of a hold away, and keeps why: for guests, the press, sponsors. It is then
    confirmed as what costs nothing. Repeated, it answers the same."""
    hold = await give_free(call.engine, call.path["hold_id"], call.body.reason)
    return hold_answer(call, hold)
