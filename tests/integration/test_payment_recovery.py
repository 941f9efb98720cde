"""Payments whose provider, or whose database, is away, late, or of another mind: what was begun is
finished or unwound, and no money stays where it should not.
"""

import msgspec
import pytest

import bespeak
from bespeak.money import Money
from bespeak.payments.errors import (
    MoneyReturned,
    ProviderUnknown,
)
from bespeak.payments.providers.provider import Standing
from bespeak.payments.recovery import Recovery
from bespeak.payments.refunds.refunder import Refunder
from tests.harness.clock import Clock
from tests.harness.database import Connection, snapshot
from tests.harness.fragile import FragileWire
from tests.harness.paying import PAID, PRICE, Pay, paid_show, paying_engine, take_seats
from tests.harness.settling import Between, drain, due_in, kinds, until
from tests.harness.shows import MakeShow
from tests.harness.telling import bank_of, payment_of

pytestmark = pytest.mark.usefixtures("money_agrees")

engine = paying_engine

# Providers that are away, or change their mind.


async def test_a_provider_down_for_minutes_is_asked_less_and_less_often(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock, connection: Connection
) -> None:
    show = await paid_show(make_show)
    hold = await take_seats(engine, show, "A1")
    bank_of(engine).is_away = True
    paid = await engine.payments.pay(hold.id, token="tok_success", idempotency_key="k")
    assert paid.payment is not None and paid.booking is None
    pauses = [await due_in(connection)]
    for _ in range(6):
        await clock.advance(pauses[-1])
        await Recovery(engine.payments).look()
        pauses.append(await due_in(connection))
    assert pauses == [2, 4, 8, 16, 32, 60, 60]
    again = await engine.payments.pay(hold.id, token="tok_success", idempotency_key="k")
    assert again.payment is not None and again.booking is None
    bank_of(engine).is_away = False
    await drain(engine, clock)
    after = await engine.payments.pay(hold.id, token="tok_success", idempotency_key="k")
    assert after.booking is not None and after.replayed


async def test_money_is_taken_when_the_provider_is_back(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock, connection: Connection
) -> None:
    show = await paid_show(make_show)
    hold = await take_seats(engine, show, "A1")

    async def away(standing: Standing) -> Standing:
        bank_of(engine).is_away = True
        return standing

    Between(bank_of(engine), "authorize", away)
    paid = await engine.payments.pay(hold.id, token="tok_success")
    assert paid.payment is not None and paid.booking is not None
    pauses = [await due_in(connection)]
    for _ in range(4):
        await clock.advance(pauses[-1])
        await Recovery(engine.payments).look()
        pauses.append(await due_in(connection))
    assert pauses == [15, 30, 60, 120, 240]
    assert (await engine.get_booking(paid.booking.id)).state == "confirmed"
    bank_of(engine).is_away = False
    await drain(engine, clock)
    assert (await payment_of(engine, paid.payment.id)).state == "captured"


async def test_a_payment_that_never_arrived_is_looked_for_once_more(
    engine: bespeak.Engine, pay: Pay, clock: Clock, connection: Connection
) -> None:
    _, payment_id = await pay("tok_timeout_before")
    clock.shared_with(engine)
    await clock.advance(3600)
    await Recovery(engine.payments).look()
    assert (await payment_of(engine, payment_id)).failure == "abandoned"
    assert await due_in(connection) == 3600
    await drain(engine, clock)
    assert (await payment_of(engine, payment_id)).state == "failed"


@pytest.mark.parametrize("is_taken", [False, True])
async def test_money_that_turns_up_after_all_is_booked_or_goes_back(
    is_taken: bool, engine: bespeak.Engine, pay: Pay, clock: Clock
) -> None:
    """The bank had the order and did not know it when it was asked; meanwhile the buyer may have
    paid otherwise."""
    hold, payment_id = await pay("tok_timeout_after")

    async def unknown(standing: Standing | None) -> None:
        return None

    between = Between(bank_of(engine), "lookup", unknown)
    await clock.advance(3600)
    clock.shared_with(engine)
    await Recovery(engine.payments).look()
    assert (await payment_of(engine, payment_id)).state == "failed"
    between.leave()
    if is_taken:
        bens = await engine.place_hold(owner="ben", lines=hold.lines)
        await engine.payments.pay(bens.id, token="tok_success")
    await drain(engine, clock)
    after = await engine.payments.payment(payment_id)
    assert after.payment is not None
    assert after.payment.state == ("voided" if is_taken else "captured")
    assert (after.booking is None) is is_taken


