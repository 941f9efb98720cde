"""The index of stays against one listing after the other, judged by the rules of its plan: over
random listings of all kinds and questions of all kinds. The seed is in the name of the test.
"""

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple, get_args
from zoneinfo import ZoneInfo

import msgspec
import pytest
from msgspec import UNSET, UnsetType

from bespeak import Line
from bespeak.errors import NotOnSale
from bespeak.inventory.arrays import np
from bespeak.inventory.plans import SaleContext
from bespeak.inventory.price_parts import PriceParts
from bespeak.inventory.shapes.nights.plan import NightRule, NightsPlan
from bespeak.inventory.shapes.nights.rules import CompiledNights
from bespeak.parties import of_rooms
from bespeak.pricing.quotes import Priced, StayGuests, make_quote
from bespeak.pricing.rules import Pricing
from bespeak.verticals.stays.queries import StaysOrder
from bespeak.verticals.stays.search import night_changes
from bespeak.verticals.stays.search.cells import EarthCircle, EarthPoint, metres_between
from bespeak.verticals.stays.search.columns import WORDS
from bespeak.verticals.stays.search.index import PageAsked, StaysIndex
from bespeak.verticals.stays.search.listing import HouseOfListing, IndexedListing
from bespeak.verticals.stays.search.orders import by_recommendation
from bespeak.verticals.stays.search.snapshot import sorted_anew
from bespeak.verticals.stays.search.stay_cost import charges_of
from bespeak.verticals.stays.search.towns_of_rows import TownsAsked, TownsWhose
from bespeak.verticals.stays.search.wanted import Found, StayWindow, Wanted
from bespeak.verticals.stays.words import AMENITIES, PROPERTY_KINDS
from tests.harness.stay_rates import some_ages, some_pricing, with_rates

_NOW = datetime.now(UTC)
_TODAY = _NOW.date()
_MIDDLE = EarthPoint(48.2, 16.37)
_DAYS = 24


class _Stay(NamedTuple):
    """A stay that can be had."""

    number: int
    arrival: int | None
    free: int | None
    price: int


def _plans(chance: random.Random) -> list[NightsPlan]:
    """Some plans, as listings share them."""
    made = [NightsPlan(count=2), NightsPlan(rooms=("one",)), NightsPlan(rooms=("one",), price=6000)]
    for _ in range(12):
        start = _TODAY + timedelta(chance.randrange(_DAYS))
        said = chance.choice(
            (
                {"closed": True},
                {"closed_to_arrival": True},
                {"closed_to_departure": True},
                {"min_nights": 3},
                {"max_nights": 2},
                {"min_through": 2},
                {"price": 7777},
            )
        )
        rule = NightRule(from_=start, to=start + timedelta(chance.randint(1, 6)), **said)
        rules = (rule,) * chance.randrange(2)
        if chance.random() < 0.4:
            counted = NightRule(from_=start, to=start + timedelta(2), count=chance.randrange(3))
            plan = NightsPlan(
                count=chance.randint(1, 3), overbooking=chance.randrange(2), rules=(*rules, counted)
            )
        else:
            rooms = tuple(f"room {n}" for n in range(chance.randint(1, 3)))
            plan = NightsPlan(rooms=rooms, buffer_nights=chance.randrange(2), rules=rules)
        window = chance.choice((10, 365))
        plan = msgspec.structs.replace(plan, window_days=window)
        made.append(with_rates(plan, chance) if chance.random() < 0.4 else plan)
    return made


def _listing(number: int, plan: NightsPlan, chance: random.Random) -> IndexedListing:
    house = HouseOfListing(
        property_id=f"prp_{number}",
        name="House",
        kind=chance.choice(PROPERTY_KINDS[:3]),
        stars=None,
        city="",
        country=None,
        point=EarthPoint(_MIDDLE.lat + chance.uniform(-0.02, 0.02), _MIDDLE.lon),
        amenities=frozenset(chance.sample(AMENITIES[:3], chance.randrange(3))),
        called=chance.choice((" haus am hafen", " alte mühle")),
        rating=(rating := chance.choice((0, 60, 79, 80, 93, 100))),
        ratings=0 if rating == 0 else chance.choice((1, 40, 2000)),
    )
    made = IndexedListing(
        number=number,
        workspace=chance.choice(("default", "default", "acme")),
        house=house,
        name="Room",
        summary="",
        guests=chance.randint(1, 4),
        cots=chance.choice((0, 0, 1, 2)),
        beds=[],
        amenities=frozenset(chance.sample(AMENITIES[:3], chance.randrange(2))),
        plan=plan,
        # Some so dear that they are worked out one by one.
        price=chance.choice((5000, 8000) * 10 + (3_000_000_000,)),
        currency=chance.choice(("EUR", "EUR", "CHF")),
        zone=ZoneInfo(chance.choice(("UTC", "Pacific/Honolulu"))),
        published=chance.random() < 0.9,
        is_open=chance.random() < 0.9,
        opens_at=chance.choice((None,) * 8 + (_NOW - timedelta(1), _NOW + timedelta(1))),
        closes_at=chance.choice((None,) * 8 + (_NOW - timedelta(1), _NOW + timedelta(1))),
        translations=(),
        called=" room",
        charges=_charges(chance),
    )
    for _ in range(chance.randrange(9)):
        _take(made, chance)
    return made


