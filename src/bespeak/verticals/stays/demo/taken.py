"""Which nights of the demo's listings are taken before the visitor comes: about six of ten over the
next three months of what is let whole, and some of the rooms of a type over the next month, since
who wants a room in a hotel takes it later.

They are blocks of the operator, one a listing, and no bookings: a million nights of bookings by the
engine's verbs would take minutes, and would need guests, invoices and mails that nobody asked for.
A block says truthfully what it is, and takes its nights as the engine's own blocks do.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.verticals.stays.demo.lists import SEED

REASON = "Demo: let elsewhere"
DAYS_WHOLE, DAYS_COUNTED = 90, 30
_GAPS = (0, 1, 2, 3, 7)
_NIGHTS_MAX = 7
_WEEK = 7
_SATURDAY = 5
_WEEKS_TAKEN = 0.6


class TakenStretch(NamedTuple):
    """So many nights from a day on: of a room by its name, or so many of a type that has a
    capacity."""

    start: date
    nights: int
    room: str | None
    quantity: int | None
    capacity: int | None


def taken_stretches(ref: str, plan: NightsPlan, today: date) -> Iterator[TakenStretch]:
    """What is taken of a listing, in order; the same whenever it is asked for on that day."""
    dice = random.Random(f"{SEED} {ref}")
    if plan.min_nights == _WEEK:
        stays = _weeks(today, dice)
    else:
        stays = _stays(DAYS_COUNTED if plan.rooms is None else DAYS_WHOLE, dice)
    for day, nights in stays:
        start = today + timedelta(days=day)
        if plan.rooms is not None:
            yield TakenStretch(start, nights, plan.rooms[0], None, None)
        else:
            capacity = (plan.count or 0) + plan.overbooking
            quantity = min(capacity, dice.randint(1, capacity + capacity // 3))
            yield TakenStretch(start, nights, None, quantity, capacity)


def _stays(days: int, dice: random.Random) -> Iterator[tuple[int, int]]:
    """Stays of one to seven nights with gaps between."""
    day = dice.randrange(4)
    while day < days:
        nights = min(dice.randint(1, _NIGHTS_MAX), days - day)
        yield day, nights
        day += nights + dice.choice(_GAPS)


def _weeks(today: date, dice: random.Random) -> Iterator[tuple[int, int]]:
    """Whole weeks from Saturday on, where one stays no other time."""
    first = (_SATURDAY - today.weekday()) % _WEEK
    for day in range(first, DAYS_WHOLE, _WEEK):
        if dice.random() < _WEEKS_TAKEN:
            yield day, _WEEK
