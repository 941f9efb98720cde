"""What nearly fits, where little was found: the same question with one thing of it changed, asked
again. It says how many would be found then, and stops at the third change that finds more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import chain, islice
from typing import Literal

from bespeak.verticals.stays.queries import PRICE_MAX, RADIUS_METRES_MAX, STAY_ROOMS_MAX
from bespeak.verticals.stays.search.cells import EarthCircle
from bespeak.verticals.stays.search.index import FoundListings, StaysIndex
from bespeak.verticals.stays.search.region import SearchRegion
from bespeak.verticals.stays.search.wanted import Wanted
from bespeak.verticals.stays.stay_dates import days_asked
from bespeak.verticals.stays.views import NearlyFound

FEW = 3
"""Of fewer that are found it is said what nearly fits; and at most so many such things are said."""
_POINT = 10  # of a rating, in tenths
# A day or some earlier or later, or a week later, on the same days of the week: of those with which
# as many are found, the first.
_SHIFTS = (-1, 1, -2, 2, -3, 3, 7)


def nearly(
    index: StaysIndex, wanted: Wanted, matches: FoundListings, region: SearchRegion | None = None
) -> list[NearlyFound]:
    """Changes that find more than the question did, those that change least first; none that
    reaches out of the region whose listings are kept."""
    found = len(matches.rows)
    if wanted.arrival is None or found >= FEW:
        return []
    tried = _Tried(index, wanted, wanted.arrival, matches)
    changes = chain(
        tried.other_dates(),
        tried.shorter(),
        tried.in_more_rooms(),
        tried.further(region),
        tried.dearer(),
        tried.worse(),
        tried.fewer_wishes(),
    )
    return list(islice((one for one in changes if one.found > found), FEW))


class _Tried:
    """A question with one thing changed. All but `further` look at the same rows, and other dates
    only at those that are what is wanted."""

    def __init__(
        self, index: StaysIndex, wanted: Wanted, arrival: int, matches: FoundListings
    ) -> None:
        self._index, self._wanted, self._arrival = index, wanted, arrival
        self._near, self._suited = matches.near, matches.suited

    def other_dates(self) -> Iterator[NearlyFound]:
        if self._wanted.window is not None:
            return  # they are many already
        yield from self._begun("other_dates", _SHIFTS, self._wanted)

    def shorter(self) -> Iterator[NearlyFound]:
        """A night less, the first or the last."""
        if self._wanted.nights > 1:
            less = replace(self._wanted, nights=self._wanted.nights - 1)
            if less.window is not None:
                found = self._index.count(less, self._near)
                yield NearlyFound(kind="shorter", found=found, nights=less.nights)
                return
            yield from self._begun("shorter", (0, 1), less)

    def in_more_rooms(self) -> Iterator[NearlyFound]:
        """One more, or as many as the largest listing there needs, where somewhere not all guests
        fit into so few. Each has a guest at least."""
        wanted = self._wanted
        most = self._index.too_small(self._near, wanted)
        if most is None:
            return
        rooms = max(wanted.rooms + 1, -(-wanted.guests // most))
        if rooms <= min(wanted.guests, STAY_ROOMS_MAX):
            found = self._index.count(replace(wanted, rooms=rooms), self._near)
            yield NearlyFound(kind="more_rooms", found=found, rooms=rooms)

    def further(self, region: SearchRegion | None) -> Iterator[NearlyFound]:
        """Twice as far; a box is as large as who looks at it made it."""
        area = self._wanted.area
        if isinstance(area, EarthCircle) and area.radius < RADIUS_METRES_MAX:
            radius = min(2 * round(area.radius), RADIUS_METRES_MAX)
            circle = EarthCircle(area.middle, radius)
            if region is not None and not region.covers(circle):
                return
            found = self._index.find(replace(self._wanted, area=circle))
            yield NearlyFound(kind="further", found=len(found.rows), radius=radius)

    def dearer(self) -> Iterator[NearlyFound]:
        """A quarter more."""
        price = self._wanted.price_max
        if price:
            more = min(-(-price * 5 // 4), PRICE_MAX)
            found = self._index.count(replace(self._wanted, price_max=more), self._near)
            yield NearlyFound(kind="dearer", found=found, price_max=more)

    def worse(self) -> Iterator[NearlyFound]:
        """A point less."""
        least = self._wanted.rating_min
        if least is not None and least - _POINT >= _POINT:
            found = self._index.count(replace(self._wanted, rating_min=least - _POINT), self._near)
            yield NearlyFound(
                kind="lower_rating", found=found, rating_min=(least - _POINT) / _POINT
            )

    def fewer_wishes(self) -> Iterator[NearlyFound]:
        """Whatever it has, or of any kind."""
        wanted = self._wanted
        if wanted.amenities or wanted.amenities_any:
            bare = replace(wanted, amenities=frozenset(), amenities_any=frozenset())
            yield NearlyFound(
                kind="fewer_wishes",
                found=self._index.count(bare, self._near),
                amenities=[] if wanted.amenities else None,
                amenities_any=[] if wanted.amenities_any else None,
            )
        if wanted.kinds:
            found = self._index.count(replace(wanted, kinds=frozenset()), self._near)
            yield NearlyFound(kind="fewer_wishes", found=found, kinds=[])

    def _begun(
        self, kind: Literal["other_dates", "shorter"], shifts: tuple[int, ...], wanted: Wanted
    ) -> Iterator[NearlyFound]:
        """The shift of the arrival with which most are found."""
        allowed = days_asked(wanted.now)
        starts = [self._arrival + by for by in shifts if self._arrival + by in allowed]
        if starts:
            counts = self._index.counts(wanted, self._suited, starts)
            best = max(range(len(starts)), key=lambda place: counts[place])
            start = starts[best]
            yield NearlyFound(
                kind=kind,
                found=counts[best],
                start=date.fromordinal(start),
                end=date.fromordinal(start + wanted.nights),
            )
