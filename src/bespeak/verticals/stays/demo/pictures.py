"""The pictures of the demo: drawings of no real place, made by `scripts/stay-pictures`. Each house
and room shows some, the same whenever it is made.
"""

from __future__ import annotations

import hashlib
import random
from functools import cache
from importlib import resources
from typing import NamedTuple

import msgspec

from bespeak.pictures import DIGEST_LENGTH
from bespeak.verticals.pictures import DrawnPicture
from bespeak.verticals.stays.demo.lists import SEED, DemoRoomType
from bespeak.verticals.stays.forms import ShownPicture
from bespeak.verticals.stays.words import PropertyKind

_SIZE = (960, 640)
_OUTSIDE_FIRST = 0.5
_OF_SEVERAL: frozenset[PropertyKind] = frozenset(("hotel", "guesthouse", "hostel"))
_BESIDE = ("table", "terrace")


class HousePictures(NamedTuple):
    """What a house shows, and what each of its rooms."""

    of_house: tuple[ShownPicture, ...]
    of_rooms: tuple[tuple[ShownPicture, ...], ...]


class _Subject(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be seen, and in which drawings."""

    seen: str
    drawings: tuple[str, ...]


def house_pictures(ref: str, kind: PropertyKind, rooms: list[DemoRoomType]) -> HousePictures:
    """The pictures of a house with these rooms. What is let as a whole shows itself from outside
    first, or a room of it."""
    dice = random.Random(f"{SEED} pictures {ref}")
    of_rooms = tuple(
        tuple(_shown(subject, dice) for subject in _subjects(kind, room)) for room in rooms
    )
    outside = (_shown(kind, dice), _shown(dice.choice(_BESIDE), dice))
    if kind not in _OF_SEVERAL and dice.random() < _OUTSIDE_FIRST:
        inside = tuple(one for shown in of_rooms for one in shown)
        return HousePictures(outside + inside, ((),) * len(rooms))
    return HousePictures(outside, of_rooms)


@cache
def drawn_pictures() -> dict[str, DrawnPicture]:
    """All drawings by their names."""
    return {name: _read(name) for one in _listed().values() for name in one.drawings}


def _subjects(kind: PropertyKind, room: DemoRoomType) -> tuple[str, ...]:
    """What is to be seen of a room, or of all rooms of a house."""
    if kind == "campsite":
        return ()
    first = _beds(room)
    if kind == "hostel":
        return (first,)
    return (first, "bath") if kind in _OF_SEVERAL else ("lounge", first, "kitchen", "bath")


def _beds(room: DemoRoomType) -> str:
    kinds = {one.kind for one in room.beds}
    if kinds <= {"bunk"}:
        return "bunks"
    if kinds <= {"single", "sofa", "cot"}:
        singles = sum(one.count for one in room.beds if one.kind == "single")
        return "single" if singles < 2 else "twin"
    return "double"


def _shown(subject: str, dice: random.Random) -> ShownPicture:
    listed = _listed()[subject]
    return ShownPicture(drawn_pictures()[dice.choice(listed.drawings)].digest, listed.seen)


@cache
def _listed() -> dict[str, _Subject]:
    text = resources.files(__package__ or "").joinpath("pictures.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, _Subject])


def _read(name: str) -> DrawnPicture:
    folder = resources.files(__package__ or "").joinpath("pictures")
    content = folder.joinpath(f"{name}.webp").read_bytes()
    card = folder.joinpath(f"{name}-card.webp").read_bytes()
    digest = hashlib.sha256(content).hexdigest()[:DIGEST_LENGTH]
    return DrawnPicture(digest, content, card, *_SIZE)
