"""Points on the earth in cells of some kilometres, so that what lies in a circle or a box is found
by looking at a few cells: also over the date line and at the poles. Degrees are those of WGS 84,
the earth is a sphere here: distances are right within half a percent.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bespeak.inventory.arrays import np
from bespeak.verticals.stays.search.cell_rows import (
    TouchedCells,
    joined_rows,
    rows_in,
    sorted_ranges,
)
from bespeak.verticals.stays.search.narrow import grown

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from bespeak.inventory.arrays import Flags, Numbers

    Rows: TypeAlias = NDArray[np.int64]
    Degrees: TypeAlias = NDArray[np.number]

EARTH_METRES = 6_371_009.0
_LOOSE, _SORTED = 10, 40
"""Cells a degree: a look at a small one costs less where its rows are a range."""
_DEGREE = 10**7
_BALL = float((1 << 31) - 1)
# Within so much of a radius of 1 (a centimetre) a point is looked at closer.
_SLACK = 0.01 / EARTH_METRES
_SLACK_DEGREES = 1e-6
_PART_ROWS = 1 << 20
_HALVINGS = 12

_Cell = tuple[int, int]


class EarthPoint(NamedTuple):
    """Latitude and longitude in degrees."""

    lat: float
    lon: float


class EarthCircle(NamedTuple):
    """What is at most so many metres from a point."""

    middle: EarthPoint
    radius: float


class EarthBox(NamedTuple):
    """What lies between two meridians and two parallels, in degrees. From west one goes east: over
    the date line where `west` is the greater."""

    west: float
    south: float
    east: float
    north: float

    @property
    def width(self) -> float:
        """From west to east, in degrees."""
        return (self.east - self.west) % 360

    @property
    def middle(self) -> EarthPoint:
        lon = self.west + self.width / 2
        return EarthPoint((self.south + self.north) / 2, lon if lon <= 180 else lon - 360)


class Near(NamedTuple):
    """The rows that lie in an area, and how many metres from its middle, side by side. `more`:
    there are others, farther away."""

    rows: Rows
    metres: Numbers
    more: bool = False


def metres_between(one: EarthPoint, other: EarthPoint) -> float:
    """The distance along the great circle (the haversine formula)."""
    lat, lat_other = math.radians(one.lat), math.radians(other.lat)
    across = math.sin(math.radians(other.lon - one.lon) / 2) ** 2
    half = math.sin((lat_other - lat) / 2) ** 2 + math.cos(lat) * math.cos(lat_other) * across
    return 2 * EARTH_METRES * math.asin(math.sqrt(min(1.0, half)))


class SortedCells(NamedTuple):
    """Rows in the order of their cells: which cells have any, and the first row of each, with the
    end behind the last."""

    codes: Rows
    starts: Rows

    @property
    def rows(self) -> int:
        """How many rows: the first ones of all."""
        return int(self.starts[-1])


class CellColumns(NamedTuple):
    """Where rows are, as points on a ball and in degrees."""

    ball: NDArray[np.int32]
    degrees: Degrees


class Cells:
    """Where each row is: small numbers from 0 on, which are given again when they are free. Rows
    that were sorted by their cells are found as ranges, a range for each row of cells; those that
    came since in sets, a set a cell."""

    def __init__(
        self, columns: CellColumns | None = None, cells: SortedCells | None = None
    ) -> None:
        self._sorted = cells
        self.sorted_rows = 0 if cells is None else cells.rows
        self._cells: dict[_Cell, set[int]] = {}
        self._arrays: dict[_Cell, Rows] = {}
        if columns is None:
            ball, degrees = np.zeros((0, 3), dtype=np.int32), np.zeros((0, 2), dtype=np.int32)
            columns = CellColumns(ball, degrees)
        # Points on a ball, to 3 mm: the straight line between two says how far they are.
        self._ball, self._degrees = columns

    @property
    def columns(self) -> CellColumns:
        return CellColumns(self._ball, self._degrees)

    def add(self, row: int, point: EarthPoint) -> None:
        self._ball = grown(self._ball, row)
        self._ball[row] = [round(part * _BALL) for part in _on_ball(point)]
        self._put_degrees(row, point)
        cell = _cell_of(point, _LOOSE)
        self._cells.setdefault(cell, set()).add(row)
        self._arrays.pop(cell, None)

    def _put_degrees(self, row: int, point: EarthPoint) -> None:
        """As whole numbers while all have at most seven places, so that nothing is lost."""
        self._degrees = grown(self._degrees, row)
        if self._degrees.dtype == np.int32:
            parts = [round(part * _DEGREE) for part in point]
            if tuple(part / _DEGREE for part in parts) == tuple(point):
                self._degrees[row] = parts
                return
            self._degrees = self._degrees / _DEGREE
        self._degrees[row] = point

    def point(self, row: int) -> EarthPoint:
        """Where a row is."""
        return EarthPoint(*self.degrees_of(np.array([row]))[0].tolist())

    def middle_of(self, rows: Rows) -> EarthPoint:
        """The middle of some rows, as one of them: a mean would lie anywhere at the date line."""
        degrees = self.degrees_of(rows)
        order = np.lexsort((degrees[:, 1], degrees[:, 0]))
        return EarthPoint(*degrees[order[len(order) // 2]].tolist())

    def remove(self, row: int, point: EarthPoint) -> None:
        """Forgets a row, if it is no sorted one: those stay where they are."""
        cell = _cell_of(point, _LOOSE)
        there = self._cells.get(cell, set())
        there.discard(row)
        self._arrays.pop(cell, None)
        if not there:
            self._cells.pop(cell, None)

    def order(self, rows: Rows) -> tuple[Rows, SortedCells]:
        """Some rows in the order of their cells, and where the cells are in that order."""
        codes = self._codes_of(rows)
        order = np.argsort(codes, kind="stable")
        cells, starts = np.unique(codes[order], return_index=True)
        return rows[order], SortedCells(cells, np.append(starts, len(rows)))

    def _codes_of(self, rows: Rows) -> Rows:
        """The cell of each row as one number: cells of a parallel are one behind the other."""
        parts: list[Rows] = []
        for first in range(0, len(rows), _PART_ROWS):
            degrees = self.degrees_of(rows[first : first + _PART_ROWS])
            cells = np.floor(degrees * _SORTED).astype(np.int64)
            parts.append(cells[:, 0] * _round(_SORTED) + cells[:, 1] % _round(_SORTED))
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)

    def nearest(
        self,
        area: EarthCircle | EarthBox,
        most: int,
        has: Callable[[Numbers, Numbers], Flags] | None = None,
    ) -> Near:
        """The rows in it, its edges included, in no order: all, or those whose latitudes and
        longitudes `has` says yes to (of a box alone). Of more than so many those that are nearest
        to its middle; where there are far more, only the part of the area around it is read."""
        parts, share = self._parts_in(area), 1.0
        if rows_in(parts) > 2 * most:
            share = self._share(area, 2 * most)
            area = _part_of(area, share)
            parts = self._parts_in(area)
        rows = joined_rows(parts)
        if isinstance(area, EarthBox):
            near = self._within_box(rows, area, has)
        else:
            near = self._within_circle(rows, area.middle, area.radius)
        if len(near.rows) > most:
            kept = np.argpartition(near.metres, most)[:most]
            return Near(near.rows[kept], near.metres[kept], more=True)
        return near if share == 1 else near._replace(more=True)

    def _within_circle(self, rows: Rows, middle: EarthPoint, radius: float) -> Near:
        chords = self._chords(rows, middle)
        most = 2 * math.sin(radius / EARTH_METRES / 2)
        kept = chords <= ((most + _SLACK) * _BALL) ** 2
        rows, chords = rows[kept], chords[kept]
        sure = chords <= (max(0.0, most - _SLACK) * _BALL) ** 2
        if not sure.all():  # hardly ever: by their exact places
            for place in (~sure).nonzero()[0].tolist():
                sure[place] = metres_between(middle, self.point(int(rows[place]))) <= radius
            rows, chords = rows[sure], chords[sure]
        return Near(rows, _metres(chords))

    def _within_box(
        self, rows: Rows, box: EarthBox, has: Callable[[Numbers, Numbers], Flags] | None
    ) -> Near:
        lats, lons = self.degrees_of(rows).T
        within = (box.south <= lats) & (lats <= box.north) & ((lons - box.west) % 360 <= box.width)
        rows = rows[within]
        if has is not None:
            rows = rows[has(lats[within], lons[within])]
        return Near(rows, _metres(self._chords(rows, box.middle)))

    def _share(self, area: EarthCircle | EarthBox, most: int) -> float:
        """How much of the way from the middle to the edge one can go until cells have more rows."""
        if self._count(area) <= most:
            return 1.0
        share, too_far = 0.0, 1.0
        for _ in range(_HALVINGS):
            between = (share + too_far) / 2
            if self._count(_part_of(area, between)) <= most:
                share = between
            else:
                too_far = between
        return share or too_far  # a cell alone may have so many

    def _count(self, area: EarthCircle | EarthBox) -> int:
        """How many rows the cells have that the area touches."""
        sorted_rows = (
            []
            if self._sorted is None
            else sorted_ranges(self._sorted, _touched(area, _SORTED), _round(_SORTED))
        )
        loose = self._in_touched(_touched(area, _LOOSE))
        return rows_in(sorted_rows) + sum(len(self._cells[cell]) for cell in loose)

    def degrees_of(self, rows: Rows) -> Numbers:
        whole = self._degrees.dtype == np.int32
        degrees: Numbers = self._degrees.take(rows, axis=0).astype(np.float64, copy=False)
        return degrees / _DEGREE if whole else degrees

    def _chords(self, rows: Rows, middle: EarthPoint) -> Numbers:
        """The straight lines from the middle to each of the rows, squared, on the large ball."""
        # A third of the time that indexing takes.
        apart = self._ball.take(rows, axis=0) - np.array(_on_ball(middle)) * _BALL
        chords: Numbers = np.einsum("ij,ij->i", apart, apart)
        return chords

    def _parts_in(self, area: EarthCircle | EarthBox) -> list[range | Rows]:
        """The rows of all cells that the area touches, and perhaps of others."""
        found: list[range | Rows] = []
        if self._sorted is not None:
            found += sorted_ranges(self._sorted, _touched(area, _SORTED), _round(_SORTED))
        if self._cells:
            found += [self._rows_of(cell) for cell in self._there(_touched(area, _LOOSE))]
        return found

    def _rows_of(self, cell: _Cell) -> Rows:
        found = self._arrays.get(cell)
        if found is None:
            there = self._cells.get(cell, ())
            found = np.fromiter(there, dtype=np.int64, count=len(there))
            if cell in self._cells:
                self._arrays[cell] = found
        return found

    def _there(self, touched: TouchedCells) -> list[_Cell]:
        """Which of these cells have anything; all that have, where these would be more to ask."""
        rows, columns = touched
        if len(rows) * len(columns) > len(self._cells):
            return list(self._cells)
        around = _round(_LOOSE)
        cells = ((row, column % around) for row in rows for column in columns)
        return [cell for cell in cells if cell in self._cells]

    def _in_touched(self, touched: TouchedCells) -> list[_Cell]:
        """Which of these cells have anything, and no others."""
        rows, columns = touched
        around = _round(_LOOSE)
        return [
            (row, column)
            for row, column in self._there(touched)
            if row in rows and (column - columns.start) % around < len(columns)
        ]


def _part_of(area: EarthCircle | EarthBox, share: float) -> EarthCircle | EarthBox:
    """The part of an area around its middle, so much as wide."""
    if share >= 1:
        return area
    if isinstance(area, EarthCircle):
        return EarthCircle(area.middle, area.radius * share)
    (lat, lon), wide = area.middle, area.width * share / 2
    high = (area.north - area.south) * share / 2
    west, east = ((side + 180) % 360 - 180 for side in (lon - wide, lon + wide))
    return EarthBox(west, lat - high, east, lat + high)


def _touched(area: EarthCircle | EarthBox, per_degree: int) -> TouchedCells:
    """The cells that an area touches."""
    if isinstance(area, EarthBox):
        return _under(area, per_degree)
    return _around(area.middle, area.radius, per_degree)


def _around(middle: EarthPoint, radius: float, per_degree: int) -> TouchedCells:
    """The cells that a circle may touch."""
    reach = math.degrees(radius / EARTH_METRES) + _SLACK_DEGREES
    lines = range(_line(middle.lat - reach, per_degree), _line(middle.lat + reach, per_degree) + 1)
    return TouchedCells(lines, _across(middle, radius, reach, per_degree))


def _under(box: EarthBox, per_degree: int) -> TouchedCells:
    """The cells that a box touches."""
    over = _round(per_degree) if box.west > box.east else 0
    lines = range(_line(box.south, per_degree), _line(box.north, per_degree) + 1)
    west, east = _line(box.west, per_degree), _line(box.east, per_degree) + over
    return TouchedCells(lines, range(west, min(east + 1, west + _round(per_degree))))


def _across(middle: EarthPoint, radius: float, reach: float, per_degree: int) -> range:
    """From west to east; all around where the circle has a pole in it."""
    around = _round(per_degree)
    if abs(middle.lat) + reach >= 90:
        return range(around)
    ratio = math.sin(radius / EARTH_METRES) / math.cos(math.radians(middle.lat))
    side = math.degrees(math.asin(min(1.0, ratio))) + _SLACK_DEGREES
    west, east = _line(middle.lon - side, per_degree), _line(middle.lon + side, per_degree)
    return range(around) if east - west >= around else range(west, east + 1)


def _round(per_degree: int) -> int:
    """How many cells are around the earth."""
    return 360 * per_degree


def _line(degrees: float, per_degree: int) -> int:
    return math.floor(degrees * per_degree)


def _cell_of(point: EarthPoint, per_degree: int) -> _Cell:
    return _line(point.lat, per_degree), _line(point.lon, per_degree) % _round(per_degree)


def _metres(chords: Numbers) -> Numbers:
    """Straight lines, squared, as distances on the ball."""
    metres: Numbers = 2 * EARTH_METRES * np.arcsin(np.minimum(1.0, np.sqrt(chords) / (2 * _BALL)))
    return metres


def _on_ball(point: EarthPoint) -> tuple[float, float, float]:
    lat, lon = math.radians(point.lat), math.radians(point.lon)
    return math.cos(lat) * math.cos(lon), math.cos(lat) * math.sin(lon), math.sin(lat)
