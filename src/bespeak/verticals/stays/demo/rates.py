"""At which rates the houses of the demo let, what they take off long and late stays, and what a
city takes of each guest. All of it is by shares of a price, or by the steps of a town: so there are
some hundred plans.
"""

from __future__ import annotations

import random

import msgspec

from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.inventory.shapes.nights.rates import NightRate, StayDiscount
from bespeak.pricing.rules import Cancellation, CancellationOverride, Pricing, Tax
from bespeak.verticals.stays.demo.lists import DemoTown

SAVER, BREAKFAST, CITY_TAX = "Saver", "With breakfast", "City tax"
WEEK, LAST_MINUTE = "A week or more", "Last minute"
_SAVER = NightRate(name=SAVER, basis_points=-1000)
_DISCOUNTS = (
    StayDiscount(name=WEEK, basis_points=1000, min_nights=7),
    StayDiscount(name=LAST_MINUTE, basis_points=1500, max_days_ahead=2),
)
_BREAKFAST_STEPS = 3
_TAXED_EVERY = 3


def with_rates(plan: NightsPlan, town: DemoTown, dice: random.Random) -> NightsPlan:
    """Types of rooms have rates, what is let whole has discounts; some have neither."""
    if plan.count is None:
        some = _DISCOUNTS[: dice.choice((0, 1, 2))]
        return msgspec.structs.replace(plan, discounts=some)
    breakfast = NightRate(
        name=BREAKFAST, meals="breakfast", guest_amount=_BREAKFAST_STEPS * town.step
    )
    rates = dice.choice(((), (_SAVER,), (_SAVER, breakfast)))
    return msgspec.structs.replace(plan, rates=rates)


def with_terms(pricing: Pricing, policy: Cancellation, plan: NightsPlan, town: DemoTown) -> Pricing:
    """The rules of prices with the policy, by which the cheapest rate gives nothing back, and in
    some towns with a tax for each grown guest and night."""
    if any(rate.name == SAVER for rate in plan.rates):
        saver = CancellationOverride(rates=(SAVER,), refundable=False)
        policy = msgspec.structs.replace(policy, overrides=(saver,))
    taxes: tuple[Tax, ...] = ()
    if plan.count is not None and town.weight % _TAXED_EVERY == 0:
        taxes = (Tax(CITY_TAX, guest_night=town.step // 2, age_from=16, nights_max=7),)
    return msgspec.structs.replace(pricing, cancellation=policy, taxes=taxes)


def names_in(plan: NightsPlan, pricing: Pricing) -> list[str]:
    """What of it has a name, to be said in other languages."""
    return [
        *(rate.name for rate in plan.rates),
        *(discount.name for discount in plan.discounts),
        *(fee.name for fee in pricing.fees),
        *(tax.name for tax in pricing.taxes),
    ]
