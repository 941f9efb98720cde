"""The orphan rule: a hold must not leave a single seat behind that nobody wants to buy.

An *orphan* is a seat that is free and has no free seat beside it after a hold, and had one before
it: the seat that the hold took. So it is always beside a seat of the hold. Beside means adjacent in
a row: an aisle, a gap or a missing seat parts. What follows from that:

- a seat that stands alone (a run of length 1) is no orphan, nor is one that was single before;
- a hold that takes all that is free of a run leaves none;
- the last two seats of a run can only be sold together.

Places for wheelchairs and for their companions are sold in another way and are never orphans, and
around a table nobody sits alone: the rule is about rows. `strict` refuses a hold that leaves an
orphan; `lenient` allows it when no choice of as many seats together in the same categories would
leave none; `off` allows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from bespeak.inventory.arrays import np
from bespeak.inventory.plans import Guard
from bespeak.inventory.shapes.seats.seating import Seating

if TYPE_CHECKING:
    from bespeak.inventory.arrays import Flags, Seats


class OrphanGuards:
    """The guards of a room's seats, ready to be asked for each hold."""

    def __init__(self, seating: Seating) -> None:
        self._seating = seating
        # Plain bytes: asking them for one seat is several times faster than asking an array.
        self._joined = seating.joined.tobytes() + b"\0\0"
        self._ordinary = seating.ordinary.tobytes()

    def of(self, units: Iterable[str]) -> list[Guard]:
        """For each ordinary seat beside these seats of one hold, not among them: itself and its
        neighbour on the other side."""
        index = self._seating.index
        chosen = {index[unit] for unit in units if unit in index}
        joined = self._joined
        found: dict[int, int | None] = {}
        for seat in sorted(chosen):
            if joined[seat] and seat - 1 not in chosen:
                found[seat - 1] = seat - 2 if joined[seat - 1] else None
            if joined[seat + 1] and seat + 1 not in chosen:
                found[seat + 1] = seat + 2 if joined[seat + 2] else None
        names, runs = self._seating.units, self._seating.run_starts
        return [
            Guard(names[runs[seat]], names[seat], None if beyond is None else names[beyond])
            for seat, beyond in found.items()
            if self._ordinary[seat]
        ]


class RoomView:
    """The seats of a room as a snapshot shows them, and what the orphan rule says of each block."""

    def __init__(self, seating: Seating, free: Flags) -> None:
        self.seating = seating
        self.free = free

    def without(self, seats: Seats) -> RoomView:
        """The same with these seats taken."""
        free = self.free.copy()
        free[seats] = False
        return RoomView(self.seating, free)

    @cached_property
    def bad_start(self) -> Flags:
        """Whether a block that begins at this seat leaves the seat before it single."""
        joined, free = self.seating.joined, self.free
        lonely = free & self.seating.ordinary
        lonely[1:] &= ~(joined[1:] & free[:-1])
        bad = np.zeros(len(free), np.bool_)
        np.logical_and(joined[1:], lonely[:-1], out=bad[1:])
        return bad

    @cached_property
    def bad_end(self) -> Flags:
        """Whether a block that ends at this seat leaves the seat after it single."""
        joined, free = self.seating.joined, self.free
        lonely = free & self.seating.ordinary
        lonely[:-1] &= ~(joined[1:] & free[1:])
        bad = np.zeros(len(free), np.bool_)
        np.logical_and(joined[1:], lonely[1:], out=bad[:-1])
        return bad

    def orphans(self, seats: Sequence[int] | Seats) -> list[int]:
        """The seats that would be orphans if these were taken."""
        after = self.without(np.asarray(seats, np.intp))
        joined = self.seating.joined
        single = after.free & self.seating.ordinary
        single[1:] &= ~(joined[1:] & after.free[:-1])
        single[:-1] &= ~(joined[1:] & after.free[1:])
        had_left = np.zeros(len(self.free), np.bool_)
        had_left[1:] = joined[1:] & self.free[:-1]
        had_right = np.zeros(len(self.free), np.bool_)
        had_right[:-1] = joined[1:] & self.free[1:]
        found: list[int] = np.flatnonzero(single & (had_left | had_right)).tolist()
        return found
