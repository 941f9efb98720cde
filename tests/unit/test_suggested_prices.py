"""Pick-up curves and the suggestion for a night: what comparable nights lead to expect."""

import pytest

from bespeak.verticals.stays.suggestions.method import (
    Bound,
    Bounds,
    NightStanding,
    PriceReason,
    bounded,
    suggest,
)
from bespeak.verticals.stays.suggestions.pickup import (
    COMPARABLE_MIN,
    LEAD_MAX,
    SEASON_DAYS,
    Change,
    Expectation,
    NightCurve,
    When,
    comparable,
    expect,
    is_weekend,
    night_of,
)

# A Monday.
TODAY = 739_000 - (739_000 - 1) % 7
WIDE = Bounds(least=1, most=1_000_000, step=10_000)


def sold(day: int, *leads: int, rooms: int = 10) -> NightCurve:
    return night_of(day, rooms, [Change(lead, 1, 1.0) for lead in leads])


def past(*leads: int, rooms: int = 10, count: int = 8) -> list[NightCurve]:
    return [sold(TODAY - 1 - back, *leads, rooms=rooms) for back in range(count)]


def standing(taken: int, *, lead: int = 20, rooms: int = 10, now: int = 10_000) -> NightStanding:
    return NightStanding(lead, rooms, taken, float(taken), 10_000, now)


def test_a_curve_says_what_was_booked_by_each_lead() -> None:
    night = night_of(TODAY, 10, [Change(30, 2, 2.4), Change(30, 1, 1.0), Change(5, -1, -1.2)])
    assert [night.booked[lead] for lead in (LEAD_MAX, 31, 30, 6, 5, 0)] == [0, 0, 3, 3, 2, 2]
    assert night.demand[0] == pytest.approx(2.2)
    assert night.sold_out is None


def test_what_came_before_a_curve_or_after_its_night_is_counted() -> None:
    night = night_of(TODAY, 2, [Change(900, 1, 1.0), Change(-2, 1, 1.0)])
    assert (night.booked[LEAD_MAX], night.booked[0], night.sold_out) == (1, 2, 0)


def test_comparable_nights_have_rooms_the_season_and_the_kind_of_day() -> None:
    year_ago = TODAY - 364
    like, others = [year_ago, TODAY - 7], [TODAY - 2, year_ago + SEASON_DAYS + 7]
    nights = [sold(day, 3) for day in (*like, *others)] + [sold(TODAY - 14, rooms=0)]
    assert [night.day for night in comparable(TODAY, nights)] == like
    assert [is_weekend(TODAY + day) for day in range(7)] == [False] * 4 + [True, True, False]


def test_the_season_goes_over_the_turn_of_the_year() -> None:
    january = 738_886  # 2024-01-01, a Monday
    assert comparable(january, [sold(january - 7, 1), sold(january - 60, 1)]) == [
        sold(january - 7, 1)
    ]


def test_few_nights_or_unsold_ones_lead_to_no_expectation() -> None:
    assert expect(10, When(TODAY, 20, 0.0), past(3, count=COMPARABLE_MIN - 1)) is None
    assert expect(10, When(TODAY, 20, 0.0), past()) is None
    found = suggest(standing(4), None, WIDE)
    assert (found.price, found.reason) == (None, PriceReason.TOO_LITTLE_HISTORY)


def test_an_expectation_is_of_the_rooms_that_there_are() -> None:
    found = expect(20, When(TODAY, 20, 0.0), past(40, 30, 5, 1))
    assert found is not None
    assert (found.nights, found.by_now, found.in_the_end, found.booked) == (8, 4.0, 8.0, 4.0)


def test_of_today_the_share_that_has_gone_counts() -> None:
    nights = past(40, 20, 20)
    found = [expect(10, When(TODAY, 20, share), nights) for share in (0.0, 0.5, 1.0)]
    assert [one and round(one.by_now, 6) for one in found] == [1.0, 2.0, 3.0]


def test_a_night_that_sold_out_is_taken_for_more_than_its_rooms() -> None:
    """Half is booked ten days before where rooms are left to the end: a night whose rooms went by
    then would have sold as many again."""
    open_nights = [sold(TODAY - 1 - back, 30, 30, 1, 1, rooms=10) for back in range(6)]
    full = [sold(TODAY - 10 - back, *[10] * 10) for back in range(6)]
    found = expect(10, When(TODAY, 20, 0.0), [*open_nights, *full])
    assert found is not None
    # A little less than (4 + 20) / 2, because the full nights are older.
    assert found.in_the_end == pytest.approx(12.0, rel=0.01)


