"""Points on the earth in cells of a tenth of a degree, so that who is near a place is found by
looking at a few cells: also over the date line and at the poles. Degrees are those of WGS 84, the
earth is a sphere here: distances are right within half a percent.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from bespeak.inventory.arrays import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bespeak.inventory.arrays import Numbers

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


class Near(NamedTuple):
    """The rows that lie in a circle, and how many metres from its middle, side by side."""

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

    def add(self, row: int, point: EarthPoint) -> None:
        self._points = grown(self._points, row)
        self._points[row] = _on_ball(point)
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

    def near(self, middle: EarthPoint, radius: float) -> Near:
        """The rows within so many metres, in no order."""
        around = [self._rows_of(cell) for cell in self._around(middle, radius)]
        rows: Rows = np.concatenate(around) if around else np.zeros(0, dtype=np.int64)
        apart = self._points[rows] - _on_ball(middle)
        chords = np.einsum("ij,ij->i", apart, apart)
        within = chords <= (2 * math.sin(radius / EARTH_METRES / 2)) ** 2
        halves = np.sqrt(chords[within]) / 2
        return Near(rows[within], 2 * EARTH_METRES * np.arcsin(np.minimum(1.0, halves)))

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
        south, north = _row(middle.lat - reach), _row(middle.lat + reach)
        columns = self._columns(middle, radius, reach)
        if (north - south + 1) * len(columns) > len(self._cells):
            return list(self._cells)
        touched = ((row, column % _ROUND) for row in range(south, north + 1) for column in columns)
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
