"""Webhooks behind the feed: how late they are at 2,000 events/s, and how many go when many wait.

One endpoint, a receiver on this machine in a process of its own. Events are written as the engine
writes them, in batches; announcer and courier run here, as they do in the background worker.
"""

import asyncio
import contextlib
import json
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass

import asyncpg

from benchmarks import services
from benchmarks.bespeak_server import migrated
from benchmarks.database import connected, settle
from benchmarks.results import Bench, Figure, Sample, alone, median
from bespeak.background import kept
from bespeak.notifications.announcer import Announcer
from bespeak.notifications.webhooks import endpoints
from bespeak.notifications.webhooks.endpoints import NewWebhookEndpoint
from bespeak.notifications.webhooks.sender import WebhookSender
from bespeak.notifications.webhooks.worker import WebhookWorker
from bespeak.postgres.pool import open_pool

PACE = 2000
STEP_SECONDS = 0.02
BACKLOG = 20_000
ENDED = "select count(*) from bespeak.webhook_delivery where state = 'delivered'"
WRITE = """
    insert into bespeak.event (resource_id, horizon, kind, hold_id, units, quantities, at)
    select 42, h.horizon, 'held', bespeak.new_id(42), array['F7', 'F8'],
        array[null, null]::integer[], bespeak.now()
    from (select bespeak.horizon() as horizon offset 0) h, generate_series(1, $1)
"""


@dataclass
class Stage:
    """A database that is followed, and the port of the receiver."""

    connection: "asyncpg.Connection[asyncpg.Record]"
    port: int
    written: int = 0

    async def write(self, count: int) -> None:
        """Lets so much happen."""
        await self.connection.execute(WRITE, count)
        self.written += count

    async def all_told(self) -> None:
        """Waits until every event has its delivery, and every delivery is at an end."""
        async with asyncio.timeout(120):
            while await self.connection.fetchval(ENDED) < self.written:  # noqa: ASYNC110
                await asyncio.sleep(STEP_SECONDS)

    async def came(self) -> tuple[int, list[float]]:
        """How many different messages came since the last time, and how late each was, in ms."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(b"GET / HTTP/1.1\r\nHost: hook\r\n\r\n")
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length: ")[1].split(b"\r")[0])
        found = json.loads(await reader.readexactly(length))
        writer.close()
        return found["different"], sorted(found["lags_ms"])


async def run(bench: Bench) -> list[Figure]:
    """Each so often, and the medians."""
    async with staged(bench) as stage:
        paced, drained = [], []
        for _ in range(bench.rounds):
            paced.append(await keep_pace(stage, bench.seconds))
            drained.append(await drain(stage))
    return [
        alone("webhooks at 2,000 events/s", "1/s", median(paced)),
        alone("webhooks when 20,000 wait", "1/s", median(drained)),
    ]


@contextlib.asynccontextmanager
async def staged(bench: Bench) -> AsyncIterator[Stage]:
    url = await migrated(bench.database, "bespeak_webhooks")
    port = services.free_port()
    command = [sys.executable, "-m", "benchmarks.hook_receiver", str(port)]
    async with (
        services.process(command) as child,
        connected(url) as connection,
        WebhookSender(allow_private=True) as sender,
    ):
        await services.first_answer(port, "/", child)
        new = NewWebhookEndpoint(f"http://127.0.0.1:{port}/hook")
        await endpoints.create(connection, new, allow_private=True)
        await settle(url)
        pool = await open_pool(url, 4)
        try:
            courier = WebhookWorker(pool, sender, retention_days=30)
            async with kept([Announcer(pool, on_written=courier.wake), courier]):
                yield Stage(connection, port)
            await courier.close()
        finally:
            await pool.close()


async def keep_pace(stage: Stage, seconds: float) -> Sample:
    """Writes 2,000 events a second and lets them be told."""
    started = time.perf_counter()
    written = 0
    while (elapsed := time.perf_counter() - started) < seconds:
        due = int(PACE * elapsed) - written
        if due > 0:
            await stage.write(due)
            written += due
        await asyncio.sleep(STEP_SECONDS)
    lags = await _told(stage, written)
    return Sample(written / seconds, lags[len(lags) // 2], lags[int(len(lags) * 0.99)])


async def drain(stage: Stage) -> Sample:
    """Writes 20,000 events at once and sees how fast they go."""
    started = time.perf_counter()
    await stage.write(BACKLOG)
    await stage.all_told()
    elapsed = time.perf_counter() - started
    await _told(stage, BACKLOG)
    return Sample(BACKLOG / elapsed)


async def _told(stage: Stage, written: int) -> list[float]:
    """How late each was, once all were told; each of them was told once."""
    await stage.all_told()
    different, lags = await stage.came()
    if (different, len(lags)) != (written, written):
        raise services.ServiceError(f"{len(lags)} messages of {different} events, not {written}")
    return lags
