"""Choosing seats for a line that asks for the best, and what to offer instead of seats, tables and
pools that are gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import msgspec
from msgspec import UNSET

from bespeak.errors import InvalidRequest, Refused
from bespeak.inventory.arrays import np
from bespeak.inventory.line_checks import refuse_choice
from bespeak.inventory.plans import Chooser, SaleContext
from bespeak.inventory.shapes.seats.orphans import RoomView
from bespeak.inventory.shapes.seats.search import SeatSearch
from bespeak.inventory.shapes.seats.units import RoomUnits
from bespeak.inventory.snapshot import Snapshot
from bespeak.lines import Best, Line
from bespeak.refusals import Offer


class SeatsChooser(Chooser):
    def __init__(self, room: RoomUnits) -> None:
        self._room = room

    @cached_property
    def search(self) -> SeatSearch:
        """The search among the single seats, which is made when it is first needed."""
        return SeatSearch(self._room.seating, self._room.plan.orphans)

    def is_seat(self, line: Line) -> bool:
        """Whether a line names a single seat."""
        return line.is_plain and line.quantity is None and line.unit in self._room.seating.index

    def choose(
        self, line: Line, snapshot: Snapshot, sale: SaleContext, *, partial: bool
    ) -> list[Line]:
        """The best seats by what the snapshot shows, a line each, in the plan's order.

        Raises SoldOut, NotTogether, InvalidRequest; and OrphanSeat where seats are there, but any
        choice would leave a single one and the rule is strict.
        """
        if line.best is UNSET:
            return [line]
        best = self._best(line)
        view = self._view(snapshot, sale)
        try:
            seats = self.search.choose(best, view, partial=partial)
        except Refused as refusal:
            refusal.data["resource_id"] = line.resource_id
            raise
        return self._lines(line.resource_id, seats.tolist())

    def offers(self, line: Line, snapshot: Snapshot, sale: SaleContext, count: int) -> list[Offer]:
        """For a seat the nearest free ones, of its own category first; for the best seats the next
        best, or where none are together, as many in parts; for a pool the others with as many left;
        for a whole table the others that seat as many."""
        if line.best is not UNSET:
            best = self._best(line)
            found = self.search.alternatives(best, self._view(snapshot, sale), count)
            return [self._lines(line.resource_id, seats.tolist()) for seats in found]
        unit = self._room.need(line).unit
        if line.quantity is not None:
            return self._other_pools(line, snapshot, count)
        if unit in self._room.tables:
            return self._other_tables(line, unit, snapshot, sale, count)
        return self._other_seats([line], snapshot, sale, count)

    def group_offers(
        self, lines: Sequence[Line], snapshot: Snapshot, sale: SaleContext, count: int
    ) -> list[Offer]:
        """As many seats together as the lines name, the nearest to them first."""
        if len(lines) == 1 and not self.is_seat(lines[0]):
            return self.offers(lines[0], snapshot, sale, count)
        return self._other_seats(lines, snapshot, sale, count)

    def offers_for(
        self, units: Sequence[str], snapshot: Snapshot, sale: SaleContext, count: int
    ) -> list[list[str]]:
        """For a group of exact seats that was refused: at most `count` choices of as many together,
        the nearest first and the same categories before others. Seats that were asked for and are
        free may be among them; none is just the seats that were asked for."""
        asked = self._indexes(units)
        if not asked:
            return []
        found = self.search.nearest(
            np.array(sorted(set(asked)), np.intp), self._view(snapshot, sale), count
        )
        names = self._room.seating.units
        return [[names[seat] for seat in seats.tolist()] for seats in found]

    def has_better_than(self, units: Sequence[str], snapshot: Snapshot, now: float) -> bool:
        """Whether as many seats of the same categories are together somewhere, without leaving a
        single one, at this time (seconds since 1970)."""
        chosen = self._indexes(units)
        view = self.search.view(snapshot, now)
        return bool(chosen) and self.search.has_better(np.array(chosen, np.intp), view)

    def _view(self, snapshot: Snapshot, sale: SaleContext) -> RoomView:
        return self.search.view(snapshot, sale.now.timestamp())

    def _indexes(self, units: Sequence[str]) -> list[int]:
        """The single seats among these units."""
        index = self._room.seating.index
        return [index[unit] for unit in units if unit in index]

    def _best(self, line: Line) -> Best:
        """The choice that a line leaves. Raises InvalidRequest."""
        best = line.best
        if best is UNSET or line.unit is not None or line.quantity is not None:
            raise InvalidRequest(
                "a line with `best` has no unit and no quantity beside it", field="lines.best"
            )
        if line.from_ is not UNSET or line.to is not UNSET:
            raise InvalidRequest("seats have no range", field="lines")
        refuse_choice(msgspec.structs.replace(line, best=UNSET))
        seating = self._room.seating
        if not seating.units:
            raise InvalidRequest("this room has no single seats to choose", field="lines.best")
        if best.category is not None and seating.of_category(best.category) is None:
            raise InvalidRequest(
                f"this room has no seats of the category {best.category!r}",
                field="lines.best.category",
            )
        return best

    def _lines(self, resource_id: str, seats: Sequence[int]) -> list[Line]:
        names = self._room.seating.units
        return [Line(resource_id, names[seat]) for seat in seats]

    def _other_seats(
        self, lines: Sequence[Line], snapshot: Snapshot, sale: SaleContext, count: int
    ) -> list[Offer]:
        units = [line.unit for line in lines if line.unit is not None]
        return [
            [Line(lines[0].resource_id, unit) for unit in offer]
            for offer in self.offers_for(units, snapshot, sale, count)
        ]

    def _other_pools(self, line: Line, snapshot: Snapshot, count: int) -> list[Offer]:
        quantity = line.quantity or 1
        categories = self._room.pool_categories
        own = categories.get(line.unit or "")
        others = [
            unit
            for unit, capacity in self._room.pools.items()
            if unit != line.unit and capacity - snapshot.drawn(unit) >= quantity
        ]
        others.sort(key=lambda unit: categories.get(unit) != own)
        return [[Line(line.resource_id, unit, quantity)] for unit in others[:count]]

    def _other_tables(
        self, line: Line, asked: str, snapshot: Snapshot, sale: SaleContext, count: int
    ) -> list[Offer]:
        tables, categories, now = self._room.tables, self._room.categories, sale.now.timestamp()
        others = [
            unit
            for unit, seats in tables.items()
            if unit != asked and seats >= tables[asked] and not snapshot.taken(unit, now)
        ]
        own = categories[asked]
        others.sort(key=lambda unit: (categories[unit] != own, tables[unit]))
        return [[Line(line.resource_id, unit)] for unit in others[:count]]
