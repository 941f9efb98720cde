"""The demo's samples: one or two of each shape, never over when they are made, and never stale."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak import Line, NewResource
from bespeak.demo.samples.catalogue import SAMPLES, Sample
from bespeak.demo.samples.days import SATURDAY, coming
from bespeak.demo.samples.festival import PRESALE_CODE
from bespeak.demo.samples.theatre import STUDENT_CODE
from bespeak.errors import NotOnSale
from bespeak.inventory.payment_rules import costs
from bespeak.inventory.plans import AvailabilityQuery, CompiledPlan, SaleContext
from bespeak.inventory.resources import settled
from bespeak.inventory.shapes.nights.availability import NightsAvailability
from bespeak.inventory.shapes.registry import compile_plan
from bespeak.inventory.shapes.seats.rules import CompiledSeats
from bespeak.inventory.shapes.times.availability import TimesAvailability
from bespeak.inventory.snapshot import Snapshot
from bespeak.pricing.rules import check_pricing

NOW = datetime(2026, 11, 21, 9, tzinfo=UTC)
ROOT = Path(__file__).resolve().parents[2]
SHAPES = ("seats", "nights", "times", "tickets", "pools", "legs", "moments")
NAMED = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.key)
YEAR = timedelta(days=365)
MOMENTS = st.integers(0, 10 * 365 * 24 * 60).map(
    lambda minutes: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
)


def made(key: str, now: datetime = NOW) -> NewResource:
    return next(sample for sample in SAMPLES if sample.key == key).make(now)


def ready(key: str, now: datetime = NOW) -> tuple[CompiledPlan, SaleContext]:
    new = made(key, now)
    zone = ZoneInfo(new.time_zone)
    return compile_plan(new.plan), SaleContext(now, zone, "res_00000000", new.price.amount)


def line(unit: str | None = None, start: str = "", stop: str = "", **more: int) -> Line:
    ends = {"from_": start, "to": stop} if start else {}
    return Line("res_00000000", unit, **ends, **more)  # type: ignore[arg-type]


def test_samples_cost_something_in_the_money_of_their_place() -> None:
    money = {sample.key: made(sample.key).price.currency for sample in SAMPLES}
    free = {"walk-in"}
    assert {key for key, currency in money.items() if currency == "INR"} == {"clinic", "drivers"}
    assert money["theatre"] == "GBP"
    assert {money[key] for key in money.keys() - free} == {"GBP", "EUR", "INR"}


def test_every_shape_has_a_sample_and_every_sample_a_page() -> None:
    assert {sample.shape for sample in SAMPLES} == set(SHAPES)
    assert all(count == 1 for count in Counter(sample.key for sample in SAMPLES).values())
    for sample in SAMPLES:
        assert (ROOT / sample.guide).is_file(), sample.guide
        assert type(made(sample.key).plan).__struct_config__.tag == sample.shape


@NAMED
@given(now=MOMENTS)
def test_no_sample_is_over_when_it_is_made(sample: Sample, now: datetime) -> None:
    new = sample.make(now)
    assert compile_plan(new.plan)
    assert new.closes_at is None or now + timedelta(hours=6) < new.closes_at < now + 2 * YEAR
    assert ZoneInfo(new.time_zone)


@given(now=MOMENTS, weekday=st.integers(0, 6))
def test_a_coming_day_is_later_and_within_a_week(now: datetime, weekday: int) -> None:
    day = coming(weekday, now.date())
    assert day.weekday() == weekday
    assert 1 <= (day - now.date()).days <= 7


def test_the_theatre_has_prices_places_for_wheelchairs_and_minds_single_seats() -> None:
    plan, sale = ready("theatre")
    assert isinstance(plan, CompiledSeats)
    assert plan.exclusive_total == 383
    assert plan.guards_seats
    assert set(plan.categories.values()) == {"premium", "stalls", "circle", "gallery"}
    assert plan.line_claims(line("B4"), sale).amount == 6800
    assert plan.line_claims(line("C-B4"), sale).amount == 4400
    assert plan.line_claims(line("standing", quantity=3), sale).amount == 3600
    assert made("theatre").closes_at == datetime(2026, 11, 28, 19, 30, tzinfo=UTC)
    assert coming(SATURDAY, date(2026, 11, 24)) == date(2026, 11, 28)


def test_the_theatre_is_paid_for_and_gives_money_back_by_its_policy() -> None:
    new = made("theatre")
    assert new.payment == "required" and new.pricing is not None
    assert check_pricing(new.pricing) == new.pricing
    assert new.starts_at == new.closes_at
    assert new.starts_at is not None and new.ends_at is not None
    assert new.starts_at < new.ends_at < new.starts_at + timedelta(hours=4)
    assert [code.code for code in new.pricing.codes] == [STUDENT_CODE]
    policy = new.pricing.cancellation
    assert policy is not None
    hours = {
        tier.before_seconds // 3600: tier.basis_points
        for tier in policy.terms_for(None, None).tiers
    }
    assert hours == {48: 10_000, 24: 5000}


@NAMED
def test_what_costs_is_paid_here_or_at_the_venue(sample: Sample) -> None:
    """Else whoever opens the shop would have it for nothing, or nobody could book it."""
    new = settled(made(sample.key))
    assert (new.payment == "none") == (not costs(new))


@given(now=MOMENTS)
def test_the_hotel_keeps_new_year_for_three_nights_every_year(now: datetime) -> None:
    plan, sale = ready("hotel", now)
    today = now.astimezone(sale.zone).date()
    eve = date(today.year, 12, 30)
    if eve <= today + timedelta(days=1):
        eve = date(today.year + 1, 12, 30)
    if eve + timedelta(days=3) > today + YEAR:
        return  # not on sale yet, as every December begins
    short = line(None, eve.isoformat(), (eve + timedelta(days=2)).isoformat())
    with pytest.raises(NotOnSale) as refused:
        plan.line_claims(short, sale)
    reasons = [one["reason"] for one in refused.value.data["reasons"]]  # type: ignore[attr-defined]
    assert reasons == ["closed_to_departure", "min_stay"]
    whole = line(None, eve.isoformat(), (eve + timedelta(days=3)).isoformat())
    assert plan.line_claims(whole, sale).amount == 3 * 22_000


def test_the_hotel_costs_more_at_weekends_and_the_cottage_is_cleaned() -> None:
    plan, sale = ready("hotel")
    assert (
        plan.line_claims(line(None, "2027-01-14", "2027-01-17"), sale).amount == 11_800 + 2 * 14_500
    )
    plan, sale = ready("cottage")
    stay = plan.line_claims(line("Otter", "2027-01-15", "2027-01-17"), sale)
    assert [need.unit for need in stay.needs] == [f"Otter@2027-01-{day}" for day in (15, 16, 17)]
    assert stay.amount == 2 * 9_800


def test_a_year_of_every_lodging_can_be_seen_and_most_of_it_had() -> None:
    for key in ("hotel", "cottage"):
        plan, sale = ready(key)
        query = AvailabilityQuery("2026-11-21", "2027-11-21")
        seen = plan.availability(query, Snapshot(now=NOW.timestamp()), sale)
        assert isinstance(seen, NightsAvailability)
        assert sum(night.arrive for night in seen.nights) > 300


def test_the_clinic_has_two_doctors_lunch_breaks_and_holidays() -> None:
    plan, sale = ready("clinic")
    query = AvailabilityQuery("2026-11-23", "2026-11-24")
    seen = plan.availability(query, Snapshot(now=NOW.timestamp()), sale)
    assert isinstance(seen, TimesAvailability)
    starts = {slot.from_[11:16]: slot for slot in seen.slots}
    assert min(starts) == "09:00"
    assert "13:20" in starts, "Dr. Iyer works through lunch"
    assert "dr-rao" not in starts["13:20"].providers
    assert starts["10:00"].available == 2
    plan, sale = ready("clinic", datetime(2027, 1, 20, tzinfo=UTC))
    query = AvailabilityQuery("2027-01-26", "2027-01-27")
    closed = plan.availability(query, Snapshot(now=sale.now.timestamp()), sale)
    assert isinstance(closed, TimesAvailability)
    assert (closed.slots, closed.closed) == ([], ["2027-01-26"])


def test_the_walk_in_session_is_of_the_next_morning_that_is_no_sunday() -> None:
    for day, session in ((19, 20), (20, 21), (21, 23), (22, 23)):
        closes_at = made("walk-in", NOW.replace(day=day)).closes_at
        assert closes_at is not None
        assert closes_at.date() == date(2026, 11, session)


def test_an_early_bird_ticket_counts_against_the_field_its_quota_and_its_code() -> None:
    plan, sale = ready("festival")
    with pytest.raises(NotOnSale):
        plan.line_claims(line("early-bird", quantity=2), sale)
    asked = Line("res_00000000", "early-bird", 2, code=PRESALE_CODE)
    drawn = {need.unit: need.quantity for need in plan.line_claims(asked, sale).needs}
    assert drawn == {"field": 2, "early-bird-quota": 2, f"code:{PRESALE_CODE}": 2}


def test_a_seat_of_the_train_is_sold_by_the_leg_with_its_quota() -> None:
    plan, sale = ready("train")
    ride = plan.line_claims(line("2-7A", "AVR", "SAN"), sale)
    assert [need.unit for need in ride.needs if need.quantity is None] == ["2-7A@AVR", "2-7A@CBR"]
    assert [need.unit for need in ride.needs if need.quantity == 1] == ["quota:ahead@AVR"]
    assert ride.amount == 700 + 900
    assert plan.line_claims(line("1-3C", "OPO", "LIS"), sale).amount == 4600


def test_a_driver_is_taken_for_a_ride_from_now_on() -> None:
    plan, sale = ready("drivers")
    ride = plan.line_claims(
        line("bela", "2026-11-21T14:30:00+05:30", "2026-11-21T14:50:00+05:30"), sale
    )
    assert len(ride.needs) == 5  # four cells, and the buffer
    assert ride.amount == 4 * 2_500
    assert made("drivers").hold_seconds == 15
