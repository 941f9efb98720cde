"""The counting of what happens, by the minute: a durable follower of the feed. Any number may run;
one counts at a time, and where it dies the next goes on, so that each event is counted once.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from bespeak.background import IdlePause
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Pool

_QUERIES = load("bespeak.overview", "tally.sql")
_BATCH = 2000
_PAUSE_SECONDS = 0.25
_QUIET_PAUSE_SECONDS = 1.0
_TIDY_SECONDS = 3600
_KEPT_DAYS = 400


class MinuteCounter:
    """Counts, for as long as `look` is called."""

    name = "tally"

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._tidy_at = time.monotonic() + _TIDY_SECONDS
        self._pause = IdlePause(_PAUSE_SECONDS, _QUIET_PAUSE_SECONDS)

    async def look(self) -> float:
        """Counts a batch of events; answers seconds until the next look is worth it. Raises what
        asyncpg raises."""
        if time.monotonic() >= self._tidy_at:
            self._tidy_at = time.monotonic() + _TIDY_SECONDS
            await self._pool.execute(_QUERIES["tidy"], _KEPT_DAYS)
        row = await self._pool.fetchrow(_QUERIES["tally"], _BATCH)
        if row is not None and row["events"] > 0:
            self._pause.note_found()
        if row is None or row["events"] < _BATCH:
            return self._pause.next()
        return 0.0
