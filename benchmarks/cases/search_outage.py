"""Searching stays while things die: two search servers with a worker each, bookings all the time;
then a worker is killed, and later the whole database for half a minute. Every search goes to one
server and, where that does not answer, to the other, as a proxy sends it.

What is measured: how many searches nobody answered, how long the others took, how soon a booking
is seen, how soon all is of now again after the database is back; and whether ever anything was
shown that had been booked before the time for which the answer says it holds.
"""

import asyncio
import contextlib
import datetime as dt
import json
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg
import httpx
import psutil

import bespeak
from benchmarks import services
from benchmarks.bespeak_server import OWN
from benchmarks.cases.search import Place, put_listings
from benchmarks.results import Bench, Figure, Sample, alone
from bespeak import Line, ids
from bespeak.errors import BespeakError
from bespeak.http.server.keys import create_key
from bespeak.postgres.embedded import EmbeddedServer

_LISTINGS, _BUYERS, _SEARCHERS = 4_000, 8, 6
_BUY_SECONDS = 0.05
_CALM_SECONDS, _OUTAGE_SECONDS, _AFTER_SECONDS = 10.0, 30.0, 20.0
_MIDDLE = Place(50.0, 10.0)
_SLACK = dt.timedelta(seconds=1)
_PROBE_SECONDS_MAX = 60.0


@dataclass
class Seen:
    """What the travellers and the buyers saw."""

    answered_ms: list[float] = field(default_factory=list)
    unanswered: int = 0
    stale: int = 0
    false: int = 0
    booked: dict[str, dt.datetime] = field(default_factory=dict)
    seen_ms: list[float] = field(default_factory=list)
    is_away: bool = False
    back_at: float | None = None
    fresh_after: float | None = None


async def run(bench: Bench) -> list[Figure]:
    """Calm, a worker is killed, the database is killed and comes back."""
    folder = Path(tempfile.mkdtemp(prefix="bespeak-bench-outage-"))
    database = EmbeddedServer(folder / "data")
    try:
        url = await asyncio.to_thread(database.start)
        key, listings = await _filled(url)
        async with _search_servers(url, folder) as servers:
            seen = Seen()
            urls = [f"http://127.0.0.1:{port}" for port, _ in servers]
            async with bespeak.connect(database_url=url) as engine, _travellers(urls, key) as ask:
                works = [_search(ask, seen) for _ in range(_SEARCHERS)]
                works += [_buy(engine, ask, listings, seen) for _ in range(_BUYERS)]
                tasks = [asyncio.create_task(work) for work in works]
                try:
                    await _kill_in_turn(database, servers, seen)
                finally:
                    for task in tasks:
                        task.cancel()
                    await asyncio.gather(*tasks, return_exceptions=True)
        return _figures(seen)
    finally:
        await asyncio.to_thread(database.stop)
        shutil.rmtree(folder, ignore_errors=True)


async def _kill_in_turn(database: EmbeddedServer, servers: "list[_Server]", seen: Seen) -> None:
    await asyncio.sleep(_CALM_SECONDS)
    for worker in psutil.Process(servers[0][1]).children():
        worker.kill()
    await asyncio.sleep(_CALM_SECONDS)
    seen.is_away = True
    main = psutil.Process(database.pid or 0)
    for process in (main, *main.children(recursive=True)):
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    await asyncio.sleep(_OUTAGE_SECONDS)
    await asyncio.to_thread(database.start)
    seen.back_at, seen.is_away = time.perf_counter(), False
    await asyncio.sleep(_AFTER_SECONDS)


def _figures(seen: Seen) -> list[Figure]:
    answered, later = sorted(seen.answered_ms), sorted(seen.seen_ms)
    if not answered or not later or seen.fresh_after is None:
        raise services.ServiceError("nothing was searched, booked or seen, or nothing came back")
    if seen.false:
        raise services.ServiceError(f"{seen.false} times something false was shown")
    seconds = 2 * _CALM_SECONDS + _OUTAGE_SECONDS + _AFTER_SECONDS
    rate = Sample(len(answered) / seconds, statistics.median(answered), _p99(answered))
    return [
        alone("search-outage-answered", "searches/s", rate),
        alone("search-outage-unanswered", "searches", Sample(seen.unanswered)),
        alone("search-outage-stale", "% of the answers", Sample(100 * seen.stale / len(answered))),
        alone("search-outage-booked", "bookings", Sample(len(seen.booked))),
        alone(
            "search-outage-seen",
            "ms, p99",
            Sample(_p99(later), statistics.median(later), later[-1]),
        ),
        alone("search-outage-back", "s", Sample(seen.fresh_after)),
    ]


