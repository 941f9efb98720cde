"""Drives the library without HTTP: an engine on a database of its own, and a crowd of tasks.

The cases that measure the engine itself use it.
"""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

import bespeak
from benchmarks.bespeak_server import HOLD_SECONDS, OWNER_LIMIT
from benchmarks.database import Database, connected, settle
from benchmarks.results import Sample
from bespeak.inventory.plans import parse_plan
from bespeak.postgres.migrate import migrate
from bespeak.verticals.installed import migration_sources

# One task: does one piece of work; the number is the task's, the answer says whether to go on.
Work = Callable[[int], Awaitable[bool]]


@dataclass(frozen=True)
class Opened:
    """An engine with its shows."""

    engine: bespeak.Engine
    database_url: str
    resources: list[str]


@contextlib.asynccontextmanager
async def opened(
    database: Database, name: str, shows: int, plan: dict[str, object], *, limit: int = OWNER_LIMIT
) -> AsyncIterator[Opened]:
    """Connect an engine to a new database and create so many shows of one plan."""
    url = await database.create(name)
    async with connected(url) as connection:
        await migrate(connection, migration_sources())
    new = bespeak.NewResource(
        name="Show",
        plan=parse_plan(json.dumps(plan)),
        hold_seconds=HOLD_SECONDS,
        owner_limit=limit,
    )
    async with bespeak.connect(database_url=url) as engine:
        resources = [made.id for made in await engine.create_resources([new] * shows)]
        await settle(url)
        yield Opened(engine, url, resources)


async def crowd(tasks: int, work: Work, seconds: float | None, warm_up: float = 0.0) -> Sample:
    """So many tasks that repeat the work; its rate within the window, and its latencies."""
    taken: list[float] = []
    starts = time.perf_counter() + warm_up
    ends = starts + seconds if seconds is not None else float("inf")

    async def one(number: int) -> None:
        while (began := time.perf_counter()) < ends:
            if not await work(number):
                return
            if starts <= (now := time.perf_counter()) < ends:
                taken.append((now - began) * 1e3)

    await asyncio.gather(*(one(number) for number in range(tasks)))
    elapsed = min(time.perf_counter(), ends) - starts
    taken.sort()
    if not taken:
        return Sample(0.0)
    return Sample(len(taken) / elapsed, taken[len(taken) // 2], taken[int(len(taken) * 0.99)])
