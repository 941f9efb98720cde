"""What a stay in a listing costs, all of it: at the cheapest rate that is for it, with what guests
cost, fees and taxes. It is what the engine quotes, by the same rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from bespeak.inventory.plans import SaleContext
from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.inventory.shapes.nights.rates import NightRate
from bespeak.inventory.shapes.nights.room_inventory import Stay
from bespeak.inventory.shapes.nights.stay_prices import PricedStay, StayPrices
from bespeak.pricing.quotes import Priced, StayGuests, make_quote
from bespeak.pricing.rules import Fee, Pricing, Tax
from bespeak.verticals.stays.search.listing import PLANS_MAX, IndexedListing, rules_of
from bespeak.verticals.stays.search.wanted import Wanted

if TYPE_CHECKING:
    from bespeak.inventory.shapes.nights.night_rules import SaleDay


class StayCost(NamedTuple):
    """What all rooms of a stay cost, and at which rate (None: the usual one)."""

    amount: int
    rate: str | None = None


@lru_cache(maxsize=PLANS_MAX)
def prices_of(plan: NightsPlan) -> StayPrices:
    """The prices of a plan, which listings with an equal one share."""
    return StayPrices(plan, rules_of(plan))


def charges_of(fees: tuple[Fee, ...], taxes: tuple[Tax, ...]) -> Pricing | None:
    """Of the rules of prices those that make a stay cost more than its nights. Taxes that prices
    include do so only where others are on what they leave."""
    added = any(not tax.included for tax in taxes)
    if not fees and not added:
        return None
    return Pricing(fees=fees, taxes=taxes if added else ())


def cheapest(one: IndexedListing, wanted: Wanted, arrival: int) -> StayCost:
    """What a stay from this day on costs at the cheapest rate; of equal ones the usual rate, then
    the first."""
    sale = SaleContext(wanted.now, one.zone, price=one.price)
    sale_day = one.rules.sale_day(sale)
    ahead = arrival - sale_day.today
    rates = (rate for rate in one.plan.rates if rate.admits(wanted.nights, ahead))
    costs = (
        StayCost(_amount(one, _asked(one, wanted, arrival, rate), sale, sale_day), _name(rate))
        for rate in (None, *rates)
    )
    return min(costs, key=lambda cost: cost.amount)


def _name(rate: NightRate | None) -> str | None:
    return None if rate is None else rate.name


def _asked(
    one: IndexedListing, wanted: Wanted, arrival: int, rate: NightRate | None
) -> Iterator[PricedStay]:
    """The lines that a hold of it has: one for rooms of a type, one for each exact room."""
    party, departure = wanted.party, arrival + wanted.nights
    if one.plan.rooms is None:
        yield PricedStay(Stay(arrival, departure, wanted.rooms), rate, party)
        return
    for of_room in party.dealt(wanted.rooms):
        yield PricedStay(Stay(arrival, departure), rate, of_room)


def _amount(
    one: IndexedListing, asked: Iterator[PricedStay], sale: SaleContext, sale_day: SaleDay
) -> int:
    """What these lines cost together, with all fees and taxes."""
    prices = prices_of(one.plan)
    costs = ((line, prices.price(line, sale, sale_day)) for line in asked)
    if one.charges is None:
        return sum(price.amount for _, price in costs)
    lines = [
        Priced(
            "",
            one.charges,
            "",
            line.stay.quantity,
            price.amount,
            price.amount,
            guests=_guests(line),
        )
        for line, price in costs
    ]
    return make_quote(lines, one.currency).total.amount


def _guests(line: PricedStay) -> StayGuests | None:
    party = line.party
    return None if party is None else StayGuests(party.guests, party.ages, line.stay.nights)
