"""Telling claims as people know them: nights, cells and legs that follow each other as one range of
a room, a provider, a seat.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from bespeak.inventory.plans import ShownClaim

_Rest = TypeVar("_Rest")


def joined(told: Iterable[tuple[ShownClaim, _Rest]]) -> list[tuple[ShownClaim, _Rest]]:
    """Claims with whatever is said of them, those joined that follow each other and of which the
    same is said. In order of the units, and of their ranges."""
    found: list[tuple[ShownClaim, _Rest]] = []
    for one, rest in sorted(told, key=lambda pair: (pair[0].unit or "", pair[0].order)):
        if found:
            before, same = found[-1]
            follows = before.unit == one.unit and before.to is not None and before.to == one.from_
            if follows and same == rest:
                found[-1] = (before._replace(to=one.to), rest)
                continue
        found.append((one, rest))
    return found
