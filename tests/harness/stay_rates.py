"""Random prices of stays: rates, discounts, guests, fees and taxes, for tests that hold the search
against the engine.
"""

import random

from msgspec.structs import replace

from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.inventory.shapes.nights.rates import ChildShare, NightRate, StayDiscount
from bespeak.pricing.rules import Fee, Pricing, Tax

_RATES = (
    NightRate(name="Saver", basis_points=-1001),
    NightRate(name="Breakfast", meals="breakfast", guest_amount=33),
    NightRate(name="Early", amount=-77, min_days_ahead=4),
    NightRate(name="Late", basis_points=-2500, max_days_ahead=3),
    NightRate(name="Long", basis_points=-3333, min_nights=3),
)
_DISCOUNTS = (
    StayDiscount(name="Two nights", min_nights=2, basis_points=501),
    StayDiscount(name="Soon", max_days_ahead=5, basis_points=777),
)
_FEES = (
    Fee("Cleaning", per="order", amount=4000),
    Fee("Towels", amount=111, basis_points=99),
    Fee("Garden", per="order", basis_points=321, taxable=False),
    Fee("Palace", amount=2_000_000_000),
)
_TAXES = (
    Tax("VAT", 700, included=True),
    Tax("Sales tax", 875),
    Tax("City tax", guest_night=150, age_from=18, nights_max=2),
    Tax("Spa tax", included=True, guest_night=20),
)


def with_rates(plan: NightsPlan, chance: random.Random) -> NightsPlan:
    """The plan with some of them."""
    plan = replace(
        plan,
        rates=tuple(chance.sample(_RATES, chance.randrange(3))),
        discounts=tuple(chance.sample(_DISCOUNTS, chance.randrange(2))),
    )
    if chance.random() < 0.5:
        return plan
    return replace(
        plan,
        guests_included=1,
        guest_price=1234,
        children=(ChildShare(under=4, basis_points=0), ChildShare(under=12, basis_points=4900)),
    )


def some_pricing(chance: random.Random) -> Pricing | None:
    """Fees and taxes, or none."""
    if chance.random() < 0.3:
        return None
    return Pricing(
        fees=tuple(chance.sample(_FEES, chance.randrange(3))),
        taxes=tuple(chance.sample(_TAXES, chance.randrange(4))),
    )


def some_ages(chance: random.Random, guests: int) -> tuple[int, ...]:
    """The ages of some of the guests, the oldest first."""
    ages = [chance.randrange(18) for _ in range(chance.randrange(guests + 1))]
    return tuple(sorted(ages, reverse=True))
