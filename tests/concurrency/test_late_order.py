"""Late settlements of several payments at once. Each takes the units of its hold anew, so two
batches that come in different orders would lock the same units in different ones: each is settled
alone.
"""

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import pytest

import bespeak
from bespeak import ids
from bespeak.payments.ledger import SETTLE, SettleRequestRow
from bespeak.payments.providers.provider import Standing, StandingState
from tests.concurrency.waiting import until_blocked
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems, session
from tests.harness.paying import PRICE, paid_show, paying, take_seats
from tests.harness.shows import MakeShow


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[bespeak.Engine]:
    async with paying(database_url) as made:
        yield made


async def settle(connection: Connection, *payments: str) -> None:
    """A batch of payments whose money is there, in this order; each alone where it is to be, as the
    committer does."""
    numbers = [ids.parse(ids.PAYMENT, one) for one in payments]
    rows = [
        SettleRequestRow(
            payment_id=number, home=ids.home_of(number), standing="authorized", reference="r",
            amount=PRICE, currency="EUR", action_url=None, failure=None, again_seconds=30,
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
