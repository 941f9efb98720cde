"""Rooms of the common kinds, made to a number of seats: to begin with, to try things, to measure.
What comes out is a plan like any other, to be changed by hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from string import ascii_uppercase
from typing import Literal, NamedTuple, get_args

import msgspec

from bespeak.errors import InvalidRequest
from bespeak.inventory.fields import Name
from bespeak.inventory.shapes.seats.plan import (
    Category,
    Companion,
    Orphans,
    Row,
    RowName,
    SeatsPlan,
    Section,
    Stage,
    Table,
)
from bespeak.inventory.shapes.seats.units import UNITS_MAX

RoomKind = Literal["arena", "banquet", "classroom", "screen", "theatre"]


class RoomWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words on and in a room: what is written on the stage, and what its parts are called."""

    screen: Name = "Screen"
    stage: Name = "Stage"
    board: Name = "Board"
    front: Name = "Front"
    stalls: Name = "Stalls"
    back: Name = "Back"
    balcony: Name = "Balcony"
    block: RowName = "Block"
    hall: Name = "Hall"
    room: Name = "Room"


_TABLE_SEATS = 8
_SEATS_A_WHEELCHAIR = 100


def make_room(
    kind: RoomKind,
    seats: int,
    *,
    prices: Mapping[str, int] | None = None,
    orphans: Orphans = "off",
    words: RoomWords | None = None,
) -> SeatsPlan:
    """A room of this kind with exactly so many seats.

    `screen`: one to look at, rows with two aisles; categories front, standard, premium (the back).
    `theatre`: a stage, bent rows that grow; categories stalls, balcony. `arena`: a bowl of blocks
    around the stage in up to three tiers; categories lower, middle, upper. `banquet`: tables of 8;
    category table. `classroom`: rows in three blocks; category seat. `prices` gives categories
    their price in minor units, `words` are those of another language. Raises InvalidRequest.
    """
    if kind not in get_args(RoomKind):
        raise InvalidRequest(f"no kind of room {str(kind)[:40]!r}", field="kind")
    if isinstance(seats, bool) or not isinstance(seats, int) or not 1 <= seats <= UNITS_MAX:
        raise InvalidRequest(f"a room has 1 to {UNITS_MAX} seats", field="seats")
    made = _MAKERS[kind](seats, words or RoomWords())
    categories = [
        msgspec.structs.replace(category, price=(prices or {}).get(category.name))
        for category in made.categories
    ]
    unknown = set(prices or {}) - {category.name for category in categories}
    if unknown:
        raise InvalidRequest(f"this room has no category {min(unknown)[:40]!r}", field="prices")
    return msgspec.structs.replace(made, categories=tuple(categories), orphans=orphans)


def row_names() -> Iterator[str]:
    """A to Z, then AA, AB and so on."""
    length = 1
    while True:
        for number in range(len(ascii_uppercase) ** length):
            name = ""
            rest = number
            for _ in range(length):
                rest, letter = divmod(rest, len(ascii_uppercase))
                name = ascii_uppercase[letter] + name
            yield name
        length += 1


def _sizes(seats: int, width: int, growth: float = 0.0) -> list[int]:
    """The seats of each row: rows of a width that grows from row to row, and the last what is
    left."""
    sizes: list[int] = []
    while seats > 0:
        sizes.append(min(seats, width + int(growth * len(sizes))))
        seats -= sizes[-1]
    return sizes


