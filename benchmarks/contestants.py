"""What the cases load: a running server behind one interface, and the requests put to it.

The same requests, in the same order, go to Bespeak (`bespeak_server.py`) and to the comparators.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from benchmarks import services
from benchmarks.database import Database, connected, settle
from benchmarks.load import Load, Outcome, Sink, Source, Target, run_load
from benchmarks.results import Sample
from benchmarks.wire import Requests

COMPARATORS = Path(__file__).parent / "comparators"
SECRET_KEY = "sk_bench"


@dataclass(frozen=True)
class Hall:
    """A show's seats: rows A, B, ... of `seats` each, in `shows` shows alike."""

    shows: int
    rows: int
    seats: int

    def plan(self) -> dict[str, object]:
        """The hall as Bespeak's seat plan."""
        rows = [{"name": chr(65 + row), "seats": self.seats} for row in range(self.rows)]
        return {
            "type": "seats",
            "sections": [{"name": "Stalls", "category": "standard", "rows": rows}],
        }


class Contestant(Protocol):
    """A running server of one kind."""

    name: str
    port: int

    def hold(self, show: int, units: Sequence[str], owner: str, attempt: int = 0) -> bytes:
        """A request that holds those seats of the show with that index; a new key an attempt."""

    def confirm(self, answer: bytes, owner: str) -> bytes:
        """A request that confirms the hold in that answer."""

    def pay(self, answer: bytes, owner: str) -> bytes:
        """A request that pays for the hold in that answer with a good card."""


async def drive(
    contestant: Contestant, load: Load, source: Source, sink: Sink | None = None
) -> Outcome:
    """Put a load on a contestant."""
    return await run_load(Target("127.0.0.1", contestant.port), load, source, sink)


@dataclass
class Comparator:
    """One of the ordinary ways."""

    name: str
    port: int

    def __post_init__(self) -> None:
        self._holds = Requests("POST", "/holds", bearer=SECRET_KEY)
        self._confirms = Requests("POST", "/confirm", bearer=SECRET_KEY)
        self._payments = Requests("POST", "/pay", bearer=SECRET_KEY)

    def hold(self, show: int, units: Sequence[str], owner: str, attempt: int = 0) -> bytes:
        names = '","'.join(units)
        return self._holds.make(
            b'{"owner":"%b","show_id":%d,"units":["%b"],"idempotency_key":"%d-%d-%b"}'
            % (owner.encode(), show, names.encode(), show, attempt, owner.encode())
        )

    def confirm(self, answer: bytes, owner: str) -> bytes:
        body = {"hold_id": json.loads(answer)["id"], "owner": owner}
        return self._confirms.make(json.dumps(body).encode())

    def pay(self, answer: bytes, owner: str) -> bytes:
        body = {"hold_id": json.loads(answer)["id"], "owner": owner, "token": "tok_success"}
        return self._payments.make(json.dumps(body).encode())


SCHEMAS = {
    "for_update": ("seats.sql",),
    "unique": ("claims.sql",),
    "optimistic": ("seats.sql",),
    "redis_lock": ("seats.sql",),
    "lean": ("lean.sql",),
    "paying": ("seats.sql", "paying.sql"),
}


async def open_shows(database: Database, name: str, hall: Hall) -> str:
    """A new database with the tables of one of `SCHEMAS` and the hall's shows; returns its URL."""
    url = await database.create(f"ordinary_{name}")
    async with connected(url) as connection:
        for schema in SCHEMAS[name]:
            await connection.execute((COMPARATORS / schema).read_text())
        await connection.execute(
            "select open_shows(0, $1, $2, $3)", hall.shows, hall.rows, hall.seats
        )
    await settle(url)
    return url


@contextlib.asynccontextmanager
async def comparator(name: str, database: Database, hall: Hall) -> AsyncIterator[Comparator]:
    """Open the shows in a database of its own and serve one of `SCHEMAS`."""
    url = await open_shows(database, name, hall)
    environment = {"BENCH_DATABASE_URL": url, "BENCH_KEY": SECRET_KEY}
    async with contextlib.AsyncExitStack() as stack:
        if name == "redis_lock":
            environment["BENCH_REDIS_URL"] = await stack.enter_async_context(services.redis())
        app = f"benchmarks.comparators.{name}:app"
        yield Comparator(name, await stack.enter_async_context(services.granian(app, environment)))


class Buyers:
    """One buyer a connection at a time: who holds fresh seats asks next for what `after` makes of
    the answer and the owner, such as `contestant.pay`. Two answers of `statuses` are one buyer."""

    def __init__(
        self,
        contestant: Contestant,
        hall: Hall,
        after: Callable[[bytes, str], bytes],
        statuses: tuple[int, ...],
    ) -> None:
        self._contestant = contestant
        self._after = after
        self._statuses = statuses
        self._owner = ""
        self._fresh = FreshPairs(hall, self._hold)
        self._owners: dict[int, str] = {}
        self._held: dict[int, bytes] = {}

    def _hold(self, show: int, units: Sequence[str], owner: str) -> bytes:
        self._owner = owner
        return self._contestant.hold(show, units, owner)

    async def measure(self, load: Load, pause_seconds: float) -> Sample:
        """Buyers a second, with the latencies of single requests. The pause is for what the server
        has still to do for those that were answered."""
        self._held.clear()
        self._owners.clear()
        outcome = await drive(self._contestant, load, self._source, self._sink)
        await asyncio.sleep(pause_seconds)
        each_second = sum(outcome.statuses.values()) / 2 / outcome.seconds
        return Sample(each_second, outcome.percentile_ms(50), outcome.percentile_ms(99))

    def _source(self, number: int) -> bytes | None:
        """What comes after this connection's hold, else its next hold."""
        held = self._held.pop(number, None)
        if held is not None:
            return self._after(held, self._owners.pop(number))
        request = self._fresh.source(number)
        if request is None:
            raise RuntimeError(f"{self._contestant.name} ran out of fresh seats")
        self._owners[number] = self._owner
        return request

    def _sink(self, number: int, status: int, body: bytes) -> None:
        """Remember a granted hold."""
        if status not in self._statuses:
            raise RuntimeError(f"{self._contestant.name}: {status} {body[:300]!r}")
        if number in self._owners:
            self._held[number] = body


class FreshPairs:
    """Adjacent seats that nobody has asked for yet, over all shows in turn, a new owner each."""

    def __init__(self, hall: Hall, ask: Callable[[int, Sequence[str], str], bytes]) -> None:
        self._hall = hall
        self._ask = ask
        self._next = 0

    def source(self, _: int) -> bytes | None:
        """The next hold; None when all shows are asked for."""
        return self.made_by(self._ask)

    def made_by(self, ask: Callable[[int, Sequence[str], str], bytes]) -> bytes | None:
        """The next hold, asked for in another way."""
        number = self._next
        pair, show = divmod(number, self._hall.shows)
        row, place = divmod(pair, self._hall.seats // 2)
        if row >= self._hall.rows:
            return None
        self._next = number + 1
        letter = chr(65 + row)
        units = (f"{letter}{2 * place + 1}", f"{letter}{2 * place + 2}")
        return ask(show, units, f"buyer-{number}")

    def has_run_out(self) -> bool:
        """True when no pair is left, which spoils a timed measurement."""
        return self._next >= self._hall.shows * self._hall.rows * (self._hall.seats // 2)
