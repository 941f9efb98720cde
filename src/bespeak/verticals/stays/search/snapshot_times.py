"""When a snapshot of the index is written: soon where there is none, else every minute while
something changes, by one process of those that share the file.
"""

from __future__ import annotations

import time
from datetime import datetime

from bespeak.verticals.stays.search.index import StaysIndex
from bespeak.verticals.stays.search.snapshot import SnapshotFile

_LOOK_SECONDS = 1.0
_SECONDS = 60.0
# So that the time for which it holds is not long ago, where nothing changes.
_UNCHANGED_SECONDS = 600.0
# While it is written nothing of the feed is read: never more than a twentieth of the time.
_SHARE = 20


class SnapshotTimes:
    """What a process knows of the snapshot that it writes."""

    def __init__(self, file: SnapshotFile) -> None:
        self._file = file
        self._next_at = 0.0
        self._cursor: str | None = None

    async def write_if_due(
        self, index: StaysIndex, cursor: str, as_of: datetime, first_night: int
    ) -> None:
        """Writes the index where it is time, and no other process has."""
        began = time.monotonic()
        if began < self._next_at:
            return
        seconds = _UNCHANGED_SECONDS if cursor == self._cursor else _SECONDS
        # A file from the future is one of a clock that was put back.
        if 0 <= time.time() - self._file.written_at < seconds:
            self._next_at = began + _LOOK_SECONDS
            return
        self._next_at = began + _SECONDS  # whatever comes of it
        await self._file.write(index, cursor, as_of, first_night)
        self._cursor = cursor
        spent = time.monotonic() - began
        self._next_at = began + max(_SECONDS, spent * _SHARE)
