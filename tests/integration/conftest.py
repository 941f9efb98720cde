"""What the tests of the engine and its money may ask for beside the rest."""

from collections.abc import AsyncIterator

import pytest

from tests.harness.database import Connection, problems
from tests.harness.paying import assert_money_agrees


@pytest.fixture
async def money_agrees(connection: Connection) -> AsyncIterator[None]:
    """After the test money and inventory agree, and nothing is sold twice."""
    yield
    await assert_money_agrees(connection)
    assert await problems(connection) == []
