"""The settlement with Stripe behind it: whole purchases, with signed callbacks, over real HTTP to a
Stripe of the test's own. What every provider has in common is tested with the sandbox.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import msgspec
import pytest
import structlog

import bespeak
from bespeak.errors import InvalidSetting
from bespeak.payments.callbacks import Received, receive
from bespeak.payments.errors import PaymentDeclined
from bespeak.payments.providers.provider import CallbackInvalid
from bespeak.payments.recovery import Recovery
from bespeak.personal_data.export import OwnerExport
from tests.conformance.stripe_door import WEBHOOK_SECRET, event, signature
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.erasing import traces
from tests.harness.paying import PAID, PRICE, paid_show, take_seats
from tests.harness.refunding import refund_all
from tests.harness.settling import drain, until
from tests.harness.shows import MakeShow
from tests.harness.telling import payment_of
from tests.services.stripe_server import SECRET_KEY, StripeServer

pytestmark = pytest.mark.usefixtures("money_agrees")

SHOP = "https://shop.example/thanks"


@pytest.fixture
async def bank() -> AsyncIterator[StripeServer]:
    made = StripeServer()
    await made.start()
    yield made
    await made.stop()


@pytest.fixture
async def engine(database_url: str, bank: StripeServer) -> AsyncIterator[bespeak.Engine]:
    settings = msgspec.structs.replace(
        PAID,
        payment_providers="stripe",
        stripe_secret_key=SECRET_KEY,
        stripe_webhook_secret=WEBHOOK_SECRET,
        stripe_api_base=bank.url,
    )
    async with bespeak.connect(database_url, settings=settings, sweep=False) as made:
        yield made


def the_intent(bank: StripeServer) -> dict[str, object]:
    (intent,) = bank.intents.values()
    return intent


async def tell(
    engine: bespeak.Engine, kind: str, intent: dict[str, object], secret: str = WEBHOOK_SECRET
) -> Received:
    """Stripe calls back about an intent."""
    body = event(kind, intent, f"evt_{kind}")
    signed = signature(secret, body, datetime.now(UTC))
    return await receive(engine.payments, "stripe", {"stripe-signature": signed}, body)


async def test_a_purchase_and_its_refund(
    engine: bespeak.Engine, bank: StripeServer, make_show: MakeShow
) -> None:
    hold = await take_seats(engine, await paid_show(make_show), "A1", "A2")
    paid = await engine.payments.pay(hold.id, token="pm_card_visa", return_url=SHOP)
    assert paid.booking is not None and paid.payment is not None
    await until(engine, paid.payment.id, "captured")
    intent = the_intent(bank)
    assert (intent["status"], intent["amount_received"]) == ("succeeded", 2 * PRICE)
    assert intent["metadata"] == {
        "bespeak_payment_id": paid.payment.id,
        "bespeak_hold_id": hold.id,
        "bespeak_owner": "asha",
        "bespeak_lines_0": json.dumps(
            [
                {"resource_id": line.resource_id, "unit": line.unit, "quantity": None}
                for line in hold.lines
            ],
            separators=(",", ":"),
        ),
    }
    told = await tell(engine, "payment_intent.succeeded", intent)
    assert told == Received("settled")
    assert await tell(engine, "payment_intent.succeeded", intent) == Received("settled", True)
    await engine.cancel_booking(paid.booking.id, reason="ill")
    await refund_all(engine)
    (refund,) = bank.refunds.values()
    assert refund["amount"] == 2 * PRICE
    (known,) = await engine.refunds.of_booking(paid.booking.id)
    assert (known.state, refund["metadata"]["bespeak_refund_id"]) == ("refunded", known.id)


async def test_a_challenge_that_a_callback_ends(
    engine: bespeak.Engine, bank: StripeServer, make_show: MakeShow
) -> None:
    hold = await take_seats(engine, await paid_show(make_show), "A1")
    paid = await engine.payments.pay(
        hold.id, token="pm_card_authenticationRequired", return_url=SHOP
    )
    assert paid.booking is None and paid.payment is not None
    assert paid.payment.action_url and paid.payment.action_url.startswith("https://hooks.stripe")
    intent = the_intent(bank)
    with pytest.raises(CallbackInvalid):
        await tell(engine, "payment_intent.succeeded", intent, secret="whsec_forged")
    bank.decide(str(intent["id"]), approve=True)
    await tell(engine, "payment_intent.amount_capturable_updated", the_intent(bank))
    await until(engine, paid.payment.id, "captured")
    assert (await engine.payments.payment(paid.payment.id)).booking is not None


async def test_a_challenge_that_stripes_script_shows_leads_to_the_shops_page(
    engine: bespeak.Engine, bank: StripeServer, make_show: MakeShow
) -> None:
    bank.wants_script = True
    bank.tokens["ctoken_1"] = "pm_card_authenticationRequired"
    hold = await take_seats(engine, await paid_show(make_show), "A1")
    paid = await engine.payments.pay(hold.id, token="ctoken_1", return_url=SHOP)
    assert paid.booking is None and paid.payment is not None
    intent = the_intent(bank)
    payment_id, secret = paid.payment.id, intent["client_secret"]
    there = f"{SHOP}?payment_id={payment_id}#stripe_action={secret}"
    assert paid.payment.action_url == there
    # A callback that comes meanwhile is a look-up, which leaves the buyer the same way to go.
    assert await tell(engine, "payment_intent.requires_action", intent) == Received("settled")
    assert (await payment_of(engine, payment_id)).action_url == there
    bank.decide(str(intent["id"]), approve=True)
    await tell(engine, "payment_intent.amount_capturable_updated", the_intent(bank))
    await until(engine, payment_id, "captured")
    assert (await payment_of(engine, payment_id)).action_url is None


@pytest.mark.parametrize("approve", [True, False])
async def test_the_secret_of_a_challenge_is_in_one_place_until_its_end(
    engine: bespeak.Engine, bank: StripeServer, make_show: MakeShow, connection: Connection,
    approve: bool,
) -> None:  # fmt: skip
    """Not in the feed, nor in what becomes of it: webhooks, mails, the log, a person's data."""
    bank.wants_script = True
    hold = await take_seats(engine, await paid_show(make_show), "A1")
    with structlog.testing.capture_logs() as logged:
        token = "pm_card_authenticationRequired"
        paid = await engine.payments.pay(hold.id, token=token, return_url=SHOP)
        assert paid.payment is not None
        intent = the_intent(bank)
        secret = str(intent["client_secret"])
        await tell(engine, "payment_intent.requires_action", intent)
        assert await traces(connection, secret) == {"bespeak.payment.action_url"}
        told = [page async for page in OwnerExport(engine.database).pages("asha", 10)]
        exported = msgspec.json.encode(told).decode()
        assert paid.payment.id in exported and secret not in exported
        bank.decide(str(intent["id"]), approve=approve)
        kind = "amount_capturable_updated" if approve else "payment_failed"
        await tell(engine, f"payment_intent.{kind}", the_intent(bank))
        await until(engine, paid.payment.id, "captured" if approve else "failed")
    assert await traces(connection, secret) == set()
    assert secret not in repr(logged)