def _p99(values: list[float]) -> float:
    return values[len(values) * 99 // 100]


_Server = tuple[int, int]
"""The port and the process of a search server."""


@contextlib.asynccontextmanager
async def _search_servers(url: str, folder: Path) -> AsyncIterator[list[_Server]]:
    environment = {"BESPEAK_DATABASE_URL": url, "BESPEAK_RATE_LIMIT_ADDRESS": ""}
    async with contextlib.AsyncExitStack() as stack:
        servers = []
        for number in range(2):
            port = services.free_port()
            own = ("--port", str(port), "--snapshots", str(folder / f"search-{number}"))
            child = await stack.enter_async_context(
                services.process(OWN.command("search", *own), environment=environment)
            )
            await services.first_answer(port, "/readyz", child)
            servers.append((port, child.pid))
        yield servers


class _Travellers:
    """Asks the search servers, each of which may be gone."""

    def __init__(self, client: httpx.AsyncClient, urls: list[str]) -> None:
        self._client, self._urls = client, urls

    async def search(self, **asked: str | int | float) -> dict[str, object] | None:
        """The first answer of any of them."""
        for url in random.sample(self._urls, len(self._urls)):
            with contextlib.suppress(httpx.HTTPError):
                answer = await self._client.get(f"{url}/v1/search", params=asked)
                if answer.status_code == 200:
                    found: dict[str, object] = json.loads(answer.content)
                    return found
        return None


@contextlib.asynccontextmanager
async def _travellers(urls: list[str], key: str) -> AsyncIterator[_Travellers]:
    headers = {"authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(headers=headers, timeout=5) as client:
        yield _Travellers(client, urls)


def _stay() -> dict[str, str]:
    first = dt.datetime.now(dt.UTC).date() + dt.timedelta(days=30)
    return {"start": first.isoformat(), "end": (first + dt.timedelta(days=2)).isoformat()}


async def _search(ask: _Travellers, seen: Seen) -> None:
    """One search after the other, each a little elsewhere."""
    while True:
        place = _near(random.Random())
        started = time.perf_counter()
        page = await ask.search(lat=place.lat, lon=place.lon, radius=3000, limit=50, **_stay())
        if page is None:
            seen.unanswered += 1
            continue
        seen.answered_ms.append((time.perf_counter() - started) * 1000)
        _judge(page, seen)
        await asyncio.sleep(0.01)


def _judge(page: dict[str, object], seen: Seen) -> None:
    """Whether an answer is old, and whether it shows what was booked before its time."""
    seen.stale += bool(page["stale"])
    as_of = dt.datetime.fromisoformat(str(page["as_of"]))
    items = page["items"]
    for one in items if isinstance(items, list) else []:
        booked = seen.booked.get(one["id"])
        # The feed numbers what happened some hundredths of a second later.
        seen.false += booked is not None and booked < as_of - _SLACK
    if seen.back_at is not None and seen.fresh_after is None and not page["stale"]:
        seen.fresh_after = time.perf_counter() - seen.back_at


async def _buy(
    engine: bespeak.Engine, ask: _Travellers, listings: Iterator[tuple[str, Place]], seen: Seen
) -> None:
    """Books one listing after the other, and waits until no search shows it."""
    stay = _stay()
    for listing, place in listings:
        try:
            line = Line(listing, from_=stay["start"], to=stay["end"])
            hold = await engine.place_hold(owner="traveller", lines=[line])
            await engine.confirm_hold(hold.id)
        except BespeakError:  # the database is away: another time
            await asyncio.sleep(0.2)
            continue
        booked_at, before = time.perf_counter(), (seen.is_away, seen.back_at)
        seen.booked[listing] = dt.datetime.now(dt.UTC)
        while time.perf_counter() - booked_at < _PROBE_SECONDS_MAX:
            page = await ask.search(lat=place.lat, lon=place.lon, radius=100, limit=50, **stay)
            items = page["items"] if page is not None else None
            if isinstance(items, list) and all(one["id"] != listing for one in items):
                break
            await asyncio.sleep(0.01)
        if before == (seen.is_away, seen.back_at) and not seen.is_away:
            seen.seen_ms.append((time.perf_counter() - booked_at) * 1000)
        await asyncio.sleep(_BUY_SECONDS)


async def _filled(url: str) -> tuple[str, Iterator[tuple[str, Place]]]:
    """A database with listings that are free; a browser's key, and the listings in turn."""
    environment = {"BESPEAK_DATABASE_URL": url}
    async with services.process(OWN.command("migrate"), environment=environment) as child:
        if await asyncio.to_thread(child.wait):
            raise services.ServiceError("bespeak migrate failed")
    chance = random.Random(15)
    places = [_near(chance) for _ in range(_LISTINGS)]
    rows = [(number, *place, 2, 9000) for number, place in enumerate(places, 1)]
    connection = await asyncpg.connect(url)
    try:
        await put_listings(connection, rows, [])
        key, _ = await create_key(connection, "publishable", "bench")
    finally:
        await connection.close()
    named = [(ids.show_resource(number), place) for number, place in enumerate(places, 1)]
    return key, iter(named)


def _near(chance: random.Random) -> Place:
    return Place(_MIDDLE.lat + chance.gauss(0, 0.05), _MIDDLE.lon + chance.gauss(0, 0.08))
