"""A group that cannot sit together, split: over as few rows next to each other as can be, in few
pieces, near to each other. It is done only for those who ask for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bespeak.inventory.arrays import np
from bespeak.inventory.shapes.seats.best import Sums
from bespeak.inventory.shapes.seats.orphans import RoomView

if TYPE_CHECKING:
    from bespeak.inventory.arrays import Flags, Places, Seats

# How many places for the group are looked at in detail, and how many rows more than the fewest.
_TRIED_MAX = 24
_MORE_ROWS_MAX = 3
_SPREAD_STEPS = 1000


@dataclass(frozen=True, slots=True)
class SeatStretch:
    """Adjacent seats that may be chosen, from `start` to `stop`, and how many of them may be left
    over at each end without an orphan: all but those in `bad_left`, `bad_right`."""

    start: int
    stop: int
    bad_left: tuple[int, ...]
    bad_right: tuple[int, ...]

    @property
    def length(self) -> int:
        """How many seats it has."""
        return self.stop - self.start

    def can(self, size: int) -> bool:
        """Whether it can give a block of this size."""
        # At most two numbers are bad at each end, so with four over there is always a way.
        return self.length >= size + 4 or (self.length >= size and bool(self.lefts(size)))

    def lefts(self, size: int) -> list[int]:
        """How many seats may be left over before a block of this size: each possible number."""
        rest = self.length - size
        return [
            left
            for left in range(rest + 1)
            if left not in self.bad_left and rest - left not in self.bad_right
        ]

    def sizes(self, most: int) -> list[range]:
        """The sizes of blocks that it can give, up to `most`, as ranges."""
        certain = max(0, min(most, self.length - 4))
        upper = range(certain + 1, min(most, self.length) + 1)
        found = [range(1, certain + 1)] if certain else []
        return found + [range(size, size + 1) for size in upper if self.can(size)]


def best_split(
    view: RoomView, sums: Sums, size: int, eligible: Flags, *, spare: bool = False
) -> Seats | None:
    """So many eligible seats over rows next to each other, or None: within a section if one has
    enough, else over the sections in the plan's order. With `spare` they leave no orphan."""
    seating = view.seating
    counts = np.add.reduceat(eligible.astype(np.int64), seating.bank_starts)
    sections = np.array([bank.section for bank in seating.banks])
    for groups in (sections, np.zeros_like(sections)):
        for starts, rows in _narrowest(counts, groups, size):
            found = _best_of(view, sums, size, eligible, starts, rows, spare=spare)
            if found is not None:
                return found
    return None


def _narrowest(counts: Seats, groups: Seats, size: int) -> list[tuple[Seats, int]]:
    """The ranges of rows of one group that have enough seats, by their first rows and how many rows
    they are: those of the fewest rows, then those of one more, and so on."""
    total = np.append(0, np.cumsum(counts))
    first = np.arange(len(counts))
    last = np.searchsorted(total, total[:-1] + size, side="left")
    ends = np.append(np.flatnonzero(np.diff(groups)) + 1, len(groups))
    end_of = ends[np.searchsorted(ends, first, side="right")]
    possible = last <= end_of
    if not possible.any():
        return []
    fewest = int((last - first)[possible].min())
    found = []
    for rows in range(fewest, fewest + _MORE_ROWS_MAX + 1):
        fits = np.flatnonzero(possible & (last - first <= rows) & (first + rows <= end_of))
        if len(fits):
            found.append((fits, rows))
    return found


def _best_of(
    view: RoomView,
    sums: Sums,
    size: int,
    eligible: Flags,
    starts: Seats,
    rows: int,
    *,
    spare: bool,
) -> Seats | None:
    """The best split over one of these ranges of rows: the fewest pieces, then the closest to each
    other, then the cheapest. Looked at are the ranges with the cheapest seats."""
    seating = view.seating
    places = seating.places
    costs = np.where(eligible, sums.costs, np.iinfo(np.int64).max)
    cheapest = np.minimum.reduceat(costs, seating.bank_starts)
    of_range = cheapest[starts]
    for further in range(1, rows):
        np.minimum(of_range, cheapest[starts + further], out=of_range)
    best: tuple[tuple[int, int, int], Seats] | None = None
    for first in starts[np.argsort(of_range, kind="stable")][:_TRIED_MAX].tolist():
        stretches = _stretches(view, eligible, first, first + rows, spare=spare)
        found = _fill(stretches, size, places)
        if found is None or (spare and view.orphans(found)):
            continue
        middle = places[found].mean(axis=0)
        spread = float(np.hypot(*(places[found] - middle).T).sum())
        pieces = 1 + int(np.count_nonzero((np.diff(found) > 1) | seating.breaks[found[1:]]))
        score = (pieces, int(spread * _SPREAD_STEPS), int(sums.costs[found].sum()))
        if best is None or score < best[0]:
            best = (score, found)
    return None if best is None else best[1]


