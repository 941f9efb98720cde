"""The calendar of nights agrees with holding, date by date and length by length."""

import itertools
from collections.abc import Callable
from datetime import UTC, datetime

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak import InvalidRequest
from bespeak.errors import NotOnSale, SoldOut, UnknownUnit
from bespeak.inventory.plans import AvailabilityQuery, Reason, TakenUnit
from bespeak.inventory.shapes.nights.availability import CalendarNight, NightsAvailability
from bespeak.inventory.shapes.nights.plan import NightRule, NightsPlan
from bespeak.inventory.shapes.nights.rules import CompiledNights
from bespeak.inventory.snapshot import Snapshot, TakenClaims
from bespeak.states import UnitState
from tests.unit.night_plans import (
    LONGEST,
    NOW,
    RESOURCE,
    SALE,
    Reference,
    compiled,
    counted_plans,
    day,
    exact_plans,
    is_holdable,
    only,
    pictures,
    plans,
    stay,
    text,
)

LENGTHS = range(1, LONGEST + 3)
QUERY = AvailabilityQuery(from_=text(-2), to=text(2 * LONGEST))
RULES = {reason.value for reason in Reason}


def lengths_of(night: CalendarNight) -> set[int]:
    """The lengths that the calendar shows."""
    if not night.arrive:
        return set()
    assert night.min_nights is not None and night.max_nights is not None
    ranges = night.lengths or ((night.min_nights, night.max_nights),)
    assert (ranges[0][0], ranges[-1][1]) == (night.min_nights, night.max_nights)
    return {n for low, high in ranges for n in range(low, high + 1)}


def is_held(
    plan: CompiledNights,
    picture: Snapshot,
    arrival: int,
    nights: int,
    quantity: int,
    unit: str | None,
) -> bool:
    """Whether so many rooms could be held at once, by choosing and asking for each."""
    line = stay(arrival, nights, unit, quantity)
    try:
        lines = plan.choose(line, picture, SALE, partial=False) if plan.is_open(line) else [line]
        meanings = [plan.line_claims(one, SALE) for one in lines]
    except (NotOnSale, SoldOut):
        return False
    claims = [need.unit for meant in meanings for need in meant.needs]
    assert len(set(claims)) == len(claims)
    assert sum(meant.weight for meant in meanings) == quantity
    return all(is_holdable(meant, picture) for meant in meanings)


def shown_and_held(
    plan: NightsPlan, picture: Snapshot, quantity: int, unit: str | None = None
) -> list[tuple[CalendarNight, set[int]]]:
    """The dates of the calendar, each with the lengths that could be held from it."""
    made = CompiledNights(plan)
    query = msgspec.structs.replace(QUERY, quantity=quantity, unit=unit)
    answer = made.reader.answer(query, picture, SALE)
    assert [night.date for night in answer.nights] == [text(n) for n in range(-2, 2 * LONGEST)]
    return [
        (night, {n for n in LENGTHS if is_held(made, picture, place - 2, n, quantity, unit)})
        for place, night in enumerate(answer.nights)
    ]


@given(plans, st.integers(1, 3), st.data())
def test_what_the_calendar_shows_is_what_can_be_held(
    plan: NightsPlan, quantity: int, data: st.DataObject
) -> None:
    picture = data.draw(pictures(plan))
    for night, held in shown_and_held(plan, picture, quantity):
        assert lengths_of(night) == held, night


@given(exact_plans, st.data())
def test_the_calendar_of_one_room(plan: NightsPlan, data: st.DataObject) -> None:
    picture = data.draw(pictures(plan))
    unit = data.draw(st.sampled_from(plan.rooms or ()))
    for night, held in shown_and_held(plan, picture, 1, unit):
        assert lengths_of(night) == held, night
        assert set(night.taken) <= {unit}


@given(plans, st.integers(1, 3), st.data())
def test_the_reason_is_the_one_for_which_a_hold_is_refused(
    plan: NightsPlan, quantity: int, data: st.DataObject
) -> None:
    picture = data.draw(pictures(plan))
    made = CompiledNights(plan)
    nights = made.reader.answer(
        msgspec.structs.replace(QUERY, quantity=quantity), picture, SALE
    ).nights
    for place, night in enumerate(nights):
        assert (night.reason is None) == night.arrive
        if night.arrive:
            continue
        refused = []
        for length in LENGTHS:
            try:
                made.choose(stay(place - 2, length, None, quantity), picture, SALE, partial=False)
                refused.append("nothing")
            except NotOnSale as error:
                found = error.data["reasons"]
                assert isinstance(found, list)
                refused.extend(str(one["reason"]) for one in found)
            except SoldOut:
                refused.append("sold_out")
        if night.reason in RULES:
            assert night.reason in refused
            assert not {"nothing", "sold_out"} & set(refused)
        else:
            assert night.reason in {"held", "booked", "blocked", "sold_out"}
            assert {"nothing", "sold_out"} & set(refused)


