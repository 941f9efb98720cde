"""Whether a hold gets slower when the table of claims grows from 100,000 to 10 million rows.

Two databases that differ in that only, measured in turn. The ratio is large to small: 1 is ideal.
"""

import contextlib
from functools import partial

from benchmarks.database import connected, settle
from benchmarks.engine_load import HALL, crowd, fresh, placing
from benchmarks.in_process import opened
from benchmarks.results import Bench, Figure, Sample, alternate

CLAIMS_SMALL = 100_000
CLAIMS_LARGE = 10_000_000
UNITS_EACH = 1_000
TASKS = 16
# Sold seats of shows all over the range of ids, so that the shows on sale lie between them.
FILL = """
insert into bespeak.claim (resource_id, unit, hold_id, expires_at)
select r.id, 'A' || u, gen_random_uuid(), 'infinity'
from (select (random() * 1099511627000)::bigint + 1 as id from generate_series(1, $1::int)
      order by 1) r, generate_series(1, $2::int) u
on conflict do nothing
"""


async def run(bench: Bench) -> list[Figure]:
    """Fill both, then measure."""
    async with contextlib.AsyncExitStack() as stack:
        measures = []
        for name, claims in (("large", CLAIMS_LARGE), ("small", CLAIMS_SMALL)):
            stage = await stack.enter_async_context(
                opened(bench.database, f"bespeak_{name}", HALL.shows, HALL.plan())
            )
            await fill(stage.database_url, claims)
            work = placing(stage.engine, fresh(stage.resources))
            measures.append(partial(crowd, TASKS, work, bench.seconds, bench.warm_up_seconds))
        large, small = await alternate(measures, bench.rounds)
    return [figure(large, small)]


async def fill(url: str, claims: int) -> None:
    """So many sold seats, without holds of their own."""
    async with connected(url) as connection:
        await connection.execute("set synchronous_commit = off")
        await connection.execute(FILL, claims // UNITS_EACH, UNITS_EACH, timeout=900)
    await settle(url)


def figure(large: Sample, small: Sample) -> Figure:
    """Medians of the latency; here less is better, and the ratio is the slowdown."""
    return Figure(
        "growth", round(large.p50_ms, 3), "ms p50 with 10 million claims", "100,000 claims",
        round(small.p50_ms, 3), round(large.p50_ms / small.p50_ms, 3), round(large.p50_ms, 3),
        round(large.p99_ms, 3),
    )  # fmt: skip
