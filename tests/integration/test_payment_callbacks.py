"""Callbacks of payment providers, as they come: twice, late, out of order, before the reply, false.
What they say is only the reason to ask; what the provider then tells is what counts.
"""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

import bespeak
from bespeak.ids import PAYMENT, IdMaker, show
from bespeak.payments.callbacks import receive
from bespeak.payments.errors import CallbackMismatch, ProviderUnknown
from bespeak.payments.providers.provider import (
    CallbackInvalid,
    CallbackUnreadable,
    Order,
    ProviderUnavailable,
    Standing,
)
from bespeak.payments.providers.sandbox.callbacks import SIGNATURE_HEADER, Kind, sign
from tests.harness.clock import Clock
from tests.harness.database import Connection, snapshot
from tests.harness.paying import PRICE, paid_show, paying_engine, take_seats
from tests.harness.settling import kinds, until
from tests.harness.shows import MakeShow
from tests.harness.telling import Told, bank_of, callback, payment_of

pytestmark = pytest.mark.usefixtures("money_agrees")

engine = paying_engine


@pytest.fixture
async def challenged(engine: bespeak.Engine, make_show: MakeShow, clock: Clock) -> str:
    """The id of a payment that waits for the buyer."""
    hold = await take_seats(engine, await paid_show(make_show), "A1")
    paid = await engine.payments.pay(hold.id, token="tok_challenge")
    assert paid.payment is not None
    return paid.payment.id


@pytest.fixture
async def approved(engine: bespeak.Engine, challenged: str) -> str:
    """The same, and the buyer has approved; we were not told yet."""
    await bank_of(engine).decide(challenged, approve=True)
    return challenged


async def without_callbacks(connection: Connection) -> dict[str, list[str]]:
    """Every row but those that say which callbacks came."""
    found = await snapshot(connection)
    del found["payment_callback"]
    return found


async def test_a_callback_books(
    engine: bespeak.Engine, approved: str, connection: Connection
) -> None:
    received = await callback(engine, approved).to(engine)
    assert (received.outcome, received.repeated) == ("settled", False)
    await until(engine, approved, "captured")
    assert (await kinds(connection)).count("confirmed") == 1


async def test_a_callback_that_comes_twice_is_taken_once(
    engine: bespeak.Engine, other: bespeak.Engine, approved: str, connection: Connection
) -> None:
    told = callback(engine, approved)
    first, second = await asyncio.gather(told.to(engine), told.to(other))
    assert {first.outcome, second.outcome} == {"settled"}
    await until(engine, approved, "captured")
    assert (await told.to(engine)).repeated
    assert (await kinds(connection)).count("payment_authorized") == 1
    assert (await kinds(connection)).count("confirmed") == 1


@pytest.mark.parametrize("kind", ["payment.captured", "payment.failed", "payment.voided"])
async def test_a_callback_is_a_reason_to_ask_and_not_believed(
    kind: Kind, engine: bespeak.Engine, challenged: str, connection: Connection
) -> None:
    await callback(engine, challenged, kind=kind).to(engine)
    assert (await payment_of(engine, challenged)).state == "pending"
    assert await connection.fetchval("select count(*) from bespeak.booking") == 0


async def test_callbacks_out_of_order_end_in_the_same(
    engine: bespeak.Engine, approved: str, connection: Connection
) -> None:
    order: tuple[Kind, ...] = ("payment.captured", "payment.authorized")
    for number, kind in enumerate(order):
        told = callback(engine, approved, callback_id=f"evt_{number}", kind=kind)
        assert (await told.to(engine)).outcome == "settled"
    await until(engine, approved, "captured")
    late = callback(engine, approved, callback_id="evt_9", kind="payment.authorized")
    assert (await late.to(engine)).outcome == "settled"
    assert (await payment_of(engine, approved)).state == "captured"
    assert (await kinds(connection)).count("payment_captured") == 1