@given(exact_plans, st.integers(1, 3), st.data())
def test_what_is_held_can_be_had_when_it_lapses_and_not_before(
    plan: NightsPlan, quantity: int, data: st.DataObject
) -> None:
    picture = data.draw(pictures(plan))
    made = CompiledNights(plan)
    query = msgspec.structs.replace(QUERY, quantity=quantity)
    for place, night in enumerate(made.reader.answer(query, picture, SALE).nights):
        assert (night.reason == "held") == (night.until is not None)
        if night.until is None:
            continue
        reference = Reference(plan)
        shortest = next(
            n
            for n in LENGTHS
            if not reference.broken(day(place - 2), day(place - 2 + n), NOW, SALE.zone)
        )
        line = stay(place - 2, shortest, None, quantity)
        for ahead, expected in ((-0.5, 0), (0.0, quantity)):
            later = Snapshot(
                {
                    unit: taken
                    for unit, taken in picture.units.items()
                    if taken.until is None or taken.until > night.until.timestamp() + ahead
                }
            )
            try:
                found = made.choose(line, later, SALE, partial=False)
                held = sum(is_holdable(made.line_claims(one, SALE), later) for one in found)
            except SoldOut:
                held = 0
            assert held == expected


@given(plans, st.integers(1, 3), st.data())
def test_reading_the_units_that_it_asks_for_is_enough(
    plan: NightsPlan, quantity: int, data: st.DataObject
) -> None:
    picture = data.draw(pictures(plan))
    made = CompiledNights(plan)
    start, size = data.draw(st.integers(-2, LONGEST)), data.draw(st.integers(1, 4))
    query = AvailabilityQuery(text(start), text(start + size), quantity)
    units = made.availability_units(query, SALE)
    assert units is not None and len(set(units)) == len(units)
    assert all(made.has(unit) for unit in units)
    answer = made.reader.answer(query, only(picture, units), SALE)
    assert answer == made.reader.answer(query, picture, SALE)
    long = msgspec.structs.replace(QUERY, quantity=quantity)
    nights = made.reader.answer(long, picture, SALE).nights
    assert answer.nights == nights[start + 2 : start + 2 + size]


@given(counted_plans, st.data())
def test_the_free_rooms_of_a_type(plan: NightsPlan, data: st.DataObject) -> None:
    picture = data.draw(pictures(plan))
    reference = Reference(plan)
    first = CompiledNights(plan).reader.answer(QUERY, picture, SALE).first_arrival
    for place, night in enumerate(CompiledNights(plan).reader.answer(QUERY, picture, SALE).nights):
        when = day(place - 2)
        assert night.price == reference.price(when, SALE.price)
        assert night.closed == bool(reference.says(when, "closed"))
        assert night.taken == {}
        left = max(0, reference.capacity(when) - picture.drawn(night.date))
        on_sale = first <= night.date < text(plan.window_days) and not night.closed
        assert night.free == (left if on_sale else 0)


@given(exact_plans, st.data())
def test_the_taken_rooms_of_each_night(plan: NightsPlan, data: st.DataObject) -> None:
    picture = data.draw(pictures(plan))
    rooms = plan.rooms or ()
    answer = CompiledNights(plan).reader.answer(QUERY, picture, SALE)
    for night in answer.nights:
        taken = {
            room: found
            for room in rooms
            if (found := picture.taken(f"{room}@{night.date}", NOW.timestamp())) is not None
        }
        assert {room: found.state for room, found in taken.items()} == {
            room: found.state for room, found in night.taken.items()
        }
        assert night.free in {0, len(rooms) - len(taken)}


def test_a_calendar_by_example() -> None:
    plan = compiled(
        count=2,
        window_days=6,
        rules=(
            NightRule(days=("fri", "sat"), price=150),
            NightRule(from_=day(2), to=day(3), closed_to_departure=True),
            NightRule(from_=day(3), to=day(4), closed_to_arrival=True),
        ),
    )
    picture = Snapshot({}, {text(4): 2, text(5): 1}, version="7.1")
    answer = plan.reader.answer(AvailabilityQuery(to=text(7)), picture, SALE)
    assert msgspec.to_builtins(answer) == {
        "type": "nights",
        "resource_id": RESOURCE,
        "version": "7.1",
        "from": text(0),
        "to": text(7),
        "first_arrival": text(0),
        "last_departure": text(6),
        "quantity": 1,
        "nights": [
            {
                "date": text(0),
                "free": 2,
                "price": 100,
                "arrive": True,
                "min_nights": 1,
                "max_nights": 4,
                "lengths": ((1, 1), (3, 4)),
            },
            {
                "date": text(1),
                "free": 2,
                "price": 100,
                "arrive": True,
                "min_nights": 2,
                "max_nights": 3,
            },
            {
                "date": text(2),
                "free": 2,
                "price": 100,
                "arrive": True,
                "min_nights": 1,
                "max_nights": 2,
            },
            {
                "date": text(3),
                "free": 2,
                "price": 100,
                "arrive": False,
                "reason": "closed_to_arrival",
            },
            {"date": text(4), "free": 0, "price": 100, "arrive": False, "reason": "sold_out"},
            {
                "date": text(5),
                "free": 1,
                "price": 150,
                "arrive": True,
                "min_nights": 1,
                "max_nights": 1,
            },
            {"date": text(6), "free": 0, "price": 150, "arrive": False, "reason": "beyond_window"},
        ],
    }
    assert msgspec.json.decode(msgspec.json.encode(answer), type=NightsAvailability) == answer


