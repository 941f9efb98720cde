"""Paying for holds: what the buyer sees, and what is written down, for each way that it may go."""

import asyncio

import pytest

import bespeak
from bespeak import ids
from bespeak.errors import HoldExpired, IdempotencyKeyReused, PaymentRequired
from bespeak.payments.errors import MoneyReturned, PaymentDeclined, PaymentInProgress
from bespeak.payments.recovery import Recovery
from bespeak.reservations.sweeper import Sweeper
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.paying import PRICE, paid_show, paying_engine, take_seats
from tests.harness.settling import kinds, until
from tests.harness.shows import MakeShow

engine = paying_engine


async def test_a_hold_is_paid_and_booked(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await paid_show(make_show)
    hold = await take_seats(engine, show, "A1", "A2")
    paid = await engine.payments.pay(hold.id, token="tok_success", owner="asha")
    assert paid.booking is not None
    assert paid.payment is not None
    assert paid.payment.amount.amount == 2 * PRICE
    await until(engine, paid.payment.id, "captured")
    assert await kinds(connection) == [
        "held",
        "payment_begun",
        "payment_authorized",
        "confirmed",
        "payment_captured",
    ]


async def test_what_costs_is_not_confirmed_unpaid(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    show = await paid_show(make_show)
    hold = await take_seats(engine, show, "A1")
    with pytest.raises(PaymentRequired):
        await engine.confirm_hold(hold.id)


async def test_a_declined_card_leaves_the_hold_for_another(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    show = await paid_show(make_show)
    hold = await take_seats(engine, show, "A1")
    with pytest.raises(PaymentDeclined) as refusal:
        await engine.payments.pay(hold.id, token="tok_declined", idempotency_key="one")
    with pytest.raises(PaymentDeclined) as again:
        await engine.payments.pay(hold.id, token="tok_declined", idempotency_key="one")
    assert again.value.data == refusal.value.data
    paid = await engine.payments.pay(hold.id, token="tok_success", idempotency_key="two")
    assert paid.booking is not None


async def test_a_repeated_payment_is_one_payment(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await paid_show(make_show)
    hold = await take_seats(engine, show, "A1")
    both = await asyncio.gather(
        *(
            engine.payments.pay(hold.id, token="tok_success", idempotency_key="one")
            for _ in range(5)
        )
    )
    assert len({paid.booking.id for paid in both if paid.booking is not None}) == 1
    assert await connection.fetchval("select count(*) from bespeak.payment") == 1
    with pytest.raises(IdempotencyKeyReused) as refusal:
        await engine.payments.pay(hold.id, token="tok_declined", idempotency_key="one")
    assert refusal.value.data["fields"] == ["payment_token"]


async def test_a_hold_is_paid_once(engine: bespeak.Engine, make_show: MakeShow) -> None:
    show = await paid_show(make_show)
    hold = await take_seats(engine, show, "A1")
    paid = await engine.payments.pay(hold.id, token="tok_challenge")
    assert paid.booking is None
    assert paid.payment is not None
    assert paid.payment.action_url is not None
    with pytest.raises(PaymentInProgress) as refusal:
        await engine.payments.pay(hold.id, token="tok_success")
    assert refusal.value.data["payment_id"] == paid.payment.id


async def test_a_payment_pins_its_hold_within_the_cap(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock
) -> None:
    show = await paid_show(make_show, hold_seconds=60, hold_seconds_max=600, payment_seconds=900)
    hold = await take_seats(engine, show, "A1")
    await clock.advance(50)
    await engine.payments.pay(hold.id, token="tok_challenge")
    pinned = await engine.get_hold(hold.id)
    assert pinned.expires_at == pinned.extends_until


async def test_a_lost_reply_is_found_again(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock
) -> None:
    show = await paid_show(make_show)
    hold = await take_seats(engine, show, "A1")
    paid = await engine.payments.pay(hold.id, token="tok_timeout_after")
    assert paid.booking is None
    assert paid.payment is not None
    await clock.advance(5)
    await Recovery(engine.payments).look()
    await until(engine, paid.payment.id, "captured")


async def test_late_money_gets_the_same_units(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock
) -> None:
    show = await paid_show(make_show, hold_seconds=60, hold_seconds_max=60)
    hold = await take_seats(engine, show, "A1")
    paid = await engine.payments.pay(hold.id, token="tok_timeout_after")
    assert paid.payment is not None
    await clock.advance(100)
    await Sweeper(engine.database.pool).sweep()
    await Recovery(engine.payments).look()
    await until(engine, paid.payment.id, "captured")
    after = await engine.payments.payment(paid.payment.id)
    assert after.payment is not None
    assert after.payment.late == "same_units"
    assert after.booking is not None
    assert [line.unit for line in after.booking.lines] == ["A1"]
    with pytest.raises(HoldExpired):
        await engine.confirm_hold(hold.id)


async def test_late_money_for_what_is_taken_goes_back(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock
) -> None:
    show = await paid_show(make_show, hold_seconds=60, hold_seconds_max=60)
    hold = await take_seats(engine, show, "A1")
    paid = await engine.payments.pay(hold.id, token="tok_timeout_after", idempotency_key="k")
    assert paid.payment is not None
    await clock.advance(100)
    await take_seats(engine, show, "A1", owner="ben")
    await Recovery(engine.payments).look()
    await until(engine, paid.payment.id, "voided")
    with pytest.raises(MoneyReturned):
        await engine.payments.pay(hold.id, token="tok_timeout_after", idempotency_key="k")


async def test_late_money_gets_an_equal_offer(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock
) -> None:
    show = await paid_show(
        make_show, hold_seconds=60, hold_seconds_max=60, late_payment="equal_offer"
    )
    hold = await take_seats(engine, show, "A1", "A2")
    paid = await engine.payments.pay(hold.id, token="tok_timeout_after")
    assert paid.payment is not None
    await clock.advance(100)
    await take_seats(engine, show, "A1", owner="ben")
    await Recovery(engine.payments).look()
    await until(engine, paid.payment.id, "captured")
    after = await engine.payments.payment(paid.payment.id)
    assert after.payment is not None
    assert after.payment.late == "equal_offer"
    assert after.booking is not None
    assert len(after.booking.lines) == 2
    assert "A1" not in [line.unit for line in after.booking.lines]


async def test_a_reservation_of_money_that_is_gone_undoes_the_booking(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    show = await paid_show(make_show)
    hold = await take_seats(engine, show, "A1")
    paid = await engine.payments.pay(hold.id, token="tok_capture_fails")
    assert paid.payment is not None
    assert paid.booking is not None
    await until(engine, paid.payment.id, "failed")
    booking = await engine.get_booking(paid.booking.id)
    assert booking.state == "cancelled"
    assert booking.reason == "payment_failed"
    await take_seats(engine, show, "A1", owner="ben")


async def test_in_a_batch_a_hold_that_is_not_there_leaves_the_others_theirs(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await paid_show(make_show)
    hold = await take_seats(engine, show, "A1", "A2")
    home, make = ids.parse_resource(show.id), ids.IdMaker()
    rows = await connection.fetch(
        "select outcome from bespeak.begin_payments($1, $2::bespeak.payment_request[])"
        " order by ordinal",
        home,
        [
            (make.new(home), home, which, None, "sandbox", *[None] * 5, 30, None)
            for which in (make.new(home), ids.parse(ids.HOLD, hold.id))
        ],
    )
    assert [row["outcome"] for row in rows] == ["not_found", "pending"]
    until = await connection.fetchval("select expires_at from bespeak.hold")
    assert until > hold.expires_at
    assert await connection.fetchval(
        "select array_agg(distinct expires_at) from bespeak.claim"
    ) == [until]
