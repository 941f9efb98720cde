"""One counted pool of 50,000, everyone at once: how fast it sells, and that it never sells more.

In process all 50,000 are drawn; over HTTP 52,000 ask, and exactly 2,000 must be refused.
"""

import asyncio
from itertools import count

import bespeak as library
from benchmarks.bespeak_server import bespeak
from benchmarks.contestants import drive
from benchmarks.engine_load import crowd
from benchmarks.in_process import opened
from benchmarks.load import Load
from benchmarks.results import Bench, Figure, Sample, alone, granted

CAPACITY = 50_000
TOO_MANY = 2_000
TASKS = 256
PLAN: dict[str, object] = {"type": "seats", "pools": [{"unit": "floor", "capacity": CAPACITY}]}


async def run(bench: Bench) -> list[Figure]:
    """The engine alone, then the server."""
    return [
        alone("hot-pool", "holds/s", await in_process(bench)),
        alone("hot-pool-http", "holds/s", await over_http(bench)),
    ]


async def in_process(bench: Bench) -> Sample:
    """Draw one at a time until the pool is empty."""
    async with opened(bench.database, "bespeak_pool", 1, PLAN) as stage:
        lines = [library.Line(stage.resources[0], "floor", 1)]
        buyers = iter(range(CAPACITY))

        async def work(_: int) -> bool:
            buyer = next(buyers, None)
            if buyer is None:
                return False
            await stage.engine.place_hold(
                owner=f"buyer-{buyer}", lines=lines, idempotency_key=f"k-{buyer}"
            )
            return True

        return await crowd(TASKS, work, None)


async def over_http(bench: Bench) -> Sample:
    """More ask than there is; the rate is that of the first part, when all are granted."""
    async with bespeak(bench.database, None, plan=PLAN) as server:
        numbers = count()

        def source(_: int) -> bytes | None:
            number = next(numbers)
            if number >= CAPACITY + TOO_MANY:
                return None
            return server.hold_pool(0, "floor", 1, f"buyer-{number}")

        first = await drive(server, Load(bench.connections, bench.seconds), source)
        # What was in flight when the window closed is granted too, but its answer is lost.
        await asyncio.sleep(1.0)
        rest = await drive(server, Load(bench.connections), source)
        sold = first.statuses[201] + rest.statuses[201]
        lost = CAPACITY + TOO_MANY - sum(first.statuses.values()) - sum(rest.statuses.values())
        refused = first.statuses[409] + rest.statuses[409]
        if not CAPACITY - lost <= sold <= CAPACITY or refused < TOO_MANY - lost:
            raise RuntimeError(f"of {CAPACITY}, {sold} were sold ({lost} answers lost)")
        return granted(first)
