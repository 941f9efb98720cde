"""What a plan says of a stay, whatever the listing's own price: which of its nights have a price of
their own, and what each rate, the guests and the discount make of that. Prices of many listings are
worked out from it side by side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bespeak.inventory.arrays import np
from bespeak.inventory.plans import SaleContext
from bespeak.pricing.rounding import ALL
from bespeak.verticals.stays.search.listing import IndexedListing
from bespeak.verticals.stays.search.stay_cost import prices_of
from bespeak.verticals.stays.search.wanted import Wanted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bespeak.inventory.arrays import Counts, Flags
    from bespeak.inventory.shapes.nights.rates import NightRate

AMOUNT_SAFE = 10**9
"""Prices above this are worked out one by one: side by side, numbers would grow too large."""


class RateTerms(NamedTuple):
    """A rate of a stay: what its nights with prices of the plan cost in one room, what it makes of
    the listing's own price (so many basis points of it, and an amount), and what all guests cost
    besides in all nights."""

    fixed: int
    factor: int = ALL
    amount: int = 0
    guests: int = 0


class StayTerms(NamedTuple):
    """A stay that a plan sells: in how many nights the listing's own price counts, the rates, the
    usual one first, and the discount in basis points. Of exact rooms each is a line of its own.
    What `is_large` is worked out one by one."""

    times: int
    rates: Sequence[RateTerms]
    discount: int = 0
    is_exact: bool = False
    is_large: bool = False


def terms_of(one: IndexedListing, wanted: Wanted, arrival: int) -> StayTerms | None:
    """What the plan of a listing says of a stay from this day on; None: it is not sold."""
    rules, plan = one.rules, one.plan
    sale_day = rules.sale_day(SaleContext(wanted.now, one.zone))
    if not rules.sells(arrival, wanted.nights, sale_day):
        return None
    fixed: list[int] = []
    for day in range(arrival, arrival + wanted.nights):
        night = rules.night(day)
        if night.capacity < wanted.rooms:
            return None
        if night.price is not None:
            fixed.append(night.price)
    times = wanted.nights - len(fixed)
    is_exact = plan.rooms is not None
    if not (plan.rates or plan.discounts or plan.guest_price):
        is_large = max(fixed, default=0) > AMOUNT_SAFE
        return StayTerms(times, (RateTerms(sum(fixed)),), 0, is_exact, is_large)
    ahead = arrival - sale_day.today
    rates = [rate for rate in plan.rates if rate.admits(wanted.nights, ahead)]
    discounts = [one.basis_points for one in plan.discounts if one.admits(wanted.nights, ahead)]
    terms = [_rate(one, wanted, fixed, rate) for rate in (None, *rates)]
    amounts = [*fixed, *(abs(number) for rate in terms for number in rate)]
    is_large = max(amounts) > AMOUNT_SAFE
    return StayTerms(times, terms, max(discounts, default=0), is_exact, is_large)


def _rate(
    one: IndexedListing, wanted: Wanted, fixed: Sequence[int], rate: NightRate | None
) -> RateTerms:
    """One rate; its guests cost the same however they are dealt out to rooms."""
    guests = wanted.nights * prices_of(one.plan).guests_a_night(wanted.party, wanted.rooms, rate)
    if rate is None:
        return RateTerms(sum(fixed), guests=guests)
    at_rate = sum(rate.price_at(price) for price in fixed)
    return RateTerms(at_rate, ALL + rate.basis_points, rate.amount, guests)


class StayColumns(NamedTuple):
    """The terms of some stays side by side: a row a stay; in `rates` a column a rate, with the
    fields of `RateTerms`. What is not `sold` has no terms; rates that a stay lacks are not
    `known`."""

    sold: Flags
    large: Flags
    exact: Flags
    known: Flags
    times: Counts
    discounts: Counts
    rates: Counts

    def of_rows(self, places: Counts) -> StayColumns:
        """A row for each place."""
        return StayColumns(
            self.sold[places],
            self.large[places],
            self.exact[places],
            self.known[places],
            self.times[places],
            self.discounts[places],
            self.rates[places],
        )


_NONE = StayTerms(0, (RateTerms(0),))


def columns_of(found: Sequence[StayTerms | None]) -> StayColumns:
    """Terms as columns."""
    terms = [_NONE if one is None else one for one in found]
    width = max(len(one.rates) for one in terms) if terms else 1
    rates = np.zeros((len(terms), width, len(RateTerms._fields)), dtype=np.int64)
    known = np.zeros((len(terms), width), dtype=bool)
    for row, one in enumerate(terms):
        count = len(one.rates)
        known[row, :count] = True
        if not one.is_large:
            rates[row, :count] = one.rates
    plain = np.array([(one.times, one.discount) for one in terms], dtype=np.int64).reshape(-1, 2)
    return StayColumns(
        sold=np.array([one is not None for one in found], dtype=bool),
        large=np.array([one.is_large for one in terms], dtype=bool),
        exact=np.array([one.is_exact for one in terms], dtype=bool),
        known=known,
        times=plain[:, 0],
        discounts=plain[:, 1],
        rates=rates,
    )


def nights_cost(columns: StayColumns, own: Counts, rooms: int) -> Counts:
    """What the nights of stays cost in all rooms at each rate, with guests and discounts, by the
    listings' own prices. Every rule of rounding is that of `StayPrices`."""
    fixed, factors, amounts, guests = (columns.rates[:, :, field] for field in range(4))
    at_rates = (2 * own[:, None] * factors + ALL) // (2 * ALL) + amounts
    of_room = fixed + columns.times[:, None] * np.maximum(at_rates, 0)
    # Rooms of a type are one line, which is rounded once; exact rooms are a line each.
    in_line = np.where(columns.exact, 1, rooms)[:, None]
    line = of_room * in_line
    line -= (2 * line * columns.discounts[:, None] + ALL) // (2 * ALL)
    costs: Counts = line * (rooms // in_line) + guests
    return costs
