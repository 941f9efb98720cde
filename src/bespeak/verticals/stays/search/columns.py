"""What the search knows of listings, as columns: a look at a few arrays leaves of a town's listings
those that are what is wanted and have the nights free.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bespeak.inventory.arrays import np
from bespeak.verticals.stays.search.cells import grown
from bespeak.verticals.stays.search.listing import IndexedListing
from bespeak.verticals.stays.words import AMENITIES, PROPERTY_KINDS, Amenity

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from bespeak.inventory.arrays import Counts, Flags
    from bespeak.verticals.stays.search.cells import Rows
    from bespeak.verticals.stays.search.wanted import Wanted

    Words: TypeAlias = NDArray[np.uint64]
    """Nights as bits, a word a row."""
    Ratings: TypeAlias = NDArray[np.uint8]
    """What guests think, in tenths; 0 where nobody has said."""

_ROWS_MIN = 1024
WORD = 64
"""How many nights are looked at in one go."""
WORDS = 26
"""How many nights are looked at, in words of 64: all in which somebody may want to stay, and two
months more, in which the first night may fall behind."""
RATINGS_COUNTED = (9, 8, 7, 6)
_ALL = (1 << WORD) - 1
_PLACE_OF: dict[str, int] = {kind: place for place, kind in enumerate(PROPERTY_KINDS)}
_BIT_OF = {amenity: 1 << place for place, amenity in enumerate(AMENITIES)}


class ListingColumns:
    """Columns of listings by their rows; nights are counted from `first_night` on, an ordinal."""

    def __init__(self, first_night: int) -> None:
        self._first = first_night
        self._guests: Counts = np.zeros(_ROWS_MIN, dtype=np.int64)
        self._prices: Counts = np.zeros(_ROWS_MIN, dtype=np.int64)
        self._kinds: Counts = np.zeros(_ROWS_MIN, dtype=np.int64)
        self._amenities: Counts = np.zeros(_ROWS_MIN, dtype=np.int64)
        self.ratings: Ratings = np.zeros(_ROWS_MIN, dtype=np.uint8)
        self.rated: Counts = np.zeros(_ROWS_MIN, dtype=np.int64)
        self._sold: Counts = np.zeros(_ROWS_MIN, dtype=np.int64)
        self.numbers: Counts = np.zeros(_ROWS_MIN, dtype=np.int64)
        self.own_prices: Counts = np.zeros(_ROWS_MIN, dtype=np.int64)
        self.groups: Counts = np.zeros(_ROWS_MIN, dtype=np.int64)
        self.charges: Counts = np.zeros(_ROWS_MIN, dtype=np.int64)
        self.plain: Flags = np.zeros(_ROWS_MIN, dtype=bool)
        self._codes: dict[tuple[str, str], int] = {}
        """What stands in `_sold`, by workspace and currency."""
        self._places: Counts = np.arange(len(AMENITIES))
        # Read as `[:, place][rows]`, which takes a third of the time of `[rows, place]`.
        self._taken: Words = np.zeros((_ROWS_MIN, WORDS), dtype=np.uint64)

    def put(self, row: int, listing: IndexedListing, group: int, charges: int) -> None:
        """Writes all of a listing, with the numbers of its group and of its charges."""
        self.numbers = grown(self.numbers, row)
        self.own_prices = grown(self.own_prices, row)
        self.groups = grown(self.groups, row)
        self.plain = grown(self.plain, row)
        self.numbers[row], self.own_prices[row] = listing.number, listing.price
        self.groups[row], self.plain[row] = group, listing.is_plain
        self.charges = grown(self.charges, row)
        self.charges[row] = charges
        self._guests = grown(self._guests, row)
        self._prices = grown(self._prices, row)
        self._kinds = grown(self._kinds, row)
        self._amenities = grown(self._amenities, row)
        self._sold = grown(self._sold, row)
        self.ratings = grown(self.ratings, row)
        self.rated = grown(self.rated, row)
        self.ratings[row], self.rated[row] = listing.house.rating, listing.house.ratings
        self._taken = grown(self._taken, row)
        sold = (listing.workspace, listing.currency)
        self._sold[row] = self._codes.setdefault(sold, len(self._codes))
        self._guests[row] = listing.guests
        self._prices[row] = listing.least_price
        self._kinds[row] = _PLACE_OF[listing.house.kind]
        self._amenities[row] = amenity_bits(listing.amenities | listing.house.amenities)
        self.put_nights(row, listing)

    def put_nights(self, row: int, listing: IndexedListing) -> None:
        """Writes which nights of a listing are taken."""
        bits = listing.bits_from(self._first)
        self._taken[row] = [bits >> WORD * place & _ALL for place in range(WORDS)]

    def suit(self, rows: Rows, wanted: Wanted) -> Flags:
        """Which of the rows are for so many guests, of these kinds, with all or any of these
        amenities, and may cost so little a night."""
        good: Flags = self._guests[rows] >= -(-wanted.guests // wanted.rooms)
        if wanted.price_max is not None:
            good &= self._prices[rows] <= wanted.price_max
        if wanted.amenities:
            bits = amenity_bits(wanted.amenities)
            good &= self._amenities[rows] & bits == bits
        if wanted.amenities_any:
            good &= self._amenities[rows] & amenity_bits(wanted.amenities_any) != 0
        if wanted.rating_min is not None:
            good &= self.ratings[rows] >= wanted.rating_min
        if wanted.kinds:
            bits = sum(1 << _PLACE_OF[kind] for kind in wanted.kinds)
            good &= bits >> self._kinds[rows] & 1 == 1
        return good

    def are_free(self, rows: Rows, arrival: int, nights: int) -> Flags:
        """In which of the rows some room is free in each of these nights, though not the same one
        in all."""
        start, length = arrival - self._first, nights
        if start < 0:
            start, length = 0, nights + start
        wanted = ((1 << max(0, length)) - 1) << start % WORD
        good: Flags | None = None
        for place in range(start // WORD, WORDS):
            if not wanted:
                break
            some: Flags = self._taken[:, place][rows] & np.uint64(wanted & _ALL) == 0
            good = some if good is None else good & some
            wanted >>= WORD
        return np.ones(len(rows), dtype=bool) if good is None else good

    def may_begin(self, rows: Rows, arrivals: Sequence[int], nights: int) -> Words:
        """On which of these days, of at most 40 in a row, a stay in each of the rows may begin: a
        bit a day from the earliest on. Of a long stay the first nights are looked at: it lets
        through what is not free, but keeps nothing back that is."""
        first = min(arrivals)
        span = max(arrivals) - first
        free = ~self._window(rows, first - self._first)
        looked, wanted = 1, min(nights, WORD - span)
        while looked < wanted:  # runs of so many free nights, each time up to twice as many
            step = min(looked, wanted - looked)
            free &= free >> np.uint64(step)
            looked += step
        free &= np.uint64(sum(1 << day - first for day in arrivals))
        return free

    def _window(self, rows: Rows, start: int) -> Words:
        """The 64 nights from this one on; of what is before the first night nothing is known."""
        place, shift = divmod(max(0, start), WORD)
        if place + 1 >= WORDS:
            return np.zeros(len(rows), dtype=np.uint64)
        nights: Words = self._taken[:, place][rows]
        if start < 0:
            nights <<= np.uint64(min(-start, WORD - 1))
        elif shift:
            nights >>= np.uint64(shift)
            nights |= self._taken[:, place + 1][rows] << np.uint64(WORD - shift)
        return nights

    def usual_currency(self, rows: Rows, workspace: str) -> str | None:
        """The currency in which most of the rows of a workspace are sold."""
        counts = np.bincount(self._sold[rows], minlength=len(self._codes)).tolist()
        codes = {name: counts[code] for (of, name), code in self._codes.items() if of == workspace}
        most = min(codes, key=lambda name: (-codes[name], name), default=None)
        return most if most is not None and codes[most] else None

    def counted_kinds(self, rows: Rows) -> dict[str, int]:
        """How many of the rows are of each kind."""
        counts = np.bincount(self._kinds[rows], minlength=len(PROPERTY_KINDS))
        listed = zip(PROPERTY_KINDS, counts.tolist(), strict=True)
        return {kind: count for kind, count in listed if count}

    def counted_amenities(self, rows: Rows) -> dict[str, int]:
        """How many of the rows have each amenity."""
        found = (self._amenities[rows][:, None] >> self._places) & 1
        counts = found.sum(axis=0)
        listed = zip(AMENITIES, counts.tolist(), strict=True)
        return {word: count for word, count in listed if count}

    def counted_ratings(self, rows: Rows) -> dict[str, int]:
        """How many of the rows are rated so well or better."""
        ratings = self.ratings[rows]
        counts = {str(least): int((ratings >= 10 * least).sum()) for least in RATINGS_COUNTED}
        return {least: count for least, count in counts.items() if count}


def amenity_bits(amenities: Collection[Amenity]) -> int:
    """Amenities as bits of one number."""
    return sum(_BIT_OF[one] for one in amenities)
