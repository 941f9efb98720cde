"""The towns of the listings: where they are, how many they have, and what they are called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from bespeak.translations import Translation
from bespeak.verticals.stays.search.cells import EarthPoint
from bespeak.verticals.stays.search.listing import IndexedListing
from bespeak.verticals.stays.search.spoken import names_of
from bespeak.verticals.stays.search.town_names import NameBook, TownNames, town_names


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
    names: TownNames


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


class TownBook:
    """The towns of a workspace, those with the most listings first, by what they are called."""

    def __init__(self, towns: Sequence[CodedTown]) -> None:
        self._towns = towns
        self._names = NameBook([one.town.names for one in towns])
        self._of_codes = {code: one for one in towns for code in one.codes}

    def chosen(self, text: str, limit: int) -> list[CodedTown]:
        """Those that are called like a text."""
        return [self._towns[place] for place in self._names.called(text, limit)]

    def of_codes(self, codes: Iterable[int]) -> list[CodedTown]:
        """Those that have these numbers."""
        found = (self._of_codes.get(code) for code in codes)
        return list({one.town.key: one for one in found if one is not None}.values())

    def nearly(self, text: str, limit: int) -> list[CodedTown]:
        """Those that are called so but for slips of the keys."""
        return [self._towns[place] for place in self._names.nearly_called(text, limit)]


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
        CodedTown(_counted(key, called[key], sum(counts[code] for code in of)), tuple(of))
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


def _counted(key: TownKey, called: tuple[Translation, ...], listings: int) -> Town:
    names = town_names(*names_of(key.city, called))
    return Town(key, _NOWHERE, listings, called, names)


def _called(city: str, translations: Sequence[Translation]) -> tuple[Translation, ...]:
    """What a town is called, of all words of one of its listings."""
    named = ((one.language, one.words.get(city)) for one in translations)
    return tuple(Translation(language, {city: name}) for language, name in named if name)
