"""Webhooks of Stripe, signed as Stripe signs them: what is read, what is forged, and what is about
somebody else."""

import json
from datetime import UTC, datetime, timedelta

import pytest
import stripe

from bespeak.money import Money
from bespeak.payments.providers.provider import Callback, CallbackInvalid, CallbackUnreadable
from bespeak.payments.providers.stripe.callbacks import read_event
from tests.conformance.provider_doors import new_payment_id
from tests.conformance.stripe_door import WEBHOOK_SECRET, event, signature

NOW = datetime(2030, 1, 1, 12, 0, tzinfo=UTC)
PAYMENT = new_payment_id()


def intent(**fields: object) -> dict[str, object]:
    told = {"bespeak_payment_id": PAYMENT, "bespeak_hold_id": "hold_x"}
    return {
        "id": "pi_1",
        "object": "payment_intent",
        "amount": 2500,
        "currency": "eur",
        "metadata": told,
        "status": "requires_capture",
        **fields,
    }


def read(body: bytes, header: str | None = None, now: datetime = NOW) -> Callback:
    signed = signature(WEBHOOK_SECRET, body, NOW) if header is None else header
    return read_event({"stripe-signature": signed}, body, WEBHOOK_SECRET, now)


def test_the_library_signs_alike() -> None:
    body = event("payment_intent.succeeded", intent())
    moment = int(NOW.timestamp())
    theirs = stripe.WebhookSignature.generate_signature_header(
        body.decode(), WEBHOOK_SECRET, moment
    )
    assert signature(WEBHOOK_SECRET, body, NOW).startswith(theirs)
    assert read(body, theirs).payment_id == PAYMENT


@pytest.mark.parametrize(
    "kind",
    [
        "payment_intent.amount_capturable_updated",
        "payment_intent.canceled",
        "payment_intent.created",
        "payment_intent.payment_failed",
        "payment_intent.processing",
        "payment_intent.requires_action",
        "payment_intent.succeeded",
    ],
)
def test_events_of_a_payment(kind: str) -> None:
    told = read(event(kind, intent(), "evt_7"))
    assert told == Callback(
        callback_id="evt_7",
        kind=kind,
        payment_id=PAYMENT,
        reference="pi_1",
        amount=Money(2500, "EUR"),
    )


@pytest.mark.parametrize(
    ("currency", "amount", "money"),
    [
        ("jpy", 500, Money(500, "JPY")),
        ("isk", 50_000, Money(500, "ISK")),
        ("kwd", 12_340, Money(12_340, "KWD")),
    ],
)
def test_amounts_are_ours(currency: str, amount: int, money: Money) -> None:
    told = read(event("payment_intent.succeeded", intent(amount=amount, currency=currency)))
    assert told.amount == money


def test_events_of_charges_and_refunds() -> None:
    charge = intent(id="ch_1", object="charge", payment_intent="pi_1")
    of_charge = read(event("charge.refunded", charge))
    assert (of_charge.amount, of_charge.reference) == (Money(2500, "EUR"), "pi_1")
    for expanded in (None, {"id": "pi_1"}):
        whole = intent(id="ch_1", object="charge", payment_intent=expanded)
        assert read(event("charge.refunded", whole)).reference is None
    refund = intent(
        id="re_1",
        object="refund",
        amount=700,
        metadata={"bespeak_payment_id": PAYMENT, "bespeak_refund_id": "ref_x"},
    )
    for kind in ("refund.created", "refund.updated", "refund.failed", "charge.refund.updated"):
        told = read(event(kind, refund))
        # A part of the payment's amount would look like a payment of another amount.
        assert (told.payment_id, told.amount, told.kind) == (PAYMENT, None, kind)


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("payment_intent.succeeded", intent(metadata={})),
        ("payment_intent.succeeded", intent(metadata={"order": "7"})),
        ("payment_intent.succeeded", intent(metadata=None)),
        ("payment_intent.succeeded", intent(metadata={"bespeak_payment_id": "pay_none"})),
        ("payment_intent.succeeded", intent(metadata={"bespeak_payment_id": ""})),
        ("charge.dispute.created", {"object": "dispute", "metadata": {}, "amount": -1}),
        ("customer.created", intent()),
        ("payout.paid", {"object": "payout", "amount": -2500, "metadata": {"a": "b"}}),
        ("invoice.paid", {"metadata": [1, 2]}),
        ("something.of.the.future", {}),
    ],
)
def test_events_about_something_else(kind: str, told: dict[str, object]) -> None:
    assert read(event(kind, told)) == Callback(callback_id="evt_1", kind=kind)


@pytest.mark.parametrize("seconds", [-300, -299, 0, 299, 300])
def test_within_the_replay_window(seconds: int) -> None:
    body = event("payment_intent.succeeded", intent())
    assert read(body, now=NOW + timedelta(seconds=seconds)).payment_id == PAYMENT


@pytest.mark.parametrize("seconds", [-86_400, -301, 301, 86_400, 10**9])
def test_outside_the_replay_window(seconds: int) -> None:
    body = event("payment_intent.succeeded", intent())
    with pytest.raises(CallbackInvalid):
        read(body, now=NOW + timedelta(seconds=seconds))


def test_while_the_secret_is_rolled_either_signature_does() -> None:
    body = event("payment_intent.succeeded", intent())
    moment, ours, _ = signature(WEBHOOK_SECRET, body, NOW).split(",")
    _, others, _ = signature("whsec_the_next", body, NOW).split(",")
    for signatures in ((ours, others), (others, ours)):
        assert read(body, ",".join((moment, *signatures))).payment_id == PAYMENT
    with pytest.raises(CallbackInvalid):
        read(body, ",".join((moment, others)))


def test_the_signature_is_of_the_raw_body() -> None:
    body = event("payment_intent.succeeded", intent())
    same = json.dumps(json.loads(body)).encode()
    assert json.loads(same) == json.loads(body)
    with pytest.raises(CallbackInvalid):
        read(same, signature(WEBHOOK_SECRET, body, NOW))


def test_only_the_current_scheme_counts() -> None:
    body = event("payment_intent.succeeded", intent())
    moment, ours, _ = signature(WEBHOOK_SECRET, body, NOW).split(",")
    with pytest.raises(CallbackInvalid):
        read(body, f"{moment},{ours.replace('v1=', 'v0=')}")


def test_a_second_time_does_not_move_the_window() -> None:
    body = event("payment_intent.succeeded", intent())
    old = signature(WEBHOOK_SECRET, body, NOW - timedelta(days=1))
    fresh = f"t={int(NOW.timestamp())}"
    # The library takes the first time that it sees, and its number up to another `=`.
    hidden = old.replace(",v1=", f"=,{fresh},v1=")
    for header in (f"{old},{fresh}", f"{fresh},{old}", hidden):
        with pytest.raises(CallbackInvalid):
            read(body, header)


def test_no_header_is_no_signature() -> None:
    with pytest.raises(CallbackInvalid):
        read_event({}, event("payment_intent.succeeded", intent()), WEBHOOK_SECRET, NOW)


def test_an_event_without_end() -> None:
    for deep in (b"[" * 100_000, b'{"object":' * 100_000):
        body = b'{"id": "evt_1", "type": "payment_intent.succeeded", "data": ' + deep
        with pytest.raises(CallbackUnreadable):
            read(body)


def test_an_event_of_ours_that_makes_no_sense_is_told() -> None:
    for fields in ({"amount": None}, {"amount": "2500"}, {"currency": "EUR"}, {"currency": None}):
        with pytest.raises(CallbackUnreadable):
            read(event("payment_intent.succeeded", intent(**fields)))
