"""Hold, then confirm the hold, over HTTP: pairs a second, Bespeak and the leanest rival in turn."""

import contextlib

from benchmarks.bespeak_server import bespeak
from benchmarks.cases.http_holds import HALL
from benchmarks.contestants import Buyers, Contestant, Hall, comparator
from benchmarks.load import Load
from benchmarks.results import Bench, Figure, Measure, Sample, alternate, compared

CONFIRMED = (200, 201)
PAUSE_SECONDS = 0.5


async def run(bench: Bench) -> list[Figure]:
    """Each connection holds two fresh seats and confirms them before it goes on."""
    async with contextlib.AsyncExitStack() as stack:
        ours = await stack.enter_async_context(bespeak(bench.database, HALL))
        theirs = await stack.enter_async_context(comparator("lean", bench.database, HALL))
        first, second = await alternate(
            [measuring(bench, ours), measuring(bench, theirs)], bench.rounds
        )
    return [compared("http-pairs", "pairs/s", first, "lean", second)]


def measuring(bench: Bench, contestant: Contestant, hall: Hall = HALL) -> Measure:
    """A measurement that goes on with fresh seats each time it is repeated."""
    buyers = Buyers(contestant, hall, contestant.confirm, CONFIRMED)

    async def measure() -> Sample:
        load = Load(bench.connections, bench.seconds, bench.warm_up_seconds)
        return await buyers.measure(load, PAUSE_SECONDS)

    return measure
