"""Shows that must be paid for, and engines that can be paid, for the tests of money."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

import bespeak
from bespeak import Hold, Line, Resource, Settings
from bespeak.errors import BespeakError
from bespeak.inventory.resources import Price
from bespeak.payments import audit
from bespeak.payments.providers.sandbox.bank import Sandbox
from tests.harness.database import Connection
from tests.harness.shows import MakeShow, seats, take

PAID = Settings(
    known_taken_seconds=0, pool_max=4, payment_providers="sandbox", allow_pretend_money=True
)
PRICE = 1500
Pay = Callable[..., Awaitable[tuple[Hold, str]]]


@asynccontextmanager
async def paying(url: str) -> AsyncIterator[bespeak.Engine]:
    """An engine with the sandbox, on a test's database; nobody sweeps."""
    async with bespeak.connect(url, settings=PAID, sweep=False) as made:
        yield made


@pytest.fixture
async def paying_engine(database_url: str) -> AsyncIterator[bespeak.Engine]:
    """Such an engine on the test's database; a module of money says `engine = paying_engine`."""
    async with paying(database_url) as made:
        yield made


async def paid_show(make_show: MakeShow, **fields: object) -> Resource:
    """A show whose seats cost 15.00 euros each, to be paid."""
    return await make_show(**{"payment": "required", "price": Price(PRICE, "EUR"), **fields})


async def take_seats(
    engine: bespeak.Engine, show: Resource, *units: str, owner: str = "asha", **fields: object
) -> Hold:
    """Holds seats of a show."""
    return await take(engine, seats(show, *units), owner, **fields)  # type: ignore[arg-type]


def lines_of(hold: Hold) -> list[Line]:
    """The lines of a hold."""
    return list(hold.lines)


async def money_problems(connection: Connection) -> list[str]:
    """In what money and inventory disagree, as text."""
    return [
        f"{one.problem} {one.payment_id} {one.refund_id} {one.booking_id} {one.details}"
        for one in await audit.money_problems(connection)
    ]


async def assert_money_agrees(connection: Connection, *allowed: str) -> None:
    """Money and inventory agree, but for problems of these names."""
    found = await money_problems(connection)
    assert [one for one in found if one.split()[0] not in allowed] == []


def bank(engine: bespeak.Engine) -> Sandbox:
    """The bank of an engine."""
    provider = engine.payments.providers["sandbox"]
    assert isinstance(provider, Sandbox)
    return provider


async def pay(engine: bespeak.Engine, show: Resource, unit: str, token: str) -> str:
    """Pays for a seat; the payment's id, whatever came of it."""
    hold = await take_seats(engine, show, unit)
    try:
        paid = await engine.payments.pay(hold.id, token=token)
    except BespeakError as error:
        return str(error.data["payment_id"])
    assert paid.payment is not None
    return paid.payment.id
