"""By which rules the listings of the demo are sold, and what they cost. There are some hundred
plans in all, however many listings: the search keeps the rules of equal plans once. So prices are
the resources', and only plans with seasons, which name prices, take them from a short ladder.
"""

from __future__ import annotations

import random
from datetime import date
from functools import cache
from typing import Literal, NamedTuple

import msgspec

from bespeak.inventory.fields import Weekday
from bespeak.inventory.shapes.nights.plan import NightRule, NightsPlan
from bespeak.pricing.rules import Cancellation, Fee, Pricing, RefundTier
from bespeak.verticals.stays.demo.lists import DemoHouseKind, DemoRoomType, DemoTown
from bespeak.verticals.stays.demo.rates import with_rates, with_terms
from bespeak.verticals.stays.words import PropertyKind

Habit = Literal["any", "two", "three", "weekends", "no_sundays", "overbooked", "weeks", "seasons"]
"""How a house lets: any stay, two or three nights at least, weekends whole, no arrival on Sundays,
more rooms than there are, whole weeks, or by the season."""

CLEANING = "Cleaning"
ROOM = "all"
"""The one room of what is let whole."""
_DAY = 24 * 3600
_COUNTED: dict[Habit, int] = {"any": 45, "weekends": 25, "no_sundays": 15, "overbooked": 15}
_WHOLE: dict[PropertyKind, dict[Habit, int]] = {
    "apartment": {"any": 30, "two": 25, "three": 15, "weekends": 20, "no_sundays": 10},
    "house": {"seasons": 45, "weeks": 25, "three": 30},
    "cabin": {"seasons": 40, "weeks": 15, "weekends": 25, "two": 20},
}
_NOT_SATURDAYS: tuple[Weekday, ...] = ("mon", "tue", "wed", "thu", "fri", "sun")
_LADDER = (0.75, 1.0, 1.4)
_SEASON_FACTOR = 1.3
# The first and last days of the best season, and of the one that all want, as month and day.
_SUMMER = ((6, 20), (9, 1))
_SOUTHERN_SUMMER = ((12, 15), (2, 10))
_NEW_YEAR = ((12, 27), (1, 3))
_POLICIES = (
    Cancellation(free_until_seconds=_DAY),
    Cancellation(free_until_seconds=5 * _DAY, tiers=(RefundTier(_DAY, 5000),)),
    Cancellation(free_until_seconds=14 * _DAY, tiers=(RefundTier(7 * _DAY, 5000),)),
)


class ListingTerms(NamedTuple):
    """The plan of a listing, what a night of it costs where the plan says no other, and its
    fees and policy."""

    plan: NightsPlan
    price: int
    pricing: Pricing


class LetPart(NamedTuple):
    """What is let: of a house of which kind, in which city."""

    town: DemoTown
    kind: PropertyKind
    of_kind: DemoHouseKind
    room: DemoRoomType


def terms_of(let: LetPart, quality: float, today: date, dice: random.Random) -> ListingTerms:
    """The terms of something that costs so much more or less than is usual."""
    habits = _COUNTED if let.room.counts else _WHOLE[let.kind]
    habit = dice.choices([*habits], [*habits.values()])[0]
    if habit == "seasons":
        quality = min(_LADDER, key=lambda step: abs(step - quality))
        factor = let.of_kind.factor * quality
    else:
        factor = let.of_kind.factor * let.room.factor * quality
    price = _rounded(let.town, let.town.night * factor)
    count = dice.choice(let.room.counts) if let.room.counts else None
    fees: tuple[Fee, ...] = ()
    if count is None and dice.random() < 0.5:
        fees = (Fee(CLEANING, per="order", amount=_rounded(let.town, price * 0.4)),)
    policy = dice.choice(_POLICIES)
    season = _rounded(let.town, price * _SEASON_FACTOR) if habit == "seasons" else None
    plan = _plan(habit, count, let.town.lat < 0, season, today.year)
    plan = with_rates(plan, let.town, dice)
    return ListingTerms(plan, price, with_terms(Pricing(fees=fees), policy, plan, let.town))


@cache
def _plan(
    habit: Habit, count: int | None, is_southern: bool, season_price: int | None, year: int
) -> NightsPlan:
    plan = {
        "any": NightsPlan(),
        "two": NightsPlan(min_nights=2),
        "three": NightsPlan(min_nights=3, max_nights=60, buffer_nights=1),
        "weekends": NightsPlan(rules=(NightRule(days=("fri", "sat"), min_through=2),)),
        "no_sundays": NightsPlan(rules=(NightRule(days=("sun",), closed_to_arrival=True),)),
        "overbooked": NightsPlan(overbooking=1),
        "weeks": NightsPlan(
            min_nights=7, rules=(NightRule(days=_NOT_SATURDAYS, closed_to_arrival=True),)
        ),
        "seasons": NightsPlan(min_nights=2, rules=_seasons(season_price, year, is_southern)),
    }[habit]
    rooms = None if count is not None else (ROOM,)
    return msgspec.structs.replace(plan, rooms=rooms, count=count)


def _seasons(price: int | None, year: int, is_southern: bool) -> tuple[NightRule, ...]:
    """What costs more in the years around this one."""
    found = []
    for (start, stop), least in ((_SOUTHERN_SUMMER if is_southern else _SUMMER, 4), (_NEW_YEAR, 3)):
        for first in (year - 1, year, year + 1):
            last = first if start < stop else first + 1
            found.append(
                NightRule(
                    from_=date(first, *start), to=date(last, *stop), price=price, min_nights=least
                )
            )
    return tuple(found)


def _rounded(town: DemoTown, price: float) -> int:
    return max(town.step, round(price / town.step) * town.step)
