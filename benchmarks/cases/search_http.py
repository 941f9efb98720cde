"""Searching stays over HTTP: one worker of a search server with 20,000 and 100,000 listings, asked
by 16 clients at once; what memory it has for itself; and what it costs it to follow bookings.
"""

import asyncio
import datetime as dt
import tempfile
import time
from collections.abc import Callable, Iterator
from urllib.parse import urlencode

import asyncpg
import psutil

import bespeak
from benchmarks import services
from benchmarks.bespeak_server import OWN, migrated
from benchmarks.cases.search import (
    DAYS,
    NIGHTS,
    PRICE_MAX,
    Asked,
    MadeUp,
    asked_near,
    made_up,
    put_listings,
)
from benchmarks.load import Load, Target, run_load
from benchmarks.results import Bench, Figure, Sample, alone, granted
from benchmarks.wire import Requests
from bespeak import Line, ids
from bespeak.http.server.keys import create_key

_LISTINGS = (20_000, 100_000)
_CLIENTS = 16
_BOOKINGS, _BUYERS, _IDLE_SECONDS = 6_000, 64, 2.0


async def run(bench: Bench) -> list[Figure]:
    """A walk and a whole town, with few and with many listings."""
    return [figure for count in _LISTINGS for figure in await _with(bench, count)]


async def _with(bench: Bench, count: int) -> list[Figure]:
    made = made_up(count)
    url = await migrated(bench.database, f"search_http{count}")
    connection = await asyncpg.connect(url)
    try:
        await put_listings(connection, made.listings, made.nights)
        key, _ = await create_key(connection, "publishable", "bench")
    finally:
        await connection.close()
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            "BESPEAK_DATABASE_URL": url,
            "BESPEAK_RATE_LIMIT_ADDRESS": "",
            "BESPEAK_SEARCH_SNAPSHOTS": folder,
        }
        return await _served(bench, made, key, environment)


async def _served(
    bench: Bench, made: MadeUp, key: str, environment: dict[str, str]
) -> list[Figure]:
    port, count = services.free_port(), len(made.listings)
    command = OWN.command("search", "--port", str(port), "--workers", "1")
    async with services.process(command, environment=environment) as child:
        await services.first_answer(port, "/readyz", child)
        figures = []
        for away, radius in (("3km", 3_000), ("25km", 25_000)):
            asked = asked_near(made.towns, radius)
            load = Load(_CLIENTS, bench.seconds, bench.warm_up_seconds)
            outcome = await run_load(Target("127.0.0.1", port), load, _source(asked, key))
            sample = granted(outcome, 200)
            figures.append(alone(f"search-http-{away}-{count}", "searches/s", sample))
        figures.append(alone(f"search-http-memory-{count}", "MB", Sample(_megabytes(child.pid))))
        return figures + await _followed(made, environment["BESPEAK_DATABASE_URL"], child.pid)


async def _followed(made: MadeUp, url: str, pid: int) -> list[Figure]:
    """Books a stay in each of some thousand listings as fast as it goes, and looks what processor
    time the search server spent until it was idle again."""
    count = len(made.listings)
    first = dt.datetime.now(dt.UTC).date() + dt.timedelta(days=DAYS + 10)
    last = first + dt.timedelta(days=NIGHTS)
    numbers = iter(range(1, _BOOKINGS + 1))
    async with bespeak.connect(database_url=url) as engine:

        async def book() -> None:
            for number in numbers:
                listing = ids.show_resource(number)
                line = Line(listing, from_=first.isoformat(), to=last.isoformat())
                hold = await engine.place_hold(owner="traveller", lines=[line])
                await engine.confirm_hold(hold.id)

        before, started = _processor_seconds(pid), time.perf_counter()
        await asyncio.gather(*(book() for _ in range(_BUYERS)))
        seconds = time.perf_counter() - started
        await asyncio.sleep(_IDLE_SECONDS)
    spent = _processor_seconds(pid) - before
    return [
        alone(f"search-http-followed-{count}", "bookings/s", Sample(_BOOKINGS / seconds)),
        alone(f"search-http-booking-{count}", "us", Sample(spent / _BOOKINGS * 1e6)),
    ]


def _processor_seconds(pid: int) -> float:
    """What the workers of a server have used."""
    workers = psutil.Process(pid).children(recursive=True)
    return sum(sum(worker.cpu_times()[:2]) for worker in workers)


def _source(asked: Iterator[Asked], key: str) -> Callable[[int], bytes]:
    def request(_: int) -> bytes:
        one = next(asked)
        query = {
            "lat": round(one.place.lat, 4),
            "lon": round(one.place.lon, 4),
            "radius": one.radius,
            "start": one.start,
            "end": one.start + dt.timedelta(days=NIGHTS),
            "guests": 2,
            "price_max": PRICE_MAX,
            "currency": "EUR",
        }
        return Requests("GET", f"/v1/search?{urlencode(query)}", bearer=key).make()

    return request


def _megabytes(pid: int) -> float:
    """What the workers of a server have for themselves; what they share with their parent counts
    by halves."""
    workers = psutil.Process(pid).children(recursive=True)
    return sum(worker.memory_full_info().pss for worker in workers) / 1e6
