"""The refund job: each refund is made once, whatever becomes of the process, the reply, or the
provider in between.
"""

import asyncio

import pytest

import bespeak
from bespeak import Booking, Resource, ids
from bespeak.errors import NotOwner
from bespeak.payments.errors import RefundNotFailed, RefundNotFound
from bespeak.payments.providers.provider import (
    Charge,
    ProviderRefused,
    ProviderUnavailable,
    RefundState,
    Standing,
)
from bespeak.payments.providers.sandbox.bank import Sandbox
from bespeak.payments.refunds.record import Refund
from bespeak.payments.refunds.refunder import Refunder
from tests.harness.clock import START, Clock
from tests.harness.database import Connection
from tests.harness.paying import PRICE, assert_money_agrees, paid_show, paying_engine
from tests.harness.refunding import paid_booking, refund_all, settled
from tests.harness.shows import MakeShow, seats

HOUR = 3600

engine = paying_engine


@pytest.fixture
async def show(make_show: MakeShow) -> Resource:
    return await paid_show(make_show)


@pytest.fixture
def bank(engine: bespeak.Engine) -> Sandbox:
    found = engine.payments.providers["sandbox"]
    assert isinstance(found, Sandbox)
    return found


async def cancelled(
    engine: bespeak.Engine,
    show: Resource,
    token: str = "tok_success",  # noqa: S107 (a token of the sandbox)
    unit: str = "A1",
) -> tuple[Booking, Refund]:
    """A booking that is cancelled, with its refund that nobody has made yet."""
    booking = await paid_booking(engine, seats(show, unit), token=token)
    booking = await engine.cancel_booking(booking.id, reason="ill")
    return booking, await refund_of(engine, booking)


async def refund_of(engine: bespeak.Engine, booking: Booking) -> Refund:
    (refund,) = await engine.refunds.of_booking(booking.id)
    return refund


async def given_back(connection: Connection) -> list[tuple[str, int]]:
    """What the bank has really given back."""
    rows = await connection.fetch("select state, amount from bespeak.sandbox_refund order by 1")
    return [(row["state"], row["amount"]) for row in rows]


async def test_a_refund_that_fails_stays_promised_until_it_is_tried_again(
    engine: bespeak.Engine, show: Resource, connection: Connection, clock: Clock
) -> None:
    booking, refund = await cancelled(engine, show, "tok_refund_fails")
    await refund_all(engine)
    after = await engine.refunds.get(refund.id)
    assert (after.state, after.failure, after.ended_at) == ("failed", "refund_declined", START)
    payment = await engine.payments.payment_of(booking)
    assert payment is not None
    assert (payment.state, payment.refunding, payment.refunded) == ("captured", PRICE, 0)

    retried = await engine.refunds.retry(refund.id)
    assert (retried.id, retried.state, retried.failure) == (refund.id, "pending", None)
    again = await engine.refunds.retry(refund.id)  # it is pending already
    assert again.state == "pending"
    await connection.execute("update bespeak.sandbox_payment set outcome = 'success'")
    await connection.execute("delete from bespeak.sandbox_refund")  # the bank changed its mind
    await refund_all(engine)
    await settled(engine, booking, "refunded")
    with pytest.raises(RefundNotFailed):
        await engine.refunds.retry(refund.id)
    kinds = await connection.fetch(
        "select kind from bespeak.event where kind like 'refund%' order by position"
    )
    assert [row["kind"] for row in kinds] == ["refund_begun", "refund_failed", "refunded"]
    await assert_money_agrees(connection)


async def test_a_lost_refund_is_asked_for_again(
    engine: bespeak.Engine, show: Resource, connection: Connection, clock: Clock
) -> None:
    booking, refund = await cancelled(engine, show, "tok_refund_fails_once")
    await refund_all(engine)
    assert (await engine.refunds.get(refund.id)).state == "pending"
    await refund_all(engine)  # it is not due yet
    assert await given_back(connection) == [("unheard", PRICE)]
    await clock.advance(31)
    await refund_all(engine)
    await settled(engine, booking, "refunded")
    assert await given_back(connection) == [("refunded", PRICE)]


