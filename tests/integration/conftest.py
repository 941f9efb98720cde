"""What the tests of the engine and its money may ask for beside the rest."""

from collections.abc import AsyncIterator
from pathlib import Path

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
# On another version of PostgreSQL these are run again: the engine against its models, its states
# and money, and of the rest the quickest by which every function of the database is called once.
# That all other statements are understood there is told by test_statements.
_LEDGER = {
    "archive_command", "audit", "calling_off", "cancelling", "composites", "due_queries",
    "event_partitions", "event_retention", "expiry", "feed", "feed_snapshot", "functions",
    "groups", "hold_batches", "inventory", "late_plans", "lost_payments", "migration",
    "mixed_cart", "money_stateful", "money_to_the_cent", "moving", "notifications",
    "notifications_mail", "numbers", "place", "place_shapes", "plain_holds", "programme_demo",
    "refunds", "relay", "retention", "sql_agrees", "sql_forms", "stateful", "stateful_ranges",
    "statements", "states", "stays_rated", "stays_snapshots", "vertical_migrations",
    "waiting_room_stateful", "waiting_rooms", "waitlists", "waitlists_outlook", "waitlists_ranges",
}  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    files = {here / f"test_{name}.py" for name in _LEDGER}
    assert all(file.exists() for file in files)
    for item in items:
        if item.path in files:
            item.add_marker("ledger")


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
