"""The listings of a process, by where they are: which of them a search finds, and what it costs to
stay there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from bespeak.verticals.searching import searchable
from bespeak.verticals.stays.search.cells import Cells, EarthPoint
from bespeak.verticals.stays.search.listing import IndexedListing
from bespeak.verticals.stays.words import Amenity, PropertyKind


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What a traveller wants. Days are ordinals; without `arrival` anything near is wanted, free or
    not. `price_max` is for a room and night, in `currency`, in which then all must be."""

    workspace: str
    published_only: bool
    now: datetime
    middle: EarthPoint
    radius: float
    arrival: int | None = None
    nights: int = 0
    guests: int = 1
    rooms: int = 1
    price_max: int | None = None
    currency: str | None = None
    kinds: frozenset[PropertyKind] = frozenset()
    amenities: frozenset[Amenity] = frozenset()


class Found(NamedTuple):
    """A listing that can be had: how far away it is, how many rooms are free through all of the
    stay, and what one costs for it (without dates: None, and a night's usual price)."""

    listing: IndexedListing
    metres: int
    free: int | None
    room_price: int


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
    """The listings, by number and by place."""

    def __init__(self) -> None:
        self.listings: dict[int, IndexedListing] = {}
        self._cells = Cells()
        self._towns: dict[bool, list[Town]] = {}

    def put(self, listing: IndexedListing) -> None:
        """Adds a listing, or takes it anew."""
        self.drop(listing.number)
        self.listings[listing.number] = listing
        self._cells.add(listing.number, listing.house.point)

    def drop(self, number: int) -> None:
        """Forgets a listing, if it is known."""
        self._towns.clear()
        before = self.listings.pop(number, None)
        if before is not None:
            self._cells.remove(number, before.house.point)

    def find(self, wanted: Wanted) -> Iterator[Found]:
        """All that can be had as it is wanted, in no order."""
        for number, metres in self._cells.near(wanted.middle, wanted.radius):
            found = _found(self.listings[number], metres, wanted)
            if found is not None:
                yield found

    def usual_currency(self, workspace: str) -> str | None:
        """The currency of most listings of a workspace."""
        counts = Counter(
            one.currency for one in self.listings.values() if one.workspace == workspace
        )
        return min(counts, key=lambda one: (-counts[one], one), default=None)

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

    def _counted_towns(self, *, published_only: bool) -> list[Town]:
        points: dict[TownKey, list[EarthPoint]] = {}
        for one in self.listings.values():
            if one.house.city and (one.published or not published_only):
                key = TownKey(one.workspace, one.house.city, one.house.country)
                points.setdefault(key, []).append(one.house.point)
        towns = [Town(key, _middle_of(there), len(there)) for key, there in points.items()]
        return sorted(towns, key=lambda town: (-town.listings, town.key.city))


def _found(one: IndexedListing, metres: float, wanted: Wanted) -> Found | None:
    """The listing, if it can be had; what is looked at first costs least."""
    if (
        one.workspace != wanted.workspace
        or (wanted.published_only and not one.published)
        or one.guests * wanted.rooms < wanted.guests
        or (wanted.kinds and one.house.kind not in wanted.kinds)
        or not wanted.amenities <= one.amenities | one.house.amenities
        or (wanted.currency is not None and one.currency != wanted.currency)
        or not one.is_on_sale(wanted.now)
    ):
        return None
    if wanted.arrival is None:
        price = one.usual_price
        if wanted.price_max is not None and price > wanted.price_max:
            return None
        return Found(one, round(metres), None, price)
    if not one.sells(wanted.arrival, wanted.nights, wanted.now):
        return None
    free = one.free_rooms(wanted.arrival, wanted.nights)
    if free < wanted.rooms:
        return None
    price = one.room_price(wanted.arrival, wanted.nights)
    if wanted.price_max is not None and price > wanted.price_max * wanted.nights:
        return None
    return Found(one, round(metres), free, price)


def _middle_of(points: list[EarthPoint]) -> EarthPoint:
    """The middle of a town's points, as one of them: a mean would lie anywhere at the date line."""
    by_lat = sorted(points)
    return by_lat[len(by_lat) // 2]