def test_demand_is_known_firmly_where_only_chance_makes_it_uneven() -> None:
    even = expect(10, When(TODAY, 20, 0.0), past(30, 30, 2, 2))
    uneven = [*past(*[2] * 10, rooms=20, count=4), *past(2, rooms=20, count=4)]
    told = expect(20, When(TODAY, 20, 0.0), uneven)
    assert even is not None
    assert told is not None
    assert even.firmness == 50.0
    assert 2.0 <= told.firmness < 10


EXPECTED = Expectation(nights=12, by_now=4.0, in_the_end=8.0, firmness=4.0, booked=4.0)


def test_a_night_as_others_were_keeps_its_usual_price() -> None:
    found = suggest(standing(4), EXPECTED, WIDE)
    assert (found.price, found.reason, found.bounds) == (10_000, PriceReason.ON_PACE, ())
    assert found.forecast == pytest.approx(8.0)


def test_a_night_that_is_ahead_costs_more() -> None:
    found = suggest(standing(7), EXPECTED, WIDE)
    # 11 / 8 of 4 are to come, 5.5 for 3 rooms.
    assert (found.price, found.reason) == (round(10_000 * (2 - 3 / 5.5)), PriceReason.AHEAD_OF_PACE)


def test_a_night_that_fills_as_others_do_costs_more_when_rooms_run_short() -> None:
    full = EXPECTED._replace(in_the_end=14.0)
    found = suggest(standing(4), full, WIDE)
    assert (found.price, found.reason) == (round(10_000 * (2 - 6 / 10)), PriceReason.NEARLY_FULL)


@pytest.mark.parametrize(("lead", "reason"), [(20, "behind_pace"), (3, "last_minute")])
def test_a_night_that_is_behind_costs_less(lead: int, reason: str) -> None:
    found = suggest(standing(0, lead=lead), EXPECTED, WIDE)
    assert (found.price, found.reason) == (7_500, reason)  # half of the half that is missing


def test_to_ask_again_moves_nothing_again() -> None:
    first = suggest(standing(0), EXPECTED, WIDE).price
    assert first is not None
    assert suggest(standing(0, now=first), EXPECTED, WIDE).price == first


def test_what_is_sold_out_has_no_suggestion() -> None:
    found = suggest(standing(10), EXPECTED, WIDE)
    assert (found.price, found.reason) == (None, PriceReason.SOLD_OUT)


@pytest.mark.parametrize(
    ("wanted", "bounds", "price", "hit"),
    [
        (10_049, Bounds(1, 99_999, 1_000, 100), 10_000, ()),
        (10_050.1, Bounds(1, 99_999, 1_000, 100), 10_100, ()),
        (13_000, Bounds(1, 99_999, 1_000, 100), 11_000, (Bound.STEP,)),
        (13_000, Bounds(1, 99_999, 1_050, 100), 11_000, (Bound.STEP,)),
        (5_000, Bounds(1, 99_999, 1_050, 100), 9_000, (Bound.STEP,)),
        (13_000, Bounds(1, 10_700, 1_000, 100), 10_700, (Bound.MOST,)),
        (5_000, Bounds(9_250, 10_700, 1_000, 100), 9_250, (Bound.LEAST,)),
        # A price now outside of the bounds goes into them at once.
        (10_000, Bounds(20_000, 30_000, 1_000, 100), 20_000, (Bound.LEAST,)),
        # A step below the multiple is taken to the minor unit, so that prices do not stand still.
        (13_000, Bounds(1, 99_999, 1_000, 5_000), 11_000, (Bound.STEP,)),
        # Yen have no minor unit, dinars three places: both are whole numbers here.
        (18, Bounds(1, 99, 10_000, 1), 18, ()),
    ],
)
def test_bounds(wanted: float, bounds: Bounds, price: int, hit: tuple[Bound, ...]) -> None:
    now = 10_000 if wanted > 99 else 15
    assert bounded(wanted, now, bounds) == (price, hit)
