"""The open seat map format: a room with its sections, rows, seats, tables and standing areas, as
data that a person can write and read. It is the plan of a resource with seats. Only the form stands
here; `rows`, `units` and `rules` say what it means.
"""

from __future__ import annotations

from collections.abc import Sequence
from inspect import cleandoc
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from bespeak.inventory.bounds import check_bounds, nonsense
from bespeak.inventory.fields import (
    NAME_PATTERN,
    NAME_SCHEMA,
    Coordinate,
    Name,
    Outline,
    PlanPart,
    Point,
    PoolPlan,
    PriceAmount,
)
from bespeak.inventory.plans import Plan
from bespeak.translations import Translation, Translations

SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema"
SCHEMA_ID = "urn:bespeak:seat-map:2"
"""The format and its version, which rises with what older readers refuse: 2 has translations."""

RowName = Annotated[
    str,
    Meta(min_length=1, max_length=40, pattern=NAME_PATTERN, extra_json_schema=NAME_SCHEMA),
]
Prefix = Annotated[str, Meta(max_length=40, pattern=NAME_PATTERN, extra_json_schema=NAME_SCHEMA)]
SeatNumber = Annotated[int, Meta(ge=0, le=2_000_000)]
Numbers = Annotated[tuple[SeatNumber, ...], Meta(max_length=10_000)]
Length = Annotated[float, Meta(ge=0, le=1_000_000)]
Degrees = Annotated[float, Meta(ge=-360, le=360)]
Bend = Annotated[float, Meta(ge=0, le=180)]
Color = Annotated[
    str,
    Meta(
        pattern=r"^#[0-9a-fA-F]{6}\Z",
        extra_json_schema={"pattern": "^#[0-9a-fA-F]{6}$"},
        description="a color as # and six hexadecimal digits",
        examples=["#2f9e83"],
    ),
]
Orphans = Literal["off", "lenient", "strict"]


class Category(PlanPart, frozen=True):
    """A kind of seats: the price of each in minor units (absent: the resource's own price), a
    colour for drawing, and how good they are: rank 1 is the best."""

    name: Name
    price: PriceAmount | None = None
    color: Color | None = None
    rank: Annotated[int, Meta(ge=1, le=1000)] = 1


class Seat(PlanPart, frozen=True):
    """A seat of a row that lists its seats, from one end to the other. `companion_of` names the
    accessible seat of the row whose companion sits here; `gap` says that it is not adjacent to the
    seat before it."""

    label: RowName
    x: Coordinate | None = None
    y: Coordinate | None = None
    category: Name | None = None
    accessible: bool = False
    companion_of: RowName | None = None
    gap: bool = False


class Companion(PlanPart, frozen=True):
    """The seat of a companion, and the accessible seat that it belongs to, by their numbers."""

    seat: SeatNumber
    of: SeatNumber


class Row(PlanPart, frozen=True):
    """A row, either counted or listed.

    Counted: `seats` places from one end to the other, whose numbers begin at `first` and go on by
    `step`, without those that do not exist. Listed: `list`, seat by seat. The unit of a seat is the
    section's prefix, the row's name and the seat's number or label: row F, seat 7 is F7. Seats
    next to each other are adjacent, but not across a missing seat, nor across an aisle, which is
    after each number in `aisles`.
    """

    name: RowName
    seats: Annotated[int, Meta(ge=1, le=10_000)] = 0
    first: Annotated[int, Meta(ge=0, le=100_000)] = 1
    without: Numbers = ()
    step: Annotated[int, Meta(ge=-100, le=100)] = 1
    aisles: Numbers = ()
    accessible: Numbers = ()
    companions: Annotated[tuple[Companion, ...], Meta(max_length=10_000)] = ()
    listed: Annotated[tuple[Seat, ...], Meta(max_length=10_000)] = msgspec.field(
        default=(), name="list"
    )
    category: Name | None = None
    x: Coordinate | None = None
    y: Coordinate | None = None


class Table(PlanPart, frozen=True):
    """A table with seats 1 to n around it, each adjacent to the next and the last to the first:
    seat 3 of table T1 is the unit T1-3. A table that is sold only `whole` is one unit, T1."""

    name: RowName
    seats: Annotated[int, Meta(ge=1, le=100)]
    category: Name | None = None
    whole: bool = False
    accessible: Annotated[tuple[SeatNumber, ...], Meta(max_length=100)] = ()
    shape: Literal["round", "rectangle"] = "round"
    x: Coordinate | None = None
    y: Coordinate | None = None
    rotation: Degrees = 0.0


