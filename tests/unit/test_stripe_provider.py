"""The Stripe provider where things go wrong: answers that are lost, keys that replay old news, a
day that goes by, refunds that fail, and nothing secret in any log."""

import asyncio
import logging
import random
import secrets
import sys
import traceback
from collections import Counter
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import msgspec
import pytest
import structlog

from bespeak import Settings
from bespeak.errors import InvalidSetting
from bespeak.money import Money
from bespeak.payments.providers.provider import (
    Charge,
    PaymentForm,
    ProviderRefused,
    ProviderUnavailable,
    RefundState,
    Standing,
    StandingState,
)
from bespeak.payments.providers.stripe import from_settings
from bespeak.payments.providers.stripe.failures import ProviderKeyRefused
from bespeak.payments.providers.stripe.provider import Stripe
from tests.conformance.provider_doors import (
    charge_of,
    new_order,
    new_refund_id,
    old_payment_id,
)
from tests.conformance.stripe_door import WEBHOOK_SECRET, StripeDoor, open_stripe_door
from tests.services.stripe_server import SECRET_KEY

EVER = (datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC))


@pytest.fixture
async def door() -> AsyncIterator[StripeDoor]:
    async with open_stripe_door() as door:
        yield door


async def paid(door: StripeDoor, card: str = "pm_card_visa") -> Charge:
    standing = await door.stripe.authorize(new_order(card))
    return charge_of(await door.stripe.capture(charge_of(standing)))


async def seen(door: StripeDoor, charge: Charge) -> Standing:
    found = await door.stripe.lookup(charge)
    assert found is not None
    return found


async def test_what_is_sent(door: StripeDoor) -> None:
    order = new_order("pm_card_visa", 2500, "EUR")
    await door.stripe.authorize(order)
    ((method, path, form),) = door.server.requests
    assert (method, path) == ("POST", "/v1/payment_intents")
    assert form == {
        "amount": "2500",
        "currency": "eur",
        "capture_method": "manual",
        "confirm": "true",
        "payment_method": "pm_card_visa",
        "automatic_payment_methods": {"enabled": "true"},
        "return_url": f"{order.return_url}&payment_id={order.payment_id}",
        "description": order.description,
        "metadata": {
            "bespeak_payment_id": order.payment_id,
            "bespeak_hold_id": order.hold_id,
            "bespeak_owner": order.owner,
            "bespeak_lines_0": "[]",
        },
        "expand": ["latest_charge.refunds"],
    }
    door.server.tokens["ctoken_1"] = "pm_card_visa"
    await door.stripe.authorize(new_order("ctoken_1", description="x" * 2000))
    form = door.server.requests[-1][2]
    assert form["confirmation_token"] == "ctoken_1" and "payment_method" not in form
    assert form["use_stripe_sdk"] == "false"
    assert len(form["description"]) == 1000


async def test_a_challenge_of_stripes_form_has_a_page(door: StripeDoor) -> None:
    """A confirmation token would leave it to Stripe's script, if it were not told otherwise."""
    door.server.tokens["ctoken_1"] = "pm_card_authenticationRequired"
    standing = await door.stripe.authorize(new_order("ctoken_1"))
    assert standing.state is StandingState.CHALLENGE
    assert standing.action_url == f"https://hooks.stripe.example/redirect/{standing.reference}"


@pytest.mark.parametrize(
    ("return_url", "joint"),
    [("https://shop.example/after?cart=7", "&"), ("https://shop.example/after#cart", "?")],
)
async def test_a_challenge_that_only_stripes_script_shows_leads_to_the_shop(
    door: StripeDoor, return_url: str, joint: str
) -> None:
    door.server.wants_script = True
    order = new_order(door.challenge, return_url=return_url)
    standing = await door.stripe.authorize(order)
    assert standing.state is StandingState.CHALLENGE and standing.reference is not None
    secret = door.server.intents[standing.reference]["client_secret"]
    page = return_url.partition("#")[0]
    there = f"{page}{joint}payment_id={order.payment_id}#stripe_action={secret}"
    assert standing.action_url == there
    # Where the order comes again, and where its payment is looked up.
    assert (await door.stripe.authorize(order)).action_url == there
    charge = msgspec.structs.replace(charge_of(standing), return_url=return_url)
    assert (await seen(door, charge)).action_url == there
    # Without an address there is no page to ask in.
    found = await seen(door, charge_of(standing))
    assert (found.state, found.action_url) == (StandingState.CHALLENGE, None)
    door.server.decide(standing.reference, approve=True)
    assert (await seen(door, charge)).action_url is None


