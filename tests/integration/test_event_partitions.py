"""Who reads the feed looks only into the parts that can have what is asked for, of twenty."""

import asyncio
from contextlib import suppress

import asyncpg
import pytest

import bespeak
from bespeak import Resource, ids
from bespeak.postgres.migrate import migrations
from bespeak.postgres.queries import load
from tests.harness.database import Connection, feed_settled, session
from tests.harness.plans import Node, reported

PARTS = 20
PARTED_BY = 13
RANGE = 16_777_216
EACH = 300
FEED = load("bespeak.feed", "feed.sql")
LIVE = load("bespeak.feed", "live.sql")
WEBHOOKS = load("bespeak.notifications.webhooks", "webhooks.sql")
TALLY = load("bespeak.overview", "tally.sql")


@pytest.mark.parametrize("cached", ["auto", "force_generic_plan"])
async def test_of_twenty_parts_only_those_in_the_window_are_looked_at(
    engine: bespeak.Engine, show: Resource, connection: Connection, cached: str
) -> None:
    await fill(connection, show)
    number = ids.parse_resource(show.id)
    newest = await connection.fetchval("select max(horizon) from bespeak.event")
    last = (await whole(engine))[-2].cursor
    await connection.execute("update bespeak.follower set horizon = $1, position = 0", newest)
    kinds = ["released", "expired"]
    asked: list[tuple[str, str, tuple[object, ...]]] = [
        ("events_after", FEED["events_after"], (last, None, 100, None)),
        ("events_after of one", FEED["events_after"], (last, number, 100, None)),
        ("freed_between", FEED["freed_between"], (newest, kinds)),
        ("news", LIVE["news"], ([number], [newest], 100)),
        ("announce", WEBHOOKS["announce"], ("notifications", 100)),
        ("tally", TALLY["tally"], (100,)),
        ("number", FEED["number"], ()),
        ("walk", "select * from bespeak.walked_events('ended_holds', now(), 100)", ()),
    ]
    await connection.execute(f"set plan_cache_mode = {cached}")
    for name, statement, arguments in asked:
        async with reported(connection) as nodes:
            await connection.fetch(statement, *arguments)
        seen = looked_at(nodes)
        assert seen <= {f"event_{PARTS}", "event_default"}, name
        assert seen or name == "number", f"{name} looked"


async def test_without_a_bound_every_part_is_looked_at(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    """The control: the comparison of rows, by which followers read on, prunes nothing by itself."""
    await fill(connection, show)
    newest = await connection.fetchval("select max(horizon) from bespeak.event")
    async with reported(connection) as nodes:
        await connection.fetch(
            "select from bespeak.event e where (e.horizon, e.position) > ($1, 0)", newest
        )
    assert len(looked_at(nodes)) > PARTS


async def fill(connection: Connection, show: Resource) -> None:
    """Twenty parts with events in each; the newest are in the last."""
    for _ in range(PARTS):
        await connection.execute(
            "update bespeak.feed_epoch set base = base + $1"
            " where epoch = (select max(epoch) from bespeak.feed_epoch)",
            RANGE,
        )
        await make_part(connection)
        await connection.execute(
            "insert into bespeak.event (resource_id, horizon, kind, at) select $1,"
            " bespeak.horizon(), 'changed', bespeak.now() from generate_series(1, $2::integer)",
            ids.parse_resource(show.id),
            EACH,
        )
    await feed_settled(connection)
    await connection.execute("analyze bespeak.event")


async def make_part(connection: Connection) -> None:
    """Lets those go first who look at the feed just then, as the worker does that makes parts: it
    waits for them for so short a time that nobody has to wait for it."""
    async with asyncio.timeout(30):
        while True:
            with suppress(asyncpg.LockNotAvailableError):
                await connection.execute("select bespeak.make_event_partitions(1)")
                return
            await asyncio.sleep(0.05)


async def whole(engine: bespeak.Engine) -> list[bespeak.Event]:
    found: list[bespeak.Event] = []
    after = None
    while page := (await engine.events(after=after, limit=1000)).items:
        found += page
        after = page[-1].cursor
    return found


def looked_at(nodes: list[Node]) -> set[str]:
    """The parts of the feed that were really read, not only planned for."""
    return {
        str(node["Relation Name"])
        for node in nodes
        if str(node.get("Relation Name", "")).startswith("event_")
        and node["Node Type"] != "ModifyTable"
        and node["Actual Loops"]
    }


async def test_what_was_there_becomes_the_first_part_and_is_not_written_anew(
    empty_database_url: str,
) -> None:
    """The migration attaches the table as it is, with its indexes, up to the end of its range."""
    async with session(empty_database_url) as connection:
        await connection.execute("create schema bespeak")
        *before, parting = [one for one in migrations() if one.number <= PARTED_BY]
        for migration in before:
            await connection.execute(migration.text)
        await connection.execute(
            "insert into bespeak.event (resource_id, horizon, kind, at)"
            " select 1, n * 1000000, 'changed', now() from generate_series(1, 40) as n"
        )
        files = "select pg_relation_filenode($1), pg_relation_filenode($2)"
        old = await connection.fetchrow(files, "bespeak.event", "bespeak.event_feed")
        await connection.execute(parting.text)
        new = await connection.fetchrow(files, "bespeak.event_first", "bespeak.event_first_feed")
        assert tuple(old or ()) == tuple(new or ())
        assert await connection.fetchval("select count(*) from bespeak.event") == 40
        bound = "select pg_get_expr(relpartbound, oid) from pg_class where relname = 'event_first'"
        assert f"TO ('{3 * RANGE}')" in await connection.fetchval(bound)
