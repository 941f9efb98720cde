"""The houses of the demo: the same whenever they are made, like a city, and plainly invented."""

from collections import Counter
from datetime import UTC, date, datetime
from itertools import groupby
from zoneinfo import ZoneInfo

import pytest

from bespeak.inventory.readiness import Facts, check_ready
from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.money import check_currency
from bespeak.verticals.stays.demo.houses import DemoHouse, DemoLetting, house
from bespeak.verticals.stays.demo.lists import sentences, towns
from bespeak.verticals.stays.demo.pictures import drawn_pictures
from bespeak.verticals.stays.demo.taken import DAYS_WHOLE, taken_stretches
from bespeak.verticals.stays.forms import NewListing, NewProperty
from bespeak.verticals.stays.listings import resource_of_listing
from bespeak.verticals.stays.properties import property_columns
from bespeak.verticals.stays.search.cells import EarthPoint, metres_between

TODAY = date(2026, 11, 23)
LETTING = DemoLetting("required", TODAY)
HOUSES = 3000
ID = "prp_000000000000"
SHIPPED_BYTES_MAX = 1_500_000


@pytest.fixture(scope="module")
def houses() -> list[DemoHouse]:
    return [house(number, ID, LETTING) for number in range(1, HOUSES + 1)]


def nights_of(said: NewListing) -> NightsPlan:
    assert isinstance(said.plan, NightsPlan)
    return said.plan


def test_a_house_is_the_same_whoever_makes_it(houses: list[DemoHouse]) -> None:
    for number in (1, 77, HOUSES):
        assert house(number, ID, LETTING) == houses[number - 1]
    said = houses[6].listings[0]
    again = [list(taken_stretches(said.ref or "", nights_of(said), TODAY)) for _ in range(2)]
    assert again[0] == again[1]


def test_all_of_it_makes_sense(houses: list[DemoHouse]) -> None:
    """It is what the calls of the API would take, and what guests could buy."""
    facts = Facts(datetime.now(UTC), called_off=False, takes_payments=True)
    for one in houses:
        property_columns(one.said)
        assert 1 <= len(one.listings) <= 5
        for said in one.listings:
            check_ready(resource_of_listing(said, one.said, said.currency or ""), facts)
            assert said.price > 0


def test_the_cities_are_cities() -> None:
    assert len(towns()) == len({one.name for one in towns()}) == 60
    for town in towns():
        ZoneInfo(town.time_zone)
        check_currency(town.currency)
        assert abs(town.lat) < 66
        assert abs(town.lon) < 180
        assert "ar" in town.called


def test_every_city_has_some_and_the_large_ones_more(houses: list[DemoHouse]) -> None:
    counted = Counter(one.said.city for one in houses)
    assert set(counted) == {town.name for town in towns()}
    weights = {town.name: town.weight for town in towns()}
    total = sum(weights.values())
    for name, weight in weights.items():
        expected = HOUSES * weight / total
        assert abs(counted[name] - expected) < 5 * expected**0.5, name


def test_they_stand_about_the_middle_of_their_city(houses: list[DemoHouse]) -> None:
    middles = {town.name: EarthPoint(town.lat, town.lon) for town in towns()}
    far = [
        metres_between(EarthPoint(one.said.lat, one.said.lon), middles[one.said.city])
        for one in houses
    ]
    far.sort()
    assert far[-1] < 21_000
    assert far[len(far) // 2] < 4500
    assert sum(one < 2000 for one in far) > len(far) / 4, "dense in the middle"


def test_kinds_let_what_they_are(houses: list[DemoHouse]) -> None:
    kinds = Counter(one.said.kind for one in houses)
    assert kinds["apartment"] > kinds["hotel"] > kinds["hostel"] > 0
    for one in houses:
        if one.said.kind == "hotel":
            assert 2 <= len(one.listings) <= 5
            assert one.said.stars
        if one.said.kind in ("apartment", "house", "cabin"):
            (said,) = one.listings
            assert nights_of(said).rooms == ("all",)
        else:
            assert all(nights_of(said).count for said in one.listings)


def test_plans_are_few(houses: list[DemoHouse]) -> None:
    """The search keeps the rules of equal plans once, however many listings there are."""
    assert len({said.plan for one in houses for said in one.listings}) < 600


def test_all_of_it_is_said_in_three_languages(houses: list[DemoHouse]) -> None:
    assert set(sentences().called["de"]) == set(sentences().called["ar"])
    for one in houses[:300]:
        assert [words.language for words in one.said.translations] == ["de", "ar"]
        assert all(one.said.summary in words.words for words in one.said.translations)
        for said in one.listings:
            assert all({said.name, said.summary} <= {*words.words} for words in said.translations)


def test_they_say_that_they_are_invented(houses: list[DemoHouse]) -> None:
    for one in houses:
        assert one.said.summary.endswith(sentences().invented)


def test_six_nights_of_ten_are_taken_and_none_twice(houses: list[DemoHouse]) -> None:
    nights = whole = 0
    for one in houses:
        for said in one.listings:
            days = Counter(
                stretch.start.toordinal() + night
                for stretch in taken_stretches(said.ref or "", nights_of(said), TODAY)
                for night in range(stretch.nights)
            )
            assert not days or days.most_common(1)[0][1] == 1
            assert all(TODAY.toordinal() <= day for day in days)
            if nights_of(said).rooms is not None:
                nights, whole = nights + len(days), whole + 1
    assert 0.55 < nights / whole / DAYS_WHOLE < 0.65


def test_of_a_type_never_more_is_taken_than_there_is(houses: list[DemoHouse]) -> None:
    counted = [said for one in houses for said in one.listings if nights_of(said).rooms is None]
    quantities = [
        (stretch.quantity or 0) / (stretch.capacity or 1)
        for said in counted
        for stretch in taken_stretches(said.ref or "", nights_of(said), TODAY)
    ]
    assert 0 < min(quantities) <= max(quantities) == 1
    assert {is_all for is_all, _ in groupby(sorted(one == 1 for one in quantities))} == {
        True,
        False,
    }


def test_they_show_pictures_with_what_is_in_them(houses: list[DemoHouse]) -> None:
    known = {one.digest for one in drawn_pictures().values()}
    first = Counter[str]()
    for one in houses:
        assert {shown.id for shown in one.said.pictures} <= known
        shows: list[NewProperty | NewListing] = [one.said, *one.listings]
        for said in shows:
            texts = {shown.description for shown in said.pictures}
            assert (
                all(texts and texts <= {*words.words} for words in said.translations) or not texts
            )
        for let in one.listings:
            assert len(let.pictures) + len(one.said.pictures) >= 2
            first[(let.pictures or one.said.pictures)[0].id] += 1
    assert len(first) > len(known) / 2, "not the same one everywhere"
    shipped = sum(len(one.content) + len(one.card) for one in drawn_pictures().values())
    assert shipped < SHIPPED_BYTES_MAX
