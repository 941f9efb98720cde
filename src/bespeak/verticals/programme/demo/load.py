"""Loads the house of the demo: once, and new performances when the last of them are over. All
of them are made in one transaction, so that a load that was killed left all or none.
"""

from __future__ import annotations

from datetime import datetime
from importlib import resources
from typing import TYPE_CHECKING

import msgspec

from bespeak import ids
from bespeak.inventory.payment_rules import PaymentRule
from bespeak.inventory.resources import get_many
from bespeak.inventory.workspaces import DEFAULT
from bespeak.postgres.queries import load
from bespeak.verticals.programme.house import House, HouseTerms, make_house
from bespeak.verticals.programme.places_changes import create_venue
from bespeak.verticals.vertical import DemoLoad, Progress

if TYPE_CHECKING:
    from bespeak.engine import Engine

_QUERIES = load("bespeak.verticals.programme.demo", "load.sql")
_CURRENCY = "EUR"
_FEATURED_MAX = 3


async def load_demo(
    engine: Engine, now: datetime | None = None, tell: Progress = lambda _done, _all: None
) -> DemoLoad:
    """The performances of the demo that are still to come, made if there are none."""
    now = now or engine.clock.now()
    text = resources.files(__package__ or "").joinpath("house.json").read_bytes()
    house = msgspec.json.decode(text, type=House)
    payment: PaymentRule = "required" if engine.settings.takes_payments else "at_venue"
    async with engine.database.borrow() as connection, connection.transaction():
        venue, _ = await create_venue(connection, DEFAULT, house.venue, _key("venue"))
        rows = await connection.fetch(_QUERIES["to_come"], venue, now)
        if not rows:
            terms = HouseTerms(_CURRENCY, payment, now.date(), _key)
            await make_house(engine, connection, DEFAULT, house, terms)
            rows = await connection.fetch(_QUERIES["to_come"], venue, now)
        numbers = [row["resource_id"] for row in rows]
        found = {one.id: one for one in await get_many(connection, numbers[:_FEATURED_MAX])}
    tell(len(numbers), len(numbers))
    featured = [found[ids.show_resource(number)] for number in numbers[:_FEATURED_MAX]]
    told = f"{len(numbers)} performances of {len(house.productions)} productions in 1 venue"
    return DemoLoad(featured, told)


def _key(name: str) -> str:
    return f"demo/{name}"
