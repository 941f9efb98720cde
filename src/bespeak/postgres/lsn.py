"""Positions in PostgreSQL's write-ahead log (LSN), as numbers that can be compared, and as the text
that PostgreSQL and our clients know them by: `16/B374D848`.
"""

from __future__ import annotations

import re
from typing import Final, NewType

Lsn = NewType("Lsn", int)

NOTHING: Final = Lsn(0)
"""Before the first byte of the log: every server has it."""
UNKNOWN: Final = Lsn((1 << 64) - 1)
"""After every byte of every log: no standby has it, so that only the primary will do."""
_TEXT = re.compile(r"([0-9A-F]{1,8})/([0-9A-F]{1,8})")


def parse_lsn(text: str) -> Lsn:
    """The position of a text; UNKNOWN for a text that is none."""
    found = _TEXT.fullmatch(text)
    return UNKNOWN if found is None else Lsn((int(found[1], 16) << 32) | int(found[2], 16))


def show_lsn(lsn: Lsn) -> str:
    return f"{lsn >> 32:X}/{lsn & 0xFFFFFFFF:X}"