def _stretches(
    view: RoomView, eligible: Flags, first: int, last: int, *, spare: bool
) -> list[SeatStretch]:
    """The stretches of eligible seats in a range of rows."""
    seating = view.seating
    low, high = seating.banks[first].start, seating.banks[last - 1].stop
    here = eligible[low:high]
    edge = seating.breaks[low:high].copy()
    edge[0] = True
    starts = here & edge
    starts[1:] |= here[1:] & ~here[:-1]
    stops = here.copy()
    stops[:-1] &= ~here[1:] | edge[1:]
    found = []
    for start, stop in zip(
        (np.flatnonzero(starts) + low).tolist(),
        (np.flatnonzero(stops) + low + 1).tolist(),
        strict=True,
    ):
        left, right = _bad_ends(view, start, stop) if spare else ((), ())
        found.append(SeatStretch(start, stop, left, right))
    return found


def _bad_ends(view: RoomView, start: int, stop: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """How many seats left over at the ends of a stretch would make an orphan: none (of the seat
    beyond the end), or one."""
    left = tuple(over for over in (0, 1) if start + over < stop and view.bad_start[start + over])
    right = tuple(
        over for over in (0, 1) if stop - 1 - over >= start and view.bad_end[stop - 1 - over]
    )
    return left, right


def _fill(stretches: Sequence[SeatStretch], size: int, places: Places) -> Seats | None:
    """So many seats of the stretches: the longest are taken whole as far as can be, and what is
    left to take is taken where it is nearest to the others."""
    ordered = sorted(stretches, key=lambda stretch: (-stretch.length, stretch.start))
    sums = _sums_from(ordered, size)
    if not sums[0] >> size & 1:
        return None
    chosen: list[int] = []
    left = size
    rest = list(range(len(ordered)))
    while left:
        now = rest[0]
        last = [number for number in rest if ordered[number].can(left)]
        if last:
            blocks = [_block(ordered[number], left, chosen, places) for number in last]
            chosen += min((_apart(block, chosen, places), block) for block in blocks)[1]
            break
        take = _largest(ordered[now], left, sums[now + 1])
        if take:
            chosen += _block(ordered[now], take, chosen, places)
            left -= take
        rest.pop(0)
    return np.array(sorted(chosen), np.intp)


def _largest(stretch: SeatStretch, most: int, later: int) -> int:
    """The most that can be taken of a stretch so that the later ones can give the rest; 0: none."""
    for sizes in reversed(stretch.sizes(most)):
        for size in reversed(sizes):
            if later >> (most - size) & 1:
                return size
    return 0


def _sums_from(stretches: Sequence[SeatStretch], most: int) -> list[int]:
    """For each stretch, and for the end, what it and the later ones can give together: a number
    whose bit n says that they can give n seats."""
    mask = (1 << (most + 1)) - 1
    sums = [1]
    for stretch in reversed(stretches):
        later = sums[-1]
        possible = later
        for sizes in stretch.sizes(most):
            possible |= _shifted(later, sizes)
        sums.append(possible & mask)
    return sums[::-1]


def _shifted(bits: int, by: range) -> int:
    """The bits moved by each number of a range, all together."""
    made, width = bits, 1
    while width < len(by):
        step = min(width, len(by) - width)
        made |= made << step
        width += step
    return made << by.start


def _block(stretch: SeatStretch, size: int, others: Sequence[int], places: Places) -> list[int]:
    """So many seats of a stretch, as near to the others as can be (or from its beginning)."""
    lefts = stretch.lefts(size)
    left = lefts[0]
    if others and len(lefts) > 1:
        middle = places[list(others)].mean(axis=0)
        away = np.hypot(*(places[stretch.start : stretch.stop] - middle).T)
        running = np.append(0.0, np.cumsum(away))
        costs = running[np.array(lefts) + size] - running[np.array(lefts)]
        left = lefts[int(np.round(costs, 6).argmin())]
    return list(range(stretch.start + left, stretch.start + left + size))


def _apart(block: Sequence[int], others: Sequence[int], places: Places) -> float:
    """How far a block is from the others, in seats."""
    if not others:
        return 0.0
    off = places[list(block)].mean(axis=0) - places[list(others)].mean(axis=0)
    return round(float(np.hypot(*off)), 6)
