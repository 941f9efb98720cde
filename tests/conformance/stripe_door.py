"""The suite's door to Stripe: the provider as it ships, over HTTP, to a Stripe of its own."""

import hashlib
import hmac
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime

import msgspec

from bespeak.payments.providers.provider import Standing
from bespeak.payments.providers.stripe.provider import Stripe
from tests.conformance.provider_doors import ProviderDoor
from tests.services.stripe_server import SECRET_KEY, StripeServer

WEBHOOK_SECRET = "whsec_bespeak_tests"


def signature(secret: str, body: bytes, sent_at: datetime) -> str:
    """The header of a webhook: https://docs.stripe.com/webhooks#verify-manually."""
    moment = int(sent_at.timestamp())
    mac = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256)
    return f"t={moment},v1={mac.hexdigest()},v0={'0' * 64}"


def event(kind: str, told: dict[str, object], event_id: str = "evt_1") -> bytes:
    """The body of a webhook about an object: https://docs.stripe.com/api/events/object."""
    whole = {
        "id": event_id,
        "object": "event",
        "api_version": "2026-10-28.endive",
        "created": 1_893_499_200,
        "data": {"object": told, "previous_attributes": {}},
        "livemode": False,
        "pending_webhooks": 1,
        "request": {"id": None, "idempotency_key": None},
        "type": kind,
    }
    return msgspec.json.format(msgspec.json.encode(whole), indent=2)


def intent_of(standing: Standing) -> dict[str, object]:
    """The object in a webhook about this payment, which is authorized."""
    return {
        "id": standing.reference,
        "object": "payment_intent",
        "amount": standing.amount.amount,
        "currency": standing.amount.currency.lower(),
        "metadata": {"bespeak_payment_id": standing.payment_id, "bespeak_hold_id": "hold_x"},
        "status": "requires_capture",
    }


class StripeDoor(ProviderDoor):
    """Stripe, on a server of the test's own."""

    success = "pm_card_visa"
    declined = "pm_card_chargeDeclined"
    challenge = "pm_card_authenticationRequired"

    def __init__(self, stripe: Stripe, server: StripeServer) -> None:
        self.provider = self.stripe = stripe
        self.server = server

    async def decide(self, standing: Standing, *, approve: bool) -> None:
        assert standing.reference is not None
        self.server.decide(standing.reference, approve=approve)

    async def cut(self) -> None:
        await self.server.stop()

    def callback(self, standing: Standing, callback_id: str) -> bytes:
        return event("payment_intent.amount_capturable_updated", intent_of(standing), callback_id)

    def signed(self, body: bytes, sent_at: datetime, secret: bytes | None = None) -> dict[str, str]:
        with_secret = WEBHOOK_SECRET if secret is None else f"whsec_{secret.hex()}"
        return {"stripe-signature": signature(with_secret, body, sent_at)}

    def foreign_callbacks(self) -> list[bytes]:
        good = msgspec.json.decode(event("payment_intent.canceled", {}), type=dict[str, object])
        changes: list[dict[str, object]] = [
            {"id": None},
            {"id": 7},
            {"id": ""},
            {"id": "x" * 300},
            {"type": None},
            {"type": ""},
            {"data": None},
            {"data": {}},
            {"data": {"object": "pi_1"}},
            {"data": {"object": {"metadata": [1]}}},
            {"data": {"object": {"metadata": {"bespeak_payment_id": 7}}}},
            {"data": {"object": {**_ODD, "amount": "2500"}}},
            {"data": {"object": {**_ODD, "amount": -1}}},
            {"data": {"object": {**_ODD, "amount": 2.5}}},
            {"data": {"object": {**_ODD, "amount": 10**30}}},
            {"data": {"object": {**_ODD, "currency": "euro"}}},
        ]
        return [msgspec.json.encode({**good, **change}) for change in changes]


_ODD: dict[str, object] = {
    "object": "payment_intent",
    "amount": 2500,
    "currency": "eur",
    "metadata": {"bespeak_payment_id": "pay_01h2xcejqtf2nbrexx3vqjhp41"},
}


@asynccontextmanager
async def open_stripe_door() -> AsyncIterator[StripeDoor]:
    """A door to a Stripe where nobody has paid yet."""
    server = StripeServer()
    await server.start()
    stripe = Stripe(SECRET_KEY, WEBHOOK_SECRET, api_base=server.url)
    try:
        yield StripeDoor(stripe, server)
    finally:
        await stripe.close()
        await server.stop()
