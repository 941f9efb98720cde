"""What the plans of several shapes are written with: names, prices, places on a drawing, and the
base of every struct in a plan.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

# Python's $ also stands before a last line break, so the pattern that is checked ends in \Z.
NAME_PATTERN = r"^[^\x00-\x1f\x7f]*\Z"
NAME_SCHEMA: dict[str, object] = {
    "pattern": r"^[^\x00-\x1f\x7f]*$",
    "description": "text in one line, without control characters",
    "examples": ["Row A"],
}

Name = Annotated[
    str,
    Meta(min_length=1, max_length=100, pattern=NAME_PATTERN, extra_json_schema=NAME_SCHEMA),
]
PriceAmount = Annotated[int, Meta(ge=0, le=1_000_000_000_000)]
"""A price in minor units."""
Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
WEEKDAYS: tuple[Weekday, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
Coordinate = Annotated[float, Meta(ge=-1_000_000, le=1_000_000)]
Point: TypeAlias = tuple[Coordinate, Coordinate]
Outline = Annotated[tuple[Point, ...], Meta(max_length=1000)]


class PlanPart(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A part of a plan: what is absent has its default, and unknown fields are refused."""


class PoolPlan(PlanPart, frozen=True):
    """A unit that is counted, as a standing area is: its name, how many of it there are, its
    category, and its outline for drawing."""

    unit: Name
    capacity: Annotated[int, Meta(ge=0, le=1_000_000_000)]
    category: Name | None = None
    outline: Outline = ()


def has_price(part: object) -> bool:
    """Whether a plan, or what is in it, has a field `price` above zero, however deep."""
    if isinstance(part, tuple | list):
        return any(has_price(one) for one in part)
    if isinstance(part, dict):
        return any(has_price(one) for one in part.values())
    if not isinstance(part, msgspec.Struct):
        return False
    for name in part.__struct_fields__:
        value = getattr(part, name)
        if (name == "price" and isinstance(value, int) and value > 0) or has_price(value):
            return True
    return False
