"""A rush on a resource: requests that leave a choice open are refused, one after the other, and
look at much the same units. What all look at is read together, so that one snapshot answers all.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from bespeak.inventory.lines import lines_text
from bespeak.lines import Line

_UNITS_MAX = 5_000
_LINES_MAX = 1_000
# What a line looks at changes with the day on which it is asked, so it is asked again now and then.
_KNOWN_SECONDS = 1.0


class ResourceRush:
    """The units that are looked at, and the lines that have just said which theirs are."""

    def __init__(self) -> None:
        self.units: dict[str, None] = {}
        self._lines: set[str] = set()
        self._since = time.monotonic()

    def knows(self, line: Line) -> bool:
        """Whether the line has just said what it looks at."""
        now = time.monotonic()
        if now - self._since > _KNOWN_SECONDS or len(self._lines) >= _LINES_MAX:
            self._lines.clear()
            self._since = now
        return lines_text([line]) in self._lines

    def add(self, line: Line, watched: Iterable[str]) -> bool:
        """Notes what a line looks at; answers whether that is more than is read."""
        units = dict.fromkeys(watched)
        more = not self.units.keys() >= units.keys()
        if more:
            if len(self.units) + len(units) > _UNITS_MAX:
                self.units.clear()
                self._lines.clear()
            self.units.update(units)
        self._lines.add(lines_text([line]))
        return more