async def test_the_second_payment_of_a_hold_goes_back(
    engine: bespeak.Engine, pay: Pay, clock: Clock, connection: Connection
) -> None:
    """The first came to nothing for us, the second paid; then the first turns up."""
    hold, first_id = await pay(
        "tok_timeout_after", hold_seconds=1500, hold_seconds_max=1500, payment_seconds=60
    )

    async def unknown(standing: Standing | None) -> None:
        return None

    # The window is over long before the hold is.
    await connection.execute(
        "update bespeak.payment set window_ends_at = window_ends_at - interval '1400 seconds'"
    )
    between = Between(bank_of(engine), "lookup", unknown)
    await clock.advance(200)
    clock.shared_with(engine)
    await Recovery(engine.payments).look()
    assert (await payment_of(engine, first_id)).state == "failed"
    between.leave()
    second = await engine.payments.pay(hold.id, token="tok_success")
    assert second.booking is not None and second.payment is not None
    await until(engine, second.payment.id, "captured")
    await drain(engine, clock)
    assert (await payment_of(engine, first_id)).state == "voided"
    assert (await payment_of(engine, first_id)).late == "refund"
    assert (await engine.get_booking(second.booking.id)).state == "confirmed"


async def test_the_capture_of_a_voided_authorization_undoes_the_booking(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await paid_show(make_show)
    hold = await take_seats(engine, show, "A1")
    paid = await engine.payments.pay(hold.id, token="tok_capture_fails")
    assert paid.payment is not None and paid.booking is not None
    await until(engine, paid.payment.id, "failed")
    booking = await engine.get_booking(paid.booking.id)
    assert (booking.state, booking.reason) == ("cancelled", "payment_failed")
    assert (await kinds(connection))[-2:] == ["payment_failed", "cancelled"]
    again = await take_seats(engine, show, "A1", owner="ben")
    assert (await engine.payments.pay(again.id, token="tok_success")).booking is not None


async def test_another_amount_than_was_asked_for_pays_for_nothing(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await paid_show(make_show)
    hold = await take_seats(engine, show, "A1")

    async def less(standing: Standing) -> Standing:
        return msgspec.structs.replace(standing, amount=Money(PRICE - 1, "EUR"))

    Between(bank_of(engine), "authorize", less)
    with pytest.raises(MoneyReturned) as refusal:
        await engine.payments.pay(hold.id, token="tok_success")
    assert refusal.value.data["failure"] == "amount_mismatch"
    await Recovery(engine.payments).look()
    assert (await payment_of(engine, str(refusal.value.data["payment_id"]))).state == "voided"
    assert await connection.fetchval("select count(*) from bespeak.booking") == 0


# The database.


async def test_the_lost_answer_of_the_database_costs_the_buyer_nothing(
    database_url: str, engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await paid_show(make_show)
    hold = await take_seats(engine, show, "A1")
    wire = FragileWire(database_url)
    await wire.mend()
    try:
        async with bespeak.connect(wire.url, settings=PAID, sweep=False) as shaken:
            wire.arm("bespeak.begin_payments(", after=True)
            paid = await shaken.payments.pay(hold.id, token="tok_success")
            assert wire.broken == 1
            assert paid.booking is not None and not paid.replayed
    finally:
        await wire.cut()
    assert await connection.fetchval("select count(*) from bespeak.sandbox_payment") == 1


async def test_an_unknown_provider_is_refused_before_anything_is_written(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await paid_show(make_show)
    hold = await take_seats(engine, show, "A1")
    before = await snapshot(connection)
    with pytest.raises(ProviderUnknown) as refusal:
        await engine.payments.pay(hold.id, token="tok_success", provider="nobody")
    assert refusal.value.data["providers"] == ["sandbox"]
    assert await snapshot(connection) == before


# Cancelled before its money was taken.


@pytest.mark.parametrize("token", ["tok_success", "tok_capture_fails"])
async def test_a_booking_cancelled_before_its_money_was_taken(
    token: str, engine: bespeak.Engine, make_show: MakeShow, clock: Clock, connection: Connection
) -> None:
    show = await paid_show(make_show)
    hold = await take_seats(engine, show, "A1")

    async def away(standing: Standing) -> Standing:
        bank_of(engine).is_away = True
        return standing

    between = Between(bank_of(engine), "authorize", away)
    paid = await engine.payments.pay(hold.id, token=token)
    between.leave()
    assert paid.payment is not None and paid.booking is not None
    await engine.cancel_booking(paid.booking.id, reason="ill", refund="full")
    await Refunder(engine.payments, engine.refunds).look()
    bank_of(engine).is_away = False
    await drain(engine, clock)
    await clock.advance(3600)
    await Refunder(engine.payments, engine.refunds).look()
    after = await payment_of(engine, paid.payment.id)
    bank = await connection.fetchrow("select state, refunded from bespeak.sandbox_payment")
    assert bank is not None
    if token == "tok_success":
        assert (after.state, after.refunded, bank["refunded"]) == ("refunded", PRICE, PRICE)
    else:
        assert (after.state, after.refunded, bank["state"]) == ("failed", 0, "voided")
    assert (await kinds(connection)).count("cancelled") == 1
