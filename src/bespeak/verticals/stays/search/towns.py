"""The towns of the listings: where they are, how many they have, and what they are called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bespeak.translations import Translation
from bespeak.verticals.searching import searchable
from bespeak.verticals.stays.search.cells import EarthPoint
from bespeak.verticals.stays.search.listing import IndexedListing
from bespeak.verticals.stays.search.spoken import names_of


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