async def test_a_token_of_another_account_is_a_decline(door: StripeDoor) -> None:
    """The key for browsers is of another account than the secret one. The buyer is told that it was
    declined, and the operator, who hears of it by nothing else, what may be wrong."""
    order = new_order("ctoken_of_another")
    with structlog.testing.capture_logs() as logged:
        standing = await door.stripe.authorize(order)
        await door.stripe.authorize(new_order("pm_of_another"))
    assert (standing.state, standing.failure) == (StandingState.FAILED, "resource_missing")
    assert standing.reference is None and door.server.intents == {}
    (entry,) = logged
    assert (entry["log_level"], entry["provider"]) == ("warning", "stripe")
    assert "publishable key" in entry["event"] and entry["payment"] == order.payment_id
    assert order.token not in repr(entry)


@pytest.mark.parametrize(("amount", "sent"), [(("JPY", 500), "500"), (("ISK", 500), "50000")])
async def test_amounts_are_sent_as_stripe_counts(
    door: StripeDoor, amount: tuple[str, int], sent: str
) -> None:
    currency, number = amount
    standing = await door.stripe.authorize(new_order("pm_card_visa", number, currency))
    assert standing.amount == Money(number, currency)
    assert door.server.requests[0][2]["amount"] == sent
    charge = charge_of(await door.stripe.capture(charge_of(standing)))
    given_back = await door.stripe.refund(charge, new_refund_id(), 1)
    assert (given_back.captured, given_back.refunded) == (number, 1)
    assert given_back.refunds[0].amount == 1


@pytest.mark.parametrize("fault", ["lost", "broken"])
async def test_an_answer_that_is_lost(door: StripeDoor, fault: str) -> None:
    order = new_order("pm_card_visa")
    door.server.faults += [fault] * 2
    with pytest.raises(ProviderUnavailable):
        await door.stripe.authorize(order)
    # Stripe did it, once; whoever looks by our id finds it, and so does whoever asks again.
    (reference,) = door.server.intents
    door.server.faults.clear()
    found = await seen(door, Charge(payment_id=order.payment_id, amount=order.amount))
    assert (found.state, found.reference) == (StandingState.AUTHORIZED, reference)
    assert await door.stripe.authorize(order) == found
    assert len(door.server.intents) == 1


@pytest.mark.parametrize("fault", ["lost", "broken"])
async def test_lost_answers_of_the_other_verbs(door: StripeDoor, fault: str) -> None:
    charge = charge_of(await door.stripe.authorize(new_order("pm_card_visa")))
    other = charge_of(await door.stripe.authorize(new_order("pm_card_visa")))
    refund_id = new_refund_id()
    faults = door.server.faults
    faults += [fault] * 2
    with pytest.raises(ProviderUnavailable):
        await door.stripe.capture(charge)
    faults.clear()
    assert (await door.stripe.capture(charge)).state is StandingState.CAPTURED
    faults += [fault] * 2
    with pytest.raises(ProviderUnavailable):
        await door.stripe.void(other)
    faults.clear()
    assert (await door.stripe.void(other)).state is StandingState.VOIDED
    # The first answer of a refund is a look, the second is the refund.
    faults += ["fine", *[fault] * 2]
    with pytest.raises(ProviderUnavailable):
        await door.stripe.refund(charge, refund_id, 700)
    faults.clear()
    assert len(door.server.refunds) == 1
    assert (await door.stripe.refund(charge, refund_id, 700)).refunded == 700
    assert len(door.server.refunds) == 1