async def test_a_callback_races_the_reply(
    engine: bespeak.Engine, other: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    """The bank has authorized, and tells another process so before our reply has come."""
    hold = await take_seats(engine, await paid_show(make_show), "A1")
    bank = bank_of(engine)
    authorize = bank.authorize
    booked_before_the_reply = []

    async def overtaken(order: Order) -> Standing:
        standing = await authorize(order)
        await callback(other, order.payment_id).to(other)
        await until(other, order.payment_id, "captured")
        booked_before_the_reply.append(
            await connection.fetchval("select state from bespeak.booking")
        )
        return standing

    bank.authorize = overtaken  # type: ignore[method-assign]
    paid = await engine.payments.pay(hold.id, token="tok_success", idempotency_key="k")
    # Without this, nothing would have raced.
    assert booked_before_the_reply == ["confirmed"]
    assert paid.booking is not None and paid.payment is not None
    assert paid.payment.state == "captured"
    assert await kinds(connection) == [
        "held", "payment_begun", "payment_authorized", "confirmed", "payment_captured",
    ]  # fmt: skip


async def test_a_callback_after_the_booking_was_cancelled_changes_nothing(
    engine: bespeak.Engine, approved: str, connection: Connection
) -> None:
    await callback(engine, approved).to(engine)
    await until(engine, approved, "captured")
    booking = (await engine.payments.payment(approved)).booking
    assert booking is not None
    await engine.cancel_booking(booking.id, reason="ill", refund="none")
    before = await without_callbacks(connection)
    told_kinds: tuple[Kind, ...] = ("payment.authorized", "payment.captured", "payment.voided")
    for kind in told_kinds:
        told = callback(engine, approved, callback_id=f"evt_{kind}", kind=kind)
        assert (await told.to(engine)).outcome == "settled"
    assert await without_callbacks(connection) == before


async def test_a_callback_with_a_wrong_signature_is_not_taken(
    engine: bespeak.Engine, approved: str, connection: Connection
) -> None:
    good = callback(engine, approved)
    old = datetime.now(UTC) - timedelta(minutes=6)
    bad = {
        "another secret": callback(engine, approved, secret=b"another"),
        "another body": Told(good.body.replace(b"1500", b"1"), good.headers),
        "no signature": Told(good.body, {}),
        "too old": Told(
            good.body, {SIGNATURE_HEADER: sign(bank_of(engine).secret, good.body, old)}
        ),
    }
    before = await snapshot(connection)
    for name, told in bad.items():
        with pytest.raises(CallbackInvalid) as refusal:
            await told.to(engine)
        assert refusal.value.status == 401, name
    assert await snapshot(connection) == before
    assert (await good.to(engine)).outcome == "settled"
    await until(engine, approved, "captured")


async def test_a_signed_callback_that_makes_no_sense_is_not_taken(
    engine: bespeak.Engine, connection: Connection
) -> None:
    before = await snapshot(connection)
    for body in (b"", b"{}", b"[1]", b"\xff", b'{"id": 7}'):
        headers = {SIGNATURE_HEADER: sign(bank_of(engine).secret, body, datetime.now(UTC))}
        with pytest.raises(CallbackUnreadable):
            await receive(engine.payments, "sandbox", headers, body)
    assert await snapshot(connection) == before


@pytest.mark.parametrize(("amount", "currency"), [(PRICE - 1, "EUR"), (PRICE, "USD")])
async def test_a_callback_with_another_amount_or_currency_does_nothing(
    amount: int, currency: str, engine: bespeak.Engine, approved: str, connection: Connection
) -> None:
    told = callback(engine, approved, amount=amount, currency=currency)
    before = await without_callbacks(connection)
    for _ in range(2):
        with pytest.raises(CallbackMismatch) as refusal:
            await told.to(engine)
        assert (refusal.value.status, refusal.value.code) == (422, "callback_mismatch")
    assert await without_callbacks(connection) == before
    rows = await connection.fetch("select outcome from bespeak.payment_callback")
    assert [row["outcome"] for row in rows] == ["mismatch"]
    # A true one, with an id of its own, is taken.
    await callback(engine, approved, callback_id="evt_2").to(engine)
    await until(engine, approved, "captured")


async def test_a_callback_about_a_payment_that_nobody_made_is_taken_and_does_nothing(
    engine: bespeak.Engine, connection: Connection
) -> None:
    unknown = show(PAYMENT, IdMaker().new(7))
    before = await without_callbacks(connection)
    told = callback(engine, unknown)
    assert (await told.to(engine)).outcome == "unknown"
    again = await told.to(engine)
    assert (again.outcome, again.repeated) == ("unknown", True)
    assert await without_callbacks(connection) == before


async def test_a_callback_about_the_payment_of_another_provider_does_nothing(
    engine: bespeak.Engine, approved: str, connection: Connection
) -> None:
    await connection.execute("update bespeak.payment set provider = 'stripe'")
    before = await without_callbacks(connection)
    assert (await callback(engine, approved).to(engine)).outcome == "unknown"
    assert await without_callbacks(connection) == before
    with pytest.raises(ProviderUnknown):
        await callback(engine, approved).to(engine, "nobody")


async def test_a_callback_that_cannot_be_looked_into_comes_again(
    engine: bespeak.Engine, approved: str, connection: Connection
) -> None:
    told = callback(engine, approved)
    bank_of(engine).is_away = True
    with pytest.raises(ProviderUnavailable) as refusal:
        await told.to(engine)
    assert refusal.value.status == 503
    assert await connection.fetchval("select count(*) from bespeak.payment_callback") == 0
    bank_of(engine).is_away = False
    received = await told.to(engine)
    assert (received.outcome, received.repeated) == ("settled", False)
    await until(engine, approved, "captured")


async def test_the_callback_of_a_decline_ends_the_payment_and_keeps_the_hold(
    engine: bespeak.Engine, challenged: str
) -> None:
    await bank_of(engine).decide(challenged, approve=False)
    await callback(engine, challenged, kind="payment.failed").to(engine)
    payment = await payment_of(engine, challenged)
    assert (payment.state, payment.failure) == ("failed", "challenge_declined")
    assert (await engine.get_hold(payment.hold_id)).state == "held"
    paid = await engine.payments.pay(payment.hold_id, token="tok_success")
    assert paid.booking is not None
