"""Lines: what a request asks for of a resource, and what a hold has of it. One form for every plan:
a unit (or none: any), how many, over a range; or the choice is left to the engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bespeak.errors import InvalidRequest

UNIT_LENGTH_MAX = 200
QUANTITY_MAX = 1_000_000
CHOICE_MAX = 1000
_END_LENGTH_MAX = 60

ResourceId = Annotated[
    str,
    Meta(max_length=20, extra_json_schema={"pattern": "^res_[0-9a-hjkmnp-tv-z]{8}$"}),
]
UnitName = Annotated[str, Meta(min_length=1, max_length=UNIT_LENGTH_MAX)]
Quantity = Annotated[int, Meta(ge=1, le=QUANTITY_MAX)]
Choice = Annotated[int, Meta(ge=1, le=CHOICE_MAX)]
End = Annotated[str, Meta(min_length=1, max_length=_END_LENGTH_MAX)]
StrategyName = Literal["best", "center", "front", "back"]


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
    """

    resource_id: ResourceId
    unit: UnitName | None = None
    quantity: Quantity | None = None
    from_: End | UnsetType = msgspec.field(default=UNSET, name="from")
    to: End | UnsetType = UNSET
    best: Best | UnsetType = UNSET
    next: Choice | UnsetType = UNSET
    code: UnitName | UnsetType = UNSET

    @property
    def is_plain(self) -> bool:
        """Whether it names a unit, or so many of a pool, and nothing else."""
        return (
            self.from_ is UNSET
            and self.to is UNSET
            and self.best is UNSET
            and self.next is UNSET
            and self.code is UNSET
        )


def named(line: Line) -> str:
    """The unit of a line that must name one. Raises InvalidRequest."""
    if line.unit is None:
        raise InvalidRequest("this line must name a unit", field="lines")
    return line.unit


def span(line: Line) -> tuple[str, str]:
    """The ends of a line that must have a range. Raises InvalidRequest."""
    if line.from_ is UNSET or line.to is UNSET:
        raise InvalidRequest("this line needs `from` and `to`", field="lines")
    return line.from_, line.to


def check_line(line: Line) -> None:
    """Holds a line that was made in Python to the limits that decoding enforces for the API.
    Raises InvalidRequest."""
    quantity = line.quantity
    if (
        line.is_plain
        and type(line.unit) is str
        and 1 <= len(line.unit) <= UNIT_LENGTH_MAX
        and type(line.resource_id) is str
        and (quantity is None or (type(quantity) is int and 1 <= quantity <= QUANTITY_MAX))
    ):
        return  # the common case, without the round trip below
    try:
        msgspec.convert(msgspec.to_builtins(line), Line)
    except (msgspec.ValidationError, TypeError) as error:
        raise InvalidRequest(f"a line makes no sense: {error}"[:300], field="lines") from error


def lines_text(lines: Sequence[Line]) -> str:
    """Lines as one text; for plain lines `bespeak.lines_text` in SQL makes the same."""
    return "\n".join(_text(line) for line in lines)


def _text(line: Line) -> str:
    plain = f"{line.resource_id} {line.unit or ''} {line.quantity if line.quantity else ''}"
    return plain if line.is_plain else f"{plain} {msgspec.json.encode(line).decode()}"
