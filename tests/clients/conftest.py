"""One server that runs as its users run it, and the doors to it: the library on its database, and
both clients of HTTP, through a wire that can lose an answer.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import NamedTuple, cast

import pytest
import pytest_asyncio

import bespeak
from bespeak import Settings
from bespeak.client import Client, SyncClient
from bespeak.http.server.keys import create_key
from tests.clients.losing import LosingWire
from tests.harness import database
from tests.http.running import running

SETTINGS = Settings(known_taken_seconds=0, pool_max=4, payment_providers="sandbox")


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
            "BESPEAK_WORKERS": "1",
        }
        with running(folder / "data", "serve", **variables) as serving:
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


@pytest.fixture(params=["library", "client", "sync_client"])
async def door(
    request: pytest.FixtureRequest, place: Place, wire: LosingWire
) -> AsyncIterator[Client]:
    """Each way to the same verbs; the type is that of one of them."""
    async with AsyncExitStack() as stack:
        if request.param == "library":
            opened = bespeak.connect(place.database_url, settings=SETTINGS, sweep=False)
            yield cast(Client, await stack.enter_async_context(opened))
        elif request.param == "client":
            yield await stack.enter_async_context(Client(wire.url, place.key))
        else:
            yield cast(Client, InThreads(stack.enter_context(SyncClient(wire.url, place.key))))


@pytest.fixture(params=["client", "sync_client"])
async def client(
    request: pytest.FixtureRequest, place: Place, wire: LosingWire
) -> AsyncIterator[Client]:
    """Both clients of HTTP, through the wire."""
    async with AsyncExitStack() as stack:
        if request.param == "client":
            yield await stack.enter_async_context(Client(wire.url, place.key))
        else:
            yield cast(Client, InThreads(stack.enter_context(SyncClient(wire.url, place.key))))
