"""Polygons: what lies in one is found as by looking at each point with fractions, and what crosses
itself is refused, anywhere on the earth.
"""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bespeak.errors import InvalidRequest
from bespeak.verticals.stays.queries import SearchQuestion
from bespeak.verticals.stays.search.cells import Cells, EarthBox, EarthPoint
from bespeak.verticals.stays.search.polygons import EarthPolygon
from bespeak.verticals.stays.search.where import area_of

Corner = tuple[int, int]

# Corners and points on a grid of half degrees, so that many points lie on edges: doubles have all
# of these numbers exactly.
_GRID = 8
_corners = st.lists(st.tuples(st.integers(0, _GRID), st.integers(0, _GRID)), min_size=3, max_size=7)
_wests = st.sampled_from((-180.0, -90.0, 0.0, 12.5, 176.0, 177.5, 178.0, 179.5, 180.0))
_ALL = [(x, y) for x in range(-1, _GRID + 2) for y in range(-1, _GRID + 2)]


def _lon(west: float, x: int) -> float:
    lon = west + x / 2
    return lon if lon <= 180 else lon - 360


def _asked(corners: list[Corner], west: float, south: float) -> EarthPolygon:
    text = ";".join(f"{_lon(west, x)},{south + y / 2}" for x, y in corners)
    area = area_of(SearchQuestion(polygon=text))
    assert isinstance(area, EarthPolygon)
    return area


def _side(a: Corner, b: Corner, c: Corner) -> int:
    found = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
    return (found > 0) - (found < 0)


def _on(a: Corner, b: Corner, c: Corner) -> bool:
    near = all(min(a[i], b[i]) <= c[i] <= max(a[i], b[i]) for i in (0, 1))
    return near and _side(a, b, c) == 0


def _meet(a: Corner, b: Corner, c: Corner, d: Corner) -> bool:
    if _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0:
        return True
    return _on(a, b, c) or _on(a, b, d) or _on(c, d, a) or _on(c, d, b)


def _edges(corners: list[Corner]) -> list[tuple[Corner, Corner]]:
    return list(zip(corners, corners[1:] + corners[:1], strict=True))


def _is_simple(corners: list[Corner]) -> bool:
    edges, count = _edges(corners), len(corners)
    for (i, one), (j, two) in combinations(enumerate(edges), 2):
        if (j - i) % count in (1, count - 1):
            ends = (one, two) if (j - i) % count == 1 else (two, one)
            (a, b), (_, d) = ends
            if b in (a, d) or _on(a, b, d) or _on(b, d, a):
                return False
        elif _meet(*one, *two):
            return False
    return True


def _is_in(corners: list[Corner], point: Corner) -> bool:
    """By how many edges cross the parallel east of the point."""
    if any(_on(a, b, point) for a, b in _edges(corners)):
        return True
    crossed = 0
    for (x, y), (next_x, next_y) in _edges(corners):
        if (y > point[1]) != (next_y > point[1]):
            at = x + Fraction((point[1] - y) * (next_x - x), next_y - y)
            crossed += at > point[0]
    return crossed % 2 == 1


@given(_corners, _wests, st.sampled_from((-90.0, -4.0, 53.5, 86.0)))
@example([(0, 0), (8, 0), (8, 8), (0, 8)], 177.5, 0.0)
@example([(0, 0), (8, 4), (0, 8), (2, 4)], 177.5, 0.0)
@example([(0, 0), (0, 4), (0, 2)], 0.0, 0.0)
def test_a_polygon_has_what_lies_in_it(corners: list[Corner], west: float, south: float) -> None:
    open_ended = corners[:-1] if corners[0] == corners[-1] else corners
    if len(open_ended) < 3 or not _is_simple(open_ended):
        with pytest.raises(InvalidRequest):
            _asked(corners, west, south)
        return
    polygon, cells = _asked(corners, west, south), Cells()
    points = [(x, y) for x, y in _ALL if -90 <= south + y / 2 <= 90]
    for row, (x, y) in enumerate(points):
        lon = _lon(west, x)
        # 180 east is 180 west.
        lon = lon + 360 if lon < -180 else -lon if abs(lon) == 180 and row % 2 else lon
        cells.add(row, EarthPoint(south + y / 2, lon))
    found = set(cells.nearest(polygon.box, len(points) or 1, polygon.has).rows.tolist())
    assert found == {row for row, point in enumerate(points) if _is_in(open_ended, point)}


def _refusal(polygon: str) -> str:
    with pytest.raises(InvalidRequest) as caught:
        area_of(SearchQuestion(polygon=polygon))
    assert caught.value.data["field"] == "polygon"
    return str(caught.value)


def test_what_is_no_polygon_is_told_why() -> None:
    assert "points as lon,lat" in _refusal("1,2;3")
    assert "points as lon,lat" in _refusal("1,2;3,4;5,x")
    for point in ("181,0", "0,91", "nan,0", "0,inf"):
        assert "from -180 to 180" in _refusal(f"0,0;1,1;{point}")
    assert "here are 2" in _refusal("0,0;1,1;0,0")
    many = ";".join(f"{n / 10},{n * n / 1000}" for n in range(101))
    assert "here are 101" in _refusal(many)
    assert "20 degrees" in _refusal("0,0;20.1,0;0,1")
    assert "20 degrees" in _refusal("0,0;1,0;0,20.1")
    around_the_pole = ";".join(f"{lon},80" for lon in (-180, -90, 0, 90))
    assert "20 degrees" in _refusal(around_the_pole)
    assert "cross or touch" in _refusal("0,0;1,1;1,0;0,1")


def test_a_polygon_may_be_closed_and_its_middle_is_that_of_its_box() -> None:
    area = area_of(SearchQuestion(polygon="179,-1;-179,-1;-179,1;179,1;179,-1"))
    assert isinstance(area, EarthPolygon)
    assert len(area.corners) == 4
    assert area.middle == EarthPoint(0, 180)
    assert area.box == EarthBox(179, -1, -179, 1)
