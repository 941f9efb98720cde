"""Suggested prices in a plan: runs of nights, whose price counts, and what stays as it was."""

from datetime import date, timedelta

import pytest

from bespeak.errors import InvalidRequest
from bespeak.inventory.shapes.nights.plan import NightRule, NightsPlan, check_plan
from bespeak.verticals.stays.suggestions.priced_nights import PricedNights

FIRST = date(2030, 3, 4)  # a Monday
DAY = FIRST.toordinal()


def on(day: int) -> date:
    return FIRST + timedelta(days=day)


def rule(start: int, end: int, price: int, *, suggested: bool = True) -> NightRule:
    return NightRule(from_=on(start), to=on(end), price=price, suggested=suggested)


def plan(*rules: NightRule) -> NightsPlan:
    return NightsPlan(count=5, price=100, rules=rules)


def test_nights_with_one_price_are_one_rule() -> None:
    prices = {DAY: 110, DAY + 1: 110, DAY + 2: 120, DAY + 4: 120, DAY + 5: 100}
    made = PricedNights(plan(), 100).with_suggested(prices)
    # The last costs what is usual.
    assert made.rules == (rule(0, 2, 110), rule(2, 3, 120), rule(4, 5, 120))
    assert PricedNights(made, 100).suggested() == {
        day: price for day, price in prices.items() if price != 100
    }


def test_a_persons_rules_stay_and_what_was_suggested_is_replaced_in_its_place() -> None:
    own, later = rule(0, 9, 90, suggested=False), NightRule(days=("sat",), price=200)
    before = plan(own, rule(0, 3, 110), later)
    made = PricedNights(before, 100).with_suggested({DAY + 1: 130})
    assert made.rules == (own, rule(1, 2, 130), later)
    assert PricedNights(made, 100).with_suggested({}).rules == (own, later)


def test_the_usual_price_is_a_persons_and_the_later_rule_wins() -> None:
    own, later = rule(0, 9, 90, suggested=False), NightRule(days=("sat",), price=200)
    found = PricedNights(plan(own, rule(0, 6, 110), later), 100)
    monday, saturday = DAY, DAY + 5
    assert (found.usual(monday), found.now(monday)) == (90, 110)
    assert (found.usual(saturday), found.now(saturday)) == (200, 200)
    assert (found.is_by_hand(monday), found.is_by_hand(saturday)) == (False, True)


def test_before_prices_were_suggested_nothing_is_by_hand() -> None:
    found = PricedNights(plan(rule(0, 9, 90, suggested=False)), 100)
    assert not found.is_by_hand(DAY)


def test_a_plan_without_a_price_has_that_of_its_resource() -> None:
    found = PricedNights(NightsPlan(count=5), 70)
    assert (found.usual(DAY), found.now(DAY)) == (70, 70)
    assert found.with_suggested({DAY: 70}) == NightsPlan(count=5)


@pytest.mark.parametrize(
    "wrong",
    [
        NightRule(from_=on(0), price=1, suggested=True),
        NightRule(from_=on(0), to=on(1), price=1, closed=True, suggested=True),
        NightRule(from_=on(0), to=on(1), closed=True, suggested=True),
        NightRule(from_=on(0), to=on(1), days=("mon",), price=1, suggested=True),
        NightRule(suggested=True),
    ],
)
def test_what_is_suggested_is_a_price_of_some_dates(wrong: NightRule) -> None:
    with pytest.raises(InvalidRequest):
        check_plan(plan(wrong))
