"""The API on a database of the test's own, in this process."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, MutableMapping
from contextlib import AsyncExitStack
from functools import partial
from typing import TypeAlias

import msgspec
import pytest
import pytest_asyncio
import structlog
import structlog.testing
from argon2 import PasswordHasher, profiles

from bespeak import Resource
from bespeak.inventory import resources
from tests.harness import database
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.shows import new_show
from tests.http.api import SETTINGS, Api, opened
from tests.http.outage import Wire

# What hashes passwords.
HASHER = "bespeak.http.server.operators.passwords.PasswordHasher"
OpenApi: TypeAlias = Callable[..., Awaitable[Api]]


@pytest.fixture(autouse=True, scope="session")
def cheap_hashes() -> Iterator[None]:
    """Passwords are hashed at the least cost, except where a test is about the real one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HASHER, partial(PasswordHasher.from_parameters, profiles.CHEAPEST))
        yield


@pytest.fixture
async def api(database_url: str, connection: Connection) -> AsyncIterator[Api]:
    """The API with the settings that most tests want."""
    async with opened(SETTINGS, database_url, connection) as made:
        yield made


@pytest.fixture
async def open_api(database_url: str, connection: Connection) -> AsyncIterator[OpenApi]:
    """Opens the API with other settings; several may be open at once."""
    async with AsyncExitStack() as stack:

        async def open_one(*, sweep: bool = False, **settings: object) -> Api:
            changed = msgspec.structs.replace(SETTINGS, **settings)
            return await stack.enter_async_context(
                opened(changed, database_url, connection, sweep=sweep)
            )

        yield open_one


@pytest.fixture
async def wire(database_url: str) -> AsyncIterator[Wire]:
    """A connection to the test's database that can be cut."""
    made = Wire(database_url)
    await made.mend()
    try:
        yield made
    finally:
        await made.cut()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def module_api(server: str) -> AsyncIterator[Api]:
    """The API on a database that the tests of a module share, for those that change nothing."""
    async with (
        database.fresh_database(server) as url,
        database.session(url) as session,
        opened(SETTINGS, url, session) as made,
    ):
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def module_show(module_api: Api) -> Resource:
    """A show that the tests of a module share, as `show` of a test: for those that are refused."""
    return await resources.create(module_api.connection, new_show())


@pytest.fixture
async def moved_clock(api: Api, database_url: str) -> AsyncIterator[Clock]:
    """The clock of the test's database and its API, standing still until the test moves it."""
    async with database.session(database_url) as session:
        made = Clock(session)
        await made.set(made.now)
        made.shared_with(api.service.engine)
        yield made


@pytest.fixture(autouse=True)
def logged() -> Iterator[list[MutableMapping[str, object]]]:
    """What the test's calls logged, kept off the terminal."""
    with structlog.testing.capture_logs() as entries:
        yield entries