@pytest.mark.parametrize("status", [500, 503, 429, 409])
async def test_no_clear_answer_is_none(door: StripeDoor, status: int) -> None:
    charge = await paid(door)
    for asked in (
        door.stripe.authorize(new_order("pm_card_visa")),
        door.stripe.lookup(charge),
        door.stripe.refund(charge, new_refund_id(), 1),
    ):
        door.server.faults += [status] * 2
        with pytest.raises(ProviderUnavailable) as told:
            await asked
        assert type(told.value) is ProviderUnavailable
        door.server.faults.clear()
    assert (await seen(door, charge)).refunded == 0


async def test_a_server_that_takes_too_long(door: StripeDoor) -> None:
    hasty = Stripe(SECRET_KEY, WEBHOOK_SECRET, api_base=door.server.url, timeout_seconds=0.1)
    door.server.lag = 3600
    try:
        with pytest.raises(ProviderUnavailable):
            await hasty.authorize(new_order("pm_card_visa"))
    finally:
        await hasty.close()


async def test_one_order_twice_at_once(door: StripeDoor) -> None:
    """The second comes while Stripe is at the first: it is told so, and asks once more."""
    door.server.lag = 0.05
    order = new_order("pm_card_visa")
    both = await asyncio.gather(*(door.stripe.authorize(order) for _ in range(2)))
    assert both[0] == both[1]
    assert len(door.server.intents) == 1


async def test_old_news_is_looked_up_again(door: StripeDoor) -> None:
    order = new_order("pm_card_authenticationRequired")
    standing = await door.stripe.authorize(order)
    assert standing.action_url and standing.reference
    door.server.decide(standing.reference, approve=True)
    again = await door.stripe.authorize(order)
    assert (again.state, again.action_url) == (StandingState.AUTHORIZED, None)
    declined = new_order("pm_card_chargeDeclined")
    failed = await door.stripe.authorize(declined)
    assert (await door.stripe.void(charge_of(failed))).state is StandingState.VOIDED
    assert (await door.stripe.authorize(declined)).state is StandingState.VOIDED


async def test_nothing_is_made_anew_after_a_day(door: StripeDoor) -> None:
    order = new_order("pm_card_visa", payment_id=old_payment_id(21))
    standing = await door.stripe.authorize(order)
    charge = charge_of(await door.stripe.capture(charge_of(standing)))
    refund_id = new_refund_id()
    await door.stripe.refund(charge, refund_id, 1000)
    door.server.forget_keys()
    assert (await door.stripe.authorize(order)).reference == standing.reference
    again = await door.stripe.refund(charge, refund_id, 1000)
    assert (again.captured, again.refunded) == (2500, 1000)
    assert (len(door.server.intents), len(door.server.refunds)) == (1, 1)


async def test_a_slow_means_of_payment(door: StripeDoor) -> None:
    for approve, state in ((True, StandingState.AUTHORIZED), (False, StandingState.FAILED)):
        standing = await door.stripe.authorize(new_order("pm_card_processing"))
        assert (standing.state, standing.action_url) == (StandingState.PENDING, None)
        with pytest.raises(ProviderRefused):
            await door.stripe.void(charge_of(standing))
        assert standing.reference
        door.server.process(standing.reference, approve=approve)
        assert (await seen(door, charge_of(standing))).state is state


@pytest.mark.parametrize(
    ("token", "failure"),
    [
        ("pm_card_chargeDeclined", "generic_decline"),
        ("pm_card_chargeDeclinedInsufficientFunds", "insufficient_funds"),
        ("pm_card_chargeDeclinedExpiredCard", "expired_card"),
    ],
)
async def test_a_decline_says_why(door: StripeDoor, token: str, failure: str) -> None:
    standing = await door.stripe.authorize(new_order(token))
    assert (standing.state, standing.failure) == (StandingState.FAILED, failure)


