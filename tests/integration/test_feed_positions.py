"""Positions of events: pages that grow, what a crash loses, and that the feed of a resource agrees
with the feed of all.
"""

import asyncio

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from bespeak import EventPage, ids
from bespeak.feed import reader
from bespeak.feed.numberer import Numberer
from tests.harness.database import Connection, feed_settled
from tests.harness.seeds import examples

HAPPENS = """
    insert into bespeak.event (resource_id, horizon, kind, at)
    select $1, bespeak.horizon(), 'changed', bespeak.now() from generate_series(1, $2)
"""
PAGES = "select first, count from bespeak.feed_page order by first"
KEYS = "select resource_id from bespeak.event order by horizon, position"
RESOURCES = (1, 2, 3)
_READ = """
    select sum(t.seq_scan) as whole, sum(t.seq_tup_read + t.idx_tup_fetch) as rows
    from pg_stat_xact_user_tables t where t.relname ~ '^event' and t.schemaname = 'bespeak'
"""


async def happen(connection: Connection, count: int = 1, resource: int = 1) -> None:
    """Lets so much happen, in one transaction."""
    await connection.execute(HAPPENS, resource, count)


async def number(connection: Connection, limit: int) -> int | None:
    found: int | None = await connection.fetchval("select bespeak.number_events($1)", limit)
    return found


async def pages(connection: Connection) -> list[tuple[int, int]]:
    return [tuple(row) for row in await connection.fetch(PAGES)]


async def whole(connection: Connection, limit: int, resource: int | None = None) -> list[int]:
    """The positions of the feed, or of the feed of a resource, read by pages of so many."""
    found: list[int] = []
    after: str | None = None
    resource_id = None if resource is None else ids.show_resource(resource)
    while (page := await reader.read(connection, after, limit, resource_id)).items:
        assert len(page.items) <= limit
        assert all(of(resource, page))
        found += [event.position for event in page.items]
        after = page.next
    return found


def of(resource: int | None, page: EventPage) -> list[bool]:
    names = {ids.show_resource(one) for one in (RESOURCES if resource is None else (resource,))}
    return [event.resource_id in names for event in page.items]


async def test_a_quiet_feed_grows_its_last_page(connection: Connection) -> None:
    for count in (1, 2, 250, 10, 300):
        await happen(connection, count)
        await feed_settled(connection)
    assert await pages(connection) == [(1, 256), (257, 256), (513, 51)]


async def test_one_call_numbers_so_many(connection: Connection) -> None:
    await happen(connection, 700)
    assert [await number(connection, limit) for limit in (100, 500, 2560, 2560)] == [
        100,
        500,
        100,
        0,
    ]
    assert await pages(connection) == [(1, 256), (257, 256), (513, 188)]


async def test_a_page_ends_with_its_epoch(connection: Connection) -> None:
    await happen(connection, 10)
    await feed_settled(connection)
    await connection.execute("select bespeak.open_epoch()")
    await happen(connection, 10)
    await feed_settled(connection)
    assert await pages(connection) == [(1, 10), (11, 10)]
    assert await whole(connection, 7) == list(range(1, 21))


@pytest.mark.parametrize("lost", ["a page", "what a page grew by"])
async def test_what_a_crash_lost_comes_again_as_it_was(connection: Connection, lost: str) -> None:
    for resource in RESOURCES:
        await happen(connection, 50, resource)
    if lost == "what a page grew by":
        await number(connection, 100)
    transaction = connection.transaction()
    await transaction.start()
    await number(connection, 1000)
    before = (await reader.read(connection, None, 1000)).items
    await transaction.rollback()
    await happen(connection, 20)
    await feed_settled(connection)
    after = (await reader.read(connection, None, 1000)).items
    assert len(before) == 150
    assert after[:150] == before


@settings(
    max_examples=examples(15),
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
async def test_the_feed_of_a_resource_agrees_with_that_of_all(
    data: st.DataObject, connection: Connection
) -> None:
    """However it was written, numbered and read. The history goes on from example to example."""
    for _ in range(data.draw(st.integers(1, 4))):
        await happen(
            connection, data.draw(st.integers(1, 300)), data.draw(st.sampled_from(RESOURCES))
        )
        await number(connection, data.draw(st.integers(1, 600)))
    if data.draw(st.booleans()):
        await connection.execute("select bespeak.open_epoch()")
    await feed_settled(connection)
    owners = [row["resource_id"] for row in await connection.fetch(KEYS)]
    limit = data.draw(st.integers(50, 1000))
    assert await whole(connection, limit) == list(range(1, len(owners) + 1))
    for resource in RESOURCES:
        assert await whole(connection, limit, resource) == [
            position for position, owner in enumerate(owners, start=1) if owner == resource
        ]


async def test_a_feed_that_is_quiet_is_asked_less_often_until_something_happens(
    database_url: str, connection: Connection
) -> None:
    numberer = Numberer(database_url)
    try:
        pauses = [await numberer.look() for _ in range(60)]
        assert (pauses[0], pauses[-1]) == (0.04, 0.12)
        await happen(connection)
        await feed_settled(connection)  # another numbers it
        await happen(connection)
        async with asyncio.timeout(20):
            while await numberer.look() != 0.02:  # noqa: ASYNC110 - until it is settled
                await asyncio.sleep(0.002)
        assert await numberer.look() == 0.04
    finally:
        numberer.close()


async def test_how_long_the_oldest_waits_is_one_look_however_many_wait(
    connection: Connection,
) -> None:
    """Of thousands before the end and behind it, the first behind it is read, and no other."""
    assert await connection.fetchval("select bespeak.feed_waits()") is None
    await happen(connection, 3000)
    await feed_settled(connection)
    assert await connection.fetchval("select bespeak.feed_waits()") is None
    await connection.execute("set bespeak.now = '2030-01-01 12:00:00Z'")
    await happen(connection)
    await connection.execute("set bespeak.now = '2030-01-01 12:00:30Z'")
    await happen(connection, 3000)
    await connection.execute("set bespeak.now = '2030-01-01 12:01:00Z'")
    await connection.execute("analyze bespeak.event")
    async with connection.transaction():
        before = await connection.fetchrow(_READ)
        assert await connection.fetchval("select bespeak.feed_waits()") == 60
        after = await connection.fetchrow(_READ)
    assert before is not None
    assert after is not None
    assert after["whole"] == before["whole"]
    assert after["rows"] == before["rows"] + 1
    assert await number(connection, 1) == 1
    assert await connection.fetchval("select bespeak.feed_waits()") == 30
