"""The bounds of a plan that was made in Python. Decoding holds JSON to the bounds of the structs; a
struct that is made by hand has been held to nothing, so it goes the same way once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import msgspec

from bespeak.errors import InvalidRequest
from bespeak.inventory.plans import RESERVED_PREFIXES

_Plan = TypeVar("_Plan", bound=msgspec.Struct)


def check_bounds(plan: _Plan) -> _Plan:
    """The plan as its JSON is read: tuples where lists were given. Raises InvalidRequest for one
    that could not be written and read."""
    try:
        return msgspec.json.decode(msgspec.json.encode(plan), type=type(plan))
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise nonsense(str(error)[:300]) from error


def check_names(
    names: Iterable[str], what: str, reserved: tuple[str, ...] = RESERVED_PREFIXES
) -> None:
    """Raises InvalidRequest where a name comes twice, or begins with a reserved word."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise nonsense(f"the {what} {name[:60]!r} comes twice")
        if name.startswith(reserved):
            raise nonsense(f"{name[:60]!r} begins with a reserved word")
        seen.add(name)


def nonsense(detail: str) -> InvalidRequest:
    return InvalidRequest(f"plan: {detail}", field="plan")