@pytest.mark.parametrize("token", ["pm_of_nobody", "tok_success", "", "💳", "x" * 5000])
async def test_a_token_that_is_none(door: StripeDoor, token: str) -> None:
    order = new_order(token, payment_id=old_payment_id(0.1))
    standing = await door.stripe.authorize(order)
    assert (standing.state, standing.failure) == (StandingState.FAILED, "resource_missing")
    assert standing.reference is None
    assert await door.stripe.lookup(charge_of(standing)) is None
    assert door.server.intents == {}


@pytest.mark.parametrize(
    ("amount", "currency", "failure"),
    [
        (49, "EUR", "amount_too_small"),
        (10**12, "EUR", "amount_too_large"),
        (12_345, "KWD", "amount_not_in_steps"),
        (150, "MGA", "amount_not_in_steps"),
    ],
)
async def test_an_amount_that_stripe_has_not(
    door: StripeDoor, amount: int, currency: str, failure: str
) -> None:
    with pytest.raises(ProviderRefused) as refusal:
        await door.stripe.authorize(new_order("pm_card_visa", amount, currency))
    assert refusal.value.data == {"failure": failure}
    assert door.server.intents == {}


async def test_the_same_id_for_another_order(door: StripeDoor) -> None:
    order = new_order("pm_card_visa")
    await door.stripe.authorize(order)
    with pytest.raises(ProviderRefused) as refusal:
        await door.stripe.authorize(new_order("pm_card_visa", 99, payment_id=order.payment_id))
    assert refusal.value.data == {"failure": "idempotency_key_reused"}


async def test_without_a_way_back_a_challenge_declines(door: StripeDoor) -> None:
    order = new_order("pm_card_authenticationRequired", return_url=None)
    standing = await door.stripe.authorize(order)
    assert (standing.state, standing.failure) == (StandingState.FAILED, "authentication_required")
    good = await door.stripe.authorize(new_order("pm_card_visa", return_url=None))
    assert good.state is StandingState.AUTHORIZED


async def test_stripe_gives_a_reservation_up(door: StripeDoor) -> None:
    standing = await door.stripe.authorize(new_order("pm_card_visa"))
    assert standing.reference
    door.server.give_up(standing.reference)
    with pytest.raises(ProviderRefused) as refusal:
        await door.stripe.capture(charge_of(standing))
    assert refusal.value.data == {"failure": "payment_intent_unexpected_state"}
    found = await seen(door, charge_of(standing))
    assert (found.state, found.failure) == (StandingState.VOIDED, "automatic")


async def test_a_refund_that_fails_is_made_anew_once(door: StripeDoor) -> None:
    charge = await paid(door, "pm_card_refundFail")
    refund_id = new_refund_id()
    for failures in range(1, 3):
        standing = await door.stripe.refund(charge, refund_id, 1000)
        assert [refund.state for refund in standing.refunds] == [RefundState.REFUNDED]
        door.server.end_refund(list(door.server.refunds)[-1], "failed")
        failed = await seen(door, charge)
        assert (failed.refunded, len(failed.refunds)) == (0, 1)
        assert failed.refunds[0].state is RefundState.FAILED
        assert failed.refunds[0].failure == "expired_or_canceled_card"
        assert len(door.server.refunds) == failures
    for _ in range(2):
        standing = await door.stripe.refund(charge, refund_id, 1000)
        assert (standing.refunded, len(standing.refunds)) == (1000, 1)
        assert standing.refunds[0].state is RefundState.REFUNDED
    assert len(door.server.refunds) == 3


async def test_a_refund_that_takes_its_time(door: StripeDoor) -> None:
    charge = await paid(door, "pm_card_pendingRefund")
    refund_id = new_refund_id()
    for _ in range(2):
        standing = await door.stripe.refund(charge, refund_id, 1000)
        assert (standing.refunded, standing.refunds[0].state) == (0, RefundState.PENDING)
    (reference,) = door.server.refunds
    door.server.end_refund(reference, "succeeded")
    assert (await seen(door, charge)).refunded == 1000


