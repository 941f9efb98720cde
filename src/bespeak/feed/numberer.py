"""Gives the events of the feed their positions, as background work on a connection of its own: who
waits for the pool does not make the feed late. Any number may run: one numbers at a time, and where
it dies the next goes on with the same numbers.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from bespeak.background import IdlePause, kept
from bespeak.postgres.pool import connect
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    import asyncpg

    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.feed", "feed.sql")
_PAUSE_SECONDS = 0.02
_IDLE_PAUSE_SECONDS = 0.04
_QUIET_PAUSE_SECONDS = 0.12
_STATEMENT_SECONDS_MAX = 30.0
_FULL = 2560  # as many are numbered at once; there may be more


async def open_epoch(connection: Connection) -> None:
    """Opens the feed's present life, unless it is open: here, rather than in the first transaction
    that writes an event, which may be a long one."""
    await connection.execute(_QUERIES["open_epoch"])


@asynccontextmanager
async def numbering(url: str) -> AsyncIterator[None]:
    """Numbers the feed within the block."""
    numberer = Numberer(url)
    try:
        async with kept([numberer]):
            yield
    finally:
        numberer.close()


class Numberer:
    """Numbers what is settled, for as long as `look` is called."""

    name = "numberer"

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection: asyncpg.Connection[asyncpg.Record] | None = None
        self._pause = IdlePause(_IDLE_PAUSE_SECONDS, _QUIET_PAUSE_SECONDS)

    async def look(self) -> float:
        """Numbers what there is; answers seconds until the next look is worth it. Raises what
        asyncpg raises, and begins with another connection then."""
        try:
            if self._connection is None:
                self._connection = await connect(self._url)
            numbered = await self._connection.fetchval(
                _QUERIES["number"], timeout=_STATEMENT_SECONDS_MAX
            )
        except Exception:
            self.close()
            raise
        if not numbered:  # nothing new, or another is at it
            return self._pause.next()
        self._pause.note_found()
        return 0.0 if numbered == _FULL else _PAUSE_SECONDS

    def close(self) -> None:
        """Lets go of the connection."""
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None
