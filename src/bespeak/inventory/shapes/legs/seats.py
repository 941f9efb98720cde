"""The seats of a run over its legs as one array, and choosing among them: the seat that keeps the
least of its free gap around the journey, and for a group seats that follow each other in the plan.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from bespeak.inventory.arrays import np
from bespeak.inventory.shapes.legs.run import Journey
from bespeak.inventory.snapshot import Snapshot

if TYPE_CHECKING:
    from bespeak.inventory.arrays import Counts, Flags, Numbers


class RunSeats:
    """The seats of a plan, by their indexes in its order; and their classes, by theirs.
    `categories` has the class of each seat."""

    def __init__(self, categories: dict[str, str], suffixes: Sequence[str]) -> None:
        self.units = list(categories)
        self.index = {unit: seat for seat, unit in enumerate(self.units)}
        self.classes = list(dict.fromkeys(categories.values()))
        self.legs = len(suffixes)
        self._suffixes = suffixes
        self.categories = categories

    @cached_property
    def _masks(self) -> list[Flags]:
        """For each class, which seats are of it."""
        numbers = {name: number for number, name in enumerate(self.classes)}
        class_of = np.array([numbers[name] for name in self.categories.values()], np.intp)
        return [class_of == number for number in range(len(self.classes))]

    @cached_property
    def claim_index(self) -> dict[str, int]:
        """The index of each claim, seat by seat and leg by leg. It is one object, because snapshots
        know it."""
        return {
            unit + suffix: seat * self.legs + leg
            for seat, unit in enumerate(self.units)
            for leg, suffix in enumerate(self._suffixes)
        }

    def of_classes(self, numbers: Sequence[int]) -> Flags:
        """Which seats are of one of these classes."""
        found = np.zeros(len(self.units), np.bool_)
        for number in numbers:
            found |= self._masks[number]
        return found

    def view(self, snapshot: Snapshot, now: float) -> SeatsView:
        """The seats as a snapshot shows them at this time."""
        until = snapshot.until(self.claim_index).reshape(len(self.units), self.legs)
        return SeatsView(until, until > now)


class SeatsView:
    """Which seats are taken on which legs, and until when: one row a seat, one column a leg."""

    def __init__(self, until: Numbers, taken: Flags) -> None:
        self._until = until
        self.taken = taken

    def free(self, journey: Journey) -> Flags:
        """Which seats are free all the way."""
        return np.logical_not(self.taken[:, journey.start : journey.stop].any(axis=1))

    def last_leg(self, seat: int, journey: Journey) -> int:
        """The leg of a journey on which a seat is taken the longest, the first of several."""
        return journey.start + int(self._until[seat, journey.start : journey.stop].argmax())

    def free_from(self, journey: Journey) -> Counts:
        """For each seat how many legs of a journey are free without a break from its start."""
        return _until_taken(self.taken[:, journey.start : journey.stop])

    def free_until(self, journey: Journey) -> Counts:
        """The same backwards from its stop."""
        return _until_taken(self.taken[:, journey.start : journey.stop][:, ::-1])

    def leftover(self, journey: Journey) -> Counts:
        """For each seat how many legs directly before and after a journey are free: what a seat
        that is free all the way would keep of its gap."""
        before = _until_taken(self.taken[:, : journey.start][:, ::-1])
        return before + _until_taken(self.taken[:, journey.stop :])

    def stretches(self) -> Counts:
        """For each seat and leg how many legs are free without a break from this one on."""
        free = ~self.taken
        found = np.zeros(free.shape, np.int64)
        run = np.zeros(len(free), np.int64)
        for leg in range(free.shape[1] - 1, -1, -1):
            run = np.where(free[:, leg], run + 1, 0)
            found[:, leg] = run
        return found


def best_fit(eligible: Flags, leftover: Counts, quantity: int) -> list[int]:
    """So many eligible seats, of which there are enough, in the plan's order.

    One seat is the one that keeps the least, the first of several. A group sits on seats that
    follow each other: where it can, the ones that keep the least together; else in as few parts as
    there can be, the longest stretches first.
    """
    seats = np.flatnonzero(eligible)
    if quantity == 1:
        return [int(seats[np.argmin(leftover[seats])])]
    chosen: list[int] = []
    left = eligible.copy()
    while quantity > 0:
        start = _best_window(left, leftover, quantity)
        length = quantity
        if start is None:
            start, length = _longest(left)
        chosen += range(start, start + length)
        left[start : start + length] = False
        quantity -= length
    return sorted(chosen)


def nearest(eligible: Flags, seat: int, count: int) -> list[int]:
    """At most so many eligible seats, the nearest in the plan's order first."""
    seats = np.flatnonzero(eligible)
    order = np.argsort(np.abs(seats - seat), kind="stable")[:count]
    return [int(found) for found in seats[order]]


def parts_of(seats: Sequence[int]) -> int:
    """In how many parts these seats, in order, follow each other."""
    return sum(number == 0 or seats[number - 1] != seat - 1 for number, seat in enumerate(seats))


def _until_taken(legs: Flags) -> Counts:
    """For each row how many columns come before the first that is taken."""
    if legs.shape[1] == 0:
        return np.zeros(len(legs), np.int64)
    before: Counts = np.where(legs.any(axis=1), legs.argmax(axis=1), legs.shape[1])
    return before


def _best_window(eligible: Flags, leftover: Counts, quantity: int) -> int | None:
    """The first of the seats that follow each other and keep the least; None: there are not so
    many anywhere."""
    if quantity > len(eligible):
        return None
    filled = _sums(eligible.astype(np.int64), quantity) == quantity
    starts = np.flatnonzero(filled)
    if len(starts) == 0:
        return None
    kept = _sums(leftover, quantity)[starts]
    return int(starts[np.argmin(kept)])


def _sums(values: Counts, width: int) -> Counts:
    """The sum of each so many values that follow each other."""
    totals = np.concatenate((np.zeros(1, np.int64), np.cumsum(values)))
    sums: Counts = np.subtract(totals[width:], totals[:-width])
    return sums


def _longest(eligible: Flags) -> tuple[int, int]:
    """The longest stretch of eligible seats, the first of several: where it begins, its length."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], eligible, [False]))))
    starts, stops = edges[::2], edges[1::2]
    lengths = stops - starts
    longest = int(np.argmax(lengths))
    return int(starts[longest]), int(lengths[longest])
