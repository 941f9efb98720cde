"""The part of the earth whose listings a process keeps, where it does not keep all. It answers only
what lies wholly in there: what it left out would look as if nothing were to be had.
"""

from __future__ import annotations

import math
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from bespeak.errors import InvalidSetting
from bespeak.verticals.stays.search.cells import EARTH_METRES, EarthBox, EarthCircle

if TYPE_CHECKING:
    from bespeak.verticals.stays.search.polygons import EarthArea

_VARIABLE = "BESPEAK_SEARCH_REGION"
_ALL_AROUND = 360.0
# What lies on an edge is kept, however the subtraction of degrees is rounded.
_SLACK_DEGREES = 1e-9


class SearchRegion(NamedTuple):
    """So many degrees eastwards from a meridian, between two parallels."""

    west: float
    width: float
    south: float
    north: float

    @property
    def mark(self) -> str:
        """What parts its files from those of other regions."""
        return sha256(repr(tuple(self)).encode()).hexdigest()[:8]

    @property
    def edges(self) -> tuple[float, float, float, float]:
        """As the statement that reads listings takes it: west, width, south and north, a little
        further than a question may reach."""
        south, north = self.south - _SLACK_DEGREES, self.north + _SLACK_DEGREES
        return self.west, self.width + _SLACK_DEGREES, south, north

    def covers(self, area: EarthArea) -> bool:
        """Whether all that lies in an area is kept."""
        if isinstance(area, EarthCircle):
            return self._covers_circle(area)
        box = area if isinstance(area, EarthBox) else area.box
        return self._covers(box.west, box.width or _ALL_AROUND, box.south, box.north)

    def _covers_circle(self, circle: EarthCircle) -> bool:
        reach = circle.radius / EARTH_METRES
        lat, degrees = math.radians(circle.middle.lat), math.degrees(reach)
        south, north = circle.middle.lat - degrees, circle.middle.lat + degrees
        if max(north, -south) >= 90:  # a pole is in it, and with it all meridians
            return self._covers(-180, _ALL_AROUND, max(south, -90), min(north, 90))
        side = math.degrees(math.asin(math.sin(reach) / math.cos(lat)))
        return self._covers(circle.middle.lon - side, 2 * side, south, north)

    def _covers(self, west: float, width: float, south: float, north: float) -> bool:
        if south < self.south or north > self.north:
            return False
        return self.width >= _ALL_AROUND or (west - self.west) % 360 + width <= self.width


def region_of(text: str | None) -> SearchRegion | None:
    """The region of a setting, `west,south,east,north`; None: all of the earth. Raises
    InvalidSetting."""
    if text is None:
        return None
    try:
        west, south, east, north = (float(part) for part in text.split(","))
    except ValueError:
        raise _nonsense("four numbers, west,south,east,north") from None
    # A number that is none is in no range either.
    if not (abs(west) <= 180 and abs(east) <= 180):
        raise _nonsense("west and east are from -180 to 180")
    if not -90 <= south < north <= 90:
        raise _nonsense("south and north are from -90 to 90, and south is below north")
    if west == east:
        raise _nonsense("nothing lies in it; all around the earth is -180 to 180")
    return SearchRegion(west, (east - west) % 360 or _ALL_AROUND, south, north)


def _nonsense(told: str) -> InvalidSetting:
    return InvalidSetting(f"{_VARIABLE}: {told}", variable=_VARIABLE)
