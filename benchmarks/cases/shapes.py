"""Every shape of inventory in process: fresh lines of each plan, held one after the other.

The rival sends the same holds through the same engine on connections of its own, one transaction
each, so the ratio is what batching is worth for that shape. Stays and journeys also meet the
ordinary way of ranges: an exclusion constraint, one insert a transaction.
"""

import asyncio
import contextlib
import datetime as dt
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from functools import partial
from uuid import uuid4

import asyncpg

import bespeak
from benchmarks.bespeak_server import HOLD_SECONDS, OWNER_LIMIT
from benchmarks.cases import shape_plans as plans
from benchmarks.contestants import COMPARATORS
from benchmarks.database import connected, settle
from benchmarks.engine_load import Work, crowd
from benchmarks.in_process import Opened, opened
from benchmarks.results import Bench, Figure, Sample, alone, alternate, compared
from bespeak import Line

TASKS = 512
RIVAL_CONNECTIONS = 32
EXCLUSION = "select hold_range($1, $2, $3, $4, $5, $6, $7, $8, $9)"

Asked = list[Line]


@dataclass(frozen=True)
class Shape:
    """A plan, how many resources of it, and fresh lines to hold."""

    name: str
    plan: dict[str, object]
    resources: int
    fresh: Callable[[list[str]], Iterator[Asked]]
    ranges: Callable[[Line], tuple[str, int, int]] | None = None


SHAPES = (
    Shape("best-2-of-300", plans.THEATRE, 1000, plans.best_pairs),
    Shape("stay-7-nights", plans.ROOMS, 100, plans.stays, plans.nights_of),
    Shape("stay-7-nights-of-a-type", plans.ROOM_TYPE, 100, plans.typed_stays),
    Shape("slot", plans.CLINIC, 20, plans.slots),
    Shape("next-number", plans.TOKENS, 50, plans.numbers),
    Shape("product-of-3-pools", plans.FESTIVAL, 50, plans.products),
    Shape("seat-over-6-legs", plans.TRAIN, 500, plans.journeys, plans.legs_of),
    Shape("75-minutes", plans.DRIVERS, 20, plans.rides),
)


async def run(bench: Bench) -> list[Figure]:
    """A figure for each shape, and two against the exclusion constraint."""
    figures: list[Figure] = []
    for shape in SHAPES:
        figures += await measure(bench, shape)
    return figures


async def measure(bench: Bench, shape: Shape) -> list[Figure]:
    """The shape by batches, by single transactions, and (for ranges) by exclusion."""
    name = f"bespeak_{shape.name.replace('-', '_')}"
    async with opened(bench.database, name, shape.resources, shape.plan) as stage:
        lines = shape.fresh(stage.resources)
        sides = [partial(batched, bench, stage, lines), partial(single, bench, stage, lines)]
        if shape.ranges is not None:
            url = await bench.database.create(f"ordinary_{shape.name.replace('-', '_')}")
            async with connected(url) as connection:
                await connection.execute((COMPARATORS / "exclusion.sql").read_text())
            # A database of its own, so it has all the lines that there are.
            own = shape.fresh(stage.resources)
            sides.append(partial(excluded, bench, url, own, shape.ranges))
        ours, same, *others = await alternate(sides, bench.rounds)
    title = f"hold-{shape.name}"
    found = [compared(title, "holds/s", ours, "one transaction each", same)]
    found += [
        compared(f"{title}-vs-exclusion", "holds/s", ours, "exclusion constraint", other)
        for other in others
    ]
    return found


async def batched(bench: Bench, stage: Opened, lines: Iterator[Asked]) -> Sample:
    """Through the committer."""
    await settle(stage.database_url)
    return await crowd(TASKS, placing(stage, lines), bench.seconds, bench.warm_up_seconds)


def placing(
    stage: Opened,
    lines: Iterator[Asked],
    connections: "list[asyncpg.Connection[asyncpg.Record]] | None" = None,
) -> Work:
    """Holds fresh lines; a refusal would be a fault."""

    async def work(task: int) -> bool:
        number = next(plans.BUYERS)
        place = partial(
            stage.engine.place_hold,
            owner=f"buyer-{number}",
            lines=next(lines),
            idempotency_key=f"k-{number}",
        )
        if connections is None:
            await place()
        else:
            async with connections[task].transaction():
                await place(connection=connections[task])
        return True

    return work


async def single(bench: Bench, stage: Opened, lines: Iterator[Asked]) -> Sample:
    """The same for one hold at a time, in a transaction of its own on a caller's connection."""
    await settle(stage.database_url)
    async with many(stage.database_url) as connections:
        work = placing(stage, lines, connections)
        return await crowd(RIVAL_CONNECTIONS, work, bench.seconds, bench.warm_up_seconds)


async def excluded(
    bench: Bench,
    url: str,
    lines: Iterator[Asked],
    ranges: Callable[[Line], tuple[str, int, int]],
) -> Sample:
    """One function call a transaction; a GiST index over ranges accepts or refuses."""
    await settle(url)
    async with many(url) as connections:
        statements = [await connection.prepare(EXCLUSION) for connection in connections]

        async def work(task: int) -> bool:
            number = next(plans.BUYERS)
            for line in next(lines):
                unit, begins, ends = ranges(line)
                owner, key = f"buyer-{number}", f"k-{number}"
                ids = (uuid4(), line.resource_id, unit, owner, key)
                await statements[task].fetch(*ids, begins, ends, HOLD_SECONDS, OWNER_LIMIT)
            return True

        return await crowd(RIVAL_CONNECTIONS, work, bench.seconds, bench.warm_up_seconds)


@contextlib.asynccontextmanager
async def many(url: str) -> "AsyncIterator[list[asyncpg.Connection[asyncpg.Record]]]":
    """So many connections as a pool of an ordinary server has."""
    connections = [await asyncpg.connect(url) for _ in range(RIVAL_CONNECTIONS)]
    try:
        yield connections
    finally:
        await asyncio.gather(*(connection.close() for connection in connections))


async def group(bench: Bench) -> list[Figure]:
    """50 rooms for 5 nights in one hold, one hold after the other: of a type, and exact rooms."""
    figures = []
    for name, plan, asked in (
        ("group-50-rooms-5-nights", plans.LARGE_TYPE, plans.groups),
        ("group-50-exact-rooms-5-nights", plans.LARGE_HOTEL, plans.groups),
    ):
        async with opened(
            bench.database, f"bespeak_group_{len(name)}", 200, plan, limit=1000
        ) as stage:
            work = placing(stage, asked(stage.resources))
            sample = await crowd(1, work, bench.seconds, bench.warm_up_seconds)
        figures.append(alone(name, "holds/s", sample))
    return figures


async def calendar(bench: Bench) -> list[Figure]:
    """The month calendar of a room type of which much is sold: in process, with its query."""
    async with opened(bench.database, "bespeak_calendar", 1, plans.ROOM_TYPE) as stage:
        resource = stage.resources[0]
        for asked in plans.first(plans.typed_stays([resource]), 300):
            await stage.engine.place_hold(owner="x" + str(next(plans.BUYERS)), lines=asked)
        today = dt.datetime.now(dt.UTC).date()
        query = bespeak.AvailabilityQuery(
            from_=(today + dt.timedelta(days=20)).isoformat(),
            to=(today + dt.timedelta(days=51)).isoformat(),
        )

        async def work(_: int) -> bool:
            await stage.engine.availability(resource, query)
            return True

        sample = await crowd(1, work, bench.seconds, bench.warm_up_seconds)
    return [alone("month-calendar", "calendars/s", sample)]
