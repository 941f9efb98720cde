"""The counting of what happens: each event once, whoever counts and wherever one dies."""

import asyncio
import random
from collections import Counter
from datetime import UTC, datetime

import asyncpg
import pytest

import bespeak
from bespeak import Line, Resource
from bespeak.overview.minute_counter import MinuteCounter
from bespeak.overview.refusals import RefusalCounts
from bespeak.postgres.tally import Tally
from tests.harness import database
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.shows import MakeShow, book, pool, seats, take


async def counts(connection: Connection) -> Counter[str]:
    """How often each thing was counted."""
    rows = await connection.fetch(
        "select what, sum(count)::integer as n from bespeak.minute_count group by 1"
    )
    return Counter({row["what"]: row["n"] for row in rows})


async def units(connection: Connection) -> Counter[str]:
    rows = await connection.fetch(
        "select what, sum(units)::integer as n from bespeak.minute_count group by 1"
    )
    return Counter({row["what"]: row["n"] for row in rows})


async def test_each_thing_is_counted_with_its_units(
    engine: bespeak.Engine, connection: Connection, show: Resource, make_show: MakeShow
) -> None:
    other = await make_show(name="Other", owner_limit=9)
    both = [Line(show.id, "A1"), Line(other.id, "A1"), pool(other, "floor", 3)]
    booking = await book(engine, both)
    await engine.cancel_booking(booking.id, reason="ill", lines=[pool(other, "floor", 2)])
    hold = await take(engine, seats(show, "A2", "A3"))
    await engine.release_hold(hold.id)
    await take(engine, seats(show, "A4"), hold_seconds=60)
    await engine.block(show.id, lines=[bespeak.BlockLine("B7")], reason="house")
    await database.feed_settled(connection)
    assert await MinuteCounter(engine.database.pool).look() > 0
    assert await counts(connection) == {"held": 3, "confirmed": 1, "cancelled": 1, "released": 1}
    assert await units(connection) == {"held": 8, "confirmed": 5, "cancelled": 2, "released": 2}
    await MinuteCounter(engine.database.pool).look()
    assert (await counts(connection))["held"] == 3, "and no more when it looks again"


async def test_the_minute_is_that_of_the_event(
    engine: bespeak.Engine, connection: Connection, show: Resource, clock: Clock
) -> None:
    await book(engine, seats(show, "A1"))
    await clock.advance(61)
    await book(engine, seats(show, "A2"))
    await database.feed_settled(connection)
    await MinuteCounter(engine.database.pool).look()
    rows = await connection.fetch(
        "select minute, count from bespeak.minute_count where what = 'confirmed' order by 1"
    )
    first, second = rows
    assert [first["count"], second["count"]] == [1, 1]
    assert first["minute"] < second["minute"]
    assert all(row["minute"].second == 0 for row in rows)


async def test_many_counters_count_each_event_once(
    engine: bespeak.Engine, connection: Connection, show: Resource, dice: random.Random
) -> None:
    """Some of them die in the middle, which undoes the batch with its cursor."""
    stop = asyncio.Event()

    async def count() -> None:
        while not stop.is_set():
            async with database.session(database_url) as session:
                transaction = session.transaction()
                await transaction.start()
                await session.fetch("select * from bespeak.tally_events(3)")
                if dice.random() < 0.4:
                    continue  # the connection is cut: it dies here
                await transaction.commit()

    database_url = await connection.fetchval("select current_database()")
    server = database.server_url()
    database_url = database.named(server, database_url)
    counters = [asyncio.create_task(count()) for _ in range(3)]
    names = [f"A{n}" for n in range(1, 21)]
    for name in names:
        hold = await take(engine, seats(show, name))
        if dice.random() < 0.5:
            await engine.release_hold(hold.id)
        else:
            await engine.confirm_hold(hold.id)
    stop.set()
    await asyncio.gather(*counters)
    await database.feed_settled(connection)
    while await connection.fetchval("select events from bespeak.tally_events(7)"):
        pass
    expected = Counter(
        row["kind"]
        for row in await connection.fetch(
            "select kind from bespeak.event where kind in ('held', 'confirmed', 'released')"
        )
    )
    assert await counts(connection) == expected


