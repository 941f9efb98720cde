"""What stays cost beyond the price of a night: rates, discounts, guests and their ages; and that it
stays the same however a stay is dealt out to its rooms.
"""

from datetime import timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from bespeak import InvalidRequest, Line
from bespeak.errors import NotOnSale
from bespeak.inventory.plans import SaleContext
from bespeak.inventory.shapes.nights.plan import NightRule, NightsPlan
from bespeak.inventory.shapes.nights.rates import ChildShare, NightRate, StayDiscount
from bespeak.inventory.shapes.nights.rules import CompiledNights
from bespeak.inventory.snapshot import Snapshot
from bespeak.parties import Party, of_rooms, party_of
from bespeak.pricing.demand import Demand
from tests.unit.night_plans import NOW, SALE, compiled, stay, text

CHEAPER = NightRate(name="Not refundable", basis_points=-1000)
BREAKFAST = NightRate(name="Breakfast", meals="breakfast", guest_amount=15)
EARLY = NightRate(name="Early", amount=-20, min_days_ahead=30)
SOON = NightRate(name="Last call", amount=-20, max_days_ahead=2)
WEEKLY = NightRate(name="Weekly", basis_points=-2000, min_nights=7, max_nights=13)
WEEK = StayDiscount(name="A week", basis_points=1000, min_nights=7)
MONTH = StayDiscount(name="A month", basis_points=3000, min_nights=28)
HOTEL = compiled(
    count=5,
    min_nights=1,
    window_days=365,
    price=100,
    rates=(CHEAPER, BREAKFAST, EARLY, SOON, WEEKLY),
    rules=(NightRule(days=("fri", "sat"), price=155),),
)
BY_GUESTS = compiled(
    rooms=("101", "102", "103"),
    price=100,
    guests_max=4,
    guests_included=2,
    guest_price=33,
    children=(ChildShare(under=3, basis_points=0), ChildShare(under=12, basis_points=5000)),
    rates=(BREAKFAST,),
)


def of(line: Line, **more: object) -> Line:
    return msgspec.structs.replace(line, **more)


def cost(plan: CompiledNights, line: Line, sale: SaleContext = SALE) -> int:
    return plan.line_claims(line, sale).amount


def refusal(plan: CompiledNights, line: Line) -> InvalidRequest:
    with pytest.raises(InvalidRequest) as refused:
        plan.line_claims(line, SALE)
    return refused.value


# Rates


def test_without_a_rate_it_is_the_usual_one() -> None:
    assert cost(HOTEL, stay(0, 3)) == 300  # from a Sunday on


