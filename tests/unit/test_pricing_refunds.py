"""Refunds: in however many parts a booking is cancelled, never more is given back than was paid,
and by the same terms always the same.
"""

from datetime import UTC, datetime, timedelta

import hypothesis.strategies as st
import pytest
from hypothesis import given

from bespeak.pricing.refunds import CancelledPart, RefundDue, refund_by_terms
from bespeak.pricing.rounding import ALL, share
from bespeak.pricing.rules import Cancellation, CancellationOverride, RefundTier, Terms

START = datetime(2026, 12, 24, 20, tzinfo=UTC)
DAY = 86_400
TIERED = Cancellation(
    free_until_seconds=7 * DAY, tiers=(RefundTier(2 * DAY, 5000), RefundTier(0, 1000))
)

TIERS = st.lists(
    st.tuples(st.integers(-DAY, 30 * DAY), st.integers(0, ALL)), min_size=0, max_size=4
).map(lambda found: tuple(RefundTier(*pair) for pair in sorted(found, reverse=True)))
TERMS = st.none() | st.builds(Terms, tiers=TIERS, fees_back=st.booleans())


@st.composite
def bookings(draw: st.DrawFn) -> tuple[list[int], list[int], int, list[Terms | None]]:
    count = draw(st.integers(1, 5))
    amounts = draw(st.lists(st.integers(0, 10**9), min_size=count, max_size=count))
    of_fees = [draw(st.integers(0, amount)) for amount in amounts]
    fees = draw(st.integers(0, 10_000)) if sum(amounts) else 0
    terms = draw(st.lists(TERMS, min_size=count, max_size=count))
    return amounts, of_fees, fees, terms


@given(bookings(), st.data())
def test_parts_sum_to_the_whole_at_one_time(
    booking: tuple[list[int], list[int], int, list[Terms | None]], data: st.DataObject
) -> None:
    amounts, of_fees, fees, terms = booking
    now = START - timedelta(seconds=data.draw(st.integers(-2 * DAY, 40 * DAY)))
    counts = [data.draw(st.integers(1, 7)) for _ in amounts]

    def due(parts: list[int | CancelledPart], already: int) -> RefundDue:
        return refund_by_terms(
            terms,
            amounts=amounts,
            fees=fees,
            starts=[START] * len(amounts),
            now=now,
            lines=parts,
            already=already,
            line_fees=of_fees,
        )

    whole = due(list(range(len(amounts))), 0)
    assert whole.amount == sum(one.amount for one in whole.lines)
    already = 0
    left = data.draw(
        st.permutations([place for place, count in enumerate(counts) for _ in range(count)])
    )
    gone = [0] * len(amounts)
    for place in left:
        refund = due([CancelledPart(place, 1, counts[place], gone[place])], already)
        assert refund.amount >= 0
        gone[place] += 1
        already += refund.amount
    assert already == whole.amount
    assert already <= sum(amounts) + fees


@given(bookings(), st.data())
def test_never_more_is_given_back_than_was_paid_whenever_parts_are_cancelled(
    booking: tuple[list[int], list[int], int, list[Terms | None]], data: st.DataObject
) -> None:
    amounts, of_fees, fees, terms = booking
    paid = sum(amounts) + fees
    already = data.draw(st.integers(0, paid))
    for place in range(len(amounts)):
        for before in range(3):
            refund = refund_by_terms(
                terms,
                amounts=amounts,
                fees=fees,
                starts=[START] * len(amounts),
                now=START - timedelta(seconds=data.draw(st.integers(-DAY, 31 * DAY))),
                lines=[CancelledPart(place, 1, 3, before)],
                already=already,
                line_fees=of_fees,
            )
            assert 0 <= refund.amount <= paid - already
            already += refund.amount


@given(st.integers(0, 10**9), st.integers(0, 10_000), st.integers(0, ALL))
def test_one_line_by_one_tier_is_its_share(amount: int, fees: int, points: int) -> None:
    policy = Cancellation(tiers=(RefundTier(0, points),), fees_back=True)
    fees = fees if amount else 0
    found = due_at(policy, START, amounts=[amount], fees=fees)
    assert found.amount == share(amount + fees, points)


