"""The rules of nights against a slow reading of them: which stays are sold, when, at what price."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak import InvalidRequest, Line
from bespeak.errors import NotOnSale
from bespeak.inventory.plans import SaleContext
from bespeak.inventory.shapes.nights.night_rules import NightRules, date_of, ranges_of, show_date
from bespeak.inventory.shapes.nights.plan import NightRule, NightsPlan
from bespeak.inventory.shapes.nights.rules import CompiledNights
from bespeak.inventory.shapes.nights.stay_limits import STAY_MAX
from tests.unit.night_plans import (
    LONGEST,
    NOW,
    RESOURCE,
    SALE,
    Reference,
    compiled,
    day,
    plans,
    stay,
    text,
)

ZONES = sorted(available_timezones())
UTC_ZONE = ZoneInfo("UTC")


def reasons(plan: CompiledNights, line: Line, sale: SaleContext = SALE) -> list[tuple[object, ...]]:
    """What the refusal says, or nothing: the stay is sold."""
    try:
        plan.line_claims(line, sale)
    except NotOnSale as error:
        found = error.data["reasons"]
        assert isinstance(found, list) and found
        return [tuple(one.values()) for one in found]
    return []


@given(plans, st.integers(-2, LONGEST + 2), st.integers(1, LONGEST + 2))
def test_a_stay_is_sold_when_no_rule_is_broken(plan: NightsPlan, arrival: int, nights: int) -> None:
    reference = Reference(plan)
    line = stay(arrival, nights, unit=plan.rooms[0] if plan.rooms else None)
    found = reasons(CompiledNights(plan), line)
    expected = reference.broken(day(arrival), day(arrival + nights), NOW, UTC_ZONE)
    assert {str(one[0]) for one in found} == expected


@given(plans, st.integers(-2, LONGEST + 2), st.integers(1, LONGEST + 2))
def test_the_quick_look_and_the_reasons_agree(plan: NightsPlan, arrival: int, nights: int) -> None:
    rules = NightRules(plan)
    sale_day = rules.sale_day(SALE)
    at = day(arrival).toordinal()
    assert rules.sells(at, nights, sale_day) == (not rules.broken(at, nights, sale_day))


@given(plans, st.integers(0, LONGEST), st.integers(1, LONGEST), st.integers(1, 3))
def test_the_price_is_that_of_each_night(
    plan: NightsPlan, arrival: int, nights: int, quantity: int
) -> None:
    reference = Reference(plan)
    rooms = 1 if plan.rooms else quantity
    line = stay(arrival, nights, plan.rooms[0] if plan.rooms else None, rooms)
    try:
        meant = CompiledNights(plan).line_claims(line, SALE)
    except NotOnSale:
        return
    price = sum(reference.price(day(arrival + n), SALE.price) for n in range(nights))
    assert (meant.amount, meant.weight) == (price * rooms, rooms)


@given(plans, st.integers(0, LONGEST), st.integers(1, LONGEST))
def test_a_pool_has_the_capacity_of_its_night(plan: NightsPlan, arrival: int, nights: int) -> None:
    if plan.rooms is not None:
        return
    needs = CompiledNights(plan).block_needs(stay(arrival, nights, quantity=2), SALE)
    reference = Reference(plan)
    expected = [(text(n), 2, reference.capacity(day(n))) for n in range(arrival, arrival + nights)]
    assert [tuple(need) for need in needs] == expected


@given(st.integers(0, (1 << 40) - 1).map(lambda bits: bits << 1))
def test_ranges_are_the_set_bits(bits: int) -> None:
    found = ranges_of(bits)
    assert [n for low, high in found for n in range(low, high + 1)] == [
        n for n in range(42) if bits >> n & 1
    ]
    assert all(high + 1 < low for (_, high), (low, _) in pairwise(found))


def test_each_rule_tells_its_date_and_number() -> None:
    plan = compiled(
        count=5,
        window_days=20,
        rules=(
            NightRule(from_=day(3), to=day(5), closed=True),
            NightRule(from_=day(2), to=day(3), closed_to_arrival=True, min_nights=6),
            NightRule(from_=day(4), to=day(5), min_through=7),
            NightRule(from_=day(6), to=day(7), closed_to_departure=True),
        ),
    )
    assert reasons(plan, stay(2, 4)) == [
        ("closed", text(3)),
        ("closed", text(4)),
        ("closed_to_arrival", text(2)),
        ("closed_to_departure", text(6)),
        ("min_stay", text(2), 6),
        ("min_stay", text(4), 7),
    ]
    assert reasons(plan, stay(-1, 25))[:2] == [("cutoff", text(-1)), ("beyond_window", text(20))]
    assert reasons(plan, stay(25, 2)) == [("beyond_window", text(25))]
    most = compiled(count=5, max_nights=4, rules=(NightRule(from_=day(5), max_through=2),))
    assert reasons(most, stay(1, 5)) == [("max_stay", text(1), 4), ("max_stay", text(5), 2)]


def test_a_later_rule_wins_and_can_take_back() -> None:
    plan = compiled(
        count=1,
        rules=(
            NightRule(closed=True, price=1, min_through=3),
            NightRule(days=("sun",), closed=False),
            NightRule(from_=day(0), to=day(1), min_through=1, price=2),
        ),
    )
    assert reasons(plan, stay(0, 1)) == []
    assert plan.line_claims(stay(0, 1), SALE).amount == 2
    assert reasons(plan, stay(7, 1)) == [("min_stay", text(7), 3)]
    assert reasons(plan, stay(1, 1)) == [("closed", text(1)), ("min_stay", text(1), 3)]


def test_the_longest_stay_is_a_leap_year() -> None:
    plan = compiled(count=1, window_days=1100)
    assert len(plan.line_claims(stay(0, STAY_MAX), SALE).needs) == STAY_MAX
    with pytest.raises(InvalidRequest, match="366"):
        plan.line_claims(stay(0, STAY_MAX + 1), SALE)


@given(st.sampled_from(ZONES), st.integers(0, 5 * 366 * 24 * 60), st.integers(1, 30))
def test_the_window_moves_with_the_date_of_the_zone(name: str, minutes: int, window: int) -> None:
    zone = ZoneInfo(name)
    now = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    plan = compiled(count=1, window_days=window, cutoff_hours=-24, check_in_time="23:59")
    today = now.astimezone(zone).date()
    last = today + timedelta(days=window)

    def line(departure: date) -> Line:
        arrival = departure - timedelta(days=1)
        return Line(RESOURCE, from_=arrival.isoformat(), to=departure.isoformat())

    sale = SaleContext(now, zone, RESOURCE)
    assert reasons(plan, line(last), sale) == []
    beyond = last + timedelta(days=1)
    assert reasons(plan, line(beyond), sale) == [("beyond_window", last.isoformat())]


@given(
    st.sampled_from(ZONES),
    st.integers(0, 5 * 366 * 24 * 60),
    st.sampled_from(["00:00", "00:30", "02:30", "15:00", "23:59"]),
    st.sampled_from([-24, -5, 0, 1, 24, 100]),
)
def test_one_can_arrive_until_the_cutoff_in_the_zone(
    name: str, minutes: int, check_in: str, cutoff: int
) -> None:
    zone = ZoneInfo(name)
    now = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    fields = NightsPlan(count=1, check_in_time=check_in, cutoff_hours=cutoff)
    rules, reference = NightRules(fields), Reference(fields)
    first = rules.sale_day(SaleContext(now, zone)).first
    around = [date.fromordinal(first + days) for days in range(-3, 4)]
    sold = [not reference.broken(d, d + timedelta(days=1), now, zone) for d in around]
    assert sold == [False] * 3 + [True] * 4


@pytest.mark.parametrize(
    ("zone", "now", "arrival"),
    [
        ("Pacific/Kiritimati", "2026-12-20T09:59:59Z", "2026-12-20"),
        ("Pacific/Kiritimati", "2026-12-20T10:00:00Z", "2026-12-21"),
        ("Pacific/Pago_Pago", "2026-12-20T10:59:59Z", "2026-12-19"),
        ("Pacific/Pago_Pago", "2026-12-20T11:00:00Z", "2026-12-20"),
        ("Europe/Paris", "2026-03-29T12:59:59Z", "2026-03-29"),  # the day of 23 hours
        ("Europe/Paris", "2026-10-25T13:59:59Z", "2026-10-25"),  # the day of 25 hours
        ("Europe/Paris", "2026-10-25T14:00:00Z", "2026-10-26"),
    ],
)
def test_today_is_today_there(zone: str, now: str, arrival: str) -> None:
    check_in = "15:00" if zone.startswith("Europe") else "23:59"
    rules = NightRules(NightsPlan(count=1, check_in_time=check_in))
    moment = datetime.fromisoformat(now)
    if check_in == "23:59":
        assert show_date(rules.sale_day(SaleContext(moment, ZoneInfo(zone))).today) == arrival
    else:
        assert show_date(rules.sale_day(SaleContext(moment, ZoneInfo(zone))).first) == arrival


def test_the_minute_of_the_cutoff_is_not_missed() -> None:
    plan = compiled(count=1, cutoff_hours=3)
    for seconds, expected in ((-60, []), (-1, []), (0, ["cutoff"]), (59, ["cutoff"]), (-30, [])):
        moment = datetime(2026, 12, 20, 12, tzinfo=UTC) + timedelta(seconds=seconds)
        found = reasons(plan, stay(0, 1), SaleContext(moment, UTC_ZONE, RESOURCE))
        assert [reason for reason, _ in found] == expected


def test_resources_in_different_zones_share_a_plan() -> None:
    rules = NightRules(NightsPlan(count=1))
    moment = datetime(2026, 12, 20, 10, 30, tzinfo=UTC)
    found = [
        show_date(rules.sale_day(SaleContext(moment, ZoneInfo(name))).today)
        for name in ("Pacific/Kiritimati", "UTC", "Pacific/Pago_Pago", "Pacific/Kiritimati")
    ]
    assert found == ["2026-12-21", "2026-12-20", "2026-12-19", "2026-12-21"]


@given(st.text(max_size=12) | st.dates().map(str) | st.datetimes().map(str))
def test_a_date_has_one_form(found: str) -> None:
    ordinal = date_of(found)
    if ordinal is not None:
        assert show_date(ordinal) == found


@pytest.mark.parametrize(
    "nonsense",
    ["20261224", "2026-W52-4", "2026-12-24 ", "1899-12-31", "9997-01-01", "\uff12026-12-24"],
)
def test_other_forms_are_no_dates(nonsense: str) -> None:
    assert date_of(nonsense) is None


def test_the_memory_of_dates_is_bounded() -> None:
    rules = NightRules(NightsPlan(count=1, window_days=1100, rules=(NightRule(min_through=2),)))
    for offset in range(10_000):
        rules.night(700_000 + offset)
    assert rules.night(700_001).min_through == 2
    assert len(rules._nights) <= 4096
