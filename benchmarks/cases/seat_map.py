"""A map of 20,000 seats, half of them sold: how fast its availability is answered over HTTP, warm,
by one worker, and how fast the 304s to those who have it; and how long the best seats take to find.
"""

import datetime as dt
import json
import random
import time
from collections.abc import Callable
from zoneinfo import ZoneInfo

import httpx

from benchmarks.bespeak_server import Bespeak, bespeak
from benchmarks.contestants import Hall, drive
from benchmarks.load import Load
from benchmarks.results import Bench, Figure, Sample, alone, granted
from benchmarks.wire import Requests
from bespeak.inventory.plans import SaleContext
from bespeak.inventory.shapes.registry import compile_plan, parse_plan
from bespeak.inventory.snapshot import Snapshot, TakenClaims
from bespeak.lines import Best, Line
from bespeak.states import UnitState

ARENA = Hall(shows=1, rows=25, seats=800)
THEATRE = Hall(shows=1, rows=15, seats=20)


async def availability(bench: Bench) -> list[Figure]:
    """The whole map, compressed as browsers ask for it, and the answer that nothing changed."""
    async with bespeak(bench.database, ARENA, workers=1) as server:
        await sell_half(server)
        path = f"/v1/resources/{server.resources[0]}/availability"
        plain = {"Accept-Encoding": "gzip"}
        whole, etag = await one(server, path, plain)
        seen = {**plain, "If-None-Match": etag}
        load = Load(64, bench.seconds, bench.warm_up_seconds)
        bodies = await drive(server, load, asking(server, path, plain))
        unchanged = await drive(server, load, asking(server, path, seen))
    return [
        alone("seat-map-20000", "answers/s", granted(bodies, 200)),
        alone("seat-map-20000-unchanged", "304s/s", granted(unchanged, 304)),
        alone("seat-map-20000-size", "bytes", Sample(float(whole))),
    ]


async def sell_half(server: Bespeak) -> None:
    """CrowdRecord every second hundred seats."""
    holds = Requests("POST", "/v1/holds", bearer=server.secret_key)
    bookings = Requests("POST", "/v1/bookings", bearer=server.secret_key)
    resource = server.resources[0]
    wanted = iter(
        [
            [f"{chr(65 + row)}{first + seat}" for seat in range(1, 5)]
            for row in range(ARENA.rows)
            for first in range(0, ARENA.seats, 8)
        ]
    )
    held: list[bytes] = []

    def next_hold(_: int) -> bytes | None:
        units = next(wanted, None)
        if units is None:
            return None
        lines = ",".join(f'{{"resource_id":"{resource}","unit":"{unit}"}}' for unit in units)
        key = units[0]
        return holds.make(f'{{"owner":"b-{key}","lines":[{lines}]}}'.encode(), f"k-{key}")

    def keep(_: int, status: int, body: bytes) -> None:
        if status != 201:
            raise RuntimeError(f"a fresh seat was refused: {body[:300]!r}")
        start = body.index(b'"hold_')
        held.append(body[start : body.index(b'"', start + 1) + 1])

    await drive(server, Load(32), next_hold, keep)
    left = iter(held)

    def next_booking(_: int) -> bytes | None:
        hold_id = next(left, None)
        if hold_id is None:
            return None
        return bookings.make(b'{"hold_id":%b}' % hold_id, hold_id.decode().strip('"'))

    await drive(server, Load(32), next_booking)


def asking(server: Bespeak, path: str, headers: dict[str, str]) -> Callable[[int], bytes]:
    """The same question again and again."""
    request = Requests("GET", path, bearer=server.secret_key, headers=headers).make()
    return lambda _: request


async def one(server: Bespeak, path: str, headers: dict[str, str]) -> tuple[int, str]:
    """The size of one answer, and its entity tag."""
    sent = {**headers, "Authorization": f"Bearer {server.secret_key}"}
    async with (
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.port}") as client,
        client.stream("GET", path, headers=sent) as answer,
    ):
        size = sum([len(part) async for part in answer.aiter_raw()])
    return size, answer.headers["etag"]


async def best(bench: Bench) -> list[Figure]:
    """Two seats next to each other, of rooms of which half is taken at random places."""
    return [
        alone("best-2-of-20000", "searches/s", _best(ARENA, bench.seconds)),
        alone("best-2-of-300", "searches/s", _best(THEATRE, bench.seconds)),
    ]


def _best(hall: Hall, seconds: float) -> Sample:
    plan = compile_plan(parse_plan(json.dumps(hall.plan())))
    units = [f"{chr(65 + row)}{seat + 1}" for row in range(hall.rows) for seat in range(hall.seats)]
    dice = random.Random(1)
    picture = Snapshot(
        {unit: TakenClaims(UnitState.BOOKED, None) for unit in units if dice.random() < 0.5}
    )
    sale = SaleContext(dt.datetime.now(dt.UTC), ZoneInfo("UTC"), "res_00000001")
    line = Line("res_00000001", best=Best(2))
    taken: list[float] = []
    ends = time.perf_counter() + seconds
    while (began := time.perf_counter()) < ends:
        found = plan.choose(line, picture, sale, partial=False)
        taken.append((time.perf_counter() - began) * 1e3)
        # As in a sale: these are gone, and two neighbours come back somewhere.
        picture.mark([str(one.unit) for one in found], TakenClaims(UnitState.HELD, None))
        back = dice.randrange(hall.rows) * hall.seats + dice.randrange(hall.seats - 1)
        picture.unmark(units[back : back + 2])
    taken.sort()
    return Sample(len(taken) / seconds, taken[len(taken) // 2], taken[int(len(taken) * 0.99)])
