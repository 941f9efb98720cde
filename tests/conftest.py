"""What every test may ask for: a database of its own, an engine on it, a clock, shows.

The seed of a run is always the same, unless BESPEAK_TEST_SEED is another.
"""

import gc
import random
import sys
from collections.abc import AsyncIterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

import bespeak
from bespeak import Resource, Settings
from bespeak.inventory import resources
from tests.harness import database, seeds
from tests.harness.clock import START, Clock
from tests.harness.database import Connection
from tests.harness.seeds import SEED
from tests.harness.shows import MakeShow, new_show

if TYPE_CHECKING:  # the samples are for those who use them
    from tests.harness.shapes import MakeShape, Shape

# Nothing is remembered as taken: most tests want the database's word, not the memory's.
SETTINGS = Settings(known_taken_seconds=0, pool_max=4)
# Those of the server's workers, for the same reason: few of the objects of a test make cycles.
GC_THRESHOLDS = (50_000, 20, 50)
# httpx imports it for each request of a test of the API; to find out each time that it is not
# installed cost more than the request.
if find_spec("sniffio") is None:
    sys.modules["sniffio"] = None  # type: ignore[assignment]


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    gc.set_threshold(*GC_THRESHOLDS)
    seeds.configure(config)
    if not hasattr(config, "workerinput"):
        folder = database.begin_run()
        if config.option.basetemp is None:
            config.option.basetemp = database.make_own_folder(folder)


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        database.end_run()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    seeds.mark(items)


def pytest_collection_finish() -> None:
    """What was collected, and all modules, stay until the end: the garbage collector need not look
    at them again with every test."""
    gc.collect()
    gc.freeze()


def pytest_runtest_protocol() -> bool | None:
    """Passes over what is left when the time of an exploration is over."""
    return seeds.is_over() or None


def pytest_report_header() -> str:
    return f"seed {SEED} (repeat with BESPEAK_TEST_SEED={SEED})"


@pytest.fixture
def dice(request: pytest.FixtureRequest) -> random.Random:
    """Chance that the seed of the run and the name of the test decide."""
    return random.Random(f"{SEED} {request.node.nodeid}")


@pytest.fixture(scope="session")
def server() -> str:
    """The URL of the server's own database."""
    return database.server_url()


@pytest.fixture
async def database_url(server: str) -> AsyncIterator[str]:
    """The URL of a migrated database that is this test's alone."""
    async with database.fresh_database(server) as url:
        yield url


@pytest.fixture
async def empty_database_url(server: str) -> AsyncIterator[str]:
    """The URL of a database without anything in it."""
    async with database.fresh_database(server, migrated=False) as url:
        yield url


@pytest.fixture
async def connection(database_url: str) -> AsyncIterator[Connection]:
    """A connection to the test's database, which is in a life of the feed by then: else the first
    transaction that writes would open one, and others would wait for it."""
    async with database.session(database_url) as made:
        await made.execute("select bespeak.present_epoch()")
        yield made


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[bespeak.Engine]:
    """An engine on the test's database; nobody sweeps."""
    async with bespeak.connect(database_url, settings=SETTINGS, sweep=False) as made:
        yield made


@pytest.fixture
async def second_engine(database_url: str) -> AsyncIterator[bespeak.Engine]:
    """Another engine on the same database, as another process would have."""
    async with bespeak.connect(database_url, settings=SETTINGS, sweep=False) as made:
        yield made


@pytest.fixture
async def clock(database_url: str, engine: bespeak.Engine) -> AsyncIterator[Clock]:
    """The clock of the test's database, standing still at START until the test moves it."""
    async with database.session(database_url) as session:
        made = Clock(session)
        await made.set(START)
        made.shared_with(engine)
        yield made


@pytest.fixture
def make_show(connection: Connection) -> MakeShow:
    """Makes resources in the test's database."""

    async def make(**fields: object) -> Resource:
        return await resources.create(connection, new_show(**fields))

    return make


@pytest.fixture
def make_shape(connection: Connection) -> "MakeShape":
    """Makes resources of the samples in the test's database."""

    async def make(shape: "Shape", **fields: object) -> Resource:
        return await resources.create(connection, shape.new(**fields))

    return make


@pytest.fixture
async def show(make_show: MakeShow) -> Resource:
    """A show of 29 seats and two pools."""
    return await make_show()
