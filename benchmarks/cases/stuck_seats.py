"""Holds in process while a session stands idle in a transaction with a seat of each of 50 shows,
and somebody wants each of these seats; against the same without them. What counts is what the
others notice: their p99.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator

import bespeak
from benchmarks.database import settle
from benchmarks.engine_load import Seats, crowd, placing
from benchmarks.in_process import Opened, idle_holds, opened
from benchmarks.results import Bench, Figure, Sample, alternate, compared

SHOWS, ROWS, SEATS = 50, 25, 400
TASKS = 16
PLAN: dict[str, object] = {
    "type": "seats",
    "sections": [
        {"name": "Stalls", "rows": [{"name": chr(65 + row), "seats": SEATS} for row in range(ROWS)]}
    ],
}


async def run(bench: Bench) -> list[Figure]:
    """With and without the idle session in turn, each with fresh seats."""

    async def measure(*, stuck: bool) -> Sample:
        async with opened(bench.database, "bespeak_stuck", SHOWS, PLAN) as stage:
            await settle(stage.database_url)
            work = placing(stage.engine, _seats(stage))
            async with contextlib.AsyncExitStack() as stack:
                if stuck:
                    idle = idle_holds(stage.database_url, stage.resources)
                    await stack.enter_async_context(idle)
                    await stack.enter_async_context(_wanting(stage))
                taken = await crowd(TASKS, work, bench.seconds, bench.warm_up_seconds)
        return Sample(taken.p99_ms, taken.p50_ms, taken.p99_ms)

    async def locked() -> Sample:
        return await measure(stuck=True)

    async def still() -> Sample:
        return await measure(stuck=False)

    with_them, without = await alternate([locked, still], bench.rounds)
    return [compared("stuck-seats", "ms at p99", with_them, "no lock", without, less=True)]


def _seats(stage: Opened) -> Iterator[Seats]:
    number = 0
    for row in range(1, ROWS):
        for seat in range(1, SEATS, 2):
            for resource in stage.resources:
                name = chr(65 + row)
                yield number, resource, f"{name}{seat}", f"{name}{seat + 1}"
                number += 1


@contextlib.asynccontextmanager
async def _wanting(stage: Opened) -> AsyncIterator[None]:
    """Somebody wants A1 of each show, and asks again when told to."""

    async def want(show: str) -> None:
        line = bespeak.Line(show, "A1")
        while True:
            with contextlib.suppress(bespeak.BespeakError):
                await stage.engine.place_hold(owner="wants", lines=[line])
            await asyncio.sleep(0.1)

    tasks = [asyncio.create_task(want(show)) for show in stage.resources]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
