"""The engine in process against one transaction a hold with its own SQL: what batching is worth.

The rival calls `bespeak.place_holds` with one hold at a time on many connections: same tables, same
statement, one round trip, one commit each. The leanest rival's own function is measured too, on
its own tables, since a statement made for batches is not the best one for single holds.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from functools import partial
from uuid import uuid4

import asyncpg

from benchmarks.bespeak_server import HOLD_SECONDS, OWNER_LIMIT
from benchmarks.contestants import open_shows
from benchmarks.database import settle
from benchmarks.engine_load import HALL, Seats, Work, crowd, fresh, placing
from benchmarks.in_process import opened
from benchmarks.results import Bench, Figure, Sample, alternate, compared
from bespeak import ids

TASKS = 512
RIVAL_CONNECTIONS = 32
SINGLE = """
    select outcome from bespeak.place_holds(
        $1, array[$2::bespeak.hold_request], array[$1::bigint], array[1])
"""
LEAN = "select id from place_hold($1, $2, $3, $4, $5, $6, $7)"

Arguments = Callable[[Seats], Sequence[object]]


async def run(bench: Bench) -> list[Figure]:
    """All in turn, each with fresh seats."""
    async with opened(bench.database, "bespeak_engine", HALL.shows, HALL.plan()) as stage:
        lean_url = await open_shows(bench.database, "lean", HALL)
        seats = fresh(stage.resources)
        maker = ids.IdMaker()
        shows = {resource: number for number, resource in enumerate(stage.resources)}

        def single_arguments(taken: Seats) -> Sequence[object]:
            number, resource, first, second = taken
            home = ids.parse_resource(resource)
            owner = f"buyer-{number}"
            return home, (
                maker.new(home), owner, HOLD_SECONDS, 1800, f"k-{number}", b"0123456789abcdef",
                [home] * 3, [first, second, f"owner:{owner}"], [None, None, 2],
                [None, None, OWNER_LIMIT], 1, 0, "EUR", None, None, None,
                None, None, None, None,
            )  # fmt: skip

        def lean_arguments(taken: Seats) -> Sequence[object]:
            number, resource, first, second = taken
            owner, key, units = f"buyer-{number}", f"k-{number}", [first, second]
            return uuid4(), shows[resource], owner, units, key, HOLD_SECONDS, OWNER_LIMIT

        async def batched() -> Sample:
            await settle(stage.database_url)
            return await crowd(
                TASKS, placing(stage.engine, seats), bench.seconds, bench.warm_up_seconds
            )

        async def single(url: str, statement: str, arguments: Arguments) -> Sample:
            await settle(url)
            async with single_placing(url, statement, arguments, seats) as work:
                tasks = RIVAL_CONNECTIONS
                return await crowd(tasks, work, bench.seconds, bench.warm_up_seconds)

        ours, same, lean = await alternate(
            [
                batched,
                partial(single, stage.database_url, SINGLE, single_arguments),
                partial(single, lean_url, LEAN, lean_arguments),
            ],
            bench.rounds,
        )
    return [
        compared("engine-holds", "holds/s", ours, "one transaction each", same),
        compared("engine-holds-vs-lean", "holds/s", ours, "lean, one transaction each", lean),
    ]


@contextlib.asynccontextmanager
async def single_placing(
    url: str, statement: str, arguments: Arguments, seats: Iterator[Seats]
) -> AsyncIterator[Work]:
    """Through one prepared statement a connection, one connection a task."""
    connections = [await asyncpg.connect(url) for _ in range(RIVAL_CONNECTIONS)]
    try:
        statements = [await connection.prepare(statement) for connection in connections]

        async def work(task: int) -> bool:
            answer = await statements[task].fetchval(*arguments(next(seats)))
            if answer == "taken":
                raise RuntimeError("a fresh seat was refused")
            return True

        yield work
    finally:
        await asyncio.gather(*(connection.close() for connection in connections))
