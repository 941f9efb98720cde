"""The waiting room: joins, looks and places over HTTP with 14 million waiting, against a row a
person in PostgreSQL and a sorted set in Redis, of a million each; what one worker answers alone;
how much state they are; how long their opening takes, and that nobody is refused meanwhile; a
simulated rush.
"""

import asyncio
import datetime as dt
import time
import tracemalloc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import NamedTuple

import asyncpg
import httpx
from redis.asyncio import Redis

from benchmarks import queue_crowd, services
from benchmarks.bespeak_server import Bespeak, bespeak
from benchmarks.contestants import Hall
from benchmarks.load import Load, Source, Target
from benchmarks.results import Bench, Figure, Measure, Sample, alone, alternate, compared
from benchmarks.wire import Requests
from benchmarks.wrk import WrkLoad
from bespeak.admission.forms import EarlyOrder, NewWaitingRoom
from bespeak.admission.joins import TICK_US, QueueJoins
from bespeak.admission.place_keys import FIRST_LATE
from bespeak.admission.queue_tokens import QueueToken, QueueTokens
from bespeak.admission.rooms import make_room
from bespeak.postgres.secrets import signing_secret

_WAITING, _ROWS, _ROWS_AT_ONCE = 14_000_000, 1_000_000, 10_000
_TICKS_A_SECOND = 1_000_000 // TICK_US
_RUSH_SECONDS = 1_800
_OPENING_SECONDS_MAX = 60
_HALL = Hall(shows=2, rows=25, seats=40)
_CLIENTS = 64
_SEED = 20300101
_PATH = "/v1/waiting-rooms"


async def run(bench: Bench) -> list[Figure]:
    """Joins in turn with a row a person, and all else."""
    async with (
        bespeak(bench.database, _HALL) as server,
        _table(bench) as pool,
        _sorted_set() as set_port,
    ):
        room = await _room(server, server.resources[0], "first_come")
        disk = await _disk_megabytes(server)
        ours = _over_http(bench, server.port, _joins(server, room.id))
        owners, joining_set = count(), Requests("POST", "/join")

        def join_set(_: int) -> bytes:
            return joining_set.make(b'{"owner":"p%d"}' % next(owners))

        joins, rows, sets = await alternate(
            [ours, _by_row(bench, pool), _over_http(bench, set_port, join_set)], bench.rounds
        )
        looks, places = _looks_and_places(room)
        set_places = Requests("GET", f"/place?owner=w{_ROWS // 2}").make()
        look, place, set_place = await alternate(
            [
                _over_http(bench, server.port, lambda _: looks),
                _over_http(bench, server.port, lambda _: places),
                _over_http(bench, set_port, lambda _: set_places),
            ],
            bench.rounds,
        )
        opening, joined = await _open_while_they_join(bench, server)
    by_one = await _one_worker(bench)
    return [
        compared("queue-joins", "joins/s", joins, "a row a person", rows),
        compared("queue-joins-vs-redis", "joins/s", joins, "a sorted set", sets),
        compared("queue-now", "answers/s", look, "a sorted set", set_place),
        compared("queue-place", "answers/s", place, "a sorted set", set_place),
        *(alone(f"queue-{name}-one-worker", "answers/s", by_one[name]) for name in by_one),
        alone("queue-disk", "MB", disk),
        alone("queue-opening-http", "ms", opening),
        alone("queue-opening-joins", "joins/s", joined),
        *_state(),
        *_crowds(),
    ]


class _Room(NamedTuple):
    """A waiting room, and the queue token of somebody in its middle."""

    id: str
    queue_token: str


