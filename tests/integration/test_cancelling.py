"""Cancelling gives money back by the terms that a booking was sold with, shown before and recorded
after, wholly and in part.
"""

from datetime import timedelta

import pytest

import bespeak
from bespeak import Line
from bespeak.errors import (
    BookingCancelled,
    BookingNotFound,
    IdempotencyKeyReused,
    InvalidRequest,
    NotInBooking,
    NotOwner,
)
from bespeak.inventory.resources import Price, ResourceChange
from bespeak.pricing.rules import Cancellation, Pricing
from tests.harness.clock import START, Clock
from tests.harness.database import Connection, problems
from tests.harness.paying import PRICE, assert_money_agrees, paid_show, paying_engine
from tests.harness.refunding import (
    DAY,
    STARTS,
    capture_away,
    paid_booking,
    recover,
    refund_all,
    settled,
    tiered_show,
)
from tests.harness.shows import MakeShow, pool, seats, take

EACH = PRICE + 100

engine = paying_engine


async def test_what_is_shown_before_is_written_down_and_given_back(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, clock: Clock
) -> None:
    show = await tiered_show(make_show)
    booking = await paid_booking(engine, seats(show, "A1", "A2"))
    quote = await engine.refund_quote(booking.id, owner="asha")
    assert (quote.amount, quote.currency, quote.rule) == (2 * PRICE, "EUR", f"before:{7 * DAY}")
    assert [(line.unit, line.amount) for line in quote.lines] == [("A1", PRICE), ("A2", PRICE)]

    cancelled = await engine.cancel_booking(booking.id, reason="ill")
    assert cancelled.state == "cancelled"
    (refund,) = await engine.refunds.of_booking(booking.id)
    assert (refund.amount.amount, refund.state, refund.cause) == (2 * PRICE, "pending", "cancelled")
    payment = await engine.payments.payment_of(cancelled)
    assert payment is not None
    assert (payment.state, payment.refunding, payment.refunded) == ("captured", 2 * PRICE, 0)
    assert (await take(engine, seats(show, "A1"), "ben")).state == "held"  # free at once

    await refund_all(engine)
    (refund,) = await engine.refunds.of_booking(booking.id)
    assert (refund.state, refund.ended_at) == ("refunded", START)
    payment = await engine.payments.payment_of(cancelled)
    assert payment is not None
    assert (payment.state, payment.refunding, payment.refunded) == (
        "captured",
        2 * PRICE,
        2 * PRICE,
    )
    await assert_money_agrees(connection)