def _charges(chance: random.Random) -> Pricing | None:
    pricing = some_pricing(chance) if chance.random() < 0.3 else None
    return None if pricing is None else charges_of(pricing.fees, pricing.taxes)


def _units(one: IndexedListing, chance: random.Random) -> Iterator[str]:
    """The units of some nights in a row of a room, or of the type."""
    start = chance.randrange(_DAYS)
    room = "" if one.plan.rooms is None else chance.choice(one.plan.rooms)
    for day in range(start, start + chance.randint(1, 5)):
        yield f"{room}@{(_TODAY + timedelta(day)).isoformat()}"


def _take(one: IndexedListing, chance: random.Random) -> None:
    for unit in _units(one, chance):
        one.mark(unit, is_taken=chance.random() < 0.8, drawn=chance.randrange(4))


def _question(chance: random.Random) -> Wanted:
    flexible = chance.choice((0, 0, 1, 3, 7))
    arrival = _TODAY.toordinal() + chance.randrange(_DAYS)
    wanted = Wanted(
        workspace=chance.choice(("default", "default", "acme")),
        published_only=chance.random() < 0.7,
        now=_NOW,
        area=EarthCircle(_MIDDLE, chance.choice((500, 1500, 5000))),
        arrival=arrival,
        nights=chance.choice((1, 2, 3, 5, 70)),
        flexible=flexible,
        words=chance.choice(((), (), (), (" haf",), (" room", " alt"))),
        guests=chance.choice((1, 1, 2, 4)),
        rooms=chance.choice((1, 1, 2)),
        price_max=chance.choice((None, 6000, 7000)),
        currency=chance.choice((None, "EUR")),
        kinds=frozenset(chance.sample(PROPERTY_KINDS[:3], chance.choice((0, 0, 2)))),
        amenities=frozenset(chance.sample(AMENITIES[:3], chance.choice((0, 0, 1)))),
        amenities_any=frozenset(chance.sample(AMENITIES[:3], chance.choice((0, 0, 0, 1, 2)))),
        rating_min=chance.choice((None, None, None, 60, 80)),
    )
    wanted = replace(wanted, ages=some_ages(chance, wanted.guests))
    if chance.random() < 0.1:
        return replace(wanted, arrival=None, nights=0, flexible=0)
    return _in_window(wanted, chance) if chance.random() < 0.12 else wanted


def _in_window(wanted: Wanted, chance: random.Random) -> Wanted:
    """A stay that begins on one of some days, more than one look has room for."""
    days = range(_TODAY.toordinal() - 1, _TODAY.toordinal() + 61)
    first, last = sorted(chance.sample(days, 2))
    weekdays = frozenset(chance.sample(range(7), chance.choice((2, 7))))
    window = StayWindow(first, last + wanted.nights, weekdays)
    if not window.arrivals(wanted.nights):  # nobody can ask that
        return wanted
    return replace(wanted, arrival=first, flexible=0, window=window)


def _suits(one: IndexedListing, wanted: Wanted) -> bool:
    return (
        one.workspace == wanted.workspace
        and (one.published or not wanted.published_only)
        and metres_between(one.house.point, _MIDDLE) <= wanted.area.radius  # type: ignore[union-attr]
        and one.is_called(wanted.words)
        and one.guests * wanted.rooms >= wanted.party.in_beds(one.cots * wanted.rooms)
        and (not wanted.kinds or one.house.kind in wanted.kinds)
        and wanted.amenities <= one.amenities | one.house.amenities
        and (
            not wanted.amenities_any
            or any(word in one.amenities | one.house.amenities for word in wanted.amenities_any)
        )
        and one.house.rating >= (wanted.rating_min or 0)
        and wanted.currency in (None, one.currency)
        and one.is_on_sale(wanted.now)
    )


