"""The door of payment providers: their callbacks. No key opens it but the provider's signature."""

from __future__ import annotations

from bespeak.errors import DatabaseUnavailable
from bespeak.http.server.call import Answer, Call
from bespeak.http.server.endpoint import ANYONE, Endpoint
from bespeak.payments.callbacks import Received, receive
from bespeak.payments.errors import CallbackMismatch, ProviderUnknown
from bespeak.payments.providers.provider import (
    CallbackInvalid,
    CallbackUnreadable,
    ProviderUnavailable,
)


async def take_callback(call: Call, _: None) -> Answer:
    """Takes a callback of a payment provider, once; anything but a 2xx asks for it again."""
    settlement = call.service.engine.payments
    return Answer(200, await receive(settlement, call.path["provider"], call.raw_headers, call.raw))


ENDPOINTS = [
    Endpoint(
        "POST",
        "/v1/payments/{provider}/callback",
        take_callback,
        "Take a callback",
        Received,
        kinds=ANYONE,
        takes_raw=True,
        errors=(
            ProviderUnknown,
            CallbackInvalid,
            CallbackUnreadable,
            CallbackMismatch,
            ProviderUnavailable,
            DatabaseUnavailable,
        ),
    ),
]
