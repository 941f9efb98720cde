"""Payments that go wrong on the buyer's side, in each way that they do: nobody is charged for
nothing, nothing is booked for nothing, and the buyer is told.
"""

import asyncio

import pytest

import bespeak
from bespeak.errors import HoldConfirmed, NotOwner
from bespeak.money import Money
from bespeak.payments.errors import (
    MoneyReturned,
    PaymentDeclined,
    PaymentInProgress,
)
from bespeak.payments.payment import Paid
from bespeak.payments.providers.provider import Charge, StandingState
from bespeak.payments.recovery import Recovery
from bespeak.reservations.sweeper import Sweeper
from tests.harness.clock import Clock
from tests.harness.database import Connection, snapshot
from tests.harness.paying import PRICE, Pay, paid_show, paying_engine, take_seats
from tests.harness.settling import drain, kinds, until
from tests.harness.shows import MakeShow
from tests.harness.telling import bank_of, payment_of

pytestmark = pytest.mark.usefixtures("money_agrees")

engine = paying_engine

# The hold while its payment is under way.


async def test_a_decline_takes_no_money_and_keeps_the_hold(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await paid_show(make_show)
    hold = await take_seats(engine, show, "A1")
    for token in ("tok_declined", "tok_insufficient_funds", "tok_expired_card"):
        with pytest.raises(PaymentDeclined) as refusal:
            await engine.payments.pay(hold.id, token=token)
        assert refusal.value.data["failure"] == token.removeprefix("tok_")
        assert refusal.value.status == 402
    assert (await engine.get_hold(hold.id)).state == "held"
    assert await connection.fetchval(
        "select bool_and(state = 'failed' and step is null) from bespeak.payment"
    )
    assert (await engine.payments.pay(hold.id, token="tok_success")).booking is not None


async def test_a_payment_under_way_keeps_its_hold(
    engine: bespeak.Engine, pay: Pay, clock: Clock
) -> None:
    hold, payment_id = await pay(hold_seconds=60, hold_seconds_max=1200, payment_seconds=900)
    await clock.advance(300)
    assert await Sweeper(engine.database.pool).sweep() == (0, 0.5)
    await bank_of(engine).decide(payment_id, approve=True)
    await drain(engine, clock)
    after = await engine.payments.payment(payment_id)
    assert after.payment is not None and after.payment.late is None
    assert after.booking is not None and after.booking.hold_id == hold.id


async def test_at_its_cap_the_hold_lapses_and_late_money_goes_back(
    engine: bespeak.Engine, pay: Pay, clock: Clock
) -> None:
    hold, payment_id = await pay("tok_timeout_after", hold_seconds=60, hold_seconds_max=90)
    await clock.advance(91)
    assert (await Sweeper(engine.database.pool).sweep())[0] == 1
    await engine.place_hold(owner="ben", lines=hold.lines)
    await drain(engine, clock)
    assert (await payment_of(engine, payment_id)).state == "voided"


async def test_a_challenge_that_nobody_answers_is_given_up(
    engine: bespeak.Engine, pay: Pay, clock: Clock
) -> None:
    _, payment_id = await pay()
    await clock.advance(3600)
    await drain(engine, clock)
    after = await payment_of(engine, payment_id)
    assert (after.state, after.failure) == ("failed", "abandoned")
    # Too late: the bank does not take it any more.
    await bank_of(engine).decide(payment_id, approve=True)
    charge = Charge(payment_id=payment_id, amount=Money(PRICE, "EUR"))
    standing = await bank_of(engine).lookup(charge)
    assert standing is not None and standing.state is StandingState.VOIDED


async def test_a_hold_released_while_it_is_being_paid_is_not_booked(
    engine: bespeak.Engine, pay: Pay, clock: Clock, connection: Connection
) -> None:
    hold, payment_id = await pay(late_payment="equal_offer")
    await engine.release_hold(hold.id)
    await take_seats(engine, await engine.get_resource(hold.lines[0].resource_id), "A1", owner="b")
    await bank_of(engine).decide(payment_id, approve=True)
    await drain(engine, clock)
    assert (await payment_of(engine, payment_id)).state == "voided"
    assert await connection.fetchval("select count(*) from bespeak.booking") == 0
    with pytest.raises(MoneyReturned):
        await engine.payments.pay(hold.id, token="tok_challenge", idempotency_key="k")


async def test_who_released_the_hold_does_not_get_it_back(
    engine: bespeak.Engine, pay: Pay, clock: Clock
) -> None:
    hold, payment_id = await pay()
    await engine.release_hold(hold.id)
    await bank_of(engine).decide(payment_id, approve=True)
    await drain(engine, clock)
    after = await engine.payments.payment(payment_id)
    assert after.payment is not None and after.payment.state == "voided"
    assert after.booking is None


# Repeats, and others.


@pytest.mark.parametrize("keys", [("k", "k"), ("k", "l"), (None, None)])
async def test_two_processes_pay_for_a_hold_at_once(
    keys: tuple[str | None, str | None],
    engine: bespeak.Engine,
    other: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
) -> None:
    show = await paid_show(make_show)
    hold = await take_seats(engine, show, "A1")
    answers = await asyncio.gather(
        engine.payments.pay(hold.id, token="tok_success", idempotency_key=keys[0]),
        other.payments.pay(hold.id, token="tok_success", idempotency_key=keys[1]),
        return_exceptions=True,
    )
    refused = [one for one in answers if isinstance(one, BaseException)]
    assert all(isinstance(one, PaymentInProgress | HoldConfirmed) for one in refused)
    assert len(refused) == (0 if keys[0] == keys[1] == "k" else 1)
    assert await connection.fetchval("select count(*) from bespeak.sandbox_payment") == 1
    (payment,) = await connection.fetch("select payment_id from bespeak.payment")
    paid = next(one for one in answers if isinstance(one, Paid))
    assert paid.payment is not None
    await until(engine, paid.payment.id, "captured")
    assert payment is not None
    assert (await kinds(connection)).count("confirmed") == 1


async def test_nobody_pays_for_the_hold_of_another(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await paid_show(make_show)
    hold = await take_seats(engine, show, "A1", owner="asha")
    before = await snapshot(connection)
    with pytest.raises(NotOwner):
        await engine.payments.pay(hold.id, token="tok_success", owner="ben")
    assert await snapshot(connection) == before


async def test_the_payment_token_of_another_pays_for_nothing(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    show = await paid_show(make_show)
    token = await bank_of(engine).make_token("ben", "success")
    ashas = await take_seats(engine, show, "A1", owner="asha")
    with pytest.raises(PaymentDeclined) as refusal:
        await engine.payments.pay(ashas.id, token=token, owner="asha")
    assert refusal.value.data["failure"] == "token_not_yours"
    bens = await take_seats(engine, show, "A2", owner="ben")
    assert (await engine.payments.pay(bens.id, token=token, owner="ben")).booking is not None


async def test_two_recoveries_at_once_book_once(
    engine: bespeak.Engine,
    other: bespeak.Engine,
    pay: Pay,
    clock: Clock,
    connection: Connection,
) -> None:
    _, payment_id = await pay("tok_timeout_after")
    await clock.advance(5)
    await asyncio.gather(Recovery(engine.payments).look(), Recovery(other.payments).look())
    await until(engine, payment_id, "captured")
    assert (await kinds(connection)).count("payment_authorized") == 1
    assert (await kinds(connection)).count("payment_captured") == 1
