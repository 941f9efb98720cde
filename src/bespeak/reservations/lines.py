"""What a hold or booking is made of: lines, each a unit of a resource, or a quantity of a pool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidRequest

_UNIT_LENGTH_MAX = 200
_QUANTITY_MAX = 1_000_000

ResourceId = Annotated[
    str,
    Meta(max_length=20, extra_json_schema={"pattern": "^res_[0-9a-hjkmnp-tv-z]{8}$"}),
]
UnitName = Annotated[str, Meta(min_length=1, max_length=_UNIT_LENGTH_MAX)]
Quantity = Annotated[int, Meta(ge=1, le=_QUANTITY_MAX)]


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One unit of a resource (no quantity), or so many of a pool."""

    resource_id: ResourceId
    unit: UnitName
    quantity: Quantity | None = None


class BookedLine(msgspec.Struct, frozen=True):
    """A line of a booking, with how much of it was given back."""

    resource_id: str
    unit: str
    quantity: int | None
    cancelled_quantity: int


def check_line(line: Line) -> None:
    """Holds a line that was made in Python to the limits that decoding enforces for the API.
    Raises InvalidRequest."""
    good = (
        isinstance(line.resource_id, str)
        and isinstance(line.unit, str)
        and 1 <= len(line.unit) <= _UNIT_LENGTH_MAX
        and (
            line.quantity is None
            or (type(line.quantity) is int and 1 <= line.quantity <= _QUANTITY_MAX)
        )
    )
    if not good:
        raise InvalidRequest(f"a line makes no sense: {str(line)[:200]}", field="lines")


def lines_text(lines: Sequence[Line]) -> str:
    """Lines as one text; `bespeak.lines_text` in SQL makes the same."""
    return "\n".join(
        f"{line.resource_id} {line.unit} {line.quantity if line.quantity else ''}" for line in lines
    )
