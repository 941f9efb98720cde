"""The steps that buyers are told agree, at each moment, with what a cancellation gives back."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import hypothesis.strategies as st
import pytest
from hypothesis import given

from bespeak.pricing.refund_steps import (
    RefundShare,
    RefundStep,
    cuts_of,
    refund_shares,
    refund_steps,
)
from bespeak.pricing.refunds import RefundDue, refund_by_terms, tier_at
from bespeak.pricing.rounding import ALL
from bespeak.pricing.rules import RefundTier, Terms
from tests.unit.test_pricing_refunds import TERMS, bookings

START = datetime(2026, 12, 24, 20, tzinfo=UTC)
DAY = 86_400
NOW = START - timedelta(days=20)
# Whole seconds, and the instants beside them.
MOMENTS = st.builds(
    lambda seconds, beside: NOW + timedelta(seconds=seconds, microseconds=beside),
    st.integers(0, 25 * DAY),
    st.integers(0, 2),
)


def step_at(steps: Sequence[RefundStep], moment: datetime) -> RefundStep:
    return next(one for one in steps if one.until is None or moment <= one.until)


@given(bookings(), st.data())
@pytest.mark.explores
def test_each_step_is_what_a_cancellation_gives_back_then(
    booking: tuple[list[int], list[int], int, list[Terms | None]], data: st.DataObject
) -> None:
    amounts, of_fees, fees, terms = booking
    offsets = st.integers(0, 5 * DAY).map(lambda seconds: START + timedelta(seconds=seconds))
    starts = [data.draw(st.none() | offsets) for _ in amounts]

    def due_at(at: datetime) -> RefundDue:
        return refund_by_terms(
            terms,
            amounts=amounts,
            fees=fees,
            starts=starts,
            now=at,
            lines=range(len(amounts)),
            already=0,
            line_fees=of_fees,
        )

    cuts = cuts_of(terms, starts)
    steps = refund_steps(due_at, cuts, NOW)
    edges = [cut + timedelta(microseconds=beside) for cut in cuts for beside in (-1, 0, 1)]
    drawn = data.draw(st.lists(MOMENTS, max_size=10))
    for moment in [NOW, *drawn, *(edge for edge in edges if edge >= NOW)]:
        due, step = due_at(moment), step_at(steps, moment)
        assert step.amount == due.amount
        assert step.basis_points in (None, *(line.basis_points for line in due.lines))
    untils = [one.until for one in steps]
    assert untils[-1] is None
    assert None not in untils[:-1]
    assert untils[:-1] == sorted(one for one in untils if one is not None)
    for one, after in pairwise(steps):
        assert (one.amount, one.basis_points) != (after.amount, after.basis_points)


@given(TERMS, st.none() | st.just(START), st.data())
def test_each_share_is_that_of_the_tier(
    terms: Terms | None, starts_at: datetime | None, data: st.DataObject
) -> None:
    steps = refund_shares(terms, starts_at, NOW)
    edges = cuts_of([terms], [starts_at])
    for moment in [NOW, *data.draw(st.lists(MOMENTS)), *(edge for edge in edges if edge >= NOW)]:
        step = next(one for one in steps if one.until is None or moment <= one.until)
        assert step.basis_points == tier_at(terms, starts_at, moment)[0]


TIERED = Terms((RefundTier(7 * DAY, ALL), RefundTier(2 * DAY, 5000)))


def test_a_policy_is_told_from_now_on() -> None:
    week, two_days = START - timedelta(days=7), START - timedelta(days=2)
    all_of_it = RefundShare(week, None, ALL)
    half, none = RefundShare(two_days, None, 5000), RefundShare(None, None, 0)
    assert refund_shares(TIERED, START, NOW) == [all_of_it, half, none]
    assert refund_shares(TIERED, START, week) == [all_of_it, half, none]
    assert refund_shares(TIERED, START, week + timedelta(microseconds=1)) == [half, none]
    assert refund_shares(TIERED, START, START) == [none]


def test_nothing_ever_and_everything_always_are_one_step() -> None:
    assert refund_shares(Terms(), START, NOW) == [RefundShare(None, None, 0)]
    assert refund_shares(None, START, NOW) == [RefundShare(None, None, ALL)]


def test_where_each_line_begins_at_its_own_time_steps_count_back_from_there() -> None:
    assert refund_shares(TIERED, None, NOW, is_relative=True) == [
        RefundShare(None, 7 * DAY, ALL),
        RefundShare(None, 2 * DAY, 5000),
        RefundShare(None, None, 0),
    ]


def test_the_end_of_the_calendar_is_no_cut() -> None:
    last = datetime(9998, 12, 31, 23, 59, tzinfo=UTC)
    after = Terms((RefundTier(-366 * DAY, ALL),))
    assert refund_shares(after, last, NOW) == [RefundShare(None, None, ALL)]
