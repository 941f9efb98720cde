"""One order of locks, whatever the collation: a language sorts "a" before "B", the primary
keys of claims and pools sort 'B' before 'a'. On a database in C these tests say nothing, so
`make test-services` runs them on one in en-US too.
"""

import asyncio

import asyncpg
import msgspec

import bespeak
from bespeak import Resource, ResourceBlock, ResourceChange, SeatsPlan, ids
from bespeak.inventory.blocks import BlockLine
from bespeak.inventory.shapes.seats.plan import Stage
from tests.concurrency.waiting import deadlocks, until_blocked, until_waiting
from tests.harness.database import Connection, problems, session
from tests.harness.placing import outcomes, place, request, seat, some, unplanned
from tests.harness.shows import MakeShow

RELEASE = """
    select outcome from bespeak.release_holds($1, array(
        select bespeak.new_change(id) from unnest($2::uuid[]) as id))
"""


async def test_owners_of_mixed_case_with_limits_do_not_deadlock(
    database_url: str, connection: Connection, one: Connection, two: Connection
) -> None:
    home = await unplanned(connection)
    limits = {owner: [some(home, f"owner:{owner}", 1, 4)] for owner in ("a", "B")}
    first = [
        request(seat(home, f"{owner}1"), owner=owner, limits=limits[owner]) for owner in ("a", "B")
    ]
    second = [
        request(seat(home, f"{owner}2"), owner=owner, limits=limits[owner]) for owner in ("a", "B")
    ]
    assert await outcomes(connection, *first) == ["held", "held"]
    before = await deadlocks(connection)
    async with session(database_url) as third:
        # Whoever comes first at the pool of 'a' waits there, and has what it locked before.
        transaction = third.transaction()
        await transaction.start()
        await third.execute("select from bespeak.pool where unit = 'owner:a' for update")
        placing = asyncio.create_task(outcomes(one, *second))
        await until_blocked(connection, one, third)
        releasing = asyncio.create_task(two.fetch(RELEASE, home, [each[0] for each in first]))
        await until_waiting(connection, two)
        await transaction.commit()
    placed, released = await asyncio.gather(placing, releasing)
    assert placed == ["held", "held"]
    assert [row["outcome"] for row in released] == ["released", "released"]
    assert await deadlocks(connection) == before
    assert await problems(connection) == []


async def test_units_of_mixed_case_are_claimed_in_the_order_in_which_they_are_freed(
    database_url: str, connection: Connection, one: Connection, two: Connection
) -> None:
    home = await unplanned(connection)
    held = request(seat(home, "a"), seat(home, "B"), seconds=1)
    await place(connection, held)
    await connection.execute("update bespeak.claim set expires_at = bespeak.now() - interval '1s'")
    before = await deadlocks(connection)
    async with session(database_url) as third:
        transaction = third.transaction()
        await transaction.start()
        await third.execute("select from bespeak.claim where unit = 'a' for update")
        placing = asyncio.create_task(outcomes(one, request(seat(home, "a"), seat(home, "B"))))
        await until_blocked(connection, one, third)
        freeing = asyncio.create_task(
            two.fetch(
                "select * from bespeak.free_lines($1, $2, $3, $4)",
                [held[0]] * 2,
                [home] * 2,
                ["a", "B"],
                [None] * 2,
            )
        )
        await until_waiting(connection, two)
        await transaction.commit()
    placed, _ = await asyncio.gather(placing, freeing)
    assert placed == ["held"]
    assert await deadlocks(connection) == before


async def test_blocks_of_several_resources_and_a_change_of_plan_do_not_deadlock(
    database_url: str, make_show: MakeShow, connection: Connection
) -> None:
    shows = [await make_show() for _ in range(2)]
    before = await deadlocks(connection)
    async with bespeak.connect(database_url, sweep=False) as engine:

        async def close(unit: str, wanted: list[Resource]) -> None:
            lines = (BlockLine(unit),)
            await engine.block_together(
                [ResourceBlock(show.id, lines) for show in wanted], reason="paint"
            )

        async def rename(show: Resource, name: str) -> None:
            assert isinstance(show.plan, SeatsPlan)
            plan = msgspec.structs.replace(show.plan, stage=Stage(label=name))
            await engine.update_resource(show.id, ResourceChange(plan=plan))

        for turn in range(1, 9):
            await asyncio.gather(
                close(f"A{turn}", shows),
                close(f"A{turn + 10}", shows[::-1]),
                *(rename(show, f"{turn}") for show in shows),
            )
    assert await deadlocks(connection) == before
    assert await problems(connection) == []


async def test_control_in_the_order_in_which_they_are_said_they_deadlock(
    database_url: str, make_show: MakeShow, connection: Connection, one: Connection, two: Connection
) -> None:
    first, second = sorted([ids.parse_resource((await make_show()).id) for _ in range(2)])
    before = await deadlocks(connection)
    block = "select outcome from bespeak.block_units($1, bespeak.new_id($1, true), 'paint',"
    block += " '{A1}', '{null}', '{null}', null, '\\x00', null, 1)"
    transactions = [used.transaction() for used in (one, two)]
    for begun in transactions:
        await begun.start()
    await one.execute(block, first)
    await two.execute(block, second)
    waiting = asyncio.create_task(one.execute(block, second))
    await until_waiting(connection, one)
    answers = await asyncio.gather(waiting, two.execute(block, first), return_exceptions=True)
    assert any(isinstance(answer, asyncpg.DeadlockDetectedError) for answer in answers)
    for begun in transactions:
        await begun.rollback()
    assert await deadlocks(connection) > before
