"""What listings have in common that decides whether a stay is sold and what it costs. So the rules
of a plan are asked once for all listings that share them, and not once a listing.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bespeak.inventory.arrays import np
from bespeak.verticals.stays.search.narrow import grown
from bespeak.verticals.stays.search.sale_group import GroupRecord, SaleGroup
from bespeak.verticals.stays.search.shared_codes import KeptCodes, SharedCodes
from bespeak.verticals.stays.search.stay_terms import (
    StayColumns,
    TermRows,
    columns_of,
    rows_of,
    terms_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bespeak.inventory.arrays import Counts, Flags
    from bespeak.verticals.stays.search.wanted import Wanted

    Shares: TypeAlias = NDArray[np.uint8]

# Of more rows it pays to find first which groups they are of.
_ONE_BY_ONE_MAX = 64
_TERMS_MAX = 200_000
_DAY_BITS = 24
_TABLE_SHARE = 4
_SHARES_MAX = 64
_NO, _YES, _BY_CLOCK = range(3)
_UNKNOWN = 2


class _Sold(NamedTuple):
    """To whom and in what listings are sold."""

    workspace: str
    published_only: bool
    currency: str | None


def _share(record: GroupRecord, sold: _Sold) -> int:
    """Whether the listings of a group are on sale there, or whether the clock says so."""
    if (
        record.workspace != sold.workspace
        or not (record.published or not sold.published_only)
        or sold.currency not in (None, record.currency)
        or not record.is_open
    ):
        return _NO
    return _YES if record.opens_at is None and record.closes_at is None else _BY_CLOCK


class SaleGroups:
    """All groups, by small numbers; 0 is that of what is no listing."""

    def __init__(self, kept: KeptCodes | None = None) -> None:
        self.codes = SharedCodes(kept)
        self._groups: dict[int, SaleGroup] = {}
        self._plain: Shares = np.full(len(self.codes.keys), _UNKNOWN, dtype=np.uint8)
        self._shares: dict[_Sold, Shares] = {}
        self._minute = 0
        self._terms: dict[object, TermRows] = {}

    def __getitem__(self, code: int) -> SaleGroup:
        found = self._groups.get(code)
        if found is None:
            found = self._groups[code] = SaleGroup(self.codes[code])
        return found

    def join(self, key: bytes) -> int:
        """The number of the group with these bytes, which a listing is in from now on."""
        code, is_new = self.codes.join(key)
        if is_new:
            group = self[code]
            for sold, shares in self._shares.items():
                longer = self._shares[sold] = grown(shares, code)
                longer[code] = _share(group.record, sold)
            self._plain = grown(self._plain, code)
            self._plain[code] = _UNKNOWN
        return code

    def leave(self, code: int) -> None:
        """A listing is in its group no longer."""
        if self.codes.leave(code):
            self._terms.clear()  # the number is given again
            self._groups.pop(code, None)
            for shares in self._shares.values():
                shares[code] = _NO

    def are_plain(self, codes: Counts) -> Flags:
        """Of which rows, by the numbers of their groups, the nights in which no room is free say
        all."""
        found = self._plain[codes]
        if (found == _UNKNOWN).any():
            for code in np.unique(codes[found == _UNKNOWN]).tolist():
                self._plain[code] = _YES if self[code].is_plain else _NO
            found = self._plain[codes]
        plain: Flags = found == _YES
        return plain

    def published(self) -> Flags:
        """Of each number, whether its listings are published."""
        records = (self[code].record if key else None for code, key in enumerate(self.codes.keys))
        return np.array([one is not None and one.published for one in records], dtype=bool)

    def usual_currency(self, workspace: str, counts: Sequence[int]) -> str | None:
        """The currency of most listings of a workspace, of so many of each group."""
        sold: Counter[str] = Counter()
        for code, count in enumerate(counts):
            if code and count and self[code].record.workspace == workspace:
                sold[self[code].record.currency] += count
        return min(sold, key=lambda one: (-sold[one], one), default=None)

    def currencies(self, codes: Counts) -> Counts:
        """The currencies of some rows, by the numbers of their groups: as numbers that are in the
        order of their names."""
        used = np.bincount(codes).nonzero()[0].tolist()
        names = {code: self[code].record.currency for code in used}
        turns = {name: turn for turn, name in enumerate(sorted(set(names.values())))}
        table = np.zeros(max(used, default=0) + 1, dtype=np.int64)
        table[used] = [turns[names[code]] for code in used]
        found: Counts = table[codes]
        return found

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
            flags[place] = self[int(codes[place])].is_on_sale(wanted.now)
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
            asked, places = _distinct(codes, arrivals)
            codes, arrivals = asked >> _DAY_BITS, asked & (1 << _DAY_BITS) - 1
        pairs = zip(codes.tolist(), arrivals.tolist(), strict=True)
        return columns_of(
            [self._terms_of(code, wanted, arrival) for code, arrival in pairs], places
        )

    def usual_prices(self, codes: Counts, own: Counts) -> Counts:
        """What a night costs where no rule says another price."""
        pairs = zip(codes.tolist(), own.tolist(), strict=True)
        prices = [self[code].usual_price(price) for code, price in pairs]
        return np.array(prices, dtype=np.int64)

    def _terms_of(self, code: int, wanted: Wanted, arrival: int) -> TermRows:
        key = (code, arrival, wanted.nights, wanted.rooms, wanted.guests, wanted.ages)
        found = self._terms.get(key)
        if found is None:
            terms = terms_of(self[code], wanted, arrival)
            found = self._terms[key] = rows_of(terms)
        return found

    def _shares_of(self, sold: _Sold) -> Shares:
        if len(self._shares) >= _SHARES_MAX:
            self._shares.clear()
        keys = enumerate(self.codes.keys)
        said = [_NO if key is None else _share(self[code].record, sold) for code, key in keys]
        shares = self._shares[sold] = np.array(said, dtype=np.uint8)
        return shares


def _distinct(codes: Counts, arrivals: Counts) -> tuple[Counts, Counts]:
    """The pairs of group and day that there are, each once and as one number; and the place of each
    stay's pair among them."""
    first = int(arrivals.min())
    days, groups = int(arrivals.max()) - first + 1, int(codes.max()) + 1
    if days * groups > _TABLE_SHARE * len(codes):
        return np.unique(codes << _DAY_BITS | arrivals, return_inverse=True)
    # A mark for each pair that may be: to order so many stays takes longer.
    keys = codes * days + (arrivals - first)
    table = np.zeros(days * groups, dtype=np.int64)
    table[keys] = 1
    used = table.nonzero()[0]
    table[used] = np.arange(len(used))
    return (used // days) << _DAY_BITS | (used % days + first), table[keys]
