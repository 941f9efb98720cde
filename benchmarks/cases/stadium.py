"""A sold-out stadium is called off: 100,000 bookings are cancelled and their money given back while
the background worker is killed twice. Afterwards every booking is cancelled and every payment
refunded, once, with us and at the bank.

The first seat is bought; the others are rows like it, as buying them would take minutes.
"""

import asyncio
import contextlib
import json
import subprocess
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import asyncpg

import bespeak
from benchmarks import services
from benchmarks.bespeak_server import OWN, migrated
from benchmarks.contestants import Hall
from benchmarks.database import connected, settle
from benchmarks.results import Bench, Figure, Sample, alone, median
from bespeak.inventory.resources import Price
from bespeak.inventory.shapes.registry import parse_plan
from bespeak.payments.refunds.call_off import CalledOff

STADIUM = Hall(shows=1, rows=25, seats=4000)
PRICE = 4500
KILLS = 2
_LOOK_SECONDS = 0.5
_LOOK_SECONDS_SOON = 0.05
_PATIENCE_SECONDS = 1800
# Makes of each unit in `sold` a booking that was paid for and captured, like the one that there is.
# What paying leaves in the feed is left out: nobody reads it here.
FILL = """
    create temp table sale on commit drop as
    select s.unit, bespeak.new_id(h.resource_id) as hold_id,
        bespeak.new_id(h.resource_id) as payment_id, 'buyer-' || row_number() over () as owner,
        'sbx' || replace(gen_random_uuid()::text, '-', '') as reference
    from sold s, bespeak.hold h;

    insert into bespeak.hold
    select n.* from sale s, (select t from bespeak.hold t limit 1) one,
        jsonb_populate_record(one.t, jsonb_build_object(
            'hold_id', s.hold_id, 'owner', s.owner, 'units', array[s.unit])) n;

    insert into bespeak.claim
    select n.* from sale s, (select t from bespeak.claim t limit 1) one,
        jsonb_populate_record(one.t, jsonb_build_object('hold_id', s.hold_id, 'unit', s.unit)) n;

    insert into bespeak.booking
    select n.* from sale s, (select t from bespeak.booking t limit 1) one,
        jsonb_populate_record(one.t, jsonb_build_object(
            'booking_id', s.hold_id, 'owner', s.owner)) n;

    insert into bespeak.payment
    select n.* from sale s, (select t from bespeak.payment t limit 1) one,
        jsonb_populate_record(one.t, jsonb_build_object('payment_id', s.payment_id,
            'hold_id', s.hold_id, 'owner', s.owner, 'reference', s.reference)) n;

    insert into bespeak.sandbox_payment
    select n.* from sale s, (select t from bespeak.sandbox_payment t limit 1) one,
        jsonb_populate_record(one.t, jsonb_build_object('payment_id', s.payment_id,
            'owner', s.owner, 'reference', s.reference)) n;
"""
LEADER = """
    select l.pid from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.locktype = 'advisory' and l.granted
        and (l.classid::bigint << 32) + l.objid::bigint = 7094970117
"""
# Each must be as many as there are seats.
COUNTS = """
    select (select count(*) from bespeak.booking) as bookings,
        (select count(*) from bespeak.booking where state = 'cancelled') as cancelled,
        (select count(*) from bespeak.refund) as refunds,
        (select count(*) from bespeak.refund where state = 'refunded') as refunded,
        (select count(distinct payment_id) from bespeak.refund) as of_payments,
        (select count(*) from bespeak.payment where state = 'refunded') as payments_refunded,
        (select count(*) from bespeak.sandbox_refund where state = 'refunded') as at_bank,
        (select count(distinct payment_id) from bespeak.sandbox_refund) as of_payments_at_bank,
        (select count(*) from bespeak.event where kind = 'cancelled') as told_cancelled,
        (select count(*) from bespeak.event where kind = 'refund_begun') as told_begun,
        (select count(*) from bespeak.event where kind = 'refunded') as told_refunded
"""
# Each must be the price of all seats.
SUMS = """
    select (select sum(amount)::bigint from bespeak.payment) as paid,
        (select sum(refunded)::bigint from bespeak.payment) as returned,
        (select sum(amount)::bigint from bespeak.refund) as owed,
        (select sum(amount)::bigint from bespeak.sandbox_refund) as by_bank,
        (select sum(refunded)::bigint from bespeak.sandbox_payment) as in_its_accounts
"""
# What was under way when a worker was killed waits for the end of its lease, half a minute; so the
# rate is that of the others.
MOST = 0.99
MOST_SECONDS = """
    select extract(epoch from
        percentile_disc($1::float8) within group (order by f.ended_at) - c.begun_at)
    from bespeak.refund f join bespeak.cancellation c on c.resource_id = f.called_off
    group by c.begun_at
"""
PROBLEMS = """
    select (select count(*) from bespeak.money_problems()) as of_money,
        (select count(*) from bespeak.audit()) as of_inventory
"""


@dataclass
class Stage:
    """A database with a sold-out show, and an engine that looks on."""

    engine: bespeak.Engine
    connection: "asyncpg.Connection[asyncpg.Record]"
    url: str
    show: str
    seats: int
    after_kill: list[float] = field(default_factory=list)

    async def until(self, enough: int, pause: float) -> CalledOff:
        """Looks how far it has come until so much is done."""
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while True:
                seen = await self.engine.cancellation(self.show)
                if done_of(seen) >= enough:
                    return seen
                await asyncio.sleep(pause)

    async def leader(self, before: int | None) -> int:
        """The database session of the worker that leads, once that is another than before."""
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while True:
                pid: int | None = await self.connection.fetchval(LEADER)
                if pid is not None and pid != before:
                    return pid
                await asyncio.sleep(_LOOK_SECONDS_SOON)


