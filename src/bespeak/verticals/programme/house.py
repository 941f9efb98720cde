"""An invented house, as a file has it: a venue with its halls, and what is on. The demo and the
sample are such houses.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from bespeak.inventory.fields import PoolPlan
from bespeak.inventory.payment_rules import PaymentRule
from bespeak.inventory.shapes.seats.plan import SeatsPlan
from bespeak.inventory.shapes.seats.room_maker import make_room
from bespeak.pricing.rules import Pricing
from bespeak.translations import Translation
from bespeak.verticals.programme.forms import NewHall, NewPerformance, NewProduction, NewVenue
from bespeak.verticals.programme.performances import create_performance
from bespeak.verticals.programme.places_changes import create_hall, create_venue, settled_plan
from bespeak.verticals.programme.production_changes import create_production

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection

_DOORS = timedelta(minutes=45)
_STEP = 0.75  # what each category costs of the one before


class HouseHall(msgspec.Struct, frozen=True):
    """A hall: of so many seats, or of standing areas; `words` are those of its plan."""

    name: str
    translations: tuple[Translation, ...]
    words: tuple[Translation, ...] = ()
    seats: int = 0
    areas: dict[str, int] = {}

    @property
    def plan(self) -> SeatsPlan:
        if self.seats:
            room = make_room("theatre", self.seats)
        else:
            room = SeatsPlan(pools=tuple(PoolPlan(name, size) for name, size in self.areas.items()))
        return msgspec.structs.replace(room, translations=self.words)


class HouseProduction(msgspec.Struct, frozen=True):
    """A production, and on which days after the first it is given: where, when, for how much."""

    hall: str
    days: tuple[int, ...]
    time: str
    price: int
    said: NewProduction


class House(msgspec.Struct, frozen=True):
    """The file."""

    venue: NewVenue
    halls: tuple[HouseHall, ...]
    productions: tuple[HouseProduction, ...]
    pricing: Pricing | None = None
    pricing_words: tuple[Translation, ...] = ()


class HouseTerms(NamedTuple):
    """By what the performances of a house are sold, from which day on they are given, and the
    idempotency key of each of its things by its name, so that a house is not made twice (None: it
    is)."""

    currency: str
    payment: PaymentRule
    first_day: date
    key: Callable[[str], str | None] = lambda _: None


class MadeHouse(NamedTuple):
    """The ids of what a house was made of."""

    venue: str
    halls: list[str]
    productions: list[str]


async def make_house(
    engine: Engine, connection: Connection, workspace: str, house: House, terms: HouseTerms
) -> MadeHouse:
    """A house with performances from the day on, in the transaction of the caller. Of its venue,
    halls and productions those are kept that are there by their keys."""
    venue, _ = await create_venue(connection, workspace, house.venue, terms.key("venue"))
    made = MadeHouse(venue, [], [])
    halls: dict[str, tuple[str, list[str]]] = {}
    for hall in house.halls:
        new = NewHall(venue=venue, name=hall.name, plan=hall.plan, translations=hall.translations)
        hall_id, _ = await create_hall(connection, workspace, new, terms.key(hall.name))
        plan, _ = settled_plan(hall.plan)
        halls[hall.name] = (hall_id, [one.name for one in plan.categories])
        made.halls.append(hall_id)
    for one in house.productions:
        production, _ = await create_production(
            connection, workspace, one.said, terms.key(one.said.title)
        )
        made.productions.append(production)
        hall_id, categories = halls[one.hall]
        for performance in _performances(house, one, terms, categories):
            placed = msgspec.structs.replace(performance, production=production, hall=hall_id)
            await create_performance(engine, connection, workspace, placed, None)
    return made


def _performances(
    house: House, one: HouseProduction, terms: HouseTerms, categories: list[str]
) -> list[NewPerformance]:
    found = []
    for day in one.days:
        clock = time.fromisoformat(one.time)
        starts_at = datetime.combine(terms.first_day + timedelta(days=day), clock)
        prices = {name: _price(one.price, place) for place, name in enumerate(categories)}
        found.append(
            NewPerformance(
                production="",
                hall="",
                starts_at=starts_at.isoformat(),
                doors_at=(starts_at - _DOORS).isoformat(),
                currency=terms.currency,
                prices=prices,
                payment=terms.payment if one.price else "none",
                pricing=house.pricing if one.price else None,
                published=True,
                translations=house.pricing_words,
            )
        )
    return found


def _price(first: int, place: int) -> int:
    """The price of the category in this place, in whole units of ten cents."""
    return round(first * _STEP**place / 10) * 10
