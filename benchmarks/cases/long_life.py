"""Whether a hold, or the sweeper, gets slower when many millions of holds have come and gone.

Two databases, one with the traces of so many holds (`--holds`), one empty, measured in turn: rows
of holds and keys, and two events each. The ratio is old to new: 1 is ideal. The sizes of the tables
are those of the old one.
"""

import contextlib
import time
from functools import partial

from benchmarks.database import connected, settle
from benchmarks.engine_load import HALL, crowd, fresh, placing
from benchmarks.in_process import opened
from benchmarks.results import Bench, Figure, Measure, Sample, alternate

TASKS = 16
CHUNK = 200_000
SWEPT = 1_000
SWEEPS = 5
# Holds of the shows on sale that have lapsed, a chunk at a time, in the order of their ids as time
# makes it. The ids are like those of `new_id`, which would take a third of the filling. No claim is
# left of them. Their events are of one moment each, as those of a batch are.
FILL = """
with made as materialized (
    select r.resource_id, 'guest-' || n as owner, 'A' || n % 100 as unit, 'old-' || n as key,
        (lpad(to_hex((extract(epoch from now()) * 1000)::bigint + n % 1000), 12, '0') || r.home
            || lpad(to_hex(n), 8, '0'))::uuid as hold_id
    from generate_series($1::bigint, $1::bigint + $2::bigint - 1) as n
    join (select resource_id, row_number() over (order by resource_id) as k,
            substr(replace(bespeak.new_id(resource_id)::text, '-', ''), 13, 12) as home
        from bespeak.resource) r
        on r.k = n % (select count(*) from bespeak.resource) + 1
), held as (
    insert into bespeak.hold (resource_id, hold_id, owner, state, resources, units, quantities,
        created_at, expires_at, extends_until, ended_at, idempotency_key, fingerprint)
    select resource_id, hold_id, owner, 'expired', array[resource_id, resource_id],
        array[unit, unit || '1'], '{null,null}', now(), now(), now(), now(), key,
        '\\x0102030405060708'
    from made
), keyed as (
    insert into bespeak.hold_key (owner, idempotency_key, resource_id, hold_id)
    select owner, key, resource_id, hold_id from made
)
insert into bespeak.event (resource_id, horizon, kind, hold_id, units, quantities, at)
select m.resource_id, (select bespeak.horizon()), k.kind, m.hold_id, array[unit, unit || '1'],
    '{null,null}', now()
from made m cross join (values ('held'), ('expired')) as k(kind)
"""
# Holds whose time is over, with a claim each, for the sweeper.
LAPSED = """
with made as (
    insert into bespeak.hold (resource_id, hold_id, owner, state, resources, units, quantities,
        created_at, expires_at, extends_until)
    select 1, bespeak.new_id(1), 'lapsed', 'held', '{1}', array['lapsed-' || n], '{null}', now(),
        now() - interval '1 second', now() from generate_series(1, $1::int) as n
    returning hold_id, units[1] as unit, expires_at
)
insert into bespeak.claim (resource_id, unit, hold_id, expires_at)
select 1, unit, hold_id, expires_at from made
"""
SIZES = """
select c.relname as name, pg_table_size(c.oid)::float8 / 1048576 as table_mb,
    pg_indexes_size(c.oid)::float8 / 1048576 as indexes_mb
from pg_class c
where c.relnamespace = 'bespeak'::regnamespace and c.relkind = 'r'
    and pg_total_relation_size(c.oid) > 8 * 1048576
order by pg_total_relation_size(c.oid) desc
"""


async def run(bench: Bench) -> list[Figure]:
    """Fill one, then measure both."""
    async with contextlib.AsyncExitStack() as stack:
        placings: list[Measure] = []
        sweepings: list[Measure] = []
        sizes: list[Figure] = []
        for name, holds in (("old", bench.holds), ("new", 0)):
            stage = await stack.enter_async_context(
                opened(bench.database, f"bespeak_{name}", HALL.shows, HALL.plan(), sweep=False)
            )
            if holds:
                await fill(stage.database_url, holds)
                sizes = await sizes_of(stage.database_url)
            work = placing(stage.engine, fresh(stage.resources))
            placings.append(partial(crowd, TASKS, work, bench.seconds, bench.warm_up_seconds))
            sweepings.append(partial(sweeping, stage.database_url))
        figures = []
        for name, measures in (("long-life", placings), ("long-life-sweep", sweepings)):
            old, new = await alternate(measures, bench.rounds)
            figures.append(figure(name, old, new, bench.holds))
    return [*figures, *sizes]


async def fill(url: str, holds: int) -> None:
    """The traces of so many holds."""
    began = time.perf_counter()
    async with connected(url) as connection:
        await connection.execute("set synchronous_commit = off; set work_mem = '256MB'")
        for first in range(0, holds, CHUNK):
            await connection.execute(FILL, first, min(CHUNK, holds - first), timeout=900)
    await settle(url)
    print(f"{holds:,} holds came and went: {time.perf_counter() - began:.0f} s to fill", flush=True)


async def sweeping(url: str) -> Sample:
    """The time to expire a batch of holds that are due."""
    taken = []
    async with connected(url) as connection:
        await connection.execute(LAPSED, SWEPT * SWEEPS)
        for _ in range(SWEEPS):
            began = time.perf_counter()
            await connection.execute("select bespeak.expire_holds($1)", SWEPT)
            taken.append((time.perf_counter() - began) * 1e3)
    taken.sort()
    return Sample(SWEPT / taken[SWEEPS // 2] * 1e3, taken[SWEEPS // 2], taken[-1])


async def sizes_of(url: str) -> list[Figure]:
    """What the tables take that take more than some megabytes, with their indexes."""
    async with connected(url) as connection:
        rows = await connection.fetch(SIZES)
    return [
        Figure(
            f"long-life-{row['name']}", round(row["table_mb"], 1), "MB", "MB of its indexes",
            round(row["indexes_mb"], 1),
        )
        for row in rows
    ]  # fmt: skip


def figure(name: str, old: Sample, new: Sample, holds: int) -> Figure:
    """Medians of the latency; here less is better, and the ratio is the slowdown."""
    return Figure(
        name, round(old.p50_ms, 3), f"ms p50 after {holds:,} holds", "an empty database",
        round(new.p50_ms, 3), round(old.p50_ms / new.p50_ms, 3), round(old.p50_ms, 3),
        round(old.p99_ms, 3),
    )  # fmt: skip
