"""Points in cells: who is near, or in a box, is found as by looking at all, anywhere on the
earth.
"""

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bespeak.verticals.stays.search.cells import (
    CellColumns,
    Cells,
    EarthBox,
    EarthCircle,
    EarthPoint,
    Near,
    metres_between,
)

if TYPE_CHECKING:
    from bespeak.inventory.arrays import Numbers
    from bespeak.verticals.stays.search.cells import Rows

# The middle of many a search: also beside the date line and at the poles.
_lat = st.one_of(st.floats(-90, 90), st.sampled_from((-90.0, 89.95, 90.0, 0.0)))
_lon = st.one_of(st.floats(-180, 180), st.sampled_from((-180.0, -179.99, 179.99, 180.0)))
_points = st.builds(EarthPoint, _lat, _lon)
_close = st.floats(-1.5, 1.5)
_ALL = 10_000


def _moved(middle: EarthPoint, by: tuple[float, float]) -> EarthPoint:
    lat = max(-90.0, min(90.0, middle.lat + by[0]))
    lon = (middle.lon + by[1] * 10 + 180) % 360 - 180
    return EarthPoint(lat, lon)


# Far away, so that not all cells are looked at.
_FAR = {1000 + n: EarthPoint(n % 90 - 45.0, n * 1.7 % 360 - 180) for n in range(2000)}


class _Sorted:
    """Cells of which half of the rows are sorted, with what tells their numbers."""

    def __init__(self, points: dict[int, EarthPoint]) -> None:
        loose = Cells()
        for number, point in list(points.items())[::2]:
            loose.add(number, point)
        rows, cells = loose.order(np.array(list(points)[::2], dtype=np.int64))
        ball, degrees = loose.columns
        self._numbers = rows.tolist()
        self._cells = Cells(CellColumns(ball[rows], degrees[rows]), cells)
        for number, point in list(points.items())[1::2]:
            self._cells.add(len(self._numbers), point)
            self._numbers.append(number)

    def told(self, near: Near) -> dict[int, float]:
        numbers = [self._numbers[row] for row in near.rows.tolist()]
        assert len(set(numbers)) == len(numbers)
        return dict(zip(numbers, near.metres.tolist(), strict=True))

    def within(self, area: EarthCircle | EarthBox) -> dict[int, float]:
        return self.told(self._cells.nearest(area, _ALL))


def _filled(points: dict[int, EarthPoint]) -> Cells:
    cells = Cells()
    for number, point in points.items():
        cells.add(number, point)
    return cells


@given(_points, st.lists(st.tuples(_close, _close), max_size=40), st.floats(100, 100_000))
def test_a_circle_has_what_lies_in_it(
    middle: EarthPoint, offsets: list[tuple[float, float]], radius: float
) -> None:
    points = dict(enumerate(_moved(middle, by) for by in offsets)) | _FAR
    cells = _filled(points)
    wanted = {n for n, point in points.items() if metres_between(middle, point) <= radius}
    found = cells.nearest(EarthCircle(middle, radius), _ALL)
    told = dict(zip(found.rows.tolist(), found.metres.tolist(), strict=True))
    assert told.keys() == wanted
    for number, metres in told.items():
        assert abs(metres - metres_between(middle, points[number])) < 0.01
    assert _Sorted(points).within(EarthCircle(middle, radius)) == told


def _is_in(box: EarthBox, point: EarthPoint) -> bool:
    """By degrees, one meridian after the other; 180 east is 180 west."""
    lons = {point.lon, -point.lon} if abs(point.lon) == 180 else {point.lon}
    if box.west <= box.east:
        across = any(box.west <= lon <= box.east for lon in lons)
    else:
        across = any(lon >= box.west or lon <= box.east for lon in lons)
    return box.south <= point.lat <= box.north and across


