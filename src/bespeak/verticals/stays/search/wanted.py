"""What a traveller wants, and whether a listing is that: what it is first, then whether the rules
of its plan sell a stay, whether that is free, and what it costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from bespeak.verticals.stays.search.cells import EarthBox, EarthCircle
from bespeak.verticals.stays.search.listing import IndexedListing
from bespeak.verticals.stays.words import Amenity, PropertyKind


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What a traveller wants. Days are ordinals; without `arrival` anything there is wanted, free
    or not. With `flexible` a stay may begin so many days earlier or later. `price_max` is for a
    room and night, in `currency`, in which then all must be. `words` are beginnings of words that
    it must be called by."""

    workspace: str
    published_only: bool
    now: datetime
    area: EarthCircle | EarthBox
    arrival: int | None = None
    nights: int = 0
    flexible: int = 0
    words: tuple[str, ...] = ()
    guests: int = 1
    rooms: int = 1
    price_max: int | None = None
    currency: str | None = None
    kinds: frozenset[PropertyKind] = frozenset()
    amenities: frozenset[Amenity] = frozenset()

    @property
    def arrivals(self) -> tuple[int, ...]:
        """The days on which a stay may begin: the nearest to what was asked first, of two the
        earlier."""
        if self.arrival is None:
            return ()
        if not self.flexible:
            return (self.arrival,)
        asked, days = self.arrival, range(-self.flexible, self.flexible + 1)
        return tuple(asked + shift for shift in sorted(days, key=lambda one: (abs(one), one)))


class Found(NamedTuple):
    """A listing that can be had: how far it is from the middle, the day of arrival, how many rooms
    are free through all of the stay, and what one costs for it (without dates: None, and a night's
    usual price)."""

    listing: IndexedListing
    metres: int
    arrival: int | None
    free: int | None
    room_price: int


def suits(one: IndexedListing, wanted: Wanted) -> bool:
    """Whether a listing is what is wanted, whatever the dates; what costs least comes first."""
    return (
        one.workspace == wanted.workspace
        and (one.published or not wanted.published_only)
        and (not wanted.words or one.is_called(wanted.words))
        and one.guests * wanted.rooms >= wanted.guests
        and (not wanted.kinds or one.house.kind in wanted.kinds)
        and wanted.amenities <= one.amenities | one.house.amenities
        and (wanted.currency is None or one.currency == wanted.currency)
        and one.is_on_sale(wanted.now)
    )


def cheapest(
    one: IndexedListing, metres: int, wanted: Wanted, arrivals: tuple[int, ...], days: int
) -> Found | None:
    """The cheapest stay that can be had, of those that may begin on `days`, a bit a day from the
    earliest on; of equal ones the first."""
    if len(arrivals) == 1:
        return _stay(one, metres, wanted, arrivals[0])
    if not arrivals:
        price = one.usual_price
        is_dear = wanted.price_max is not None and price > wanted.price_max
        return None if is_dear else Found(one, metres, None, None, price)
    best: Found | None = None
    first, least = min(arrivals), one.least_price * wanted.nights
    for arrival in arrivals:
        found = _stay(one, metres, wanted, arrival) if days >> arrival - first & 1 else None
        if found is not None and (best is None or found.room_price < best.room_price):
            best = found
            if best.room_price <= least:
                break
    return best


def days_had(one: IndexedListing, wanted: Wanted, first: int, days: int) -> int:
    """On which of `days`, a bit a day from the first on, a stay that can be had begins."""
    had, left = 0, days
    while left:
        lowest = left & -left
        if _stay(one, 0, wanted, first + lowest.bit_length() - 1) is not None:
            had |= lowest
        left ^= lowest
    return had


def _stay(one: IndexedListing, metres: int, wanted: Wanted, arrival: int) -> Found | None:
    """The stay from this day on, if it can be had."""
    if not one.sells(arrival, wanted.nights, wanted.now):
        return None
    free = one.free_rooms(arrival, wanted.nights)
    if free < wanted.rooms:
        return None
    price = one.room_price(arrival, wanted.nights)
    if wanted.price_max is not None and price > wanted.price_max * wanted.nights:
        return None
    return Found(one, metres, arrival, free, price)
