"""What has a price must be paid: whether anything of a resource costs, and how it is paid where
nobody said so. Who creates or changes a resource asks here, before it is stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, Protocol

from bespeak.inventory.errors import PaymentRuleNeeded

if TYPE_CHECKING:
    from bespeak.inventory.plans import Plan
    from bespeak.pricing.rules import Pricing

PaymentRule = Literal["none", "required", "at_venue"]
_CHOICES: Mapping[PaymentRule, str] = {
    "required": "it is paid here, before it is booked",
    "at_venue": "it is paid elsewhere, and anybody may book it",
    "none": "your own server takes the money, and only your server books it",
}


class _Amount(Protocol):
    @property
    def amount(self) -> int: ...


class HasPrices(Protocol):
    """What says what things cost: a resource, or what one is created from."""

    @property
    def price(self) -> _Amount: ...
    @property
    def plan(self) -> Plan: ...
    @property
    def pricing(self) -> Pricing | None: ...


def costs(resource: HasPrices) -> bool:
    """Whether anything of it costs: its own price, a price of its plan, or a fee or a step of
    demand that has an amount. Shares of nothing are nothing."""
    if resource.price.amount > 0 or resource.plan.has_price():
        return True
    pricing = resource.pricing
    return pricing is not None and (
        any(fee.amount > 0 for fee in pricing.fees)
        or any(step.amount > 0 for step in pricing.steps)
    )


def usual_rule(resource: HasPrices) -> PaymentRule:
    """How a resource is paid of which nobody says it."""
    return "required" if costs(resource) else "none"


def check_rule(before: HasPrices, after: HasPrices, rule: PaymentRule) -> None:
    """What was free and gets a price needs a payment rule that is said: the `none` that it has may
    only have meant that there was nothing to pay. Raises PaymentRuleNeeded."""
    if rule != "none" or not costs(after) or costs(before):
        return
    told = "; ".join(f"`{choice}`: {meaning}" for choice, meaning in _CHOICES.items())
    raise PaymentRuleNeeded(
        f"it was free and costs now, so say how it is paid ({told})",
        field="payment",
        choices=list(_CHOICES),
    )