async def _room(server: Bespeak, resource: str, early_order: EarlyOrder) -> _Room:
    """A waiting room whose sale begins tomorrow, with all who wait already."""
    connection = await asyncpg.connect(server.database_url)
    try:
        opens_at = dt.datetime.now(dt.UTC) + dt.timedelta(days=1)
        new = NewWaitingRoom(
            name="Rush",
            resources=(resource,),
            opens_at=opens_at,
            early_order=early_order,
            pace="rate",
        )
        room = await make_room(connection, new, None)
        begun = int(time.time()) - _RUSH_SECONDS
        await connection.execute(
            """
            insert into bespeak.waiting_join (room_id, queue, tick, joined, noted_at)
            select $1, 0, n, $4, now() from generate_series($2::bigint, $3::bigint) n
            """,
            *(room.id, begun * _TICKS_A_SECOND, (begun + _RUSH_SECONDS) * _TICKS_A_SECOND - 1),
            round(_WAITING / _RUSH_SECONDS / _TICKS_A_SECOND),
        )
        tokens = QueueTokens(await signing_secret(connection, None))
    finally:
        await connection.close()
    await asyncio.sleep(15)  # until the workers have read them, and read them no more
    joined_us = (begun + _RUSH_SECONDS // 2) * 1_000_000
    return _Room(room.id, tokens.make(room.id, QueueToken(0, joined_us, bytes(16))))


def _joins(server: Bespeak, room: str) -> Source:
    """Each request is somebody else who joins."""
    owners = count()
    joining = Requests("POST", f"{_PATH}/{room}/queue-tokens", bearer=server.secret_key)
    return lambda _: joining.make(b'{"owner":"p%d"}' % next(owners))


def _looks_and_places(room: _Room) -> tuple[bytes, bytes]:
    """The requests for how a room stands, and for a place in it."""
    place = f"{_PATH}/{room.id}/place?queue_token={room.queue_token}"
    return Requests("GET", f"{_PATH}/{room.id}/now").make(), Requests("GET", place).make()


async def _disk_megabytes(server: Bespeak) -> Sample:
    """What is stored of those who wait, with its indexes."""
    connection = await asyncpg.connect(server.database_url)
    try:
        size = await connection.fetchval("select pg_total_relation_size('bespeak.waiting_join')")
    finally:
        await connection.close()
    return Sample(size / 1e6)


async def _one_worker(bench: Bench) -> dict[str, Sample]:
    """What one worker answers that has a processor to itself, beside that of the load."""
    async with bespeak(bench.database, _HALL, workers=1, name="one_worker") as server:
        room = await _room(server, server.resources[0], "first_come")
        looks, places = _looks_and_places(room)
        joins, look, place = await alternate(
            [
                _over_http(bench, server.port, _joins(server, room.id)),
                _over_http(bench, server.port, lambda _: looks),
                _over_http(bench, server.port, lambda _: places),
            ],
            bench.rounds,
        )
        return {"joins": joins, "now": look, "place": place}


async def _open_while_they_join(bench: Bench, server: Bespeak) -> tuple[Sample, Sample]:
    """The sale begins while more join: in what time, and joins a second meanwhile. The load fails
    where one of them is refused."""
    room = await _room(server, server.resources[1], "shuffle")
    join = _over_http(bench, server.port, _joins(server, room.id))
    seconds = bench.warm_up_seconds + bench.seconds / 2
    return await asyncio.gather(_opening(server, room.id, seconds), join())


async def _opening(server: Bespeak, room: str, after_seconds: float) -> Sample:
    """From the operator's call until who looks is told that the first of the early are let in."""
    await asyncio.sleep(after_seconds)
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.port}{_PATH}/") as client:
        started = time.perf_counter()
        admin = {"Authorization": f"Bearer {server.admin_key}"}
        opened = await client.patch(room, json={"state": "open"}, headers=admin)
        opened.raise_for_status()
        while (await client.get(f"{room}/now")).json()["queues"][0]["called"] == 0:
            if time.perf_counter() > started + _OPENING_SECONDS_MAX:
                raise RuntimeError("nobody was let in")
            await asyncio.sleep(0.02)
        return Sample((time.perf_counter() - started) * 1000)


def _over_http(bench: Bench, port: int, source: Source) -> Measure:
    wrk = WrkLoad(Target("127.0.0.1", port), source)

    async def measure() -> Sample:
        load = Load(_CLIENTS, bench.seconds, bench.warm_up_seconds)
        return (await wrk.measure(load)).sample()

    return measure


