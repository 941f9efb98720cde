"""What the search knows of listings, as columns: a look at a few arrays leaves of a town's listings
those that are what is wanted and have the nights free.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from bespeak.inventory.arrays import np
from bespeak.verticals.stays.search.listing import IndexedListing
from bespeak.verticals.stays.search.narrow import column, grown, written
from bespeak.verticals.stays.search.night_changes import NightChanges
from bespeak.verticals.stays.words import AMENITIES, PROPERTY_KINDS, Amenity

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from bespeak.inventory.arrays import Counts, Flags
    from bespeak.verticals.stays.search.cells import Rows
    from bespeak.verticals.stays.search.narrow import Column
    from bespeak.verticals.stays.search.wanted import Wanted

    Words: TypeAlias = NDArray[np.uint64]
    """Nights as bits, a word a row."""
    Ratings: TypeAlias = NDArray[np.uint8]
    """What guests think, in tenths; 0 where nobody has said."""
    Words32: TypeAlias = NDArray[np.uint32]

WORD = 64
"""How many nights are looked at in one go."""
WORDS = 6
"""Of how many nights columns say what is taken, in words of 64: a year and some days. What is
further ahead is in marks: hardly anybody books so early."""
RATINGS_COUNTED = (9, 8, 7, 6)
_ALL = (1 << WORD) - 1
_PLACE_OF: dict[str, int] = {kind: place for place, kind in enumerate(PROPERTY_KINDS)}
_BIT_OF = {amenity: 1 << place for place, amenity in enumerate(AMENITIES)}


class ColumnArrays:
    """The columns by their names, as a snapshot keeps them. What stands in the first ones is never
    below zero, and they are as wide as it; `rated` is how many guests say what stands in `ratings`,
    in tenths (0: nobody), `amenities` are bits, `far` says that something is taken
    further ahead than `nights` reach, a word of nights each."""

    def __init__(self) -> None:
        self.numbers: Column = column()
        self.own_prices: Column = column()
        self.least_prices: Column = column()
        self.groups: Column = column()
        self.charges: Column = column()
        self.towns: Column = column()
        self.guests: Column = column()
        self.cots: Column = column()
        self.kinds: Column = column()
        self.rated: Column = column()
        self.ratings: Ratings = np.zeros(0, dtype=np.uint8)
        self.amenities: Words32 = np.zeros(0, dtype=np.uint32)
        self.far: Flags = np.zeros(0, dtype=bool)
        self.nights: list[Words] = [np.zeros(0, dtype=np.uint64) for _ in range(WORDS)]


class RowCodes(NamedTuple):
    """The numbers of what a listing shares with others."""

    group: int
    charges: int
    town: int


class ListingColumns:
    """Columns of listings by their rows; nights are counted from `first_night` on, an ordinal.
    `bits_of` says of a row with something taken further ahead what that is, by its nights from the
    first on. The first `kept` rows are of a mapped file: nights of theirs that change stand beside
    the columns, so that its pages stay shared."""

    def __init__(
        self,
        first_night: int,
        bits_of: Callable[[int], int],
        arrays: ColumnArrays | None = None,
        kept: int = 0,
    ) -> None:
        self._first = first_night
        self._bits_of = bits_of
        self.arrays = arrays or ColumnArrays()
        self._kept = kept
        self.changes = NightChanges(len(self.arrays.far))
        self._places: Counts = np.arange(len(AMENITIES))

    def put(self, row: int, listing: IndexedListing, codes: RowCodes) -> None:
        """Writes all of a listing, with the numbers of what it shares."""
        arrays, house = self.arrays, listing.house
        arrays.numbers = written(arrays.numbers, row, listing.number)
        arrays.own_prices = written(arrays.own_prices, row, listing.price)
        arrays.least_prices = written(arrays.least_prices, row, listing.least_price)
        arrays.charges = written(arrays.charges, row, codes.charges)
        arrays.towns = written(arrays.towns, row, codes.town)
        arrays.guests = written(arrays.guests, row, listing.guests)
        arrays.cots = written(arrays.cots, row, listing.cots)
        arrays.kinds = written(arrays.kinds, row, _PLACE_OF[house.kind])
        arrays.rated = written(arrays.rated, row, house.ratings)
        arrays.ratings = grown(arrays.ratings, row)
        arrays.ratings[row] = house.rating
        arrays.amenities = grown(arrays.amenities, row)
        arrays.amenities[row] = _bits_of(listing.amenities) | _bits_of(house.amenities)
        arrays.far = grown(arrays.far, row)
        arrays.nights = [grown(word, row) for word in arrays.nights]
        self.changes.has_room(row)
        self.put_nights(row, listing)
        arrays.groups = written(arrays.groups, row, codes.group)  # last: from now on it is there

    def cut(self) -> ListingColumns:
        """The columns as they are now, of the rows that are in use. Nights of rows that no file has
        may be those of later on."""
        arrays, own = ColumnArrays(), self.arrays
        vars(arrays).update(vars(own))
        arrays.groups, arrays.far = own.groups.copy(), own.far.copy()
        arrays.nights = list(own.nights)
        found = ListingColumns(self._first, self._bits_of, arrays, self._kept)
        found.changes = self.changes.copied()
        return found

    def codes(self, row: int) -> RowCodes:
        arrays = self.arrays
        return RowCodes(*(int(one[row]) for one in (arrays.groups, arrays.charges, arrays.towns)))

    def forget(self, row: int) -> None:
        """From now on there is no listing in the row."""
        self.arrays.groups[row] = 0

    def groups(self, rows: Rows) -> Counts:
        found: Counts = self.arrays.groups[rows].astype(np.int64)
        return found

    def ratings(self, rows: Rows) -> tuple[Ratings, Counts]:
        """What guests think of the rows, and how many of them said so."""
        return self.arrays.ratings[rows], self.arrays.rated[rows].astype(np.int64)

    def put_nights(self, row: int, listing: IndexedListing) -> None:
        """Writes which nights of a listing are taken."""
        bits = listing.bits_from(self._first)
        for place in range(WORDS):
            word = bits >> WORD * place & _ALL
            if row < self._kept:
                self._write(row, place, word)
            else:
                self.arrays.nights[place][row] = word
        far = bits >> WORD * WORDS != 0
        if self.arrays.far[row] != far:
            self.arrays.far[row] = far

    def mark(self, row: int, night: int, *, is_taken: bool) -> bool:
        """Writes whether a night from the first on is taken; whether the columns reach as far."""
        place, shift = divmod(night, WORD)
        if not 0 <= place < WORDS:
            return False
        bits = self._read(row, place)
        self._write(row, place, bits | 1 << shift if is_taken else bits & ~(1 << shift))
        return True

    def near_bits(self, row: int) -> int:
        """Which nights are taken, of those that the columns have."""
        return sum(self._read(row, place) << WORD * place for place in range(WORDS))

    def near_word(self, place: int, rows: Rows) -> Words:
        """A word of nights of each row, of those that the columns have."""
        words = self.arrays.nights[place][rows]
        self.changes.lay_over(words, rows, place)
        return words

    def _read(self, row: int, place: int) -> int:
        changed = self.changes.get(row, place) if row < self._kept else None
        return int(self.arrays.nights[place][row]) if changed is None else changed

    def _write(self, row: int, place: int, word: int) -> None:
        if self._read(row, place) == word:
            return
        if row < self._kept:
            self.changes.put(row, place, word)
        else:
            self.arrays.nights[place][row] = word

    def _word(self, place: int, rows: Rows) -> Words:
        """A word of nights of each row, however far ahead."""
        if place < WORDS:
            return self.near_word(place, rows)
        words: Words = np.zeros(len(rows), dtype=np.uint64)
        for one in self.arrays.far[rows].nonzero()[0].tolist():
            words[one] = self._bits_of(int(rows[one])) >> WORD * place & _ALL
        return words

    def hold(self, rows: Rows, wanted: Wanted) -> Flags:
        """In which of the rows there is a place for each guest, or a cot."""
        small, rooms = wanted.party.small, wanted.rooms
        guests = self.arrays.guests[rows]
        if not small:
            return guests >= -(-wanted.guests // rooms)
        cots = np.minimum(self.arrays.cots[rows].astype(np.int64) * rooms, small)
        return guests.astype(np.int64) * rooms + cots >= wanted.guests

    def most_guests(self, rows: Rows, wanted: Wanted) -> int:
        """How many of the guests one room of these rows holds at most."""
        if not len(rows):
            return 0
        cots = np.minimum(self.arrays.cots[rows], wanted.party.small)
        return int((self.arrays.guests[rows].astype(np.int64) + cots).max())

    def suit(self, rows: Rows, wanted: Wanted) -> Flags:
        """Which of the rows are for so many guests, of these kinds, with all or any of these
        amenities, and may cost so little a night."""
        good = self.hold(rows, wanted)
        if wanted.price_max is not None:
            good &= self.arrays.least_prices[rows] <= wanted.price_max
        if wanted.amenities:
            bits = amenity_bits(wanted.amenities)
            good &= self.arrays.amenities[rows] & bits == bits
        if wanted.amenities_any:
            good &= self.arrays.amenities[rows] & amenity_bits(wanted.amenities_any) != 0
        if wanted.rating_min is not None:
            good &= self.arrays.ratings[rows] >= wanted.rating_min
        if wanted.kinds:
            wanted_kinds = np.array([kind in wanted.kinds for kind in PROPERTY_KINDS])
            good &= wanted_kinds[self.arrays.kinds[rows]]
        return good

    def are_free(self, rows: Rows, arrival: int, nights: int) -> Flags:
        """In which of the rows some room is free in each of these nights, though not the same one
        in all."""
        start, length = arrival - self._first, nights
        if start < 0:
            start, length = 0, nights + start
        wanted = ((1 << max(0, length)) - 1) << start % WORD
        good: Flags | None = None
        place = start // WORD
        while wanted:
            some: Flags = self._word(place, rows) & np.uint64(wanted & _ALL) == 0
            good = some if good is None else good & some
            wanted >>= WORD
            place += 1
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
        nights = self._word(place, rows)
        if start < 0:
            nights <<= np.uint64(min(-start, WORD - 1))
        elif shift:
            nights >>= np.uint64(shift)
            nights |= self._word(place + 1, rows) << np.uint64(WORD - shift)
        return nights

    def counted_kinds(self, rows: Rows) -> dict[str, int]:
        """How many of the rows are of each kind."""
        counts = np.bincount(self.arrays.kinds[rows], minlength=len(PROPERTY_KINDS))
        listed = zip(PROPERTY_KINDS, counts.tolist(), strict=True)
        return {kind: count for kind, count in listed if count}

    def counted_amenities(self, rows: Rows) -> dict[str, int]:
        """How many of the rows have each amenity."""
        found = (self.arrays.amenities[rows][:, None].astype(np.int64) >> self._places) & 1
        counts = found.sum(axis=0)
        listed = zip(AMENITIES, counts.tolist(), strict=True)
        return {word: count for word, count in listed if count}

    def counted_ratings(self, rows: Rows) -> dict[str, int]:
        """How many of the rows are rated so well or better."""
        ratings = self.arrays.ratings[rows]
        counts = {str(least): int((ratings >= 10 * least).sum()) for least in RATINGS_COUNTED}
        return {least: count for least, count in counts.items() if count}


def amenity_bits(amenities: Collection[Amenity]) -> int:
    """Amenities as bits of one number."""
    return sum(_BIT_OF[one] for one in amenities)


_bits_of = lru_cache(maxsize=20_000)(amenity_bits)
