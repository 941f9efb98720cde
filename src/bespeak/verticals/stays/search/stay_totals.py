"""What stays cost in all, at the cheapest rate of each: side by side where numbers stay small, and
one by one where a fee or a tax is rounded for each room, or prices are enormous.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from bespeak.inventory.arrays import np
from bespeak.pricing.rules import Pricing
from bespeak.verticals.stays.search.charged import (
    FixedCharges,
    charged,
    fixed_charges,
    is_safe,
)
from bespeak.verticals.stays.search.rows import SHARED_MAX
from bespeak.verticals.stays.search.shared_codes import KeptCodes, SharedCodes
from bespeak.verticals.stays.search.stay_terms import (
    AMOUNT_SAFE,
    StayColumns,
    rates_cost,
    usual_cost,
)

if TYPE_CHECKING:
    from bespeak.inventory.arrays import Counts, Flags
    from bespeak.verticals.stays.search.wanted import Wanted

_FAR = (1 << 63) - 1
_SUMS_MAX = 100_000
_DECODER: msgspec.json.Decoder[Pricing] = msgspec.json.Decoder(Pricing)
_encode = lru_cache(maxsize=SHARED_MAX)(msgspec.json.encode)


class StayTotals(NamedTuple):
    """What stays cost side by side, and of which that is not said: these are to be worked out one
    by one."""

    prices: Counts
    unsaid: Flags


class _Charges(NamedTuple):
    """Fees and taxes, and whether they can be worked out side by side."""

    pricing: Pricing
    is_safe: bool


class ListingCharges:
    """The fees and taxes of listings, by small numbers; 0 is none."""

    def __init__(self, kept: KeptCodes | None = None) -> None:
        self.codes = SharedCodes(kept)
        self._charges: dict[int, _Charges] = {}
        self._sums: dict[object, FixedCharges | None] = {}

    def join(self, charges: Pricing | None) -> int:
        """The number of a listing's charges, which it has from now on."""
        return 0 if charges is None else self.codes.join(_encode(charges))[0]

    def leave(self, code: int) -> None:
        """A listing has its charges no longer."""
        if code and self.codes.leave(code):
            self._charges.pop(code, None)
            self._sums.clear()  # the number is given again

    def __getitem__(self, code: int) -> _Charges:
        found = self._charges.get(code)
        if found is None:
            pricing = _DECODER.decode(self.codes[code])
            found = self._charges[code] = _Charges(pricing, is_safe(pricing))
        return found

    def totals(
        self, terms: StayColumns, own: Counts, charges: Counts, wanted: Wanted
    ) -> StayTotals:
        """What stays cost on these terms in listings with such prices of their own and charges."""
        safe, rates = np.minimum(own, AMOUNT_SAFE), terms.rates
        if rates is None:
            costs = usual_cost(terms, safe, wanted.rooms)[:, None]
        else:
            costs = rates_cost(terms, rates, safe, wanted.rooms)
        unsaid: Flags = terms.large | (own > AMOUNT_SAFE)
        if wanted.rooms > 1:
            unsaid |= terms.exact & (charges != 0)
        if charges.any():
            self._add_charges(costs, charges, wanted, unsaid)
        if rates is not None:
            costs = np.where(rates.known, costs, _FAR).min(axis=1, keepdims=True)
        return StayTotals(costs[:, 0], unsaid & terms.sold)

    def _add_charges(self, costs: Counts, charges: Counts, wanted: Wanted, unsaid: Flags) -> None:
        """Adds to the costs what the charges of each row come to."""
        codes, places = np.unique(charges, return_inverse=True)
        fixed = [self._fixed(code, wanted) for code in codes.tolist()]
        sums = np.array([(0, 0) if one is None else one for one in fixed], dtype=np.int64)[places]
        costs += np.where(costs == 0, 0, sums[:, :1]) + sums[:, 1:]
        for place, one in enumerate(fixed):
            if one is None:
                rows: Flags = places == place
                code = int(codes[place])
                if self[code].is_safe:
                    costs[rows] = charged(self[code].pricing, costs[rows], wanted)
                else:
                    unsaid |= rows

    def _fixed(self, code: int, wanted: Wanted) -> FixedCharges | None:
        """What charges come to where that is the same whatever a stay costs; else None."""
        if code == 0:
            return FixedCharges(0, 0)
        key = (code, wanted.nights, wanted.rooms, wanted.guests, wanted.ages)
        if key not in self._sums:
            if len(self._sums) > _SUMS_MAX:
                self._sums.clear()
            found = self[code]
            self._sums[key] = fixed_charges(found.pricing, wanted) if found.is_safe else None
        return self._sums[key]
