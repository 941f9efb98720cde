"""Payments: reading one, and the callbacks of the payment providers, which need no key but their
signature.
"""

from __future__ import annotations

import msgspec

from bespeak.errors import DatabaseUnavailable, InvalidId, NotOwner
from bespeak.http.server import tags
from bespeak.http.server.asgi import all_headers
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import ANYONE, endpoint_table
from bespeak.http.server.scopes import READ, REFUND, SELL
from bespeak.payments.callbacks import Received, receive
from bespeak.payments.errors import CallbackMismatch, PaymentNotFound, ProviderUnknown
from bespeak.payments.payment import Payment
from bespeak.payments.providers.provider import (
    CallbackInvalid,
    CallbackUnreadable,
    ProviderUnavailable,
)
from bespeak.payments.refunds.record import Refund
from bespeak.postgres.errors import DatabaseReadOnly

ENDPOINTS, endpoint = endpoint_table(tags.PAYMENTS)


class PaymentView(msgspec.Struct, frozen=True):
    """A payment, the booking that it made once there is one, and what goes or went back of it."""

    payment: Payment
    booking_id: str | None
    refunds: list[Refund]


@endpoint(
    "GET",
    "/v1/payments/{payment_id}",
    "Read a payment",
    needs_shopper=True,
    booking_link_opens=True,
    waitlist_link_opens=True,
    errors=(InvalidId, PaymentNotFound, NotOwner),
    scopes=READ | SELL | REFUND,
)
async def get_payment(call: Call[None, None]) -> PaymentView:
    """Reads a payment, with its booking once there is one, and its refunds."""
    engine = call.engine
    paid = await engine.payments.payment(call.path["payment_id"], owner=call.acting_owner())
    if paid.payment is None:
        raise TypeError("what has an id is a payment")
    booking_id = None if paid.booking is None else paid.booking.id
    refunds = await engine.refunds.of_payment(paid.payment.id) if paid.payment.refunding else []
    return PaymentView(paid.payment, booking_id, refunds)


@endpoint(
    "POST",
    "/v1/payments/{provider}/callback",
    "Take a callback",
    kinds=ANYONE,
    errors=(
        ProviderUnknown,
        CallbackInvalid,
        CallbackUnreadable,
        CallbackMismatch,
        ProviderUnavailable,
        DatabaseReadOnly,
        DatabaseUnavailable,
    ),
)
async def take_payment_callback(call: Call[None, bytes]) -> Received:
    """Takes a callback of a payment provider, once; anything but a 2xx asks for it again."""
    headers = all_headers(call.scope["headers"])
    return await receive(call.engine.payments, call.path["provider"], headers, call.body)
