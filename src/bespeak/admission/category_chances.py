"""For how many of those who wait a category lasts: arithmetic, without a look at anything. It goes
by how those who came before have chosen, and has each who finds a category gone take another.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

import msgspec

from bespeak.inventory.category_stock import CategoryStock, SoldCategory
from bespeak.postgres.json_text import json_text

MEASURED_UNITS = 20
"""How many units customers must have chosen before it is said how they choose; of a small house a
tenth of it is enough."""
_TRUST = 20
"""How many units a first guess counts for: that all choose by how many there are of a category."""
_NOTHING = 1e-9


class CategoryOnBoard(msgspec.Struct, frozen=True):
    """What is left of a category of a resource, and how many more places will be called until
    nothing is (None: not known yet)."""

    resource: int
    name: str
    units: int
    left: int
    places: float | None


_CATEGORIES: msgspec.json.Decoder[tuple[CategoryOnBoard, ...]] = msgspec.json.Decoder(
    tuple[CategoryOnBoard, ...]
)


def categories_of(column: str | None) -> tuple[CategoryOnBoard, ...]:
    """The categories of a room, as they are kept."""
    return () if column is None else _CATEGORIES.decode(json_text(column))


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
        [max(0.0, (units - spoken_for) / units_a_place) for units in after]
        for after in gone_after(stocks)
    ]


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
