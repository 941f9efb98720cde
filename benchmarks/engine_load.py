"""Loads an engine without HTTP: a crowd of tasks, and two-seat holds of fresh seats.

Of the library only the public names are used, because `benchmarks/guard` runs this with the library
of another commit too.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence

import bespeak
from benchmarks.contestants import Hall
from benchmarks.results import Sample

HALL = Hall(shows=200, rows=25, seats=400)

# Does one piece of work; the number is the task's, the answer says whether to go on.
Work = Callable[[int], Awaitable[bool]]

# A number, a resource and two adjacent seats of it.
Seats = tuple[int, str, str, str]


async def crowd(tasks: int, work: Work, seconds: float | None, warm_up: float = 0.0) -> Sample:
    """So many tasks that repeat the work; its rate within the window, and its latencies."""
    taken: list[float] = []
    starts = time.perf_counter() + warm_up
    ends = starts + seconds if seconds is not None else float("inf")

    async def one(number: int) -> None:
        while (began := time.perf_counter()) < ends:
            if not await work(number):
                return
            if starts <= (now := time.perf_counter()) < ends:
                taken.append((now - began) * 1e3)

    await asyncio.gather(*(one(number) for number in range(tasks)))
    elapsed = min(time.perf_counter(), ends) - starts
    taken.sort()
    if not taken:
        return Sample(0.0)
    return Sample(len(taken) / elapsed, taken[len(taken) // 2], taken[int(len(taken) * 0.99)])


def fresh(resources: Sequence[str]) -> Iterator[Seats]:
    """Seats that nobody has asked for, over all resources in turn."""
    number = 0
    for row in range(HALL.rows):
        for seat in range(1, HALL.seats, 2):
            for resource in resources:
                letter = chr(65 + row)
                yield number, resource, f"{letter}{seat}", f"{letter}{seat + 1}"
                number += 1


def placing(engine: bespeak.Engine, seats: Iterator[Seats]) -> Work:
    """Two-seat holds through the engine."""

    async def work(_: int) -> bool:
        number, resource, first, second = next(seats)
        lines = [bespeak.Line(resource, first), bespeak.Line(resource, second)]
        await engine.place_hold(owner=f"buyer-{number}", lines=lines, idempotency_key=f"k-{number}")
        return True

    return work