def _had(one: IndexedListing, wanted: Wanted, arrival: int) -> _Stay | None:
    """A stay from this day on, as the plan's own rules judge it."""
    rules, nights = one.rules, wanted.nights
    if not rules.sells(arrival, nights, rules.sale_day(SaleContext(wanted.now, one.zone))):
        return None
    free = one.free_rooms(arrival, nights)
    if free < wanted.rooms:
        return None
    price = min(_costs(one, wanted, arrival))
    if (wanted.price_max or 1 << 40) * nights * wanted.rooms < price:
        return None
    return _Stay(one.number, arrival, free, price)


# A plan that is made ready remembers what it says of each date.
_compiled = lru_cache(CompiledNights)


def _costs(one: IndexedListing, wanted: Wanted, arrival: int) -> Iterator[int]:
    """What a stay costs at each rate that it can have, by what a hold of it claims."""
    compiled, currency = _compiled(one.plan), one.currency
    sale = SaleContext(wanted.now, one.zone, "res_00000001", one.price)
    rates: list[str | UnsetType] = [UNSET, *(rate.name for rate in one.plan.rates)]
    for rate in rates:
        line = Line(
            sale.resource_id,
            quantity=wanted.rooms,
            from_=date.fromordinal(arrival).isoformat(),
            to=date.fromordinal(arrival + wanted.nights).isoformat(),
            guests=max(wanted.guests, wanted.rooms),
            ages=wanted.ages,
            rate=rate,
        )
        lines = [line]
        if one.plan.rooms is not None:
            chosen = zip(one.plan.rooms[: wanted.rooms], range(wanted.rooms), strict=True)
            lines = [
                msgspec.structs.replace(of_rooms(line, n, 1), unit=room, quantity=None)
                for room, n in chosen
            ]
        with suppress(NotOnSale):
            claims = [compiled.line_claims(each, sale) for each in lines]
            parts = [compiled.price_parts(each, sale) for each in lines]
            priced = [
                Priced("", one.charges, "", of.weight, of.amount, of.amount, guests=_guests(part))
                for of, part in zip(claims, parts, strict=True)
            ]
            yield make_quote(priced, currency).total.amount


def _guests(parts: PriceParts) -> StayGuests | None:
    assert parts.party is not None
    return StayGuests(*parts.party, sum(run.nights for run in parts.nights))


def _best(one: IndexedListing, wanted: Wanted) -> _Stay | None:
    if not _suits(one, wanted):
        return None
    if wanted.arrival is None:
        usual = one.usual_price
        is_dear = wanted.price_max is not None and usual > wanted.price_max
        return None if is_dear else _Stay(one.number, None, None, usual)
    stays = [stay for day in wanted.arrivals if (stay := _had(one, wanted, day)) is not None]
    return min(stays, key=lambda stay: stay.price, default=None)


def _changed(index: StaysIndex, listings: dict[int, IndexedListing], chance: random.Random) -> None:
    """Something is taken or freed, said otherwise, taken away or added."""
    number = chance.choice([*listings])
    plans = [one.plan for one in listings.values()]
    match chance.randrange(3):
        case 0:
            for unit in _units(listings[number], chance):
                taken, drawn = chance.random() < 0.5, chance.randrange(4)
                index.mark(number, unit, is_taken=taken, drawn=drawn)
                listings[number].mark(unit, is_taken=taken, drawn=drawn)
        case 1:
            listings[number] = _listing(number, chance.choice(plans), chance)
            index.put(listings[number])
        case _:
            index.drop(number)
            del listings[number]
            new = max(listings) + 1
            listings[new] = _listing(new, chance.choice(plans), chance)
            index.put(listings[new])


# How long ago the first night of the index was: nights that are asked for are in its columns, or
# some of them further ahead than these reach, or all of them.
_AGO = (2, 64 * WORDS - 20, 64 * WORDS + 5)


