"""The search for seats of a room as a snapshot shows it: the best together, else as the line
allows. Also those nearest to seats that are gone, and whether the lenient rule has nothing better.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from bespeak.errors import NotTogether, OrphanSeat, SoldOut
from bespeak.inventory.arrays import np
from bespeak.inventory.shapes.seats.best import Ranking, Sums, best_block
from bespeak.inventory.shapes.seats.orphans import RoomView
from bespeak.inventory.shapes.seats.plan import Orphans
from bespeak.inventory.shapes.seats.seating import Seating
from bespeak.inventory.shapes.seats.split import best_split
from bespeak.inventory.snapshot import Snapshot
from bespeak.lines import Best

if TYPE_CHECKING:
    from bespeak.inventory.arrays import Flags, Seats

_TRIED_MAX = 8


class _Choosable(NamedTuple):
    """What a search may choose from: the room, what each seat counts, and which may be had. With
    `wanted`, one of those must be among the chosen."""

    view: RoomView
    sums: Sums
    eligible: Flags
    wanted: Flags | None

    def block(
        self, size: int, *, spare: bool = False, refused: Flags | None = None
    ) -> Seats | None:
        """The best so many that are together; see `best_block`."""
        view, sums, eligible, wanted = self
        return best_block(view, sums, size, eligible, wanted=wanted, spare=spare, refused=refused)

    def longest(self, most: int) -> int:
        """How many are together at most, up to a number, whatever they leave."""
        low, high = 0, most
        while low < high:
            size = (low + high + 1) // 2
            if self.block(size) is None:
                high = size - 1
            else:
                low = size
        return low


class SeatSearch:
    """Searches the single seats of one plan."""

    def __init__(self, seating: Seating, orphans: Orphans) -> None:
        self._seating = seating
        self._ranking = Ranking(seating)
        self._everything: Flags = np.ones(len(seating), np.bool_)
        # In this order: first without an orphan, then (where that is allowed) with one.
        self._spares = {"off": (False,), "lenient": (True, False), "strict": (True,)}[orphans]

    def view(self, snapshot: Snapshot, now: float) -> RoomView:
        """The room as the snapshot shows it at this time."""
        return RoomView(self._seating, snapshot.until(self._seating.index) <= now)

    def choose(self, best: Best, view: RoomView, *, partial: bool) -> Seats:
        """The best seats for a line, in the plan's order; with `partial` as many as there are.

        Raises SoldOut, NotTogether, OrphanSeat (the seats are there, but whatever is chosen leaves
        a single seat, and the rule is strict).
        """
        eligible = self._eligible(best, view)
        wanted = self._seating.accessible if best.accessible else None
        available = int(np.count_nonzero(eligible))
        if wanted is not None and not (eligible & wanted).any():
            available = 0
        if available < best.quantity and not (partial and available):
            raise SoldOut(conflicts=[], available=available)
        among = _Choosable(view, self._ranking.strategy(best.strategy), eligible, wanted)
        found = None
        if available >= best.quantity:
            found = self._fulfil(best, among, best.quantity)
        if found is None and partial:
            found = self._most(best, among)
        if found is None:
            if not partial and among.block(best.quantity) is None:
                raise NotTogether(available=available)
            raise OrphanSeat("whatever is chosen would leave a single seat", units=[])
        return np.sort(found)

    def alternatives(self, best: Best, view: RoomView, count: int) -> list[Seats]:
        """At most `count` choices, none with a seat of another, for a line that was refused: of its
        category, then of the others; where none are together, one that is split."""
        sums = self._ranking.strategy(best.strategy)
        wanted = self._seating.accessible if best.accessible else None
        masks = [self._eligible(best, view)]
        if best.category is not None:
            masks.append(view.free & (self._everything if best.accessible else self._ordinary))
        choices = [_Choosable(view, sums, mask, wanted) for mask in masks]
        found = list(self._blocks(choices, best.quantity, count))
        if not found:
            for among in choices:
                if np.count_nonzero(among.eligible) < best.quantity:
                    continue
                parts = self._split(among, best.quantity)
                if parts is not None:
                    return [np.sort(parts)]
        return found

    def nearest(self, asked: Seats, view: RoomView, count: int) -> list[Seats]:
        """At most `count` blocks of as many seats as were asked for, none of them just these, and
        none with a seat of another: first of the same categories, then of others, the nearest
        first. What was asked for was refused, so those of its seats that are free are nobody's."""
        seating = self._seating
        usable = view.free
        refused = np.zeros(len(seating), np.bool_)
        refused[asked] = True
        wanted = None
        if seating.ordinary[asked].all():
            usable = usable & seating.ordinary
        elif seating.accessible[asked].any():
            wanted = seating.accessible
        same = np.isin(seating.category, np.unique(seating.category[asked]))
        sums = self._ranking.near(asked)
        choices = [_Choosable(view, sums, mask, wanted) for mask in (usable & same, usable)]
        return list(self._blocks(choices, len(asked), count, refused))

    def has_better(self, chosen: Seats, view: RoomView) -> bool:
        """Whether as many seats of the same categories are together somewhere, and taking them
        would leave no orphan. The chosen ones count as free. Ordinary seats are nothing better than
        places for a wheelchair, nor are those for others."""
        seating = self._seating
        free = view.free.copy()
        free[chosen] = True
        own = RoomView(seating, free)
        eligible = free & np.isin(seating.category, np.unique(seating.category[chosen]))
        if seating.ordinary[chosen].all():
            eligible &= seating.ordinary
        wanted = seating.accessible if seating.accessible[chosen].any() else None
        sums = self._ranking.strategy("best")
        found = best_block(own, sums, len(chosen), eligible, wanted=wanted, spare=True)
        return found is not None

    @property
    def _ordinary(self) -> Flags:
        return self._seating.ordinary

    def _eligible(self, best: Best, view: RoomView) -> Flags:
        """Which free seats a line may have. Accessible seats and those of companions are for those
        who ask for them, and for others only when nothing else is left."""
        inside = view.free
        if best.category is not None:
            mask = self._seating.of_category(best.category)
            inside = inside & mask if mask is not None else np.zeros_like(inside)
        if best.accessible:
            return inside
        ordinary = inside & self._ordinary
        return ordinary if np.count_nonzero(ordinary) >= best.quantity else inside

    def _fulfil(self, best: Best, among: _Choosable, size: int) -> Seats | None:
        """So many seats together, or else split if the line allows it."""
        found = self._together(among, size)
        if found is None and best.split and size > 1:
            found = self._split(among, size)
        return found

    def _most(self, best: Best, among: _Choosable) -> Seats | None:
        """As many seats as can be, fewer than the line asks for."""
        if best.split:
            most = min(best.quantity, int(np.count_nonzero(among.eligible)))
            for size in range(most, max(0, most - _TRIED_MAX), -1):
                found = self._fulfil(best, among, size)
                if found is not None:
                    return found
        for size in range(among.longest(best.quantity), 0, -1):
            found = self._together(among, size)
            if found is not None:
                return found
        return None

    def _together(self, among: _Choosable, size: int, refused: Flags | None = None) -> Seats | None:
        for spare in self._spares:
            found = among.block(size, spare=spare, refused=refused)
            if found is not None:
                return found
        return None

    def _split(self, among: _Choosable, size: int) -> Seats | None:
        if among.wanted is not None:
            return self._split_around(among, size)
        for spare in self._spares:
            found = best_split(among.view, among.sums, size, among.eligible, spare=spare)
            if found is not None:
                return found
        return None

    def _split_around(self, among: _Choosable, size: int) -> Seats | None:
        """The largest block with an accessible seat, and the others of the group near to it."""
        longest = among.longest(size - 1)
        for first in range(longest, max(0, longest - _TRIED_MAX), -1):
            found = self._together(among, first)
            if found is None:
                continue
            after = among.view.without(found)
            usable = among.eligible & after.free & self._ordinary
            near = _Choosable(after, self._ranking.near(found), usable, None)
            rest = self._together(near, size - first)
            if rest is None:
                rest = self._split(near, size - first)
            if rest is not None:
                return np.concatenate((found, rest))
        return None

    def _is_refused(self, chosen: Seats, view: RoomView) -> bool:
        """Whether a lenient rule would refuse these seats: a choice before them, or what was asked
        for, may be the better one."""
        if len(self._spares) == 1 or not view.orphans(chosen):
            return False
        return self.has_better(chosen, view)

    def _blocks(
        self, choices: Sequence[_Choosable], size: int, count: int, refused: Flags | None = None
    ) -> Iterator[Seats]:
        """Blocks that share no seat, at most `count`: of the first choice, then of the next. None
        has only seats that were `refused`."""
        used = np.zeros(len(self._seating), np.bool_)
        for view, sums, eligible, wanted in choices:
            while count > 0:
                among = _Choosable(view, sums, eligible & ~used, wanted)
                found = self._together(among, size, refused)
                if found is None or self._is_refused(found, view):
                    break
                used[found] = True
                count -= 1
                yield np.sort(found)
