"""What nearly fits: whoever asks as it is said finds as many as it says, over random plans and
questions. The seed is in the name of the test.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from bespeak.inventory.shapes.nights.plan import NightRule, NightsPlan
from bespeak.verticals.stays.search.asking import tenths_of
from bespeak.verticals.stays.search.cells import EarthBox, EarthCircle, EarthPoint, Near
from bespeak.verticals.stays.search.index import FoundListings, StaysIndex
from bespeak.verticals.stays.search.listing import HouseOfListing, IndexedListing
from bespeak.verticals.stays.search.nearly import FEW, nearly
from bespeak.verticals.stays.search.wanted import StayWindow, Wanted
from bespeak.verticals.stays.views import NearlyFound
from bespeak.verticals.stays.words import AMENITIES, PROPERTY_KINDS, Amenity

if TYPE_CHECKING:
    from bespeak.verticals.stays.search.cells import Rows

_NOW = datetime.now(UTC)
_TODAY = _NOW.date()
_MIDDLE = EarthPoint(48.2, 16.37)
_DAYS, _FINDS_MAX = 20, 8
_WISHES: tuple[Amenity, ...] = AMENITIES[:2]


def _listing(number: int, chance: random.Random) -> IndexedListing:
    start = _TODAY + timedelta(chance.randrange(_DAYS))
    said = chance.choice(({"price": 30_000}, {"min_nights": 3}, {"closed": True}, {}))
    rules = (NightRule(from_=start, to=start + timedelta(3), **said),) if said else ()
    house = HouseOfListing(
        property_id=f"prp_{number}",
        name="House",
        kind=chance.choice(PROPERTY_KINDS[:2]),
        stars=None,
        city="",
        country=None,
        point=EarthPoint(_MIDDLE.lat + chance.uniform(-0.03, 0.03), _MIDDLE.lon),
        amenities=frozenset(chance.sample(_WISHES, chance.randrange(3))),
        called=" house",
        rating=chance.choice((0, 70, 80, 90)),
    )
    made = IndexedListing(
        number=number,
        workspace="default",
        house=house,
        name="Room",
        summary="",
        guests=chance.randint(1, 3),
        cots=0,
        beds=[],
        amenities=frozenset(),
        plan=NightsPlan(count=chance.choice((1, 3)), rules=rules)
        if chance.random() < 0.3
        else NightsPlan(rooms=("room",), rules=rules),
        price=chance.randrange(8000, 14_000),
        currency="EUR",
        zone=ZoneInfo("UTC"),
        published=True,
        is_open=True,
        opens_at=None,
        closes_at=None,
        translations=(),
        called=" room",
    )
    for _ in range(chance.randrange(6)):
        taken = chance.randrange(_DAYS)
        for day in range(taken, taken + chance.randint(1, 3)):
            unit = f"room@{(_TODAY + timedelta(day)).isoformat()}"
            made.mark(unit, is_taken=True, drawn=1)
    return made


def _index(chance: random.Random) -> StaysIndex:
    index = StaysIndex(_TODAY.toordinal() - 2)
    for number in range(1, chance.randint(2, 25)):
        index.put(_listing(number, chance))
    return index


def _question(chance: random.Random) -> Wanted:
    box = EarthBox(_MIDDLE.lon - 1, _MIDDLE.lat - 0.01, _MIDDLE.lon + 1, _MIDDLE.lat + 0.01)
    circle = EarthCircle(_MIDDLE, chance.choice((500, 1000, 2000, 60_000, 100_000)))
    wanted = Wanted(
        workspace="default",
        published_only=True,
        now=_NOW,
        area=chance.choice((circle, circle, box)),
        arrival=_TODAY.toordinal() + chance.randrange(_DAYS),
        nights=chance.randint(1, 5),
        guests=chance.choice((1, 1, 1, 4, 6)),
        flexible=chance.choice((0, 0, 0, 1, 7)),
        price_max=chance.choice((None, 9000, 11_000)),
        currency="EUR",
        kinds=frozenset(chance.sample(PROPERTY_KINDS[:2], chance.randrange(2))),
        amenities=frozenset(chance.sample(_WISHES, chance.randrange(3))),
        amenities_any=frozenset(chance.sample(_WISHES, chance.choice((0, 0, 1, 2)))),
        rating_min=chance.choice((None, None, 15, 80)),
    )
    if chance.random() < 0.8:
        return wanted
    first = wanted.arrival or 0
    window = StayWindow(first, first + wanted.nights + 2, frozenset(range(7)))
    return replace(wanted, flexible=0, window=window)


def _changed(wanted: Wanted, said: NearlyFound) -> Wanted:
    """The question, as it is said to be asked."""
    if said.start is not None and said.end is not None:
        arrival = said.start.toordinal()
        wanted = replace(wanted, arrival=arrival, nights=said.end.toordinal() - arrival)
    if said.nights is not None:
        wanted = replace(wanted, nights=said.nights)
    if said.rooms is not None:
        wanted = replace(wanted, rooms=said.rooms)
    if said.radius is not None:
        wanted = replace(wanted, area=EarthCircle(_MIDDLE, said.radius))
    if said.price_max is not None:
        wanted = replace(wanted, price_max=said.price_max)
    if said.rating_min is not None:
        wanted = replace(wanted, rating_min=tenths_of(said.rating_min))
    if said.amenities is not None:
        wanted = replace(wanted, amenities=frozenset(said.amenities))
    if said.amenities_any is not None:
        wanted = replace(wanted, amenities_any=frozenset(said.amenities_any))
    if said.kinds is not None:
        wanted = replace(wanted, kinds=frozenset(said.kinds))
    return wanted


class _Counting(StaysIndex):
    """How often was looked."""

    looks = 0

    def find(self, wanted: Wanted, near: Near | None = None) -> FoundListings:
        self.looks += 1
        return super().find(wanted, near)

    def count(self, wanted: Wanted, near: Near) -> int:
        self.looks += 1
        return super().count(wanted, near)

    def counts(self, wanted: Wanted, suited: "Rows", starts: Sequence[int]) -> list[int]:
        self.looks += 1
        return super().counts(wanted, suited, starts)


@pytest.mark.parametrize("seed", range(5))
def test_who_asks_as_it_is_said_finds_as_many(seed: int) -> None:
    chance = random.Random(seed)
    kinds: set[str] = set()
    for _ in range(200):
        index = _index(chance)
        index.__class__ = _Counting
        wanted = _question(chance)
        matches = index.find(wanted)
        count = len(matches.rows)
        before = index.looks  # type: ignore[attr-defined]
        said = nearly(index, wanted, matches)
        assert index.looks - before <= _FINDS_MAX  # type: ignore[attr-defined]
        assert len(said) <= FEW
        assert count < FEW or not said
        for one in said:
            assert one.found > count
            assert len(index.find(_changed(wanted, one)).rows) == one.found, (wanted, one)
        kinds |= {one.kind for one in said}
    assert kinds == {
        "other_dates",
        "shorter",
        "more_rooms",
        "further",
        "dearer",
        "lower_rating",
        "fewer_wishes",
    }


@pytest.mark.parametrize(
    ("guests", "rooms", "of", "wanted_rooms"),
    [(4, 1, (2,), 2), (9, 1, (2, 4), 3), (4, 2, (2,), None), (2, 2, (1,), None), (5, 4, (1,), 5)],
)
def test_whose_party_is_too_large_for_a_room_is_told_of_more_rooms(
    guests: int, rooms: int, of: tuple[int, ...], wanted_rooms: int | None
) -> None:
    """One more, or as many as they need; never more rooms than guests."""
    index = StaysIndex(_TODAY.toordinal() - 2)
    for number, capacity in enumerate(of, start=1):
        one = replace(_listing(number, random.Random(3)), guests=capacity, taken={}, drawn={})
        one.plan, one.full = NightsPlan(count=6), 0
        index.put(one)
    wanted = Wanted(
        workspace="default",
        published_only=True,
        now=_NOW,
        area=EarthCircle(_MIDDLE, 100_000),
        arrival=_TODAY.toordinal() + 3,
        nights=2,
        guests=guests,
        rooms=rooms,
    )
    said = [one for one in nearly(index, wanted, index.find(wanted)) if one.kind == "more_rooms"]
    assert [one.rooms for one in said] == ([] if wanted_rooms is None else [wanted_rooms])
    assert all(one.found for one in said)


def test_cots_are_beds_for_small_children_in_what_nearly_fits() -> None:
    index = StaysIndex(_TODAY.toordinal() - 2)
    one = replace(_listing(1, random.Random(3)), guests=2, cots=1, taken={}, drawn={})
    one.plan, one.full = NightsPlan(count=6), 0
    index.put(one)

    def rooms(guests: int, *ages: int, of: int = 1) -> list[int | None]:
        wanted = Wanted(
            workspace="default",
            published_only=True,
            now=_NOW,
            area=EarthCircle(_MIDDLE, 100_000),
            arrival=_TODAY.toordinal() + 3,
            nights=2,
            guests=guests,
            ages=ages,
            rooms=of,
        )
        said = nearly(index, wanted, index.find(wanted))
        return [each.rooms for each in said if each.kind == "more_rooms"]

    assert rooms(3, 2) == []  # it fits
    assert rooms(3, 3) == [2]
    assert rooms(6, 1, 0) == [2]
    assert rooms(7, 2, 1, 0) == [3]
    assert rooms(6, 2, 2, of=2) == []


def test_other_dates_are_those_with_most_then_the_nearest() -> None:
    index = StaysIndex(_TODAY.toordinal() - 2)
    for number, free in enumerate(((11, 13), (11, 13), (9, 13), (13,)), start=1):
        one = _listing(number, random.Random(3))
        one.plan, one.taken = NightsPlan(rooms=("room",)), {}
        for day in set(range(_DAYS)) - set(free):
            unit = f"room@{(_TODAY + timedelta(day)).isoformat()}"
            one.mark(unit, is_taken=True, drawn=0)
        index.put(one)
    wanted = replace(
        _question(random.Random(1)),
        area=EarthCircle(_MIDDLE, 10_000),
        arrival=(_TODAY + timedelta(10)).toordinal(),
        nights=1,
        flexible=0,
        window=None,
        price_max=None,
        kinds=frozenset(),
        amenities=frozenset(),
        amenities_any=frozenset(),
        rating_min=None,
    )
    (said,) = nearly(index, wanted, index.find(wanted))
    assert (said.kind, said.found, said.start) == ("other_dates", 4, _TODAY + timedelta(13))
    assert said.end == _TODAY + timedelta(14)


def test_no_day_is_said_on_which_nobody_may_ask() -> None:
    index = StaysIndex(_TODAY.toordinal() - 2)
    one = _listing(1, random.Random(3))
    one.plan, one.taken = NightsPlan(rooms=("room",), cutoff_hours=-24), {}
    index.put(one)
    one.mark(f"room@{_TODAY.isoformat()}", is_taken=True, drawn=0)
    wanted = replace(_question(random.Random(1)), area=EarthCircle(_MIDDLE, 10_000), nights=1)
    wanted = replace(wanted, arrival=_TODAY.toordinal() - 1, flexible=7, window=None)
    wanted = replace(wanted, price_max=None)
    said = nearly(index, wanted, index.find(wanted))
    assert all(one.start is None or one.start >= _TODAY - timedelta(1) for one in said)
    assert date.fromordinal(wanted.arrival or 1) == _TODAY - timedelta(1)
