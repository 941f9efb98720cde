"""Which places a text names: towns with listings, and where a gazetteer is at hand, towns without
any that have some near them, so that who types one is led there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import NamedTuple

from bespeak.verticals.stays.search.cells import EarthCircle, metres_between
from bespeak.verticals.stays.search.gazetteer import Gazetteer, GazetteerTown
from bespeak.verticals.stays.search.index import StaysIndex
from bespeak.verticals.stays.search.towns import CodedTown, Town
from bespeak.verticals.stays.search.towns_of_rows import TownsAsked, TownsWhose
from bespeak.verticals.stays.search.wanted import Wanted

NEAR_METRES = 25_000
"""What lies no farther from a town is near it."""
NEAR_MAX = 5
LOOKED_MAX = 200
"""At so many towns of the gazetteer one question looks, those with the most people first."""


class NearTown(NamedTuple):
    """A town of the gazetteer, and how many listings are on sale near it."""

    town: GazetteerTown
    listings: int


class PlacesCalled(NamedTuple):
    """Towns with listings, and others that have some near them."""

    towns: list[Town]
    near: list[NearTown]


def places_called(
    index: StaysIndex, gazetteer: Gazetteer | None, asked: TownsAsked, now: datetime
) -> PlacesCalled:
    """The places that are called like a text. A town of the gazetteer is there where the text is
    its whole name, and one that only begins so where no town with listings is called so. Where
    nothing is, those with listings that are called nearly so."""
    towns = index.towns.called(asked)
    near: list[NearTown] = []
    if gazetteer is not None and len(towns) < asked.limit:
        looked = _Looked(index, gazetteer, asked.whose, now)
        some = gazetteer.called(asked.text, LOOKED_MAX)
        found = looked.near(some, {town.key for town in towns})
        if not towns and not found.towns and not found.near:
            found = looked.near(gazetteer.begun(asked.text, LOOKED_MAX), set())
        towns += found.towns[: asked.limit - len(towns)]
        near = found.near[: asked.limit - len(towns)]
    if not towns and not near:
        towns = index.towns.nearly_called(asked)
    return PlacesCalled(towns, near)


@dataclass(frozen=True)
class _Looked:
    """Where is looked for what is near, and for whom."""

    index: StaysIndex
    gazetteer: Gazetteer
    whose: TownsWhose
    now: datetime

    def near(self, towns: Iterable[GazetteerTown], known: set[object]) -> PlacesCalled:
        """Those that have listings near them; one that is a town with listings by another name is
        told as this one, unless it is known."""
        found = PlacesCalled([], [])
        for town, listings, itself in islice(self._with_listings(towns), NEAR_MAX):
            if itself is None:
                if not any(_are_alike(town, one.town) for one in found.near):
                    found.near.append(NearTown(town, listings))
            elif itself.town.key not in known:
                known.add(itself.town.key)
                found.towns.append(self.index.towns.placed(itself, self.whose))
        return found

    def _with_listings(
        self, towns: Iterable[GazetteerTown]
    ) -> Iterator[tuple[GazetteerTown, int, CodedTown | None]]:
        """Towns, how many listings are near each, and the town with listings that it is."""
        for town in towns:
            wanted = Wanted(
                workspace=self.whose.workspace,
                published_only=self.whose.published_only,
                now=self.now,
                area=EarthCircle(town.point, NEAR_METRES),
            )
            rows = self.index.suited(wanted)
            if len(rows):
                there = self.index.towns.there(rows, self.whose)
                yield (
                    town,
                    len(rows),
                    next((one for one in there if self._is(town, one.town)), None),
                )

    def _is(self, town: GazetteerTown, one: Town) -> bool:
        """Whether it has a name of this town, which is near it."""
        lines = (line.strip() for line in one.names.spoken.split("\n"))
        return self.gazetteer.is_called(town.number, filter(None, lines))


def _are_alike(one: GazetteerTown, other: GazetteerTown) -> bool:
    """Whether nobody could tell them apart, and they lead to the same listings."""
    is_called_so = (one.name, one.country) == (other.name, other.country)
    return is_called_so and metres_between(one.point, other.point) <= NEAR_METRES
