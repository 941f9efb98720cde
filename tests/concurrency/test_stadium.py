"""A show is called off, and two background workers are killed over it: one in the midst of
cancelling, one that has refunds made and not written down. The next one misses none and does none
twice.
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import bespeak
from bespeak import Line, PoolPlan, Resource, Row, SeatsPlan, Section
from bespeak.payments.refunds.call_off import CalledOff
from tests.concurrency.waiting import until_somebody_waits
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems
from tests.harness.paying import PRICE, assert_money_agrees, paid_show, paying_engine
from tests.harness.shows import MakeShow, pool, seats, take

SEATS = 150
PARKED = 150
ALL = SEATS + PARKED
_PATIENCE_SECONDS = 60
_PROGRAM = Path(sys.executable).parent / "bespeak"
_PLAN = SeatsPlan(
    sections=(Section("Stand", (Row("A", SEATS),)),), pools=(PoolPlan("parking", PARKED),)
)

engine = paying_engine


@contextmanager
def working(url: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A background worker in a process of its own, which is killed at the latest at the end."""
    environment = {
        **os.environ,
        "BESPEAK_DATABASE_URL": url,
        "BESPEAK_PAYMENT_PROVIDERS": "sandbox",
        "BESPEAK_ALLOW_PRETEND_MONEY": "true",
        "BESPEAK_LOG_LEVEL": "warning",
    }
    with subprocess.Popen([_PROGRAM, "worker"], env=environment) as process:
        try:
            yield process
        finally:
            process.kill()


async def until(connection: Connection, question: str, *arguments: object) -> None:
    """Returns when the database says yes."""
    async with asyncio.timeout(_PATIENCE_SECONDS):
        while not await connection.fetchval(question, *arguments):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def until_come_to(
    engine: bespeak.Engine, show: Resource, reached: Callable[[CalledOff], bool]
) -> CalledOff:
    """How far the calling off has come, once that is far enough."""
    async with asyncio.timeout(_PATIENCE_SECONDS):
        while True:
            seen = await engine.cancellation(show.id)
            if reached(seen):
                return seen
            await asyncio.sleep(0.01)


async def sell_out(engine: bespeak.Engine, show: Resource, connection: Connection) -> None:
    """Sells every seat and every place of the pool, each to another buyer, each paid for."""

    async def buy(number: int, line: Line) -> None:
        hold = await take(engine, [line], f"buyer {number}")
        paid = await engine.payments.pay(hold.id, token="tok_success")
        assert paid.booking is not None

    lines = seats(show, *(f"A{number + 1}" for number in range(SEATS)))
    lines += [pool(show, "parking", 1)] * PARKED
    await asyncio.gather(*(buy(number, line) for number, line in enumerate(lines)))
    await until(
        connection, "select count(*) = $1 from bespeak.payment where state = 'captured'", ALL
    )


async def test_workers_that_are_killed_leave_none_out_and_do_none_twice(
    database_url: str,
    engine: bespeak.Engine,
    clock: Clock,
    make_show: MakeShow,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    show = await paid_show(make_show, plan=_PLAN)
    await sell_out(engine, show, connection)

    parked = one.transaction()
    await parked.start()
    await one.execute("select from bespeak.hold where 'parking' = any(units) limit 1 for update")
    await engine.call_off(show.id, reason="storm")
    with working(database_url) as first:
        await until_somebody_waits(connection, one)
        seen = await until_come_to(engine, show, lambda seen: seen.refunds.refunded == SEATS)
        assert (seen.bookings_done, seen.state) == (SEATS, "running")
        first.kill()
    at_bank = two.transaction()
    await at_bank.start()
    await two.execute("lock table bespeak.sandbox_refund in exclusive mode")
    await parked.rollback()

    with working(database_url) as second:
        seen = await until_come_to(engine, show, lambda seen: seen.state == "done")
        claimed = "from bespeak.refund f where f.state = 'pending' and f.tries = 1"
        await until(connection, f"select exists (select {claimed})")
        assert (seen.bookings_done, seen.refunds.refunded) == (ALL, SEATS)
        unwritten = one.transaction()
        await unwritten.start()
        await one.execute(
            "select from bespeak.payment p"
            f" where p.payment_id = (select f.payment_id {claimed} limit 1) for update"
        )
        await at_bank.rollback()
        await until_somebody_waits(connection, one)
        second.kill()
    # Else its session would only notice the death once it is let go on.
    await connection.execute(
        "select pg_terminate_backend(pid, 20000) from pg_stat_activity"
        " where $1 = any(pg_blocking_pids(pid))",
        one.get_server_pid(),
    )
    await unwritten.rollback()
    assert await connection.fetchval("select count(*) from bespeak.sandbox_refund") > SEATS
    assert (await engine.cancellation(show.id)).refunds.refunded == SEATS
    await clock.advance(60)

    with working(database_url):
        seen = await until_come_to(engine, show, lambda seen: seen.refunds.refunded == ALL)
    assert (seen.bookings_total, seen.bookings_done) == (ALL, ALL)
    assert (seen.refunds.pending, seen.refunds.failed) == (0, 0)
    assert seen.amounts.refunded == ALL * PRICE
    await assert_each_once(connection)


async def assert_each_once(connection: Connection) -> None:
    """Every booking is cancelled and every payment given back, once, with us and at the bank."""
    counts = await connection.fetchrow(
        """
        select (select count(*) from bespeak.booking where state = 'cancelled'),
            (select count(distinct payment_id) from bespeak.refund where state = 'refunded'),
            (select count(*) from bespeak.refund),
            (select count(*) from bespeak.payment where state = 'refunded'),
            (select count(distinct payment_id) from bespeak.sandbox_refund
                where state = 'refunded'),
            (select count(*) from bespeak.sandbox_refund),
            (select count(*) from bespeak.event where kind = 'cancelled'),
            (select count(*) from bespeak.event where kind = 'refunded')
        """
    )
    assert counts is not None
    assert set(counts) == {ALL}
    sums = await connection.fetchrow(
        """
        select (select sum(refunded) from bespeak.payment),
            (select sum(amount) from bespeak.sandbox_refund),
            (select sum(refunded) from bespeak.sandbox_payment)
        """
    )
    assert sums is not None
    assert set(sums) == {ALL * PRICE}
    assert await connection.fetchval("select count(*) from bespeak.claim") == 0
    assert await connection.fetchval("select count(*) from bespeak.draw") == 0
    assert await problems(connection) == []
    await assert_money_agrees(connection)
