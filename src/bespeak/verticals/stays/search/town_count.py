"""How many listings each town has, counted again as something changes. Only the towns of which
something did are made anew: of many thousands that are mostly one or two.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from bespeak.inventory.arrays import np
from bespeak.verticals.stays.search.towns import CodedTown, TownKey, key_of, said_of, town_of

if TYPE_CHECKING:
    from bespeak.inventory.arrays import Counts

# Of more than these it is quicker to sort all than to put each in its place.
_PLACED_MAX = 100


class TownCount:
    """The towns that have listings, those with the most first; `version` grows with each change."""

    def __init__(self) -> None:
        self.towns: list[CodedTown] = []
        self.version = 0
        self._keys: list[bytes | None] = []
        self._counts: Counts = np.zeros(0, dtype=np.int64)
        self._town_of: dict[int, TownKey] = {}
        self._found: dict[TownKey, CodedTown] = {}

    def update(self, keys: Sequence[bytes | None], counts: Counts) -> None:
        """The towns by their numbers have so many listings now."""
        codes_of: dict[TownKey, set[int]] = {}
        for code in self._changed(keys, counts):
            before = self._town_of.pop(code, None)
            if before is not None:
                self._codes_of(before, codes_of).discard(code)
            kept = keys[code]
            if kept and counts[code]:
                key = self._town_of[code] = key_of(kept)
                self._codes_of(key, codes_of).add(code)
        self._keys, self._counts = list(keys), counts
        if codes_of:
            gone = [one for key in codes_of if (one := self._found.pop(key, None)) is not None]
            come = [self._town(sorted(codes)) for codes in codes_of.values() if codes]
            self._put(gone, come)
            self.version += 1

    def _changed(self, keys: Sequence[bytes | None], counts: Counts) -> set[int]:
        """The numbers of which the town or how many listings it has are others than before."""
        before = np.zeros(len(counts), dtype=np.int64)
        before[: len(self._counts)] = self._counts
        changed = set(np.flatnonzero(counts != before).tolist())
        return changed | set(_differing(self._keys, keys))

    def _codes_of(self, key: TownKey, known: dict[TownKey, set[int]]) -> set[int]:
        """The numbers of a town, to be changed: what is known of them in this update."""
        if key not in known:
            found = self._found.get(key)
            known[key] = set() if found is None else set(found.codes)
        return known[key]

    def _town(self, codes: Sequence[int]) -> CodedTown:
        """The town of these numbers. Of what they call it, it is called what the first that says
        something says."""
        said = [said_of(self._keys[code] or b"") for code in codes]
        first = next((one for one in said if one.called), said[0])
        listings = sum(int(self._counts[code]) for code in codes)
        return CodedTown(town_of(first, listings), tuple(codes))

    def _put(self, gone: Iterable[CodedTown], come: Sequence[CodedTown]) -> None:
        """Changes the list: it is another one then, for who still reads the one before."""
        self._found |= {one.town.key: one for one in come}
        if len(come) > _PLACED_MAX:
            self.towns = sorted(self._found.values(), key=_rank)
            return
        towns = list(self.towns)
        for one in gone:
            del towns[bisect_left(towns, _rank(one), key=_rank)]
        for one in come:
            insort(towns, one, key=_rank)
        self.towns = towns


def _differing(before: list[bytes | None], now: Sequence[bytes | None]) -> Iterator[int]:
    if before != now:
        pairs = enumerate(zip_longest(before, now))
        yield from (place for place, (one, other) in pairs if one != other)


def _rank(one: CodedTown) -> tuple[int, str, str, str]:
    """No two towns have the same."""
    key = one.town.key
    return -one.town.listings, key.city, key.country or "", key.workspace
