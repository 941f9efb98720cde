"""What a cancellation gives back, as it is told to buyers before they order: step by step in time.
Each step is found by asking what is given back at its end, so it is never another than what a
cancellation at that moment gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta

import msgspec

from bespeak.pricing.refunds import RefundDue, tier_at
from bespeak.pricing.rules import Terms

_INSTANT = timedelta(microseconds=1)


class RefundStep(msgspec.Struct, frozen=True):
    """What is given back to who cancels up to and with `until` (null: from the step before on, for
    good): the amount in minor units, and the share of the price in basis points, or null where
    lines have different ones."""

    until: datetime | None
    amount: int
    basis_points: int | None


class RefundShare(msgspec.Struct, frozen=True):
    """What share of the price is given back to who cancels up to and with `until`, or, where what
    is booked has a begin of its own, up to so many seconds before that. Both are null for the last
    step, which is for good."""

    until: datetime | None
    before_seconds: int | None
    basis_points: int


def cuts_of(terms: Sequence[Terms | None], starts: Sequence[datetime | None]) -> list[datetime]:
    """The moments after which less is given back, of lines with these terms and begins."""
    found: set[datetime] = set()
    for own, starts_at in zip(terms, starts, strict=True):
        if own is not None and starts_at is not None:
            found |= set(_cuts(own, starts_at))
    return sorted(found)


def refund_steps(
    due_at: Callable[[datetime], RefundDue], cuts: Iterable[datetime], now: datetime
) -> list[RefundStep]:
    """The steps from now on. Between two cuts nothing changes; neighbours that give the same are
    one step."""
    found: list[RefundStep] = []
    after = now
    for cut in cuts:
        if cut >= now:
            _add(found, _step(due_at(cut), cut))
            after = cut + _INSTANT
    _add(found, _step(due_at(after), None))
    return found


def refund_shares(
    terms: Terms | None, starts_at: datetime | None, now: datetime, *, is_relative: bool = False
) -> list[RefundShare]:
    """The steps of one policy from now on, by share. `is_relative`: what is booked begins when its
    own line says, so steps count back from there."""
    if is_relative and terms is not None and terms.tiers:
        steps = [RefundShare(None, one.before_seconds, one.basis_points) for one in terms.tiers]
        return [*steps, RefundShare(None, None, 0)]
    found: list[RefundShare] = []
    after = now
    for cut in cuts_of([terms], [starts_at]):
        if cut >= now:
            _add_share(found, cut, tier_at(terms, starts_at, cut)[0])
            after = cut + _INSTANT
    _add_share(found, None, tier_at(terms, starts_at, after)[0])
    return found


def _cuts(terms: Terms, starts_at: datetime) -> Iterable[datetime]:
    for tier in terms.tiers:
        try:
            yield starts_at - timedelta(seconds=tier.before_seconds)
        except OverflowError:  # after the last day of the calendar: nobody cancels later
            continue


def _step(due: RefundDue, until: datetime | None) -> RefundStep:
    shares = {line.basis_points for line in due.lines}
    return RefundStep(until, due.amount, shares.pop() if len(shares) == 1 else None)


def _add(steps: list[RefundStep], step: RefundStep) -> None:
    if steps and steps[-1].amount == step.amount and steps[-1].basis_points == step.basis_points:
        steps.pop()
    steps.append(step)


def _add_share(steps: list[RefundShare], until: datetime | None, basis_points: int) -> None:
    if steps and steps[-1].basis_points == basis_points:
        steps.pop()
    steps.append(RefundShare(until, None, basis_points))
