"""A change of plan while holds are in flight: no claim on a unit that the new plan lacks."""

import asyncio

import asyncpg
import pytest

import bespeak
from bespeak import Hold, PoolPlan, Resource, ResourceChange, Row, SeatsPlan, Section, ids
from bespeak.errors import PlanChanged, ResourceInUse
from bespeak.inventory import blocks, resource_changes, resources
from bespeak.inventory.blocks import BlockLine
from bespeak.reservations.judgement import sale_context
from tests.concurrency.waiting import meet, until_blocked
from tests.harness.database import Connection, problems
from tests.harness.shows import MakeShow, seats, take

SMALLER = SeatsPlan(
    sections=(Section("Stalls", (Row("A", 19),)),),
    pools=(PoolPlan("floor", 5), PoolPlan("gallery", 3)),
)


async def test_a_hold_in_flight_keeps_its_seat_in_the_plan(
    engine: bespeak.Engine, show: Resource, connection: Connection, one: Connection, two: Connection
) -> None:
    answer = await meet(
        connection,
        one,
        take(engine, seats(show, "A20"), connection=one),
        two,
        resource_changes.update(two, show.id, ResourceChange(plan=SMALLER)),
    )
    assert isinstance(answer, ResourceInUse)
    assert await problems(connection) == []
    await take(engine, seats(show, "B3"), "bela")


async def test_a_plan_that_is_being_changed_holds_nobody_to_the_old_one(
    engine: bespeak.Engine, show: Resource, connection: Connection, one: Connection, two: Connection
) -> None:
    await take(engine, seats(show, "A1"), "cleo", connection=two)  # the plan is cached from here
    changing = one.transaction()
    await changing.start()
    await resource_changes.update(one, show.id, ResourceChange(plan=SMALLER))
    asked = asyncio.create_task(take(engine, seats(show, "A20"), "asha", connection=two))
    await asyncio.sleep(0)
    await changing.commit()
    (answer,) = await asyncio.gather(asked, return_exceptions=True)
    units = await connection.fetchval(
        "select array_agg(unit) from bespeak.claim where unit not in"
        " (select unit from bespeak.resource r, bespeak.plan_units(r.plan))"
    )
    assert units is None
    assert not isinstance(answer, Hold)


async def test_control_a_change_that_does_not_look_leaves_a_claim_outside_the_plan(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    await take(engine, seats(show, "A20"))
    await connection.execute(
        "update bespeak.resource set plan = jsonb_set(plan, '{sections,0,rows,0,seats}', '19')"
    )
    assert await connection.fetchval(
        "select count(*) from bespeak.claim where unit not in"
        " (select unit from bespeak.resource r, bespeak.plan_units(r.plan))"
    )


async def test_a_change_of_one_plan_waits_for_holds_of_that_resource_alone(
    engine: bespeak.Engine, make_show: MakeShow, one: Connection, two: Connection
) -> None:
    """One session is idle in a transaction with a hold on the first show: the plan of the second
    is changed, and the third is sold, as if it was not there."""
    first, second, third = [await make_show() for _ in range(3)]
    async with one.transaction(), asyncio.timeout(20):
        await take(engine, seats(first, "A1"), "asha", connection=one)
        await resource_changes.update(two, second.id, ResourceChange(plan=SMALLER))
        await take(engine, seats(third, "A1"), "bela", connection=two)


async def test_a_change_that_waits_lets_holds_of_its_resource_through(
    engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    one: Connection,
    two: Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A lock that waits makes all that come after it wait. So it waits in short turns."""
    monkeypatch.setattr(
        resource_changes, "_LOCK_TURNS", 1000
    )  # it does not give up before the test looks
    async with one.transaction():
        await take(engine, seats(show, "A1"), "asha", connection=one)
        changing = asyncio.create_task(
            resource_changes.update(two, show.id, ResourceChange(plan=SMALLER))
        )
        await until_blocked(connection, two, one)
        await take(engine, seats(show, "A2"), "bela")
        assert not changing.done()
    assert (await changing).plan == SMALLER


async def test_a_change_gives_up_on_a_hold_that_stays_in_flight(
    engine: bespeak.Engine,
    show: Resource,
    one: Connection,
    two: Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(resource_changes, "_LOCK_TURNS", 2)
    async with one.transaction():
        await take(engine, seats(show, "A1"), "asha", connection=one)
        with pytest.raises(PlanChanged):
            await resource_changes.update(two, show.id, ResourceChange(plan=SMALLER))
    assert (await resources.get(two, show.id)).plan == show.plan


async def test_control_a_lock_that_waits_stops_who_comes_after(
    show: Resource, connection: Connection, one: Connection, two: Connection
) -> None:
    number = ids.parse_resource(show.id)
    async with one.transaction():
        await one.execute("select bespeak.keep_plans(array[$1::bigint])", number)
        waiting = asyncio.create_task(two.execute("select bespeak.lock_plan($1, 60000)", number))
        await until_blocked(connection, two, one)
        await connection.execute("set lock_timeout = '20ms'")
        with pytest.raises(asyncpg.LockNotAvailableError):
            await connection.execute("select bespeak.keep_plans(array[$1::bigint])", number)
    await waiting


async def test_a_block_is_of_the_plan_that_it_was_judged_by(
    engine: bespeak.Engine, show: Resource, connection: Connection, one: Connection, two: Connection
) -> None:
    ready = resources.ready_resource(show)
    sale = sale_context(ready, engine.clock.now())
    answer = await meet(
        connection,
        one,
        resource_changes.update(one, show.id, ResourceChange(plan=SMALLER)),
        two,
        blocks.block(two, ready, sale, [BlockLine("floor", 1)], "broken", "key"),
    )
    assert isinstance(answer, PlanChanged)
    assert await connection.fetchval("select count(*) from bespeak.answer") == 0
    await engine.block(show.id, [BlockLine("floor", 1)], reason="broken", idempotency_key="key")
    capacity = await connection.fetchval("select capacity from bespeak.pool where unit = 'floor'")
    assert capacity == 5
