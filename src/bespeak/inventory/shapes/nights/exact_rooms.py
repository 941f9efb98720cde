"""Exact rooms of a plan of nights: each night of each room is an exclusive unit. A choice gives the
room whose free gap around the stay is the smallest, so that long gaps stay whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from bespeak.errors import InvalidRequest, UnknownUnit
from bespeak.inventory.plans import SOLD_OUT, Need, TakenUnit, taken_unit
from bespeak.inventory.shapes.nights.night_rules import date_of, show_date
from bespeak.inventory.shapes.nights.room_inventory import (
    NOTHING_TAKEN,
    FreeNights,
    NoRoom,
    RoomInventory,
    RoomsView,
    Stay,
    check_claims,
)
from bespeak.inventory.snapshot import TakenClaims
from bespeak.lines import Line

_WATCHED_AIM = 6_000
_MARGIN_MAX = 30
_MARGIN_MIN = 3
_NEVER = float("inf")


class ExactRooms(RoomInventory):
    """Exact rooms. The unit of a night is the room's name, an at sign and the date; a stay claims
    the nights to clean the room after it as well."""

    def __init__(self, names: Sequence[str], buffer_nights: int) -> None:
        self._index = {name: index for index, name in enumerate(names)}
        self._prefixes = {name: f"{name}@" for name in names}
        self._only = names[0] if len(names) == 1 else None
        self._buffer = buffer_nights

    def is_open(self, line: Line) -> bool:
        """Any of several rooms, or more than one; the only room needs no name."""
        return line.unit is None and (self._only is None or line.quantity not in {None, 1})

    def read(self, line: Line, arrival: int, departure: int) -> Stay:
        """A room by its name, or any."""
        room = line.unit
        if room is not None:
            self.check_room(room, line.resource_id, "lines.unit")
            if line.quantity not in {None, 1}:
                raise InvalidRequest(
                    "a room is one: leave the quantity out", field="lines.quantity"
                )
        elif not self.is_open(line):
            room = self._only
        return Stay(arrival, departure, line.quantity or 1, room)

    def needs(self, stay: Stay) -> list[Need]:
        """A claim a night, and one for each night to clean. Raises InvalidRequest."""
        if stay.room is None:
            raise InvalidRequest("this line must name a room", field="lines.unit")
        prefix = self._prefixes[stay.room]
        days = range(stay.arrival, stay.departure + self._buffer)
        return [Need(prefix + show_date(day)) for day in days]

    def block_needs(self, line: Line, start: int, stop: int) -> list[Need]:
        """Of the room that the line names, or of all."""
        if line.unit is None and line.quantity is not None:
            raise InvalidRequest(
                "a block is of one room by its name, or of all", field="lines.quantity"
            )
        room = None if line.unit is None else self.read(line, start, stop).room
        check_claims((stop - start) * self.width(room))
        return [Need(unit) for unit in self.units(start, stop, room)]

    def has(self, unit: str) -> bool:
        """A room, an at sign and a date."""
        room, _, day = unit.rpartition("@")
        return room in self._index and date_of(day) is not None

    def check_room(self, room: str, resource_id: str, field: str) -> None:
        """Raises UnknownUnit."""
        if room not in self._index:
            raise UnknownUnit(
                f"{room[:60]!r}: there is no such room", resource_id=resource_id, unit=room
            )

    def units(self, start: int, stop: int, room: str | None = None) -> Iterator[str]:
        """By date, then in the plan's order."""
        prefixes = self._prefixes_of(room)
        for day in range(start, stop):
            shown = show_date(day)
            for prefix in prefixes:
                yield prefix + shown

    def width(self, room: str | None = None) -> int:
        """One, or all rooms."""
        return len(self._index) if room is None else 1

    def margin(self, nights: int) -> int:
        """The fewer, the more rooms there are, so that what is read for a choice stays small."""
        fits = (_WATCHED_AIM // len(self._index) - nights - self._buffer) // 2
        return max(_MARGIN_MIN, min(_MARGIN_MAX, fits))

    def find(self, stay: Stay, view: RoomsView, bounds: tuple[int, int]) -> list[Stay]:
        """The room that is named; or those whose free gap around the stay is the smallest within
        the bounds, in the plan's order where it is the same."""
        if stay.room is not None:
            return [stay] if self._is_free(stay.room, stay, view) else []
        return self._best_fit(stay, view, bounds)[: stay.quantity]

    def others(self, stay: Stay, view: RoomsView, bounds: tuple[int, int]) -> list[list[Stay]]:
        """Other rooms, one by one; or the rooms of a group, if there are enough."""
        found = self._best_fit(stay, view, bounds)
        if stay.quantity == 1:
            return [[one] for one in found]
        return [found[: stay.quantity]] if len(found) >= stay.quantity else []

    def free_nights(
        self, start: int, stop: int, reach: int, stay: Stay, view: RoomsView
    ) -> FreeNights:
        """Backwards, so that each room knows how far it is free from a night on."""
        prefixes = self._prefixes_of(stay.room)
        size = stop - start
        free, shown, longest = [len(prefixes)] * size, [NOTHING_TAKEN] * size, [0] * size
        runs = self._runs(prefixes, stop, reach, view)
        units, now = view.snapshot.units, view.now
        for day in range(stop - 1, start - 1, -1):
            index, date = day - start, show_date(day)
            runs = [run + 1 for run in runs]
            found = [units.get(prefix + date) for prefix in prefixes]
            if any(found):
                taken: dict[str, TakenUnit] = {}
                for number, one in enumerate(found):
                    if one is not None and _end(one) > now:
                        runs[number] = 0
                        taken[prefixes[number][:-1]] = taken_unit(one)
                free[index] -= len(taken)
                shown[index] = taken
            if stay.quantity <= len(runs):
                run = max(runs) if stay.quantity == 1 else sorted(runs)[-stay.quantity]
                longest[index] = max(0, run - self._buffer)
        return FreeNights(free, shown, longest)

    def why_not(self, stay: Stay, view: RoomsView) -> NoRoom:
        """`held` if there would be enough rooms once what is held lapses, and when that is. Else
        for one room what it is taken by, for several `sold_out`."""
        rooms = list(self._index) if stay.room is None else [stay.room]
        last: list[TakenClaims | None] = [self._last(room, stay, view) for room in rooms]
        ends = sorted(_end(taken) for taken in last)
        end = ends[stay.quantity - 1] if stay.quantity <= len(ends) else None
        if end is not None and end < _NEVER:
            return NoRoom("held", datetime.fromtimestamp(end, UTC))
        if len(last) == 1 and last[0] is not None and stay.quantity == 1:
            return NoRoom(last[0].state.value)
        return NoRoom(SOLD_OUT)

    def _prefixes_of(self, room: str | None) -> list[str]:
        return list(self._prefixes.values()) if room is None else [self._prefixes[room]]

    def _runs(self, prefixes: list[str], start: int, stop: int, view: RoomsView) -> list[int]:
        """How many nights each room is free from `start` on, at most until `stop`."""
        runs = [stop - start] * len(prefixes)
        units, now = view.snapshot.units, view.now
        left = list(enumerate(prefixes))
        for day in range(start, stop):
            date = show_date(day)
            still = []
            for number, prefix in left:
                taken = units.get(prefix + date)
                if taken is not None and _end(taken) > now:
                    runs[number] = day - start
                else:
                    still.append((number, prefix))
            left = still
        return runs

    def _is_free(self, room: str, stay: Stay, view: RoomsView) -> bool:
        return self._last(room, stay, view, any_will_do=True) is None

    def _last(
        self, room: str, stay: Stay, view: RoomsView, *, any_will_do: bool = False
    ) -> TakenClaims | None:
        """Of what is in the way of a stay in a room, that which ends last; or the first found."""
        last: TakenClaims | None = None
        prefix = self._prefixes[room]
        units, now = view.snapshot.units, view.now
        for day in range(stay.arrival, stay.departure + self._buffer):
            taken = units.get(prefix + show_date(day))
            if taken is not None and _end(taken) > now:
                if any_will_do:
                    return taken
                if last is None or _end(taken) > _end(last):
                    last = taken
        return last

    def _best_fit(self, stay: Stay, view: RoomsView, bounds: tuple[int, int]) -> list[Stay]:
        found = [
            (self._gap(room, stay, view, bounds), index, room)
            for room, index in self._index.items()
            if room != stay.room and self._is_free(room, stay, view)
        ]
        found.sort()
        return [stay._replace(quantity=1, room=room) for _, _, room in found]

    def _gap(self, room: str, stay: Stay, view: RoomsView, bounds: tuple[int, int]) -> int:
        """How many nights beside the stay would be left free."""
        gap = 0
        prefix = self._prefixes[room]
        before = range(stay.arrival - 1, bounds[0] - 1, -1)
        after = range(stay.departure + self._buffer, bounds[1])
        for side in (before, after):
            for day in side:
                if view.snapshot.taken(prefix + show_date(day), view.now) is not None:
                    break
                gap += 1
        return gap


def _end(taken: TakenClaims | None) -> float:
    """Until when something is in the way: what is not there ended long ago."""
    if taken is None:
        return -_NEVER
    return _NEVER if taken.until is None else taken.until
