"""What pages of lists have in common: for programs that read any list to its end, and the cursors
of those that are read by the positions of their rows, the latest first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol, TypeVar

from bespeak.errors import InvalidCursor

Item_co = TypeVar("Item_co", covariant=True)

POSITION_PATTERN = "^[1-9][0-9]{0,17}$"
"""Of such a cursor: it is less than any bigint of PostgreSQL's may be."""
_POSITION = re.compile(POSITION_PATTERN[1:-1], re.ASCII)
_POSITION_MAX = (1 << 63) - 1


class Page(Protocol[Item_co]):
    """A page of a list; `next` is the cursor of the one after, None at the end."""

    @property
    def items(self) -> Sequence[Item_co]: ...

    @property
    def next(self) -> str | None: ...


def before_position(cursor: str | None) -> int:
    """Before which position a page begins; without a cursor, before all. Raises InvalidCursor."""
    if cursor is None:
        return _POSITION_MAX
    if _POSITION.fullmatch(cursor) is None:
        raise InvalidCursor(after=cursor[:60])
    return int(cursor)
