"""The towns of the listings: where they are, how many they have, and what they are called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
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
    """The towns of a workspace, those with the most listings first, by what they are called. What
    was made of the names is taken over from the book before, where they are the same in order."""

    def __init__(self, towns: Sequence[CodedTown], before: TownBook | None = None) -> None:
        self._towns = towns
        names = [one.town.names for one in towns]
        known: NameBook | None = None if before is None else before._names
        self._names: NameBook = NameBook(names) if known is None or known.towns != names else known

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

    @cached_property
    def _of_codes(self) -> dict[int, CodedTown]:
        return {code: one for one in self._towns for code in one.codes}


def key_of(kept: bytes) -> TownKey:
    """The town of these bytes, and nothing of what it is called."""
    said = _DECODER.decode(kept)
    return TownKey(said.workspace, said.city, said.country)


class SaidTown(NamedTuple):
    """What one number says of a town."""

    key: TownKey
    called: tuple[Translation, ...]


def said_of(kept: bytes) -> SaidTown:
    """The town of these bytes."""
    said = _DECODER.decode(kept)
    words = tuple(Translation(language, {said.city: name}) for language, name in said.words)
    return SaidTown(TownKey(said.workspace, said.city, said.country), words)


def town_of(said: SaidTown, listings: int) -> Town:
    """A town of so many listings, without its middle."""
    names = town_names(*names_of(said.key.city, said.called))
    return Town(said.key, _NOWHERE, listings, said.called, names)


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
