"""What each feature of HTTP costs a hold: by the secret key of a server, then the same with an
idempotency key, by a guest of the shop, and by a guest with the pass of a waiting room, in turn.
Each guest comes once, so that its session, its address and its pass are new to the worker.

It is measured as `hold_features` does: the processor time of the whole server, one worker with the
background worker, and of the database's sessions, for so many holds of fresh seats.
"""

import asyncio
import datetime as dt
from collections.abc import Callable, Sequence

import psutil

from benchmarks.bespeak_server import Bespeak, bespeak
from benchmarks.cases.hold_features import TURNS, figure, told
from benchmarks.contestants import FreshPairs, Hall, drive
from benchmarks.database import connected
from benchmarks.feature_costs import Spent, added, whole
from benchmarks.load import Load
from benchmarks.processor_time import Meter, metered
from benchmarks.results import Bench, Figure
from benchmarks.wire import Requests
from bespeak.admission.forms import NewWaitingRoom
from bespeak.admission.passes import Pass, sign_pass
from bespeak.admission.passes_over import PassName
from bespeak.admission.rooms import make_room
from bespeak.http.server.tokens import ShopperTokens
from bespeak.postgres.secrets import signing_secret
from bespeak.ticketing.keys import read_keys

HOLDS, CONNECTIONS = 384, 64
_HALL = Hall(shows=400, rows=25, seats=40)
_SHOWS = 80
_VARIABLES = {
    "BESPEAK_TRUSTED_PROXIES": "127.0.0.1",  # each guest has an address of its own
    "BESPEAK_RATE_LIMIT_PUBLISHABLE": "1000000/minute",
}


class _HttpSide:
    """The requests of a feature, and what they cost."""

    def __init__(self, name: str, server: Bespeak, first_show: int, headers: "_Headers") -> None:
        self.name = name
        self.spent: list[Spent] = []
        self._server = server
        self._first = first_show
        self._headers = headers
        self._pairs = FreshPairs(Hall(_SHOWS, _HALL.rows, _HALL.seats), self._ask)

    def _ask(self, show: int, units: Sequence[str], owner: str) -> bytes:
        resource = self._server.resources[self._first + show]
        bearer, headers, key = self._headers(owner)
        lines = ",".join(f'{{"resource_id":"{resource}","unit":"{unit}"}}' for unit in units)
        named = "" if "Bespeak-Shopper" in headers else f'"owner":"{owner}",'
        body = f'{{{named}"lines":[{lines}]}}'.encode()
        return Requests("POST", "/v1/holds", bearer=bearer, headers=headers).make(body, key)

    async def turn(self, meter: Meter) -> None:
        """Measures once."""
        await self._hold(CONNECTIONS)
        since = await meter.read()
        await self._hold(HOLDS)
        self.spent.append(await meter.spent(since, HOLDS))

    async def _hold(self, count: int) -> None:
        left = iter([self._pairs.source(0) for _ in range(count)])

        def sink(_: int, status: int, body: bytes) -> None:
            if status != 201:
                raise RuntimeError(f"{self.name}: {status} {body[:300]!r}")

        await drive(self._server, Load(CONNECTIONS), lambda _: next(left, None), sink)


_Headers = Callable[[str], tuple[str, dict[str, str], str | None]]
"""By the owner: the key, further headers, and the idempotency key."""


async def run(bench: Bench) -> list[Figure]:
    """Prints the rows of the table; a figure for each feature, in percent of the base."""
    async with bespeak(bench.database, _HALL, workers=1, variables=_VARIABLES) as server:
        base, *sides = await _sides(server)
        pids = [server.pid, *(one.pid for one in psutil.Process(server.pid).children(True))]
        async with metered(server.database_url, pids) as meter:
            for _ in range(bench.rounds * TURNS):
                for side in (base, *sides):
                    await side.turn(meter)
    costs = [added(side.name, base.spent, side.spent) for side in sides]
    told(whole(base.name, base.spent), costs, [])
    return [figure(cost) for cost in costs]


async def _sides(server: Bespeak) -> list[_HttpSide]:
    """The base and its features; the shows of the last are behind a waiting room."""
    async with connected(server.database_url) as connection:
        tokens = ShopperTokens(await signing_secret(connection, None))
        keys = await read_keys(connection)
        new = NewWaitingRoom(
            name="Rush",
            resources=tuple(server.resources[-_SHOWS:]),
            opens_at=dt.datetime.now(dt.UTC) + dt.timedelta(days=1),
            pace="rate",
        )
        room = await make_room(connection, new, None)
    await asyncio.sleep(5)  # until the worker has read of the room
    secret, browser = server.secret_key, server.browser_key
    ends_at = int((dt.datetime.now(dt.UTC) + dt.timedelta(days=1)).timestamp())

    def guest(owner: str) -> dict[str, str]:
        number = int(owner.rpartition("-")[2])
        address = f"60.{number >> 16}.{number >> 8 & 255}.{number & 255}"
        return {"Bespeak-Shopper": tokens.mint(owner, 86_400)[0], "X-Forwarded-For": address}

    def by_pass(owner: str) -> dict[str, str]:
        number = int(owner.rpartition("-")[2])
        owner = f"queued-{owner}"  # apart from those without
        given = sign_pass(
            keys, Pass(room.id, owner, ends_at, None, PassName(owner.encode(), number))
        )
        return {**guest(owner), "Bespeak-Pass": given}

    kinds: list[tuple[str, int, _Headers]] = [
        ("over HTTP, by a secret key", 0, lambda owner: (secret, {}, None)),
        ("once more, as it is", 1, lambda owner: (secret, {}, None)),
        ("an idempotency key", 2, lambda owner: (secret, {}, f"k-{owner}")),
        ("a guest: session, rate limit, budgets", 3, lambda owner: (browser, guest(owner), None)),
        ("such a guest with a pass", 4, lambda owner: (browser, by_pass(owner), None)),
    ]
    return [_HttpSide(name, server, block * _SHOWS, headers) for name, block, headers in kinds]