@given(
    _points,
    st.lists(st.tuples(_close, _close), max_size=40),
    st.floats(0.001, 20),
    st.floats(0.001, 20),
)
def test_a_box_has_what_lies_in_it(
    corner: EarthPoint, offsets: list[tuple[float, float]], width: float, height: float
) -> None:
    lon = corner.lon + width
    north = min(90.0, corner.lat + height)
    box = EarthBox(corner.lon, corner.lat, lon if lon <= 180 else lon - 360, north)
    points = dict(enumerate(_moved(box.middle, by) for by in offsets)) | _FAR
    sides = (box.west, box.east, 180.0, -180.0)
    points |= {500 + n: EarthPoint(box.south, lon) for n, lon in enumerate(sides)}
    points |= {600 + n: EarthPoint(box.north, lon) for n, lon in enumerate(sides)}
    found = _filled(points).nearest(box, _ALL)
    told = dict(zip(found.rows.tolist(), found.metres.tolist(), strict=True))
    assert told.keys() == {n for n, point in points.items() if _is_in(box, point)}
    for number, metres in told.items():
        assert abs(metres - metres_between(box.middle, points[number])) < 0.01
    assert _Sorted(points).within(box) == told


def test_the_middle_of_a_box_lies_in_it_over_the_date_line() -> None:
    assert EarthBox(170, -10, -160, 10).middle == EarthPoint(0, -175)
    assert EarthBox(160, -10, -170, 10).middle == EarthPoint(0, 175)
    assert EarthBox(-10, 40, 10, 50).middle == EarthPoint(45, 0)


@given(_points)
def test_what_is_removed_is_nowhere(point: EarthPoint) -> None:
    cells = Cells()
    cells.add(1, point)
    cells.add(2, point)
    cells.remove(1, point)
    cells.remove(1, point)
    assert cells.nearest(EarthCircle(point, 100), _ALL).rows.tolist() == [2]


def test_distances_are_those_of_the_earth() -> None:
    berlin, sydney = EarthPoint(52.52, 13.405), EarthPoint(-33.8688, 151.2093)
    assert abs(metres_between(berlin, sydney) - 16_095_000) < 80_000
    assert abs(metres_between(EarthPoint(0, 179.9), EarthPoint(0, -179.9)) - 22_239) < 100


@given(
    st.one_of(
        st.builds(EarthCircle, _points, st.floats(100, 100_000)),
        st.builds(
            lambda corner, wide, high: EarthBox(
                corner.lon,
                corner.lat,
                (corner.lon + wide + 180) % 360 - 180,
                min(90.0, corner.lat + high),
            ),
            _points.filter(lambda point: point.lat < 89),
            st.floats(0.01, 20),
            st.floats(0.01, 20),
        ),
    ),
    st.lists(st.tuples(_close, _close), max_size=60),
    st.integers(1, 30),
)
def test_of_too_many_the_nearest_are_taken(
    area: EarthCircle | EarthBox, offsets: list[tuple[float, float]], most: int
) -> None:
    """Of twice as many not all are read, so what is taken is about the nearest."""
    points = dict(enumerate(_moved(area.middle, by) for by in offsets)) | _FAR
    for cells in (_filled(points), _Sorted(points)._cells):
        whole = set(cells.nearest(area, _ALL).rows.tolist())
        found = cells.nearest(area, most)
        rows = found.rows.tolist()
        assert len(rows) <= most
        assert len(set(rows)) == len(rows)
        assert set(rows) <= whole
        assert found.more or set(rows) == whole
        if len(whole) > most:
            assert found.more
        away = cells.nearest(area, _ALL)
        by_row = dict(zip(away.rows.tolist(), away.metres.tolist(), strict=True))
        for row, metres in zip(rows, found.metres.tolist(), strict=True):
            assert abs(by_row[row] - metres) < 0.01
        if found.more and len(rows) == most and isinstance(area, EarthCircle):
            farthest = max(found.metres.tolist())
            left = [metres for row, metres in by_row.items() if row not in rows]
            assert all(metres >= farthest - 0.01 for metres in left)


def test_of_a_great_many_only_those_around_the_middle_are_read() -> None:
    """A box of 20 degrees with 20,000 rows: what is read is counted, not timed."""
    cells = Cells()
    for number in range(20_000):
        cells.add(number, EarthPoint(number // 200 * 0.19, number % 200 * 0.099))
    read = []
    chords = cells._chords

    def counted(rows: "Rows", middle: EarthPoint) -> "Numbers":
        read.append(len(rows))
        return chords(rows, middle)

    cells._chords = counted  # type: ignore[method-assign]
    found = cells.nearest(EarthBox(0, 0, 20, 20), 500)
    assert (len(found.rows), found.more) == (500, True)
    assert sum(read) <= 1000
    assert found.metres.max() < 300_000
