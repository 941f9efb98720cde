"""Refunds: what a cancellation gives back, by the terms of each line, the time, and what was given
back before. The same terms give the same sum however a booking is cancelled, at once or in parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import takewhile
from typing import NamedTuple

import msgspec

from bespeak.pricing.rounding import ALL, share, spread
from bespeak.pricing.rules import Terms

NO_POLICY = "no_policy"
NOT_REFUNDABLE = "not_refundable"
TOO_LATE = "too_late"
MIXED = "mixed"


class CancelledPart(NamedTuple):
    """What is cancelled of a line, by its place: so many of how many, after those that were
    cancelled before."""

    line: int
    quantity: int = 1
    of: int = 1
    before: int = 0


class LineRefund(msgspec.Struct, frozen=True):
    """What is given back for a line: the amount in minor units, the share, and by which rule:
    `no_policy` (all of it), `before:SECONDS` (that tier), `too_late`, `not_refundable`."""

    line: int
    amount: int
    basis_points: int
    rule: str


class RefundDue(msgspec.Struct, frozen=True):
    """What is given back in all, and for each part that is cancelled, in their order. `rule` is
    that of the lines, or `mixed`."""

    amount: int
    lines: list[LineRefund]
    rule: str


def refund_by_terms(
    terms: Sequence[Terms | None],
    *,
    amounts: Sequence[int],
    fees: int,
    starts: Sequence[datetime | None],
    now: datetime,
    lines: Sequence[int | CancelledPart],
    already: int,
    line_fees: Sequence[int] = (),
) -> RefundDue:
    """What the terms of each line give back (None: it has no policy): `amounts` of each line and
    `line_fees` of that, `fees` of the order, `starts` of each line (None: not known, so never too
    late); the places of the `lines` to cancel, or parts of them; and what was given back `already`.
    All in minor units."""
    of_order = spread(fees, amounts)
    left = max(0, sum(amounts) + fees - already)
    found: list[LineRefund] = []
    for one in lines:
        part = one if isinstance(one, CancelledPart) else CancelledPart(one)
        own = terms[part.line]
        basis_points, rule = tier_at(own, starts[part.line], now)
        amount = amounts[part.line]
        if own is None or own.fees_back:
            amount += of_order[part.line]
        else:
            amount -= line_fees[part.line] if line_fees else 0
        until = amount * (part.before + part.quantity) // part.of
        since = amount * part.before // part.of
        # As a difference of roundings it is the same sum in however many parts.
        refund = min(left, share(until, basis_points) - share(since, basis_points))
        left -= refund
        found.append(LineRefund(part.line, refund, basis_points, rule))
    rules = {one.rule for one in found}
    rule = rules.pop() if len(rules) == 1 else MIXED
    return RefundDue(sum(one.amount for one in found), found, rule)


def all_back_for(terms: Terms | None, starts_at: datetime | None, now: datetime) -> float | None:
    """For how many seconds from now a cancellation gives all back, where it does so now; None: for
    ever."""
    if terms is None or starts_at is None:
        return None
    left = (starts_at - now).total_seconds()
    reached = [tier for tier in terms.tiers if left >= tier.before_seconds]
    whole = takewhile(lambda tier: tier.basis_points == ALL, reached)
    return left - min((tier.before_seconds for tier in whole), default=left)


def tier_at(terms: Terms | None, starts_at: datetime | None, now: datetime) -> tuple[int, str]:
    """The share in basis points that is given back to who cancels now, and by which rule. The
    last instant of a tier is part of it."""
    if terms is None:
        return ALL, NO_POLICY
    if not terms.tiers:
        return 0, NOT_REFUNDABLE
    for tier in terms.tiers:
        if starts_at is None or starts_at - now >= timedelta(seconds=tier.before_seconds):
            return tier.basis_points, f"before:{tier.before_seconds}"
    return 0, TOO_LATE
