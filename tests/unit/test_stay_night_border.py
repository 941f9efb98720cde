"""Nights around the last one that the columns of the index have: as time goes by they come within
its reach, and what is taken of them stays taken, whatever kind of listing it is.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.verticals.stays.search.cells import EarthCircle, EarthPoint
from bespeak.verticals.stays.search.columns import WORD, WORDS
from bespeak.verticals.stays.search.index import StaysIndex
from bespeak.verticals.stays.search.listing import HouseOfListing, IndexedListing
from bespeak.verticals.stays.search.snapshot import sorted_anew
from bespeak.verticals.stays.search.wanted import Wanted

_NOW = datetime.now(UTC)
_TODAY = _NOW.date().toordinal()
_POINT = EarthPoint(48.2, 16.37)
_BORDER = WORD * WORDS
# The last nights of the columns are those of these days.
_FIRST = _TODAY + 6 - _BORDER
_NIGHTS = range(_BORDER - 3, _BORDER + WORD + 4)
_PLANS = {
    "one room": NightsPlan(rooms=("one",), window_days=365),
    "one room, and cleaning": NightsPlan(rooms=("one",), buffer_nights=1, window_days=365),
    "two rooms": NightsPlan(rooms=("one", "two"), window_days=365),
    "a type": NightsPlan(count=1, window_days=365),
}


class _Houses:
    """Listings in an index, and of each the nights of which it was said that they are taken."""

    def __init__(self, plan: NightsPlan) -> None:
        self.plan = plan
        self.index = StaysIndex(_FIRST)
        self._taken: dict[int, set[int]] = {}

    def add(self, number: int) -> None:
        self.index.put(_listing(number, self.plan))
        self._taken[number] = set()

    def mark(self, number: int, night: int, *, is_taken: bool) -> None:
        day = date.fromordinal(_FIRST + night).isoformat()
        for room in self.plan.rooms or ("",):
            self.index.mark(number, f"{room}@{day}", is_taken=is_taken, drawn=int(is_taken))
        (self._taken[number].add if is_taken else self._taken[number].discard)(night)

    async def sort(self, shift: int) -> None:
        self.index = await sorted_anew(self.index, _FIRST + shift)

    def check(self, nights: Iterable[int]) -> None:
        """Finds on each of these days what no night speaks against, and nothing else."""
        for night in nights:
            for length in (1, 3):
                stay = set(range(night, night + length + self.plan.buffer_nights))
                free = {number for number, taken in self._taken.items() if not stay & taken}
                assert self._found(night, length) == free, (night, length)

    def _found(self, night: int, length: int) -> set[int]:
        wanted = Wanted(
            workspace="default",
            published_only=True,
            now=_NOW,
            area=EarthCircle(_POINT, 1000),
            arrival=_FIRST + night,
            nights=length,
            guests=1,
        )
        rows = self.index.find(wanted).rows
        return {self.index.rows.shown(row).number for row in rows.tolist()}


def _listing(number: int, plan: NightsPlan) -> IndexedListing:
    house = HouseOfListing("prp_1", "House", "house", None, "", None, _POINT, frozenset(), " house")
    return IndexedListing(
        number=number,
        workspace="default",
        house=house,
        name="Room",
        summary="",
        guests=2,
        cots=0,
        beds=[],
        amenities=frozenset(),
        plan=plan,
        price=5000,
        currency="EUR",
        zone=ZoneInfo("UTC"),
        published=True,
        is_open=True,
        opens_at=None,
        closes_at=None,
        translations=(),
        called=" room",
    )


@pytest.mark.parametrize("shift", [0, 1, 2, 3, WORD - 1, WORD, WORD + 1, 2 * WORD, _BORDER - 7])
@pytest.mark.parametrize("plan", _PLANS)
async def test_nights_that_come_within_reach_stay_as_they_are(plan: str, shift: int) -> None:
    houses = _Houses(_PLANS[plan])
    for night in _NIGHTS:  # each of them in a house of its own
        houses.add(night)
        houses.mark(night, night, is_taken=True)
    both = max(_NIGHTS) + 1
    houses.add(both)
    houses.mark(both, _BORDER - 1, is_taken=True)
    houses.mark(both, _BORDER + shift, is_taken=True)
    houses.check(_NIGHTS)
    await houses.sort(shift)
    houses.check(_NIGHTS)
    for night in _NIGHTS:  # some are given back, and the next one is taken instead
        if night % 2:
            houses.mark(night, night, is_taken=False)
        houses.mark(night, night + 1, is_taken=True)
    houses.mark(both, _BORDER - 1, is_taken=False)  # while one further ahead is taken
    houses.check(_NIGHTS)
    await houses.sort(shift + 1)
    houses.check(_NIGHTS)
    houses.mark(both, _BORDER + shift, is_taken=False)
    houses.check(_NIGHTS)


def test_the_days_of_the_nights_are_not_over() -> None:
    assert date.fromordinal(_FIRST + min(_NIGHTS)) > _NOW.date() + timedelta(days=2)
