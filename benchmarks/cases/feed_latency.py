"""How late a follower of the feed is at 2,000 events/s: from the commit of an event until who reads
the feed every 20 ms has it, with its position.

Events are written as the engine writes them, in batches. Three background workers run: one numbers
the feed, the others are there to take over. In the second row the one that leads is killed every
two seconds, and another one is started.
"""

import asyncio
import contextlib
import re
import signal
import subprocess
import time
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import asyncpg

from benchmarks import services
from benchmarks.bespeak_server import OWN, migrated
from benchmarks.database import connected, settle
from benchmarks.results import Bench, Figure, Sample, alone, alternate
from bespeak.feed import reader

PACE = 2000
STEP_SECONDS = 0.02
KILL_SECONDS = 2.0
PAGE = 1000
PATIENCE_SECONDS = 30
WRITE = """
    insert into bespeak.event (resource_id, horizon, kind, hold_id, units, quantities, at)
    select 42, h.horizon, 'held', bespeak.new_id(42), array['F7', 'F8'],
        array[null, null]::integer[], bespeak.now()
    from (select bespeak.horizon() as horizon offset 0) h, generate_series(1, $1)
"""
LEADER = """
    select a.usename from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.granted
        and (l.classid::bigint << 32 | l.objid::bigint) = 7094970117
"""


@dataclass
class Stage:
    """A database that is written and followed, and its background workers by their role in it."""

    url: str
    writes: "asyncpg.Connection[asyncpg.Record]"
    reads: "asyncpg.Connection[asyncpg.Record]"
    control: "asyncpg.Connection[asyncpg.Record]"
    stack: contextlib.AsyncExitStack
    workers: "dict[str, subprocess.Popen[bytes]]" = field(default_factory=dict)
    hired: int = 0
    read: int = 0
    cursor: str | None = None

    async def hire(self) -> None:
        """Starts a background worker, which logs in under a name of its own."""
        self.hired += 1
        role = f"worker_{self.hired}"
        await self.control.execute(f"create role {role} superuser login")
        url = re.sub("//[^@]*@", f"//{role}@", self.url)
        environment = {"BESPEAK_DATABASE_URL": url, "BESPEAK_LOG_LEVEL": "error"}
        child = services.process(OWN.command("worker"), environment=environment)
        self.workers[role] = await self.stack.enter_async_context(child)

    async def fire(self) -> None:
        """Kills the worker that leads, if one does."""
        leader = await self.control.fetchval(LEADER)
        if leader is not None:
            self.workers.pop(leader).send_signal(signal.SIGKILL)
            await self.hire()

    async def follow(self) -> int:
        """Reads on; how many events came. They must be the next ones."""
        page = await reader.read(self.reads, self.cursor, PAGE)
        if [event.position for event in page.items] != [
            *range(self.read + 1, self.read + 1 + len(page.items))
        ]:
            raise services.ServiceError("the feed has a gap, or an event came twice")
        self.read += len(page.items)
        self.cursor = page.next
        return len(page.items)


async def run(bench: Bench) -> list[Figure]:
    """With two workers, and with the first of them killed again and again, in turn."""
    async with staged(bench) as stage:
        calm, killed = await alternate(
            [
                lambda: keep_pace(stage, bench.seconds, kills=False),
                lambda: keep_pace(stage, bench.seconds, kills=True),
            ],
            bench.rounds,
        )
    return [
        alone("feed at 2,000 events/s", "1/s", calm),
        alone("feed, its numberer killed every 2 s", "1/s", killed),
    ]


@contextlib.asynccontextmanager
async def staged(bench: Bench) -> AsyncIterator[Stage]:
    url = await migrated(bench.database, "bespeak_feed")
    async with (
        contextlib.AsyncExitStack() as stack,
        connected(url) as writes,
        connected(url) as reads,
        connected(url) as control,
    ):
        await settle(url)
        stage = Stage(url, writes, reads, control, stack)
        for _ in range(3):
            await stage.hire()
        await stage.writes.execute(WRITE, 1)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not await stage.follow():  # noqa: ASYNC110
                await asyncio.sleep(STEP_SECONDS)
        yield stage


async def keep_pace(stage: Stage, seconds: float, *, kills: bool) -> Sample:
    """Writes 2,000 events a second and reads them."""
    committed: deque[tuple[int, float]] = deque()
    writing = asyncio.create_task(write(stage, committed, seconds))
    killing = asyncio.create_task(kill(stage)) if kills else None
    lags: list[float] = []
    try:
        async with asyncio.timeout(seconds + PATIENCE_SECONDS):
            while committed or not writing.done():
                began = time.perf_counter()
                await stage.follow()
                now = time.perf_counter()
                while committed and committed[0][0] <= stage.read:
                    _, at = committed.popleft()
                    lags.append((now - at) * 1000)
                await asyncio.sleep(max(0, STEP_SECONDS - (now - began)))
        written = await writing
        if killing is not None and killing.done():
            await killing  # it ends with a fault only
    finally:
        for task in (writing, killing):
            if task is not None:
                task.cancel()
        await asyncio.gather(*filter(None, (writing, killing)), return_exceptions=True)
    lags.sort()
    return Sample(written / seconds, lags[len(lags) // 2], lags[int(len(lags) * 0.99)])


async def write(stage: Stage, committed: deque[tuple[int, float]], seconds: float) -> int:
    """Writes at the pace; of each batch, up to which position it is and when it was committed."""
    first, written = stage.read, 0
    started = time.perf_counter()
    while (elapsed := time.perf_counter() - started) < seconds:
        due = int(PACE * elapsed) - written
        if due > 0:
            await stage.writes.execute(WRITE, due)
            written += due
            committed.append((first + written, time.perf_counter()))
        await asyncio.sleep(STEP_SECONDS)
    return written


async def kill(stage: Stage) -> None:
    """Kills the worker that leads, and starts one for it, again and again."""
    while True:
        await asyncio.sleep(KILL_SECONDS)
        await stage.fire()
