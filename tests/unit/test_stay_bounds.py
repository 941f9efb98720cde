"""A search does never more work than one answer is worth: what is looked at is counted, not
timed.
"""

from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.verticals.stays.queries import StaysOrder
from bespeak.verticals.stays.search import candidates, listing_rows, records
from bespeak.verticals.stays.search import index as index_of
from bespeak.verticals.stays.search.cells import EarthBox, EarthCircle, EarthPoint
from bespeak.verticals.stays.search.index import PageAsked, StaysIndex
from bespeak.verticals.stays.search.listing import HouseOfListing, IndexedListing
from bespeak.verticals.stays.search.markers import MARKERS_MAX, clusters_of
from bespeak.verticals.stays.search.snapshot import sorted_anew
from bespeak.verticals.stays.search.wanted import StayWindow, Wanted

_NOW = datetime.now(UTC)
_TODAY = _NOW.date().toordinal()
_ONE, _TYPE = NightsPlan(rooms=("one",)), NightsPlan(count=3)
_WIDE = EarthBox(0, 0, 19, 19)
_MONTHS = StayWindow(_TODAY + 1, _TODAY + 63, frozenset(range(7)))


def _listing(number: int, plan: NightsPlan, point: EarthPoint) -> IndexedListing:
    house = HouseOfListing(
        f"prp_{number}", "House", "hotel", None, "", None, point, frozenset(), " house"
    )
    return IndexedListing(
        number=number, workspace="default", house=house, name="Room", summary="", guests=2,
        cots=0,
        beds=[], amenities=frozenset(), plan=plan, price=5000 + number % 97, currency="EUR",
        zone=ZoneInfo("UTC"), published=True, is_open=True, opens_at=None, closes_at=None,
        translations=(), called=f" room {number}",
    )  # fmt: skip


def _index(count: int, plan: NightsPlan = _ONE) -> StaysIndex:
    """Listings spread evenly over a box of 19 degrees, sorted."""
    index = StaysIndex(_TODAY - 2)
    side = int(count**0.5)
    for number in range(side * side):
        place = EarthPoint(19 * (number // side) / side, 19 * (number % side) / side)
        index.put(_listing(number + 1, plan, place))
    return index


def _wanted(**of: object) -> Wanted:
    plain = Wanted(workspace="default", published_only=True, now=_NOW, area=_WIDE)
    return replace(plain, **of)  # type: ignore[arg-type]


_QUESTIONS = (
    _wanted(),
    _wanted(words=("room",)),
    _wanted(arrival=_TODAY + 5, nights=3),
    _wanted(arrival=_TODAY + 5, nights=3, flexible=7),
    _wanted(arrival=_TODAY + 1, nights=1, window=_MONTHS),
    _wanted(area=EarthCircle(EarthPoint(9, 9), 2_000_000)),
)


@pytest.mark.parametrize("wanted", _QUESTIONS)
async def test_of_too_many_the_nearest_are_looked_at(
    wanted: Wanted, monkeypatch: pytest.MonkeyPatch
) -> None:
    loose = _index(2500)
    for index in (loose, await sorted_anew(loose, _TODAY - 2)):
        whole = index.find(wanted)
        assert (len(whole.rows), whole.more) == (2500, False)
        with monkeypatch.context() as patch:
            patch.setattr(candidates, "LISTINGS_LOOKED_MAX", 400)
            patch.setattr(candidates, "NAMES_LOOKED_MAX", 200)
            patch.setattr(candidates, "STAYS_LOOKED_MAX", 3000)
            days = max(1, len(wanted.arrivals))
            most = min(200 if wanted.words else 400, 3000 // days)
            some = index.find(wanted)
            assert 0 < len(some.near.rows) <= most
            assert some.more
            assert set(some.rows.tolist()) <= set(whole.rows.tolist())
            far = dict(zip(whole.rows.tolist(), whole.metres.tolist(), strict=True))
            assert max(some.metres) <= sorted(far.values())[2 * most]
            page = index.page(some, wanted, PageAsked(None, 50, "price"))
            assert len(page) == min(50, len(some.rows))


@pytest.mark.parametrize("order", ["distance", "price"])
def test_so_many_stays_are_looked_at_one_by_one(
    order: StaysOrder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of which columns do not say all: several rooms of a type."""
    index, looks = _index(900, _TYPE), 0
    free_rooms = index.rows.free_rooms

    def counted(row: int, arrival: int, nights: int) -> int:
        nonlocal looks
        looks += 1
        return free_rooms(row, arrival, nights)

    wanted = _wanted(arrival=_TODAY + 5, nights=3, rooms=2)
    assert (len(index.find(wanted).rows), index.find(wanted).more) == (900, False)
    monkeypatch.setattr(index.rows, "free_rooms", counted)
    monkeypatch.setattr(index_of, "CLOSER_LOOKED_MAX", 100)
    found = index.find(wanted)
    assert (len(found.rows), found.more, looks) == (100, True, 100)
    shown = index.page(found, wanted, PageAsked(None, 10, order))
    assert len(shown) == 10


def test_a_map_reads_only_what_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    index, read = _index(3600), 0
    decode = records.listing_of_frame

    def counted(*of: object) -> IndexedListing:
        nonlocal read
        read += 1
        return decode(*of)  # type: ignore[arg-type]

    monkeypatch.setattr(listing_rows, "listing_of_frame", counted)
    found = index.find(_wanted())
    clusters, _ = clusters_of(
        index.on_map(found), 22, lambda places: index.are_one_house(found, places)
    )
    shown = index.at_places(found, [one.cheapest for one in clusters])
    assert len(found.rows) == 3600
    assert sum(one.listings for one in clusters) == 3600
    assert MARKERS_MAX / 5 < len(shown) <= MARKERS_MAX
    assert read <= MARKERS_MAX


def test_the_rooms_of_a_house_are_told_from_its_neighbours() -> None:
    here, index = EarthPoint(9.5, 9.5), StaysIndex(_TODAY - 2)
    for number in range(1, 4):
        one = _listing(number, _ONE, here)
        house = HouseOfListing(
            "prp_1", "House", "hotel", None, "", None, here, frozenset(), " house"
        )
        index.put(replace(one, house=house))
    wanted = _wanted()
    for houses in (1, 2):
        found = index.find(wanted)
        places = range(len(found.rows))
        assert index.are_one_house(found, list(places)) == (houses == 1)
        index.put(_listing(9, _ONE, here))
