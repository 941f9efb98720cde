"""The API in this process: a client, one key of each kind, and what most tests ask of it.

The application runs with its lifespan on the test's own event loop, without a network.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from inspect import isawaitable
from typing import TypeAlias, cast

import httpx
import msgspec

from bespeak import Resource, Settings
from bespeak.errors import BespeakError, by_code
from bespeak.http.app import Application, create_app
from bespeak.http.search_app import SearchApplication
from bespeak.http.server.asgi import AsgiScope
from bespeak.http.server.keys import Rights, create_key
from bespeak.http.server.problem_members import members_of
from bespeak.http.server.problems import Problem
from bespeak.http.server.scopes import KeyScope
from bespeak.http.server.service import Service
from tests.harness import database
from tests.harness.database import Connection
from tests.http.codes import CODES

Json: TypeAlias = dict[str, object]

# Nothing is remembered and nothing is limited: most tests want the database's own word.
SETTINGS = Settings(
    known_taken_seconds=0,
    pool_max=4,
    availability_ms=0,
    rate_limit_publishable="",
    rate_limit_address="",
    rate_limit_guests="",
    rate_limit_joins="",
    rate_limit_streams="",
    budgets="off",
    rate_limit_login="",
    free_sales=True,
    gazetteer=False,  # of the earth's towns any may be near what a test lets
)
KINDS = {"pk": "publishable", "sk": "secret", "ak": "admin"}


@dataclass(frozen=True)
class Request:
    """A request that a test is about to make; `key` is the short name of a kind, or None. A body
    of bytes is sent as it is, any other as JSON."""

    method: str
    path: str
    body: object = None
    key: str | None = "sk"
    headers: Mapping[str, str] = field(default_factory=dict)


class Api:
    """One application and what a client of it has."""

    def __init__(
        self,
        app: Application,
        client: httpx.AsyncClient,
        keys: dict[str, str],
        connection: Connection,
        database_url: str,
    ) -> None:
        self.app = app
        self.database_url = database_url
        self.client = client
        self.keys = keys
        self.connection = connection

    @property
    def service(self) -> Service:
        """What the application's calls work with."""
        service = self.app._service
        assert service is not None
        return service

    async def restricted(
        self,
        *scopes: str,
        resources: Sequence[str] | None = None,
        place: str | None = None,
        expires_at: datetime | None = None,
    ) -> str:
        """A key with just these scopes; answers the name by which `ask` knows it."""
        rights = Rights(
            scopes=[KeyScope(scope) for scope in scopes],
            resources=resources,
            place=place,
            expires_at=expires_at,
        )
        text, key = await create_key(self.connection, "restricted", "test", rights)
        self.keys[key.id] = text
        return key.id

    async def send(self, request: Request) -> httpx.Response:
        """Makes a request."""
        headers = dict(request.headers)
        if request.key is not None:
            headers["Authorization"] = f"Bearer {self.keys[request.key]}"
        content = None
        if request.body is not None:
            headers.setdefault("Content-Type", "application/json")
            body = request.body
            content = body if isinstance(body, bytes) else msgspec.json.encode(body)
        return await self.client.request(
            request.method, request.path, headers=headers, content=content
        )

    async def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        key: str | None = "sk",
        **headers: str,
    ) -> httpx.Response:
        """Makes a request; headers are written with underscores, as idempotency_key="k"."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.send(Request(method, path, body, key, named))

    async def get(self, path: str, **headers: str) -> Json:
        """What an endpoint answers to a GET that must succeed."""
        return document(await self.ask("GET", path, **headers), 200)

    async def hold(
        self, show: Resource, *units: str, owner: str = "asha", **fields: object
    ) -> Json:
        """A hold of units ("A1") and quantities ("floor 2")."""
        request = place(show, *units, owner=owner, **fields)
        return document(await self.send(request), 201)

    async def booking(self, show: Resource, *units: str, owner: str = "asha") -> Json:
        """A booking of units."""
        hold = await self.hold(show, *units, owner=owner)
        return document(await self.ask("POST", "/v1/bookings", {"hold_id": hold["id"]}), 201)

    async def block(self, show: Resource, *units: str) -> Json:
        """A block of units."""
        return document(await self.send(place_block(show, *units)), 201)

    def token(self, owner: str = "asha", seconds: int = 3600) -> str:
        """A shopper token."""
        return self.service.tokens.mint(owner, seconds)[0]

    async def snapshot(self) -> dict[str, list[str]]:
        """Every row of every table."""
        return await database.snapshot(self.connection)

    async def holds(self) -> list[tuple[object, ...]]:
        """The holds, which can be read whatever is locked."""
        rows = await self.connection.fetch("select hold_id, state from bespeak.hold order by 1")
        return [tuple(row) for row in rows]


def line(show: Resource, text: str) -> Json:
    """A line from "A1" or "floor 2"."""
    unit, _, quantity = text.partition(" ")
    made: Json = {"resource_id": show.id, "unit": unit}
    return {**made, "quantity": int(quantity)} if quantity else made


def place(show: Resource, *units: str, **fields: object) -> Request:
    """The request that places a hold."""
    body: Json = {"owner": "asha", "lines": [line(show, unit) for unit in units], **fields}
    return Request("POST", "/v1/holds", body)


def place_block(show: Resource, *units: str, reason: str = "house seats") -> Request:
    """The request that blocks units."""
    lines = [line(show, unit) for unit in units]
    for one in lines:
        del one["resource_id"]
    body = {"lines": lines, "reason": reason}
    return Request("POST", f"/v1/resources/{show.id}/blocks", body, key="ak")


def document(response: httpx.Response, status: int) -> Json:
    """The JSON object of an answer that must have this status."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/json"
    decoded = msgspec.json.decode(response.content, type=dict[str, object])
    assert isinstance(decoded, dict)
    return decoded


