"""Refusals leave no row: each process counts its own in memory and adds them to the database every
few seconds, in one statement. What a killed process had counted since is lost, and nothing else.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import datetime
from typing import TYPE_CHECKING

import structlog

from bespeak.clock import DatabaseClock
from bespeak.postgres.pool import FAULTS, is_away
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Pool

_QUERIES = load("bespeak.overview", "tally.sql")
_FLUSH_SECONDS = 3.0
# Minutes of an absent database that are kept; what comes beyond is not counted.
_KEPT_MAX = 10_000
_log = structlog.get_logger()


class RefusalCounts:
    """The refusals of this process that the database does not have yet."""

    def __init__(self, pool: Pool, clock: DatabaseClock) -> None:
        self._pool = pool
        self._clock = clock
        self._counts: Counter[tuple[datetime, str]] = Counter()

    def count(self, code: str) -> None:
        """Counts a request for a hold that was refused with this code."""
        minute = self._clock.now().replace(second=0, microsecond=0)
        if (minute, code) in self._counts or len(self._counts) < _KEPT_MAX:
            self._counts[minute, code] += 1

    async def flush(self) -> None:
        """Adds what was counted to the database. Raises what asyncpg raises, and then keeps it."""
        counts, self._counts = self._counts, Counter()
        if not counts:
            return
        minutes, codes = zip(*counts, strict=True)
        try:
            await self._pool.execute(
                _QUERIES["add_refusals"], list(minutes), list(codes), list(counts.values())
            )
        except FAULTS:
            self._counts.update(counts)
            raise

    async def run(self) -> None:
        """Flushes every few seconds, and once more when it is cancelled."""
        try:
            while True:
                await asyncio.sleep(_FLUSH_SECONDS)
                await self._flush_gently()
        finally:
            await self._flush_gently()

    async def _flush_gently(self) -> None:
        try:
            await self.flush()
        except FAULTS as error:
            if not is_away(error):
                _log.error("refusals are not counted", error=str(error))
