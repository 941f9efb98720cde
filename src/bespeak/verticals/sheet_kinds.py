"""What a kind of spreadsheet is: by which columns it is known, what its lines say, and which of its
columns may be translated.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec


class SheetKind(NamedTuple):
    """A kind of sheet and its lines. It is known by a column that no other kind has (`told_by`). Of
    the `translated` columns, some have lists. One that is `priced` has columns such as
    `price front`."""

    name: str
    line: type[msgspec.Struct]
    told_by: tuple[str, ...]
    translated: tuple[str, ...]
    translated_lists: tuple[str, ...] = ()
    priced: bool = False
