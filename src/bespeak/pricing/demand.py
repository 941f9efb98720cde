"""Demand steps at work: how far a thing is sold, and what that makes of its price."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from bespeak.pricing.rounding import ALL, rounded
from bespeak.pricing.rules import DemandStep


class Level(NamedTuple):
    """How many of something are taken (booked or blocked), and how many there are."""

    taken: int
    capacity: int


class Scope(NamedTuple):
    """Of what a level is: of a counted unit, of a category, or of all; `at` a date or a time, as
    the plan counts these, where it sells by them; and of times the rate, whose length counts."""

    unit: str | None = None
    category: str | None = None
    at: int = 0
    rate: str | None = None


Levels: TypeAlias = Callable[[Scope], Level]


def stepped(price: int, steps: Sequence[DemandStep], level: Level) -> int:
    """A price by the last of the steps that the level has reached, never below zero. The steps are
    of one scope and in their order."""
    reached: DemandStep | None = None
    for step in steps:
        if not _is_reached(step, level):
            break
        reached = step
    if reached is None:
        return price
    return max(0, rounded(price * (ALL + reached.basis_points), ALL) + reached.amount)


def _is_reached(step: DemandStep, level: Level) -> bool:
    if step.from_count is not None:
        return level.taken >= step.from_count
    return (
        level.capacity > 0 and level.taken * ALL >= (step.from_basis_points or 0) * level.capacity
    )


class Demand:
    """What demand makes of the prices of a resource, as it was at one look."""

    def __init__(self, steps: Sequence[DemandStep], levels: Levels) -> None:
        self._levels = levels
        self._units: dict[str, list[DemandStep]] = {}
        self._categories: dict[str, list[DemandStep]] = {}
        self._all: list[DemandStep] = []
        for step in steps:
            if step.unit is not None:
                self._units.setdefault(step.unit, []).append(step)
            elif step.category is not None:
                self._categories.setdefault(step.category, []).append(step)
            else:
                self._all.append(step)

    def price(
        self,
        price: int,
        unit: str | None = None,
        category: str | None = None,
        at: int = 0,
        rate: str | None = None,
    ) -> int:
        """The price of one, by the steps of its unit, else of its category, else of all."""
        if unit is not None and unit in self._units:
            return stepped(price, self._units[unit], self._levels(Scope(unit, None, at, rate)))
        if category is not None and category in self._categories:
            scope = Scope(None, category, at, rate)
            return stepped(price, self._categories[category], self._levels(scope))
        if not self._all:
            return price
        return stepped(price, self._all, self._levels(Scope(None, None, at, rate)))
