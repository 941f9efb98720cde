"""The composite types of SQL that Python sends. Each is a NamedTuple whose fields have the names
and the order of its SQL type, and is registered here; a test compares all of them with the
database.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

_Row = TypeVar("_Row", bound=tuple[object, ...])

COMPOSITES: dict[str, type[tuple[object, ...]]] = {}
"""By the name of the SQL type in the schema `bespeak`."""


def composite(name: str) -> Callable[[type[_Row]], type[_Row]]:
    """Registers a NamedTuple as what Python sends for `bespeak.<name>`."""

    def register(row: type[_Row]) -> type[_Row]:
        COMPOSITES[name] = row
        return row

    return register