async def test_an_empty_balance_fills_up(door: StripeDoor) -> None:
    """Stripe repeats the no that it gave under a key, for a day; the refund is not to wait."""
    charge = await paid(door)
    refund_id = new_refund_id()
    door.server.balance_is_empty = True
    for _ in range(3):
        with pytest.raises(ProviderUnavailable):
            await door.stripe.refund(charge, refund_id, 1000)
    door.server.balance_is_empty = False
    both = await asyncio.gather(*(door.stripe.refund(charge, refund_id, 1000) for _ in range(2)))
    assert [standing.refunded for standing in both] == [1000, 1000]
    assert len(door.server.refunds) == 1


async def test_what_is_only_reserved_is_not_given_back(door: StripeDoor) -> None:
    charge = charge_of(await door.stripe.authorize(new_order("pm_card_visa")))
    with pytest.raises(ProviderRefused) as refusal:
        await door.stripe.refund(charge, new_refund_id(), 1)
    assert refusal.value.data == {"failure": "payment_not_captured"}
    assert [path for _, path, _ in door.server.requests if path == "/v1/refunds"] == []


async def test_a_refund_of_another_amount(door: StripeDoor) -> None:
    charge = await paid(door)
    refund_id = new_refund_id()
    await door.stripe.refund(charge, refund_id, 1000)
    with pytest.raises(ProviderRefused) as refusal:
        await door.stripe.refund(charge, refund_id, 900)
    assert refusal.value.data == {"failure": "idempotency_key_reused"}
    assert (await seen(door, charge)).refunded == 1000


async def test_more_refunds_than_come_with_a_payment(door: StripeDoor) -> None:
    charge = await paid(door)
    wanted = {new_refund_id() for _ in range(12)}
    for refund_id in wanted:
        await door.stripe.refund(charge, refund_id, 10)
    found = await seen(door, charge)
    assert found.refunded == 120
    assert {refund.refund_id for refund in found.refunds} == wanted
    (listed,) = [one async for one in door.stripe.charges(*EVER)]
    assert listed == found


async def test_refunds_that_others_made_count(door: StripeDoor) -> None:
    charge = await paid(door)
    await door.stripe.refund(charge, new_refund_id(), 10)
    (refund,) = door.server.refunds.values()
    refund["metadata"] = {}
    found = await seen(door, charge)
    assert (found.refunded, found.refunds) == (10, ())


async def test_pages_of_payments_and_those_of_others(door: StripeDoor) -> None:
    orders = [new_order("pm_card_visa") for _ in range(205)]
    for order in orders:
        await door.stripe.authorize(order)
    for number, intent in enumerate(list(door.server.intents.values())[::50]):
        door.server.intents[f"pi_{number}"] = {
            **intent,
            "id": f"pi_{number}",
            "metadata": {"a": "b"},
        }
    listed = [standing.payment_id async for standing in door.stripe.charges(*EVER)]
    assert sorted(listed) == sorted(order.payment_id for order in orders)
    oldest = Charge(payment_id=orders[0].payment_id, amount=orders[0].amount)
    assert (await seen(door, oldest)).payment_id == orders[0].payment_id


async def test_a_reference_of_another_payment_is_not_trusted(door: StripeDoor) -> None:
    one = await door.stripe.authorize(new_order("pm_card_visa"))
    other = await door.stripe.authorize(new_order("pm_card_visa", 999))
    mixed = Charge(payment_id=one.payment_id, amount=one.amount, reference=other.reference)
    assert await door.stripe.lookup(mixed) == one
    gone = Charge(payment_id=one.payment_id, amount=one.amount, reference="pi_gone")
    assert await door.stripe.lookup(gone) == one
    with pytest.raises(ProviderRefused):
        await door.stripe.capture(gone)


