"""Refusals leave no row: each process counts its own in memory and adds them to the database every
few seconds.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

from bespeak.clock import DatabaseClock
from bespeak.inventory.workspaces import DEFAULT
from bespeak.postgres.queries import load
from bespeak.postgres.tally import Tally

if TYPE_CHECKING:
    from bespeak.postgres.pool import Pool

_QUERIES = load("bespeak.overview", "tally.sql")
_FLUSH_SECONDS = 3.0
# Minutes of an absent database that are kept; what comes beyond is not counted.
_KEPT_MAX = 10_000
_Refusal: TypeAlias = tuple[datetime, str, str]


class RefusalCounts:
    """The refusals of this process that the database does not have yet."""

    def __init__(self, pool: Pool, clock: DatabaseClock) -> None:
        self._pool = pool
        self._clock = clock
        self._tally: Tally[_Refusal] = Tally(
            self._write, _FLUSH_SECONDS, "refusals are not counted"
        )
        self.flush = self._tally.flush
        self.run = self._tally.run

    def count(self, code: str, workspace: str | None = None) -> None:
        """Counts a request for a hold that was refused with this code, in a workspace (None: the
        default one)."""
        minute = self._clock.now().replace(second=0, microsecond=0)
        counts = self._tally.counts
        refusal = minute, code, workspace or DEFAULT
        if refusal in counts or len(counts) < _KEPT_MAX:
            counts[refusal] += 1

    async def _write(self, counts: Counter[_Refusal]) -> None:
        minutes, codes, workspaces = (list(column) for column in zip(*counts, strict=True))
        await self._pool.execute(
            _QUERIES["add_refusals"], minutes, codes, list(counts.values()), workspaces
        )
