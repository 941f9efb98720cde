"""What is the same for all listings, as columns: a look at a few arrays leaves of a town's listings
those that may be had, and only these are judged by their rules. A column may let through what
cannot be had, but never keeps back what can.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bespeak.inventory.arrays import np
from bespeak.verticals.stays.search.cells import grown
from bespeak.verticals.stays.search.listing import IndexedListing
from bespeak.verticals.stays.words import AMENITIES, PROPERTY_KINDS, Amenity

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from bespeak.inventory.arrays import Counts, Flags
    from bespeak.verticals.stays.search.cells import Rows

_ROWS_MIN = 1024
_WORD = 64
WORDS = 26
"""How many nights are looked at, in words of 64: all in which somebody may want to stay, and two
months more, in which the first night may fall behind."""
_ALL = (1 << _WORD) - 1
_BIT_OF = {amenity: 1 << place for place, amenity in enumerate(AMENITIES)}
_PLACES = range(len(AMENITIES))


class ListingColumns:
    """Columns of listings by their rows; nights are counted from `first_night` on, an ordinal."""

    def __init__(self, first_night: int) -> None:
        self._first = first_night
        self._guests: Counts = np.zeros(_ROWS_MIN, dtype=np.int64)
        self._prices: Counts = np.zeros(_ROWS_MIN, dtype=np.int64)
        self._kinds: Counts = np.zeros(_ROWS_MIN, dtype=np.int64)
        self._amenities: Counts = np.zeros(_ROWS_MIN, dtype=np.int64)
        self._taken: NDArray[np.uint64] = np.zeros((_ROWS_MIN, WORDS), dtype=np.uint64)

    def put(self, row: int, listing: IndexedListing) -> None:
        """Writes all of a listing."""
        self._guests = grown(self._guests, row)
        self._prices = grown(self._prices, row)
        self._kinds = grown(self._kinds, row)
        self._amenities = grown(self._amenities, row)
        self._taken = grown(self._taken, row)
        self._guests[row] = listing.guests
        self._prices[row] = listing.least_price
        self._kinds[row] = PROPERTY_KINDS.index(listing.house.kind)
        self._amenities[row] = amenity_bits(listing.amenities | listing.house.amenities)
        self.put_nights(row, listing)

    def put_nights(self, row: int, listing: IndexedListing) -> None:
        """Writes which nights of a listing are taken."""
        bits = listing.bits_from(self._first)
        self._taken[row] = [bits >> _WORD * place & _ALL for place in range(WORDS)]

    def may_sleep(self, rows: Rows, guests: int, price_max: int | None, amenities: int) -> Flags:
        """Which of the rows are for so many guests, at this price a night, with all these."""
        good: Flags = self._guests[rows] >= guests
        if price_max is not None:
            good &= self._prices[rows] <= price_max
        if amenities:
            good &= self._amenities[rows] & amenities == amenities
        return good

    def may_be_free(self, rows: Rows, arrival: int, nights: int) -> Flags:
        """Of which of the rows these nights are not known to be taken."""
        start = arrival - self._first
        wanted = ((1 << nights) - 1) << start if start >= 0 else ((1 << nights) - 1) >> -start
        good: Flags = np.ones(len(rows), dtype=bool)
        for place in range(WORDS):
            word = wanted >> _WORD * place & _ALL
            if word:
                good &= self._taken[rows, place] & np.uint64(word) == 0
        return good

    def counted_kinds(self, rows: Rows) -> dict[str, int]:
        """How many of the rows are of each kind."""
        counts = np.bincount(self._kinds[rows], minlength=len(PROPERTY_KINDS))
        return {
            kind: int(count) for kind, count in zip(PROPERTY_KINDS, counts, strict=True) if count
        }

    def counted_amenities(self, rows: Rows) -> dict[str, int]:
        """How many of the rows have each amenity."""
        found = (self._amenities[rows][:, None] >> np.array(_PLACES)) & 1
        counts = found.sum(axis=0)
        return {word: int(count) for word, count in zip(AMENITIES, counts, strict=True) if count}


def amenity_bits(amenities: Collection[Amenity]) -> int:
    """Amenities as bits of one number."""
    return sum(_BIT_OF[one] for one in amenities)
