"""The short way of judging: for holds whose lines are one claim each, of one resource without price
rules, which is what a rush consists of. It makes the very request that `judge` makes, in a third of
the time; whatever is not so plain, or is wrong, it leaves to `judge`, and a test holds the two
together.
"""

from __future__ import annotations

from collections.abc import Sequence

from bespeak.ids import IdMaker
from bespeak.inventory.lines import Line
from bespeak.inventory.resources import ReadyResource
from bespeak.reservations.committer import Request
from bespeak.reservations.costs import AMOUNT_MAX
from bespeak.reservations.judge import (
    OWNER_PREFIX,
    HoldRequest,
    Claim,
    JudgedRequest,
    HoldTerms,
    place_fingerprint,
)


def judge_plain(
    asked: HoldRequest,
    lines: Sequence[Line],
    ready: ReadyResource,
    maker: IdMaker,
    *,
    guarded: bool,
) -> JudgedRequest | None:
    """The request for `place_holds`, or None where the long way must be taken."""
    resource = ready.resource
    if ready.prices is not None or (guarded and ready.plan.guards_seats):
        return None
    plain = ready.plan.plain(lines, resource.price.amount)
    if plain is None:
        return None
    units, quantities, capacities, amounts, weight = plain
    count, amount = len(units), sum(amounts)
    hold_seconds, cap_seconds = asked.hold_seconds, resource.hold_seconds_max
    if hold_seconds is None:
        hold_seconds = resource.hold_seconds
    elif not 1 <= hold_seconds <= cap_seconds:
        return None
    if (count > 1 and len(set(units)) < count) or amount > AMOUNT_MAX:
        return None
    number = ready.number
    claims = [
        Claim((number, unit), quantity, capacity)
        for unit, quantity, capacity in zip(units, quantities, capacities, strict=True)
    ]
    limit_lines = 0
    if resource.owner_limit is not None:
        limit_lines = 1
        units.append(OWNER_PREFIX + asked.owner)
        quantities.append(weight)
        capacities.append(resource.owner_limit)
    key = asked.idempotency_key
    currency = resource.price.currency
    each = amounts if amount else None
    # The fields in the order of `judge`, which says what they are.
    request: Request = (
        maker.new(number), asked.owner, hold_seconds, cap_seconds,
        key, None if key is None else place_fingerprint(asked),
        [number] * (count + limit_lines), units, quantities, capacities, limit_lines,
        amount, currency, None, None, None, each, None, None,
    )  # fmt: skip
    terms = HoldTerms(hold_seconds, cap_seconds, amount, currency, each, None)
    return JudgedRequest(
        request, list(lines), claims, [], None, number, terms, (), ((number, resource.version),)
    )
