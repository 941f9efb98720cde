"""Markers of a map: each listing is in one, what is close together in the same, and never more than
an answer has room for. Where the window of the map is makes no difference.
"""

import math
from collections import Counter, defaultdict
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from bespeak.inventory.arrays import np
from bespeak.verticals.stays.search.cells import EarthPoint
from bespeak.verticals.stays.search.markers import MARKERS_MAX, Cluster, MapColumns, clusters_of

_points = st.builds(EarthPoint, st.floats(-90, 90), st.floats(-180, 180))
_near_points = st.builds(EarthPoint, st.integers(0, 3), st.integers(178, 180))


class _One(NamedTuple):
    """A listing that was found."""

    number: int
    point: EarthPoint
    price: int = 100
    currency: str = "EUR"
    house: str = ""


def _clusters(found: list[_One], zoom: int) -> tuple[list[Cluster], int]:
    """The clusters, with the numbers of the cheapest in the place of their places."""
    names = sorted({one.currency for one in found})
    columns = MapColumns(
        np.array([one.point for one in found], dtype=np.float64).reshape(-1, 2),
        np.array([one.number for one in found], dtype=np.int64),
        np.array([one.price for one in found], dtype=np.int64),
        np.array([names.index(one.currency) for one in found], dtype=np.int64),
    )

    def is_one_house(places: list[int]) -> bool:
        return len({found[place].house or found[place].number for place in places}) == 1

    clusters, at = clusters_of(columns, zoom, is_one_house)
    return [one._replace(cheapest=found[one.cheapest].number) for one in clusters], at


def _cell(point: EarthPoint, zoom: int) -> tuple[int, int]:
    """By the book: https://en.wikipedia.org/wiki/Web_Mercator_projection, with 60 pixels a cell."""
    side = 256 * 2**zoom / 60
    lat = math.radians(min(85.051129, max(-85.051129, point.lat)))
    down = min(1.0, max(0.0, 0.5 - math.atanh(math.sin(lat)) / (2 * math.pi)))
    return math.floor(down * side), math.floor((point.lon + 180) % 360 / 360 * side)


@given(
    st.lists(
        st.tuples(
            st.one_of(_points, _near_points),
            st.integers(1, 5),
            st.sampled_from(("EUR", "CHF", "JPY")),
            st.sampled_from(("a", "b")),
        ),
        max_size=60,
    ),
    st.integers(0, 22),
)
def test_markers_are_those_of_one_listing_after_the_other(
    made: list[tuple[EarthPoint, int, str, str]], zoom: int
) -> None:
    # A house has one place.
    found = [
        _One(number, point, price, currency, f"{house}{point}")
        for number, (point, price, currency, house) in enumerate(made)
    ]
    cells = defaultdict(list)
    for one in found:
        cells[_cell(one.point, zoom)].append(one)
    expected = []
    for _, those in sorted(cells.items()):
        sold = Counter(one.currency for one in those)
        usual = min(sold, key=lambda currency: (-sold[currency], currency))
        least = min((one.price, one.number) for one in those if one.currency == usual)
        expected.append((len(those), least[1], len({one.house for one in those}) == 1))
    clusters, at = _clusters(found, zoom)
    assert at == zoom
    assert [(one.listings, one.cheapest, one.is_one_house) for one in clusters] == expected


@given(st.lists(_points, max_size=60), st.integers(0, 22))
def test_each_listing_is_in_one_marker_whatever_the_order(
    points: list[EarthPoint], zoom: int
) -> None:
    found = [_One(number, point) for number, point in enumerate(points)]
    clusters, at = _clusters(found, zoom)
    assert at == zoom
    assert sum(one.listings for one in clusters) == len(points)
    assert all(abs(one.lat) <= 90 and abs(one.lon) <= 180 for one in clusters)
    assert _clusters(found[::-1], zoom) == (clusters, at)


def test_of_too_many_the_cells_are_larger() -> None:
    found = [_One(n, EarthPoint(n % 20 / 10, n // 20 / 10)) for n in range(20 * 20)]
    clusters, zoom = _clusters(found, 22)
    assert MARKERS_MAX / 5 < len(clusters) <= MARKERS_MAX
    assert zoom < 22
    assert _clusters(found, zoom) == (clusters, zoom)
    assert len({_cell(one.point, zoom + 1) for one in found}) > MARKERS_MAX
    assert len(_clusters(found, 0)[0]) == 1


def test_what_is_close_at_a_zoom_is_one_and_its_middle_lies_between() -> None:
    found = [_One(1, EarthPoint(50.0, 10.0)), _One(2, EarthPoint(50.001, 10.002))]
    (one,), _ = _clusters(found, 10)
    assert (one.lat, one.lon, one.listings, one.is_one_house) == (50.0005, 10.001, 2, False)
    apart, _ = _clusters(found, 18)
    # From north to south.
    assert [one.lat for one in apart] == [50.001, 50.0]
    edge = [_One(1, EarthPoint(0, 180)), _One(2, EarthPoint(0, -180))]
    (one,), _ = _clusters(edge, 22)
    assert (one.lon, one.listings) == (-180.0, 2)


def test_the_price_is_the_lowest_in_the_currency_of_most() -> None:
    here = EarthPoint(1.0, 2.0)
    found = [
        _One(1, here, 900, "JPY", "prp_a"),
        _One(2, here, 8000, house="prp_a"),
        _One(3, here, 7000, house="prp_a"),
        _One(4, here, 7000, house="prp_a"),
    ]
    (one,), _ = _clusters(found, 5)
    assert (one.cheapest, one.is_one_house) == (3, True)
    (tied,), _ = _clusters(found[:2], 5)
    assert tied.cheapest == 2
    assert _clusters([], 5) == ([], 5)