async def test_another_card_at_the_browser_after_a_challenge_that_failed_pays_once(
    engine: bespeak.Engine, bank: StripeServer, make_show: MakeShow
) -> None:
    """Who has the client secret may do so, and it is no other payment."""
    bank.wants_script = True
    hold = await take_seats(engine, await paid_show(make_show), "A1")
    paid = await engine.payments.pay(
        hold.id, token="pm_card_authenticationRequired", return_url=SHOP
    )
    assert paid.payment is not None
    reference = str(the_intent(bank)["id"])
    bank.decide(reference, approve=False)
    await tell(engine, "payment_intent.payment_failed", the_intent(bank))
    await until(engine, paid.payment.id, "failed")
    again = await engine.payments.pay(hold.id, token="pm_card_visa", return_url=SHOP)
    assert again.booking is not None and again.payment is not None
    await until(engine, again.payment.id, "captured")
    bank.confirm(reference, "pm_card_visa")
    await tell(engine, "payment_intent.amount_capturable_updated", bank.intents[reference])
    await until(engine, paid.payment.id, "voided")
    states = sorted(str(one["status"]) for one in bank.intents.values())
    assert states == ["canceled", "succeeded"]


async def test_a_challenge_that_nobody_answers(
    engine: bespeak.Engine, bank: StripeServer, make_show: MakeShow, clock: Clock
) -> None:
    hold = await take_seats(engine, await paid_show(make_show), "A1")
    paid = await engine.payments.pay(
        hold.id, token="pm_card_authenticationRequired", return_url=SHOP
    )
    assert paid.payment is not None
    await clock.advance(901)  # the payment window is over
    await drain(engine, clock)
    assert the_intent(bank)["status"] == "canceled"
    assert (await engine.payments.payment(paid.payment.id)).booking is None


