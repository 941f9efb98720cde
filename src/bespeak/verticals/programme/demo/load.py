"""Loads the house of the demo: once, and new performances when the last of them are over. All
of them are made in one transaction, so that a load that was killed left all or none. A version
that tells of the house otherwise leaves what another made until it is over.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
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
    text = _told()
    house = msgspec.json.decode(text, type=House)
    key = _keys(text)
    payment: PaymentRule = "required" if engine.settings.takes_payments else "at_venue"
    async with engine.database.borrow() as connection, connection.transaction():
        asked = (DEFAULT, house.venue.name, key("venue"), now)
        rows = await connection.fetch(_QUERIES["to_come"], *asked)
        if not rows:
            terms = HouseTerms(_CURRENCY, payment, now.date(), key)
            await make_house(engine, connection, DEFAULT, house, terms)
            rows = await connection.fetch(_QUERIES["to_come"], *asked)
        numbers = [row["resource_id"] for row in rows]
        found = {one.id: one for one in await get_many(connection, numbers[:_FEATURED_MAX])}
    tell(len(numbers), len(numbers))
    featured = [found[ids.show_resource(number)] for number in numbers[:_FEATURED_MAX]]
    told = f"{len(numbers)} performances of {len(house.productions)} productions in 1 venue"
    return DemoLoad(featured, told)


def _told() -> bytes:
    return resources.files(__package__ or "").joinpath("house.json").read_bytes()


def _keys(text: bytes) -> Callable[[str], str]:
    """The idempotency keys of the things of a house: told otherwise, it has others."""
    version = hashlib.sha256(text).hexdigest()[:12]
    return lambda name: f"demo/{version}/{name}"
