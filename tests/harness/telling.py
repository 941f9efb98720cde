"""Callbacks as the sandbox bank sends them, also false ones."""

from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec

import bespeak
from bespeak.payments.callbacks import Received, receive
from bespeak.payments.payment import Payment
from bespeak.payments.providers.sandbox import Sandbox
from bespeak.payments.providers.sandbox.callbacks import SIGNATURE_HEADER, CallbackBody, Kind, sign


@dataclass(frozen=True)
class Told:
    """A callback on its way."""

    body: bytes
    headers: dict[str, str]

    async def to(self, engine: bespeak.Engine, provider: str = "sandbox") -> Received:
        """Arrives."""
        return await receive(engine.payments, provider, self.headers, self.body)


def bank_of(engine: bespeak.Engine) -> Sandbox:
    """The sandbox of an engine."""
    bank = engine.payments.providers["sandbox"]
    assert isinstance(bank, Sandbox)
    return bank


def callback(
    engine: bespeak.Engine,
    payment_id: str,
    *,
    callback_id: str = "evt_1",
    kind: Kind = "payment.authorized",
    amount: int = 1500,
    currency: str = "EUR",
    secret: bytes | None = None,
) -> Told:
    """A callback about a payment, signed now."""
    now = datetime.now(UTC)
    body = msgspec.json.encode(
        CallbackBody(
            id=callback_id,
            kind=kind,
            created_at=now,
            payment_id=payment_id,
            reference="sbx",
            amount=amount,
            currency=currency,
        )
    )
    return Told(body, {SIGNATURE_HEADER: sign(secret or bank_of(engine).secret, body, now)})


async def payment_of(engine: bespeak.Engine, payment_id: str) -> Payment:
    """A payment as it is written down."""
    payment = (await engine.payments.payment(payment_id)).payment
    assert payment is not None
    return payment
