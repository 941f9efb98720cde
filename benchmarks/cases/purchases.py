"""Whole purchases over HTTP: hold two fresh seats, pay at the sandbox, and have them booked;
Bespeak and the ordinary way in turn. Afterwards every payment must be captured, and money and
inventory agree.
"""

import asyncio
import contextlib

from benchmarks.bespeak_server import Bespeak, bespeak
from benchmarks.cases.http_holds import HALL
from benchmarks.contestants import Contestant, FreshPairs, comparator, drive
from benchmarks.database import connected
from benchmarks.load import Load
from benchmarks.results import Bench, Figure, Measure, Sample, alternate, compared

PRICE = 1500
_PATIENCE_SECONDS = 60
_LOOK_SECONDS = 0.1
OPEN = "select count(*) from bespeak.payment where step is not null"
TALLY = """
    select (select count(*) from bespeak.booking where state = 'confirmed') as booked,
        (select count(*) from bespeak.payment where state = 'captured') as captured,
        (select count(*) from bespeak.sandbox_payment where state = 'captured') as charged,
        (select count(*) from bespeak.payment) as begun,
        (select count(*) from bespeak.money_problems()) as problems
"""


async def run(bench: Bench) -> list[Figure]:
    """Each connection buys, and then buys again."""
    async with contextlib.AsyncExitStack() as stack:
        ours = await stack.enter_async_context(bespeak(bench.database, HALL, price=PRICE))
        theirs = await stack.enter_async_context(comparator("paying", bench.database, HALL))
        first, second = await alternate(
            [measuring(bench, ours), measuring(bench, theirs)], bench.rounds
        )
        await verify(ours)
    return [compared("purchases", "purchases/s", first, "paying", second)]


class Buyers:
    """One buyer a connection at a time: who holds, pays."""

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
        """The payment of what this connection holds, else its next hold."""
        held = self._held.pop(number, None)
        if held is not None:
            return self._contestant.pay(held, self._owners.pop(number))
        request = self._fresh.source(number)
        if request is None:
            raise RuntimeError(f"{self._contestant.name} ran out of fresh seats")
        self._owners[number] = self._owner
        return request

    def sink(self, number: int, status: int, body: bytes) -> None:
        """Remember a granted hold. A payment that is not through at once (202) would be none."""
        if status != 201:
            raise RuntimeError(f"{self._contestant.name}: {status} {body[:300]!r}")
        if number in self._owners:
            self._held[number] = body


def measuring(bench: Bench, contestant: Contestant) -> Measure:
    """Two answers make a purchase; the latencies are those of single requests."""
    buyers = Buyers(contestant)

    async def measure() -> Sample:
        buyers.restart()
        load = Load(bench.connections, bench.seconds, bench.warm_up_seconds)
        outcome = await drive(contestant, load, buyers.source, buyers.sink)
        await asyncio.sleep(1.0)  # what was answered may still have its money to take
        purchases = sum(outcome.statuses.values()) / 2 / outcome.seconds
        return Sample(purchases, outcome.percentile_ms(50), outcome.percentile_ms(99))

    return measure


async def verify(server: Bespeak) -> None:
    """Every payment is captured, every booking paid, and the auditor finds nothing."""
    async with connected(server.database_url) as connection:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while await connection.fetchval(OPEN):  # noqa: ASYNC110
                await asyncio.sleep(_LOOK_SECONDS)
        tally = await connection.fetchrow(TALLY)
    assert tally is not None
    if tally["problems"] or not tally["booked"] or len({*tuple(tally)[:4]}) != 1:
        raise RuntimeError(f"money and inventory disagree: {dict(tally)}")
    print(f"bespeak: {tally['booked']:,} bookings, all captured, no problems")
