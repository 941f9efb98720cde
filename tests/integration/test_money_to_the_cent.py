"""Money to the cent: what was really taken is what is written down and what goes back, and another
amount than was asked for pays for nothing.
"""

import msgspec
import pytest

import bespeak
from bespeak.errors import Unavailable
from bespeak.money import Money
from bespeak.payments.audit import money_problems
from bespeak.payments.errors import MoneyReturned
from bespeak.payments.providers.provider import Standing, StandingState
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.paying import PRICE, paid_show, paying_engine, take_seats
from tests.harness.refunding import recover, refund_all
from tests.harness.settling import Between, drain, until
from tests.harness.shows import MakeShow
from tests.harness.telling import bank_of, payment_of

pytestmark = pytest.mark.usefixtures("money_agrees")

HALF = PRICE // 2

engine = paying_engine


async def told(connection: Connection, kind: str) -> list[dict[str, object]]:
    """The data of the events of a kind, in order."""
    rows = await connection.fetch(
        "select data from bespeak.event where kind = $1 order by position", kind
    )
    return [msgspec.json.decode(row["data"], type=dict[str, object]) for row in rows]


async def at_the_bank(connection: Connection) -> tuple[str, int, int]:
    """The only payment: its state, what was taken, what went back."""
    row = await connection.fetchrow("select state, captured, refunded from bespeak.sandbox_payment")
    assert row is not None
    return (row["state"], row["captured"], row["refunded"])


async def test_a_partial_capture_is_no_booking_and_goes_back(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, clock: Clock
) -> None:
    show = await paid_show(make_show)
    hold = await take_seats(engine, show, "A1")
    paid = await engine.payments.pay(hold.id, token="tok_partial_capture", idempotency_key="k")
    assert paid.payment is not None and paid.booking is not None
    await until(engine, paid.payment.id, "captured")
    booking = await engine.get_booking(paid.booking.id)
    assert (booking.state, booking.reason) == ("cancelled", "payment_failed")
    taken = await payment_of(engine, paid.payment.id)
    assert (taken.captured, taken.failure) == (Money(HALF, "EUR"), "amount_mismatch")
    assert taken.refunding == HALF

    await clock.advance(301)
    found = {one.problem: one.details for one in await money_problems(connection)}
    assert found.keys() == {"mismatch_kept", "refund_stuck"}
    assert found["mismatch_kept"]["captured"] == HALF
    assert found["refund_stuck"]["cause"] == "mismatch"

    await refund_all(engine)
    assert (await payment_of(engine, paid.payment.id)).state == "refunded"
    (refund,) = await engine.refunds.of_payment(paid.payment.id)
    assert (refund.amount, refund.cause) == (Money(HALF, "EUR"), "mismatch")
    assert await at_the_bank(connection) == ("captured", HALF, HALF)
    (event,) = await told(connection, "payment_captured")
    assert (event["captured"], event["failure"]) == (HALF, "amount_mismatch")
    assert [one["cause"] for one in await told(connection, "refund_begun")] == ["mismatch"]
    with pytest.raises(MoneyReturned) as refusal:
        await engine.payments.pay(hold.id, token="tok_partial_capture", idempotency_key="k")
    assert refusal.value.data["failure"] == "amount_mismatch"
    again = await take_seats(engine, show, "A1", owner="ben")
    assert (await engine.payments.pay(again.id, token="tok_success")).booking is not None


