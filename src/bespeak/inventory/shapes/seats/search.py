"""The search for seats of a room as a snapshot shows it: the best together, else as the line
allows. Also those nearest to seats that are gone, and whether the lenient rule has nothing better.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bespeak.errors import NotTogether, OrphanSeat, SoldOut
from bespeak.inventory.arrays import np
from bespeak.inventory.lines import Best
from bespeak.inventory.shapes.seats.best import Ranking, Sums, best_block
from bespeak.inventory.shapes.seats.orphans import RoomView
from bespeak.inventory.shapes.seats.plan import Orphans
from bespeak.inventory.shapes.seats.seating import Seating
from bespeak.inventory.shapes.seats.split import best_split
from bespeak.inventory.snapshot import Snapshot

if TYPE_CHECKING:
    from bespeak.inventory.arrays import Flags, Seats

_TRIED_MAX = 8


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
        sums = self._ranking.strategy(best.strategy)
        found = None
        if available >= best.quantity:
            found = self._fulfil(best, view, sums, best.quantity, eligible, wanted)
        if found is None and partial:
            found = self._most(best, view, sums, eligible, wanted)
        if found is None:
            if not partial and (
                best_block(view, sums, best.quantity, eligible, wanted=wanted) is None
            ):
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
        found = list(self._blocks(view, sums, best.quantity, masks, wanted, count))
        if not found:
            for mask in masks:
                if np.count_nonzero(mask) < best.quantity:
                    continue
                parts = self._split(view, sums, best.quantity, mask, wanted)
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
        masks = [usable & same, usable]
        return list(self._blocks(view, sums, len(asked), masks, wanted, count, refused))

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

    def _fulfil(
        self,
        best: Best,
        view: RoomView,
        sums: Sums,
        size: int,
        eligible: Flags,
        wanted: Flags | None,
    ) -> Seats | None:
        """So many seats together, or else split if the line allows it."""
        found = self._together(view, sums, size, eligible, wanted)
        if found is None and best.split and size > 1:
            found = self._split(view, sums, size, eligible, wanted)
        return found

    def _most(
        self, best: Best, view: RoomView, sums: Sums, eligible: Flags, wanted: Flags | None
    ) -> Seats | None:
        """As many seats as can be, fewer than the line asks for."""
        if best.split:
            most = min(best.quantity, int(np.count_nonzero(eligible)))
            for size in range(most, max(0, most - _TRIED_MAX), -1):
                found = self._fulfil(best, view, sums, size, eligible, wanted)
                if found is not None:
                    return found
        longest = self._longest(view, sums, best.quantity, eligible, wanted)
        for size in range(longest, 0, -1):
            found = self._together(view, sums, size, eligible, wanted)
            if found is not None:
                return found
        return None

    def _longest(
        self, view: RoomView, sums: Sums, most: int, eligible: Flags, wanted: Flags | None
    ) -> int:
        """How many are together at most, up to a number, whatever they leave."""
        low, high = 0, most
        while low < high:
            size = (low + high + 1) // 2
            if best_block(view, sums, size, eligible, wanted=wanted) is None:
                high = size - 1
            else:
                low = size
        return low

    def _together(
        self,
        view: RoomView,
        sums: Sums,
        size: int,
        eligible: Flags,
        wanted: Flags | None,
        refused: Flags | None = None,
    ) -> Seats | None:
        for spare in self._spares:
            found = best_block(
                view, sums, size, eligible, wanted=wanted, spare=spare, refused=refused
            )
            if found is not None:
                return found
        return None

    def _split(
        self, view: RoomView, sums: Sums, size: int, eligible: Flags, wanted: Flags | None
    ) -> Seats | None:
        if wanted is not None:
            return self._split_around(view, sums, size, eligible, wanted)
        for spare in self._spares:
            found = best_split(view, sums, size, eligible, spare=spare)
            if found is not None:
                return found
        return None

    def _split_around(
        self, view: RoomView, sums: Sums, size: int, eligible: Flags, wanted: Flags
    ) -> Seats | None:
        """The largest block with an accessible seat, and the others of the group near to it."""
        longest = self._longest(view, sums, size - 1, eligible, wanted)
        for first in range(longest, max(0, longest - _TRIED_MAX), -1):
            found = self._together(view, sums, first, eligible, wanted)
            if found is None:
                continue
            after = view.without(found)
            near = self._ranking.near(found)
            usable = eligible & after.free & self._ordinary
            rest = self._together(after, near, size - first, usable, None)
            if rest is None:
                rest = self._split(after, near, size - first, usable, None)
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
        self,
        view: RoomView,
        sums: Sums,
        size: int,
        masks: Sequence[Flags],
        wanted: Flags | None,
        count: int,
        refused: Flags | None = None,
    ) -> Iterator[Seats]:
        """Blocks that share no seat, at most `count`: what the first mask has, then the next. None
        has only seats that were `refused`."""
        used = np.zeros(len(self._seating), np.bool_)
        for mask in masks:
            while count > 0:
                found = self._together(view, sums, size, mask & ~used, wanted, refused)
                if found is None or self._is_refused(found, view):
                    break
                used[found] = True
                count -= 1
                yield np.sort(found)
