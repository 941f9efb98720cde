"""The shapes of screening rooms: sections with a category each, lettered rows, seats that a door
or a pillar has taken the place of, and spaces for wheelchairs. Shows in one room share its plan.
"""

from __future__ import annotations

from dataclasses import dataclass

from bespeak.inventory.plans import compile_seats
from bespeak.inventory.seats.seatmap import Row, SeatsPlan, Section, Stage

WHEELCHAIR_ROW = "W"
SCREEN = Stage("screen", width=20.0, label="Screen")


@dataclass(frozen=True)
class Room:
    """A shape of room and its plan."""

    name: str
    plan: SeatsPlan

    @property
    def seats(self) -> int:
        """How many seats and wheelchair spaces the room has."""
        return len(compile_seats(self.plan).categories)


def _rows(letters: str, seats: int, without: tuple[int, ...] = ()) -> tuple[Row, ...]:
    return tuple(Row(letter, seats, without=without) for letter in letters)


def _spaces(count: int) -> Section:
    row = Row(WHEELCHAIR_ROW, count, accessible=tuple(range(1, count + 1)))
    return Section("Wheelchair spaces", (row,), "accessible")


GRAND = Room(
    "Grand",
    SeatsPlan(
        sections=(
            Section("Front", _rows("ABCD", 20), "front"),
            Section(
                "Stalls",
                # The doors open into row J, so that its ends have no seats.
                _rows("EFGHI", 24) + _rows("J", 24, (1, 2, 23, 24)) + _rows("KLMNO", 24),
                "standard",
            ),
            Section("Circle", _rows("PQR", 16), "premium"),
            _spaces(6),
        ),
        stage=SCREEN,
    ),
)

# Exactly 300 seats: the room that a rush sells out.
CLASSIC = Room(
    "Classic",
    SeatsPlan(
        sections=(
            Section("Front", _rows("ABC", 16), "front"),
            Section("Stalls", _rows("DEFGHIJKL", 20), "standard"),
            Section("Balcony", _rows("MNOP", 19, (6, 14)), "premium"),  # two pillars
            _spaces(4),
        ),
        stage=SCREEN,
    ),
)

WIDE = Room(
    "Wide",
    SeatsPlan(
        sections=(
            Section("Stalls", _rows("ABCDEF", 28) + _rows("GHIJ", 30), "standard"),
            Section("Recliners", _rows("KL", 22, (11, 12)), "premium"),
            _spaces(5),
        ),
        stage=SCREEN,
    ),
)

LONG = Room(
    "Long",
    SeatsPlan(
        sections=(
            Section("Front", _rows("ABCDE", 12), "front"),
            Section("Stalls", _rows("FGHIJKLMNOPQR", 14), "standard"),
            _spaces(2),
        ),
        stage=SCREEN,
    ),
)

STUDIO = Room(
    "Studio",
    SeatsPlan(
        sections=(
            # A booth for the projector stands in the middle of the last rows.
            Section("Stalls", _rows("ABCDEFGHI", 18), "standard"),
            Section("Sofas", _rows("JKL", 18, (9, 10)), "premium"),
            _spaces(3),
        ),
        stage=SCREEN,
    ),
)

ROOMS = (GRAND, CLASSIC, WIDE, LONG, STUDIO)