@pytest.mark.parametrize(
    ("rate", "arrival", "nights", "amount"),
    [
        (CHEAPER, 0, 3, 270),
        (CHEAPER, 5, 1, 140),  # 139.5, half up
        (EARLY, 30, 2, 160),
        (SOON, 2, 1, 80),
        (WEEKLY, 0, 7, 5 * 80 + 2 * 124),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_a_rate_changes_each_night(rate: NightRate, arrival: int, nights: int, amount: int) -> None:
    claims = HOTEL.line_claims(of(stay(arrival, nights), rate=rate.name), SALE)
    assert claims.amount == amount
    assert claims.line.rate == rate.name


@pytest.mark.parametrize(
    ("rate", "arrival", "nights", "reason"),
    [
        (EARLY, 29, 1, {"reason": "cutoff", "date": text(29), "days": 30}),
        (SOON, 3, 1, {"reason": "beyond_window", "date": text(3), "days": 2}),
        (WEEKLY, 0, 6, {"reason": "min_stay", "date": text(0), "nights": 7}),
        (WEEKLY, 0, 14, {"reason": "max_stay", "date": text(0), "nights": 13}),
    ],
    ids=["early", "soon", "shorter", "longer"],
)
def test_a_rate_has_limits(
    rate: NightRate, arrival: int, nights: int, reason: dict[str, object]
) -> None:
    with pytest.raises(NotOnSale) as refused:
        HOTEL.line_claims(of(stay(arrival, nights), rate=rate.name), SALE)
    assert refused.value.data["reasons"] == [{**reason, "rate": rate.name}]


def test_days_ahead_are_those_of_the_calendar() -> None:
    line = of(stay(3, 1), rate=SOON.name)
    late = SALE._replace(now=NOW + timedelta(hours=15, minutes=1))  # of the next day
    assert cost(HOTEL, line, late) == 80
    with pytest.raises(NotOnSale):
        cost(HOTEL, line, SALE._replace(now=NOW + timedelta(hours=14)))


def test_the_rules_of_the_plan_come_before_those_of_the_rate() -> None:
    plan = compiled(count=1, min_nights=2, rates=(NightRate(name="One", min_nights=1),))
    with pytest.raises(NotOnSale) as refused:
        plan.line_claims(of(stay(0, 1), rate="One"), SALE)
    assert refused.value.data["reasons"] == [{"reason": "min_stay", "date": text(0), "nights": 2}]


def test_a_rate_that_is_not_there_is_told_which_are() -> None:
    error = refusal(HOTEL, of(stay(0, 1), rate="Half board"))
    assert error.data["field"] == "lines.rate"
    assert "'Not refundable', 'Breakfast'" in str(error)


def test_a_night_never_costs_less_than_nothing() -> None:
    plan = compiled(count=1, price=100, rates=(NightRate(name="Gift", amount=-500),))
    assert cost(plan, of(stay(0, 2), rate="Gift")) == 0


def test_demand_comes_before_the_rate() -> None:
    class Doubled(Demand):
        def __init__(self) -> None:
            pass

        def price(
            self,
            price: int,
            unit: str | None = None,
            category: str | None = None,
            at: int = 0,
            rate: str | None = None,
        ) -> int:
            return 2 * price

    sale = SALE._replace(demand=Doubled())
    assert cost(HOTEL, of(stay(0, 1), rate=CHEAPER.name), sale) == 180


# Discounts


def test_the_best_discount_comes_by_itself() -> None:
    plan = compiled(count=2, window_days=90, max_nights=60, price=100, discounts=(WEEK, MONTH))
    assert [cost(plan, stay(0, nights)) for nights in (6, 7, 28)] == [600, 630, 1960]
    parts = plan.price_parts(stay(0, 28, quantity=2), SALE)
    assert (parts.gross, parts.discount) == (5600, ("A month", 1680))


def test_a_discount_is_off_the_rooms_and_not_off_breakfast() -> None:
    plan = compiled(count=1, window_days=90, price=100, rates=(BREAKFAST,), discounts=(WEEK,))
    line = of(stay(0, 7), rate=BREAKFAST.name, guests=2)
    assert cost(plan, line) == 7 * (100 + 2 * 15) - 70


# Guests


@pytest.mark.parametrize(
    ("guests", "ages", "rooms", "amount"),
    [
        (1, UNSET, 1, 100),
        (2, UNSET, 1, 100),
        (3, UNSET, 1, 133),
        (3, (2,), 1, 100),
        (3, (11,), 1, 117),  # half of 33, half up
        (3, (12,), 1, 133),
        (4, (2, 11), 1, 117),
        (4, UNSET, 2, 200),
        (5, (17,), 2, 233),
    ],
)
def test_further_guests_cost_more_and_children_less(
    guests: int, ages: tuple[int, ...], rooms: int, amount: int
) -> None:
    plan = compiled(
        **{
            **msgspec.structs.asdict(BY_GUESTS.plan),
            "rooms": None,
            "count": 3,
        }
    )
    assert cost(plan, of(stay(0, 1, quantity=rooms), guests=guests, ages=ages)) == amount


def test_breakfast_is_by_guest_and_cheaper_for_children() -> None:
    line = of(stay(0, 2, "101"), guests=3, ages=(11, 2), rate=BREAKFAST.name)
    assert cost(BY_GUESTS, line) == 2 * (100 + 15 + 8)


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({}, "lines.guests"),
        ({"guests": 5}, "lines.guests"),
        ({"guests": 1, "ages": (3, 4)}, "lines.ages"),
        ({"ages": (3,)}, "lines.guests"),
    ],
    ids=["none", "too many", "more ages", "ages alone"],
)
def test_guests_who_cannot_be(more: dict[str, object], field: str) -> None:
    assert refusal(BY_GUESTS, of(stay(0, 1, "101"), **more)).data["field"] == field


def test_each_room_has_a_guest() -> None:
    error = refusal(HOTEL, of(stay(0, 1, quantity=3), guests=2))
    assert error.data["field"] == "lines.guests"


PARTIES = st.integers(0, 9).flatmap(
    lambda adults: st.builds(
        lambda ages: Party(adults + len(ages), tuple(sorted(ages, reverse=True))),
        st.lists(st.integers(0, 17), max_size=6, min_size=0 if adults else 1),
    )
)


@given(PARTIES, st.integers(1, 12))
def test_guests_are_dealt_out_evenly(party: Party, rooms: int) -> None:
    dealt = party.dealt(rooms)
    assert sum(room.guests for room in dealt) == party.guests
    assert sorted(age for room in dealt for age in room.ages) == sorted(party.ages)
    assert max(room.guests for room in dealt) - min(room.guests for room in dealt) <= 1


