"""10,000 buyers want one seat: one wins, and the database hears of hardly any of the others.

How many attempts reached the database is read from the server's own counter of what it batched.
"""

import time

from benchmarks.bespeak_server import Bespeak, audit, bespeak, metric
from benchmarks.contestants import Hall, drive
from benchmarks.load import Load
from benchmarks.results import Bench, Figure, Sample, alone, median

BUYERS = 10_000
HALL = Hall(shows=3, rows=1, seats=20)
# Holds that the committers handed to the database, over all batches and workers.
REACHED_METRIC = 'bespeak_batch_size_sum{verb="place"}'


async def run(bench: Bench) -> list[Figure]:
    """A new show each round."""
    rates: list[Sample] = []
    reached: list[Sample] = []
    async with bespeak(bench.database, HALL) as server:
        for show in range(min(bench.rounds, HALL.shows)):
            rate, share = await one_round(bench, server, show)
            rates.append(rate)
            reached.append(share)
    return [
        alone("hot-seat", "refusals/s", median(rates)),
        alone("hot-seat-reached-database", "% of attempts", median(reached)),
    ]


async def one_round(bench: Bench, server: Bespeak, show: int) -> tuple[Sample, Sample]:
    """All buyers ask once; returns refusals a second and the share that the database saw."""
    buyers = iter(range(BUYERS))

    def source(_: int) -> bytes | None:
        buyer = next(buyers, None)
        if buyer is None:
            return None
        return server.hold(show, ("A1",), f"buyer-{show}-{buyer}")

    before = await metric(server, REACHED_METRIC)
    started = time.perf_counter()
    outcome = await drive(server, Load(bench.connections), source)
    seconds = time.perf_counter() - started
    reached = await metric(server, REACHED_METRIC) - before
    if outcome.statuses[201] != 1 or outcome.statuses[409] != BUYERS - 1:
        raise RuntimeError(f"one winner was due, answers were {dict(outcome.statuses)}")
    if (await audit(server, show))["double_sold"] != 0:
        raise RuntimeError("the audit found a seat sold twice")
    rate = outcome.statuses[409] / min(seconds, outcome.seconds)
    latencies = outcome.percentile_ms(50), outcome.percentile_ms(99)
    return Sample(rate, *latencies), Sample(100 * reached / BUYERS)
