"""`bespeak.place_hold`, a hold a statement on one connection, in halls of ten and of 10,000."""

import time
from collections.abc import Iterator, Sequence

import asyncpg

from benchmarks.contestants import Hall
from benchmarks.database import connected
from benchmarks.in_process import opened
from benchmarks.results import Bench, Figure, Measure, Sample, alternate

_SMALL = Hall(shows=400, rows=1, seats=10)
_LARGE = Hall(shows=2, rows=25, seats=400)
_HOLDS = 300
_HOLD = "select id from bespeak.place_hold($1, array[$2], array[$3])"


async def run(bench: Bench) -> list[Figure]:
    """Both halls in turn."""
    async with (
        opened(bench.database, "bespeak_sql_small", _SMALL.shows, _SMALL.plan()) as small,
        opened(bench.database, "bespeak_sql_large", _LARGE.shows, _LARGE.plan()) as large,
        connected(small.database_url) as of_small,
        connected(large.database_url) as of_large,
    ):
        few, many = await alternate(
            [
                _holding(of_small, _seats(small.resources, _SMALL)),
                _holding(of_large, _seats(large.resources, _LARGE)),
            ],
            bench.rounds,
        )
    return [
        Figure(
            "sql-hold", round(many.p50_ms, 3), "ms p50, 10,000 seats", "ten seats",
            round(few.p50_ms, 3), round(many.p50_ms / few.p50_ms, 3), round(many.p50_ms, 3),
            round(many.p99_ms, 3),
        )
    ]  # fmt: skip


def _seats(resources: Sequence[str], hall: Hall) -> Iterator[tuple[str, str]]:
    for show in resources:
        for row in range(hall.rows):
            yield from ((show, f"{chr(65 + row)}{seat + 1}") for seat in range(hall.seats))


def _holding(
    connection: "asyncpg.Connection[asyncpg.Record]", seats: Iterator[tuple[str, str]]
) -> Measure:
    async def measure() -> Sample:
        taken: list[float] = []
        for _ in range(_HOLDS):
            show, seat = next(seats)
            started = time.perf_counter()
            await connection.fetchval(_HOLD, f"buyer {seat}", show, seat)
            taken.append((time.perf_counter() - started) * 1e3)
        taken.sort()
        return Sample(1e3 * _HOLDS / sum(taken), taken[_HOLDS // 2], taken[_HOLDS * 99 // 100])

    return measure
