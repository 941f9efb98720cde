"""Points on the earth in cells of a tenth of a degree, so that what lies in a circle or a box is
found by looking at a few cells: also over the date line and at the poles. Degrees are those of WGS
84, the earth is a sphere here: distances are right within half a percent.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from bespeak.inventory.arrays import np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from bespeak.inventory.arrays import Flags, Numbers

    Rows: TypeAlias = NDArray[np.int64]
    _Item = TypeVar("_Item", bound=np.generic)

EARTH_METRES = 6_371_009.0
_CELLS_PER_DEGREE = 10
_ROUND = 360 * _CELLS_PER_DEGREE
_ROWS_MIN = 1024

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
    """The rows that lie in an area, and how many metres from its middle, side by side."""

    rows: Rows
    metres: Numbers


def metres_between(one: EarthPoint, other: EarthPoint) -> float:
    """The distance along the great circle (the haversine formula)."""
    lat, lat_other = math.radians(one.lat), math.radians(other.lat)
    across = math.sin(math.radians(other.lon - one.lon) / 2) ** 2
    half = math.sin((lat_other - lat) / 2) ** 2 + math.cos(lat) * math.cos(lat_other) * across
    return 2 * EARTH_METRES * math.asin(math.sqrt(min(1.0, half)))


class Cells:
    """Where each row is: small numbers from 0 on, which are given again when they are free."""

    def __init__(self) -> None:
        self._cells: dict[_Cell, set[int]] = {}
        self._arrays: dict[_Cell, Rows] = {}
        # Points on a ball of radius 1: the straight line between two says how far they are.
        self._points: Numbers = np.zeros((_ROWS_MIN, 3))
        self._degrees: Numbers = np.zeros((_ROWS_MIN, 2))

    def add(self, row: int, point: EarthPoint) -> None:
        self._points = grown(self._points, row)
        self._points[row] = _on_ball(point)
        self._degrees = grown(self._degrees, row)
        self._degrees[row] = point
        cell = _cell_of(point)
        self._cells.setdefault(cell, set()).add(row)
        self._arrays.pop(cell, None)

    def remove(self, row: int, point: EarthPoint) -> None:
        cell = _cell_of(point)
        there = self._cells.get(cell, set())
        there.discard(row)
        self._arrays.pop(cell, None)
        if not there:
            self._cells.pop(cell, None)

    def within(self, area: EarthCircle | EarthBox) -> Near:
        """The rows in it, in no order."""
        if isinstance(area, EarthBox):
            return self.box(area)
        return self.near(area.middle, area.radius)

    def near(self, middle: EarthPoint, radius: float) -> Near:
        """The rows within so many metres, in no order."""
        rows = self._rows_in(self._around(middle, radius))
        chords = self._chords(rows, middle)
        within = chords <= (2 * math.sin(radius / EARTH_METRES / 2)) ** 2
        return Near(rows[within], _metres(chords[within]))

    def box(self, box: EarthBox, has: Callable[[Numbers, Numbers], Flags] | None = None) -> Near:
        """The rows in a box, its edges included, in no order: all, or those whose latitudes and
        longitudes `has` says yes to."""
        rows = self._rows_in(self._under(box))
        lats, lons = self._degrees[rows, 0], self._degrees[rows, 1]
        within = (box.south <= lats) & (lats <= box.north) & ((lons - box.west) % 360 <= box.width)
        rows = rows[within]
        if has is not None:
            rows = rows[has(self._degrees[rows, 0], self._degrees[rows, 1])]
        return Near(rows, _metres(self._chords(rows, box.middle)))

    def _chords(self, rows: Rows, middle: EarthPoint) -> Numbers:
        """The straight lines from the middle to each of the rows, squared."""
        apart = self._points.take(rows, axis=0)  # a third of the time that indexing takes
        apart -= np.array(_on_ball(middle))
        chords: Numbers = np.einsum("ij,ij->i", apart, apart)
        return chords

    def _rows_in(self, cells: list[_Cell]) -> Rows:
        found = [self._rows_of(cell) for cell in cells]
        return np.concatenate(found) if found else np.zeros(0, dtype=np.int64)

    def _rows_of(self, cell: _Cell) -> Rows:
        found = self._arrays.get(cell)
        if found is None:
            there = self._cells.get(cell, ())
            found = np.fromiter(there, dtype=np.int64, count=len(there))
            if cell in self._cells:
                self._arrays[cell] = found
        return found

    def _around(self, middle: EarthPoint, radius: float) -> list[_Cell]:
        """The cells that a circle may touch and that have anything."""
        reach = math.degrees(radius / EARTH_METRES)
        rows = range(_row(middle.lat - reach), _row(middle.lat + reach) + 1)
        return self._there(rows, self._columns(middle, radius, reach))

    def _under(self, box: EarthBox) -> list[_Cell]:
        """The cells that a box touches and that have anything."""
        over = _ROUND if box.west > box.east else 0
        rows = range(_row(box.south), _row(box.north) + 1)
        return self._there(rows, range(_column(box.west), _column(box.east) + over + 1))

    def _there(self, rows: range, columns: range) -> list[_Cell]:
        """Which of these cells have anything; all that have, where these would be more to ask."""
        if len(rows) * len(columns) > len(self._cells):
            return list(self._cells)
        touched = ((row, column % _ROUND) for row in rows for column in columns)
        return [cell for cell in touched if cell in self._cells]

    def _columns(self, middle: EarthPoint, radius: float, reach: float) -> range:
        """From west to east; all around where the circle has a pole in it."""
        if abs(middle.lat) + reach >= 90:
            return range(_ROUND)
        ratio = math.sin(radius / EARTH_METRES) / math.cos(math.radians(middle.lat))
        side = math.degrees(math.asin(min(1.0, ratio)))
        west, east = _column(middle.lon - side), _column(middle.lon + side)
        return range(_ROUND) if east - west >= _ROUND else range(west, east + 1)


def _row(lat: float) -> int:
    return math.floor(lat * _CELLS_PER_DEGREE)


def _column(lon: float) -> int:
    return math.floor(lon * _CELLS_PER_DEGREE)


def _cell_of(point: EarthPoint) -> _Cell:
    return _row(point.lat), _column(point.lon) % _ROUND


def _metres(chords: Numbers) -> Numbers:
    """Straight lines, squared, as distances on the ball."""
    metres: Numbers = 2 * EARTH_METRES * np.arcsin(np.minimum(1.0, np.sqrt(chords) / 2))
    return metres


def _on_ball(point: EarthPoint) -> tuple[float, float, float]:
    lat, lon = math.radians(point.lat), math.radians(point.lon)
    return math.cos(lat) * math.cos(lon), math.cos(lat) * math.sin(lon), math.sin(lat)


def grown(array: NDArray[_Item], row: int) -> NDArray[_Item]:
    """The array with room for the row: twice as long where it has none."""
    if row < len(array):
        return array
    more = np.zeros((max(row + 1, 2 * len(array)), *array.shape[1:]), dtype=array.dtype)
    more[: len(array)] = array
    return more
