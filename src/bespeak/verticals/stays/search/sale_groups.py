"""What listings have in common that decides whether a stay is sold and what it costs. So the rules
of a plan are asked once for all listings that share them, and not once a listing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bespeak.inventory.arrays import np
from bespeak.verticals.stays.search.cells import grown
from bespeak.verticals.stays.search.listing import IndexedListing
from bespeak.verticals.stays.search.shared_codes import SharedCodes
from bespeak.verticals.stays.search.stay_terms import (
    StayColumns,
    TermRows,
    columns_of,
    rows_of,
    terms_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bespeak.inventory.arrays import Counts, Flags
    from bespeak.verticals.stays.search.wanted import Wanted

    Shares: TypeAlias = NDArray[np.uint8]

# Of more rows it pays to find first which groups they are of.
_ONE_BY_ONE_MAX = 64
_TERMS_MAX = 200_000
_DAY_BITS = 24
_SHARES_MAX = 64
_NO, _YES, _BY_CLOCK = range(3)


class _Sold(NamedTuple):
    """To whom and in what listings are sold."""

    workspace: str
    published_only: bool
    currency: str | None


class _SaleGroup:
    """Listings with the same rules of sale, by one of them."""

    def __init__(self, one: IndexedListing) -> None:
        self.any = one

    def share(self, sold: _Sold) -> int:
        """Whether they are on sale there, or whether the clock says so."""
        one = self.any
        if (
            one.workspace != sold.workspace
            or not (one.published or not sold.published_only)
            or sold.currency not in (None, one.currency)
            or not one.is_open
        ):
            return _NO
        return _YES if one.opens_at is None and one.closes_at is None else _BY_CLOCK

    def usual_price(self, own: int) -> int:
        """What a night costs where no rule says another price."""
        usual = self.any.plan.price
        return own if usual is None else usual


class SaleGroups:
    """All groups, by small numbers."""

    def __init__(self) -> None:
        self._groups: SharedCodes[_SaleGroup] = SharedCodes()
        self._shares: dict[_Sold, Shares] = {}
        self._minute = 0
        self._terms: dict[object, TermRows] = {}

    def join(self, one: IndexedListing) -> int:
        """The number of a listing's group, which it is in from now on."""
        code, is_new = self._groups.join(_key_of(one), lambda: _SaleGroup(one))
        if is_new:
            for sold, shares in self._shares.items():
                longer = self._shares[sold] = grown(shares, code)
                longer[code] = self._groups[code].share(sold)
        return code

    def leave(self, one: IndexedListing) -> None:
        """A listing is in its group no longer."""
        if self._groups.leave(_key_of(one)):
            self._terms.clear()  # the number is given again

    def shared(self, codes: Counts, wanted: Wanted) -> Flags:
        """Which of some rows, by the numbers of their groups, are on sale as it is wanted, whatever
        the dates."""
        sold = _Sold(wanted.workspace, wanted.published_only, wanted.currency)
        shares = self._shares.get(sold)
        if shares is None:
            shares = self._shares_of(sold)
        found = shares[codes]
        flags: Flags = found != _NO
        for place in (found == _BY_CLOCK).nonzero()[0].tolist():
            flags[place] = self._groups[int(codes[place])].any.is_on_sale(wanted.now)
        return flags

    def terms(self, codes: Counts, wanted: Wanted, arrivals: Counts) -> StayColumns:
        """On which terms stays are sold that begin on these days (ordinals), by the numbers of
        their groups."""
        minute = int(wanted.now.timestamp()) // 60
        if minute != self._minute or len(self._terms) > _TERMS_MAX:
            self._terms.clear()  # the rules look at the clock by minutes
            self._minute = minute
        places = None
        if len(codes) > _ONE_BY_ONE_MAX:
            asked, places = np.unique(codes << _DAY_BITS | arrivals, return_inverse=True)
            codes, arrivals = asked >> _DAY_BITS, asked & (1 << _DAY_BITS) - 1
        pairs = zip(codes.tolist(), arrivals.tolist(), strict=True)
        return columns_of(
            [self._terms_of(code, wanted, arrival) for code, arrival in pairs], places
        )

    def usual_prices(self, codes: Counts, own: Counts) -> Counts:
        """What a night costs where no rule says another price."""
        pairs = zip(codes.tolist(), own.tolist(), strict=True)
        prices = [self._groups[code].usual_price(price) for code, price in pairs]
        return np.array(prices, dtype=np.int64)

    def _terms_of(self, code: int, wanted: Wanted, arrival: int) -> TermRows:
        key = (code, arrival, wanted.nights, wanted.rooms, wanted.guests, wanted.ages)
        found = self._terms.get(key)
        if found is None:
            terms = terms_of(self._groups[code].any, wanted, arrival)
            found = self._terms[key] = rows_of(terms)
        return found

    def _shares_of(self, sold: _Sold) -> Shares:
        if len(self._shares) >= _SHARES_MAX:
            self._shares.clear()
        said = [_NO if group is None else group.share(sold) for group in self._groups.things]
        shares = self._shares[sold] = np.array(said, dtype=np.uint8)
        return shares


def _key_of(one: IndexedListing) -> object:
    said = (one.workspace, one.currency, one.published, one.is_open, one.opens_at, one.closes_at)
    return (*said, one.zone.key, one.plan)
