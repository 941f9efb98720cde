"""Whole purchases over HTTP: hold two fresh seats, pay at the sandbox, and have them booked;
Bespeak and the ordinary way in turn. Afterwards every payment must be captured, and money and
inventory agree.
"""

import asyncio
import contextlib

from benchmarks.bespeak_server import Bespeak, bespeak
from benchmarks.cases.http_holds import HALL
from benchmarks.contestants import Buyers, Contestant, Hall, comparator
from benchmarks.database import connected
from benchmarks.load import Load
from benchmarks.results import Bench, Figure, Measure, Sample, alternate, compared

PRICE = 1500
PAUSE_SECONDS = 1.0  # what was answered may still have its money to take
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


def measuring(bench: Bench, contestant: Contestant, hall: Hall = HALL) -> Measure:
    """A measurement that goes on with fresh seats each time it is repeated. A payment that is not
    through at once (202) would be none."""
    buyers = Buyers(contestant, hall, contestant.pay, statuses=(201,))

    async def measure() -> Sample:
        load = Load(bench.connections, bench.seconds, bench.warm_up_seconds)
        return await buyers.measure(load, PAUSE_SECONDS)

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