def test_the_states_of_exact_rooms() -> None:
    plan = compiled(rooms=("101", "102"), buffer_nights=1)
    until = NOW.timestamp() + 60
    picture = Snapshot(
        {
            f"101@{text(1)}": TakenClaims(UnitState.HELD, until),
            f"101@{text(2)}": TakenClaims(UnitState.BOOKED, None),
            f"102@{text(1)}": TakenClaims(UnitState.BLOCKED, None),
        }
    )
    query = AvailabilityQuery(from_=text(0), to=text(4))
    both = plan.reader.answer(query, picture, SALE).nights
    moment = datetime.fromtimestamp(until, UTC)
    assert [night.free for night in both] == [2, 0, 1, 2]
    assert [night.reason for night in both] == ["held", "sold_out", None, None]
    assert both[0].until == moment
    assert both[1].taken == {"101": TakenUnit("held", moment), "102": TakenUnit("blocked")}

    def reason(unit: str) -> list[str | None]:
        one = msgspec.structs.replace(query, unit=unit)
        return [night.reason for night in plan.reader.answer(one, picture, SALE).nights]

    assert reason("101") == ["held", "booked", "booked", None]
    assert reason("102") == ["blocked", "blocked", None, None]


@pytest.mark.parametrize(("ahead", "longest"), [(60, 3), (0, 30), (-60, 30)])
def test_a_hold_after_the_range_ends_the_stays_that_begin_in_it(ahead: int, longest: int) -> None:
    plan = compiled(rooms=("101",), window_days=30, buffer_nights=1)
    taken = TakenClaims(UnitState.HELD, NOW.timestamp() + ahead)
    picture = Snapshot({f"101@{text(4)}": taken})
    answer = plan.reader.answer(AvailabilityQuery(to=text(2)), picture, SALE)
    assert [night.max_nights for night in answer.nights] == [longest, longest - 1]


def test_the_default_is_a_month_from_today() -> None:
    answer = compiled(count=1).reader.answer(AvailabilityQuery(), Snapshot(), SALE)
    assert (answer.from_, answer.to, len(answer.nights)) == (text(0), text(31), 31)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        (AvailabilityQuery(from_="soon"), "from"),
        (AvailabilityQuery(from_="2026-12-24T15:00Z"), "from"),
        (AvailabilityQuery(to="24.12.2026"), "to"),
        (AvailabilityQuery(from_=text(2), to=text(2)), "to"),
        (AvailabilityQuery(to=text(-1)), "to"),
        (AvailabilityQuery(from_=text(0), to=text(401)), "to"),
        (AvailabilityQuery(quantity=0), "quantity"),
        (AvailabilityQuery(quantity=1_000_001), "quantity"),
        (AvailabilityQuery(quantity=2, unit="101"), "quantity"),
    ],
)
def test_a_query_that_makes_no_sense(query: AvailabilityQuery, field: str) -> None:
    plan = compiled(rooms=("101", "102"))
    asks: list[Callable[[], object]] = [
        lambda: plan.reader.answer(query, Snapshot(), SALE),
        lambda: plan.availability_units(query, SALE),
    ]
    for ask in asks:
        with pytest.raises(InvalidRequest) as caught:
            ask()
        assert caught.value.data["field"] == field


def test_a_calendar_of_a_room_that_there_is_not() -> None:
    query = AvailabilityQuery(unit="9")
    with pytest.raises(UnknownUnit):
        compiled(rooms=("101",)).reader.answer(query, Snapshot(), SALE)
    with pytest.raises(InvalidRequest):
        compiled(count=3).reader.answer(query, Snapshot(), SALE)


def test_many_rooms_are_read_whole() -> None:
    plan = compiled(rooms=tuple(map(str, range(1000))))
    assert plan.availability_units(AvailabilityQuery(), SALE) is None
    assert plan.availability_units(AvailabilityQuery(unit="7"), SALE) is not None


@pytest.mark.parametrize("start", ["1900-01-01", "9995-12-31"])
def test_the_ends_of_time(start: str) -> None:
    rules = (NightRule(closed=True), NightRule(min_nights=366, min_through=366))
    for plan in (compiled(count=1), compiled(count=1, rules=rules, min_nights=300)):
        answer = plan.reader.answer(AvailabilityQuery(from_=start, to=None), Snapshot(), SALE)
        assert {night.arrive for night in answer.nights} == {False}


def test_all_lengths_of_a_long_window() -> None:
    plan = compiled(
        count=1, window_days=400, rules=(NightRule(days=("sun",), closed_to_departure=True),)
    )
    answer = plan.reader.answer(AvailabilityQuery(to=text(1)), Snapshot(), SALE)
    expected = {n for n in range(1, 367) if day(n).weekday() != 6}
    assert lengths_of(answer.nights[0]) == expected
    assert len(list(itertools.chain(answer.nights[0].lengths))) == 53