def problem(response: httpx.Response, code: str, **data: object) -> Json:
    """The problem document of an answer that must have this code, and these members."""
    assert response.headers["content-type"] == "application/problem+json", response.text
    found = msgspec.json.decode(response.content, type=dict[str, object])
    status, retryable = CODES[code]
    assert found["code"] == code, found
    assert (response.status_code, found["status"]) == (status, status)
    assert found["retryable"] is retryable
    assert found["type"] == f"/docs#{code}"
    assert found["request_id"] == response.headers["x-request-id"]
    assert found["title"] and found["detail"]
    if status == 401:
        assert response.headers["www-authenticate"].startswith("Bearer")
    if status in (429, 503):
        assert int(response.headers["retry-after"]) >= 1
    for name, value in data.items():
        assert found.get(name) == value, found
    check_members(found)
    return found


_DOCUMENTED = set(Problem.__struct_fields__)


_errors: dict[str, type[BespeakError]] = {}


def _error_of(code: str) -> type[BespeakError]:
    # Classes are loaded as they are needed: what is not known yet is looked for again.
    if code not in _errors:
        _errors.update(by_code())
    return _errors[code]


def check_members(found: Json) -> None:
    """That a problem has the members that are documented for its code, and no others; of an error
    of a vertical nothing is known."""
    error = _error_of(str(found["code"]))
    if error.__module__.startswith("bespeak.verticals."):
        return
    members = members_of(error)
    others = {name: value for name, value in found.items() if name not in _DOCUMENTED}
    assert set(others) <= set(members.__struct_encode_fields__), found
    msgspec.convert(others, members)


async def until(condition: Callable[[], object], seconds: float = 60) -> None:
    """Waits until a condition is true, or the awaitable that it answers."""
    async with asyncio.timeout(seconds):
        while True:
            found = condition()
            if isawaitable(found):
                found = await found
            if found:
                return
            await asyncio.sleep(0.005)


@asynccontextmanager
async def running(app: Application | SearchApplication) -> AsyncIterator[None]:
    """Runs the lifespan of an application, as a server does."""
    to_app: asyncio.Queue[Json] = asyncio.Queue()
    from_app: asyncio.Queue[Json] = asyncio.Queue()

    async def send(message: Json) -> None:
        from_app.put_nowait(message)

    scope = cast("AsgiScope", {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}})
    task = asyncio.ensure_future(app(scope, to_app.get, send))
    to_app.put_nowait({"type": "lifespan.startup"})
    answer = await from_app.get()
    assert answer["type"] == "lifespan.startup.complete", answer
    try:
        yield
    finally:
        to_app.put_nowait({"type": "lifespan.shutdown"})
        answer = await from_app.get()
        await task
        assert answer["type"] == "lifespan.shutdown.complete", answer


@asynccontextmanager
async def opened(
    settings: Settings, url: str, connection: Connection, *, sweep: bool = False
) -> AsyncIterator[Api]:
    """The API on a database, with a key of each kind; `connection` is the test's own."""
    app = create_app(settings, url, sweep=sweep)
    keys = {
        short: (await create_key(connection, kind, f"test {short}"))[0]
        for short, kind in KINDS.items()
    }
    transport = httpx.ASGITransport(app)  # type: ignore[arg-type]
    async with (
        running(app),
        httpx.AsyncClient(transport=transport, base_url="http://bespeak.test") as client,
    ):
        yield Api(app, client, keys, connection, url)