async def test_another_amount_that_is_reserved_is_given_up(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    hold = await take_seats(engine, await paid_show(make_show), "A1")
    with pytest.raises(MoneyReturned) as refusal:
        await engine.payments.pay(hold.id, token="tok_other_amount")
    assert refusal.value.data["failure"] == "amount_mismatch"
    await recover(engine)
    payment = await payment_of(engine, str(refusal.value.data["payment_id"]))
    assert (payment.state, payment.captured) == ("voided", None)
    assert await connection.fetchval("select count(*) from bespeak.booking") == 0
    assert (await engine.payments.pay(hold.id, token="tok_success")).booking is not None


@pytest.mark.parametrize(
    "received", [Money(HALF, "EUR"), Money(PRICE + 1, "EUR"), Money(PRICE, "USD")]
)
async def test_another_amount_that_was_taken_at_once_books_nothing_and_goes_back(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, received: Money
) -> None:
    hold = await take_seats(engine, await paid_show(make_show), "A1")

    async def taken(standing: Standing) -> Standing:
        await connection.execute(
            "update bespeak.sandbox_payment set state = 'captured', captured = $1, currency = $2",
            received.amount,
            received.currency,
        )
        return msgspec.structs.replace(
            standing,
            state=StandingState.CAPTURED,
            captured=received.amount,
            amount=Money(standing.amount.amount, received.currency),
        )

    between = Between(bank_of(engine), "authorize", taken)
    with pytest.raises(MoneyReturned) as refusal:
        await engine.payments.pay(hold.id, token="tok_success")
    between.leave()
    payment_id = str(refusal.value.data["payment_id"])
    assert await connection.fetchval("select count(*) from bespeak.booking") == 0
    await refund_all(engine)
    payment = await payment_of(engine, payment_id)
    assert (payment.state, payment.captured) == ("refunded", received)
    (refund,) = await engine.refunds.of_payment(payment_id)
    assert (refund.amount, refund.cause) == (received, "mismatch")
    assert await at_the_bank(connection) == ("captured", received.amount, received.amount)


async def test_what_was_promised_before_a_partial_capture_is_replaced(
    engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hold = await take_seats(engine, await paid_show(make_show), "A1", "A2", "A3")
    bank = bank_of(engine)

    async def later(*_: object) -> Standing:
        raise Unavailable

    monkeypatch.setattr(bank, "capture", later)
    paid = await engine.payments.pay(hold.id, token="tok_partial_capture")
    assert paid.payment is not None and paid.booking is not None
    for unit in ("A1", "A2"):
        line = bespeak.Line(resource_id=hold.lines[0].resource_id, unit=unit)
        await engine.cancel_booking(paid.booking.id, reason="ill", lines=[line], refund="full")
    monkeypatch.undo()
    await refund_all(engine)  # which takes the money first
    await refund_all(engine)
    payment = await payment_of(engine, paid.payment.id)
    assert (payment.state, payment.captured) == ("refunded", Money(3 * PRICE // 2, "EUR"))
    found = await engine.refunds.of_payment(paid.payment.id)
    assert [(one.cause, one.state, one.failure) for one in found] == [
        ("cancelled", "failed", "amount_mismatch"),
        ("cancelled", "failed", "amount_mismatch"),
        ("mismatch", "refunded", None),
    ]
    assert await at_the_bank(connection) == ("captured", 3 * PRICE // 2, 3 * PRICE // 2)
    assert (await engine.refunds.retry(found[0].id)).state == "failed", "it was replaced"
    assert await engine.refunds.failed(10) == []


async def test_money_that_came_too_late_goes_back_as_it_was_taken(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, clock: Clock
) -> None:
    show = await paid_show(make_show, hold_seconds=60, hold_seconds_max=60, late_payment="refund")
    hold = await take_seats(engine, show, "A1")
    paid = await engine.payments.pay(hold.id, token="tok_challenge")
    assert paid.payment is not None
    await clock.advance(61)
    await bank_of(engine).decide(paid.payment.id, approve=True)
    # Somebody takes half of it at the bank's own desk before it is given up.
    await connection.execute(
        "update bespeak.sandbox_payment set state = 'captured', captured = $1", HALF
    )
    await drain(engine, clock)
    await refund_all(engine)
    payment = await payment_of(engine, paid.payment.id)
    assert (payment.state, payment.captured) == ("refunded", Money(HALF, "EUR"))
    assert await at_the_bank(connection) == ("captured", HALF, HALF)
