"""Which verticals there are: the folders beside this module that have a `VERTICAL`, and what other
packages offer as entry points of the group `bespeak.verticals`.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules

from bespeak import verticals
from bespeak.postgres.migrate import Source
from bespeak.verticals.vertical import OwnerRecords, Vertical

GROUP = "bespeak.verticals"
_TAKEN = ("bespeak", "demo")  # schemas of ours
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


@cache
def installed() -> tuple[Vertical, ...]:
    """All verticals, ours first, each sort by name. Raises TypeError or ValueError, with the entry
    point at fault, for one that is none or whose name is not its own."""
    found: list[Vertical] = []
    for module in sorted(iter_modules(verticals.__path__), key=lambda one: one.name):
        if module.ispkg:
            offered = getattr(
                import_module(f"{verticals.__name__}.{module.name}"), "VERTICAL", None
            )
            if offered is not None:
                found.append(checked(offered, module.name))
    for entry in sorted(entry_points(group=GROUP), key=lambda one: one.name):
        found.append(checked(entry.load(), entry.value))
    twice = [name for name, count in Counter(one.name for one in found).items() if count > 1]
    if twice:
        raise ValueError(f"two verticals have the name {twice[0]!r}")
    return tuple(found)


def checked(offered: object, origin: str) -> Vertical:
    """What was offered, if it is a vertical with a name that can stand in paths and in SQL."""
    if not isinstance(offered, Vertical):
        raise TypeError(f"{origin} is no vertical")
    if not _NAME.fullmatch(offered.name) or offered.name in _TAKEN:
        raise ValueError(f"{origin}: {offered.name!r} is no name for a vertical")
    return offered


def migration_sources() -> list[Source]:
    """The migrations of all verticals, as `migrate` and `require_migrated` take them."""
    return [
        Source(vertical.name, vertical.migrations)
        for vertical in installed()
        if vertical.migrations is not None
    ]


def owner_records() -> dict[str, OwnerRecords]:
    """What verticals keep of owners, by the names of those that do."""
    return {
        vertical.name: vertical.owner_records
        for vertical in installed()
        if vertical.owner_records is not None
    }