@pytest.mark.parametrize("seed", range(6))
async def test_the_index_finds_what_the_rules_sell(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if seed % 2:
        monkeypatch.setattr(night_changes, "_RECENT_MAX", 2)
    ago = _AGO[seed % len(_AGO)]
    chance, first = random.Random(seed), _TODAY.toordinal() - ago
    plans, index = _plans(chance), StaysIndex(first)
    listings = {number: _listing(number, chance.choice(plans), chance) for number in range(1, 800)}
    for one in listings.values():
        index.put(one)
    several = 0
    for turn in range(150):
        if turn % 40 == 20:  # its first nights are over by then
            index = await sorted_anew(index, first + min(turn, ago - 2))
        _changed(index, listings, chance)
        wanted = _question(chance)
        best = {one.number: _best(one, wanted) for one in listings.values()}
        expected = {number: stay for number, stay in best.items() if stay is not None}
        matches = index.find(wanted)
        found = index.page(matches, wanted, PageAsked(None, 1000, "distance"))
        got = {
            one.listing.number: _Stay(one.listing.number, one.arrival, one.free, one.price)
            for one in found
        }
        assert got == expected, wanted
        assert len(found) == len(matches.rows) == len(expected)
        several += len(found) > 64
        if wanted.arrival is not None and not wanted.window:
            starts = [wanted.arrival + by for by in (0, 2)]
            alone = [len(index.find(replace(wanted, arrival=day)).rows) for day in starts]
            assert index.counts(wanted, matches.suited, starts) == alone
            assert index.counts(wanted, matches.suited, starts[:1]) == alone[:1]
    assert several


def _value(one: Found, order: StaysOrder) -> float:
    """By what is ordered, as the reference has it."""
    house = one.listing.house
    if order == "rating":
        return -(house.rating * 1e9 + house.ratings)
    if order == "recommended":
        rating = (house.rating * house.ratings + 75 * 20) / (house.ratings + 20) / 10
        felt: float = one.price * 1.25 ** (7.5 - rating) * 1.05 ** (one.metres / 1000)
        return round(felt)
    return one.price if order == "price" else one.metres


@pytest.mark.parametrize("order", get_args(StaysOrder))
def test_pages_are_the_whole_in_order(order: StaysOrder) -> None:
    chance = random.Random(5)
    index = StaysIndex(_TODAY.toordinal() - 2)
    for number in range(1, 300):
        index.put(_listing(number, NightsPlan(rooms=("one",)), chance))
    wanted = replace(_question(random.Random(1)), kinds=frozenset(), amenities=frozenset())
    wanted = replace(wanted, amenities_any=frozenset(), rating_min=None)
    wanted = replace(
        wanted, nights=1, flexible=0, window=None, price_max=None, words=(), rooms=1, guests=1
    )
    matches = index.find(wanted)
    whole = index.page(matches, wanted, PageAsked(None, 1000, order))
    places = [(_value(one, order), one.listing.number) for one in whole]
    assert places == sorted(places)
    assert len(places) > 20
    for limit in (1, 3, 7):
        after, read = None, []
        while page := index.page(matches, wanted, PageAsked(after, limit, order)):
            assert len(page) <= limit
            read += [one.listing.number for one in page]
            after = (page[-1].value, page[-1].listing.number)
        assert read == [number for _, number in places]


def test_few_ratings_say_little_and_no_price_is_too_much_for_the_order() -> None:
    prices = np.array([10_000, 10_000, 10_000, 10_000, 1 << 61], dtype=np.int64)
    metres = np.array([0, 0, 0, 0, 500_000], dtype=np.int64)
    ratings = np.array([100, 90, 75, 0, 0], dtype=np.uint8)
    rated = np.array([1, 500, 20, 0, 0], dtype=np.int64)
    values = by_recommendation(prices, metres, ratings, rated).tolist()
    assert values.index(min(values)) == 1, "500 who say 9 go before one who says 10"
    assert values[2] == values[3] == 10_000, "the usual rating, and none"
    assert values[0] < values[2]
    assert values[4] == 1 << 60


async def test_an_index_without_listings_is_sorted_as_any_other() -> None:
    first, chance = _TODAY.toordinal() - 2, random.Random(1)
    index = await sorted_anew(StaysIndex(first), first)
    one = _listing(7, NightsPlan(rooms=("one",)), chance)
    index.put(one)
    assert 7 in index
    index.drop(7)
    index = await sorted_anew(index, first)
    assert (len(index), 7 in index, list(index.listings())) == (0, False, [])
    wanted = replace(_question(chance), arrival=None, nights=0, flexible=0, window=None)
    assert not len(index.find(wanted).rows)
    assert index.usual_currency("default", index.near(wanted)) is None
    assert index.towns.called(TownsAsked(TownsWhose("default", True), "", 9)) == []


async def test_prices_and_numbers_of_any_size_are_kept() -> None:
    first, chance = _TODAY.toordinal() - 2, random.Random(1)
    index = StaysIndex(first)
    for number in (3, 300, 70_000, 1 << 33):
        made = _listing(number, NightsPlan(rooms=("one",)), chance)
        made.price = 40 * number
        index.put(made)
    for _ in range(2):
        assert {one.number: one.price for one in index.listings()} == {
            number: 40 * number for number in (3, 300, 70_000, 1 << 33)
        }
        assert all(number in index for number in (3, 300, 70_000, 1 << 33))
        assert 4 not in index
        index = await sorted_anew(index, first)
