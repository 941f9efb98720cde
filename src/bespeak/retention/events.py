"""How the feed loses its oldest events. First it begins later: pages of positions go, and nobody
finds what is before. Then the events go, a whole part of the table at once where all of it is past;
one by one only where a part would take more than a week to get there. What belongs to a booking is
moved to where its timeline finds it. Killed between any two steps, the next look goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import asyncpg

from bespeak.background import PAUSE_SECONDS_MAX
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Pool
    from bespeak.retention.archive import Archive

_QUERIES = load("bespeak.retention", "retention.sql")
# Turns are short: the feed waits for whoever writes.
_PAGES = 8
_MOVED = 500
_DELETED = 500
_LINES = 5000
_PAUSE_SECONDS = 0.05
_TRIES = 8
_AGAIN_SECONDS = 0.5  # whoever waits for the feed meanwhile is let through
_AHEAD = 2
_LOOK_SECONDS = 60
_AGAIN_LATER_SECONDS = 5
# A part that is not past as a whole by then is emptied one by one.
_GRACE = timedelta(days=7)


@dataclass(frozen=True)
class EventTurns:
    """The events of the feed."""

    days: int
    without: Sequence[str] = ()
    """Durable followers that do not count: walks that are switched off."""
    what: str = "events"

    async def take(self, pool: Pool, archive: Archive | None) -> int | None:
        """See Retained."""
        before: datetime = await pool.fetchval(_QUERIES["before"], self.days)
        pages = await pool.fetchval(_QUERIES["begin_feed_later"], before, self.without, _PAGES)
        dropped = await _drop(pool)
        part = await pool.fetchrow(_QUERIES["past_partition"])
        if part is not None:
            if await _dropped(pool, archive, part["name"]):
                return int(part["events"])
            return None  # the feed is busy: with the next look
        gone = await self._one_by_one(pool, archive, before - _GRACE)
        if gone is None and (pages or dropped):
            return 0
        return gone

    async def _one_by_one(
        self, pool: Pool, archive: Archive | None, before: datetime
    ) -> int | None:
        turn = await pool.fetchrow(_QUERIES["next_events"], before, _DELETED)
        if turn is None:
            return None
        first, events = turn["first"], turn["events"]
        if archive is not None:
            rows = await pool.fetch(_QUERIES["event_lines"], before, events)
            name = f"{first:016x}-{events}"
            await archive.write(self.what, name, [row["line"] for row in rows])
        gone: int | None = await pool.fetchval(_QUERIES["let_go_events"], first, events, before)
        return gone


async def _dropped(pool: Pool, archive: Archive | None, name: str) -> bool:
    """Archives a part, moves out what stays, takes it out of the feed and drops it; False where
    the feed was too busy for that."""
    if archive is not None:
        await _archived(pool, archive, name)
    moved = 1
    while moved:
        moved = await pool.fetchval(_QUERIES["move_kept_events"], name, _MOVED)
        await asyncio.sleep(_PAUSE_SECONDS if moved else 0)
    for _ in range(_TRIES):
        try:
            is_out: bool = await pool.fetchval(_QUERIES["detach_partition"], name)
        except asyncpg.LockNotAvailableError:
            await asyncio.sleep(_AGAIN_SECONDS)
            continue
        if is_out:
            await _drop(pool)
        return is_out
    return False


async def _drop(pool: Pool) -> bool:
    """Drops what was taken out of the feed; False if there is nothing, or somebody is at it still:
    then the next look does."""
    try:
        return bool(await pool.fetchval(_QUERIES["drop_partitions"]))
    except asyncpg.LockNotAvailableError:
        return False


async def _archived(pool: Pool, archive: Archive, name: str) -> None:
    """Writes what goes of a part into one file: the same file again, if it is done again."""
    until: int = await pool.fetchval(_QUERIES["partition_end"], name)
    place = (0, 0)
    async with archive.file("events", name) as file:
        while rows := await pool.fetch(_QUERIES["partition_lines"], until, *place, _LINES):
            await file.add([row["line"] for row in rows])
            place = (rows[-1]["horizon"], rows[-1]["position"])


class EventPartitions:
    """Makes the parts of the feed before they are needed."""

    name = "event partitions"

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._rest_until = 0.0

    async def look(self) -> float:
        """Makes what is missing; answers seconds until the next look is worth it. Raises what
        asyncpg raises."""
        now = asyncio.get_running_loop().time()
        if now >= self._rest_until:
            try:
                await self._pool.fetchval(_QUERIES["make_event_partitions"], _AHEAD)
                self._rest_until = now + _LOOK_SECONDS
            except asyncpg.LockNotAvailableError:
                self._rest_until = now + _AGAIN_LATER_SECONDS  # somebody reads the default part
        return PAUSE_SECONDS_MAX
