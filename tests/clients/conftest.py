"""One server that runs as its users run it, and the doors to it: the library on its database, both
clients of Python, that of TypeScript and curl, through a wire that can lose an answer.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from typing import NamedTuple, cast

import pytest
import pytest_asyncio

import bespeak
from bespeak import Settings
from bespeak.client import Client, SyncClient
from bespeak.http.server.keys import create_key
from tests.clients.curl import CurlDoor
from tests.clients.losing import LosingWire
from tests.clients.typescript import NodeProcess, TypeScriptDoor
from tests.harness import database
from tests.http.running import running

SETTINGS = Settings(
    known_taken_seconds=0, pool_max=4, payment_providers="sandbox", allow_pretend_money=True
)


class Place(NamedTuple):
    """Where the server is, its database, and an `ak_` key."""

    url: str
    database_url: str
    key: str


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def place(server: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Place]:
    folder = tmp_path_factory.mktemp("clients")
    async with database.fresh_database(server) as url, database.session(url) as session:
        key, _ = await create_key(session, "admin", "tests")
        variables = {
            "BESPEAK_DATABASE_URL": url,
            "BESPEAK_PAYMENT_PROVIDERS": "sandbox",
            "BESPEAK_ALLOW_PRETEND_MONEY": "true",
        }
        # One worker: what one made it knows, as another would within a second.
        with running(folder / "data", "serve", "--workers", "1", **variables) as serving:
            yield Place(serving.url, url, key)


@pytest.fixture
async def wire(place: Place) -> AsyncIterator[LosingWire]:
    made = LosingWire(place.url)
    await made.mend()
    try:
        yield made
    finally:
        await made.cut()


class InThreads:
    """A client without asyncio, with each call in a thread, so that the same scenario runs it."""

    def __init__(self, client: SyncClient) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Callable[..., object]:
        verb = getattr(self._client, name)

        async def call(*args: object, **named: object) -> object:
            return await asyncio.to_thread(verb, *args, **named)

        return call


@pytest.fixture(scope="session")
def node() -> Iterator[NodeProcess]:
    process = NodeProcess()
    try:
        yield process
    finally:
        process.close()


HTTP_DOORS = ("client", "sync_client", "typescript", "curl")


async def opened(
    name: str,
    request: pytest.FixtureRequest,
    url: str,
    key: str,
    stack: AsyncExitStack,
    link: str | None = None,
) -> Client:
    """A door of HTTP; the type is that of one of them. With the link of a waitlist's mail it is
    whoever has that."""
    if name == "client":
        return await stack.enter_async_context(Client(url, key, waitlist_link=link))
    if name == "sync_client":
        blocking = SyncClient(url, key, waitlist_link=link)
        return cast(Client, InThreads(stack.enter_context(blocking)))
    if name == "curl":
        return await stack.enter_async_context(CurlDoor(url, key))
    node: NodeProcess = request.getfixturevalue("node")
    return cast(Client, TypeScriptDoor(node, url, key, link))


@pytest.fixture(params=["library", *HTTP_DOORS])
async def door(
    request: pytest.FixtureRequest, place: Place, wire: LosingWire
) -> AsyncIterator[Client]:
    """Each way to the same verbs; the type is that of one of them."""
    async with AsyncExitStack() as stack:
        if request.param == "library":
            library = bespeak.connect(place.database_url, settings=SETTINGS, sweep=False)
            yield cast(Client, await stack.enter_async_context(library))
        else:
            yield await opened(request.param, request, wire.url, place.key, stack)


@pytest.fixture(params=HTTP_DOORS)
async def client(
    request: pytest.FixtureRequest, place: Place, wire: LosingWire
) -> AsyncIterator[Client]:
    """All that speak HTTP, through the wire."""
    async with AsyncExitStack() as stack:
        yield await opened(request.param, request, wire.url, place.key, stack)
