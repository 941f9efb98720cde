"""A resource's price rules beside its plan: whether the two go together, and which code a line has.
The rules themselves, and what they make of a price, are in `pricing`.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import msgspec
from msgspec import UNSET

from bespeak.errors import UnknownCode
from bespeak.inventory.plans import CODE_PREFIX, CompiledPlan
from bespeak.lines import Line
from bespeak.pricing.rules import DemandStep, PriceCode, Pricing, check_pricing, nonsense


class PriceList:
    """The price rules of a resource made ready."""

    def __init__(self, pricing: Pricing) -> None:
        self.pricing = pricing
        self.codes = {code.code: code for code in pricing.codes}
        self.has_presale = any(code.presale for code in pricing.codes)


def bare(line: Line, plan: CompiledPlan, prices: PriceList | None) -> Line:
    """The line as its plan takes it: without a code that is of the resource's prices, or of
    nothing at all."""
    if line.code is UNSET or (
        plan.takes_codes and (prices is None or line.code not in prices.codes)
    ):
        return line
    return msgspec.structs.replace(line, code=UNSET)


def code_of(
    line: Line, unit: str | None, plan: CompiledPlan, prices: PriceList | None, now: datetime
) -> PriceCode:
    """The code of the resource's prices that a line has, good for this unit now. Raises
    UnknownCode, the same for whatever is wrong with it, so that it tells nothing."""
    code = None if prices is None or line.code is UNSET else prices.codes.get(line.code)
    if code is None or not code.admits(unit, plan.category_of(unit), now):
        raise UnknownCode(field="lines.code", resource_id=line.resource_id)
    return code


def code_pool(code: PriceCode) -> str:
    return CODE_PREFIX + code.code


def check_prices(pricing: Pricing, compiled: CompiledPlan, starts_at: datetime | None) -> Pricing:
    """Price rules as their JSON is read. Raises InvalidRequest where they make no sense, or not
    with this plan."""
    read = check_pricing(pricing)
    for step in read.steps:
        scope = "unit" if step.unit is not None else "category" if step.category else "all"
        if scope not in compiled.demand_scopes:
            raise nonsense(_cannot_step(scope, compiled))
        if step.unit is not None and not compiled.has(step.unit):
            raise nonsense(f"a step is of {step.unit!r}, which the plan does not have")
    for code in read.codes:
        if compiled.takes_codes and compiled.has(code_pool(code)):
            raise nonsense(f"the code {code.code!r} is one of the plan already")
    known = compiled.category_names()
    for name in _named_categories(read):
        if name not in known:
            raise nonsense(f"the plan has no category {name!r}")
    for name in _named_rates(read):
        if name not in compiled.rate_names():
            raise nonsense(f"the plan has no rate {name!r}")
    if compiled.range_kind != "dates" and any(tax.guest_night for tax in read.taxes):
        raise nonsense("a tax for each `guest_night` is of stays")
    if read.cancellation is not None and starts_at is None and _needs_start(read, compiled):
        raise nonsense("what the cancellation gives back depends on `starts_at`, which is missing")
    return read


def _cannot_step(scope: str, compiled: CompiledPlan) -> str:
    if not compiled.demand_scopes:
        return "this plan has no demand steps"
    return f"this plan has no demand steps of a {scope}"


def _named_categories(pricing: Pricing) -> Iterator[str]:
    steps: tuple[DemandStep, ...] = pricing.steps
    yield from (step.category for step in steps if step.category is not None)
    for code in pricing.codes:
        yield from code.categories
    if pricing.cancellation is not None:
        for override in pricing.cancellation.overrides:
            yield from override.categories


def _named_rates(pricing: Pricing) -> Iterator[str]:
    if pricing.cancellation is not None:
        for override in pricing.cancellation.overrides:
            yield from override.rates


def _needs_start(pricing: Pricing, plan: CompiledPlan) -> bool:
    """Whether the policy counts from a start that no line of this plan says."""
    policy = pricing.cancellation
    if policy is None or plan.range_kind is not None:
        return False
    return policy.refundable or any(override.refundable for override in policy.overrides)