async def test_a_look_up_without_a_reference_never_lists_the_account(door: StripeDoor) -> None:
    for _ in range(3):
        await door.stripe.authorize(new_order("pm_card_visa"))
    order = new_order("pm_card_visa", payment_id=old_payment_id(1))
    made = await door.stripe.authorize(order)
    del door.server.requests[:]
    charge = charge_of(made, by_reference=False)
    assert await door.stripe.lookup(charge) == made
    assert (await door.stripe.capture(charge)).state is StandingState.CAPTURED
    paths = {path.replace(str(made.reference), "PI") for _, path, _ in door.server.requests}
    assert paths == {
        "/v1/payment_intents/search",
        "/v1/payment_intents/PI",
        "/v1/payment_intents/PI/capture",
    }


async def test_what_the_search_may_not_know_yet_is_in_doubt(door: StripeDoor) -> None:
    """Stripe's search is up to a minute behind. That it finds nothing says nothing until then."""
    door.server.search_is_behind = True
    standing = await door.stripe.authorize(new_order("pm_card_visa"))
    with pytest.raises(ProviderUnavailable):
        await door.stripe.lookup(charge_of(standing, by_reference=False))
    old = Charge(payment_id=old_payment_id(0.1), amount=standing.amount)
    assert await door.stripe.lookup(old) is None


async def test_a_thousand_payments_in_doubt_are_asked_about_at_a_pace(door: StripeDoor) -> None:
    """All of them, every second, for a minute: by look-up and by sending the order again."""
    now = [0.0]
    paced = Stripe(SECRET_KEY, WEBHOOK_SECRET, api_base=door.server.url, clock=lambda: now[0])
    orders = [new_order("pm_card_visa", payment_id=old_payment_id(0.5)) for _ in range(1000)]
    try:
        for second in range(60):
            now[0] = second
            asked = [
                paced.lookup(Charge(payment_id=order.payment_id, amount=order.amount))
                if number % 2
                else paced.authorize(order)
                for number, order in enumerate(orders)
            ]
            random.Random(second).shuffle(asked)
            for told in await asyncio.gather(*asked, return_exceptions=True):
                assert told is None or isinstance(told, Standing | ProviderUnavailable)
    finally:
        await paced.close()
    calls = Counter(
        (method, "one" if "/pi_" in path else path) for method, path, _ in door.server.requests
    )
    assert ("GET", "/v1/payment_intents") not in calls, "the account is never listed"
    begun = calls["GET", "/v1/payment_intents/search"] + calls["POST", "/v1/payment_intents"]
    assert 250 < begun <= 5 * 60 + 10
    assert sum(calls.values()) <= 2 * begun, "each with one more look at most"


async def test_a_first_order_waits_for_no_turn(door: StripeDoor) -> None:
    standing = await asyncio.gather(
        *(door.stripe.authorize(new_order("pm_card_visa")) for _ in range(100))
    )
    assert {one.state for one in standing} == {StandingState.AUTHORIZED}


async def test_a_key_that_stripe_does_not_take(door: StripeDoor) -> None:
    key = "sk_test_ofSomebodyElse"
    other = Stripe(key, WEBHOOK_SECRET, api_base=door.server.url)
    try:
        with pytest.raises(ProviderKeyRefused) as told:
            await other.authorize(new_order("pm_card_visa"))
    finally:
        await other.close()
    assert told.value.retryable and "key of this installation" in told.value.detail
    assert "sk_test" not in "".join(traceback.format_exception(told.value))
    assert door.server.intents == {}


