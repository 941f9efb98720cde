"""What listings have in common that decides whether a stay is sold and what it costs. So the rules
of a plan are asked once for all listings that share them, and not once a listing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bespeak.inventory.arrays import np
from bespeak.inventory.plans import SaleContext
from bespeak.verticals.stays.search.cells import grown
from bespeak.verticals.stays.search.listing import IndexedListing
from bespeak.verticals.stays.search.stay_cost import cheapest, is_sum_of_nights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bespeak.inventory.arrays import Counts, Flags
    from bespeak.verticals.stays.search.wanted import Wanted

    Shares: TypeAlias = NDArray[np.uint8]

_NOT_SOLD = (0, -1)
# Of more rows it pays to find first which groups they are of.
_ONE_BY_ONE_MAX = 64
_RATES_MAX = 200_000
_DAY_BITS = 24
_SHARES_MAX = 64
_NO, _YES, _BY_CLOCK = range(3)

_Rate: TypeAlias = tuple[int, int]
"""What a stay costs: an amount, and so many times the listing's own price."""


class _Sold(NamedTuple):
    """To whom and in what listings are sold."""

    workspace: str
    published_only: bool
    currency: str | None


class Rates(NamedTuple):
    """Of each of some rows whether a stay is sold, and what it costs in all."""

    sold: Flags
    prices: Counts


class _SaleGroup:
    """Listings with the same rules of sale: one of them, and how many there are."""

    def __init__(self, one: IndexedListing) -> None:
        self.size = 0
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

    def rate(self, wanted: Wanted, arrival: int) -> _Rate:
        """What a stay from this day (an ordinal) on costs, where it is sold."""
        one, rules, nights = self.any, self.any.rules, wanted.nights
        sale_day = rules.sale_day(SaleContext(wanted.now, one.zone))
        if not rules.sells(arrival, nights, sale_day):
            return _NOT_SOLD
        amount = times = 0
        for day in range(arrival, arrival + nights):
            night = rules.night(day)
            if night.capacity < wanted.rooms:
                return _NOT_SOLD
            if night.price is None:
                times += wanted.rooms
            else:
                amount += night.price * wanted.rooms
        if is_sum_of_nights(one):
            return amount, times
        return cheapest(one, wanted, arrival).amount, 0

    def usual_rate(self) -> _Rate:
        """What a night costs where no rule says another price."""
        usual = self.any.plan.price
        return (0, 1) if usual is None else (usual, 0)


class SaleGroups:
    """All groups, by small numbers, which are given again when they are free."""

    def __init__(self) -> None:
        self._groups: list[_SaleGroup | None] = []
        self._codes: dict[object, int] = {}
        self._free: list[int] = []
        self._shares: dict[_Sold, Shares] = {}
        self._minute = 0
        self._rates: dict[object, _Rate] = {}

    def join(self, one: IndexedListing) -> int:
        """The number of a listing's group, which it is in from now on."""
        key = _key_of(one)
        code = self._codes.get(key)
        if code is None:
            code = self._codes[key] = self._made(_SaleGroup(one))
        self._of(code).size += 1
        return code

    def leave(self, one: IndexedListing) -> None:
        """A listing is in its group no longer."""
        key = _key_of(one)
        code = self._codes[key]
        group = self._of(code)
        group.size -= 1
        if group.size == 0:
            del self._codes[key]
            self._groups[code] = None
            self._free.append(code)
            self._rates.clear()  # the number is given again

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
            flags[place] = self._of(int(codes[place])).any.is_on_sale(wanted.now)
        return flags

    def rates(self, codes: Counts, own: Counts, wanted: Wanted, arrivals: Counts) -> Rates:
        """What stays cost that begin on these days (ordinals), by the numbers of their groups and
        their own prices."""
        minute = int(wanted.now.timestamp()) // 60
        if minute != self._minute or len(self._rates) > _RATES_MAX:
            self._rates.clear()  # the rules look at the clock by minutes
            self._minute = minute
        places = None
        if len(codes) > _ONE_BY_ONE_MAX:
            asked, places = np.unique(codes << _DAY_BITS | arrivals, return_inverse=True)
            codes, arrivals = asked >> _DAY_BITS, asked & (1 << _DAY_BITS) - 1
        pairs = zip(codes.tolist(), arrivals.tolist(), strict=True)
        some = [self._rate(code, wanted, arrival) for code, arrival in pairs]
        said = _columns_of(some, places)
        return Rates(said[:, 1] >= 0, said[:, 0] + said[:, 1] * own)

    def usual_prices(self, codes: Counts, own: Counts) -> Counts:
        """What a night costs where no rule says another price."""
        codes, places = np.unique(codes, return_inverse=True)
        said = _columns_of([self._of(code).usual_rate() for code in codes.tolist()], places)
        prices: Counts = said[:, 0] + said[:, 1] * own
        return prices

    def _rate(self, code: int, wanted: Wanted, arrival: int) -> _Rate:
        key = (code, arrival, wanted.nights, wanted.rooms, wanted.guests, wanted.ages)
        rate = self._rates.get(key)
        if rate is None:
            rate = self._rates[key] = self._of(code).rate(wanted, arrival)
        return rate

    def _of(self, code: int) -> _SaleGroup:
        group = self._groups[code]
        if group is None:
            raise LookupError(code)
        return group

    def _made(self, group: _SaleGroup) -> int:
        """The number of a new group."""
        if self._free:
            code = self._free.pop()
            self._groups[code] = group
        else:
            code = len(self._groups)
            self._groups.append(group)
        for sold, shares in self._shares.items():
            longer = self._shares[sold] = grown(shares, code)
            longer[code] = group.share(sold)
        return code

    def _shares_of(self, sold: _Sold) -> Shares:
        if len(self._shares) >= _SHARES_MAX:
            self._shares.clear()
        said = [_NO if group is None else group.share(sold) for group in self._groups]
        shares = self._shares[sold] = np.array(said, dtype=np.uint8)
        return shares


def _columns_of(rates: list[_Rate], places: Counts | None) -> Counts:
    """Rates as two columns; each as often as `places` says."""
    said: Counts = np.array(rates, dtype=np.int64).reshape(-1, 2)
    return said if places is None else said[places]


def _key_of(one: IndexedListing) -> object:
    said = (one.workspace, one.currency, one.published, one.is_open, one.opens_at, one.closes_at)
    if is_sum_of_nights(one):
        return (*said, one.zone.key, one.plan)
    return (*said, one.zone.key, one.plan, one.charges, one.price)
