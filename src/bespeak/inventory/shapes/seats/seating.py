"""The single seats of a room as arrays, in the plan's order: which are adjacent, in which row, of
which category, where. What chooses seats asks these arrays and never the plan.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from bespeak.inventory.arrays import np
from bespeak.inventory.shapes.seats.layout import Bank, places_of
from bespeak.inventory.shapes.seats.plan import SeatsPlan, Table
from bespeak.inventory.shapes.seats.rows import Access, SeatRow

if TYPE_CHECKING:
    from bespeak.inventory.arrays import Counts, Flags, Places, Seats


class Seating:
    """The seats of one plan.

    `units` names them and `index` finds them. `joined[i]` says that seat i is beside seat i - 1 in
    a row; the seats of a table are marked in `ring` instead. A block of adjacent seats is looked
    for by positions: a position is a seat, but a table's seats come twice, so that a block may go
    past the last seat to the first.
    """

    def __init__(self, plan: SeatsPlan, rows: Sequence[SeatRow]) -> None:
        self.plan = plan
        spots = [spot for row in rows for spot in row.spots]
        self.units = [spot.unit for spot in spots]
        self.index = {unit: place for place, unit in enumerate(self.units)}
        self.banks: list[Bank] = []
        for row in rows:
            if row.spots:
                start = self.banks[-1].stop if self.banks else 0
                self.banks.append(Bank(row.section, row.part, start, start + len(row.spots)))
        self._categories = {
            name: number
            for number, name in enumerate(dict.fromkeys(spot.category for spot in spots))
        }
        self.category = np.array([self._categories[spot.category] for spot in spots], np.intp)
        access = np.array([spot.access for spot in spots], np.int8)
        self.accessible: Flags = access == Access.ACCESSIBLE
        self.ordinary: Flags = access == Access.ORDINARY
        self._escorts = [
            (seat, self.index[spot.companion_of])
            for seat, spot in enumerate(spots)
            if spot.companion_of is not None
        ]
        self.breaks: Flags = np.array([spot.breaks for spot in spots], np.bool_)
        self._offsets = np.array([spot.offset for spot in spots], np.float64)
        self._given = np.array([(spot.x, spot.y) for spot in spots], np.float64).reshape(-1, 2)
        self.ring: Flags = np.zeros(len(spots), np.bool_)
        for bank in self.banks:
            if isinstance(bank.part, Table):
                self.ring[bank.start : bank.stop] = True
        self.joined: Flags = ~self.breaks & ~self.ring

    def __len__(self) -> int:
        return len(self.units)

    def of_category(self, name: str) -> Flags | None:
        """Which seats are of this category; None: there is none such."""
        found = self._masks.get(name)
        if found is None and name in self._categories:
            found = self._masks[name] = self.category == self._categories[name]
        return found

    def at(self, seats: Flags | Counts) -> Flags | Counts:
        """What is known of each seat, for each position."""
        return seats if self.seat_at is None else seats[self.seat_at]

    @cached_property
    def seat_at(self) -> Seats | None:
        """The seat of each position; None: positions and seats are the same."""
        if not self.ring.any():
            return None
        parts: list[Seats] = []
        for bank in self.banks:
            own = np.arange(bank.start, bank.stop)
            parts += [own, own[:-1]] if isinstance(bank.part, Table) else [own]
        return np.concatenate(parts)

    @cached_property
    def room(self) -> Seats:
        """How many adjacent seats begin at each position. A block around a table begins at one of
        its seats as they first come, and goes round at most once."""
        edges = np.flatnonzero(self.breaks)
        ends = np.append(edges[1:], len(self))
        sizes = ends - edges
        room: Seats = np.repeat(ends, sizes) - np.arange(len(self))
        if self.seat_at is None:
            return room
        room = np.where(self.ring, np.repeat(sizes, sizes), room)[self.seat_at]
        # The second coming of a table's seats is where positions go back.
        repeated = np.zeros(len(room), np.bool_)
        position = 0
        for bank in self.banks:
            size = bank.stop - bank.start
            position += size
            if isinstance(bank.part, Table):
                repeated[position : position + size - 1] = True
                position += size - 1
        room[repeated] = 0
        return room

    @cached_property
    def pairs(self) -> tuple[Seats, Seats]:
        """The seats of companions with the accessible seats that they belong to, as positions: the
        first of each pair, and the last. Only rows have companions, so each is there once."""
        pairs = np.sort(np.array(self._escorts, np.intp).reshape(-1, 2), axis=1)
        if self.seat_at is not None:
            positions = np.empty(len(self), np.intp)
            positions[self.seat_at] = np.arange(len(self.seat_at))
            pairs = positions[pairs]
        return pairs[:, 0], pairs[:, 1]

    @cached_property
    def _masks(self) -> dict[str, Flags]:
        return {}

    @property
    def category_names(self) -> list[str]:
        """The categories by their numbers in `category`."""
        return list(self._categories)

    @cached_property
    def places(self) -> Places:
        """Where each seat stands: x and y, in seats."""
        return places_of(self.plan, self.banks, self._offsets, self._given)

    @cached_property
    def bank_starts(self) -> Seats:
        return np.array([bank.start for bank in self.banks], np.intp)

    @cached_property
    def bank_of(self) -> Seats:
        """For each seat its row or table, by its place in `banks`."""
        sizes = [bank.stop - bank.start for bank in self.banks]
        return np.repeat(np.arange(len(self.banks)), sizes)

    @cached_property
    def run_starts(self) -> list[int]:
        """For each seat the first seat of the run of adjacent seats that it is in."""
        marks = np.where(self.breaks, np.arange(len(self)), 0)
        made: list[int] = np.maximum.accumulate(marks).tolist()
        return made
