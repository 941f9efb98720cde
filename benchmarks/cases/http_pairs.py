"""Hold, then confirm the hold, over HTTP: pairs a second, Bespeak and the leanest rival in turn."""

import asyncio
import contextlib

from benchmarks.bespeak_server import bespeak
from benchmarks.cases.http_holds import HALL
from benchmarks.contestants import Contestant, FreshPairs, comparator, drive
from benchmarks.load import Load
from benchmarks.results import Bench, Figure, Measure, Sample, alternate, compared


async def run(bench: Bench) -> list[Figure]:
    """Each connection holds two fresh seats and confirms them before it goes on."""
    async with contextlib.AsyncExitStack() as stack:
        ours = await stack.enter_async_context(bespeak(bench.database, HALL))
        theirs = await stack.enter_async_context(comparator("lean", bench.database, HALL))
        first, second = await alternate(
            [measuring(bench, ours), measuring(bench, theirs)], bench.rounds
        )
    return [compared("http-pairs", "pairs/s", first, "lean", second)]


class Buyers:
    """One buyer a connection at a time: the answer to its hold decides what it asks next."""

    def __init__(self, contestant: Contestant) -> None:
        self._contestant = contestant
        self._owner = ""
        self._fresh = FreshPairs(HALL, self._hold)
        self._owners: dict[int, str] = {}
        self._held: dict[int, bytes] = {}

    def _hold(self, show: int, units: object, owner: str) -> bytes:
        assert isinstance(units, tuple)
        self._owner = owner
        return self._contestant.hold(show, units, owner)

    def restart(self) -> None:
        """Forget what was left open when the last load ended."""
        self._held.clear()
        self._owners.clear()

    def source(self, number: int) -> bytes | None:
        """The confirmation of what this connection holds, else its next hold."""
        held = self._held.pop(number, None)
        if held is not None:
            return self._contestant.confirm(held, self._owners.pop(number))
        request = self._fresh.source(number)
        self._owners[number] = self._owner
        return request

    def sink(self, number: int, status: int, body: bytes) -> None:
        """Remember a granted hold."""
        if status not in (200, 201):
            raise RuntimeError(f"{self._contestant.name}: {status} {body[:200]!r}")
        if number in self._owners:
            self._held[number] = body


def measuring(bench: Bench, contestant: Contestant) -> Measure:
    """Two answers make a pair; the latencies are those of single requests."""
    buyers = Buyers(contestant)

    async def measure() -> Sample:
        buyers.restart()
        load = Load(bench.connections, bench.seconds, bench.warm_up_seconds)
        outcome = await drive(contestant, load, buyers.source, buyers.sink)
        await asyncio.sleep(0.5)
        pairs = sum(outcome.statuses.values()) / 2 / outcome.seconds
        return Sample(pairs, outcome.percentile_ms(50), outcome.percentile_ms(99))

    return measure
