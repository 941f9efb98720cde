"""The lists beside this module: real cities with what a night costs there, what kinds of houses
there are, of what words their names are made, and what all of it is called in other languages.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TypeVar

import msgspec

from bespeak.translations import Translation
from bespeak.verticals.stays.forms import Beds
from bespeak.verticals.stays.words import Amenity, PropertyKind

SEED = "stays"
_Form = TypeVar("_Form")


class DemoTown(msgspec.Struct, frozen=True, eq=False, forbid_unknown_fields=True):
    """A city: its middle (degrees, WGS 84), what a usual night costs there and to what a price is
    rounded (in minor units), how many of all houses it has by weight, what it is called in other
    languages. At a coast, `land` says between which bearings (clockwise from north) there is land
    around its middle."""

    name: str
    country: str
    lat: float
    lon: float
    time_zone: str
    currency: str
    night: int
    step: int
    weight: int
    languages: tuple[str, ...]
    called: dict[str, str]
    land: tuple[int, int] | None = None


class DemoRoomType(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a house of a kind may let: its price as a factor, how large it is, of how many rooms it
    is a type (nothing: it is one exact room), and what may be said of it."""

    name: str
    guests: int
    factor: float
    beds: tuple[Beds, ...]
    metres: tuple[int, int]
    counts: tuple[int, ...]
    says: tuple[str, ...]


class DemoHouseKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of house: its share of all, its prices as a factor, when one arrives and leaves, how
    many listings one has at least and at most, what all and some of them offer."""

    share: int
    factor: float
    arrive: str
    leave: str
    stars: tuple[int, int] | None
    lets: tuple[int, int]
    always: tuple[Amenity, ...]
    some: tuple[Amenity, ...]
    says: tuple[str, ...]
    rooms: tuple[DemoRoomType, ...]


class NameWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of which names are made in a language: how two of them are joined, what a house of
    each kind is then called, and the streets."""

    joined: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    of: dict[PropertyKind, tuple[str, ...]]
    streets: tuple[str, ...]


class DemoSentences(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What may be said of any house in town, of one outside, and of all: that they are invented.
    `called` has these and all other texts in other languages."""

    town: tuple[str, ...]
    country: tuple[str, ...]
    invented: tuple[str, ...]
    called: dict[str, dict[str, str]]


@cache
def towns() -> tuple[DemoTown, ...]:
    return _read("cities.json", tuple[DemoTown, ...])


@cache
def house_kinds() -> dict[PropertyKind, DemoHouseKind]:
    return _read("houses.json", dict[PropertyKind, DemoHouseKind])


@cache
def name_words() -> dict[str, NameWords]:
    return _read("names.json", dict[str, NameWords])


@cache
def sentences() -> DemoSentences:
    return _read("words.json", DemoSentences)


def in_other_tongues(
    *texts: tuple[str, ...], town: DemoTown | None = None
) -> tuple[Translation, ...]:
    """What texts are called in other languages; each is given as the parts of which it is made,
    which the list knows."""
    found = []
    for language, called in sentences().called.items():
        words = {" ".join(parts): " ".join(called[part] for part in parts) for parts in texts}
        if town is not None and language in town.called:
            words[town.name] = town.called[language]
        found.append(Translation(language, words))
    return tuple(found)


def _read(name: str, form: type[_Form]) -> _Form:
    text = resources.files(__package__ or "").joinpath(name).read_bytes()
    return msgspec.json.decode(text, type=form)