async def test_what_a_slow_transaction_brings_late_is_counted_too(
    engine: bespeak.Engine, connection: Connection, database_url: str, show: Resource
) -> None:
    async with database.session(database_url) as slow:
        await slow.execute("begin")
        await slow.execute(
            "insert into bespeak.event (resource_id, horizon, kind, units, quantities, at)"
            " values (1, bespeak.horizon(), 'held', array['Z1'], array[null]::int[], now())"
        )
        await take(engine, seats(show, "A1"))
        await MinuteCounter(engine.database.pool).look()
        assert (await counts(connection))["held"] == 0, "not before what sorts before it"
        await slow.execute("commit")
    await database.feed_settled(connection)
    await MinuteCounter(engine.database.pool).look()
    assert (await units(connection))["held"] == 2


async def test_old_counts_are_forgotten(engine: bespeak.Engine, connection: Connection) -> None:
    await connection.execute(
        "insert into bespeak.minute_count values"
        " (now() - interval '401 days', 'held', '', 1, 1, 0), (now(), 'held', '', 2, 2, 0);"
        "insert into bespeak.refusal_count values"
        " (now() - interval '401 days', 'unit_taken', 1), (now(), 'unit_taken', 2)"
    )
    tally = MinuteCounter(engine.database.pool)
    tally._tidy_at = 0.0
    await tally.look()
    assert await counts(connection) == {"held": 2}
    assert await connection.fetchval("select sum(count) from bespeak.refusal_count") == 2


async def test_refusals_of_many_processes_add_up(
    engine: bespeak.Engine, second_engine: bespeak.Engine, connection: Connection
) -> None:
    both = [RefusalCounts(one.database.pool, one.clock) for one in (engine, second_engine)]
    for number in range(40):
        both[number % 2].count("unit_taken")
        both[number % 2].count("sold_out")
        if number % 8 == 7:
            await asyncio.gather(*(one.flush() for one in both))
    await asyncio.gather(*(one.flush() for one in both))
    rows = await connection.fetch(
        "select code, sum(count)::integer as n from bespeak.refusal_count group by 1 order by 1"
    )
    assert [tuple(row) for row in rows] == [("sold_out", 40), ("unit_taken", 40)]


async def test_an_absent_database_loses_no_counts(
    engine: bespeak.Engine, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusals = RefusalCounts(engine.database.pool, engine.clock)
    refusals.count("unit_taken")

    async def away(*_: object) -> None:
        refusals.count("unit_taken")  # while it is being written
        raise asyncpg.PostgresConnectionError("away")

    with monkeypatch.context() as outage:
        outage.setattr(refusals, "_pool", type("Away", (), {"execute": staticmethod(away)}))
        with pytest.raises(asyncpg.PostgresConnectionError):
            await refusals.flush()
    await refusals.flush()
    await refusals.flush()
    assert await connection.fetchval("select sum(count) from bespeak.refusal_count") == 2


async def test_who_flushes_waits_for_what_another_is_writing() -> None:
    begun, goes_on, written = asyncio.Event(), asyncio.Event(), Counter[str]()

    async def write(counts: Counter[str]) -> None:
        begun.set()
        await goes_on.wait()
        written.update(counts)

    tally = Tally[str](write, 3600, "not counted")
    tally.counts["a"] += 1
    first = asyncio.create_task(tally.flush())
    await begun.wait()
    second = asyncio.create_task(tally.flush())
    await asyncio.sleep(0)
    assert not second.done()
    goes_on.set()
    await asyncio.gather(first, second)
    assert written == {"a": 1}


async def test_a_stopping_process_writes_down_its_last_counts(
    engine: bespeak.Engine, connection: Connection
) -> None:
    refusals = RefusalCounts(engine.database.pool, engine.clock)
    task = asyncio.create_task(refusals.run())
    await asyncio.sleep(0)
    refusals.count("unit_taken")
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    row = await connection.fetchrow("select minute, count from bespeak.refusal_count")
    assert row is not None and row["count"] == 1
    assert abs((datetime.now(UTC) - row["minute"]).total_seconds()) < 120


async def test_counts_that_nobody_takes_are_bounded(
    engine: bespeak.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bespeak.overview.refusals._KEPT_MAX", 3)
    refusals = RefusalCounts(engine.database.pool, engine.clock)
    for code in "abcdef":
        refusals.count(code)
        refusals.count("a")
    assert len(refusals._tally.counts) == 3 and refusals._tally.counts.total() == 9
