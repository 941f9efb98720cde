"""Rooms of one type in a plan of nights: each night is a pool of as many as the rules say for it,
and a stay draws from every night that it has.
"""

from __future__ import annotations

from collections.abc import Iterator

from bespeak.errors import InvalidRequest
from bespeak.inventory.plans import SOLD_OUT, Need
from bespeak.inventory.shapes.nights.night_rules import NightRules, date_of, show_date
from bespeak.inventory.shapes.nights.room_inventory import (
    NOTHING_TAKEN,
    SHIFT_MAX,
    FreeNights,
    NoRoom,
    RoomInventory,
    RoomsView,
    Stay,
    check_claims,
)
from bespeak.lines import Line


class CountedRooms(RoomInventory):
    """Rooms of one type, which are counted. The unit of a night is its date, a pool of as many as
    the rules say for it."""

    def __init__(self, rules: NightRules) -> None:
        self._rules = rules

    def is_open(self, line: Line) -> bool:
        """Never: which room it is, the house says at the door."""
        return False

    def read(self, line: Line, arrival: int, departure: int) -> Stay:
        """So many rooms."""
        if line.unit is not None:
            self.check_room(line.unit, line.resource_id, "lines.unit")
        return Stay(arrival, departure, line.quantity or 1)

    def needs(self, stay: Stay) -> list[Need]:
        """So many of each night."""
        night, quantity = self._rules.night, stay.quantity
        days = range(stay.arrival, stay.departure)
        return [Need(show_date(day), quantity, night(day).capacity) for day in days]

    def block_needs(self, line: Line, start: int, stop: int) -> list[Need]:
        """So many of each night, or all that it has."""
        self.read(line, start, stop)
        check_claims(stop - start)
        found = []
        for day in range(start, stop):
            capacity = self._rules.night(day).capacity
            rooms = line.quantity or capacity
            if rooms:
                found.append(Need(show_date(day), rooms, capacity))
        if not found:
            raise InvalidRequest("no night of the range has a room", field="lines")
        return found

    def has(self, unit: str) -> bool:
        """A date."""
        return date_of(unit) is not None

    def check_room(self, room: str, resource_id: str, field: str) -> None:
        """Raises InvalidRequest."""
        raise InvalidRequest("rooms of a type have no names: leave the unit out", field=field)

    def units(self, start: int, stop: int, room: str | None = None) -> Iterator[str]:
        """The dates."""
        return map(show_date, range(start, stop))

    def width(self, room: str | None = None) -> int:
        """One pool."""
        return 1

    def margin(self, nights: int) -> int:
        """There are no gaps to look at, only other dates."""
        return SHIFT_MAX

    def find(self, stay: Stay, view: RoomsView, bounds: tuple[int, int]) -> list[Stay]:
        """The stay itself, with as many rooms as there are."""
        days = range(stay.arrival, stay.departure)
        left = min(
            max(0, self._rules.night(day).capacity - view.snapshot.drawn(show_date(day)))
            for day in days
        )
        return [stay._replace(quantity=min(left, stay.quantity))] if left else []

    def others(self, stay: Stay, view: RoomsView, bounds: tuple[int, int]) -> list[list[Stay]]:
        """Nothing: one room is as another."""
        return []

    def free_nights(
        self, start: int, stop: int, reach: int, stay: Stay, view: RoomsView
    ) -> FreeNights:
        """Backwards, counting the nights that have enough."""
        free, longest = [0] * (stop - start), [0] * (stop - start)
        night, drawn, quantity = self._rules.night, view.snapshot.pools, stay.quantity
        run = 0
        for day in range(reach - 1, start - 1, -1):
            left = night(day).capacity - drawn.get(show_date(day), 0)
            run = run + 1 if left >= quantity else 0
            if day < stop:
                free[day - start] = max(0, left)
                longest[day - start] = run
        return FreeNights(free, [NOTHING_TAKEN] * (stop - start), longest)

    def why_not(self, stay: Stay, view: RoomsView) -> NoRoom:
        """A pool does not say who draws from it."""
        return NoRoom(SOLD_OUT)
