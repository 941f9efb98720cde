"""The listings of a process, by where they are: which of them a search finds. Columns sort out what
cannot be had, the rules judge the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import NamedTuple

from bespeak.inventory.arrays import np
from bespeak.translations import Translation
from bespeak.verticals.searching import searchable
from bespeak.verticals.stays.search.cells import Cells, EarthBox, EarthCircle, EarthPoint, Near
from bespeak.verticals.stays.search.columns import ListingColumns, amenity_bits
from bespeak.verticals.stays.search.listing import IndexedListing
from bespeak.verticals.stays.search.spoken import names_of
from bespeak.verticals.stays.search.wanted import Found, Wanted, cheapest, days_had, suits


class FoundListings(NamedTuple):
    """What was found, how many of it are of each kind and have each amenity, and where was
    looked."""

    items: list[Found]
    kinds: dict[str, int]
    amenities: dict[str, int]
    near: Near


class TownKey(NamedTuple):
    """A town of a workspace."""

    workspace: str
    city: str
    country: str | None


class Town(NamedTuple):
    """Where a town's listings are, how many of them, and what it is called in other languages."""

    key: TownKey
    middle: EarthPoint
    listings: int
    called: tuple[Translation, ...]

    def begins(self, text: str) -> bool:
        """Whether a name of it begins like this folded text."""
        return any(
            searchable(name).startswith(text) for name in names_of(self.key.city, self.called)
        )


