"""The shapes of screening rooms: straight and curved, from sixty seats to six hundred, with doors
and pillars in the place of seats, sofas for two, recliners, and places for wheelchairs with a
companion beside each.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from bespeak.inventory.shapes.registry import compile_seats
from bespeak.inventory.shapes.seats.plan import (
    Category,
    Companion,
    Row,
    SeatsPlan,
    Section,
    Stage,
)

WHEELCHAIR_ROW = "W"
_BETWEEN_SECTIONS = 1.5
_FIRST_ROW = 4.0


@dataclass(frozen=True)
class Kind:
    """A kind of seats: how it is drawn, how good it is, and what share of a room's usual price it
    costs."""

    color: str
    rank: int
    factor: float


KINDS = {
    "front": Kind("#5b8def", 4, 0.8),
    "standard": Kind("#2f9e83", 3, 1.0),
    "premium": Kind("#c0892b", 2, 1.3),
    "recliner": Kind("#9b5de5", 1, 1.75),
    "sofa": Kind("#d1495b", 1, 1.6),
    "accessible": Kind("#3a7ca5", 3, 0.8),
}
"""The categories of all rooms, with names that go with any language of a price list."""


@dataclass(frozen=True)
class DemoRoom:
    """A shape of room and its plan, without prices; `features` are told of each of its screens."""

    name: str
    plan: SeatsPlan
    features: tuple[str, ...] = ()
    formats: tuple[str, ...] = ("2D",)

    @property
    def seats(self) -> int:
        return len(compile_seats(self.plan).categories)


def _rows(
    letters: str,
    seats: int,
    without: tuple[int, ...] = (),
    aisles: tuple[int, ...] = (),
    more: int = 0,
) -> tuple[Row, ...]:
    """Lettered rows of so many seats, each with so many `more` than the one before it; what is
    behind the last aisle stays as wide as what is before the first."""

    def of_row(grown: int) -> tuple[int, ...]:
        return tuple(after if place == 0 else after + grown for place, after in enumerate(aisles))

    return tuple(
        Row(letter, seats + more * place, without=without, aisles=of_row(more * place))
        for place, letter in enumerate(letters)
    )


def _spaces(pairs: int) -> Section:
    """Places for wheelchairs, each with the seat of a companion, in pairs apart from each other."""
    return Section(
        "Wheelchair spaces",
        (
            Row(
                WHEELCHAIR_ROW,
                2 * pairs,
                accessible=tuple(range(1, 2 * pairs, 2)),
                companions=tuple(Companion(n + 1, n) for n in range(1, 2 * pairs, 2)),
                aisles=tuple(range(2, 2 * pairs, 2)),
            ),
        ),
        "accessible",
    )


def _room(
    name: str,
    *sections: Section,
    bend: float = 0.0,
    features: tuple[str, ...] = (),
    formats: tuple[str, ...] = ("2D",),
) -> DemoRoom:
    """A room with its sections one behind the other. With a bend (degrees, of the widest row) all
    rows are arcs about one place in front of the screen."""
    width = max(row.seats + len(row.aisles) for section in sections for row in section.rows)
    depth = sum(len(section.rows) + _BETWEEN_SECTIONS for section in sections)
    placed: list[Section] = []
    y = _FIRST_ROW + _sagitta(sections[0].rows[0], width, depth, bend)
    front = y
    for section in sections:
        curve = 0.0
        if bend:
            radius = (width + 1) / math.radians(bend) - (depth - (y - front))
            first = section.rows[0]
            curve = round(math.degrees((first.seats + len(first.aisles) + 1) / radius), 2)
        placed.append(msgspec.structs.replace(section, x=0.0, y=y, curve=curve))
        y += len(section.rows) + _BETWEEN_SECTIONS
    plan = SeatsPlan(
        tuple(placed),
        categories=tuple(_categories({section.category for section in sections})),
        stage=Stage("screen", width=round(width * 0.8, 1), label="Screen"),
    )
    return DemoRoom(name, plan, features, formats)


def _sagitta(row: Row, width: float, depth: float, bend: float) -> float:
    """How far the ends of the first row come forward, where it is bent."""
    if not bend:
        return 0.0
    radius = (width + 1) / math.radians(bend) - depth
    return round(radius * (1 - math.cos(min(1.5, (row.seats + 2) / radius / 2))), 1)


def _categories(names: Iterable[str]) -> list[Category]:
    used = sorted(names, key=lambda name: (KINDS[name].rank, name))
    return [Category(name, None, KINDS[name].color, KINDS[name].rank) for name in used]


GRAND = _room(
    "Grand",
    Section("Front", _rows("ABCD", 20, aisles=(5, 15)), "front"),
    Section(
        "Stalls",
        # The doors open into row J, so that its ends have no seats.
        (
            *_rows("EFGHI", 24, aisles=(6, 18)),
            Row("J", 20, first=3, aisles=(6, 18)),
            *_rows("KLMNO", 24, aisles=(6, 18)),
        ),
        "standard",
    ),
    Section("Circle", _rows("PQR", 16), "premium"),
    _spaces(3),
    bend=18.0,
    features=("Giant screen", "Laser projection", "Wheelchair access", "Hearing loop"),
    formats=("2D", "3D", "Grand"),
)

# Exactly 300 seats: the room that a rush sells out.
CLASSIC = _room(
    "Classic",
    Section("Front", _rows("ABC", 16), "front"),
    Section("Stalls", _rows("DEFGHIJKL", 20, aisles=(4, 16)), "standard"),
    Section("Balcony", _rows("MNOP", 19, (6, 14)), "premium"),  # two pillars
    _spaces(2),
    features=("Wheelchair access", "Hearing loop"),
    formats=("2D", "3D"),
)

WIDE = _room(
    "Wide",
    Section(
        "Stalls",
        _rows("ABCDEF", 28, aisles=(7, 21)) + _rows("GHIJ", 30, aisles=(8, 22)),
        "standard",
    ),
    Section("Recliners", _rows("KL", 22, (11, 12)), "recliner"),
    _spaces(3),
    bend=22.0,
    features=("Recliners", "Wheelchair access"),
    formats=("2D", "3D"),
)

LONG = _room(
    "Long",
    Section("Front", _rows("ABCDE", 12), "front"),
    Section("Stalls", _rows("FGHIJKLMNOPQR", 14, aisles=(7,)), "standard"),
    _spaces(1),
    features=("Wheelchair access",),
)

STUDIO = _room(
    "Studio",
    # A booth for the projector stands in the middle of the last rows.
    Section("Stalls", _rows("ABCDEFGHI", 18, aisles=(9,)), "standard"),
    Section("Sofas", _rows("JKL", 18, (9, 10), aisles=(2, 4, 6, 8, 12, 14, 16)), "sofa"),
    _spaces(2),
    features=("Sofas for two", "Wheelchair access", "35 mm projector"),
)

ARC = _room(
    "Arc",
    Section("Front", _rows("ABC", 16, more=1), "front"),
    Section("Stalls", _rows("DEFGHJK", 20, aisles=(5, 15), more=1), "standard"),
    Section("Premium", _rows("LM", 24, aisles=(8, 16)), "premium"),
    _spaces(2),
    bend=48.0,
    features=("Curved rows", "Wheelchair access", "Hearing loop"),
    formats=("2D", "3D"),
)

DOME = _room(
    "Dome",
    Section("Inner ring", _rows("ABCD", 16, more=2), "front"),
    Section("Middle ring", _rows("EFGHJK", 24, aisles=(6, 18), more=1), "standard"),
    Section("Outer ring", _rows("LMNP", 30, aisles=(10, 20)), "premium"),
    _spaces(3),
    bend=58.0,
    features=("Dome screen", "Surround sound", "Wheelchair access"),
    formats=("2D", "Dome"),
)

MAJESTIC = _room(
    "Majestic",
    Section("Front", _rows("ABCDE", 26, aisles=(6, 20)), "front"),
    Section("Stalls", _rows("FGHJKLMNPQ", 30, aisles=(7, 23)), "standard"),
    Section("Balcony", _rows("RSTU", 28, aisles=(7, 21)), "premium"),
    Section("Royal circle", _rows("XYZ", 18, aisles=(6, 12)), "recliner"),
    _spaces(4),
    bend=34.0,
    features=("Giant screen", "Balcony", "Laser projection", "Wheelchair access", "Hearing loop"),
    formats=("2D", "3D", "Grand"),
)

LOUNGE = _room(
    "Lounge",
    Section("Lounge", _rows("ABCDEF", 12, aisles=(2, 4, 6, 8, 10)), "recliner"),
    _spaces(2),
    bend=14.0,
    features=("Recliners", "Service at the seat", "Wheelchair access"),
)

SOFAS = _room(
    "Sofas",
    Section("Armchairs", _rows("AB", 10), "standard"),
    Section("Sofas", _rows("CDEF", 12, aisles=(2, 4, 6, 8, 10)), "sofa"),
    _spaces(1),
    features=("Sofas for two", "Bar", "Wheelchair access"),
)

# Down a winding stair, and so without a place for wheelchairs.
CELLAR = _room(
    "Cellar",
    Section("Stalls", _rows("ABCDEFGH", 8, aisles=(4,)), "standard"),
    features=("Historic vault", "Bar"),
)

ROOMS = {
    room.name.lower(): room
    for room in (
        GRAND,
        CLASSIC,
        WIDE,
        LONG,
        STUDIO,
        ARC,
        DOME,
        MAJESTIC,
        LOUNGE,
        SOFAS,
        CELLAR,
    )
}
