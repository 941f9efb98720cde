"""A pace for calls that many may want to make at once: so many a second, and a few more after a
rest. Who comes when there is no turn is told so, and not made to wait: it has a time to come again.
"""

from __future__ import annotations

import time
from collections.abc import Callable


class Turns:
    """Turns for one process. `clock` counts seconds."""

    def __init__(
        self, per_second: float, at_once: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_second = per_second
        self._at_once = at_once
        self._clock = clock
        self._left = float(at_once)
        self._counted_at = clock()

    def take(self) -> bool:
        """Takes a turn; False if there is none now."""
        now = self._clock()
        grown = (now - self._counted_at) * self._per_second
        self._left = min(self._left + grown, self._at_once)
        self._counted_at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