async def test_what_the_provider_is_still_at_is_looked_at_again(
    engine: bespeak.Engine,
    show: Resource,
    bank: Sandbox,
    connection: Connection,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    booking, refund = await cancelled(engine, show, "tok_refund_pending")
    asked = 0
    refund_there = bank.refund

    async def counted(charge: Charge, refund_id: str, amount: int) -> Standing:
        nonlocal asked
        asked += 1
        return await refund_there(charge, refund_id, amount)

    monkeypatch.setattr(bank, "refund", counted)
    await refund_all(engine)
    assert (await engine.refunds.get(refund.id)).state == "pending"
    await connection.execute("update bespeak.sandbox_refund set state = 'refunded', due_at = null")
    await connection.execute("update bespeak.sandbox_payment set refunded = refunding")
    await clock.advance(3)
    await refund_all(engine)
    await settled(engine, booking, "refunded")
    assert asked == 1


async def test_a_provider_that_is_away_is_asked_less_and_less_often(
    engine: bespeak.Engine, show: Resource, bank: Sandbox, connection: Connection, clock: Clock
) -> None:
    booking, _ = await cancelled(engine, show)
    bank.is_away = True
    waits = []
    for _ in range(12):
        await refund_all(engine)
        due = await connection.fetchval("select due_at from bespeak.refund")
        waits.append((due - clock.now).total_seconds())
        await clock.set(due)
    assert waits == [30, 60, 120, 240, 480, 960, 1920, *[HOUR] * 5]
    bank.is_away = False
    await refund_all(engine)
    await settled(engine, booking, "refunded")
    await assert_money_agrees(connection)


async def test_who_dies_after_the_money_went_back_does_not_send_it_twice(
    engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    booking, refund = await cancelled(engine, show)

    async def die(*_: object) -> None:
        raise asyncio.CancelledError

    with monkeypatch.context() as dying:
        dying.setattr(engine.refunds, "settle", die)
        with pytest.raises(asyncio.CancelledError):
            await refund_all(engine)
    assert await given_back(connection) == [("refunded", PRICE)]
    assert (await engine.refunds.get(refund.id)).state == "pending"
    await clock.advance(31)
    await refund_all(engine)
    await settled(engine, booking, "refunded")
    assert await given_back(connection) == [("refunded", PRICE)]
    await assert_money_agrees(connection)


@pytest.mark.parametrize("was_done", [True, False])
async def test_a_refusal_is_believed_only_after_a_look(
    engine: bespeak.Engine,
    show: Resource,
    bank: Sandbox,
    monkeypatch: pytest.MonkeyPatch,
    was_done: bool,
) -> None:
    booking, refund = await cancelled(engine, show)
    refund_there = bank.refund

    async def refuse(charge: Charge, refund_id: str, amount: int) -> Standing:
        if was_done:
            await refund_there(charge, refund_id, amount)
        raise ProviderRefused("no", failure="refund_window_over")

    monkeypatch.setattr(bank, "refund", refuse)
    await refund_all(engine)
    after = await engine.refunds.get(refund.id)
    if was_done:
        assert after.state == "refunded"
        await settled(engine, booking, "refunded")
    else:
        assert (after.state, after.failure) == ("failed", "refund_window_over")


async def test_a_refusal_that_cannot_be_looked_into_decides_nothing(
    engine: bespeak.Engine, show: Resource, bank: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, refund = await cancelled(engine, show)

    async def refuse(*_: object) -> Standing:
        raise ProviderRefused("no")

    async def away(_charge: Charge) -> Standing | None:
        raise ProviderUnavailable

    monkeypatch.setattr(bank, "refund", refuse)
    monkeypatch.setattr(bank, "lookup", away)
    await refund_all(engine)
    assert (await engine.refunds.get(refund.id)).state == "pending"
    monkeypatch.setattr(bank, "lookup", refuse)
    await refund_all(engine)
    assert (await engine.refunds.get(refund.id)).state == "pending"


async def test_what_ended_is_not_settled_again(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    booking, refund = await cancelled(engine, show)
    (work,) = await engine.refunds.due(10)
    await engine.refunds.settle(work, RefundState.REFUNDED, None)
    for state in RefundState:
        after = await engine.refunds.settle(work, state, "late")
        assert (after.state, after.failure) == ("refunded", None)
    payment = await engine.payments.payment_of(booking)
    assert payment is not None
    assert payment.refunded == PRICE
    assert refund.id == after.id
    assert (
        await connection.fetchval("select count(*) from bespeak.event where kind = 'refunded'") == 1
    )


async def test_several_refunds_of_one_payment_settle_in_one_batch(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    booking = await paid_booking(engine, seats(show, "A1", "A2", "A3"))
    for unit in ("A1", "A2", "A3"):
        await engine.cancel_booking(booking.id, reason="ill", lines=seats(show, unit))
    works = await engine.refunds.due(10)
    assert len(works) == 3
    reports = [(work.number, work.payment.home, "refunded", None, None) for work in works]
    await connection.execute(
        "select * from bespeak.settle_refunds($1, $2::bespeak.refund_report[])",
        works[0].payment.home,
        reports,
    )
    await settled(engine, booking, "refunded")


async def test_many_at_once_by_several_who_look(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
) -> None:
    show = await paid_show(make_show)
    bookings = [
        await paid_booking(engine, seats(show, f"A{n}"), owner=f"o{n}") for n in range(1, 21)
    ]
    for booking in bookings:
        await engine.cancel_booking(booking.id, reason="ill")
    await asyncio.gather(
        *(Refunder(engine.payments, one.refunds).look() for one in (engine, second_engine) * 3)
    )
    assert await given_back(connection) == [("refunded", PRICE)] * 20
    for booking in bookings:
        await settled(engine, booking, "refunded")
    await assert_money_agrees(connection)


async def test_one_that_cannot_go_on_holds_up_no_other(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    one, first = await cancelled(engine, show, unit="A1")
    two, _ = await cancelled(engine, show, unit="A2")
    await connection.execute(
        "update bespeak.payment set provider = 'gone' where hold_id = $1",
        ids.parse("bkg", one.id),
    )
    await refund_all(engine)
    await settled(engine, two, "refunded")
    assert (await engine.refunds.get(first.id)).state == "pending"


async def test_a_refund_is_its_owners(engine: bespeak.Engine, show: Resource) -> None:
    booking, refund = await cancelled(engine, show)
    assert await engine.refunds.get(refund.id, owner="asha") == refund
    assert await engine.refunds.of_payment(refund.payment_id) == [refund]
    assert refund.booking_id == booking.id
    with pytest.raises(NotOwner):
        await engine.refunds.get(refund.id, owner="ben")
    unknown = refund.id[:-1] + ("0" if refund.id[-1] != "0" else "1")
    with pytest.raises(RefundNotFound):
        await engine.refunds.get(unknown)
    with pytest.raises(RefundNotFound):
        await engine.refunds.retry(unknown)
