"""What is compared: the hot rows of the benchmarks. Each side of a row is opened once and measured
again and again.
"""

import asyncio
import contextlib
import os
import statistics
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from benchmarks import services
from benchmarks.bespeak_server import Program, bespeak, migrated
from benchmarks.cases import http_holds, http_pairs, purchases, race_300, viewers
from benchmarks.cases.overload import allow_connections
from benchmarks.contestants import Contestant, Hall
from benchmarks.results import Bench, Measure

HALL = Hall(shows=400, rows=25, seats=100)
RACES = 3
VIEWERS = 2_000

# Measures once; a value for each gauge of the row.
Reading = Callable[[], Awaitable[tuple[float, ...]]]
# Called with the bench, the program of the side, and a name for its database.
Opening = Callable[[Bench, Program, str], AbstractAsyncContextManager[Reading]]


@dataclass(frozen=True)
class Gauge:
    """One figure that is compared."""

    name: str
    unit: str
    less_is_better: bool = False


@dataclass(frozen=True)
class Row:
    """What is opened and measured together, and the gauges that it gives."""

    open: Opening
    gauges: tuple[Gauge, ...]


def _over_http(measuring: Callable[[Bench, Contestant, Hall], Measure], price: int = 0) -> Opening:
    """One of the cases that count answers a second."""

    @contextlib.asynccontextmanager
    async def opened(bench: Bench, program: Program, name: str) -> AsyncIterator[Reading]:
        async with bespeak(bench.database, HALL, price=price, program=program, name=name) as server:
            measure = measuring(bench, server, HALL)

            async def reading() -> tuple[float, ...]:
                return ((await measure()).value,)

            yield reading

    return opened


@contextlib.asynccontextmanager
async def _in_process(bench: Bench, program: Program, name: str) -> AsyncIterator[Reading]:
    url = await migrated(bench.database, name, program)
    process = await asyncio.create_subprocess_exec(
        program.python, "-m", "benchmarks.guard.engine", url, cwd=services.ROOT,
        env={**os.environ, **program.variables}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    asked, told = process.stdin, process.stdout
    assert asked is not None
    assert told is not None

    async def reading() -> tuple[float, ...]:
        asked.write(f"{bench.seconds} {bench.warm_up_seconds}\n".encode())
        return (float(await told.readline()),)

    try:
        if await told.readline() != b"ready\n":
            raise services.ServiceError("the engine did not come up")
        yield reading
    finally:
        asked.close()
        await process.wait()


@contextlib.asynccontextmanager
async def _race(bench: Bench, program: Program, name: str) -> AsyncIterator[Reading]:
    hall = Hall((bench.rounds + 1) * RACES, race_300.HALL.rows, race_300.HALL.seats)
    async with bespeak(bench.database, hall, program=program, name=name) as server:
        shows = iter(range(hall.shows))

        async def reading() -> tuple[float, ...]:
            races = [await race_300.one_race(server, shows) for _ in range(RACES)]
            return (statistics.median(race.value for race in races),)

        yield reading


@contextlib.asynccontextmanager
async def _viewers(bench: Bench, program: Program, name: str) -> AsyncIterator[Reading]:
    allow_connections()
    async with (
        bespeak(
            bench.database, viewers.HALL, workers=1, variables=viewers.SETTINGS,
            program=program, name=name,
        ) as server,
        viewers.crowd(server, "stream", VIEWERS) as watching,
    ):  # fmt: skip

        async def reading() -> tuple[float, ...]:
            found = await viewers.seen(server, watching, bench.seconds)
            return found.late.p99_ms, 100 * found.cpu

        yield reading


ROWS = {
    "http-holds": Row(_over_http(http_holds.measuring), (Gauge("holds over HTTP", "1/s"),)),
    "http-pairs": Row(_over_http(http_pairs.measuring), (Gauge("pairs over HTTP", "1/s"),)),
    "engine-holds": Row(_in_process, (Gauge("holds in process", "1/s"),)),
    "purchases": Row(
        _over_http(purchases.measuring, purchases.PRICE), (Gauge("purchases", "1/s"),)
    ),
    "race-300": Row(_race, (Gauge("race for 300 seats", "s", less_is_better=True),)),
    "viewers": Row(
        _viewers,
        (
            Gauge("viewers, late at p99", "ms", less_is_better=True),
            Gauge("viewers, the worker's CPU", "% of a core", less_is_better=True),
        ),
    ),
}