@asynccontextmanager
async def _sorted_set() -> AsyncIterator[int]:
    """The usual way: all who wait in a sorted set of Redis, behind two workers; gives the port."""
    async with services.redis() as url, Redis.from_url(url) as redis:
        for first in range(1, _ROWS, _ROWS_AT_ONCE):
            numbers = range(first, first + _ROWS_AT_ONCE)
            await redis.zadd("waiting", {f"w{number}": number for number in numbers})
        app = "benchmarks.comparators.queue_redis:app"
        async with services.granian(app, {"BENCH_REDIS_URL": url}) as port:
            yield port


@asynccontextmanager
async def _table(bench: Bench) -> AsyncIterator["asyncpg.Pool[asyncpg.Record]"]:
    """The ordinary way: a row a person, and the place is the count of those before."""
    url = await bench.database.create("queue_rows")
    pool = await asyncpg.create_pool(url, min_size=8, max_size=8)
    try:
        await pool.execute(
            """
            create table waiting (
                number bigint generated always as identity primary key,
                owner text not null unique, joined_at timestamptz not null default now()
            )
            """
        )
        await pool.execute(
            "insert into waiting (owner) select 'w' || n from generate_series(1, $1) n", _ROWS
        )
        await pool.execute("vacuum analyze waiting")
        yield pool
    finally:
        await pool.close()


def _by_row(bench: Bench, pool: "asyncpg.Pool[asyncpg.Record]") -> Measure:
    """Joins and is told the place, without any HTTP around it."""
    owners = count()

    async def measure() -> Sample:
        until, joined = time.perf_counter() + bench.seconds, 0

        async def keep_joining() -> None:
            nonlocal joined
            while time.perf_counter() < until:
                number = await pool.fetchval(
                    "insert into waiting (owner) values ($1) returning number",
                    f"p{next(owners)}",
                )
                await pool.fetchval("select count(*) from waiting where number < $1", number)
                joined += 1

        started = time.perf_counter()
        await asyncio.gather(*(keep_joining() for _ in range(16)))
        return Sample(joined / (time.perf_counter() - started))

    return measure


def _state() -> list[Figure]:
    """The memory of a process for 14 million who joined within half an hour, and the time from
    their opening to the first front."""
    ticks = _RUSH_SECONDS * _TICKS_A_SECOND
    counts = [(tick, -(-_WAITING // ticks)) for tick in range(ticks)]
    tracemalloc.start()
    joins = QueueJoins(shuffled=True)
    joins.take(counts, 0)
    used = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    started = time.perf_counter()
    joins.take((), ticks * TICK_US)
    front = joins.key_at(500)
    seconds = time.perf_counter() - started
    if not 0 < front < FIRST_LATE or joins.place_of(front) not in (499, 500):
        raise RuntimeError("the front is not where it belongs")
    return [
        alone("queue-state", "MB", Sample(used / 1e6)),
        alone("queue-opening", "ms", Sample(seconds * 1000)),
    ]


def _crowds() -> list[Figure]:
    """The rush: how many of those inside got nothing, and how fast all was sold."""
    figures = []
    for mode in ("none", "blind", "stock"):
        out = queue_crowd.run(mode, _SEED)
        nothing = 100 * out.got_nothing / max(1, out.inside)
        minutes = (out.sold_out_after or 0) / 60
        figures += [
            alone(f"queue-rush-{mode}-nothing", "% inside", Sample(nothing)),
            alone(f"queue-rush-{mode}-minutes", "minutes", Sample(minutes)),
            alone(f"queue-rush-{mode}-asked", "requests", Sample(float(out.asked))),
            alone(f"queue-rush-{mode}-refused", "refusals", Sample(float(out.refused))),
            alone(f"queue-rush-{mode}-sold", "seats", Sample(float(out.sold))),
        ]
    return figures
