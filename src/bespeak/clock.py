"""The database's clock, as a process knows it: its own clock plus the difference last seen. It
serves courtesy only (early refusals, remaining milliseconds); every decision is the database's.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime


class DatabaseClock:
    """Follows the database's clock by what the answers say."""

    def __init__(self) -> None:
        self._offset_seconds = 0.0

    def observe(self, answered_at: datetime) -> None:
        """Takes note of the time that the database gave with an answer just received."""
        self._offset_seconds = answered_at.timestamp() - time.time()

    def seconds(self) -> float:
        """Seconds since 1970 by the database's clock."""
        return time.time() + self._offset_seconds

    def now(self) -> datetime:
        """The time by the database's clock, with its zone."""
        return datetime.fromtimestamp(self.seconds(), UTC)
