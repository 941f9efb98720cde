"""Two more sessions on the test's database, for races."""

from collections.abc import AsyncIterator

import pytest

from tests.harness.database import Connection, session


@pytest.fixture
async def one(database_url: str) -> AsyncIterator[Connection]:
    """A session that races."""
    async with session(database_url) as made:
        yield made


@pytest.fixture
async def two(database_url: str) -> AsyncIterator[Connection]:
    """The session that it races with."""
    async with session(database_url) as made:
        yield made
