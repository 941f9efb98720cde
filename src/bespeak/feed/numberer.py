"""Gives the events of the feed their positions, as background work. Any number may run: one numbers
at a time, and where it dies the next goes on with the same numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Pool

_QUERIES = load("bespeak.feed", "feed.sql")
_PAUSE_SECONDS = 0.02
_IDLE_PAUSE_SECONDS = 0.04
_FULL = 2560  # as many are numbered at once; there may be more


async def open_epoch(connection: Connection) -> None:
    """Opens the feed's present life, unless it is open: here, rather than in the first transaction
    that writes an event, which may be a long one."""
    await connection.execute(_QUERIES["open_epoch"])


class Numberer:
    """Numbers what is settled, for as long as `look` is called."""

    name = "numberer"

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def look(self) -> float:
        """Numbers what there is; answers seconds until the next look is worth it. Raises what
        asyncpg raises."""
        numbered = await self._pool.fetchval(_QUERIES["number"])
        if not numbered:  # nothing new, or another is at it
            return _IDLE_PAUSE_SECONDS
        return 0.0 if numbered == _FULL else _PAUSE_SECONDS
