"""The background worker: one leads, and when its connection is lost another takes over."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import bespeak
from bespeak import HoldState, Line, Resource
from bespeak.cli.supervision.leader import Leader
from tests.harness.database import Connection

SECONDS_MAX = 20.0
HOLDERS = """
    select pid from pg_locks where locktype = 'advisory' and granted
        and database = (select oid from pg_database where datname = current_database())
        and (classid::bigint << 32 | objid::bigint) = 7094970117
"""

WAITS = "select cardinality(pg_blocking_pids($1)) > 0"


@pytest.fixture
async def two_leaders(database_url: str, tmp_path: Path) -> AsyncIterator[None]:
    """Two background workers on the test's database."""
    tasks = [asyncio.create_task(Leader(database_url, tmp_path).run()) for _ in range(2)]
    yield
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def leader(connection: Connection, other_than: int | None = None) -> int:
    """The session that leads."""
    async with asyncio.timeout(SECONDS_MAX):
        while True:
            found = [row["pid"] for row in await connection.fetch(HOLDERS)]
            assert len(found) <= 1
            if found and found[0] != other_than:
                return int(found[0])
            await asyncio.sleep(0.02)


async def expired(engine: bespeak.Engine, hold_id: str, resource_id: str) -> None:
    async with asyncio.timeout(SECONDS_MAX):
        while True:
            events = (await engine.events(resource_id=resource_id)).items
            if any(event.kind == "expired" and event.hold_id == hold_id for event in events):
                return
            await asyncio.sleep(0.05)


@pytest.mark.usefixtures("two_leaders")
async def test_one_leads_and_another_takes_over_when_it_is_cut_off(
    engine: bespeak.Engine, connection: Connection, show: Resource
) -> None:
    first = await leader(connection)
    one = await engine.place_hold(owner="asha", lines=[Line(show.id, "A1")], hold_seconds=1)
    await expired(engine, one.id, show.id)
    await connection.execute("select pg_terminate_backend($1)", first)
    second = await leader(connection, other_than=first)
    assert second != first
    two = await engine.place_hold(owner="asha", lines=[Line(show.id, "A2")], hold_seconds=1)
    await expired(engine, two.id, show.id)
    assert (await engine.get_hold(two.id)).state == HoldState.EXPIRED


async def test_it_is_heard_while_it_works_and_silent_while_its_work_stands_still(
    database_url: str, connection: Connection, tmp_path: Path
) -> None:
    beats = 0

    def beat() -> None:
        nonlocal beats
        beats += 1

    async def heard() -> None:
        before = beats
        async with asyncio.timeout(SECONDS_MAX):
            while beats < before + 3:  # noqa: ASYNC110
                await asyncio.sleep(0.02)

    leading = asyncio.create_task(Leader(database_url, tmp_path, beat=beat).run())
    try:
        leads = await leader(connection)
        await heard()
        async with connection.transaction():
            await connection.execute("lock table bespeak.hold in access exclusive mode")
            async with asyncio.timeout(SECONDS_MAX):
                while not await connection.fetchval(WAITS, leads):  # noqa: ASYNC110
                    await asyncio.sleep(0.02)
            before = beats
            await asyncio.sleep(1.5)
            assert beats == before
        await heard()
    finally:
        leading.cancel()
        await asyncio.gather(leading, return_exceptions=True)