async def test_a_decline_leaves_the_hold(engine: bespeak.Engine, make_show: MakeShow) -> None:
    hold = await take_seats(engine, await paid_show(make_show), "A1")
    for token, failure in (
        ("pm_card_chargeDeclinedInsufficientFunds", "insufficient_funds"),
        ("pm_of_somebody_else", "resource_missing"),
        # Its form was opened with the publishable key of another account.
        ("ctoken_of_somebody_else", "resource_missing"),
    ):
        with pytest.raises(PaymentDeclined) as told:
            await engine.payments.pay(hold.id, token=token, return_url=SHOP)
        assert told.value.data["failure"] == failure
    paid = await engine.payments.pay(hold.id, token="pm_card_visa", return_url=SHOP)
    assert paid.booking is not None and paid.payment is not None
    await until(engine, paid.payment.id, "captured")


async def test_an_answer_that_is_lost_is_looked_up(
    engine: bespeak.Engine, bank: StripeServer, make_show: MakeShow, clock: Clock
) -> None:
    hold = await take_seats(engine, await paid_show(make_show), "A1")
    bank.faults += ["lost"] * 2
    paid = await engine.payments.pay(hold.id, token="pm_card_visa", return_url=SHOP)
    assert paid.booking is None and paid.payment is not None
    bank.faults.clear()
    await drain(engine, clock)
    assert the_intent(bank)["status"] == "succeeded"
    assert (await engine.payments.payment(paid.payment.id)).booking is not None


async def test_stripe_is_away_for_a_while(
    engine: bespeak.Engine, bank: StripeServer, make_show: MakeShow, clock: Clock
) -> None:
    show = await paid_show(make_show)
    holds = [await take_seats(engine, show, unit) for unit in ("A1", "A2", "A3")]
    bank.faults += [503] * 6
    paid = await asyncio.gather(
        *(engine.payments.pay(hold.id, token="pm_card_visa", return_url=SHOP) for hold in holds)
    )
    assert [one.booking for one in paid] == [None] * 3
    bank.faults.clear()
    await drain(engine, clock)
    states = [intent["status"] for intent in bank.intents.values()]
    for one in paid:
        assert one.payment is not None
        known = await engine.payments.payment(one.payment.id)
        assert known.payment is not None
        # Booked and paid, or neither of the two.
        assert (known.booking is not None) == (known.payment.state == "captured")
    booked = [await engine.payments.payment(one.payment.id) for one in paid if one.payment]
    assert states.count("succeeded") == len([one for one in booked if one.booking])


async def test_without_its_secrets_stripe_is_not_opened(database_url: str) -> None:
    settings = msgspec.structs.replace(PAID, payment_providers="stripe")
    with pytest.raises(InvalidSetting) as refusal:
        async with bespeak.connect(database_url, settings=settings, sweep=False):
            raise AssertionError("it was opened")
    assert refusal.value.data == {"variable": "BESPEAK_STRIPE_SECRET_KEY"}


