"""What a cancellation will give back, told before anything is ordered: of a resource by its
policies, and of a hold in money.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec

from bespeak import ids
from bespeak.http.server import tags
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OF_HOLD, OF_RESOURCE, endpoint_table
from bespeak.http.server.scopes import ANY_SCOPE, READ, SELL
from bespeak.inventory.resources import Resource
from bespeak.inventory.shapes.registry import compile_plan
from bespeak.inventory.starts import starts_of
from bespeak.money import Money
from bespeak.pricing.refund_steps import (
    RefundShare,
    RefundStep,
    cuts_of,
    refund_shares,
    refund_steps,
)
from bespeak.pricing.refunds import RefundDue, refund_by_terms
from bespeak.pricing.rules import Terms
from bespeak.reservations.holds import Hold

ENDPOINTS, endpoint = endpoint_table(tags.QUOTES)


class RefundPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """A policy step by step, for these units, categories and rates (all empty: for all others).
    `fees_back` says whether fees are given back too."""

    units: list[str]
    categories: list[str]
    rates: list[str]
    fees_back: bool
    steps: list[RefundShare]


class ResourceRefunds(msgspec.Struct, frozen=True):
    """What cancelling a booking of this resource gives back, by its policies: one that names the
    rate counts first, then one that names the unit, then one that names its category; the last is
    for all others."""

    policies: list[RefundPolicy]


class HoldRefunds(msgspec.Struct, frozen=True):
    """What cancelling gives back if this hold is paid for, step by step, of `amount`. Without any
    steps there is nothing to be given back: it is free, or not paid for here."""

    amount: Money
    steps: list[RefundStep]


@endpoint(
    "GET",
    "/v1/resources/{resource_id}/refund-terms",
    "What cancelling would give back",
    errors=OF_RESOURCE,
    scopes=ANY_SCOPE,
)
async def get_resource_refund_terms(call: Call[None, None]) -> ResourceRefunds:
    """Tells what a cancellation gives back, by the policies of a resource, from now on."""
    resource = await call.engine.get_resource(call.path["resource_id"])
    return ResourceRefunds(_policies(resource, call.engine.clock.now()))


@endpoint(
    "GET",
    "/v1/holds/{hold_id}/refund-terms",
    "What cancelling a hold's booking would give back",
    needs_shopper=True,
    booking_link_opens=True,
    waitlist_link_opens=True,
    errors=OF_HOLD,
    scopes=READ | SELL,
)
async def get_hold_refund_terms(call: Call[None, None]) -> HoldRefunds:
    """Tells what a cancellation gives back once the hold is booked and paid for, from now on."""
    hold = await call.engine.get_hold(call.path["hold_id"], owner=call.acting_owner())
    numbers = {ids.parse_resource(line.resource_id) for line in hold.lines}
    ready = await call.engine.ready_resources.get_many(sorted(numbers), None)
    is_paid = hold.amount.amount > 0 and any(
        one.resource.payment == "required" for one in ready.values()
    )
    if not is_paid:
        return HoldRefunds(hold.amount, [])
    starts = [
        starts_of(ready[number], line.from_, line.to) if number in ready else None
        for line in hold.lines
        for number in (ids.parse_resource(line.resource_id),)
    ]
    return HoldRefunds(hold.amount, hold_steps(hold, starts, call.engine.clock.now()))


def hold_steps(hold: Hold, starts: Sequence[datetime | None], now: datetime) -> list[RefundStep]:
    """What cancelling all of a hold's booking gives back, by the quote that is frozen with it."""
    quote = hold.quote
    terms: list[Terms | None] = [None] * len(hold.lines)
    amounts, fees, line_fees = [hold.amount.amount], 0, list[int]()
    if quote is not None and len(quote.amounts) == len(hold.lines):
        terms, amounts = quote.terms_of(), quote.amounts
        fees, line_fees = quote.order_fees, quote.fees
    else:  # no policy, so all comes back, however it is spread
        terms, starts = [None], [None]

    def due_at(at: datetime) -> RefundDue:
        return refund_by_terms(
            terms,
            amounts=amounts,
            fees=fees,
            starts=starts,
            now=at,
            lines=range(len(amounts)),
            already=0,
            line_fees=line_fees,
        )

    return refund_steps(due_at, cuts_of(terms, starts), now)


def _policies(resource: Resource, now: datetime) -> list[RefundPolicy]:
    policy = None if resource.pricing is None else resource.pricing.cancellation
    # The lines of such a plan begin when they say, each at another time.
    has_range = compile_plan(resource.plan).range_kind is not None
    is_relative = has_range and resource.starts_at is None

    def shown(
        terms: Terms | None,
        units: Sequence[str] = (),
        categories: Sequence[str] = (),
        rates: Sequence[str] = (),
    ) -> RefundPolicy:
        return RefundPolicy(
            units=list(units),
            categories=list(categories),
            rates=list(rates),
            fees_back=terms is None or terms.fees_back,
            steps=refund_shares(terms, resource.starts_at, now, is_relative=is_relative),
        )

    if policy is None:
        return [shown(None)]
    found = [shown(one.terms(), one.units, one.categories, one.rates) for one in policy.overrides]
    return [*found, shown(policy.terms_for(None, None))]
