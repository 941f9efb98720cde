"""Bespeak's own server as a contestant: started by its command, its shows opened over HTTP.

It runs on a database of its own in the server that the comparators use. Only the command and the
API are used, so that a server of another commit can be measured by the same code.
"""

import asyncio
import contextlib
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks import services
from benchmarks.contestants import Hall, drive
from benchmarks.database import Database, settle
from benchmarks.load import Load
from benchmarks.wire import Requests

OWNER_LIMIT = 6
HOLD_SECONDS = 600


@dataclass(frozen=True)
class Program:
    """The command `bespeak` of one tree: a Python that has its dependencies, and the variables by
    which that finds the tree."""

    python: str = sys.executable
    variables: Mapping[str, str] = field(default_factory=dict)

    def command(self, *arguments: str) -> list[str]:
        return [self.python, "-m", "bespeak", *arguments]


OWN = Program()


@dataclass
class Bespeak:
    """Bespeak's own server, with the ids of the shows opened on it and its process."""

    port: int
    pid: int
    database_url: str
    secret_key: str
    admin_key: str
    resources: list[str]
    name: str = "bespeak"
    browser_key: str = ""

    def __post_init__(self) -> None:
        self._holds = Requests("POST", "/v1/holds", bearer=self.secret_key)
        self._batches = Requests("POST", "/v1/holds/batch", bearer=self.secret_key)
        self._bookings = Requests("POST", "/v1/bookings", bearer=self.secret_key)

    def hold(self, show: int, units: Sequence[str], owner: str, attempt: int = 0) -> bytes:
        resource = self.resources[show]
        lines = ",".join(f'{{"resource_id":"{resource}","unit":"{unit}"}}' for unit in units)
        body = f'{{"owner":"{owner}","lines":[{lines}]}}'
        # A buyer comes to several shows, and has a key for each try at each.
        return self._holds.make(body.encode(), f"{show}-{attempt}-{owner}")

    def element(self, show: int, units: Sequence[str], owner: str) -> bytes:
        """The same hold as an element of a batch."""
        resource = self.resources[show]
        lines = ",".join(f'{{"resource_id":"{resource}","unit":"{unit}"}}' for unit in units)
        key = f"{show}-0-{owner}"
        return f'{{"owner":"{owner}","idempotency_key":"{key}","lines":[{lines}]}}'.encode()

    def hold_batch(self, elements: Sequence[bytes]) -> bytes:
        """A request for all of these holds."""
        return self._batches.make(b'{"holds":[%b]}' % b",".join(elements))

    def hold_pool(self, show: int, unit: str, quantity: int, owner: str) -> bytes:
        """A request for so many of a counted unit."""
        line = f'{{"resource_id":"{self.resources[show]}","unit":"{unit}","quantity":{quantity}}}'
        return self._holds.make(f'{{"owner":"{owner}","lines":[{line}]}}'.encode(), f"k-{owner}")

    def confirm(self, answer: bytes, owner: str) -> bytes:
        # The id stands first in the answer; a full parse would cost the load client more.
        start = answer.index(b'"hold_')
        hold_id = answer[start : answer.index(b'"', start + 1) + 1]
        return self._bookings.make(b'{"hold_id":%b}' % hold_id, f"c-{owner}")

    def pay(self, answer: bytes, owner: str) -> bytes:
        start = answer.index(b'"hold_')
        hold_id = answer[start : answer.index(b'"', start + 1) + 1]
        body = b'{"hold_id":%b,"payment_token":"tok_success"}' % hold_id
        return self._bookings.make(body, f"p-{owner}")


