"""Two-seat holds over HTTP: Bespeak against each ordinary way, fresh adjacent seats of many shows.

Everything is on: key, idempotency key, limit per owner (a new owner each, so that it is drawn and
never reached), events. The load is `wrk`, the same for all.
"""

import asyncio
import contextlib
import statistics
from dataclasses import replace

from benchmarks.bespeak_server import bespeak
from benchmarks.contestants import Contestant, FreshPairs, Hall, comparator, drive
from benchmarks.load import Load, Target
from benchmarks.results import Bench, Figure, Measure, Sample, alone, alternate, compared, granted
from benchmarks.wire import Requests
from benchmarks.wrk import WrkLoad

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


async def against_few(bench: Bench) -> list[Figure]:
    """What a crowd hides: 16 connections, and one buyer alone."""
    few, one = replace(bench, connections=16), replace(bench, connections=1)
    return [
        await against(few, "http-holds-16", "for_update"),
        await against(few, "http-holds-16-vs-lean", "lean"),
        await against(one, "http-holds-alone-vs-lean", "lean"),
    ]


async def against_nothing(bench: Bench) -> list[Figure]:
    """The ratio to an answer of the same server that does nothing, and what the load costs."""
    bare = Requests("GET", "/healthz").make()
    async with bespeak(bench.database, HALL) as server:
        target, costs = Target("127.0.0.1", server.port), list[float]()
        load = Load(bench.connections, bench.seconds, bench.warm_up_seconds)

        async def answer() -> Sample:
            answered = await WrkLoad(target, lambda _: bare).measure(load)
            costs.append(answered.load_us)
            return answered.sample()

        holds, answers = await alternate([loading(bench, server, costs), answer], bench.rounds)
    cost = Sample(statistics.median(costs))
    return [
        compared("http-holds-vs-bare", UNIT, holds, "a bare answer", answers),
        alone("http-load-cost", "us a request", cost),
    ]


async def against(bench: Bench, figure: str, rival: str) -> Figure:
    """Both servers up, loaded in turn."""
    async with contextlib.AsyncExitStack() as stack:
        ours = await stack.enter_async_context(bespeak(bench.database, HALL))
        theirs = await stack.enter_async_context(comparator(rival, bench.database, HALL))
        first, second = await alternate(
            [loading(bench, ours), loading(bench, theirs)], bench.rounds
        )
    return compared(figure, UNIT, first, rival, second)


def loading(bench: Bench, contestant: Contestant, costs: list[float] | None = None) -> Measure:
    """A measurement by `wrk` that goes on with fresh seats each time it is repeated."""
    pairs = FreshPairs(HALL, contestant.hold)
    wrk = WrkLoad(Target("127.0.0.1", contestant.port), pairs.source)

    async def measure() -> Sample:
        answered = await wrk.measure(Load(bench.connections, bench.seconds, bench.warm_up_seconds))
        if costs is not None:
            costs.append(answered.load_us)
        await asyncio.sleep(0.5)
        return answered.sample()

    return measure


def measuring(bench: Bench, contestant: Contestant, hall: Hall = HALL) -> Measure:
    """The same with our own client, which looks at each answer: short, for the guard."""
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
