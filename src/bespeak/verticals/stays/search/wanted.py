"""What a traveller wants, and a listing that is that."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from bespeak.parties import Party
from bespeak.verticals.stays.search.listing import IndexedListing
from bespeak.verticals.stays.search.polygons import EarthArea
from bespeak.verticals.stays.words import Amenity, PropertyKind


class StayWindow(NamedTuple):
    """Any stay between two days, as ordinals: the first of arrival and the last of departure. It
    begins on one of these days of the week (0 is Monday)."""

    first: int
    end: int
    weekdays: frozenset[int]

    def arrivals(self, nights: int) -> tuple[int, ...]:
        """The days on which a stay of so many nights may begin, in order."""
        days = range(self.first, self.end - nights + 1)
        return tuple(day for day in days if (day - 1) % 7 in self.weekdays)


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What a traveller wants. Days are ordinals; without `arrival` anything there is wanted, free
    or not. With `flexible` a stay may begin so many days earlier or later; with a `window` on any
    of its days; `arrival` is only one of them then. `price_max` is for a
    room and night, in `currency`, in which then all must be. `words` are beginnings of words that
    it must be called by. `ages` are those of the children among the guests, the oldest
    first. It must have all of `amenities`, and at least one of `amenities_any`.
    `rating_min` is in tenths."""

    workspace: str
    published_only: bool
    now: datetime
    area: EarthArea
    arrival: int | None = None
    nights: int = 0
    flexible: int = 0
    window: StayWindow | None = None
    words: tuple[str, ...] = ()
    guests: int = 1
    ages: tuple[int, ...] = ()
    rooms: int = 1
    price_max: int | None = None
    currency: str | None = None
    kinds: frozenset[PropertyKind] = frozenset()
    amenities: frozenset[Amenity] = frozenset()
    amenities_any: frozenset[Amenity] = frozenset()
    rating_min: int | None = None

    @property
    def party(self) -> Party:
        """The guests: in each room there is one at least."""
        return Party(max(self.guests, self.rooms), self.ages)

    @property
    def price_max_in_all(self) -> int | None:
        """The most that all rooms may cost in all nights."""
        return None if self.price_max is None else self.price_max * self.rooms * self.nights

    @property
    def arrivals(self) -> tuple[int, ...]:
        """The days on which a stay may begin: those of the window in their order; else the nearest
        to what was asked first, of two the earlier."""
        if self.window is not None:
            return self.window.arrivals(self.nights)
        if self.arrival is None:
            return ()
        if not self.flexible:
            return (self.arrival,)
        asked, days = self.arrival, range(-self.flexible, self.flexible + 1)
        return tuple(asked + shift for shift in sorted(days, key=lambda one: (abs(one), one)))


class Found(NamedTuple):
    """A listing that can be had: how far it is from the middle, the day of arrival, how many rooms
    are free through all of the stay, and what it costs in all (without dates: None, and a night's
    usual price in one room). `value` is where it stands in the order of its page."""

    listing: IndexedListing
    metres: int
    arrival: int | None
    free: int | None
    price: int
    rate: str | None = None
    value: int = 0