@contextlib.asynccontextmanager
async def bespeak(
    database: Database,
    hall: Hall | None,
    *,
    plan: dict[str, object] | None = None,
    price: int = 0,
    workers: int = services.WORKERS,
    variables: Mapping[str, str] | None = None,
    program: Program = OWN,
    name: str = "bespeak_bench",
) -> AsyncIterator[Bespeak]:
    """Serve Bespeak on a database of its own and open the hall's shows, or one show of `plan`; with
    a price, its seats are to be paid for at the sandbox. `variables` are settings beside these,
    `name` is that of the database."""
    url = await migrated(database, name, program)
    port = services.free_port()
    command = program.command("serve", "--workers", str(workers), "--port", str(port), "--json")
    environment = {
        **program.variables,
        "BESPEAK_DATABASE_URL": url,
        "BESPEAK_PAYMENT_PROVIDERS": "sandbox",
        "BESPEAK_ALLOW_PRETEND_MONEY": "true",
        **(variables or {}),
    }
    async with services.process(command, environment=environment, output=subprocess.PIPE) as child:
        keys = await _keys(child)
        await services.first_answer(port, "/healthz", child)
        server = Bespeak(
            port, child.pid, url, keys["sk"], keys["ak"], [], browser_key=keys.get("pk", "")
        )
        shows = hall.shows if hall is not None else 1
        shape = hall.plan() if hall is not None else plan or {}
        await open_resources(server, shows, shape, price)
        await settle(url)
        yield server


async def migrated(database: Database, name: str, program: Program = OWN) -> str:
    """A new database with the schema of that program; returns its URL."""
    url = await database.create(name)
    environment = {**program.variables, "BESPEAK_DATABASE_URL": url}
    async with services.process(program.command("migrate"), environment=environment) as child:
        if await asyncio.to_thread(child.wait):
            raise services.ServiceError("bespeak migrate failed")
    return url


async def _keys(child: "subprocess.Popen[bytes]") -> dict[str, str]:
    """The keys in the line that the server prints when it is ready."""
    assert child.stdout is not None
    line = await asyncio.to_thread(child.stdout.readline)
    keys: dict[str, str] = (json.loads(line).get("keys") if line else None) or {}
    if not {"sk", "ak"} <= set(keys):
        raise services.ServiceError("bespeak serve --json named no keys")
    return keys


async def open_resources(
    server: Bespeak, shows: int, plan: dict[str, object], price: int = 0
) -> None:
    """Create so many shows of one plan over HTTP, with the limit per owner in force."""
    sale = {"payment": "required", "price": {"amount": price, "currency": "EUR"}} if price else {}
    requests = Requests("POST", "/v1/resources", bearer=server.admin_key)
    left = iter(range(shows))

    def source(_: int) -> bytes | None:
        number = next(left, None)
        if number is None:
            return None
        body = {
            "name": f"Show {number}", "kind": "show", "plan": plan, "hold_seconds": HOLD_SECONDS,
            "owner_limit": OWNER_LIMIT, "time_zone": "UTC", **sale,
        }  # fmt: skip
        return requests.make(json.dumps(body).encode(), f"show-{number}")

    def sink(_: int, status: int, body: bytes) -> None:
        if status != 201:
            raise services.ServiceError(f"creating a show: {status} {body[:300]!r}")
        server.resources.append(json.loads(body)["id"])

    await drive(server, Load(connections=8), source, sink)
    if len(server.resources) != shows:
        raise services.ServiceError(f"only {len(server.resources)} of {shows} shows were created")


async def audit(server: Bespeak, show: int) -> dict[str, int]:
    """The server's own count of a show from its tables: sold, held, double_sold and so on."""
    path = f"/v1/resources/{server.resources[show]}/audit"
    found: dict[str, int] = json.loads(await _get(server, path))
    return found


async def metric(server: Bespeak, sample: str) -> float:
    """The value of one sample of the server's metrics, 0 before its first observation."""
    lines = (await _get(server, "/metrics")).decode().splitlines()
    return sum(float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(sample + " "))


async def _get(server: Bespeak, path: str) -> bytes:
    requests = iter([Requests("GET", path, bearer=server.admin_key).make()])
    bodies: list[bytes] = []

    def sink(_: int, status: int, body: bytes) -> None:
        if status != 200:
            raise services.ServiceError(f"{path}: {status} {body[:300]!r}")
        bodies.append(body)

    await drive(server, Load(connections=1, seconds=30.0), lambda _: next(requests, None), sink)
    if not bodies:
        raise services.ServiceError(f"{path} was not answered")
    return bodies[0]