def due_at(
    policy: Cancellation | None,
    now: datetime,
    *,
    amounts: list[int],
    fees: int = 0,
    starts_at: datetime | None = START,
    line_fees: tuple[int, ...] = (),
    already: int = 0,
) -> RefundDue:
    terms = None if policy is None else policy.terms_for(None, None)
    return refund_by_terms(
        [terms] * len(amounts),
        amounts=amounts,
        fees=fees,
        starts=[starts_at] * len(amounts),
        now=now,
        lines=list(range(len(amounts))),
        already=already,
        line_fees=line_fees,
    )


@pytest.mark.parametrize(
    ("days", "amount", "rule"),
    [
        (30, 10_000, f"before:{7 * DAY}"),
        (7, 10_000, f"before:{7 * DAY}"),
        (6.99, 5000, f"before:{2 * DAY}"),
        (2, 5000, f"before:{2 * DAY}"),
        (1.99, 1000, "before:0"),
        (0, 1000, "before:0"),
        (-0.01, 0, "too_late"),
    ],
)
def test_tiers_by_time(days: float, amount: int, rule: str) -> None:
    found = due_at(TIERED, START - timedelta(days=days), amounts=[10_000])
    assert (found.amount, found.rule) == (amount, rule)


def test_without_a_policy_all_is_given_back_with_fees() -> None:
    found = due_at(None, START + timedelta(days=1), amounts=[700, 300], fees=50, line_fees=(70, 30))
    assert (found.amount, found.rule) == (1050, "no_policy")
    assert [one.amount for one in found.lines] == [735, 315]


def test_fees_are_kept_unless_the_policy_gives_them_back() -> None:
    early = START - timedelta(days=30)
    kept = due_at(TIERED, early, amounts=[700, 300], fees=50, line_fees=(70, 30))
    assert kept.amount == 900
    generous = Cancellation(free_until_seconds=0, fees_back=True)
    back = due_at(generous, early, amounts=[700, 300], fees=50, line_fees=(70, 30))
    assert back.amount == 1050


def test_what_is_not_refundable_is_not() -> None:
    policy = Cancellation(refundable=False)
    found = due_at(policy, START - timedelta(days=300), amounts=[700])
    assert (found.amount, found.rule) == (0, "not_refundable")


def test_without_a_start_it_is_never_too_late() -> None:
    assert due_at(TIERED, START, amounts=[700], starts_at=None).amount == 700


def test_a_tier_beyond_the_last_year_is_no_fault() -> None:
    last = datetime(9998, 12, 31, 23, tzinfo=UTC)
    after = Cancellation(tiers=(RefundTier(-366 * DAY, 5000),))
    assert due_at(after, START, amounts=[700], starts_at=last).amount == 350


def test_what_was_given_back_before_is_not_given_again() -> None:
    early = START - timedelta(days=30)
    assert due_at(TIERED, early, amounts=[700, 300], already=900).amount == 100
    assert due_at(TIERED, early, amounts=[700, 300], already=1000).amount == 0
    assert due_at(TIERED, early, amounts=[700, 300], already=5000).amount == 0


def test_each_line_has_the_policy_of_its_unit_or_category() -> None:
    policy = Cancellation(
        refundable=False,
        overrides=(
            CancellationOverride(categories=("gold",), free_until_seconds=0),
            CancellationOverride(units=("A7",), tiers=(RefundTier(0, 2500),)),
        ),
    )
    named = [("A1", None), ("A2", "gold"), ("A7", "gold")]
    found = refund_by_terms(
        [policy.terms_for(*one) for one in named],
        amounts=[1000, 1000, 1000],
        fees=0,
        starts=[START] * 3,
        now=START,
        lines=[0, 1, 2],
        already=0,
    )
    assert [one.amount for one in found.lines] == [0, 1000, 250]
    assert found.rule == "mixed"
