"""Where a search looks, as its question says it: a circle, a box or a polygon, and never more of
the earth than one answer is worth.
"""

from __future__ import annotations

import math

from bespeak.errors import InvalidRequest
from bespeak.verticals.stays.queries import (
    BOX_DEGREES_MAX,
    CORNERS_MAX,
    CORNERS_MIN,
    RADIUS_METRES,
    StaysQuestion,
)
from bespeak.verticals.stays.search.cells import EarthBox, EarthCircle, EarthPoint
from bespeak.verticals.stays.search.polygons import EarthArea, EarthPolygon, polygon_of


def area_of(asked: StaysQuestion) -> EarthArea:
    """Where to look. Raises InvalidRequest."""
    has_circle = asked.lat is not None or asked.lon is not None or asked.radius is not None
    said = [field for field in ("box", "polygon") if getattr(asked, field) is not None]
    if said and len(said) + has_circle > 1:
        told = f"{said[-1]}: a search has `lat`, `lon` and `radius`, a `box` or a `polygon`, one of"
        raise InvalidRequest(f"{told} them", field=said[-1])
    if asked.box is not None:
        return _box(asked.box)
    if asked.polygon is not None:
        return _polygon(asked.polygon)
    if asked.lat is None or asked.lon is None:
        field = "lat" if asked.lat is None else "lon"
        told = f"{field}: a search says where, with `lat` and `lon`, a `box` or a `polygon`"
        raise InvalidRequest(told, field=field)
    radius = RADIUS_METRES if asked.radius is None else asked.radius
    return EarthCircle(EarthPoint(asked.lat, asked.lon), radius)


def _box(text: str) -> EarthBox:
    """A box as `west,south,east,north`. Raises InvalidRequest."""
    try:
        box = EarthBox(*(float(part) for part in text.split(",")))
    except (TypeError, ValueError):
        raise InvalidRequest("box: four numbers, west,south,east,north", field="box") from None
    if not all(math.isfinite(side) for side in box):
        raise InvalidRequest("box: four numbers, west,south,east,north", field="box")
    if max(abs(box.west), abs(box.east)) > 180:
        raise InvalidRequest("box: west and east are from -180 to 180", field="box")
    if max(abs(box.south), abs(box.north)) > 90:
        raise InvalidRequest("box: south and north are from -90 to 90", field="box")
    if box.south >= box.north or box.west == box.east:
        raise InvalidRequest("box: nothing lies in it; south is below north", field="box")
    # Without the remainder: all around the earth is not nothing.
    width = box.east - box.west + (360 if box.west > box.east else 0)
    _check_size("box", width, box)
    return box


def _polygon(text: str) -> EarthPolygon:
    """A polygon as `lon,lat;lon,lat;...`. Raises InvalidRequest."""
    corners = [_corner(part) for part in text.split(";")]
    if len(corners) > 1 and corners[0] == corners[-1]:
        corners.pop()  # as GeoJSON closes it
    if not CORNERS_MIN <= len(corners) <= CORNERS_MAX:
        told = f"polygon: from {CORNERS_MIN} to {CORNERS_MAX} points, here are {len(corners)}"
        raise InvalidRequest(told, field="polygon")
    polygon, width = polygon_of(corners)
    _check_size("polygon", width, polygon.box)
    if polygon.crosses_itself:
        raise InvalidRequest("polygon: its edges cross or touch each other", field="polygon")
    return polygon


def _corner(text: str) -> EarthPoint:
    """A point as `lon,lat`. Raises InvalidRequest."""
    try:
        lon, lat = (float(part) for part in text.split(","))
    except ValueError:
        told = "polygon: points as lon,lat;lon,lat;..."
        raise InvalidRequest(told, field="polygon") from None
    # A number that is none is in no range either.
    if not (abs(lon) <= 180 and abs(lat) <= 90):
        told = "polygon: each lon is from -180 to 180, each lat from -90 to 90"
        raise InvalidRequest(told, field="polygon")
    return EarthPoint(lat, lon)


def _check_size(field: str, width: float, box: EarthBox) -> None:
    """Raises InvalidRequest."""
    if max(width, box.north - box.south) > BOX_DEGREES_MAX:
        told = f"{field}: at most {BOX_DEGREES_MAX} degrees wide and {BOX_DEGREES_MAX} high"
        raise InvalidRequest(told, field=field)
