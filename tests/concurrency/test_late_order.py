"""Late settlements beside others who want the same units. Each takes the units of its hold anew: as
placing does, claims before pools, and each payment alone, for batches come in any order.
"""

import asyncio

import asyncpg
import pytest

import bespeak
from bespeak import ids
from bespeak.payments.ledger import SETTLE, SettleRequestRow
from bespeak.payments.providers.provider import Standing, StandingState
from tests.concurrency.waiting import until_blocked
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems, session
from tests.harness.paying import PRICE, paid_show, paying_engine, take_seats
from tests.harness.shows import MakeShow, pool, seats, take

engine = paying_engine


async def settle(connection: Connection, *payments: str, amount: int = PRICE) -> None:
    """A batch of payments whose money is there, in this order; each alone where it is to be, as the
    committer does."""
    numbers = [ids.parse(ids.PAYMENT, one) for one in payments]
    rows = [
        SettleRequestRow(
            payment_id=number, home=ids.home_of(number), standing="authorized", reference="r",
            amount=amount, currency="EUR", action_url=None, failure=None, again_seconds=30,
        )
        for number in numbers
    ]  # fmt: skip
    try:
        await connection.fetch(SETTLE.text, rows[0].home, rows)
    except asyncpg.CardinalityViolationError:
        for row in rows:
            await connection.fetch(SETTLE.text, row.home, [row])


async def end_or_wait(
    watcher: Connection, task: asyncio.Task[None], waiting: Connection, by: Connection
) -> None:
    """Returns when a task has ended, or its session waits for what the other has."""
    blocked = asyncio.create_task(until_blocked(watcher, waiting, by))
    await asyncio.wait([task, blocked], return_when=asyncio.FIRST_COMPLETED)
    blocked.cancel()
    await asyncio.gather(blocked, return_exceptions=True)


@pytest.mark.parametrize("is_guarded", [True, False])
async def test_two_late_settlements_do_not_deadlock(
    engine: bespeak.Engine,
    make_show: MakeShow,
    clock: Clock,
    database_url: str,
    connection: Connection,
    one: Connection,
    two: Connection,
    is_guarded: bool,
) -> None:
    show = await paid_show(make_show, hold_seconds=60, hold_seconds_max=60)
    payments: dict[tuple[str, str], str] = {}
    # Ben takes over what Asha let lapse, and lets it lapse too: money for both comes late.
    for owner, units in (("asha", ("A1", "A3", "A5")), ("ben", ("A1", "A5"))):
        for unit in units:
            hold = await take_seats(engine, show, unit, owner=owner)
            paid = await engine.payments.pay(hold.id, token="tok_challenge", owner=owner)
            assert paid.payment is not None
            payments[owner, unit] = paid.payment.id
        await clock.advance(61)
    first = [payments["asha", unit] for unit in ("A1", "A3", "A5")]
    second = [payments["ben", unit] for unit in ("A5", "A1")]
    if not is_guarded:  # the control
        settling_all: str = await connection.fetchval(
            "select pg_get_functiondef('bespeak.settle_payments'::regproc)"
        )
        guard = "cardinality(requests) > 1"
        assert guard in settling_all
        await connection.execute(settling_all.replace(guard, "false"))
    async with session(database_url) as gate:
        transaction = gate.transaction()
        await transaction.start()
        await gate.execute("select from bespeak.claim where unit = 'A3' for update")
        settling = asyncio.create_task(settle(one, *first))
        await until_blocked(connection, one, gate)  # it has A1 by now
        other = asyncio.create_task(settle(two, *second))
        # Unguarded it has A5 by now, and wants A1.
        await end_or_wait(connection, other, two, one)
        await transaction.commit()
    answers = await asyncio.gather(settling, other, return_exceptions=True)
    collided = [one for one in answers if isinstance(one, asyncpg.DeadlockDetectedError)]
    assert [one for one in answers if one is not None] == collided
    assert len(collided) == (0 if is_guarded else 1)
    assert await problems(connection) == []


@pytest.mark.parametrize("is_guarded", [True, False])
async def test_late_money_takes_its_units_before_the_lapsed_hold_gives_up_its_pools(
    engine: bespeak.Engine,
    make_show: MakeShow,
    clock: Clock,
    connection: Connection,
    one: Connection,
    two: Connection,
    is_guarded: bool,
) -> None:
    show = await paid_show(make_show, hold_seconds=60, hold_seconds_max=60)
    hold = await take(engine, [*seats(show, "A1", "A3"), pool(show, "floor", 2)])
    paid = await engine.payments.pay(hold.id, token="tok_challenge")
    assert paid.payment is not None
    amount = paid.payment.amount.amount
    await clock.advance(61)
    # A3 is not the lapsed hold's any more: whoever ends that hold passes over it.
    await engine.release_hold((await take(engine, seats(show, "A3"), "cleo")).id)
    if not is_guarded:  # the control: the lapsed hold ends first, pools and all
        retaking: str = await connection.fetchval(
            "select pg_get_functiondef('bespeak.retake'::regproc)"
        )
        first = "again.hold_id := bespeak.new_id"
        assert first in retaking
        ending = (
            "perform bespeak.end_holds('expired', v_now, "
            "array[old.resource_id], array[old.hold_id], '{}')"
        )
        await connection.execute(retaking.replace(first, f"{ending}; {first}"))
    async with two.transaction():
        await engine.place_hold(owner="ben", lines=seats(show, "A3"), connection=two)
        settling = asyncio.create_task(settle(one, paid.payment.id, amount=amount))
        await until_blocked(connection, one, two)  # it has A1 by now, and wants A3
        drawing = engine.place_hold(owner="ben", lines=[pool(show, "floor", 1)], connection=two)
        (drawn,) = await asyncio.gather(drawing, return_exceptions=True)
    (settled,) = await asyncio.gather(settling, return_exceptions=True)
    collided = [isinstance(it, asyncpg.DeadlockDetectedError) for it in (drawn, settled)]
    assert sum(collided) == (0 if is_guarded else 1)
    if is_guarded:
        late = await engine.payments.payment(paid.payment.id)
        assert late.payment is not None
        assert late.payment.late == "refund"
    assert await problems(connection) == []


async def test_late_money_in_a_batch_with_others_is_settled_like_alone(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock, connection: Connection
) -> None:
    show = await paid_show(make_show, hold_seconds=60, hold_seconds_max=60)
    works = []
    for unit in ("A1", "A3", "A5", "A7"):
        if unit == "A7":
            await clock.advance(61)  # only this one is in time
        hold = await take_seats(engine, show, unit)
        paid = await engine.payments.pay(hold.id, token="tok_challenge")
        assert paid.payment is not None
        works.append((await engine.payments.ledger.paid(paid.payment.id, None))[0])
    answers = await asyncio.gather(
        *(
            engine.payments.ledger.settle(
                work,
                Standing(
                    payment_id=work.id,
                    reference="r",
                    state=StandingState.AUTHORIZED,
                    amount=work.amount,
                ),
            )
            for work in works
        )
    )
    assert all(paid.booking is not None for _, paid in answers)
    late = [paid.payment.late for _, paid in answers if paid.payment is not None]
    assert late == ["same_units"] * 3 + [None]
    assert await problems(connection) == []
