"""What rooms are to the plan of nights, exact or counted: what a stay claims, whether a snapshot
shows it free and how far, and which rooms to give. Dates are ordinals here; units are written
dates.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from msgspec import UNSET

from bespeak.errors import InvalidRequest
from bespeak.inventory.plans import CLAIMS_MAX, Need, TakenUnit
from bespeak.inventory.shapes.nights.night_rules import range_of, show_date
from bespeak.inventory.shapes.nights.stay_limits import STAY_MAX
from bespeak.inventory.snapshot import Snapshot
from bespeak.lines import Line
from bespeak.parties import of_rooms

SHIFT_MAX = 14
NOTHING_TAKEN: dict[str, TakenUnit] = {}


class Stay(NamedTuple):
    """A stay: the ordinals of its arrival and departure, how many rooms, and which one, if it
    names one."""

    arrival: int
    departure: int
    quantity: int = 1
    room: str | None = None

    @property
    def nights(self) -> int:
        """How many nights it has."""
        return self.departure - self.arrival


class RoomsView(NamedTuple):
    """A snapshot, and the time at which it is looked at, in seconds since 1970."""

    snapshot: Snapshot
    now: float


class FreeNights(NamedTuple):
    """What a snapshot shows of the nights of a range, by its index: how many rooms are free,
    what is taken of exact rooms, and how long a stay that arrives there could be."""

    free: list[int]
    taken: list[dict[str, TakenUnit]]
    longest: list[int]


class NoRoom(NamedTuple):
    """Why there is no room for a stay, and until when at the latest (None: no end is known)."""

    reason: str
    until: datetime | None = None


class RoomInventory(ABC):
    """Rooms, exact or counted."""

    def stay(self, line: Line) -> Stay:
        """What a line asks for. Raises UnknownUnit, InvalidRequest."""
        arrival, departure = range_of(line)
        if departure - arrival > STAY_MAX:
            raise InvalidRequest(f"a stay has at most {STAY_MAX} nights", field="lines.to")
        return self.read(line, arrival, departure)

    @abstractmethod
    def is_open(self, line: Line) -> bool:
        """Whether the line leaves the choice of a room open."""

    @abstractmethod
    def read(self, line: Line, arrival: int, departure: int) -> Stay:
        """The stay that a line asks for. Raises UnknownUnit, InvalidRequest."""

    @abstractmethod
    def needs(self, stay: Stay) -> list[Need]:
        """The claims of a stay, by date."""

    @abstractmethod
    def block_needs(self, line: Line, start: int, stop: int) -> list[Need]:
        """The claims of a block, by date. Raises UnknownUnit, InvalidRequest."""

    @abstractmethod
    def has(self, unit: str) -> bool:
        """Whether this could be a claim."""

    @abstractmethod
    def check_room(self, room: str, resource_id: str, field: str) -> None:
        """Raises UnknownUnit, or InvalidRequest that points at the field, for what is no room."""

    @abstractmethod
    def units(self, start: int, stop: int, room: str | None = None) -> Iterator[str]:
        """The units of these nights, of one room or of all."""

    @abstractmethod
    def width(self, room: str | None = None) -> int:
        """How many units a night has."""

    @abstractmethod
    def margin(self, nights: int) -> int:
        """How many nights before and after a stay of so many are looked at."""

    @abstractmethod
    def find(self, stay: Stay, view: RoomsView, bounds: tuple[int, int]) -> list[Stay]:
        """Stays without a choice that together fulfil this one as far as they can; `bounds` are
        the nights that may be looked at."""

    @abstractmethod
    def others(self, stay: Stay, view: RoomsView, bounds: tuple[int, int]) -> list[list[Stay]]:
        """What could be had for the same dates instead."""

    @abstractmethod
    def free_nights(
        self, start: int, stop: int, reach: int, stay: Stay, view: RoomsView
    ) -> FreeNights:
        """The nights from `start` until before `stop`, looking on until before `reach`, for the
        quantity and the room of the stay."""

    @abstractmethod
    def why_not(self, stay: Stay, view: RoomsView) -> NoRoom:
        """Why this stay, for which the snapshot shows not enough rooms, cannot be had."""


def shown_line(line: Line, stay: Stay) -> Line:
    """The line of a stay as it is shown: an exact room by its name, rooms of a type by how many."""
    shown = Line(
        line.resource_id,
        stay.room,
        stay.quantity if stay.room is None else None,
        from_=show_date(stay.arrival),
        to=show_date(stay.departure),
        guests=line.guests,
        ages=line.ages,
        rate=line.rate,
    )
    return line if shown == line else shown


def shown_lines(line: Line, stays: Sequence[Stay]) -> list[Line]:
    """The lines of the rooms of one stay, each with its guests."""
    shown, seen = [], 0
    for stay in stays:
        own = line
        if line.guests is not UNSET and stay.quantity != (line.quantity or 1):
            own = of_rooms(line, seen, stay.quantity)
        shown.append(shown_line(own, stay))
        seen += stay.quantity
    return shown


def check_claims(count: int) -> None:
    """Raises InvalidRequest for more claims than one line may mean."""
    if count > CLAIMS_MAX:
        raise InvalidRequest(
            f"the range means {count} claims, more than {CLAIMS_MAX}", field="lines"
        )
