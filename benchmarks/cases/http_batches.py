"""Batches of 500 two-seat holds over HTTP: against the same holds one by one, and what a single
hold takes beside them. All on one server, in turn, fresh seats each time.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

from benchmarks.bespeak_server import Bespeak, bespeak
from benchmarks.contestants import FreshPairs, Hall, drive
from benchmarks.load import Load, Outcome
from benchmarks.results import Bench, Figure, Measure, Sample, alternate, compared, granted

# Ten times as many seats as others need: batches are quick.
HALL = Hall(shows=500, rows=25, seats=200)
UNIT = "holds/s"
BATCH = 500
CONNECTIONS = 4
CROWD = 16
PAUSE_SECONDS = 0.5


class Sellers:
    """Who asks a server for fresh pairs of seats, one by one and in batches."""

    def __init__(self, server: Bespeak, bench: Bench) -> None:
        self._server = server
        self._bench = bench
        self._pairs = FreshPairs(HALL, server.hold)

    def batch(self, _: int) -> bytes | None:
        """The next 500 in one request."""
        found = [self._pairs.made_by(self._server.element) for _ in range(BATCH)]
        return self._server.hold_batch([one for one in found if one is not None])

    def one_by_one(self, connections: int) -> Measure:
        """Holds a second."""

        async def measure() -> Sample:
            outcome = await self._load(connections)
            await asyncio.sleep(PAUSE_SECONDS)
            return granted(outcome)

        return measure

    def in_batches(self, connections: int) -> Measure:
        """Holds a second, with the latencies of whole calls."""

        async def measure() -> Sample:
            load = self._load_of(connections)
            calls = granted(await drive(self._server, load, self.batch, _all_held), 200)
            self._check()
            await asyncio.sleep(PAUSE_SECONDS)
            return replace(calls, value=calls.value * BATCH)

        return measure

    def beside_batches(self, connections: int) -> Measure:
        """What a single hold takes beside so many connections with batches."""

        async def measure() -> Sample:
            async with self._batches_behind(connections):
                outcome = await self._load(1)
            await asyncio.sleep(PAUSE_SECONDS)
            return _latency(outcome)

        return measure

    def in_a_crowd(self) -> Measure:
        """What each of a crowd of single holds takes."""

        async def measure() -> Sample:
            outcome = await self._load(CROWD)
            await asyncio.sleep(PAUSE_SECONDS)
            return _latency(outcome)

        return measure

    @contextlib.asynccontextmanager
    async def _batches_behind(self, connections: int) -> AsyncIterator[None]:
        """Batches go on meanwhile, and are all answered before what is measured next."""
        is_over = False

        def source(connection: int) -> bytes | None:
            return None if is_over else self.batch(connection)

        load = Load(connections)
        batches = asyncio.create_task(drive(self._server, load, source, _all_held))
        await asyncio.sleep(PAUSE_SECONDS)
        try:
            yield
            if batches.done():
                raise RuntimeError(f"the batches beside ended: {batches.exception()}")
        finally:
            is_over = True
            await batches

    async def _load(self, connections: int) -> Outcome:
        outcome = await drive(self._server, self._load_of(connections), self._pairs.source)
        self._check()
        if other := set(outcome.statuses) - {201}:
            raise RuntimeError(f"{other} in answer to holds of fresh seats")
        return outcome

    def _load_of(self, connections: int) -> Load:
        return Load(connections, self._bench.seconds, self._bench.warm_up_seconds)

    def _check(self) -> None:
        if self._pairs.has_run_out():
            raise RuntimeError("ran out of fresh seats: make the hall larger")


def _all_held(_: int, status: int, body: bytes) -> None:
    if status != 200 or b'"problem":{' in body:
        raise RuntimeError(f"{status} in answer to a batch of fresh seats: {body[:500]!r}")


def _latency(outcome: Outcome) -> Sample:
    return Sample(outcome.percentile_ms(50), outcome.percentile_ms(50), outcome.percentile_ms(99))


async def run(bench: Bench) -> list[Figure]:
    """The throughput, and then the neighbours."""
    async with bespeak(bench.database, HALL) as server:
        sellers = Sellers(server, bench)
        few, batches, crowd = await alternate(
            [
                sellers.one_by_one(CONNECTIONS),
                sellers.in_batches(CONNECTIONS),
                sellers.one_by_one(bench.connections),
            ],
            bench.rounds,
        )
    return [
        compared("http-batches", UNIT, batches, "one by one", few),
        compared("http-batches-vs-crowd", UNIT, batches, "a crowd one by one", crowd),
    ]


async def beside(bench: Bench) -> list[Figure]:
    """A single hold beside batches on 1 and 4 connections, against the same in a crowd of 16."""
    async with bespeak(bench.database, HALL) as server:
        sellers = Sellers(server, bench)
        numbers: Sequence[int] = (1, CONNECTIONS)
        crowd, *found = await alternate(
            [sellers.in_a_crowd(), *map(sellers.beside_batches, numbers)], bench.rounds
        )
    figures = []
    for number, sample in zip(numbers, found, strict=True):
        name = f"http-single-beside-{number}"
        figures.append(compared(name, "ms p50", sample, "in a crowd of 16", crowd, less=True))
        late, of_crowd = (Sample(one.p99_ms, one.p50_ms, one.p99_ms) for one in (sample, crowd))
        figures.append(
            compared(f"{name}-p99", "ms p99", late, "in a crowd of 16", of_crowd, less=True)
        )
    return figures
