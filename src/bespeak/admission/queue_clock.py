"""The database's clock as a process that gives out places knows it. Who came first must not
depend on the clocks of the machines, so none of them is asked: only how much time has gone by
since the database last said what time it is.
"""

from __future__ import annotations

import time
from datetime import datetime

_US = 1_000_000
_TRUST_SECONDS = 600.0


class QueueClock:
    """Follows the database's time, and never goes back. It is wrong by half of the way to the
    database and back at most, the shortest way of the last minutes."""

    def __init__(self) -> None:
        self._offset_us: int | None = None
        self._way_seconds = float("inf")
        self._looked_at = 0.0
        self._last_us = 0

    def observe(self, asked: float, answered: float, now: datetime) -> None:
        """Takes note of the time that the database gave to a question, asked and answered at
        these times of `time.monotonic`. A longer way than the one that is known says less."""
        way = answered - asked
        offset_us = int(now.timestamp() * _US) - int((asked + answered) / 2 * _US)
        is_old = answered - self._looked_at > _TRUST_SECONDS
        if self._offset_us is not None and way > self._way_seconds and not is_old:
            apart_us = abs(offset_us - self._offset_us)
            if apart_us <= (way + self._way_seconds) * _US:
                return
            # More than the ways explain: another server went on, and its clock is the one now.
        self._offset_us = offset_us
        self._way_seconds, self._looked_at = way, answered

    def now_us(self) -> int:
        """Microseconds since 1970, each time more than before. Raises ValueError before the
        database has been asked."""
        if self._offset_us is None:
            raise ValueError("the database has not said what time it is")
        now = int(time.monotonic() * _US) + self._offset_us
        self._last_us = max(now, self._last_us + 1)
        return self._last_us