def _two_aisles(size: int) -> tuple[int, ...]:
    """The numbers after which a wide row has an aisle, a quarter from each end."""
    return (size // 4, size - size // 4) if size >= 16 else ()


def _with_wheelchairs(row: Row, seats: int) -> Row:
    """The row with places for wheelchairs, each with a companion beside it."""
    count = min(1 + seats // _SEATS_A_WHEELCHAIR, row.seats // 4)
    numbers = range(1, 2 * count, 2)
    return msgspec.structs.replace(
        row,
        accessible=tuple(numbers),
        companions=tuple(Companion(number + 1, number) for number in numbers),
        aisles=(),
    )


def _screen(seats: int, words: RoomWords) -> SeatsPlan:
    width = min(40, max(6, round(math.sqrt(seats * 1.6))))
    rows = [
        Row(name, size, aisles=_two_aisles(size))
        for name, size in zip(row_names(), _sizes(seats, width), strict=False)
    ]
    rows[0] = _with_wheelchairs(rows[0], seats)
    front = max(1, len(rows) // 4)
    back = max(front, len(rows) - 2)
    sections = (
        Section(words.front, tuple(rows[:front]), "front"),
        Section(words.stalls, tuple(rows[front:back]), "standard"),
        Section(words.back, tuple(rows[back:]), "premium"),
    )
    return SeatsPlan(
        tuple(section for section in sections if section.rows),
        categories=(
            Category("front", color="#5f8fc4", rank=3),
            Category("standard", color="#3d6fb0", rank=2),
            Category("premium", color="#c9a227", rank=1),
        ),
        stage=Stage("screen", width=float(width), label=words.screen),
    )


def _theatre(seats: int, words: RoomWords) -> SeatsPlan:
    below = seats if seats < 60 else seats * 2 // 3
    width = max(8, round(math.sqrt(below) * 0.8))
    stalls = _bent_rows(below, width)
    stalls[0] = _with_wheelchairs(stalls[0], seats)
    sections = [Section(words.stalls, tuple(stalls), "stalls", curve=50.0)]
    if seats > below:
        above = tuple(_bent_rows(seats - below, width + len(stalls) // 2))
        sections.append(Section(words.balcony, above, "balcony", prefix="B-", curve=50.0))
    return SeatsPlan(
        tuple(sections),
        categories=(
            Category("stalls", color="#a83b3b", rank=1),
            Category("balcony", color="#c27a45", rank=2),
        ),
        stage=Stage("stage", width=float(round(width * 0.8)), height=4.0, label=words.stage),
    )


def _bent_rows(seats: int, width: int) -> list[Row]:
    sizes = _sizes(seats, width, growth=1)
    return [
        Row(name, size, aisles=(size // 2,) if size >= 12 else ())
        for name, size in zip(row_names(), sizes, strict=False)
    ]


class _Tier(NamedTuple):
    """A ring of blocks: how many they are, and the share that it has of what is left to seat."""

    category: str
    blocks: int
    share: float


_TIERS = (_Tier("lower", 16, 0.4), _Tier("middle", 24, 0.6), _Tier("upper", 32, 1.0))
_BETWEEN_TIERS = 4.0


def _arena(seats: int, words: RoomWords) -> SeatsPlan:
    """Tiers behind each other; where one begins depends on how deep those before it are."""
    inner = radius = max(16.0, math.sqrt(seats) / 5)
    sections: list[Section] = []
    left = seats
    for number, tier in enumerate(_TIERS, start=1):
        of_tier = math.ceil(left * tier.share)
        left -= of_tier
        made = list(_ring(tier, number, of_tier, radius, words.block))
        sections += made
        radius += max((len(section.rows) for section in made), default=0) + _BETWEEN_TIERS
    return SeatsPlan(
        tuple(sections),
        categories=(
            Category("lower", color="#2f7d4f", rank=1),
            Category("middle", color="#5b9b67", rank=2),
            Category("upper", color="#8fb08c", rank=3),
        ),
        stage=Stage(
            "stage", width=float(round(inner)), height=float(round(inner / 2)), label=words.stage
        ),
    )


def _ring(tier: _Tier, number: int, seats: int, radius: float, word: str) -> Iterator[Section]:
    """The blocks of a tier, around the middle, each turned towards it."""
    arc = 2 * math.pi / tier.blocks
    width = max(4, int(arc * radius) - 1)
    for block in range(tier.blocks):
        size = seats // tier.blocks + (block < seats % tier.blocks)
        if not size:
            return
        rows = [
            Row(name, count)
            for name, count in zip(row_names(), _sizes(size, width, arc), strict=False)
        ]
        if number == 1:
            rows[0] = _with_wheelchairs(rows[0], 0)
        name = f"{number}{block + 1:02d}"
        turn = block * 360.0 / tier.blocks
        yield Section(
            f"{word} {name}",
            tuple(rows),
            tier.category,
            prefix=f"{name}-",
            x=round(-radius * math.sin(math.radians(turn)), 3),
            y=round(radius * math.cos(math.radians(turn)), 3),
            rotation=turn,
        )


def _banquet(seats: int, words: RoomWords) -> SeatsPlan:
    tables = tuple(
        Table(f"T{number}", size)
        for number, size in enumerate(_sizes(seats, _TABLE_SEATS), start=1)
    )
    return SeatsPlan(
        (Section(words.hall, (), "table", tables=tables),),
        categories=(Category("table", color="#8d6cab"),),
        stage=Stage("stage", width=8.0, height=3.0, label=words.stage),
    )


def _classroom(seats: int, words: RoomWords) -> SeatsPlan:
    width = 12 if seats > 24 else 6
    rows = tuple(
        Row(name, size, aisles=tuple(number for number in (4, 8) if number < size))
        for name, size in zip(row_names(), _sizes(seats, width), strict=False)
    )
    return SeatsPlan(
        (Section(words.room, rows, "seat"),),
        categories=(Category("seat", color="#4a7f7f"),),
        stage=Stage("screen", width=6.0, label=words.board),
    )


_MAKERS: Mapping[str, Callable[[int, RoomWords], SeatsPlan]] = {
    "arena": _arena,
    "banquet": _banquet,
    "classroom": _classroom,
    "screen": _screen,
    "theatre": _theatre,
}
