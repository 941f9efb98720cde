"""The database is killed with -9 in the middle of a load: what was answered is there afterwards."""

import asyncio
import contextlib
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import bespeak
from bespeak import Hold, PoolPlan, Resource, Row, SeatsPlan, Section, Settings
from bespeak.errors import Unavailable
from bespeak.postgres.embedded import EmbeddedServer
from bespeak.postgres.migrate import migrate
from bespeak.verticals.installed import migration_sources
from tests.harness.database import problems, session
from tests.harness.shows import new_show, pool, seats, take

ROWS = tuple(Row(f"R{n}-", 100) for n in range(100))
PLAN = SeatsPlan(sections=(Section("S", ROWS),), pools=(PoolPlan("floor", 1_000_000),))


@pytest.fixture
def own_server() -> Iterator[EmbeddedServer]:
    folder = Path(tempfile.mkdtemp(prefix="bespeak-crash-"))
    server = EmbeddedServer(folder)
    yield server
    server.stop()
    shutil.rmtree(folder, ignore_errors=True)


class Load:
    """Buyers that hold and sometimes confirm, and note what they were answered."""

    def __init__(self, engine: bespeak.Engine, show: Resource) -> None:
        self.engine = engine
        self.show = show
        self.held: list[Hold] = []
        self.booked: list[str] = []
        self.units = iter([f"R{n}-{seat}" for n in range(100) for seat in range(1, 101)])
        self.stopping = False

    async def buyer(self, number: int) -> None:
        while not self.stopping:
            unit = next(self.units, None)
            assert unit is not None, "the show is too small for this machine"
            lines = [*seats(self.show, unit), pool(self.show, "floor", 1)]
            # What the database did not answer may or may not be done; it is not counted.
            with contextlib.suppress(Unavailable):
                hold = await take(self.engine, lines, f"o{number}", idempotency_key=unit)
                self.held.append(hold)
                if len(self.held) % 3 == 0:
                    self.booked.append((await self.engine.confirm_hold(hold.id)).id)

    async def until(self, count: int) -> None:
        async with asyncio.timeout(60):
            while len(self.held) < count:  # noqa: ASYNC110
                await asyncio.sleep(0.001)


async def test_what_was_acknowledged_survives(own_server: EmbeddedServer) -> None:
    url = await asyncio.to_thread(own_server.start)
    async with session(url) as connection:
        await migrate(connection, migration_sources())
    async with bespeak.connect(url, settings=Settings(database_wait_seconds=20)) as engine:
        show = await engine.create_resource(new_show(plan=PLAN, owner_limit=5000))
        load = Load(engine, show)
        buyers = [asyncio.create_task(load.buyer(number)) for number in range(32)]
        await load.until(300)
        assert own_server.pid is not None
        os.kill(own_server.pid, signal.SIGKILL)
        while own_server.is_running():  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        at_the_kill = len(load.held)
        assert await asyncio.to_thread(own_server.start) == url
        await load.until(at_the_kill + 200)  # the engine has found the database again by itself
        load.stopping = True
        await asyncio.gather(*buyers)
        async with session(url) as connection:
            there = await connection.fetchval(
                "select array_agg(bespeak.id_text('hold', hold_id)) from bespeak.hold"
            )
            assert {hold.id for hold in load.held} <= set(there)
            assert await problems(connection) == []
        for booking_id in load.booked:
            assert (await engine.get_booking(booking_id)).state == "confirmed"
