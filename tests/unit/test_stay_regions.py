"""The region of a search server: what it covers has no point outside of it, and what of the earth a
setting means.
"""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak.errors import InvalidSetting
from bespeak.verticals.stays.search.cells import (
    EARTH_METRES,
    EarthBox,
    EarthCircle,
    EarthPoint,
    metres_between,
)
from bespeak.verticals.stays.search.polygons import polygon_of
from bespeak.verticals.stays.search.region import SearchRegion, region_of

_LATS = st.floats(-90, 90)
_LONS = st.floats(-180, 180)


def _region(text: str) -> SearchRegion:
    found = region_of(text)
    assert found is not None
    return found


def _has(region: SearchRegion, point: EarthPoint) -> bool:
    """As the statement that reads listings says it."""
    west, width, south, north = region.edges
    east = point.lon - west - 360 * math.floor((point.lon - west) / 360)
    return south <= point.lat <= north and east <= width


@st.composite
def _regions(draw: st.DrawFn) -> SearchRegion:
    """Of whole degrees, so that nothing is rounded."""
    west = draw(st.integers(-180, 180))
    east = draw(st.integers(-180, 180).filter(lambda lon: lon != west))
    south = draw(st.integers(-90, 89))
    return _region(f"{west},{south},{east},{draw(st.integers(south + 1, 90))}")


@given(_regions(), _LATS, _LONS, st.floats(100, 100_000), st.data())
def test_nothing_of_a_circle_that_is_covered_lies_outside(
    region: SearchRegion, lat: float, lon: float, radius: float, data: st.DataObject
) -> None:
    circle = EarthCircle(EarthPoint(lat, lon), radius)
    reach = math.degrees(radius / EARTH_METRES)
    side = min(180, reach / max(math.cos(math.radians(lat)), 0.01))
    east = lon + data.draw(st.floats(-side, side))
    inside = data.draw(st.floats(max(-90, lat - reach), min(90, lat + reach)))
    near = EarthPoint(inside, (east + 180) % 360 - 180)
    if not _has(region, circle.middle):
        assert not region.covers(circle)
    if region.covers(circle) and metres_between(circle.middle, near) <= radius:
        assert _has(region, near)


@given(_regions(), st.integers(-180, 179), st.integers(1, 20), st.integers(-90, 88), st.data())
def test_a_box_is_covered_if_all_of_it_lies_inside(
    region: SearchRegion, west: int, width: int, south: int, data: st.DataObject
) -> None:
    east = west + width if west + width <= 180 else west + width - 360
    north = data.draw(st.integers(south + 1, min(90, south + 20)))
    halves = [west + step / 2 for step in range(2 * width + 1)]
    points = [
        EarthPoint(lat, lon if lon <= 180 else lon - 360)
        for lon in halves
        for lat in (south, south + 0.5, north)
    ]
    box = EarthBox(west, south, east, north)
    assert region.covers(box) == all(_has(region, point) for point in points)


def test_regions_reach_over_the_date_line_and_to_the_poles() -> None:
    fiji = _region("170,-25,-170,-10")
    assert fiji.covers(EarthCircle(EarthPoint(-17, 180), 100_000))
    assert fiji.covers(EarthBox(175, -20, -175, -15))
    assert not fiji.covers(EarthBox(-175, -20, 175, -15))
    assert not fiji.covers(EarthCircle(EarthPoint(-17, 0), 100))
    cap = _region("-180,60,180,90")
    assert cap.covers(EarthCircle(EarthPoint(89.9, 20), 100_000))
    assert not _region("0,60,40,90").covers(EarthCircle(EarthPoint(89.9, 20), 100_000))
    earth = _region("-180,-90,180,90")
    assert earth.covers(EarthCircle(EarthPoint(-90, 0), 100_000))
    corners = [EarthPoint(53, 9), EarthPoint(54, 9), EarthPoint(54, 10)]
    polygon, _ = polygon_of(corners)
    assert _region("5,45,16,56").covers(polygon)
    assert not _region("9.5,45,16,56").covers(polygon)


def test_a_region_is_four_numbers_that_make_sense() -> None:
    assert region_of(None) is None
    assert _region("5,45,16,56").mark != _region("5,45,16,57").mark
    wrong = ("", "1,2,3", "1,2,3,x", "nan,0,1,1", "0,nan,1,1", "-181,0,0,1", "0,0,181,1")
    for text in (*wrong, "0,2,1,1", "0,1,1,1", "0,-91,1,1", "5,0,5,1", "0,0,inf,1"):
        with pytest.raises(InvalidSetting, match="BESPEAK_SEARCH_REGION"):
            region_of(text)
