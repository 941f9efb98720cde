"""Named SQL statements, kept in .sql files beside the modules that run them. A block begins with
`-- name: place_holds` and a line that says what it is for; everything up to the next is its text.
"""

from __future__ import annotations

import re
from importlib import resources

_BLOCK = re.compile(
    r"^-- name: (?P<name>\w+)\n(?P<purpose>(?:--[^\n]*\n)+)(?P<text>.*?)(?=^-- name: |\Z)",
    re.MULTILINE | re.DOTALL,
)


def load(package: str, file: str) -> dict[str, str]:
    """The statements of one file by their names. Raises ValueError for a file without any."""
    source = resources.files(package).joinpath(file).read_text(encoding="utf-8")
    found = {match["name"]: match["text"].strip() for match in _BLOCK.finditer(source)}
    if not found:
        raise ValueError(f"{package}/{file} has no named statement")
    return found
