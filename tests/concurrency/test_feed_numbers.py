"""Giving positions while others write, while others number, and while numberers are killed: dense,
in order, each once. With two controls that show what goes wrong without the guards."""

import asyncio
import random

import asyncpg
import pytest

from bespeak.feed import reader
from bespeak.feed.numberer import numbering
from bespeak.postgres.functions import function_files
from tests.concurrency.waiting import meet
from tests.harness.database import Connection, feed_settled, session

HAPPENS = """
    insert into bespeak.event (resource_id, horizon, kind, units, quantities, at)
    select $1, bespeak.horizon(), 'blocked', array[$2::text], array[null]::integer[], bespeak.now()
"""
NUMBER = "select bespeak.number_events()"
LOCKED = "if not pg_try_advisory_xact_lock(7094970119) then"
WRITERS = 6
WRITES = 40
KILLS = 25


async def happen(connection: Connection, name: str = "", resource: int = 7) -> None:
    await connection.execute(HAPPENS, resource, name)


async def in_order(connection: Connection) -> list[str]:
    """The events as they are ordered in the table."""
    rows = await connection.fetch("select units[1] from bespeak.event order by horizon, position")
    return [row[0] for row in rows]


async def told(connection: Connection, after: str | None = None, limit: int = 1000) -> list[str]:
    """The events as the feed tells them, which must be numbered without a gap."""
    found: list[str] = []
    while (page := await reader.read(connection, after, limit)).items:
        assert [event.position for event in page.items] == [
            *range(len(found) + 1, len(found) + len(page.items) + 1)
        ]
        found += [event.lines[0].unit for event in page.items]
        after = page.next
    return found


async def test_two_that_number_at_once_number_once(
    connection: Connection, one: Connection, two: Connection
) -> None:
    for name in "abc":
        await happen(connection, name)
    for commit in (False, True):
        transaction = one.transaction()
        await transaction.start()
        assert await one.fetchval(NUMBER) == 3
        assert await two.fetchval(NUMBER) is None, "the other is at it"
        await (transaction.commit() if commit else transaction.rollback())
    assert await two.fetchval(NUMBER) == 0
    await happen(connection, "d")
    assert await two.fetchval(NUMBER) == 1
    assert await connection.fetchval("select count(*) from bespeak.feed_page") == 1


async def test_control_without_the_lock_the_tables_refuse_the_second(
    connection: Connection, one: Connection, two: Connection
) -> None:
    text = function_files()["feed/positions.sql"].text
    assert LOCKED in text
    await connection.execute(text.replace(LOCKED, "if false then"))
    await happen(connection)
    refused = await meet(connection, one, one.fetchval(NUMBER), two, two.fetchval(NUMBER))
    assert isinstance(refused, asyncpg.UniqueViolationError)
    await happen(connection)
    refused = await meet(connection, one, one.fetchval(NUMBER), two, two.fetchval(NUMBER))
    assert isinstance(refused, asyncpg.SerializationError)


@pytest.mark.parametrize("guarded", [True, False])
async def test_a_slow_transaction_is_waited_for(
    connection: Connection, one: Connection, two: Connection, guarded: bool
) -> None:
    """The control numbers whatever it sees, and what is slow is never told."""
    if not guarded:
        await connection.execute(
            "create or replace function bespeak.settled_horizon() returns bigint"
            " language sql stable as 'select 1::bigint << 60'"
        )
    await connection.execute("select bespeak.present_epoch()")
    slow = one.transaction()
    await slow.start()
    await happen(one, "slow")
    await happen(two, "quick")
    await connection.execute(NUMBER)
    early = await reader.read(connection)
    await slow.commit()
    if guarded:
        await feed_settled(connection)
    else:
        await connection.execute(NUMBER)
    assert await in_order(connection) == ["slow", "quick"]
    if guarded:
        assert early.items == []
        assert await told(connection) == ["slow", "quick"]
    else:
        late = await reader.read(connection, early.next)
        seen = [event.lines[0].unit for event in (*early.items, *late.items)]
        assert "slow" not in seen


async def test_two_that_find_a_new_life_open_it_once(
    connection: Connection, one: Connection, two: Connection
) -> None:
    """Nobody sees an event of a new life without its epoch: the second waits for the first."""
    for commit in (False, True):
        await connection.execute("delete from bespeak.feed_epoch")
        await meet(connection, one, happen(one), two, happen(two), commit=commit)
        assert await connection.fetchval("select count(*) from bespeak.feed_epoch") == 1
    await feed_settled(connection)
    assert len(await told(connection)) == 3


async def test_an_epoch_that_is_begun_by_hand_waits_for_who_numbers(
    connection: Connection, one: Connection, two: Connection
) -> None:
    """Else it would begin before the last position, and refuse who has read that."""
    for _ in range(3):
        await happen(connection)
    opening = two.execute("select bespeak.open_epoch()")
    await meet(connection, one, one.fetchval(NUMBER), two, opening)
    last = "select begins from bespeak.feed_epoch order by epoch desc limit 1"
    assert await connection.fetchval(last) == 3


async def test_in_repeatable_read_a_life_that_another_opened_is_asked_for_again(
    connection: Connection, one: Connection, two: Connection
) -> None:
    await connection.execute("delete from bespeak.feed_epoch")  # nobody has opened this life yet
    transaction = one.transaction(isolation="repeatable_read")
    await transaction.start()
    await one.execute("select 1 from bespeak.event")  # this is what it sees from now on
    await happen(two)
    with pytest.raises(asyncpg.SerializationError):
        await happen(one)
    await transaction.rollback()
    await happen(one)


async def write(url: str, number: int, dice: random.Random) -> None:
    """Writes, in transactions of which some stay open while others come and go."""
    async with session(url) as mine:
        for turn in range(WRITES):
            transaction = mine.transaction()
            await transaction.start()
            await happen(mine, f"{number}.{turn}", dice.randrange(3) + 1)
            for _ in range(dice.choice([0, 0, 3, 20])):
                await mine.execute("select 1")
            await (transaction.rollback() if dice.random() < 0.1 else transaction.commit())


async def kill(connection: Connection, dice: random.Random) -> None:
    """Ends the sessions that number, now the one, now the other, at whatever they are."""
    for _ in range(KILLS):
        await connection.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where datname = current_database() and query like '%number_events%'"
            " and pid <> pg_backend_pid() order by random() limit 1"
        )
        for _ in range(dice.randrange(30)):
            await connection.execute("select 1")


async def test_numberers_may_be_killed_at_any_time(
    connection: Connection, one: Connection, database_url: str, dice: random.Random
) -> None:
    seen: list[str] = []
    after = None
    async with numbering(database_url), numbering(database_url):
        work = asyncio.gather(
            kill(connection, dice), *(write(database_url, n, dice) for n in range(WRITERS))
        )
        while not work.done():
            page = await reader.read(one, after)
            seen += [event.lines[0].unit for event in page.items]
            after = page.next
        await work
        await feed_settled(connection)
    table = await in_order(connection)
    assert seen == table[: len(seen)], "what was told stays as it was told"
    assert await told(one) == table
