"""More clients than the server can serve: throughput must hold, the rest be told to wait.

256 connections give the peak, then 2,000 and 8,000 come, and the 8,000 once more: the memory of the
server's processes must not grow from one such crowd to the next. The clients honour Retry-After.
"""

import asyncio
import resource

from benchmarks import services
from benchmarks.bespeak_server import Bespeak, bespeak
from benchmarks.contestants import FreshPairs, Hall, drive
from benchmarks.load import Load, Outcome
from benchmarks.results import Bench, Figure, Sample, compared, granted

HALL = Hall(shows=400, rows=25, seats=100)
PEAK_CONNECTIONS = 256
CROWDS = (2_000, 8_000)


async def run(bench: Bench) -> list[Figure]:
    """Peak, crowds, and the memory around them."""
    allow_connections()
    async with bespeak(bench.database, HALL) as server:
        pairs = FreshPairs(HALL, server.hold)
        peak = granted(await burst(bench, server, pairs, PEAK_CONNECTIONS))
        crowds = {many: await burst(bench, server, pairs, many) for many in CROWDS}
        before = Sample(services.resident_mb(services.tree(server.pid)))
        await burst(bench, server, pairs, max(CROWDS))
        after = Sample(services.resident_mb(services.tree(server.pid)))
    figures = [
        compared(f"overload-{many}", "holds/s", granted(crowd), f"peak at {PEAK_CONNECTIONS}", peak)
        for many, crowd in crowds.items()
    ]
    for many, crowd in crowds.items():
        print(
            f"{many} connections: {crowd.statuses[201]} held, {crowd.waited} told to wait, "
            f"{crowd.errors} hung up, {crowd.unconnected} not let in, "
            f"{crowd.unanswered} never answered, other answers {others(crowd)}"
        )
    worst = min((granted(crowd) for crowd in crowds.values()), key=lambda sample: sample.value)
    return [
        compared("overload", "holds/s", worst, f"peak at {PEAK_CONNECTIONS}", peak),
        *figures,
        compared("overload-memory", "MB", after, "after the crowd before", before),
    ]


async def burst(bench: Bench, server: Bespeak, pairs: FreshPairs, connections: int) -> Outcome:
    """One load; fresh seats throughout."""
    load = Load(connections, bench.seconds, bench.warm_up_seconds)
    outcome = await drive(server, load, pairs.source)
    if pairs.has_run_out():
        raise RuntimeError("out of fresh seats: make the hall larger")
    await asyncio.sleep(1.0)
    return outcome


def others(outcome: Outcome) -> dict[int, int]:
    """Answers that were neither a hold nor a wait."""
    return {status: n for status, n in outcome.statuses.items() if status != 201}


def allow_connections() -> None:
    """Raise this process's limit of open files to what the system lets it have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if max(soft, hard) < max(CROWDS) + 100:
        raise services.ServiceError(f"the limit of open files ({hard}) is below {max(CROWDS)}")
