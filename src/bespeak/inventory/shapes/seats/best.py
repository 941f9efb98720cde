"""The best seats: what makes a seat better than another, and the best block of adjacent ones. A
strategy is one function; whatever the strategy, the block with the lowest sum of costs is the best,
and of equal ones the first in the plan's order.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from typing import TYPE_CHECKING

from bespeak.inventory.arrays import np
from bespeak.inventory.shapes.seats.orphans import RoomView
from bespeak.inventory.shapes.seats.plan import Stage
from bespeak.inventory.shapes.seats.seating import Seating
from bespeak.lines import StrategyName

if TYPE_CHECKING:
    from bespeak.inventory.arrays import Costs, Counts, Flags, Numbers, Places, Seats

# Costs are whole numbers, so that sums are exact and equal blocks are equal. A distance is up to
# 2**20, and a thousand of them (the largest choice) stay below one step of what weighs more.
_DISTANCE_STEPS = 1 << 20
_WEIGHT = 1 << 30
_UNREACHED = (1 << 63) - 1  # the largest cost that an array can have


class RoomMeasures:
    """A room as strategies see it: where its seats, its focus and its stage are."""

    def __init__(self, seating: Seating) -> None:
        self.seating = seating
        plan = seating.plan
        self.places: Places = seating.places
        self.low = self.places.min(axis=0)
        self.high = self.places.max(axis=0)
        self.middle = (self.low + self.high) / 2
        self.stage: Stage | None = plan.stage
        ranks = {category.name: category.rank for category in plan.categories}
        self.ranks: Costs = np.array(
            [ranks.get(name, 1) for name in seating.category_names], np.int64
        )[seating.category]

    @property
    def focus(self) -> tuple[float, float]:
        """The best place: the plan's, or the middle of the stage, or two thirds back before a
        screen, or the middle of the front."""
        plan = self.seating.plan
        if plan.focus is not None:
            return plan.focus
        if self.stage is None:
            return (float(self.middle[0]), float(self.low[1]))
        if self.stage.kind == "screen":
            depth = self.low[1] + (self.high[1] - self.low[1]) * 2 / 3
            return (self.stage.x, float(depth))
        return (self.stage.x, self.stage.y)

    def distances(self, x: float, y: float) -> Costs:
        """How far each seat is from a place, as a cost."""
        far = np.hypot(self.places[:, 0] - x, self.places[:, 1] - y)
        return _steps(far)

    @cached_property
    def depths(self) -> Costs:
        """For each seat, which row from the front it is in: 0 is the nearest to the stage, or
        without a stage the one with the lowest y."""
        starts = self.seating.bank_starts
        sizes = np.diff(np.append(starts, len(self.seating)))
        middles = np.add.reduceat(self.places, starts) / sizes[:, None]
        far = middles[:, 1]
        if self.stage is not None:
            reach = np.array([self.stage.width, self.stage.height]) / 2
            off = np.abs(middles - (self.stage.x, self.stage.y)) - reach
            far = np.hypot(*np.maximum(off, 0.0).T)
        _, order = np.unique(np.round(far, 3), return_inverse=True)
        depths: Costs = order.astype(np.int64)[self.seating.bank_of]
        return depths


def _steps(far: Numbers) -> Costs:
    most = float(far.max(initial=0.0))
    if most == 0.0:
        return np.zeros(len(far), np.int64)
    made: Costs = np.rint(far * (_DISTANCE_STEPS / most)).astype(np.int64)
    return made


def _back_first(measures: RoomMeasures) -> Costs:
    turned: Costs = measures.depths.max() - measures.depths
    return turned * _WEIGHT + measures.distances(*measures.focus)


def _from_the_middle(measures: RoomMeasures) -> Costs:
    x, y = measures.middle
    return measures.distances(float(x), float(y))


# What makes a seat good, by the names that requests use: the cost of each seat, from 0 to 2**53.
STRATEGIES: dict[StrategyName, Callable[[RoomMeasures], Costs]] = {
    # The best category first, then the nearest to the focus.
    "best": lambda room: room.ranks * _WEIGHT + room.distances(*room.focus),
    "center": _from_the_middle,
    # Row by row from the front, or from the back; in a row the nearest to the focus.
    "front": lambda room: room.depths * _WEIGHT + room.distances(*room.focus),
    "back": _back_first,
}


class Ranking:
    """What every seat of a room costs, each strategy's sums made when it is first asked for."""

    def __init__(self, seating: Seating) -> None:
        self.seating = seating
        self.strategy = cache(self._strategy)

    @cached_property
    def measures(self) -> RoomMeasures:
        """The room as strategies see it."""
        return RoomMeasures(self.seating)

    def _strategy(self, name: StrategyName) -> Sums:
        return Sums(self.seating, STRATEGIES[name](self.measures))

    def near(self, seats: Seats) -> Sums:
        """By the distance from the middle of these seats."""
        x, y = self.measures.places[seats].mean(axis=0)
        return Sums(self.seating, self.measures.distances(float(x), float(y)))


