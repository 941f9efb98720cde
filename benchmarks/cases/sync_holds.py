"""The engine without an event loop, against one transaction through psycopg that calls the SQL
function: what a program of Django or Flask chooses between. A place of a large pool each time, so
that neither meets anybody; one thread, and several.
"""

import asyncio
import contextlib
from collections.abc import Iterator
from functools import partial
from itertools import count

import psycopg

import bespeak
from benchmarks.database import settle
from benchmarks.engine_load import Work, crowd
from benchmarks.in_process import opened
from benchmarks.results import Bench, Figure, Sample, alternate, compared
from bespeak import Line

THREADS = (1, 16)
_PLAN: dict[str, object] = {
    "type": "seats",
    "pools": [{"unit": "floor", "capacity": 100_000_000}],
}
_buyers = count()  # each holds once
_SINGLE = "select id from bespeak.place_hold(%s, array[%s], array['floor'], array[1])"


async def run(bench: Bench) -> list[Figure]:
    """Both in turn, with each number of threads."""
    figures: list[Figure] = []
    async with opened(bench.database, "bespeak_sync", 1, _PLAN, sweep=False) as stage:
        (show,) = stage.resources
        for threads in THREADS:

            async def measured(threads: int, *, is_ours: bool) -> Sample:
                await settle(stage.database_url)
                placing = ours if is_ours else theirs
                with placing(stage.database_url, show, threads) as work:
                    return await crowd(threads, work, bench.seconds, bench.warm_up_seconds)

            mine, rival = await alternate(
                [
                    partial(measured, threads, is_ours=True),
                    partial(measured, threads, is_ours=False),
                ],
                bench.rounds,
            )
            name = f"sync-holds, {threads} thread{'s' * (threads > 1)}"
            figures.append(compared(name, "holds/s", mine, "psycopg transaction", rival))
    return figures


@contextlib.contextmanager
def ours(url: str, show: str, threads: int) -> Iterator[Work]:
    """By the verbs that wait; all threads share the engine."""
    with bespeak.connect_sync(url, sweep=False) as engine:

        def hold() -> None:
            engine.place_hold(owner=f"buyer-{next(_buyers)}", lines=[Line(show, "floor", 1)])

        async def work(_thread: int) -> bool:
            await asyncio.to_thread(hold)
            return True

        yield work


@contextlib.contextmanager
def theirs(url: str, show: str, threads: int) -> Iterator[Work]:
    """By a transaction each; a connection a thread."""
    with contextlib.ExitStack() as stack:
        connections = [stack.enter_context(psycopg.connect(url)) for _ in range(threads)]

        def hold(thread: int) -> None:
            with connections[thread].transaction():
                connections[thread].execute(_SINGLE, (f"buyer-{next(_buyers)}", show))

        async def work(thread: int) -> bool:
            await asyncio.to_thread(hold, thread)
            return True

        yield work
