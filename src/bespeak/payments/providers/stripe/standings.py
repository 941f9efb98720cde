"""How a payment stands, read from Stripe's objects. One table maps Stripe's states to ours, for
replies, look-ups and lists alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from bespeak.payments.providers.provider import RefundStanding, RefundState, Standing, StandingState
from bespeak.payments.providers.stripe.amounts import money_of_stripe
from bespeak.payments.providers.stripe.metadata import ordered_of
from bespeak.payments.providers.stripe.objects import REFUND_ID, Intent, StripeRefund
from bespeak.payments.providers.stripe.return_urls import with_action

# https://docs.stripe.com/payments/paymentintents/lifecycle. What is not here is not known yet.
_STATES = {
    # Every intent is confirmed as it is made: that a means of payment is missing says that the one
    # there was did not pay. Only we could try another with it, and do not.
    "requires_payment_method": StandingState.FAILED,
    "requires_action": StandingState.CHALLENGE,
    "requires_capture": StandingState.AUTHORIZED,
    "succeeded": StandingState.CAPTURED,
    "canceled": StandingState.VOIDED,
}

# https://docs.stripe.com/api/refunds/object: `pending` and `requires_action` are on their way.
_REFUND_STATES = {
    "succeeded": RefundState.REFUNDED,
    "failed": RefundState.FAILED,
    "canceled": RefundState.FAILED,
}


def standing_of(
    intent: Intent,
    payment_id: str,
    refunds: Iterable[StripeRefund] = (),
    return_url: str | None = None,
) -> Standing:
    """The standing that the intent and all its refunds, newest first, add up to. Refunds made in
    Stripe's dashboard count in `refunded`, and have no id of ours to be listed by. Where only
    Stripe's script can ask the buyer, that is to be done at the `return_url`."""
    refunds = list(refunds)
    state = _STATES.get(intent.status, StandingState.PENDING)
    if state is StandingState.CAPTURED and intent.amount_received == 0:
        state = StandingState.PENDING  # it cannot be both: what was received is not told yet
    given_back = sum(r.amount for r in refunds if refund_state(r) is RefundState.REFUNDED)
    return Standing(
        payment_id=payment_id,
        reference=intent.id,
        state=state,
        amount=money_of_stripe(intent.amount, intent.currency),
        captured=money_of_stripe(intent.amount_received, intent.currency).amount,
        refunded=money_of_stripe(given_back, intent.currency).amount,
        refunds=_ours(intent, refunds),
        action_url=(
            _action_url(intent, payment_id, return_url)
            if state is StandingState.CHALLENGE
            else None
        ),
        failure=_failure(intent, state),
        created_at=datetime.fromtimestamp(intent.created, UTC),
        ordered=ordered_of(intent.metadata or {}),
    )


def _action_url(intent: Intent, payment_id: str, return_url: str | None) -> str | None:
    if not intent.needs_script:
        return intent.action_url
    if return_url is None or intent.client_secret is None:
        return None
    return with_action(return_url, payment_id, intent.client_secret)


def refund_state(refund: StripeRefund) -> RefundState:
    """How one refund stands."""
    return _REFUND_STATES.get(refund.status or "", RefundState.PENDING)


def refund_id_of(refund: StripeRefund) -> str | None:
    """Our id of the refund; None where another system made it."""
    return (refund.metadata or {}).get(REFUND_ID)


def _ours(intent: Intent, refunds: list[StripeRefund]) -> tuple[RefundStanding, ...]:
    """Each of our refunds once. One that failed and was made anew is as its successor."""
    found: dict[str, RefundStanding] = {}
    for refund in reversed(refunds):
        refund_id = refund_id_of(refund)
        if refund_id is None:
            continue
        earlier = found.get(refund_id)
        if earlier is not None and earlier.state is not RefundState.FAILED:
            continue
        state = refund_state(refund)
        found[refund_id] = RefundStanding(
            refund_id=refund_id,
            state=state,
            amount=money_of_stripe(refund.amount, intent.currency).amount,
            failure=_refund_failure(refund) if state is RefundState.FAILED else None,
        )
    return tuple(found.values())


def _refund_failure(refund: StripeRefund) -> str:
    return refund.failure_reason or refund.status or "failed"


def _failure(intent: Intent, state: StandingState) -> str | None:
    if state is StandingState.VOIDED:
        # Told where Stripe gave it up by itself, as after days without a capture.
        return intent.cancellation_reason
    if state is not StandingState.FAILED:
        return None
    error = intent.last_payment_error
    return (error.decline_code or error.code if error else None) or "payment_failed"