async def test_no_log_and_no_error_has_a_secret(
    door: StripeDoor, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    good, unknown = f"pm_{secrets.token_hex(8)}", f"pm_{secrets.token_hex(8)}"
    door.server.methods.add(good)
    await paid(door, good)
    await door.stripe.authorize(new_order(unknown))
    ((_, _, _, status, body),) = (told for told in door.server.answers if told[3] != 200)
    assert status == 400 and unknown in body["error"]["message"]
    told: list[BaseException] = []
    for amount in (1, 10**12):
        with pytest.raises(ProviderRefused) as refusal:
            await door.stripe.authorize(new_order(good, amount))
        told.append(refusal.value)
    door.server.faults += ["broken"] * 2
    with pytest.raises(ProviderUnavailable) as outage:
        await door.stripe.authorize(new_order(good))
    told.append(outage.value)
    written = caplog.text + "".join("".join(traceback.format_exception(one)) for one in told)
    assert "ProviderRefused" in written
    for secret in (SECRET_KEY, WEBHOOK_SECRET, good, unknown):
        assert secret not in written
        assert secret not in repr(door.stripe)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("stripe_secret_key", "pk_test_1"),
        ("stripe_secret_key", ""),
        ("stripe_secret_key", "sk_"),
        ("stripe_secret_key", "sk_test_1\n"),
        ("stripe_secret_key", "whsec_1"),
        ("stripe_webhook_secret", "sk_test_1"),
        ("stripe_webhook_secret", ""),
        ("stripe_webhook_secret", None),
        ("stripe_publishable_key", "sk_test_1"),
        ("stripe_publishable_key", "rk_test_1"),
        ("stripe_publishable_key", "whsec_1"),
        ("stripe_publishable_key", "pk_1"),
        ("stripe_publishable_key", "pk_test_"),
        ("stripe_publishable_key", "pk_test_1\n"),
        ("stripe_publishable_key", "pk_live_1"),
        ("stripe_publishable_key", ""),
        ("stripe_api_base", "http://api.stripe.example"),
        ("stripe_api_base", "api.stripe.example"),
        ("stripe_api_base", "https://"),
        ("stripe_api_base", "https://key@api.stripe.example"),
        ("stripe_api_base", "https://[::1"),
        ("stripe_api_base", "https://api.stripe.example:port"),
    ],
)
def test_a_setting_that_cannot_be(field: str, value: str | None) -> None:
    good = Settings(
        stripe_secret_key="sk_test_1",
        stripe_webhook_secret="whsec_1",
        stripe_publishable_key="pk_test_1",
        stripe_api_base="http://127.0.0.1:12111",
    )
    assert isinstance(from_settings(good), Stripe)
    with pytest.raises(InvalidSetting) as refusal:
        from_settings(msgspec.structs.replace(good, **{field: value}))
    assert refusal.value.data == {"variable": f"BESPEAK_{field.upper()}"}
    assert not value or f"{value!r}" not in refusal.value.detail


def test_the_form_is_that_of_the_publishable_key() -> None:
    keys = Settings(stripe_secret_key="sk_test_1", stripe_webhook_secret="whsec_1")
    without = from_settings(keys)
    made = from_settings(msgspec.structs.replace(keys, stripe_publishable_key="pk_test_1"))
    # A key of long ago does not say its mode.
    old = msgspec.structs.replace(
        keys, stripe_secret_key="sk_1", stripe_publishable_key="pk_live_1"
    )
    assert without is not None and without.form() is None
    assert made is not None
    assert made.form() == PaymentForm(provider="stripe", kind="stripe", publishable_key="pk_test_1")
    assert from_settings(old) is not None


def test_without_a_key_there_is_no_stripe() -> None:
    assert from_settings(Settings()) is None


def test_without_the_library_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bespeak.payments.providers.stripe.provider", None)
    with pytest.raises(InvalidSetting) as refusal:
        from_settings(Settings(stripe_secret_key="sk_test_1", stripe_webhook_secret="whsec_1"))
    assert "bespeak[stripe]" in refusal.value.detail


@pytest.mark.parametrize(
    ("url", "sent"),
    [
        ("https://shop.example", "https://shop.example?payment_id=PAY"),
        ("https://shop.example/a?b=c#d", "https://shop.example/a?b=c&payment_id=PAY#d"),
    ],
)
async def test_the_way_back_knows_the_payment(door: StripeDoor, url: str, sent: str) -> None:
    order = new_order("pm_card_visa", return_url=url)
    await door.stripe.authorize(order)
    assert door.server.requests[0][2]["return_url"] == sent.replace("PAY", order.payment_id)
