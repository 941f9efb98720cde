"""Towns of the earth by their names, whether anything is let there or not: for who types a town in
which there is no listing. The arrays are mapped; a question reads some pages of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from bespeak.inventory.arrays import np
from bespeak.verticals.stays.search.cells import EarthPoint
from bespeak.verticals.stays.search.gazetteer_file import DEGREE
from bespeak.verticals.stays.search.spoken import words_of
from bespeak.verticals.stays.search.town_names import written

if TYPE_CHECKING:
    from bespeak.inventory.arrays import Counts
    from bespeak.verticals.stays.search.array_file import MappedArrays

# Of fewer bytes too many towns begin so.
_BYTES_MIN = 3
_BEHIND = b"\xff"
"""Behind all that begins with the bytes before it: no text has this byte."""


class GazetteerTown(NamedTuple):
    """A town, by the name by which it was found. Of two, the one with the lower number has more
    people."""

    number: int
    name: str
    country: str
    point: EarthPoint


class Gazetteer:
    """The towns of a file."""

    def __init__(self, mapped: MappedArrays) -> None:
        one = np.zeros(0, dtype=np.uint32)
        self._degrees = mapped.array("degrees", np.zeros(0, dtype=np.int32))
        self._countries = mapped.array("countries", np.zeros(0, dtype=np.uint8))
        self._first_names = mapped.array("first_names", one)
        self._name_towns = mapped.array("name_towns", one)
        self._key_names = mapped.array("key_names", one)
        self._names, self._name_places = mapped.bytes("names"), mapped.array("name_places", one)
        self._keys, self._key_places = mapped.bytes("keys"), mapped.array("key_places", one)

    def __len__(self) -> int:
        return len(self._first_names)

    def called(self, text: str, most: int) -> list[GazetteerTown]:
        """The towns of which a text is a whole name; of more than so many those with the most
        people."""
        return self._towns(text, most, is_whole=True)

    def begun(self, text: str, most: int) -> list[GazetteerTown]:
        """Those of which a name, or the words at the end of the usual one, begins like a text."""
        return self._towns(text, most, is_whole=False)

    def is_called(self, number: int, names: Iterable[str]) -> bool:
        """Whether a town has one of these folded names."""
        return any(number in self._towns_of(self._range(name.encode())) for name in names)

    def _towns(self, text: str, most: int, *, is_whole: bool) -> list[GazetteerTown]:
        found: dict[int, int] = {}
        for typed in written(words_of(text)):
            key = typed.encode()
            if len(key) < _BYTES_MIN:
                continue
            keys = self._range(key) if is_whole else self._range(key, key + _BEHIND)
            towns = self._towns_of(keys)
            numbers, places = np.unique(towns, return_index=True)
            for number, place in zip(numbers[:most].tolist(), places[:most].tolist(), strict=True):
                found.setdefault(number, int(self._key_names[keys.start + place]))
        return [self._town(number, found[number]) for number in sorted(found)[:most]]

    def _town(self, number: int, name: int) -> GazetteerTown:
        lat, lon = (self._degrees[number].astype(np.float64) / DEGREE).tolist()
        first, end = int(self._name_places[name]), int(self._name_places[name + 1])
        country = self._countries[number].tobytes().decode().strip()
        return GazetteerTown(
            number, bytes(self._names[first:end]).decode(), country, EarthPoint(lat, lon)
        )

    def _towns_of(self, keys: range) -> Counts:
        """The town of each of these keys."""
        towns: Counts = self._name_towns[self._key_names[keys.start : keys.stop]].astype(np.int64)
        return towns

    def _range(self, key: bytes, behind: bytes | None = None) -> range:
        """The keys that are this one; or all from it on until before another."""
        first = self._place(key)
        return range(first, self._place(key + b"\0" if behind is None else behind))

    def _place(self, key: bytes) -> int:
        """The first key that is not before this one."""
        low, high = 0, len(self._key_places) - 1
        while low < high:
            middle = (low + high) // 2
            first, end = int(self._key_places[middle]), int(self._key_places[middle + 1])
            if bytes(self._keys[first:end]) < key:
                low = middle + 1
            else:
                high = middle
        return low
