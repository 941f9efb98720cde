"""What the inventory does with lines (`bespeak.lines`): checks them, asks for their parts, and
makes the text by which one request is told from another.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from bespeak.errors import InvalidRequest
from bespeak.lines import (
    QUANTITY_MAX,
    UNIT_LENGTH_MAX,
    Line,
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
    return "\n".join([_text(line) for line in lines])


def _text(line: Line) -> str:
    plain = f"{line.resource_id} {line.unit or ''} {line.quantity if line.quantity else ''}"
    return plain if line.is_plain else f"{plain} {msgspec.json.encode(line).decode()}"
