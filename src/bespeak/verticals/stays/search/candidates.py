"""Stays that may be had, side by side, and how many of them a search looks at: never more than one
answer is worth, for nobody else of the process is answered meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from bespeak.inventory.arrays import np

if TYPE_CHECKING:
    from bespeak.inventory.arrays import Counts, Flags, Numbers
    from bespeak.verticals.stays.search.cells import Rows
    from bespeak.verticals.stays.search.wanted import Wanted

LISTINGS_LOOKED_MAX = 100_000
"""Of more listings in an area those nearest to its middle are looked at,"""
NAMES_LOOKED_MAX = 50_000
"""of fewer where their names are,"""
STAYS_LOOKED_MAX = 1_000_000
"""and of fewer where stays may begin on many days: each listing with each day is one."""
CLOSER_LOOKED_MAX = 5_000
"""So many stays are looked at one by one, where columns do not say all."""
# So many days in a row are looked at in one word of nights, with a month behind the last of them.
_SPAN_DAYS = 32


class CandidateStays(NamedTuple):
    """Stays, side by side: the places of their rows among those that were asked, the days of
    arrival, and what they cost. `more`: some were not looked at."""

    places: Rows
    arrivals: Counts
    prices: Counts
    more: bool = False

    def only(self, good: Flags | Rows) -> CandidateStays:
        """Some of them, in the order of places where these are given."""
        return CandidateStays(self.places[good], self.arrivals[good], self.prices[good], self.more)


def looked_max(wanted: Wanted) -> int:
    """How many listings are looked at."""
    most = NAMES_LOOKED_MAX if wanted.words else LISTINGS_LOOKED_MAX
    return min(most, STAYS_LOOKED_MAX // max(1, len(wanted.arrivals)))


def nearest(flags: Flags, metres: Numbers | None, most: int) -> Flags:
    """Of what is flagged at most so many, those that are nearest; without metres any."""
    places = flags.nonzero()[0]
    if len(places) <= most:
        return flags
    if metres is not None:
        places = places[np.argpartition(metres[places], most)]
    kept: Flags = np.zeros(len(flags), dtype=bool)
    kept[places[:most]] = True
    return kept


def parts_of_days(days: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The days in as many parts as it takes to look at them in one go. Only those of a window are
    so many, and they are in order."""
    if not days or max(days) - min(days) < _SPAN_DAYS:
        return [days]
    parts: dict[int, list[int]] = {}
    for day in days:
        parts.setdefault((day - days[0]) // _SPAN_DAYS, []).append(day)
    return [tuple(part) for part in parts.values()]


def cheapest_of(parts: Sequence[CandidateStays]) -> CandidateStays:
    """Of each row the cheapest stay of all parts; of equal ones the first. Within a part the stays
    of a row are behind each other."""
    least = [_cheapest_of_part(part) for part in parts]
    if len(least) == 1:
        return least[0]
    joined = CandidateStays(
        np.concatenate([part.places for part in least]),
        np.concatenate([part.arrivals for part in least]),
        np.concatenate([part.prices for part in least]),
        any(part.more for part in least),
    )
    order = np.argsort(joined.places, kind="stable")
    return _cheapest_of_part(joined.only(order))


def _cheapest_of_part(stays: CandidateStays) -> CandidateStays:
    if not len(stays.places):
        return stays
    begins = np.ones(len(stays.places), dtype=bool)
    begins[1:] = stays.places[1:] != stays.places[:-1]
    starts = begins.nonzero()[0]
    rows = np.cumsum(begins) - 1
    least = stays.prices == np.minimum.reduceat(stays.prices, starts)[rows]
    turns = np.where(least, np.arange(len(rows)), len(rows))
    return stays.only(np.minimum.reduceat(turns, starts))
