"""How Stripe's objects are read: every state of an intent and of a refund, and amounts of
currencies that Stripe counts in its own way."""

import json
from datetime import UTC, datetime
from typing import Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak.money import Money
from bespeak.payments.providers.provider import ProviderRefused, RefundState, StandingState
from bespeak.payments.providers.stripe import amounts
from bespeak.payments.providers.stripe.amounts import amount_for_stripe, money_of_stripe
from bespeak.payments.providers.stripe.objects import Intent, StripeRefund
from bespeak.payments.providers.stripe.standings import standing_of
from tests.docs.pages import ROOT

# The shop's pages read it too: what their form shows is what is charged.
AMOUNTS: Final[list[dict[str, object]]] = json.loads(
    (ROOT / "web/src/shop/checkout/stripe/amounts.json").read_text()
)
PAYMENT = "pay_01h2xcejqtf2nbrexx3vqjhp41"


def intent(**fields: object) -> Intent:
    whole = {
        "id": "pi_1",
        "object": "payment_intent",
        "status": "requires_capture",
        "amount": 2500,
        "amount_received": 0,
        "currency": "eur",
        "created": 1_893_499_200,
        "latest_charge": "ch_1",
        **fields,
    }
    return msgspec.convert(whole, Intent)


def refund(reference: str, status: str | None, amount: int, **metadata: str) -> StripeRefund:
    reason = "lost_or_stolen_card" if status == "failed" else None
    return StripeRefund(reference, amount, status, reason, metadata)


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("requires_payment_method", StandingState.FAILED),
        ("requires_confirmation", StandingState.PENDING),
        ("requires_action", StandingState.CHALLENGE),
        ("processing", StandingState.PENDING),
        ("requires_capture", StandingState.AUTHORIZED),
        ("succeeded", StandingState.CAPTURED),
        ("canceled", StandingState.VOIDED),
        ("a_state_of_the_future", StandingState.PENDING),
    ],
)
def test_states_of_an_intent(status: str, state: StandingState) -> None:
    received = 2500 if status == "succeeded" else 0
    standing = standing_of(intent(status=status, amount_received=received), PAYMENT)
    assert (standing.state, standing.payment_id, standing.reference) == (state, PAYMENT, "pi_1")
    assert standing.amount == Money(2500, "EUR")
    assert standing.created_at == datetime(2030, 1, 1, 12, 0, tzinfo=UTC)
    assert (standing.failure is not None) == (state is StandingState.FAILED)


def test_what_was_received_counts_and_nothing_received_is_no_capture() -> None:
    standing = standing_of(intent(status="succeeded", amount_received=700), PAYMENT)
    assert (standing.state, standing.received) == (StandingState.CAPTURED, Money(700, "EUR"))
    assert standing.amount == Money(2500, "EUR")
    unclear = standing_of(intent(status="succeeded", amount_received=0), PAYMENT)
    assert unclear.state is StandingState.PENDING
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"id": "pi_1", "status": "succeeded", "amount": 1, "created": 1,
            "currency": "eur"}, Intent)  # fmt: skip


def test_a_challenge_tells_where_to_go() -> None:
    url = "https://hooks.stripe.com/redirect/1"
    action = {"type": "redirect_to_url", "redirect_to_url": {"url": url, "return_url": "x"}}
    hosted = {"type": "a_way_to_pay", "a_way_to_pay": {"hosted_instructions_url": url}}
    for told in (action, hosted):
        asked = intent(status="requires_action", next_action=told)
        assert standing_of(asked, PAYMENT).action_url == url
    # What only Stripe's own script could show has no address; nor has what is over.
    for other in ({"type": "use_stripe_sdk", "use_stripe_sdk": {}}, {"type": "x", "x": 1}, None):
        standing = standing_of(intent(status="requires_action", next_action=other), PAYMENT)
        assert (standing.state, standing.action_url) == (StandingState.CHALLENGE, None)
    assert standing_of(intent(status="succeeded", next_action=action), PAYMENT).action_url is None


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        ({"code": "card_declined", "decline_code": "do_not_honor"}, "do_not_honor"),
        ({"code": "expired_card"}, "expired_card"),
        ({}, "payment_failed"),
        (None, "payment_failed"),
    ],
)
def test_a_failure_has_the_most_telling_word(error: object, failure: str) -> None:
    failed = intent(status="requires_payment_method", last_payment_error=error)
    assert standing_of(failed, PAYMENT).failure == failure
    # A try that failed before one that went well says nothing any more.
    assert standing_of(intent(last_payment_error=error), PAYMENT).failure is None


@pytest.mark.parametrize(
    ("status", "state", "given_back"),
    [
        ("succeeded", RefundState.REFUNDED, 700),
        ("pending", RefundState.PENDING, 0),
        ("requires_action", RefundState.PENDING, 0),
        (None, RefundState.PENDING, 0),
        ("failed", RefundState.FAILED, 0),
        ("canceled", RefundState.FAILED, 0),
    ],
)
def test_states_of_a_refund(status: str | None, state: RefundState, given_back: int) -> None:
    made = refund("re_1", status, 700, bespeak_refund_id="ref_1")
    standing = standing_of(intent(status="succeeded", amount_received=2500), PAYMENT, [made])
    assert (standing.captured, standing.refunded) == (2500, given_back)
    (told,) = standing.refunds
    assert (told.refund_id, told.state, told.amount) == ("ref_1", state, 700)
    assert (told.failure is not None) == (state is RefundState.FAILED)


@pytest.mark.parametrize(
    ("statuses", "state"),
    [
        # Newest first.
        (["succeeded", "failed"], RefundState.REFUNDED),
        (["pending", "failed", "failed"], RefundState.PENDING),
        (["failed", "canceled"], RefundState.FAILED),
        (["failed", "succeeded"], RefundState.REFUNDED),
    ],
)
def test_a_refund_that_was_made_anew_is_told_once(statuses: list[str], state: RefundState) -> None:
    made = [
        refund(f"re_{number}", status, 700, bespeak_refund_id="ref_1")
        for number, status in enumerate(statuses)
    ]
    standing = standing_of(intent(status="succeeded"), PAYMENT, made)
    assert [one.state for one in standing.refunds] == [state]


@pytest.mark.parametrize("row", AMOUNTS, ids=lambda row: f"{row['amount']}-{row['currency']}")
def test_amounts_as_stripe_counts_them(row: dict[str, object]) -> None:
    money, number = Money(int(str(row["amount"])), str(row["currency"])), row["stripe"]
    if number is None:
        with pytest.raises(ProviderRefused) as refusal:
            amount_for_stripe(money)
        assert refusal.value.data == {"failure": "amount_not_in_steps"}
        return
    assert amount_for_stripe(money) == number
    assert money_of_stripe(int(str(number)), money.currency.lower()) == money


def test_the_table_has_every_currency_that_stripe_counts_otherwise() -> None:
    otherwise = amounts._HUNDREDFOLD | amounts._HUNDREDTH | amounts._TENS
    assert otherwise <= {row["currency"] for row in AMOUNTS}


@given(
    st.integers(min_value=1, max_value=10**10),
    st.sampled_from(["EUR", "JPY", "ISK", "UGX", "MGA", "KWD", "USD"]),
)
def test_an_amount_comes_back_as_it_went(amount: int, currency: str) -> None:
    money = Money(amount, currency)
    try:
        number = amount_for_stripe(money)
    except ProviderRefused:
        assert currency in {"MGA", "KWD"}
        return
    assert money_of_stripe(number, currency.lower()) == money
