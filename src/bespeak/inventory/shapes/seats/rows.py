"""The rows and tables of a seat map, seat by seat, in the plan's order: which seats there are, what
each is, and where a row is interrupted. Every reference of the plan is checked here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from enum import IntEnum
from typing import NamedTuple, TypeVar

from bespeak.inventory.bounds import nonsense
from bespeak.inventory.shapes.seats.plan import Row, SeatsPlan, Section, Table

_ROW_SEATS_MAX = 10_000
_Seat = TypeVar("_Seat", int, str)


class Access(IntEnum):
    """Whom a seat is for."""

    ORDINARY = 0
    ACCESSIBLE = 1
    COMPANION = 2


class Spot(NamedTuple):
    """One seat: its unit and category, whom it is for, whether it is *not* adjacent to the seat
    before it, how far along the row it stands (in seats), its position if the plan gives one, and
    for a companion's seat the unit of the accessible seat that it belongs to."""

    unit: str
    category: str
    access: Access
    breaks: bool
    offset: float
    x: float | None = None
    y: float | None = None
    companion_of: str | None = None


class SeatRow(NamedTuple):
    """A row, or the seats around a table: the index of its section in the plan, what the plan says
    of it, and its seats."""

    section: int
    part: Row | Table
    spots: list[Spot]


def seat_rows(plan: SeatsPlan) -> Iterator[SeatRow]:
    """Every row and every table with single seats. Raises InvalidRequest for what contradicts
    itself: a seat that is not in its row, a category that the plan does not list."""
    known = frozenset(category.name for category in plan.categories)
    if len(known) < len(plan.categories):
        raise nonsense("a category comes twice")
    for number, section in enumerate(plan.sections):
        _check_pair(section.x, section.y, f"section {section.name!r}")
        for row in section.rows:
            yield SeatRow(number, row, _checked(_row_spots(section, row), known))
        for table in section.tables:
            _check_pair(table.x, table.y, f"table {table.name!r}")
            if not table.whole:
                yield SeatRow(number, table, _checked(_table_spots(section, table), known))


def whole_tables(plan: SeatsPlan) -> Iterator[tuple[str, str, int]]:
    """Every table that is one unit: the unit, its category, how many sit at it. Raises
    InvalidRequest."""
    known = frozenset(category.name for category in plan.categories)
    for section in plan.sections:
        for table in section.tables:
            if table.whole:
                if table.accessible:
                    raise nonsense(f"table {table.name!r} is whole: it has no single seats")
                category = table.category or section.category
                check_category(category, known)
                yield f"{section.prefix}{table.name}", category, table.seats


def section_names(plan: SeatsPlan) -> dict[str, str]:
    """The name of the section of each single seat."""
    return {
        spot.unit: plan.sections[row.section].name for row in seat_rows(plan) for spot in row.spots
    }


def check_category(category: str, known: Collection[str]) -> None:
    """Where a plan lists its categories, it uses no other. Raises InvalidRequest."""
    if known and category not in known:
        raise nonsense(f"the category {category!r} is not among the categories")


def _checked(spots: list[Spot], known: frozenset[str]) -> list[Spot]:
    if known:
        for category in {spot.category for spot in spots}:
            check_category(category, known)
    return spots


def _row_spots(section: Section, row: Row) -> list[Spot]:
    if row.listed:
        counted = (row.seats, row.without, row.aisles, row.accessible, row.companions)
        if any(counted) or (row.first, row.step) != (1, 1):
            raise nonsense(f"row {row.name!r} is both counted and listed")
        return _listed(section, row)
    if not 1 <= row.seats <= _ROW_SEATS_MAX:
        raise nonsense(f"row {row.name!r} has neither `seats` nor a `list` of them")
    return _counted(section, row)


