"""The listings of a process, by where they are: which of them a search finds. Columns sort out what
cannot be had, the rules judge the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import repeat
from typing import NamedTuple

from bespeak.inventory.arrays import np
from bespeak.verticals.searching import searchable
from bespeak.verticals.stays.search.cells import Cells, EarthPoint
from bespeak.verticals.stays.search.columns import ListingColumns, amenity_bits
from bespeak.verticals.stays.search.listing import IndexedListing
from bespeak.verticals.stays.search.wanted import Found, Wanted, cheapest, suits


class FoundListings(NamedTuple):
    """What was found, and how many of it are of each kind and have each amenity."""

    items: list[Found]
    kinds: dict[str, int]
    amenities: dict[str, int]


class TownKey(NamedTuple):
    """A town of a workspace."""

    workspace: str
    city: str
    country: str | None


class Town(NamedTuple):
    """Where a town's listings are, and how many of them."""

    key: TownKey
    middle: EarthPoint
    listings: int


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

    def find(self, wanted: Wanted) -> FoundListings:
        """All that can be had as it is wanted, in no order."""
        rows, metres = self._cells.within(wanted.area)
        guests = -(-wanted.guests // wanted.rooms)
        good = self._columns.may_sleep(
            rows, guests, wanted.price_max, amenity_bits(wanted.amenities)
        )
        rows, metres = rows[good], metres[good]
        arrivals = wanted.arrivals
        days: Iterator[int] = repeat(1)
        if len(arrivals) > 1:
            may = self._columns.may_begin(rows, arrivals, wanted.nights)
            good = may != 0
            rows, metres, days = rows[good], metres[good], iter(may[good].tolist())
        elif arrivals:
            good = self._columns.may_be_free(rows, arrivals[0], wanted.nights)
            rows, metres = rows[good], metres[good]
        found: list[Found] = []
        kept: list[int] = []
        for row, away, some in zip(rows.tolist(), metres.tolist(), days, strict=False):
            listing = self._listings[row]
            if listing is None or not suits(listing, wanted):
                continue
            one = cheapest(listing, round(away), wanted, arrivals, some)
            if one is not None:
                found.append(one)
                kept.append(row)
        there = np.array(kept, dtype=np.int64)
        columns = self._columns
        return FoundListings(found, columns.counted_kinds(there), columns.counted_amenities(there))

    def usual_currency(self, workspace: str) -> str | None:
        """The currency of most listings of a workspace."""
        if workspace not in self._currencies:
            counts = Counter(one.currency for one in self._all() if one.workspace == workspace)
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
            if town.key.workspace == workspace and searchable(town.key.city).startswith(begin)
        ]

    def _all(self) -> Iterator[IndexedListing]:
        return (one for one in self._listings if one is not None)

    def _counted_towns(self, *, published_only: bool) -> list[Town]:
        points: dict[TownKey, list[EarthPoint]] = {}
        for one in self._all():
            if one.house.city and (one.published or not published_only):
                key = TownKey(one.workspace, one.house.city, one.house.country)
                points.setdefault(key, []).append(one.house.point)
        towns = [Town(key, _middle_of(there), len(there)) for key, there in points.items()]
        return sorted(towns, key=lambda town: (-town.listings, town.key.city))


def _middle_of(points: list[EarthPoint]) -> EarthPoint:
    """The middle of a town's points, as one of them: a mean would lie anywhere at the date line."""
    by_lat = sorted(points)
    return by_lat[len(by_lat) // 2]
