"""Points on the earth in cells of a tenth of a degree, so that who is near a place is found by
looking at a few cells: also over the date line and at the poles. Degrees are those of WGS 84, the
earth is a sphere here: distances are right within half a percent.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

EARTH_METRES = 6_371_009.0
_CELLS_PER_DEGREE = 10
_ROUND = 360 * _CELLS_PER_DEGREE

_Cell = tuple[int, int]


class EarthPoint(NamedTuple):
    """Latitude and longitude in degrees."""

    lat: float
    lon: float


def metres_between(one: EarthPoint, other: EarthPoint) -> float:
    """The distance along the great circle (the haversine formula)."""
    lat, lat_other = math.radians(one.lat), math.radians(other.lat)
    across = math.sin(math.radians(other.lon - one.lon) / 2) ** 2
    half = math.sin((lat_other - lat) / 2) ** 2 + math.cos(lat) * math.cos(lat_other) * across
    return 2 * EARTH_METRES * math.asin(math.sqrt(min(1.0, half)))


class Cells:
    """Which numbers are where."""

    def __init__(self) -> None:
        self._cells: dict[_Cell, dict[int, EarthPoint]] = {}

    def add(self, number: int, point: EarthPoint) -> None:
        self._cells.setdefault(_cell_of(point), {})[number] = point

    def remove(self, number: int, point: EarthPoint) -> None:
        cell = _cell_of(point)
        there = self._cells.get(cell, {})
        there.pop(number, None)
        if not there:
            self._cells.pop(cell, None)

    def near(self, middle: EarthPoint, radius: float) -> Iterator[tuple[int, float]]:
        """The numbers within so many metres, each with its distance."""
        for cell in self._around(middle, radius):
            for number, point in self._cells.get(cell, {}).items():
                metres = metres_between(middle, point)
                if metres <= radius:
                    yield number, metres

    def _around(self, middle: EarthPoint, radius: float) -> list[_Cell]:
        """The cells that a circle may touch; all that have anything, where these are fewer."""
        reach = math.degrees(radius / EARTH_METRES)
        south, north = _row(middle.lat - reach), _row(middle.lat + reach)
        columns = self._columns(middle, radius, reach)
        if (north - south + 1) * len(columns) > len(self._cells):
            return list(self._cells)
        return [(row, column % _ROUND) for row in range(south, north + 1) for column in columns]

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