def _counted(section: Section, row: Row) -> list[Spot]:
    last = row.first + (row.seats - 1) * row.step
    if row.step == 0 or last < 0:
        raise nonsense(f"row {row.name!r} cannot count from {row.first} by {row.step}")
    numbers = range(row.first, last + (1 if row.step > 0 else -1), row.step)
    without, aisles = frozenset(row.without), frozenset(row.aisles)
    for number in aisles:
        if number not in numbers:
            raise nonsense(f"row {row.name!r} has no seat {number} to have an aisle after it")
    access = _access(row, numbers, without)
    escorts = {companion.seat: companion.of for companion in row.companions}
    category = row.category or section.category
    start = section.prefix + row.name
    spots: list[Spot] = []
    breaks, offset = True, 0.0
    for number in numbers:
        if number in without:
            breaks = True
        else:
            whom = access.get(number, Access.ORDINARY)
            of = f"{start}{escorts[number]}" if number in escorts else None
            unit = f"{start}{number}"
            spots.append(Spot(unit, category, whom, breaks, offset, companion_of=of))
            breaks = False
        offset += 1.0
        if number in aisles:
            breaks = True
            offset += 1.0
    return spots


def _access(row: Row, numbers: range, without: frozenset[int]) -> dict[int, Access]:
    """Whom the seats of a counted row are for, where they are not ordinary."""
    access: dict[int, Access] = {}
    for number in row.accessible:
        if number not in numbers or number in without:
            raise nonsense(f"row {row.name!r} has no seat {number} that could be accessible")
        access[number] = Access.ACCESSIBLE
    for seat, of in ((companion.seat, companion.of) for companion in row.companions):
        if seat not in numbers or seat in without:
            raise nonsense(f"row {row.name!r} has no seat {seat} for a companion")
        _check_companion(row, access, seat, of)
        access[seat] = Access.COMPANION
    return access


def _check_companion(row: Row, access: dict[_Seat, Access], seat: _Seat, of: _Seat) -> None:
    if access.get(of) is not Access.ACCESSIBLE:
        raise nonsense(f"seat {of} of row {row.name!r} has a companion but is not accessible")
    if seat in access:
        raise nonsense(f"seat {seat} of row {row.name!r} cannot be a companion's too")


def _listed(section: Section, row: Row) -> list[Spot]:
    access = {seat.label: Access.ACCESSIBLE for seat in row.listed if seat.accessible}
    for seat in row.listed:
        if seat.companion_of is not None:
            _check_companion(row, access, seat.label, seat.companion_of)
            access[seat.label] = Access.COMPANION
    placed = {seat.x is not None for seat in row.listed}
    placed |= {seat.y is not None for seat in row.listed}
    if len(placed) > 1:
        raise nonsense(f"row {row.name!r} has a place (x and y) for some of its seats only")
    start = section.prefix + row.name
    usual = row.category or section.category
    spots: list[Spot] = []
    offset = -1.0
    for seat in row.listed:
        breaks = seat.gap or not spots
        offset += 2.0 if seat.gap and spots else 1.0
        whom = access.get(seat.label, Access.ORDINARY)
        category = seat.category or usual
        of = None if seat.companion_of is None else start + seat.companion_of
        spots.append(Spot(start + seat.label, category, whom, breaks, offset, seat.x, seat.y, of))
    return spots


def _table_spots(section: Section, table: Table) -> list[Spot]:
    accessible = frozenset(table.accessible)
    if any(not 1 <= number <= table.seats for number in accessible):
        raise nonsense(f"table {table.name!r} has no such seat that could be accessible")
    category = table.category or section.category
    return [
        Spot(
            f"{section.prefix}{table.name}-{number}",
            category,
            Access.ACCESSIBLE if number in accessible else Access.ORDINARY,
            number == 1,
            number - 1.0,
        )
        for number in range(1, table.seats + 1)
    ]


def _check_pair(x: float | None, y: float | None, what: str) -> None:
    if (x is None) != (y is None):
        raise nonsense(f"{what} has an x without a y, or a y without an x")