@given(PARTIES, st.integers(1, 3), st.sampled_from([UNSET, BREAKFAST.name]))
def test_rooms_cost_the_same_one_by_one(party: Party, rooms: int, rate: str) -> None:
    if not rooms <= party.guests <= 4 * rooms:
        return
    asked = of(stay(0, 2, quantity=rooms), guests=party.guests, ages=party.ages, rate=rate)
    chosen = BY_GUESTS.choose(asked, Snapshot(), SALE, partial=False)
    counted = compiled(**{**msgspec.structs.asdict(BY_GUESTS.plan), "rooms": None, "count": 3})
    assert len(chosen) == rooms
    assert sum(cost(BY_GUESTS, line) for line in chosen) == cost(counted, asked)


@given(PARTIES, st.integers(1, 6), st.data())
def test_rooms_of_a_line_have_all_of_its_guests(
    party: Party, rooms: int, data: st.DataObject
) -> None:
    line = of(stay(0, 1, quantity=rooms), guests=party.guests, ages=party.ages)
    first = data.draw(st.integers(0, rooms))
    some, rest = (party_of(of_rooms(line, *part)) for part in ((0, first), (first, rooms - first)))
    assert (some.guests if some else 0) + (rest.guests if rest else 0) == party.guests


# What a quote says


def test_nights_that_cost_the_same_are_told_together() -> None:
    claims = HOTEL.line_claims(stay(3, 5, quantity=2), SALE)  # Wednesday to Monday
    parts = HOTEL.price_parts(stay(3, 5, quantity=2), SALE)
    assert claims.has_parts
    assert [(run.from_, run.nights, run.amount) for run in parts.nights] == [
        (text(3), 2, 200),
        (text(5), 2, 310),
        (text(7), 1, 200),
    ]


def test_nights_that_all_cost_the_same_need_no_words() -> None:
    assert not HOTEL.line_claims(of(stay(0, 3), rate=CHEAPER.name), SALE).has_parts


# Plans


@pytest.mark.parametrize(
    ("guests", "ages", "rooms", "fits"),
    [
        (4, (2, 0), 1, True),
        (4, (3, 2), 1, False),
        (5, (2, 1, 0), 1, False),
        (8, (2, 2, 1, 0), 2, True),
        (8, (2, 2, 1), 2, False),
    ],
)
def test_small_children_in_cots_are_beside_the_guests_of_a_room(
    guests: int, ages: tuple[int, ...], rooms: int, *, fits: bool
) -> None:
    plan = compiled(count=3, price=100, guests_max=2, cots=2)
    line = of(stay(0, 1, quantity=rooms), guests=guests, ages=ages)
    if fits:
        assert cost(plan, line) == 100 * rooms
        return
    error = refusal(plan, line)
    assert (error.data["field"], "in cots" in str(error)) == ("lines.guests", True)


@given(
    st.integers(1, 4), st.integers(0, 3), st.integers(1, 4), st.lists(st.integers(0, 4), max_size=9)
)
def test_who_fits_into_rooms_together_fits_into_each_as_they_are_dealt_out(
    most: int, cots: int, rooms: int, ages: list[int]
) -> None:
    for adults in range(1, most * rooms + 1):
        party = Party(adults + len(ages), tuple(sorted(ages, reverse=True)))
        if party.in_beds(cots * rooms) <= most * rooms:
            assert all(one.in_beds(cots) <= most for one in party.dealt(rooms))


@pytest.mark.parametrize(
    "fields",
    [
        {"guests_included": 2},
        {"guest_price": 10},
        {"guests_included": 3, "guests_max": 2, "guest_price": 10},
        {"rates": (CHEAPER, CHEAPER)},
        {"rates": (NightRate(name="Odd", min_nights=3, max_nights=2),)},
        {"rates": (NightRate(name="Odd", min_days_ahead=3, max_days_ahead=2),)},
        {"discounts": (StayDiscount(name="All", basis_points=1),)},
        {"discounts": (WEEK, WEEK)},
        {"children": (ChildShare(under=6, basis_points=0), ChildShare(under=6, basis_points=1))},
        {"children": (ChildShare(under=3, basis_points=9), ChildShare(under=6, basis_points=1))},
    ],
)
def test_prices_that_make_no_sense(fields: dict[str, object]) -> None:
    with pytest.raises(InvalidRequest) as refused:
        compiled(count=1, **fields)
    assert refused.value.data["field"] == "plan"


@pytest.mark.parametrize(
    ("fields", "has"),
    [
        ({}, False),
        ({"price": 1}, True),
        ({"guest_price": 1, "guests_included": 1}, True),
        ({"rates": (BREAKFAST,)}, True),
        ({"rates": (CHEAPER,)}, False),
        ({"rules": (NightRule(price=1),)}, True),
    ],
)
def test_what_has_a_price(fields: dict[str, object], has: bool) -> None:
    assert NightsPlan(count=1, **fields).has_price() is has  # type: ignore[arg-type]
