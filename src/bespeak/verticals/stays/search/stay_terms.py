"""What a plan says of a stay, whatever the listing's own price: which of its nights have a price of
their own, and what each rate, the guests and the discount make of that. Prices of many listings are
worked out from it side by side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bespeak.inventory.arrays import np
from bespeak.inventory.plans import SaleContext
from bespeak.pricing.rounding import ALL
from bespeak.verticals.stays.search.sale_group import SaleGroup
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

    @property
    def is_usual(self) -> bool:
        """Whether the usual rate is the only one, and nights are all that costs anything."""
        return len(self.rates) == 1 and self.rates[0].guests == 0 and self.discount == 0

    @property
    def row(self) -> tuple[int, ...]:
        """What all terms have, in numbers, as `columns_of` reads them."""
        fixed = 0 if self.is_large else self.rates[0].fixed
        return (True, self.is_large, self.is_exact, self.is_usual, self.times, self.discount, fixed)


def terms_of(one: SaleGroup, wanted: Wanted, arrival: int) -> StayTerms | None:
    """What the plan of a group says of a stay from this day on; None: it is not sold."""
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
    one: SaleGroup, wanted: Wanted, fixed: Sequence[int], rate: NightRate | None
) -> RateTerms:
    """One rate; its guests cost the same however they are dealt out to rooms."""
    guests = wanted.nights * prices_of(one.plan).guests_a_night(wanted.party, wanted.rooms, rate)
    if rate is None:
        return RateTerms(sum(fixed), guests=guests)
    at_rate = sum(rate.price_at(price) for price in fixed)
    return RateTerms(at_rate, ALL + rate.basis_points, rate.amount, guests)


class RateColumns(NamedTuple):
    """The rates of some stays side by side: a row a stay, a column a rate, with the fields of
    `RateTerms`. Rates that a stay lacks are not `known`."""

    known: Flags
    terms: Counts


class StayColumns(NamedTuple):
    """The terms of some stays side by side, a row a stay. `fixed` is what nights with prices of the
    plan cost at the usual rate; without `rates` there are no others, no discounts, and guests cost
    nothing. What is not `sold` has no terms."""

    sold: Flags
    large: Flags
    exact: Flags
    times: Counts
    discounts: Counts
    fixed: Counts
    rates: RateColumns | None


class TermRows(NamedTuple):
    """Terms as they are kept: a row each, and the terms themselves."""

    row: tuple[int, ...]
    terms: StayTerms


_NONE = StayTerms(0, (RateTerms(0),))
NOT_SOLD = TermRows((False, *_NONE.row[1:]), _NONE)


def rows_of(terms: StayTerms | None) -> TermRows:
    """Terms to be kept; None: it is not sold."""
    return NOT_SOLD if terms is None else TermRows(terms.row, terms)


def columns_of(found: Sequence[TermRows], places: Counts | None) -> StayColumns:
    """Terms as columns: a row for each of them, or for each of the places among them."""
    table = np.array([one.row for one in found], dtype=np.int64).reshape(-1, len(NOT_SOLD.row))
    rates = None if table[:, 3].all() else _rates_of([one.terms for one in found])
    if places is not None:
        table = table[places]
        rates = None if rates is None else RateColumns(rates.known[places], rates.terms[places])
    sold, large, exact = (table[:, :3] != 0).T
    return StayColumns(sold, large, exact, table[:, 4], table[:, 5], table[:, 6], rates)


def _rates_of(terms: Sequence[StayTerms]) -> RateColumns:
    width = max(len(one.rates) for one in terms)
    rates = np.zeros((len(terms), width, len(RateTerms._fields)), dtype=np.int64)
    known = np.zeros((len(terms), width), dtype=bool)
    for row, one in enumerate(terms):
        count = len(one.rates)
        known[row, :count] = True
        if not one.is_large:
            rates[row, :count] = one.rates
    return RateColumns(known, rates)


def usual_cost(columns: StayColumns, own: Counts, rooms: int) -> Counts:
    """What the nights of stays cost in all rooms at the usual rate, where there is no other."""
    return (columns.fixed + columns.times * own) * rooms


def rates_cost(columns: StayColumns, rates: RateColumns, own: Counts, rooms: int) -> Counts:
    """What the nights of stays cost in all rooms at each rate, with guests and discounts, by the
    listings' own prices. Every rule of rounding is that of `StayPrices`."""
    fixed, factors, amounts, guests = (rates.terms[:, :, field] for field in range(4))
    at_rates = (2 * own[:, None] * factors + ALL) // (2 * ALL) + amounts
    of_room = fixed + columns.times[:, None] * np.maximum(at_rates, 0)
    # Rooms of a type are one line, which is rounded once; exact rooms are a line each.
    in_line = np.where(columns.exact, 1, rooms)[:, None]
    line = of_room * in_line
    line -= (2 * line * columns.discounts[:, None] + ALL) // (2 * ALL)
    costs: Counts = line * (rooms // in_line) + guests
    return costs
