"""Markers of a map: each listing is in one, what is close together in the same, and never more than
an answer has room for. Where the window of the map is makes no difference.
"""

from types import SimpleNamespace
from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from bespeak.verticals.stays.search.cells import EarthPoint
from bespeak.verticals.stays.search.listing import IndexedListing
from bespeak.verticals.stays.search.markers import MARKERS_MAX, clusters_of
from bespeak.verticals.stays.search.wanted import Found

_points = st.builds(EarthPoint, st.floats(-90, 90), st.floats(-180, 180))


def _found(
    number: int, point: EarthPoint, price: int = 100, currency: str = "EUR", house: str = ""
) -> Found:
    of = SimpleNamespace(property_id=house or f"prp_{number}", point=point)
    listing = SimpleNamespace(number=number, house=of, currency=currency)
    return Found(cast("IndexedListing", listing), 0, None, None, price)


@given(st.lists(_points, max_size=60), st.integers(0, 22))
def test_each_listing_is_in_one_marker_whatever_the_order(
    points: list[EarthPoint], zoom: int
) -> None:
    found = [_found(number, point) for number, point in enumerate(points)]
    clusters, at = clusters_of(found, zoom)
    assert at == zoom
    assert sum(one.listings for one in clusters) == len(points)
    assert all(abs(one.lat) <= 90 and abs(one.lon) <= 180 for one in clusters)
    assert clusters_of(found[::-1], zoom) == (clusters, at)


def test_of_too_many_the_cells_are_larger() -> None:
    found = [_found(n, EarthPoint(n % 20 / 10, n // 20 / 10)) for n in range(20 * 20)]
    clusters, zoom = clusters_of(found, 22)
    assert MARKERS_MAX / 5 < len(clusters) <= MARKERS_MAX
    assert zoom < 22
    assert clusters_of(found, zoom) == (clusters, zoom)
    assert len(clusters_of(found, 0)[0]) == 1


def test_what_is_close_at_a_zoom_is_one_and_its_middle_lies_between() -> None:
    found = [_found(1, EarthPoint(50.0, 10.0)), _found(2, EarthPoint(50.001, 10.002))]
    (one,), _ = clusters_of(found, 10)
    assert (one.lat, one.lon, one.listings, one.is_one_house) == (50.0005, 10.001, 2, False)
    apart, _ = clusters_of(found, 18)
    # From north to south.
    assert [one.lat for one in apart] == [50.001, 50.0]
    edge = [_found(1, EarthPoint(0, 180)), _found(2, EarthPoint(0, -180))]
    (one,), _ = clusters_of(edge, 22)
    assert (one.lon, one.listings) == (-180.0, 2)


def test_the_price_is_the_lowest_in_the_currency_of_most() -> None:
    here = EarthPoint(1.0, 2.0)
    found = [
        _found(1, here, 900, "JPY", "prp_a"),
        _found(2, here, 8000, house="prp_a"),
        _found(3, here, 7000, house="prp_a"),
        _found(4, here, 7000, house="prp_a"),
    ]
    (one,), _ = clusters_of(found, 5)
    assert (one.cheapest.listing.number, one.is_one_house) == (3, True)
    (tied,), _ = clusters_of(found[:2], 5)
    assert tied.cheapest.listing.currency == "EUR"
    assert clusters_of([], 5) == ([], 5)