@pytest.mark.parametrize(
    ("before", "amount", "rule"),
    [
        (7 * DAY, PRICE, f"before:{7 * DAY}"),
        (7 * DAY - 1, PRICE // 2, f"before:{DAY}"),
        (DAY - 1, 0, "too_late"),
        (-DAY, 0, "too_late"),
    ],
)
async def test_the_time_decides(
    engine: bespeak.Engine,
    make_show: MakeShow,
    clock: Clock,
    before: int,
    amount: int,
    rule: str,
) -> None:
    show = await tiered_show(make_show)
    booking = await paid_booking(engine, seats(show, "A1"))
    await clock.set(STARTS - timedelta(seconds=before))
    quote = await engine.refund_quote(booking.id)
    assert (quote.amount, quote.rule) == (amount, rule)
    await engine.cancel_booking(booking.id, reason="ill")
    refunds = await engine.refunds.of_booking(booking.id)
    # A refund of nothing is no refund.
    assert [refund.amount.amount for refund in refunds] == ([amount] if amount else [])


async def test_the_terms_are_those_that_it_was_sold_with(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock
) -> None:
    show = await tiered_show(make_show)
    booking = await paid_booking(engine, seats(show, "A1"))
    harsh = Pricing(cancellation=Cancellation(refundable=False))
    await engine.update_resource(show.id, ResourceChange(pricing=harsh, price=Price(99_999, "EUR")))
    assert (await engine.refund_quote(booking.id)).amount == PRICE
    # But when it takes place is known best now: moved to tomorrow, it is late to cancel.
    moved = ResourceChange(starts_at=START + timedelta(days=2))
    await engine.update_resource(show.id, moved)
    assert (await engine.refund_quote(booking.id)).amount == PRICE // 2


async def test_a_start_that_another_process_moved_counts(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    make_show: MakeShow,
    clock: Clock,
) -> None:
    show = await tiered_show(make_show)
    booking = await paid_booking(engine, seats(show, "A1"))
    await second_engine.update_resource(
        show.id, ResourceChange(starts_at=START + timedelta(hours=1))
    )
    assert (await engine.refund_quote(booking.id)).rule == "too_late"


async def test_without_a_policy_all_of_it_is_given_back_and_the_payment_is_refunded(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await paid_show(make_show)
    booking = await paid_booking(engine, [*seats(show, "A1"), pool(show, "floor", 3)])
    await engine.cancel_booking(booking.id, reason="ill")
    await refund_all(engine)
    payment = await engine.payments.payment_of(booking)
    assert payment is not None
    assert (payment.state, payment.refunded) == ("refunded", 4 * PRICE)
    kinds = [
        row["kind"]
        for row in await connection.fetch(
            "select kind from bespeak.event where hold_id is not null order by position"
        )
    ]
    assert kinds[-3:] == ["refund_begun", "cancelled", "refunded"]
    await assert_money_agrees(connection)


async def test_in_parts_it_gives_back_the_same(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, clock: Clock
) -> None:
    show = await tiered_show(make_show, price=Price(333, "EUR"))
    lines = [*seats(show, "A1", "A2"), pool(show, "floor", 3)]
    whole = await paid_booking(engine, lines)
    await clock.set(STARTS - timedelta(days=3))
    expected = (await engine.refund_quote(whole.id)).amount
    quote = await engine.refund_quote(whole.id, lines=[pool(show, "floor", 1)])
    assert [(line.line, line.quantity) for line in quote.lines] == [(2, 1)]
    for line in [*seats(show, "A2"), *[pool(show, "floor", 1)] * 3, *seats(show, "A1")]:
        await engine.cancel_booking(whole.id, reason="ill", lines=[line])
    refunds = await engine.refunds.of_booking(whole.id)
    assert len(refunds) == 5
    assert sum(refund.amount.amount for refund in refunds) == expected
    await refund_all(engine)
    assert {refund.state for refund in await engine.refunds.of_booking(whole.id)} == {"refunded"}
    assert await problems(connection) == []
    await assert_money_agrees(connection)


async def test_what_is_cancelled_before_its_money_was_taken_is_taken_first(
    engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
) -> None:
    show = await paid_show(make_show)
    with capture_away(engine):
        booking = await paid_booking(engine, seats(show, "A1"), captured=False)
        await engine.cancel_booking(booking.id, reason="ill")
        await refund_all(engine)
        (refund,) = await engine.refunds.of_booking(booking.id)
        assert refund.state == "pending"
        await settled(engine, booking, "authorized")
    await connection.execute("update bespeak.refund set due_at = bespeak.now()")
    await refund_all(engine)
    await settled(engine, booking, "refunded")
    await assert_money_agrees(connection)


async def test_money_that_could_not_be_taken_is_not_given_back(
    engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
) -> None:
    show = await paid_show(make_show)
    with capture_away(engine):
        booking = await paid_booking(
            engine, seats(show, "A1", "A2"), token="tok_capture_fails", captured=False
        )
        await engine.cancel_booking(booking.id, reason="ill", lines=seats(show, "A1"))
        (refund,) = await engine.refunds.of_booking(booking.id)
        assert refund.state == "pending"
    await connection.execute("update bespeak.payment set due_at = bespeak.now()")
    await recover(engine)
    # No moment in which money is to go back that nobody took: it ends with the payment.
    (ended,) = await engine.refunds.of_booking(booking.id)
    assert (ended.state, ended.failure) == ("failed", "not_captured")
    assert (await engine.get_booking(booking.id)).reason == "payment_failed"
    await assert_money_agrees(connection)
    # Nor does anybody wait for a person to try it again, or may.
    assert await engine.refunds.failed(10) == []
    assert (await engine.refunds.retry(refund.id)).state == "failed"
    assert await connection.fetchval("select sum(refunding) from bespeak.payment") == 0


async def test_the_operator_may_give_all_or_nothing_back(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock, connection: Connection
) -> None:
    show = await tiered_show(make_show)
    kind = await paid_booking(engine, seats(show, "A1", "A2"))
    harsh = await paid_booking(engine, seats(show, "A3"), "ben")
    await clock.set(STARTS - timedelta(seconds=60))
    await engine.cancel_booking(kind.id, reason="ill", lines=seats(show, "A1"), refund="full")
    assert [one.amount.amount for one in await engine.refunds.of_booking(kind.id)] == [EACH]
    await engine.cancel_booking(kind.id, reason="ill", refund="full")
    await engine.cancel_booking(harsh.id, reason="rude", refund="none")
    assert await engine.refunds.of_booking(harsh.id) == []
    await refund_all(engine)
    await settled(engine, kind, "refunded")
    await assert_money_agrees(connection)
    with pytest.raises(InvalidRequest) as refusal:
        await engine.cancel_booking(kind.id, reason="x", refund="half")  # type: ignore[arg-type]
    assert refusal.value.data["field"] == "refund"


async def test_a_repeat_promises_nothing_twice(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await paid_show(make_show)
    booking = await paid_booking(engine, seats(show, "A1", "A2"))
    part = seats(show, "A1")
    for _ in range(3):
        done = await engine.cancel_booking(
            booking.id, reason="ill", lines=part, idempotency_key="one"
        )
    assert done.replayed
    assert [one.amount.amount for one in await engine.refunds.of_booking(booking.id)] == [PRICE]
    with pytest.raises(IdempotencyKeyReused):
        await engine.cancel_booking(
            booking.id, reason="ill", lines=part, refund="none", idempotency_key="one"
        )
    with pytest.raises(NotInBooking):
        await engine.cancel_booking(booking.id, reason="ill", lines=part)
    await engine.cancel_booking(booking.id, reason="ill", idempotency_key="two")
    with pytest.raises(BookingCancelled):
        await engine.cancel_booking(booking.id, reason="ill")
    again = await engine.cancel_booking(booking.id, reason="ill", idempotency_key="two")
    assert again.replayed
    assert len(await engine.refunds.of_booking(booking.id)) == 2


async def test_it_is_part_of_the_callers_transaction(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await paid_show(make_show)
    booking = await paid_booking(engine, seats(show, "A1"))
    transaction = connection.transaction()
    await transaction.start()
    await engine.cancel_booking(booking.id, reason="ill", connection=connection)
    assert await connection.fetchval("select count(*) from bespeak.refund") == 1
    await transaction.rollback()
    assert await engine.refunds.of_booking(booking.id) == []
    assert (await engine.get_booking(booking.id)).state == "confirmed"


async def test_what_cost_nothing_gives_nothing_back(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    show = await make_show()
    hold = await take(engine, seats(show, "A1"))
    booking = await engine.confirm_hold(hold.id)
    quote = await engine.refund_quote(booking.id)
    assert (quote.amount, quote.rule) == (0, "not_paid")
    await engine.cancel_booking(booking.id, reason="ill", refund="full")
    assert await engine.refunds.of_booking(booking.id) == []


async def test_a_quote_of_nonsense_is_refused(engine: bespeak.Engine, make_show: MakeShow) -> None:
    show = await paid_show(make_show)
    booking = await paid_booking(engine, [*seats(show, "A1"), pool(show, "floor", 2)])
    for lines in (
        seats(show, "A2"),
        seats(show, "A1", "A1"),
        [pool(show, "floor", 3)],
        [Line(show.id)],
    ):
        with pytest.raises(NotInBooking):
            await engine.refund_quote(booking.id, lines=lines)
    with pytest.raises(InvalidRequest):
        await engine.refund_quote(booking.id, lines=[])
    with pytest.raises(NotOwner):
        await engine.refund_quote(booking.id, owner="ben")
    with pytest.raises(BookingNotFound):
        await engine.refund_quote(booking.id[:-1] + ("1" if booking.id.endswith("0") else "0"))
    await engine.cancel_booking(booking.id, reason="ill", lines=seats(show, "A1"))
    with pytest.raises(NotInBooking):
        await engine.refund_quote(booking.id, lines=seats(show, "A1"))
    await engine.cancel_booking(booking.id, reason="ill")
    with pytest.raises(BookingCancelled):
        await engine.refund_quote(booking.id)


async def test_late_money_keeps_its_terms(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock
) -> None:
    show = await tiered_show(make_show, hold_seconds=60, hold_seconds_max=60)
    hold = await take(engine, seats(show, "A1"))
    paid = await engine.payments.pay(hold.id, token="tok_timeout_after")
    assert paid.payment is not None
    await clock.advance(100)
    await recover(engine)
    after = await engine.payments.payment(paid.payment.id)
    assert after.booking is not None
    assert after.booking.id[4:] != hold.id[5:]
    assert (await engine.refund_quote(after.booking.id)).amount == PRICE
