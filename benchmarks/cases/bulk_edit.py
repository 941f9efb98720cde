"""Holds in process while another program edits the plans of the same 300 shows, 30 a second;
against the same without it. One session stands idle in a transaction with a hold meanwhile, as one
does when a program is stopped in a debugger.
"""

import asyncio
import contextlib
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Iterator

from benchmarks.database import settle
from benchmarks.engine_load import Seats, crowd, placing
from benchmarks.in_process import Opened, idle_holds, opened
from benchmarks.results import Bench, Figure, Sample, alone, alternate, compared

SHOWS, ROWS, SEATS = 300, 10, 40
TASKS = 256
PLAN: dict[str, object] = {
    "type": "seats",
    "sections": [
        {"name": "Stalls", "rows": [{"name": chr(65 + row), "seats": SEATS} for row in range(ROWS)]}
    ],
    "pools": [{"unit": "standing", "capacity": 50}],
}


async def run(bench: Bench) -> list[Figure]:
    """With and without the editor in turn, each with fresh seats. Of a show that was sold out a new
    set is opened, so that no hold is refused."""
    edits: list[int] = []

    async def measure(*, edited: bool) -> Sample:
        async with opened(bench.database, "bespeak_edit", SHOWS, PLAN) as stage:
            await settle(stage.database_url)
            work = placing(stage.engine, _seats(stage))
            async with contextlib.AsyncExitStack() as stack:
                if edited:
                    edits.append(0)
                    idle = idle_holds(stage.database_url, stage.resources[:1])
                    await stack.enter_async_context(idle)
                    await stack.enter_async_context(_editor(stage, edits))
                return await crowd(TASKS, work, bench.seconds, bench.warm_up_seconds)

    async def still() -> Sample:
        return await measure(edited=False)

    async def busy() -> Sample:
        return await measure(edited=True)

    during, before = await alternate([busy, still], bench.rounds)
    per_second = sum(edits) / len(edits) / (bench.seconds + bench.warm_up_seconds)
    return [
        compared("bulk-edit", "holds/s", during, "no edits", before),
        alone("bulk-edit-edits", "edits/s", Sample(per_second)),
    ]


def _seats(stage: Opened) -> Iterator[Seats]:
    number = 0
    for row in range(ROWS):
        for seat in range(1, SEATS, 2):
            for resource in stage.resources[1:]:
                name = chr(65 + row)
                yield number, resource, f"{name}{seat}", f"{name}{seat + 1}"
                number += 1


@contextlib.asynccontextmanager
async def _editor(stage: Opened, edits: list[int]) -> AsyncIterator[None]:
    """The editor at work on all shows but the one that is locked; counts its edits."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.bulk_editor", stage.database_url),
        *stage.resources[1:],
        stdout=PIPE,
    )
    counting = asyncio.create_task(_count(process, edits))
    try:
        yield
    finally:
        if process.returncode is not None:
            raise RuntimeError("the editor ended by itself")
        process.kill()
        await counting
        await process.wait()


async def _count(process: Process, edits: list[int]) -> None:
    if process.stdout is not None:
        async for _ in process.stdout:
            edits[-1] += 1
