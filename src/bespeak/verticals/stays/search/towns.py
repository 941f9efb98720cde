"""The towns of the listings: where they are, how many they have, and what they are called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

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


def town_key(one: IndexedListing) -> bytes:
    """The town of a listing, and what it is called, as bytes; nothing where it has none."""
    house = one.house
    if not house.city:
        return b""
    called = _called(house.city, one.translations)
    words = tuple((each.language, each.words[house.city]) for each in called)
    return _ENCODER.encode(_TownRecord(one.workspace, house.city, house.country, words))


class CodedTown(NamedTuple):
    """A town without its middle, and the numbers of all that is known of it: listings may call it
    otherwise."""

    town: Town
    codes: tuple[int, ...]


def counted_towns(towns: Sequence[bytes | None], counts: Sequence[int]) -> list[CodedTown]:
    """The towns by their numbers that have so many listings, those with the most first."""
    codes: dict[TownKey, list[int]] = {}
    called: dict[TownKey, tuple[Translation, ...]] = {}
    for code, (kept, count) in enumerate(zip(towns, counts, strict=True)):
        if kept and count:
            said = _DECODER.decode(kept)
            key = TownKey(said.workspace, said.city, said.country)
            codes.setdefault(key, []).append(code)
            words = tuple(Translation(language, {said.city: name}) for language, name in said.words)
            called[key] = called.get(key) or words
    found = [
        CodedTown(Town(key, _NOWHERE, sum(counts[code] for code in of), called[key]), tuple(of))
        for key, of in codes.items()
    ]
    return sorted(found, key=lambda one: (-one.town.listings, one.town.key.city))


class _TownRecord(msgspec.Struct, frozen=True, array_like=True):
    workspace: str
    city: str
    country: str | None
    words: tuple[tuple[str, str], ...]


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(_TownRecord)
_NOWHERE = EarthPoint(0, 0)


def _called(city: str, translations: Sequence[Translation]) -> tuple[Translation, ...]:
    """What a town is called, of all words of one of its listings."""
    named = ((one.language, one.words.get(city)) for one in translations)
    return tuple(Translation(language, {city: name}) for language, name in named if name)