class Section(PlanPart, frozen=True):
    """A part of the room with a category for the seats that have none of their own. With a prefix
    two sections may both have a row A.

    `x` and `y` are where the middle of its first row stands, `rotation` turns it about that place
    (clockwise), `curve` bends the first row by so many degrees about what is in front of it, and
    those behind it in parallel.
    """

    name: Name
    rows: Annotated[tuple[Row, ...], Meta(max_length=10_000)] = ()
    category: Name = "standard"
    prefix: Prefix = ""
    tables: Annotated[tuple[Table, ...], Meta(max_length=10_000)] = ()
    x: Coordinate | None = None
    y: Coordinate | None = None
    rotation: Degrees = 0.0
    curve: Bend = 0.0


class Stage(PlanPart, frozen=True):
    """What everybody looks at: the middle of it, its width and depth, and what is written on it."""

    kind: Literal["stage", "screen"] = "stage"
    x: Coordinate = 0.0
    y: Coordinate = 0.0
    width: Length = 10.0
    height: Length = 1.0
    label: Name | None = None


class PolygonShape(PlanPart, frozen=True, tag_field="kind", tag="polygon"):
    """A closed shape for drawing: a bar, a wall, a dance floor."""

    points: Outline
    fill: Color | None = None
    stroke: Color | None = None


class LineShape(PlanPart, frozen=True, tag_field="kind", tag="line"):
    """An open line for drawing."""

    points: Outline
    stroke: Color | None = None


class TextShape(PlanPart, frozen=True, tag_field="kind", tag="text"):
    """Words for drawing, by where their middle stands."""

    text: Name
    x: Coordinate
    y: Coordinate
    size: Length = 1.0
    rotation: Degrees = 0.0


Drawing: TypeAlias = PolygonShape | LineShape | TextShape


class SeatsPlan(Plan, frozen=True, cache_hash=True, tag="seats"):
    """Seats in sections, rows and around tables, and counted pools beside them (a standing area, a
    car park).

    Lengths are in seats: neighbours of a counted row are 1 apart. x grows to the right and y away
    from the stage. Where `categories` are given, no other is known. `focus` is the place that the
    best seats are near to. `orphans` is the rule about single seats that a hold would leave.
    `translations` say what sections, categories, pools and labels are called in other languages.
    """

    sections: Annotated[tuple[Section, ...], Meta(max_length=1000)] = ()
    pools: Annotated[tuple[PoolPlan, ...], Meta(max_length=10_000)] = ()
    categories: Annotated[tuple[Category, ...], Meta(max_length=1000)] = ()
    orphans: Orphans = "off"
    focus: Point | None = None
    stage: Stage | None = None
    shapes: Annotated[tuple[Drawing, ...], Meta(max_length=1000)] = ()
    translations: Translations = ()

    def own_translations(self) -> tuple[Translation, ...]:
        return self.translations

    def has_price(self) -> bool:
        return any(category.price for category in self.categories)  # not of 100,000 seats


def check_plan(plan: SeatsPlan) -> None:
    """Holds a plan that was made in Python to the bounds of the format; RoomUnits checks what it
    says. Raises InvalidRequest."""
    if check_bounds(plan) != plan:
        raise nonsense("a number is not a number, or a list is no tuple")


def named_categories(sections: Sequence[Section], pools: Sequence[PoolPlan]) -> set[str]:
    """Every category that these name."""
    found = {pool.category for pool in pools}
    for section in sections:
        found |= {section.category, *(table.category for table in section.tables)}
        for row in section.rows:
            found |= {row.category, *(seat.category for seat in row.listed)}
    return {category for category in found if category is not None}


def seatmap_schema() -> dict[str, object]:
    """The JSON Schema of the format, made from the structs above."""
    made = _published(msgspec.json.schema(SeatsPlan))
    return {"$schema": SCHEMA_DIALECT, "$id": SCHEMA_ID, "title": "A seat map", **made}


def _published(schema: dict[str, object]) -> dict[str, object]:
    """The schema in the words of other languages: a pattern ends in $ (which means the very end
    there), and descriptions do not carry the indentation of our source."""
    made: dict[str, object] = {}
    for key, value in schema.items():
        if isinstance(value, dict):
            made[key] = _published(value)
        elif key == "anyOf" and isinstance(value, list):
            made[key] = [_published(one) for one in value]
        elif key == "pattern" and isinstance(value, str):
            made[key] = value.removesuffix(r"\Z") + ("$" if value.endswith(r"\Z") else "")
        elif key == "description" and isinstance(value, str):
            made[key] = cleandoc(value)
        else:
            made[key] = value
    return made
