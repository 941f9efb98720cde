"""Nights: plans, what lines and blocks mean, which rooms are given, and what is offered instead."""

import json
import re
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak import InvalidRequest, Line
from bespeak.errors import NotOnSale, SoldOut, UnknownUnit
from bespeak.inventory.plans import CLAIMS_MAX, AvailabilityQuery, Need, SaleContext
from bespeak.inventory.shapes.nights.availability import NightsAvailability
from bespeak.inventory.shapes.nights.night_rules import NightRules
from bespeak.inventory.shapes.nights.plan import NightRule, NightsPlan
from bespeak.inventory.shapes.nights.rates import ChildShare, NightRate, StayDiscount
from bespeak.inventory.shapes.nights.rules import CompiledNights
from bespeak.inventory.shapes.nights.stay_limits import STAY_MAX
from bespeak.inventory.snapshot import Snapshot, TakenClaims
from bespeak.lines import Best
from bespeak.states import UnitState
from tests.unit.night_plans import (
    LONGEST,
    NOW,
    RESOURCE,
    SALE,
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

PAGE = Path(__file__).resolve().parents[2] / "docs/reference/plans/nights.md"
BOOKED = TakenClaims(UnitState.BOOKED, None)
THREE = compiled(rooms=("101", "102", "103"))


def booked(room: str, *offsets: int) -> dict[str, TakenClaims]:
    return {f"{room}@{text(offset)}": BOOKED for offset in offsets}


def units(needs: list[Need]) -> list[str]:
    return [need.unit for need in needs]


# Plans


@given(plans)
def test_a_plan_is_read_as_it_was_written(plan: NightsPlan) -> None:
    assert msgspec.json.decode(msgspec.json.encode(plan), type=NightsPlan) == plan


@pytest.mark.parametrize(
    "plan",
    [
        "{}",
        '{"rooms":["1"],"count":1}',
        '{"rooms":[]}',
        '{"rooms":["1","2","1"]}',
        '{"rooms":["owner:1"]}',
        '{"rooms":["1\\u0007"]}',
        '{"rooms":["1"],"overbooking":1}',
        '{"count":-1}',
        '{"count":1,"buffer_nights":1}',
        '{"count":1,"window_days":0}',
        '{"count":1,"window_days":1101}',
        '{"count":1,"window_days":2,"min_nights":3}',
        '{"count":1,"window_days":2,"cutoff_hours":48}',
        '{"count":1,"min_nights":3,"max_nights":2}',
        '{"count":1,"max_nights":367}',
        '{"count":1,"cutoff_hours":-25}',
        '{"count":1,"check_in_time":"24:00"}',
        '{"count":1,"check_in_time":"9:00"}',
        '{"count":1,"price":-1}',
        '{"count":1,"price":1.5}',
        '{"count":1,"rules":[{}]}',
        '{"count":1,"rules":[{"from":"2026-12-24"}]}',
        '{"count":1,"rules":[{"from":"2026-12-24","to":"2026-12-24","closed":true}]}',
        '{"count":1,"rules":[{"from":"2026-12-24T00:00","closed":true}]}',
        '{"count":1,"rules":[{"days":[],"closed":true}]}',
        '{"count":1,"rules":[{"days":["mon","mon"],"closed":true}]}',
        '{"count":1,"rules":[{"days":["monday"],"closed":true}]}',
        '{"count":1,"rules":[{"min_nights":3,"max_nights":2}]}',
        '{"count":1,"rules":[{"min_through":3,"max_through":2}]}',
        '{"count":1,"rules":[{"stop_sell":true}]}',
        '{"rooms":["1"],"rules":[{"count":1}]}',
        '{"count":1,"colour":"red"}',
    ],
)
def test_a_plan_that_makes_no_sense(plan: str) -> None:
    try:
        decoded = msgspec.json.decode(plan, type=NightsPlan)
    except msgspec.ValidationError:
        return
    with pytest.raises(InvalidRequest) as caught:
        CompiledNights(decoded)
    assert caught.value.data == {"field": "plan"}


@pytest.mark.parametrize(
    "plan",
    [
        NightsPlan(count=-1),
        NightsPlan(count=True),
        NightsPlan(rooms=()),
        NightsPlan(rooms=("\ud800",)),
        NightsPlan(count=1, check_in_time="noon"),
        NightsPlan(count=1, rules=(NightRule(from_="2026-12-24", count="3"),)),  # type: ignore[arg-type]
        NightsPlan(count=1, rules=(3,)),  # type: ignore[arg-type]
    ],
    ids=range(7),
)
def test_a_plan_made_in_python_is_held_to_the_bounds(plan: NightsPlan) -> None:
    with pytest.raises(InvalidRequest) as caught:
        CompiledNights(plan)
    assert caught.value.data == {"field": "plan"}


# Lines


def test_a_stay_in_a_room_claims_its_nights_and_not_the_day_of_departure() -> None:
    meant = THREE.line_claims(stay(0, 3, "102", 1), SALE)
    assert meant.needs == [Need(f"102@{text(n)}") for n in range(3)]
    assert (meant.line, meant.amount, meant.weight) == (stay(0, 3, "102"), 300, 1)


def test_a_stay_in_rooms_of_a_type_draws_from_each_night() -> None:
    rules = (NightRule(from_=day(1), to=day(2), count=3, price=7),)
    plan = compiled(count=40, overbooking=2, rules=rules)
    meant = plan.line_claims(stay(0, 2, quantity=5), SALE)
    assert meant.needs == [Need(text(0), 5, 42), Need(text(1), 5, 5)]
    assert (meant.amount, meant.weight) == (5 * 107, 5)
    assert plan.line_claims(stay(0, 2), SALE).line == stay(0, 2, quantity=1)


def test_a_night_without_rooms_is_not_overbooked() -> None:
    plan = compiled(count=0, overbooking=2)
    assert plan.line_claims(stay(0, 1), SALE).needs == [Need(text(0), 1, 0)]


def test_the_only_room_needs_no_name() -> None:
    plan = compiled(rooms=("house",))
    assert not plan.is_open(stay(0, 2))
    assert plan.line_claims(stay(0, 2, None, 1), SALE).line == stay(0, 2, "house")
    assert plan.line_claims(stay(0, 1), SALE).needs == [Need(f"house@{text(0)}")]
    two = stay(0, 1, None, 2)
    assert plan.is_open(two)
    with pytest.raises(SoldOut) as caught:
        plan.choose(two, Snapshot(), SALE, partial=False)
    assert caught.value.data == {"resource_id": RESOURCE, "available": 1}


@given(exact_plans, st.integers(0, 20), st.integers(1, 9), st.integers(0, 20), st.integers(1, 9))
def test_two_stays_in_a_room_share_a_claim_when_they_or_the_cleaning_overlap(
    plan: NightsPlan, first: int, nights: int, second: int, more: int
) -> None:
    open_plan = msgspec.structs.replace(
        plan, rules=(), window_days=100, cutoff_hours=-24, min_nights=1, max_nights=366
    )
    made = CompiledNights(open_plan)
    room = (plan.rooms or ("",))[0]
    one = set(units(list(made.line_claims(stay(first, nights, room), SALE).needs)))
    two = set(units(list(made.line_claims(stay(second, more, room), SALE).needs)))
    gap = plan.buffer_nights
    assert bool(one & two) == (first < second + more + gap and second < first + nights + gap)
    if len(plan.rooms or ()) > 1:
        other = made.line_claims(stay(first, nights, "102"), SALE).needs
        assert one.isdisjoint(units(list(other)))


@given(plans, st.integers(-2, LONGEST), st.integers(1, LONGEST))
def test_the_line_that_is_shown_means_the_same_again(
    plan: NightsPlan, arrival: int, nights: int
) -> None:
    made = CompiledNights(plan)
    line = stay(arrival, nights, plan.rooms[-1] if plan.rooms else None, 1)
    try:
        meant = made.line_claims(line, SALE)
    except NotOnSale as error:
        assert error.data["reasons"]
        return
    assert made.line_claims(meant.line, SALE) == meant
    assert all(made.has(need.unit) for need in meant.needs)
    names = units(list(meant.needs))
    assert names == sorted(names) and len(set(names)) == len(names)


COUNTED = compiled(count=3)
NONSENSE_LINES = [
    (THREE, Line(RESOURCE, "101"), "lines"),
    (THREE, Line(RESOURCE, "101", from_=text(0)), "lines"),
    (THREE, Line(RESOURCE, from_=text(0), to=text(1)), "lines.unit"),
    (THREE, stay(0, 1, "101", 2), "lines.quantity"),
    (THREE, Line(RESOURCE, "101", from_="2026-12-24T15:00Z", to="2026-12-25"), "lines.from"),
    (THREE, Line(RESOURCE, "101", from_="2026-12-24", to="2026-12-25T10:00"), "lines.to"),
    (THREE, Line(RESOURCE, "101", from_="20261224", to="20261225"), "lines.from"),
    (THREE, Line(RESOURCE, "101", from_="2026-02-29", to="2026-03-02"), "lines.from"),
    (THREE, Line(RESOURCE, "101", from_=text(1), to=text(1)), "lines.to"),
    (THREE, Line(RESOURCE, "101", from_=text(2), to=text(1)), "lines.to"),
    (THREE, stay(0, STAY_MAX + 1, "101"), "lines.to"),
    (THREE, Line(RESOURCE, best=Best(1)), "lines.best"),
    (THREE, Line(RESOURCE, next=1), "lines.next"),
    (COUNTED, stay(0, 1, "101"), "lines.unit"),
    (COUNTED, Line(RESOURCE, text(0), 1), "lines"),
    (COUNTED, Line(RESOURCE, None, 1, from_=text(0), to=text(1), code="x"), "lines.code"),
]


@pytest.mark.parametrize(("plan", "line", "field"), NONSENSE_LINES, ids=range(len(NONSENSE_LINES)))
def test_a_line_that_makes_no_sense(plan: CompiledNights, line: Line, field: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        plan.line_claims(line, SALE)
    assert caught.value.data["field"] == field


def test_a_room_that_there_is_not() -> None:
    with pytest.raises(UnknownUnit) as caught:
        THREE.line_claims(stay(0, 1, "9"), SALE)
    assert caught.value.data == {"resource_id": RESOURCE, "unit": "9"}


def test_a_price_beyond_all_bounds() -> None:
    plan = compiled(count=1_000_000, price=10**12)
    with pytest.raises(InvalidRequest, match="price"):
        plan.line_claims(stay(0, 2, None, 1_000_000), SALE)


# Blocks


@given(plans, st.integers(-500, 500), st.integers(1, 400))
def test_a_block_takes_any_range_whatever_the_rules_say(
    plan: NightsPlan, start: int, nights: int
) -> None:
    made = CompiledNights(plan)
    if plan.rooms is None:
        needs = made.block_needs(stay(start, nights, quantity=1), SALE)
        assert units(needs) == [text(n) for n in range(start, start + nights)]
        return
    room = plan.rooms[-1]
    expected = [f"{room}@{text(n)}" for n in range(start, start + nights)]
    assert units(made.block_needs(stay(start, nights, room), SALE)) == expected
    everything = made.block_needs(stay(start, nights), SALE)
    assert len(set(units(everything))) == nights * len(plan.rooms)


@given(counted_plans, st.integers(0, LONGEST))
def test_a_block_of_all_rooms_leaves_none(plan: NightsPlan, arrival: int) -> None:
    made = CompiledNights(plan)
    try:
        needs = made.block_needs(stay(arrival, 2), SALE)
    except InvalidRequest:
        needs = []
    picture = Snapshot({}, {need.unit: need.quantity or 0 for need in needs})
    for night in made.block_needs(stay(arrival, 2, quantity=1), SALE):
        assert picture.drawn(night.unit) == night.capacity


@pytest.mark.parametrize(
    ("plan", "line", "field"),
    [
        (THREE, stay(0, 1, None, 2), "lines.quantity"),
        (THREE, Line(RESOURCE, "101"), "lines"),
        (THREE, Line(RESOURCE, from_=text(1), to=text(0)), "lines.to"),
        (THREE, stay(0, CLAIMS_MAX // 3 + 1), "lines"),
        (THREE, Line(RESOURCE, from_="1900-01-01", to="9996-12-31"), "lines"),
        (COUNTED, stay(0, 1, "101"), "lines.unit"),
        (COUNTED, stay(0, CLAIMS_MAX + 1), "lines"),
        (compiled(count=0), stay(0, 1), "lines"),
    ],
    ids=range(8),
)
def test_a_block_that_makes_no_sense(plan: CompiledNights, line: Line, field: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        plan.block_needs(line, SALE)
    assert caught.value.data["field"] == field


def test_a_block_of_a_room_that_there_is_not() -> None:
    with pytest.raises(UnknownUnit):
        THREE.block_needs(stay(0, 1, "9"), SALE)


def test_which_claims_could_be_of_the_plan() -> None:
    odd = compiled(rooms=("101", "a@b"))
    assert odd.has("101@2019-12-24") and odd.has("a@b@2026-12-24")
    for unit in ("101", "102@2026-12-24", "101@20261224", "101@2026-12-32", "2026-12-24", "@"):
        assert not odd.has(unit)
    assert COUNTED.has("2026-12-24")
    assert not COUNTED.has("101@2026-12-24") and not COUNTED.has("20261224")


# Choices


@given(exact_plans, st.integers(0, LONGEST), st.integers(1, 5), st.integers(1, 3), st.data())
def test_the_choice_is_free_and_leaves_the_smallest_gaps(
    plan: NightsPlan, arrival: int, nights: int, quantity: int, data: st.DataObject
) -> None:
    picture = data.draw(pictures(plan))
    made = CompiledNights(plan)
    line = stay(arrival, nights, None, quantity)
    rooms = plan.rooms or ()
    now = NOW.timestamp()
    first = NightRules(plan).sale_day(SALE).first - day(0).toordinal()

    def is_free(room: str, offset: int) -> bool:
        return picture.taken(f"{room}@{text(offset)}", now) is None

    claimed = range(arrival, arrival + nights + plan.buffer_nights)
    free = [room for room in rooms if all(is_free(room, n) for n in claimed)]

    def gap(room: str) -> int:
        low = max(first, arrival - 30)
        size = 0
        for side in (range(arrival - 1, low - 1, -1), range(claimed.stop, claimed.stop + 30)):
            for n in side:
                if not is_free(room, n):
                    break
                size += 1
        return size

    if not made.is_open(line):
        return
    for partial in (False, True):
        try:
            found = made.choose(line, picture, SALE, partial=partial)
        except NotOnSale:
            return
        except SoldOut as error:
            assert len(free) < (1 if partial else quantity)
            assert error.data["available"] == len(free)
            continue
        wanted = sorted(free, key=lambda room: (gap(room), rooms.index(room)))[:quantity]
        assert found == [stay(arrival, nights, room) for room in wanted]
        assert all(is_holdable(made.line_claims(one, SALE), picture) for one in found)


def test_a_stay_goes_where_it_fills_a_gap() -> None:
    picture = Snapshot({**booked("101", 9), **booked("103", 1, 5), **booked("102", 3)})
    found = THREE.choose(stay(2, 3), picture, SALE, partial=False)
    assert found == [stay(2, 3, "103")]
    both = THREE.choose(stay(2, 3, None, 2), picture, SALE, partial=False)
    assert both == [stay(2, 3, "103"), stay(2, 3, "101")]
    assert THREE.choose(stay(2, 3, None, 5), picture, SALE, partial=True) == both


def test_of_a_type_as_many_as_are_left() -> None:
    picture = Snapshot({}, {text(1): 2, text(5): 3})
    group = stay(0, 3, None, 3)
    assert COUNTED.choose(group, picture, SALE, partial=False) == [group]
    assert COUNTED.choose(group, picture, SALE, partial=True) == [stay(0, 3, None, 1)]
    assert COUNTED.choose(stay(0, 1, None, 2), picture, SALE, partial=True) == [stay(0, 1, None, 2)]
    with pytest.raises(SoldOut):
        COUNTED.choose(stay(4, 3, None, 3), picture, SALE, partial=True)


def test_a_line_without_a_choice_is_itself() -> None:
    line = stay(0, 3, "101")
    picture = Snapshot(booked("101", 1))
    for partial in (False, True):
        assert THREE.choose(line, picture, SALE, partial=partial) == [line]


def test_what_is_not_on_sale_is_not_chosen() -> None:
    with pytest.raises(NotOnSale) as caught:
        compiled(rooms=("1", "2"), min_nights=2).choose(stay(0, 1), Snapshot(), SALE, partial=True)
    assert caught.value.data == {
        "reasons": [{"reason": "min_stay", "date": text(0), "nights": 2}],
        "resource_id": RESOURCE,
    }


# Offers


@given(plans, st.integers(-2, LONGEST), st.integers(1, 5), st.integers(1, 3), st.data())
def test_offers_can_be_held_and_differ(
    plan: NightsPlan, arrival: int, nights: int, quantity: int, data: st.DataObject
) -> None:
    picture = data.draw(pictures(plan))
    made = CompiledNights(plan)
    named = plan.rooms is not None and data.draw(st.booleans())
    unit = data.draw(st.sampled_from(plan.rooms or ("",))) if named else None
    line = stay(arrival, nights, unit, None if named else quantity)
    offers = made.offers(line, picture, SALE, 100)
    seen = set()
    for offer in offers:
        assert line not in offer
        meanings = [made.line_claims(one, SALE) for one in offer]
        assert all(is_holdable(meant, picture) for meant in meanings)
        claims = [need.unit for meant in meanings for need in meant.needs]
        assert len(set(claims)) == len(claims)
        assert sum(meant.weight for meant in meanings) == (1 if named else quantity)
        seen.add(tuple((one.unit, one.from_, one.to) for one in offer))
    assert len(seen) == len(offers)
    assert made.offers(line, picture, SALE, 2) == offers[:2]
    watched = made.watched(line, SALE)
    assert made.offers(line, only(picture, watched), SALE, 100) == offers
    if made.is_open(line):
        for where in (picture, only(picture, watched)):
            try:
                found = made.choose(line, where, SALE, partial=True)
            except (NotOnSale, SoldOut):
                found = []
            if where is picture:
                expected = found
        assert found == expected


def test_offers_come_nearest_first() -> None:
    picture = Snapshot({**booked("101", 5), **booked("102", 6), **booked("103", 4, 5, 6, 7)})
    plan = compiled(rooms=("101", "102", "103"), window_days=30)
    assert plan.offers(stay(5, 2, "101"), picture, SALE, 4) == [
        [stay(6, 2, "101")],
        [stay(4, 2, "102")],
        [stay(7, 2, "101")],
        [stay(3, 2, "101")],
    ]
    free = Snapshot(booked("101", 5))
    assert plan.offers(stay(5, 2, "101"), free, SALE, 3) == [
        [stay(5, 2, "102")],
        [stay(5, 2, "103")],
        [stay(6, 2, "101")],
    ]


def test_the_room_itself_is_not_offered_though_it_is_free() -> None:
    offers = THREE.offers(stay(5, 2, "102"), Snapshot(), SALE, 2)
    assert offers == [[stay(5, 2, "101")], [stay(5, 2, "103")]]


def test_the_cheaper_of_two_dates_comes_first() -> None:
    plan = compiled(count=1, rules=(NightRule(from_=day(7), to=day(8), price=500),))
    picture = Snapshot({}, {text(6): 1})
    assert plan.offers(stay(6, 1), picture, SALE, 2) == [
        [stay(5, 1, None, 1)],
        [stay(7, 1, None, 1)],
    ]


def test_a_shorter_stay_is_offered_and_a_longer_one_where_the_rules_ask_for_it() -> None:
    full = Snapshot({}, {text(n): 1 for n in (*range(-1, 5), *range(7, 40))})
    assert compiled(count=1).offers(stay(5, 4), full, SALE, 5) == [
        [stay(5, 2, None, 1)],
        [stay(5, 1, None, 1)],
    ]
    picky = compiled(count=1, rules=(NightRule(from_=day(0), min_nights=3),))
    assert [stay(5, 3, None, 1)] in picky.offers(stay(5, 2), Snapshot(), SALE, 100)
    assert [stay(5, 4, None, 1)] not in picky.offers(stay(5, 3), Snapshot(), SALE, 100)


def test_too_short_a_stay_is_offered_the_longer_one_first() -> None:
    plan = compiled(count=1, window_days=60, rules=(NightRule(from_=day(5), min_nights=3),))
    assert plan.offers(stay(5, 2), Snapshot(), SALE, 2) == [
        [stay(5, 3, None, 1)],
        [stay(4, 2, None, 1)],
    ]
    taken = Snapshot({}, {text(7): 1})
    assert plan.offers(stay(5, 2), taken, SALE, 1) == [[stay(4, 2, None, 1)]]
    through = compiled(
        rooms=("101", "102"),
        rules=(
            NightRule(from_=day(6), to=day(7), min_through=4),
            NightRule(from_=day(9), to=day(10), closed_to_departure=True),
        ),
    )
    assert through.offers(stay(5, 2, "102"), Snapshot(), SALE, 1) == [[stay(5, 5, "102")]]
    other = Snapshot(booked("102", 9))
    assert through.offers(stay(5, 2, "102"), other, SALE, 1) == [[stay(5, 5, "101")]]


def test_a_much_longer_stay_is_looked_at_as_far_as_it_goes() -> None:
    plan = compiled(rooms=("101", "102"), min_nights=28, buffer_nights=1, window_days=90)
    line = stay(5, 2, "101")
    assert plan.offers(line, Snapshot(), SALE, 1) == [[stay(5, 28, "101")]]
    taken = Snapshot(booked("101", 33))
    assert plan.offers(line, taken, SALE, 1) == [[stay(5, 28, "102")]]
    assert set(plan.watched(line, SALE) or ()) >= {"101@" + text(33), "102@" + text(33)}


def test_too_long_a_stay_is_offered_the_longest_that_there_is() -> None:
    plan = compiled(count=1, max_nights=7, window_days=60)
    line = stay(5, 30)
    offers = plan.offers(line, Snapshot(), SALE, 3)
    assert offers == [[stay(5, 7, None, 1)]]
    taken = Snapshot({}, {text(10): 1})
    assert plan.offers(line, taken, SALE, 3) == [[stay(5, 5, None, 1)]]
    assert plan.offers(stay(5, 8), Snapshot(), SALE, 3) == [
        [stay(5, 7, None, 1)],
        [stay(5, 6, None, 1)],
        [stay(5, 5, None, 1)],
    ]


def test_a_group_is_offered_together() -> None:
    picture = Snapshot({**booked("101", 5), **booked("102", 5)})
    offers = THREE.offers(stay(5, 1, None, 2), picture, SALE, 1)
    assert [len(offer) for offer in offers] == [2]
    assert offers[0][0].from_ == text(6)


def test_the_more_rooms_the_less_is_watched() -> None:
    few, many = THREE, compiled(rooms=tuple(map(str, range(500))))
    line = stay(40, 5)
    assert len(few.watched(line, SALE) or []) == 3 * 65
    assert 500 * 5 < len(many.watched(line, SALE) or []) <= 6000
    assert compiled(rooms=tuple(map(str, range(2000)))).watched(line, SALE) is None
    assert COUNTED.watched(line, SALE) == [text(n) for n in range(26, 59)]


def test_nothing_is_offered_for_a_line_that_makes_no_sense() -> None:
    with pytest.raises(InvalidRequest):
        THREE.offers(Line(RESOURCE, "101"), Snapshot(), SALE, 3)
    far = Line(RESOURCE, "101", from_="9996-12-30", to="9996-12-31")
    assert THREE.offers(far, Snapshot(), SALE, 3) == []
    assert THREE.watched(far, SALE)


# The page


def blocks() -> list[str]:
    return re.findall(r"```json\n(.*?)```", PAGE.read_text(), re.DOTALL)


def test_the_plans_of_the_page_make_sense() -> None:
    found = [json.loads(block) for block in blocks()]
    made = [one for one in found if one.get("type") == "nights" and "version" not in one]
    assert len(made) >= 3
    for plan in made:
        CompiledNights(msgspec.convert(plan, NightsPlan))


def test_the_calendar_of_the_page_is_what_its_plan_answers() -> None:
    found = [json.loads(block) for block in blocks()]
    (shown,) = [one for one in found if "version" in one]
    plan = CompiledNights(msgspec.convert(found[0], NightsPlan))
    picture = Snapshot({}, {"2026-12-25": 40, "2026-12-28": 42}, version=shown["version"])
    sale = SaleContext(NOW, ZoneInfo("Europe/Paris"), shown["resource_id"], 0)
    query = AvailabilityQuery(from_=shown["from"], to=shown["to"], quantity=shown["quantity"])
    assert json.loads(msgspec.json.encode(plan.availability(query, picture, sale))) == shown


def test_every_field_is_on_the_page() -> None:
    page = PAGE.read_text()
    for struct in (
        NightsPlan,
        NightRule,
        NightRate,
        StayDiscount,
        ChildShare,
        NightsAvailability,
    ):
        for field in struct.__struct_encode_fields__:
            assert f"`{field}`" in page, field


def test_time_passes() -> None:
    line = stay(3, 1)
    later = SaleContext(NOW + timedelta(days=4), SALE.zone, RESOURCE, 100)
    assert COUNTED.line_claims(line, SALE).needs
    with pytest.raises(NotOnSale):
        COUNTED.line_claims(line, later)
