"""Shows to reserve from: small plans that have every kind of unit."""

from collections.abc import Coroutine, Sequence
from typing import Any, Protocol, TypeVar

import bespeak
from bespeak import Line, NewResource, PoolPlan, Resource, Row, SeatsPlan, Section
from bespeak.inventory.shapes.seats.availability import SeatsAvailability
from bespeak.postgres.pool import Connection

Answer = TypeVar("Answer")

PLAN = SeatsPlan(
    sections=(Section("Stalls", (Row("A", 20), Row("B", 10, first=3, without=(5,)))),),
    pools=(PoolPlan("floor", 5), PoolPlan("gallery", 3)),
)


class MakeShow(Protocol):
    """Makes a resource with the usual plan, or with other fields than usual."""

    async def __call__(self, **fields: object) -> Resource: ...


def new_show(**fields: object) -> NewResource:
    """What it takes to create a show that tests confirm unpaid; any field may be given."""
    values: dict[str, object] = {
        "name": "Show",
        "plan": PLAN,
        "owner_limit": None,
        "payment": "none",
        **fields,
    }
    return NewResource(**values)  # type: ignore[arg-type]


def seats(show: Resource, *units: str) -> list[Line]:
    """Lines for exclusive units."""
    return [Line(show.id, unit) for unit in units]


def pool(show: Resource, unit: str, quantity: int) -> Line:
    """A line for so many of a pool."""
    return Line(show.id, unit, quantity)


async def take(
    engine: bespeak.Engine,
    lines: Sequence[Line],
    owner: str = "asha",
    *,
    connection: Connection | None = None,
    **fields: object,
) -> bespeak.Hold:
    """Places a hold: on a connection in its transaction, or in one of its own there."""
    placing = engine.place_hold(owner=owner, lines=lines, connection=connection, **fields)  # type: ignore[arg-type]
    if connection is None or connection.is_in_transaction():
        return await placing
    return await within_transaction(connection, placing)


async def within_transaction(connection: Connection, doing: Coroutine[Any, Any, Answer]) -> Answer:
    """What is done on a connection, in a transaction that ends with it."""
    async with connection.transaction():
        return await doing


async def look(engine: bespeak.Engine, show: Resource) -> SeatsAvailability:
    """What of a show is taken."""
    seen = await engine.availability(show.id)
    assert isinstance(seen, SeatsAvailability)
    return seen


async def book(
    engine: bespeak.Engine, lines: Sequence[Line], owner: str = "asha"
) -> bespeak.Booking:
    """Places a hold and confirms it."""
    hold = await take(engine, lines, owner)
    return await engine.confirm_hold(hold.id)