class StaysIndex:
    """The listings, by number and by place; `first_night` is the first that may be wanted."""

    def __init__(self, first_night: int) -> None:
        self.first_night = first_night
        self._listings: list[IndexedListing | None] = []
        self._rows: dict[int, int] = {}
        self._free: list[int] = []
        self._cells = Cells()
        self._columns = ListingColumns(first_night)
        self._towns: dict[bool, list[Town]] = {}
        self._currencies: dict[str, str | None] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, number: object) -> bool:
        return number in self._rows

    def listings(self) -> Iterator[IndexedListing]:
        """All listings, in no order; nothing may change meanwhile."""
        return (one for one in self._listings if one is not None)

    def put(self, listing: IndexedListing) -> None:
        """Adds a listing, or takes it anew."""
        self.drop(listing.number)
        if self._free:
            row = self._free.pop()
        else:
            row = len(self._listings)
            self._listings.append(None)
        self._rows[listing.number], self._listings[row] = row, listing
        self._cells.add(row, listing.house.point)
        self._columns.put(row, listing)

    def drop(self, number: int) -> None:
        """Forgets a listing, if it is known."""
        self._towns.clear()
        self._currencies.clear()
        row = self._rows.pop(number, None)
        before = None if row is None else self._listings[row]
        if row is None or before is None:
            return
        self._cells.remove(row, before.house.point)
        self._listings[row] = None
        self._free.append(row)

    def mark(self, number: int, unit: str, *, is_taken: bool, drawn: int) -> None:
        """Notes how a unit of a listing stands, if it is known."""
        row = self._rows.get(number)
        listing = None if row is None else self._listings[row]
        if row is not None and listing is not None:
            listing.mark(unit, is_taken=is_taken, drawn=drawn)
            self._columns.put_nights(row, listing)

    def within(self, area: EarthCircle | EarthBox) -> Near:
        """The rows of an area."""
        return self._cells.within(area)

    def find(self, wanted: Wanted) -> FoundListings:
        """All that can be had as it is wanted, in no order."""
        near, arrivals = self.within(wanted.area), wanted.arrivals
        found: list[Found] = []
        kept: list[int] = []
        for row, listing, away, days in self._suitable(wanted, near, arrivals):
            one = cheapest(listing, round(away), wanted, arrivals, days)
            if one is not None:
                found.append(one)
                kept.append(row)
        if not kept:
            return FoundListings([], {}, {}, near)
        there = np.array(kept, dtype=np.int64)
        kinds = self._columns.counted_kinds(there)
        return FoundListings(found, kinds, self._columns.counted_amenities(there), near)

    def count(self, wanted: Wanted, near: Near) -> int:
        """How many of these rows can be had as it is wanted."""
        arrivals = wanted.arrivals
        return sum(
            cheapest(listing, 0, wanted, arrivals, days) is not None
            for _, listing, _, days in self._suitable(wanted, near, arrivals)
        )

    def counts(self, wanted: Wanted, near: Near, starts: Sequence[int]) -> list[int]:
        """The same for each of these days, with the flexibility that is wanted, instead of the day
        that is; of at most 40 days in all."""
        flexible, first = wanted.flexible, min(starts) - wanted.flexible
        window = (2 << 2 * flexible) - 1
        windows = [window << start - flexible - first for start in starts]
        begun = {day + by for day in starts for by in range(-flexible, flexible + 1)}
        counts = [0] * len(starts)
        for _, listing, _, days in self._suitable(wanted, near, tuple(begun)):
            had = days_had(listing, wanted, first, days)
            for place, some in enumerate(windows):
                counts[place] += bool(had & some)
        return counts

    def _suitable(
        self, wanted: Wanted, near: Near, arrivals: tuple[int, ...]
    ) -> Iterator[tuple[int, IndexedListing, float, int]]:
        """Rows of listings that are what is wanted, with their distances, and on which of the
        arrivals a stay may begin, a bit a day from the earliest on: so far as columns know."""
        rows, metres = near
        guests = -(-wanted.guests // wanted.rooms)
        good = self._columns.may_sleep(
            rows, guests, wanted.price_max, amenity_bits(wanted.amenities)
        )
        rows, metres = rows[good], metres[good]
        days: Iterator[int] = repeat(1)
        if len(arrivals) > 1:
            may = self._columns.may_begin(rows, arrivals, wanted.nights)
            good = may != 0
            rows, metres, days = rows[good], metres[good], iter(may[good].tolist())
        elif arrivals:
            good = self._columns.may_be_free(rows, arrivals[0], wanted.nights)
            rows, metres = rows[good], metres[good]
        for row, away, some in zip(rows.tolist(), metres.tolist(), days, strict=False):
            listing = self._listings[row]
            if listing is not None and suits(listing, wanted):
                yield row, listing, away, some

    def usual_currency(self, workspace: str, area: EarthCircle | EarthBox) -> str | None:
        """The currency of most listings of a workspace there, or anywhere where there are none."""
        there = self._columns.usual_currency(self.within(area).rows, workspace)
        return self._usual_currency(workspace) if there is None else there

    def _usual_currency(self, workspace: str) -> str | None:
        if workspace not in self._currencies:
            counts = Counter(one.currency for one in self.listings() if one.workspace == workspace)
            most = min(counts, key=lambda one: (-counts[one], one), default=None)
            self._currencies[workspace] = most
        return self._currencies[workspace]

    def towns(self, workspace: str, text: str, *, published_only: bool) -> list[Town]:
        """Towns that begin like the text, those with the most listings first."""
        if published_only not in self._towns:
            self._towns[published_only] = self._counted_towns(published_only=published_only)
        begin = searchable(text)
        return [
            town
            for town in self._towns[published_only]
            if town.key.workspace == workspace and town.begins(begin)
        ]

    def _counted_towns(self, *, published_only: bool) -> list[Town]:
        points: dict[TownKey, list[EarthPoint]] = {}
        called: dict[TownKey, tuple[Translation, ...]] = {}
        for one in self.listings():
            if one.house.city and (one.published or not published_only):
                key = TownKey(one.workspace, one.house.city, one.house.country)
                points.setdefault(key, []).append(one.house.point)
                if not called.get(key):
                    called[key] = _called(one.house.city, one.translations)
        towns = [
            Town(key, _middle_of(there), len(there), called[key]) for key, there in points.items()
        ]
        return sorted(towns, key=lambda town: (-town.listings, town.key.city))


def _called(city: str, translations: Sequence[Translation]) -> tuple[Translation, ...]:
    """What a town is called, of all words of one of its listings."""
    named = ((one.language, one.words.get(city)) for one in translations)
    return tuple(Translation(language, {city: name}) for language, name in named if name)


def _middle_of(points: list[EarthPoint]) -> EarthPoint:
    """The middle of a town's points, as one of them: a mean would lie anywhere at the date line."""
    by_lat = sorted(points)
    return by_lat[len(by_lat) // 2]
