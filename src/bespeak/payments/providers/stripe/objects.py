"""What is read of Stripe's objects: the few fields that tell how a payment stands. Stripe adds
fields all the time, so that unknown ones are passed over; a missing one makes an answer none.
"""

from __future__ import annotations

from typing import Final

import msgspec

PAYMENT_ID: Final = "bespeak_payment_id"
REFUND_ID: Final = "bespeak_refund_id"


class PaymentError(msgspec.Struct, frozen=True):
    """Why the last try to pay failed."""

    code: str | None = None
    decline_code: str | None = None


class StripeRefund(msgspec.Struct, frozen=True):
    """https://docs.stripe.com/api/refunds/object"""

    id: str
    amount: int
    status: str | None = None
    failure_reason: str | None = None
    metadata: dict[str, str] | None = None


class RefundPage(msgspec.Struct, frozen=True):
    """A page of refunds, newest first."""

    data: list[StripeRefund]
    has_more: bool = False


class StripeCharge(msgspec.Struct, frozen=True):
    """https://docs.stripe.com/api/charges/object, with its refunds expanded."""

    id: str
    refunds: RefundPage | None = None


class Intent(msgspec.Struct, frozen=True):
    """A PaymentIntent: https://docs.stripe.com/api/payment_intents/object"""

    id: str
    status: str
    amount: int
    currency: str
    created: int
    amount_received: int
    metadata: dict[str, str] | None = None
    client_secret: str | None = None
    next_action: dict[str, object] | None = None
    last_payment_error: PaymentError | None = None
    cancellation_reason: str | None = None
    latest_charge: StripeCharge | str | None = None

    @property
    def payment_id(self) -> str | None:
        """Our id of the payment; None where another system made this."""
        return (self.metadata or {}).get(PAYMENT_ID)

    @property
    def action_url(self) -> str | None:
        """Where the buyer is to act. Each kind of action is an object under its own name, and has
        a page or, where only Stripe's script can show it, none."""
        action = self.next_action or {}
        told = action.get(str(action.get("type")))
        if not isinstance(told, dict) or self.needs_script:
            return None
        urls = (told.get("url"), told.get("hosted_instructions_url"))
        return next((url for url in urls if isinstance(url, str)), None)

    @property
    def needs_script(self) -> bool:
        """Whether Stripe's script is to ask the buyer, in a page of the shop's."""
        return (self.next_action or {}).get("type") == "use_stripe_sdk"


class IntentPage(msgspec.Struct, frozen=True):
    """A page of PaymentIntents, newest first."""

    data: list[Intent]
    has_more: bool = False


class ErrorBody(msgspec.Struct, frozen=True):
    """https://docs.stripe.com/api/errors. A declined payment comes with its intent."""

    code: str | None = None
    decline_code: str | None = None
    param: str | None = None
    payment_intent: Intent | None = None


class ErrorAnswer(msgspec.Struct, frozen=True):
    """The whole answer that an error is."""

    error: ErrorBody = ErrorBody()
