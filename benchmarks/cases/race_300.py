"""2,000 buyers race for 300 seats: how long until no two adjacent seats are left.

Each buyer tries up to three random adjacent pairs, never the one that it was just refused; nobody
refreshes a map. The answers alone tell the end, so that both sides are measured alike.
"""

import asyncio
import contextlib
import random
import time
from collections.abc import Iterator
from functools import partial

from benchmarks.bespeak_server import Bespeak, audit, bespeak
from benchmarks.contestants import Contestant, Hall, comparator, drive
from benchmarks.load import Load
from benchmarks.results import Bench, Figure, Sample, alternate, compared

BUYERS = 2_000
TRIES = 3
CONNECTIONS = 64
ROUNDS_MAX = 9
HALL = Hall(shows=ROUNDS_MAX, rows=15, seats=20)

Pair = tuple[str, str]
PAIRS: list[Pair] = [
    (f"{chr(65 + row)}{seat}", f"{chr(65 + row)}{seat + 1}")
    for row in range(HALL.rows)
    for seat in range(1, HALL.seats)
]


async def run(bench: Bench) -> list[Figure]:
    """Bespeak and the ordinary way in turn, the same buyers with the same dice."""
    async with contextlib.AsyncExitStack() as stack:
        ours = await stack.enter_async_context(bespeak(bench.database, HALL))
        theirs = await stack.enter_async_context(comparator("for_update", bench.database, HALL))
        measures = [partial(one_race, side, iter(range(ROUNDS_MAX))) for side in (ours, theirs)]
        first, second = await alternate(measures, min(bench.rounds, ROUNDS_MAX))
    return [compared("race-300", "s to sold out", first, "for_update", second, less=True)]


class Race:
    """The buyers of one show, and what the answers have told about its seats."""

    def __init__(self, contestant: Contestant, show: int) -> None:
        self._contestant = contestant
        self._show = show
        self._dice = random.Random(show)
        self._buyers = iter(range(BUYERS))
        self._at: dict[int, tuple[int, int, Pair]] = {}
        self._free = set(PAIRS)
        self.sold: list[str] = []
        self.sold_out_at = 0.0

    def source(self, number: int) -> bytes | None:
        """This buyer's next try, or the next buyer's first."""
        if self.sold_out_at:
            return None
        buyer, tries, last = self._at.get(number, (-1, TRIES, PAIRS[0]))
        if tries >= TRIES:
            buyer, tries = next(self._buyers, -1), 0
            if buyer < 0:
                return None
        pair = self._dice.choice(PAIRS)
        while tries and pair == last:
            pair = self._dice.choice(PAIRS)
        self._at[number] = (buyer, tries + 1, pair)
        return self._contestant.hold(self._show, pair, f"buyer-{buyer}", tries)

    def sink(self, number: int, status: int, body: bytes) -> None:
        """Granted seats leave the map; a buyer who has won goes home."""
        if status == 409:
            return
        if status != 201:
            raise RuntimeError(f"{self._contestant.name}: {status} {body[:200]!r}")
        buyer, _, pair = self._at[number]
        self._at[number] = (buyer, TRIES, pair)
        self.sold += pair
        self._free -= {other for other in self._free if set(other) & set(pair)}
        if not self._free and not self.sold_out_at:
            self.sold_out_at = time.perf_counter()


async def one_race(contestant: Contestant, shows: Iterator[int]) -> Sample:
    """One show, sold out; raises if a seat was granted twice."""
    show = next(shows)
    race = Race(contestant, show)
    started = 0.0

    def source(number: int) -> bytes | None:
        nonlocal started
        started = started or time.perf_counter()
        return race.source(number)

    outcome = await drive(contestant, Load(CONNECTIONS), source, race.sink)
    if not race.sold_out_at:
        raise RuntimeError(f"{contestant.name}: the buyers went home before the show was sold out")
    if len(race.sold) != len(set(race.sold)):
        raise RuntimeError(f"{contestant.name} sold a seat twice")
    if isinstance(contestant, Bespeak) and (await audit(contestant, show))["double_sold"] != 0:
        raise RuntimeError("the audit found a seat sold twice")
    await asyncio.sleep(0.5)
    return Sample(race.sold_out_at - started, outcome.percentile_ms(50), outcome.percentile_ms(99))