class Sums:
    """The costs of seats, and of blocks of them from running sums.

    The running sums of a large room may pass what 64 bits hold; the differences, which are sums of
    at most 1,000 costs, are right all the same, because both wrap around alike.
    """

    def __init__(self, seating: Seating, costs: Costs) -> None:
        self.costs = costs
        self._running = _running(seating.at(costs))

    def of_blocks(self, size: int) -> Costs:
        """The cost of the block of that size that begins at each position."""
        return self._running[size:] - self._running[:-size]


def _running(values: Counts | Flags) -> Costs:
    made = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=made[1:])
    return made


def _in_blocks(flags: Counts | Flags, size: int) -> Costs:
    """How many of the flags stand in the block of that size that begins at each position."""
    running = _running(flags)
    return running[size:] - running[:-size]


def _accompanied(seating: Seating, size: int) -> Costs:
    """How many companions' seats the block of that size that begins at each position has together
    with the accessible seats that they belong to."""
    first, last = seating.pairs
    is_near = last - first < size
    starts = len(seating.room) - size + 1
    steps = np.zeros(starts + 1, np.int64)
    np.add.at(steps, np.maximum(last[is_near] - size + 1, 0), 1)
    np.add.at(steps, np.minimum(first[is_near] + 1, starts), -1)
    return np.cumsum(steps[:-1])


def best_block(
    view: RoomView,
    sums: Sums,
    size: int,
    eligible: Flags,
    *,
    wanted: Flags | None = None,
    spare: bool = False,
    refused: Flags | None = None,
) -> Seats | None:
    """The best block of so many adjacent eligible seats, or None. At least one of them is `wanted`,
    a place for a wheelchair, if possible with the seats of its companions (of others' places as few
    as can be, because others want them too); with `spare` it leaves no orphan; not all of them are
    `refused`."""
    seating = view.seating
    room = seating.room
    if size > len(room):
        return None
    lacking = _running(seating.at(~eligible))
    fits = lacking[size:] == lacking[:-size]
    starts = len(fits)
    fits &= room[:starts] >= size
    if spare:
        fits &= ~seating.at(view.bad_start)[:starts]
        fits &= ~seating.at(view.bad_end)[size - 1 :]
    if refused is not None:
        fits &= _in_blocks(seating.at(refused), size) < size
    if wanted is not None:
        counts = _in_blocks(seating.at(wanted), size)
        fits &= counts > 0
        accompanied = _accompanied(seating, size)
        companions = _in_blocks(seating.at(~seating.accessible & ~seating.ordinary), size)
        for fewest in (counts, -accompanied, companions):
            if not fits.any():
                return None
            fits &= fewest == fewest[fits].min()
    place = int(np.where(fits, sums.of_blocks(size), _UNREACHED).argmin())
    if not fits[place]:
        return None
    block = np.arange(place, place + size)
    return block if seating.seat_at is None else seating.seat_at[block]
