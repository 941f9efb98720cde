"""The sweeper: tidies up holds whose time is over and tells the feed. Nobody waits for it, because
the taking statement itself takes over what has lapsed. It wakes when the next hold is due, and at
least twice a second, since a hold may be placed meanwhile that is due sooner. Any number may run.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

import structlog

from bespeak.postgres.pool import COLLIDED, FAULTS, is_away
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Pool

_QUERIES = load("bespeak.reservations", "verbs.sql")
_BATCH = 1000
_PAUSE_SECONDS_MAX = 0.5
_PAUSE_SECONDS_MIN = 0.01
_log = structlog.get_logger()


class Sweeper:
    """Expires what is due, for as long as it runs."""

    def __init__(
        self, database: Pool | Connection, *, on_expired: Callable[[int], None] = lambda count: None
    ) -> None:
        self._database = database
        self._on_expired = on_expired

    async def sweep(self) -> tuple[int, float]:
        """Expires all that is due now; answers how many, and seconds until the next is due
        (at most half a second: see the module)."""
        total = 0
        while True:
            row = await self._database.fetchrow(_QUERIES["expire_holds"], _BATCH)
            if row is None:
                return total, _PAUSE_SECONDS_MAX
            total += row["expired"]
            if row["expired"] < _BATCH:
                break
        if total:
            self._on_expired(total)
        if row["next_due"] is None:
            return total, _PAUSE_SECONDS_MAX
        wait = (row["next_due"] - row["answered_at"]).total_seconds()
        return total, min(max(wait, _PAUSE_SECONDS_MIN), _PAUSE_SECONDS_MAX)

    async def run(self) -> None:
        """Sweeps until cancelled, through any absence of the database."""
        while True:
            try:
                _, pause = await self.sweep()
            except COLLIDED:
                pause = _PAUSE_SECONDS_MIN
            except FAULTS as error:
                if not is_away(error):
                    _log.error("sweep failed", error=str(error))
                pause = _PAUSE_SECONDS_MAX
            await asyncio.sleep(pause)