async def test_a_partial_capture_is_no_booking_and_what_was_received_goes_back(
    engine: bespeak.Engine, bank: StripeServer, make_show: MakeShow
) -> None:
    bank.takes = 700
    hold = await take_seats(engine, await paid_show(make_show), "A1")
    paid = await engine.payments.pay(hold.id, token="pm_card_visa", return_url=SHOP)
    assert paid.booking is not None and paid.payment is not None
    await until(engine, paid.payment.id, "captured")
    assert (await engine.get_booking(paid.booking.id)).state == "cancelled"
    assert await tell(engine, "payment_intent.succeeded", the_intent(bank)) == Received("settled")
    await refund_all(engine)
    (refund,) = bank.refunds.values()
    assert refund["amount"] == 700
    (known,) = await engine.refunds.of_payment(paid.payment.id)
    assert (known.state, known.cause, known.amount.amount) == ("refunded", "mismatch", 700)


async def test_a_partial_capture_that_comes_first_books_nothing(
    engine: bespeak.Engine, bank: StripeServer, make_show: MakeShow
) -> None:
    """Somebody takes a part at Stripe's dashboard while our request has no answer."""
    hold = await take_seats(engine, await paid_show(make_show), "A1")
    bank.faults += [500, 500]
    paid = await engine.payments.pay(hold.id, token="pm_card_visa", return_url=SHOP)
    assert paid.payment is not None and paid.booking is None
    order = next(form for method, _, form in bank.requests if method == "POST")
    bank.put(order, amount_received=700)
    assert await tell(engine, "payment_intent.succeeded", the_intent(bank)) == Received("settled")
    await refund_all(engine)
    after = await engine.payments.payment(paid.payment.id)
    assert after.payment is not None and after.booking is None
    assert (after.payment.state, after.payment.failure) == ("refunded", "amount_mismatch")
    (refund,) = bank.refunds.values()
    assert refund["amount"] == 700


async def test_a_lost_answer_is_asked_for_by_the_same_order(
    engine: bespeak.Engine, bank: StripeServer, make_show: MakeShow, clock: Clock
) -> None:
    """While the window lasts, the order with its key is the question; nothing is looked through."""
    hold = await take_seats(engine, await paid_show(make_show), "A1")
    bank.faults += ["lost", 500]  # done, and both answers are lost
    paid = await engine.payments.pay(hold.id, token="pm_card_visa", return_url=SHOP)
    assert paid.booking is None and paid.payment is not None
    await drain(engine, clock)
    after = await engine.payments.payment(paid.payment.id)
    assert after.booking is not None and after.payment is not None
    assert after.payment.state == "captured"
    assert len(bank.intents) == 1
    read = [path for method, path, _ in bank.requests if method == "GET"]
    assert "/v1/payment_intents" not in read and "/v1/payment_intents/search" not in read


async def test_a_callback_says_which_payment_has_lost_its_answer(
    engine: bespeak.Engine, bank: StripeServer, make_show: MakeShow
) -> None:
    hold = await take_seats(engine, await paid_show(make_show), "A1")
    bank.faults += ["lost", 500]
    paid = await engine.payments.pay(hold.id, token="pm_card_visa", return_url=SHOP)
    assert paid.booking is None and paid.payment is not None
    del bank.requests[:]
    await tell(engine, "payment_intent.amount_capturable_updated", the_intent(bank))
    await until(engine, paid.payment.id, "captured")
    paths = {path for _, path, _ in bank.requests}
    reference = the_intent(bank)["id"]
    assert paths == {
        f"/v1/payment_intents/{reference}",
        f"/v1/payment_intents/{reference}/capture",
    }


async def test_money_that_is_found_after_the_window_is_found_by_search(
    engine: bespeak.Engine, bank: StripeServer, make_show: MakeShow, clock: Clock
) -> None:
    show = await paid_show(make_show, hold_seconds=60, hold_seconds_max=60)
    hold = await take_seats(engine, show, "A1")
    bank.faults += ["lost", 500]
    paid = await engine.payments.pay(hold.id, token="pm_card_visa", return_url=SHOP)
    assert paid.payment is not None
    await clock.advance(120)
    bank.search_is_behind = True
    await Recovery(engine.payments).look()
    assert (await payment_of(engine, paid.payment.id)).state == "pending", "too early to tell"
    bank.search_is_behind = False
    await drain(engine, clock)
    after = await payment_of(engine, paid.payment.id)
    assert (after.state, after.late) == ("captured", "same_units")
    assert ("GET", "/v1/payment_intents") not in {one[:2] for one in bank.requests}
