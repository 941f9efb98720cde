"""The map of a show as the buyers see it: what looks free. It is as old as the last look, mended
with what refusals and grants tell; the server alone knows.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from bespeak.inventory.shapes.registry import compile_seats
from bespeak.inventory.shapes.seats.plan import SeatsPlan
from bespeak.inventory.shapes.seats.rules import CompiledSeats

_PROBES = 24
_Thing = TypeVar("_Thing")

Lines = list[tuple[str, int | None]]
"""What to ask for: units with None for a seat, and with how many for a pool."""


class CrowdSeatMap:
    """What looks free of a plan."""

    def __init__(self, plan: SeatsPlan) -> None:
        compiled = compile_seats(plan)
        self._units = list(compiled.categories)
        self._pairs = _pairs(compiled)
        self._free = set(self._units)
        self._pools = dict(compiled.pools)
        self.capacities = compiled.pools
        self.units_total = len(self._units) + sum(compiled.pools.values())

    @property
    def units_free(self) -> int:
        """How many units look free, seats and places of pools."""
        return len(self._free) + sum(self._pools.values())

    def show(self, taken: Iterable[str], pools: Mapping[str, int]) -> None:
        """The server's word: which seats are taken, how many each pool has left."""
        self._free = set(self._units).difference(taken)
        self._pools.update({unit: left for unit, left in pools.items() if unit in self._pools})

    def take(self, lines: Lines) -> None:
        for unit, quantity in lines:
            self._free.discard(unit)
            if unit in self._pools:
                self._pools[unit] = max(0, self._pools[unit] - (quantity or 0))

    def give_back(self, lines: Lines) -> None:
        for unit, quantity in lines:
            if unit not in self._pools:
                self._free.add(unit)
            else:
                self._pools[unit] = min(self.capacities[unit], self._pools[unit] + (quantity or 0))

    def choose(self, dice: random.Random, size: int) -> Lines | None:
        """Two seats side by side that look free, or (with `size` 1, or where no two are left) one,
        or as many of a pool; None when nothing looks free."""
        if size > 1 and self._free:
            pair = _pick(dice, self._pairs, self._free.issuperset)
            if pair is not None:
                return [(unit, None) for unit in pair]
        if self._free:
            unit = _pick(dice, self._units, self._free.__contains__)
            if unit is not None:
                return [(unit, None)]
        pools = [unit for unit, left in self._pools.items() if left > 0]
        if not pools:
            return None
        pool = dice.choice(pools)
        return [(pool, min(size, self._pools[pool]))]


def _pairs(compiled: CompiledSeats) -> list[tuple[str, str]]:
    """All seats that are side by side."""
    seating = compiled.seating
    units = seating.units
    return [(units[place - 1], units[place]) for place in seating.joined.nonzero()[0].tolist()]


def _pick(
    dice: random.Random, things: list[_Thing], is_good: Callable[[_Thing], bool]
) -> _Thing | None:
    """A good thing at random: by trying, and when few are good, by looking at all."""
    if not things:
        return None
    for _ in range(_PROBES):
        thing = dice.choice(things)
        if is_good(thing):
            return thing
    good = [thing for thing in things if is_good(thing)]
    return dice.choice(good) if good else None
