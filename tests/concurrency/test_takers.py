"""Two who want the same: seats, the last units of a pool, many resources in opposite orders."""

import asyncio
import random

import asyncpg
import pytest

import bespeak
from bespeak import Hold, Resource, SoldOut, UnitTaken
from tests.concurrency.waiting import deadlocks, meet, until_blocked
from tests.harness.database import Connection, problems, session
from tests.harness.shows import MakeShow, pool, seats, take, within_transaction


@pytest.mark.parametrize("commit", [True, False])
async def test_two_takers_of_a_seat(
    engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    one: Connection,
    two: Connection,
    commit: bool,
) -> None:
    answer = await meet(
        connection,
        one,
        take(engine, seats(show, "A1", "A2"), "asha", connection=one),
        two,
        take(engine, seats(show, "A2", "A3"), "bela", connection=two),
        commit=commit,
    )
    assert isinstance(answer, UnitTaken if commit else Hold)
    assert await connection.fetchval("select count(*) from bespeak.hold") == 1
    assert await problems(connection) == []


NAIVE = """
    with looked as (
        select count(*) as found, pg_advisory_lock_shared(1) from bespeak.claim where unit = 'A1'
    ), made as (
        insert into bespeak.hold
        select resource_id, bespeak.new_id(resource_id), 'x', 'held', array[resource_id], '{A1}',
            array[null::int], 0, bespeak.now(), bespeak.now() + interval '1 hour',
            bespeak.now() + interval '1 hour'
        from bespeak.resource where (select found from looked) = 0
        returning *
    )
    insert into bespeak.claim select resource_id, 'A1', hold_id, expires_at from made
"""


async def test_control_looking_first_and_inserting_then_sells_twice(
    show: Resource, connection: Connection, one: Connection, two: Connection
) -> None:
    """The ordinary mistake, without the primary key: this set-up does show the race."""
    await connection.execute("alter table bespeak.claim drop constraint claim_pkey")
    async with one.transaction(), two.transaction():
        await one.execute(NAIVE)
        await two.execute(NAIVE)
    assert "double_sold" in str(await problems(connection))


async def test_control_the_primary_key_stops_even_the_naive(
    show: Resource, connection: Connection, one: Connection, two: Connection
) -> None:
    answer = await meet(connection, one, one.execute(NAIVE), two, two.execute(NAIVE))
    assert isinstance(answer, asyncpg.UniqueViolationError)


async def test_a_crowd_for_a_few_seats(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
    dice: random.Random,
) -> None:
    show = await make_show(owner_limit=2)
    units = [f"A{n}" for n in range(1, 11)]
    asked = [
        take(dice.choice([engine, second_engine]), seats(show, *dice.sample(units, 2)), f"o{n}")
        for n in range(300)
    ]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    held = [answer for answer in answers if isinstance(answer, Hold)]
    assert all(isinstance(answer, Hold | UnitTaken) for answer in answers)
    taken = [line.unit for hold in held for line in hold.lines]
    assert len(taken) == len(set(taken)) >= 6
    assert await problems(connection) == []


@pytest.mark.parametrize("commit", [True, False])
async def test_the_last_units_of_a_pool(
    engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    one: Connection,
    two: Connection,
    commit: bool,
) -> None:
    await take(engine, [pool(show, "floor", 1)], "cleo")
    answer = await meet(
        connection,
        one,
        take(engine, [pool(show, "floor", 3)], "asha", connection=one),
        two,
        take(engine, [pool(show, "floor", 2)], "bela", connection=two),
        commit=commit,
    )
    assert isinstance(answer, SoldOut if commit else Hold)
    assert await problems(connection) == []


async def test_control_reading_a_level_and_writing_it_oversells(
    show: Resource, connection: Connection, one: Connection, two: Connection
) -> None:
    await connection.execute(
        "insert into bespeak.pool select resource_id, 'floor', 3, 0 from bespeak.resource"
    )
    levels = [await c.fetchval("select capacity - taken from bespeak.pool") for c in (one, two)]
    for naive, level in zip((one, two), levels, strict=True):
        assert level >= 2
        await naive.execute("update bespeak.pool set taken = $1", 3 - level + 2)
        await naive.execute(
            "insert into bespeak.draw select resource_id, 'floor', bespeak.new_id(resource_id), 2,"
            " 'infinity' from bespeak.resource"
        )
    assert "pool_miscounted" in str(await problems(connection))


async def test_a_crowd_for_a_pool_and_a_limit(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
) -> None:
    show = await make_show(
        plan=bespeak.SeatsPlan(pools=(bespeak.PoolPlan("floor", 100),)), owner_limit=3
    )
    asked = [
        take((engine, second_engine)[n % 2], [pool(show, "floor", 2)], f"o{n % 70}")
        for n in range(140)
    ]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    held = [answer for answer in answers if isinstance(answer, Hold)]
    assert len(held) == 50
    assert len({hold.owner for hold in held}) == 50
    assert await connection.fetchval("select taken from bespeak.pool where unit = 'floor'") == 100
    assert await problems(connection) == []


async def test_many_resources_in_opposite_orders_never_deadlock(
    engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
    database_url: str,
    dice: random.Random,
) -> None:
    shows = [await make_show(owner_limit=50) for _ in range(3)]
    units = ["A1", "A2", "A3", "floor", "gallery"]

    async def buyer(number: int) -> int:
        done = 0
        async with session(database_url) as mine:
            await mine.execute("set deadlock_timeout = '50ms'")
            for _ in range(25):
                chosen = [(show, unit) for show in shows for unit in dice.sample(units, 2)]
                dice.shuffle(chosen)
                lines = [
                    bespeak.Line(show.id, unit, None if unit.startswith("A") else 1)
                    for show, unit in chosen
                ]
                try:
                    hold = await take(engine, lines, f"o{number}", connection=mine)
                    await within_transaction(mine, engine.release_hold(hold.id, connection=mine))
                    done += 1
                except bespeak.Refused:
                    pass  # somebody else has one of them
        return done

    granted = await asyncio.gather(*(buyer(number) for number in range(8)))
    assert sum(granted) > 0
    assert await deadlocks(connection) == 0
    assert await problems(connection) == []


async def test_control_opposite_orders_do_deadlock(
    engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    """Two lines taken one after the other, in opposite orders, each in its own call."""
    await one.execute("set deadlock_timeout = '50ms'")
    await two.execute("set deadlock_timeout = '10s'")
    first, second = one.transaction(), two.transaction()
    await first.start()
    await second.start()
    await take(engine, seats(show, "A1"), "asha", connection=one)
    await take(engine, seats(show, "A2"), "bela", connection=two)
    crossing = asyncio.create_task(take(engine, seats(show, "A1"), "bela", connection=two))
    await until_blocked(connection, two, one)
    with pytest.raises(asyncpg.DeadlockDetectedError):
        await take(engine, seats(show, "A2"), "asha", connection=one)
    await first.rollback()
    assert isinstance(await crossing, Hold)
    await second.rollback()
