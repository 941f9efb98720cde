"""What is let go in small turns: holds that ended in nothing, keys, answers and mails.

Each turn reads which rows it is about, writes them to the archive, if there is one, and deletes
them in one statement that has an effect only if the turn is still the next. So it may be killed
anywhere, and any number may run; none waits for a lock, or keeps one while the archive is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Pool
    from bespeak.retention.archive import Archive

_QUERIES = load("bespeak.retention", "retention.sql")
# A turn is short: the feed waits for whoever writes.
_EVENTS = 500
_BLOCKS = 64


class Retained(Protocol):
    """A kind of row that is kept for a time, and then let go in turns."""

    @property
    def what(self) -> str:
        """How metrics and the archive call it."""
        ...

    async def take(self, pool: Pool, archive: Archive | None) -> int | None:
        """Takes a turn; answers how many rows are gone, None if there is nothing to do now. Raises
        ArchiveUnavailable, and what asyncpg raises."""
        ...


@dataclass(frozen=True)
class FeedTurns:
    """Turns along the feed, which is in the order of time."""

    what: str
    walk: str
    days: int
    let_go: str
    lines: str | None = None
    """The statement that makes lines of the archive, if this goes there."""

    async def take(self, pool: Pool, archive: Archive | None) -> int | None:
        before = await _before(pool, self.days)
        turn = await pool.fetchrow(_QUERIES["next_turn"], self.walk, before, _EVENTS)
        if turn is None or not turn["events"]:
            return None
        place, events = turn["place"], turn["events"]
        if archive is not None and self.lines is not None:
            lines = await _lines(pool, self.lines, before, events)
            await archive.write(self.what, f"{place:016x}-{events}", lines)
        return await _gone(pool, self.let_go, place, events, before)


@dataclass(frozen=True)
class TermTurns:
    """Turns through rows that say themselves until when they are kept."""

    what: str
    let_go: str

    async def take(self, pool: Pool, archive: Archive | None) -> int | None:
        gone: int = await pool.fetchval(_QUERIES[self.let_go], _EVENTS)
        return gone or None


@dataclass(frozen=True)
class AgeTurns:
    """Turns through rows that an index has by when they ended."""

    what: str
    let_go: str
    days: int

    async def take(self, pool: Pool, archive: Archive | None) -> int | None:
        before = await _before(pool, self.days)
        gone: int = await pool.fetchval(_QUERIES[self.let_go], _EVENTS, before)
        return gone or None


@dataclass(frozen=True)
class TableTurns:
    """Turns through a table from its first block to its last, once a day."""

    what: str
    table: str
    days: int
    let_go: str
    lines: str | None = None

    async def take(self, pool: Pool, archive: Archive | None) -> int | None:
        before = await _before(pool, self.days)
        turn = await pool.fetchrow(_QUERIES["next_blocks"], self.table, _BLOCKS)
        if turn is None:
            return None
        first, last = turn["first_block"], turn["last_block"]
        if archive is not None and self.lines is not None:
            lines = await _lines(pool, self.lines, first, last, before)
            await archive.write(self.what, f"{before:%Y%m%dT%H%M%S}-{first:08x}", lines)
        return await _gone(pool, self.let_go, first, last, before)


async def _before(connection: Pool | Connection, days: int) -> datetime:
    before: datetime = await connection.fetchval(_QUERIES["before"], days)
    return before


async def _lines(pool: Pool, statement: str, *arguments: int | datetime) -> Sequence[str]:
    return [row["line"] for row in await pool.fetch(_QUERIES[statement], *arguments)]


async def _gone(pool: Pool, statement: str, *arguments: int | datetime) -> int | None:
    gone: int | None = await pool.fetchval(_QUERIES[statement], *arguments)
    return gone