async def run(bench: Bench) -> list[Figure]:
    """Once: it takes a while, and has many parts."""
    async with staged(bench, STADIUM) as stage:
        began = time.perf_counter()
        done = await call_off(stage)
        seconds = time.perf_counter() - began
        await verify(stage)
        most_seconds = float(await stage.connection.fetchval(MOST_SECONDS, MOST))
    assert done.ended_at is not None
    cancelling = (done.ended_at - done.begun_at).total_seconds()
    return [
        alone("stadium called off", "s", Sample(seconds)),
        alone("stadium cancelled", "bookings/s", Sample(stage.seats / cancelling)),
        alone("stadium refunded", "refunds/s", Sample(stage.seats * MOST / most_seconds)),
        alone("stadium goes on after a kill", "s", median([Sample(s) for s in stage.after_kill])),
    ]


@contextlib.asynccontextmanager
async def staged(bench: Bench, hall: Hall) -> AsyncIterator[Stage]:
    """Sells all seats of a show, each to another buyer, each paid and captured."""
    url = await migrated(bench.database, "bespeak_stadium")
    settings = bespeak.Settings.read(
        {"BESPEAK_PAYMENT_PROVIDERS": "sandbox", "BESPEAK_ALLOW_PRETEND_MONEY": "true"}
    )
    async with (
        connected(url) as connection,
        bespeak.connect(url, settings=settings, sweep=False) as engine,
    ):
        new = bespeak.NewResource(
            name="Final", plan=parse_plan(json.dumps(hall.plan())), payment="required",
            price=Price(PRICE, "EUR"), owner_limit=None,
        )  # fmt: skip
        show = await engine.create_resource(new)
        stage = Stage(engine, connection, url, show.id, hall.rows * hall.seats)
        await _sell_out(stage, hall)
        yield stage


async def _sell_out(stage: Stage, hall: Hall) -> None:
    units = [f"{chr(65 + row)}{seat + 1}" for row in range(hall.rows) for seat in range(hall.seats)]
    line = bespeak.Line(stage.show, units[0])
    hold = await stage.engine.place_hold(owner="buyer-0", lines=[line])
    await stage.engine.payments.pay(hold.id, token="tok_success")
    captured = "select exists (select from bespeak.payment where state = 'captured')"
    async with asyncio.timeout(_PATIENCE_SECONDS):
        while not await stage.connection.fetchval(captured):  # noqa: ASYNC110
            await asyncio.sleep(_LOOK_SECONDS_SOON)
    async with stage.connection.transaction():
        await stage.connection.execute("create temp table sold (unit text) on commit drop")
        await stage.connection.copy_records_to_table("sold", records=[(one,) for one in units[1:]])
        await stage.connection.execute(FILL, timeout=_PATIENCE_SECONDS)
    await settle(stage.url)
    await _require_sound(stage)


async def call_off(stage: Stage) -> CalledOff:
    """Calls the show off and has it done, with a kill after each third of what there is to do."""
    await stage.engine.call_off(stage.show, reason="storm", refund="full")
    leader = None
    async with contextlib.AsyncExitStack() as workers:
        worker = await workers.enter_async_context(working(stage.url))
        for kill in range(1, KILLS + 1):
            leader = await stage.leader(leader)
            part = 2 * stage.seats * kill // (KILLS + 1)
            seen = await stage.until(part, _LOOK_SECONDS)
            worker.kill()
            killed = time.perf_counter()
            print(f"killed: {seen.bookings_done:,} cancelled, {seen.refunds.refunded:,} refunded")
            worker = await workers.enter_async_context(working(stage.url))
            await stage.leader(leader)
            left = done_of(await stage.engine.cancellation(stage.show))
            await stage.until(left + 1, _LOOK_SECONDS_SOON)
            stage.after_kill.append(time.perf_counter() - killed)
        return await stage.until(2 * stage.seats, _LOOK_SECONDS)


def done_of(seen: CalledOff) -> int:
    """How many bookings are cancelled, and how many refunds at an end."""
    return seen.bookings_done + seen.refunds.refunded + seen.refunds.failed


def working(url: str) -> contextlib.AbstractAsyncContextManager["subprocess.Popen[bytes]"]:
    """A background worker in a process of its own, as `bespeak serve` starts it."""
    environment = {
        "BESPEAK_DATABASE_URL": url,
        "BESPEAK_PAYMENT_PROVIDERS": "sandbox",
        "BESPEAK_ALLOW_PRETEND_MONEY": "true",
        "BESPEAK_LOG_LEVEL": "warning",
    }
    return services.process(OWN.command("worker"), environment=environment)


async def verify(stage: Stage) -> None:
    """Every booking is cancelled and every payment refunded, once, and nothing is left."""
    counts = await stage.connection.fetchrow(COUNTS, timeout=_PATIENCE_SECONDS)
    sums = await stage.connection.fetchrow(SUMS, timeout=_PATIENCE_SECONDS)
    assert counts is not None
    assert sums is not None
    if set(counts) != {stage.seats} or set(sums) != {stage.seats * PRICE}:
        raise RuntimeError(f"missing or twice: {dict(counts)}, {dict(sums)}")
    if await stage.connection.fetchval("select count(*) from bespeak.claim"):
        raise RuntimeError("seats are still taken")
    await _require_sound(stage)
    print(f"bespeak: {stage.seats:,} bookings cancelled and refunded, each once, no problems")


async def _require_sound(stage: Stage) -> None:
    problems = await stage.connection.fetchrow(PROBLEMS, timeout=_PATIENCE_SECONDS)
    if problems is None or any(problems):
        raise RuntimeError(f"money and inventory disagree: {problems and dict(problems)}")
