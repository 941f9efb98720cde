"""Lines: what a request asks for of a resource, and what a hold has of it. One form for every plan:
a unit (or none: any), how many, over a range; or the choice is left to the engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

UNIT_LENGTH_MAX = 200
QUANTITY_MAX = 1_000_000
CHOICE_MAX = 1000
END_LENGTH_MAX = 60
GUESTS_MAX = 10_000
ADULT_AGE = 18
RATE_LENGTH_MAX = 100

ResourceId = Annotated[
    str,
    Meta(max_length=20, extra_json_schema={"pattern": "^res_[0-9a-hjkmnp-tv-z]{8}$"}),
]
UnitName = Annotated[str, Meta(min_length=1, max_length=UNIT_LENGTH_MAX)]
Quantity = Annotated[int, Meta(ge=1, le=QUANTITY_MAX)]
Choice = Annotated[int, Meta(ge=1, le=CHOICE_MAX)]
End = Annotated[str, Meta(min_length=1, max_length=END_LENGTH_MAX)]
GuestCount = Annotated[int, Meta(ge=1, le=GUESTS_MAX)]
ChildAges = Annotated[
    tuple[Annotated[int, Meta(ge=0, lt=ADULT_AGE)], ...], Meta(max_length=GUESTS_MAX)
]
RateName = Annotated[str, Meta(min_length=1, max_length=RATE_LENGTH_MAX)]
StrategyName = Literal["best", "center", "front", "back"]
UnitsByDay: TypeAlias = Sequence[tuple[str, str]]
"""The units of a stay, one after the other, each with the date from which it is in it."""


class Best(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Leaves the choice of seats to the engine: how many, of which category, by which strategy.
    They are next to each other, unless `split` allows a group over adjacent rows."""

    quantity: Choice
    category: UnitName | None = None
    strategy: StrategyName = "best"
    accessible: bool = False
    split: bool = False


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is asked of one resource, or held of it.

    `unit` names a seat, a pool, a product, a room, a provider; without it a range is of any of
    them. `from` and `to` are the half-open range: dates of nights, times, stops of a run.
    `best` and `next` leave the choice of seats or numbers to the engine; `code` is a presale code.
    A stay says for how many `guests` it is, in all of its rooms, with the `ages` of the children
    among them; and its `rate`, where it is not the usual one.
    """

    resource_id: ResourceId
    unit: UnitName | None = None
    quantity: Quantity | None = None
    from_: End | UnsetType = msgspec.field(default=UNSET, name="from")
    to: End | UnsetType = UNSET
    best: Best | UnsetType = UNSET
    next: Choice | UnsetType = UNSET
    code: UnitName | UnsetType = UNSET
    guests: GuestCount | UnsetType = UNSET
    ages: ChildAges | UnsetType = UNSET
    rate: RateName | UnsetType = UNSET

    @property
    def is_plain(self) -> bool:
        """Whether it names a unit, or so many of a pool, and nothing else."""
        return (
            self.from_ is UNSET
            and self.to is UNSET
            and self.best is UNSET
            and self.next is UNSET
            and self.code is UNSET
            and self.guests is UNSET
            and self.rate is UNSET
            and self.ages is UNSET
        )
