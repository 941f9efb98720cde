"""The towns of the listings: where they are, how many they have, and what they are called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from bespeak.translations import Translation
from bespeak.verticals.searching import searchable
from bespeak.verticals.stays.search.cells import EarthPoint
from bespeak.verticals.stays.search.listing import IndexedListing
from bespeak.verticals.stays.search.spoken import names_of

# Of fewer letters too many towns are one slip away.
_SLIP_LETTERS_MIN = 4


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
        return any(name.startswith(text) for name in self._names())

    def nearly_begins(self, text: str) -> bool:
        """Whether a name of it begins like this folded text but for one slip of the keys."""
        lengths = range(len(text) - 1, len(text) + 2)
        return any(is_one_slip(name[:length], text) for name in self._names() for length in lengths)

    def _names(self) -> Iterator[str]:
        return map(searchable, names_of(self.key.city, self.called))


def is_one_slip(meant: str, typed: str) -> bool:
    """Whether at most one letter is missing, too many or another one, or two are interchanged."""
    start = 0
    while start < min(len(meant), len(typed)) and meant[start] == typed[start]:
        start += 1
    one, other = meant[start:], typed[start:]
    return (
        one[1:] == other
        or one == other[1:]
        or one[1:] == other[1:]
        or (one[:2] == other[1::-1] and one[2:] == other[2:])
    )


def chosen_towns(towns: Sequence[Town], text: str) -> list[Town]:
    """Those that begin like a text; where none does, those that nearly do."""
    begin = searchable(text)
    found = [town for town in towns if town.begins(begin)]
    if found or len(begin) < _SLIP_LETTERS_MIN:
        return found
    return [town for town in towns if town.nearly_begins(begin)]


def counted_towns(listings: Iterable[IndexedListing], *, published_only: bool) -> list[Town]:
    """The towns of these listings, those with the most first."""
    points: dict[TownKey, list[EarthPoint]] = {}
    called: dict[TownKey, tuple[Translation, ...]] = {}
    for one in listings:
        if one.house.city and (one.published or not published_only):
            key = TownKey(one.workspace, one.house.city, one.house.country)
            points.setdefault(key, []).append(one.house.point)
            if not called.get(key):
                called[key] = _called(one.house.city, one.translations)
    towns = [Town(key, _middle_of(there), len(there), called[key]) for key, there in points.items()]
    return sorted(towns, key=lambda town: (-town.listings, town.key.city))


def _called(city: str, translations: Sequence[Translation]) -> tuple[Translation, ...]:
    """What a town is called, of all words of one of its listings."""
    named = ((one.language, one.words.get(city)) for one in translations)
    return tuple(Translation(language, {city: name}) for language, name in named if name)


def _middle_of(points: list[EarthPoint]) -> EarthPoint:
    """The middle of a town's points, as one of them: a mean would lie anywhere at the date line."""
    by_lat = sorted(points)
    return by_lat[len(by_lat) // 2]
