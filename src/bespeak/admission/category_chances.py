"""For how many of those who wait a category lasts, and how likely it is that one of them finds
something of it: arithmetic, without a look at anything. It goes by how those who came before have
chosen, and has each who finds a category gone take another.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from bespeak.inventory.category_stock import CategoryStock, SoldCategory
from bespeak.postgres.json_text import json_text

MEASURED_UNITS = 20
"""How many units customers must have chosen before it is said how they choose; of a small house a
tenth of it is enough."""
_TRUST = 20
"""How many units a first guess counts for: that all choose by how many there are of a category."""
_NOTHING = 1e-9
_WHOLE = 0
"""As a resource: all that is behind a room, in whichever categories, if any."""

Chance: TypeAlias = Literal["very_likely", "likely", "uncertain", "unlikely", "gone", "unknown"]
"""How likely it is that something is left at one's turn. Percents would say more than is known: how
long a category lasts is an estimate, and so is how much each takes."""


class CategoryOnBoard(msgspec.Struct, frozen=True):
    """What is left of a category of a resource, and how many more places will be called until
    nothing is (None: not known yet)."""

    resource: int
    name: str
    units: int
    left: int
    places: float | None


class ChanceStep(msgspec.Struct, frozen=True):
    """How far back a chance reaches: to whoever stands at a place of which `parts` times are no
    more than `of` times what it is `enough_for`."""

    chance: Literal["very_likely", "likely", "uncertain"]
    of: int
    parts: int


CHANCE_STEPS = (
    ChanceStep("very_likely", 2, 3),  # also if each takes half as much again as was measured
    ChanceStep("likely", 1, 1),
    ChanceStep("uncertain", 3, 2),  # if each takes two thirds of it
)
"""From the best on; whoever stands behind the last has an unlikely one."""


class StockOnBoard(NamedTuple):
    """What is left behind a room: by category, where that is counted, and in all for how many more
    places that are called (None: not counted)."""

    categories: tuple[CategoryOnBoard, ...]
    places: float | None


_CATEGORIES: msgspec.json.Decoder[tuple[CategoryOnBoard, ...]] = msgspec.json.Decoder(
    tuple[CategoryOnBoard, ...]
)


def kept_stock(left: int, stock: StockOnBoard) -> str:
    """What is left, as it is kept: `left` units in all."""
    whole = CategoryOnBoard(_WHOLE, "", left, left, stock.places)
    return msgspec.json.encode((*stock.categories, whole)).decode()


def stock_of(column: str | None) -> StockOnBoard:
    """What is left, from what is kept."""
    if column is None:
        return StockOnBoard((), None)
    found = _CATEGORIES.decode(json_text(column))
    whole = next((one.places for one in found if one.resource == _WHOLE), None)
    return StockOnBoard(tuple(one for one in found if one.resource != _WHOLE), whole)


def chance_of(units_left: int, enough_for: int | None, ahead: int | None) -> Chance:
    """How likely it is that something is left for whoever has so many `ahead` (None: there is no
    place yet), where it is `enough_for` so many of those who have not been called (None: not
    known). Whoever stands further behind never has the better chance."""
    if units_left <= 0:
        return "gone"
    if enough_for is None or ahead is None:
        return "unknown"
    for step in CHANCE_STEPS:
        if (ahead + 1) * step.parts <= enough_for * step.of:
            return step.chance
    return "unlikely"


def is_measured(categories: Sequence[SoldCategory]) -> bool:
    """Whether enough has been chosen to say how people choose."""
    units = sum(one.units for one in categories)
    return sum(one.chosen for one in categories) >= min(MEASURED_UNITS, max(1, units // 10))


def gone_after(stocks: Sequence[CategoryStock]) -> list[list[float]]:
    """Of each category of each stock, after how many units that people take of all of them
    together the last one of it is gone."""
    pools = {
        (at, pool): float(left)
        for at, stock in enumerate(stocks)
        for pool, left in stock.left.items()
    }
    wanted = _wanted(stocks)
    after = [[0.0] * len(stock.categories) for stock in stocks]
    standing = {
        (at, index): one
        for at, stock in enumerate(stocks)
        for index, one in enumerate(stock.categories)
        if one.left > 0
    }
    taken = 0.0
    while standing:
        everything = sum(wanted[key] for key in standing)
        rates: dict[tuple[int, str], float] = {}
        for (at, index), one in standing.items():
            part = wanted[at, index] / everything
            for pool, each in one.draws.items():
                rates[at, pool] = rates.get((at, pool), 0.0) + part * each
        step = min(pools[key] / rate for key, rate in rates.items())
        taken += step
        empty = set()
        for key, rate in rates.items():
            pools[key] -= step * rate
            if pools[key] <= _NOTHING * max(1.0, step * rate):
                empty.add(key)
        for at, index in [
            (at, index)
            for (at, index), one in standing.items()
            if any((at, pool) in empty for pool in one.draws)
        ]:
            after[at][index] = taken
            del standing[at, index]
    return after


def places_until_gone(
    stocks: Sequence[CategoryStock], spoken_for: float, units_a_place: float
) -> list[list[float | None]]:
    """Of each category, how many more places will be called until nothing of it is left, when those
    inside have taken what is `spoken_for` by them; None where it is not known yet."""
    if not is_measured([one for stock in stocks for one in stock.categories]):
        return [[None if one.left else 0.0 for one in stock.categories] for stock in stocks]
    return [
        [places_for(units, spoken_for, units_a_place) for units in after]
        for after in gone_after(stocks)
    ]


def places_for(units: float, spoken_for: float, units_a_place: float) -> float:
    """How many more places will be called until so many units are gone, when those inside have
    taken what is `spoken_for` by them."""
    return max(0.0, (units - spoken_for) / units_a_place)


def places_of_queue(places: float, queue: int, queues: Sequence[tuple[int, int]]) -> int:
    """Of so many places that are called, how many are of one queue: by the shares of all (each with
    how many wait in it), where queues that are empty leave theirs to the others."""
    share = queues[queue][0]
    # Until when the others go along: where so many of this queue have been called.
    others = sorted(
        (waiting * share / other, other)
        for at, (other, waiting) in enumerate(queues)
        if at != queue and waiting > 0
    )
    along = sum(other for _, other in others)
    mine, called = 0.0, 0.0
    for until, other in others:
        step = (until - mine) * (share + along) / share
        if called + step >= places:
            break
        called += step
        mine, along = until, along - other
    return floor(mine + (places - called) * share / (share + along) + _NOTHING)


def _wanted(stocks: Sequence[CategoryStock]) -> dict[tuple[int, int], float]:
    """How much of each category is wanted, beside the others."""
    units = sum(one.units for stock in stocks for one in stock.categories)
    return {
        (at, index): one.chosen + _TRUST * max(1, one.units) / max(1, units)
        for at, stock in enumerate(stocks)
        for index, one in enumerate(stock.categories)
    }
