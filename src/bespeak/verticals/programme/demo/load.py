"""Loads the house of the demo: once, and new performances when the last of them are over. All
of them are made in one transaction, so that a load that was killed left all or none.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from importlib import resources
from typing import TYPE_CHECKING

import msgspec

from bespeak import ids
from bespeak.inventory.fields import PoolPlan
from bespeak.inventory.resources import get_many
from bespeak.inventory.shapes.seats.plan import SeatsPlan
from bespeak.inventory.shapes.seats.room_maker import make_room
from bespeak.inventory.workspaces import DEFAULT
from bespeak.postgres.queries import load
from bespeak.pricing.rules import Pricing
from bespeak.translations import Translation
from bespeak.verticals.programme.forms import NewHall, NewPerformance, NewProduction, NewVenue
from bespeak.verticals.programme.performances import create_performance
from bespeak.verticals.programme.places_changes import create_hall, create_venue, settled_plan
from bespeak.verticals.programme.production_changes import create_production
from bespeak.verticals.vertical import DemoLoad, Progress

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.verticals.programme.demo", "load.sql")
_CURRENCY = "EUR"
_DOORS = timedelta(minutes=45)
_STEP = 0.75  # what each category costs of the one before
_FEATURED_MAX = 3


class _Hall(msgspec.Struct, frozen=True):
    """A hall: of so many seats, or of standing areas; `words` are those of its plan."""

    name: str
    translations: tuple[Translation, ...]
    words: tuple[Translation, ...]
    seats: int = 0
    areas: dict[str, int] = {}

    @property
    def plan(self) -> SeatsPlan:
        if self.seats:
            room = make_room("theatre", self.seats)
        else:
            room = SeatsPlan(pools=tuple(PoolPlan(name, size) for name, size in self.areas.items()))
        return msgspec.structs.replace(room, translations=self.words)


class _Production(msgspec.Struct, frozen=True):
    """A production, and on which days after the first it is given: where, when, for how much."""

    hall: str
    days: tuple[int, ...]
    time: str
    price: int
    said: NewProduction


class _House(msgspec.Struct, frozen=True):
    """The file."""

    venue: NewVenue
    halls: tuple[_Hall, ...]
    productions: tuple[_Production, ...]
    pricing: Pricing
    pricing_words: tuple[Translation, ...]


async def load_demo(
    engine: Engine, now: datetime | None = None, tell: Progress = lambda _done, _all: None
) -> DemoLoad:
    """The performances of the demo that are still to come, made if there are none."""
    now = now or engine.clock.now()
    text = resources.files(__package__ or "").joinpath("house.json").read_bytes()
    house = msgspec.json.decode(text, type=_House)
    async with engine.database.borrow() as connection, connection.transaction():
        venue, _ = await create_venue(connection, DEFAULT, house.venue, _key("venue"))
        rows = await connection.fetch(_QUERIES["to_come"], venue, now)
        if not rows:
            await _add(engine, connection, house, venue, now.date())
            rows = await connection.fetch(_QUERIES["to_come"], venue, now)
        numbers = [row["resource_id"] for row in rows]
        found = {one.id: one for one in await get_many(connection, numbers[:_FEATURED_MAX])}
    tell(len(numbers), len(numbers))
    featured = [found[ids.show_resource(number)] for number in numbers[:_FEATURED_MAX]]
    told = f"{len(numbers)} performances of {len(house.productions)} productions in 1 venue"
    return DemoLoad(featured, told)


async def _add(
    engine: Engine, connection: Connection, house: _House, venue: str, first: date
) -> None:
    """The halls and productions, which may be there, and performances from the day on."""
    halls: dict[str, tuple[str, list[str]]] = {}
    for hall in house.halls:
        new = NewHall(venue=venue, name=hall.name, plan=hall.plan, translations=hall.translations)
        hall_id, _ = await create_hall(connection, DEFAULT, new, _key(hall.name))
        plan, _ = settled_plan(hall.plan)
        halls[hall.name] = (hall_id, [one.name for one in plan.categories])
    for one in house.productions:
        production, _ = await create_production(connection, DEFAULT, one.said, _key(one.said.title))
        hall_id, categories = halls[one.hall]
        for day in one.days:
            starts_at = datetime.combine(first + timedelta(days=day), time.fromisoformat(one.time))
            new_one = NewPerformance(
                production=production,
                hall=hall_id,
                starts_at=starts_at.isoformat(),
                doors_at=(starts_at - _DOORS).isoformat(),
                currency=_CURRENCY,
                prices={name: _price(one.price, place) for place, name in enumerate(categories)},
                payment="required" if engine.settings.takes_payments else "at_venue",
                pricing=house.pricing,
                published=True,
                translations=house.pricing_words,
            )
            await create_performance(engine, connection, DEFAULT, new_one, None)


def _price(first: int, place: int) -> int:
    """The price of the category in this place, in whole units of ten cents."""
    return round(first * _STEP**place / 10) * 10


def _key(name: str) -> str:
    return f"demo/{name}"
