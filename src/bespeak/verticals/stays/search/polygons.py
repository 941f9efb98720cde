"""Polygons on the earth: what lies in one, its edges included. Between two corners goes a straight
line of the map of degrees, and from one meridian to the next the shorter way: also over the date
line.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bespeak.inventory.arrays import np
from bespeak.verticals.stays.search.cells import EarthBox, EarthCircle, EarthPoint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bespeak.inventory.arrays import Flags, Numbers

_Corner = tuple[float, float]


class EarthPolygon(NamedTuple):
    """What lies between corners, one after the other; `box` is the least that has it all."""

    box: EarthBox
    corners: tuple[EarthPoint, ...]

    @property
    def middle(self) -> EarthPoint:
        return self.box.middle

    def has(self, lats: Numbers, lons: Numbers) -> Flags:
        """Which of the points lie in it: from those a ray to the east crosses its edges an odd
        number of times. Each edge looks only at the points beside it."""
        order = np.argsort(lats)
        north, east = lats[order], (lons[order] - self.box.west) % 360
        inside: Flags = np.zeros(len(order), dtype=bool)
        on_edge: Flags = np.zeros(len(order), dtype=bool)
        for (x, y), (next_x, next_y) in _edges(self._flat()):
            low, high = min(y, next_y), max(y, next_y)
            beside = slice(np.searchsorted(north, low), np.searchsorted(north, high, "right"))
            ys, xs = north[beside], east[beside]
            side = (next_x - x) * (ys - y) - (xs - x) * (next_y - y)
            between = (min(x, next_x) <= xs) & (xs <= max(x, next_x))
            on_edge[beside] |= (side == 0) & between
            # A corner between two edges is crossed once: the upper end is none of an edge's.
            inside[beside] ^= (ys < high) & ((side > 0) if next_y > y else (side < 0))
        found: Flags = np.zeros(len(order), dtype=bool)
        found[order] = inside | on_edge
        return found

    @property
    def crosses_itself(self) -> bool:
        """Whether two of its edges meet elsewhere than at the corner between them."""
        corners = self._flat()
        edges = _edges(corners)
        for place, (start, end) in enumerate(edges):
            if start == end or _folds(start, end, corners[(place + 2) % len(corners)]):
                return True
            # The first and the last are neighbours, too.
            others = edges[place + 2 : len(edges) - (place == 0)]
            if any(_meet(start, end, *other) for other in others):
                return True
        return False

    def _flat(self) -> list[_Corner]:
        """The corners by degrees east of the box's west."""
        return [((lon - self.box.west) % 360, lat) for lat, lon in self.corners]


EarthArea: TypeAlias = EarthCircle | EarthBox | EarthPolygon


def polygon_of(corners: Sequence[EarthPoint]) -> tuple[EarthPolygon, float]:
    """The polygon with these corners, and its width in degrees: more than half of the earth where
    it goes around a pole."""
    along = [corners[0].lon]
    for one, other in pairwise(corners):
        along.append(along[-1] + (other.lon - one.lon + 180) % 360 - 180)
    west, east = along.index(min(along)), along.index(max(along))
    lats = [lat for lat, _ in corners]
    box = EarthBox(corners[west].lon, min(lats), corners[east].lon, max(lats))
    return EarthPolygon(box, tuple(corners)), along[east] - along[west]


def _edges(corners: list[_Corner]) -> list[tuple[_Corner, _Corner]]:
    return list(zip(corners, corners[1:] + corners[:1], strict=True))


def _side(start: _Corner, end: _Corner, point: _Corner) -> float:
    """On which side of a line a point lies; 0 on it."""
    (x, y), (next_x, next_y) = start, end
    return (next_x - x) * (point[1] - y) - (point[0] - x) * (next_y - y)


def _folds(start: _Corner, middle: _Corner, end: _Corner) -> bool:
    """Whether the way from the middle on goes back over the one before."""
    if _side(start, middle, end) != 0:
        return False
    ahead = (middle[0] - start[0]) * (end[0] - middle[0])
    return ahead + (middle[1] - start[1]) * (end[1] - middle[1]) < 0


def _meet(start: _Corner, end: _Corner, other: _Corner, other_end: _Corner) -> bool:
    """Whether two edges have a point in common."""
    for axis in (0, 1):
        one, two = sorted((start[axis], end[axis])), sorted((other[axis], other_end[axis]))
        if one[1] < two[0] or two[1] < one[0]:
            return False
    across = _side(start, end, other) * _side(start, end, other_end)
    return across <= 0 and _side(other, other_end, start) * _side(other, other_end, end) <= 0
