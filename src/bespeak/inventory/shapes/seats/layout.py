"""Where the seats of a room stand. The plan gives the places of some; the rest are laid out as a
room usually is: rows one behind the other, each in the middle, sections one behind the other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from bespeak.inventory.arrays import np
from bespeak.inventory.shapes.seats.plan import Row, SeatsPlan, Section, Table

if TYPE_CHECKING:
    from bespeak.inventory.arrays import Numbers, Places


_BETWEEN_SECTIONS = 2.0
_BETWEEN_TABLES = 2.0


class Bank(NamedTuple):
    """A row or a table of a section, and which of all seats are its: from `start` to `stop`."""

    section: int
    part: Row | Table
    start: int
    stop: int


class _Bend(NamedTuple):
    """How the rows of a section are bent: where the first is, and its radius. Those behind it are
    parallel."""

    y: float
    radius: float


def places_of(plan: SeatsPlan, banks: Sequence[Bank], offsets: Numbers, given: Places) -> Places:
    """The place (x, y) of each seat, in seats: `offsets` are along the rows, `given` are the places
    that the plan gives, or not a number."""
    places = np.empty((len(offsets), 2))
    by_section: dict[int, list[Bank]] = {}
    for bank in banks:
        by_section.setdefault(bank.section, []).append(bank)
    stage = plan.stage
    cursor = 0.0 if stage is None else stage.y + stage.height / 2 + _BETWEEN_SECTIONS
    for number, section in enumerate(plan.sections):
        own = by_section.get(number)
        if not own:
            continue
        start, stop = own[0].start, own[-1].stop
        local = places[start:stop]
        is_placed = _lay_out(section, own, offsets, given, places)
        if section.x is not None and section.y is not None:
            origin = (section.x, section.y)
        elif is_placed:
            origin = (0.0, 0.0)
        else:
            # What a bend brings forward must not stand among the seats before it.
            before = min(0.0, float(local[:, 1].min()))
            origin = (0.0 if plan.stage is None else plan.stage.x, cursor - before)
            cursor = origin[1] + max(0.0, float(local[:, 1].max())) + _BETWEEN_SECTIONS
        _turn(local, section.rotation)
        local += origin
    return places


def _lay_out(
    section: Section,
    banks: Sequence[Bank],
    offsets: Numbers,
    given: Places,
    places: Places,
) -> bool:
    """Fills in the places within a section; whether the plan gave some of them."""
    is_placed = False
    depth = 0.0
    bend: _Bend | None = None
    tables: list[Bank] = []
    for bank in banks:
        here = slice(bank.start, bank.stop)
        if isinstance(bank.part, Table):
            tables.append(bank)
        elif not math.isnan(given[bank.start, 0]):
            places[here] = given[here]
            is_placed = True
        else:
            y = depth if bank.part.y is None else bank.part.y
            if bend is None and section.curve:
                bend = _Bend(y, (offsets[bank.stop - 1] + 1.0) / math.radians(section.curve))
            places[here] = _row(offsets[here], bank.part.x or 0.0, y, bend)
            depth = y + 1.0
    return _tables(tables, depth, places) or is_placed


def _row(offsets: Numbers, x: float, y: float, bend: _Bend | None) -> Places:
    """A row with its middle at x, y: straight, or an arc about the middle of all rows."""
    along = offsets - offsets[-1] / 2 + x
    if bend is None:
        return np.column_stack((along, np.full(len(along), y)))
    # No row goes further round than half a circle, however long it is.
    radius = max(bend.radius + y - bend.y, (offsets[-1] + 1.0) / math.pi)
    angle = along / radius
    return np.column_stack((radius * np.sin(angle), y - radius * (1.0 - np.cos(angle))))


def _tables(tables: Sequence[Bank], depth: float, places: Places) -> bool:
    """Tables stand where the plan says, or else in a square behind the rows."""
    if not tables:
        return False
    reach = max(_radius(bank.stop - bank.start) for bank in tables)
    cell = 2 * reach + _BETWEEN_TABLES
    columns = math.ceil(math.sqrt(len(tables)))
    is_placed = False
    for number, bank in enumerate(tables):
        part = bank.part
        seats = bank.stop - bank.start
        around = _around(seats, is_round=isinstance(part, Row) or part.shape == "round")
        _turn(around, part.rotation if isinstance(part, Table) else 0.0)
        if part.x is not None and part.y is not None:
            around += (part.x, part.y)
            is_placed = True
        else:
            line, column = divmod(number, columns)
            around += ((column - (columns - 1) / 2) * cell, depth + reach + line * cell)
        places[bank.start : bank.stop] = around
    return is_placed


def middle_of(section: Section, table: Table, first: Sequence[float]) -> tuple[float, float]:
    """The middle of a table, from the place of its first seat."""
    around = _around(table.seats, is_round=table.shape == "round")
    _turn(around, table.rotation + section.rotation)
    return (round(first[0] - float(around[0, 0]), 3), round(first[1] - float(around[0, 1]), 3))


def _radius(seats: int) -> float:
    """Of a round table, so that its seats are 1 apart."""
    return max(1.0, seats / (2 * math.pi))


def _around(seats: int, *, is_round: bool) -> Places:
    """The seats of a table about its middle: clockwise from the top, or along its two long sides,
    so that the last is beside the first."""
    if is_round:
        angle = np.arange(seats) * (2 * math.pi / seats)
        return _radius(seats) * np.column_stack((np.sin(angle), -np.cos(angle)))
    side = (seats + 1) // 2
    along = np.arange(side) - (side - 1) / 2
    top = np.column_stack((along, np.full(side, -1.0)))
    bottom = np.column_stack((along[::-1], np.full(side, 1.0)))
    return np.concatenate((top, bottom))[:seats]


def _turn(places: Places, degrees: float) -> None:
    """Turns places clockwise about the origin, in place (y grows downwards)."""
    if degrees:
        cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        x, y = places[:, 0].copy(), places[:, 1].copy()
        places[:, 0] = x * cosine - y * sine
        places[:, 1] = x * sine + y * cosine
