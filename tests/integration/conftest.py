"""What the tests of the engine and its money may ask for beside the rest."""

from collections.abc import AsyncIterator

import pytest

import bespeak
from bespeak import Hold
from tests.harness.database import Connection, problems, session
from tests.harness.paying import (
    Pay,
    assert_money_agrees,
    paid_show,
    paying_engine,
    take_seats,
)
from tests.harness.shows import MakeShow

_CHALLENGE = "tok_challenge"

# The engine of another process.
other = paying_engine


@pytest.fixture
def pay(engine: bespeak.Engine, make_show: MakeShow) -> Pay:
    """Begins to pay for A1 with a token that leaves it open; the hold, and the payment's id."""

    async def begin(token: str = _CHALLENGE, **fields: object) -> tuple[Hold, str]:
        show = await paid_show(make_show, **fields)
        hold = await take_seats(engine, show, "A1")
        paid = await engine.payments.pay(hold.id, token=token, idempotency_key="k")
        assert paid.booking is None
        assert paid.payment is not None
        return hold, paid.payment.id

    return begin


@pytest.fixture
async def probe(database_url: str) -> AsyncIterator[Connection]:
    """A session whose holds are all rolled back."""
    async with session(database_url) as made:
        yield made


@pytest.fixture
async def money_agrees(connection: Connection) -> AsyncIterator[None]:
    """After the test money and inventory agree, and nothing is sold twice."""
    yield
    await assert_money_agrees(connection)
    assert await problems(connection) == []
