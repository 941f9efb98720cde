"""Two-seat holds over HTTP: Bespeak against each ordinary way, fresh adjacent seats of many shows.

Everything is on: key, idempotency key, limit per owner (a new owner each, so that it is drawn and
never reached), events.
"""

import asyncio
import contextlib

from benchmarks.bespeak_server import bespeak
from benchmarks.contestants import Contestant, FreshPairs, Hall, comparator, drive
from benchmarks.load import Load
from benchmarks.results import Bench, Figure, Measure, Sample, alternate, compared, granted

HALL = Hall(shows=400, rows=25, seats=40)
UNIT = "holds/s"


async def against_ordinary(bench: Bench) -> list[Figure]:
    """The ratio to comparator (a), for update."""
    return [await against(bench, "http-holds", "for_update")]


async def against_lean(bench: Bench) -> list[Figure]:
    """The ratio to comparator (e), the leanest."""
    return [await against(bench, "http-holds-vs-lean", "lean")]


async def against_strategies(bench: Bench) -> list[Figure]:
    """The ratios to (b), (c) and (d)."""
    return [
        await against(bench, "http-holds-strategies", name)
        for name in ("unique", "optimistic", "redis_lock")
    ]


async def against(bench: Bench, figure: str, rival: str) -> Figure:
    """Both servers up, loaded in turn."""
    async with contextlib.AsyncExitStack() as stack:
        ours = await stack.enter_async_context(bespeak(bench.database, HALL))
        theirs = await stack.enter_async_context(comparator(rival, bench.database, HALL))
        first, second = await alternate(
            [measuring(bench, ours), measuring(bench, theirs)], bench.rounds
        )
    return compared(figure, UNIT, first, rival, second)


def measuring(bench: Bench, contestant: Contestant, hall: Hall = HALL) -> Measure:
    """A measurement that goes on with fresh seats each time it is repeated."""
    pairs = FreshPairs(hall, contestant.hold)

    async def measure() -> Sample:
        load = Load(bench.connections, bench.seconds, bench.warm_up_seconds)
        outcome = await drive(contestant, load, pairs.source)
        if pairs.has_run_out():
            raise RuntimeError(f"{contestant.name} ran out of fresh seats: make the hall larger")
        if other := set(outcome.statuses) - {201}:
            raise RuntimeError(f"{contestant.name} answered {other} to holds of fresh seats")
        await asyncio.sleep(0.5)
        return granted(outcome)

    return measure
