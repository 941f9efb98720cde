"""The durable follower of the feed: for every event it writes down, once, whom to tell. Any number
may run; one reads at a time, and where it dies the next reads on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bespeak.background import IdlePause
from bespeak.notifications.observer import NotificationObserver
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Pool

_QUERIES = load("bespeak.notifications.webhooks", "webhooks.sql")
_FEED = load("bespeak.feed", "feed.sql")
_FOLLOWER = "notifications"
_BATCH = 1000
_PAUSE_SECONDS = 0.1
_QUIET_PAUSE_SECONDS = 0.3


class Announcer:
    """Reads the feed, for as long as `look` is called."""

    name = "announcer"

    def __init__(
        self,
        pool: Pool,
        observer: NotificationObserver | None = None,
        on_written: Callable[[], None] = lambda: None,
    ) -> None:
        self._pool = pool
        self._observer = observer or NotificationObserver()
        self._on_written = on_written
        self._pause = IdlePause(_PAUSE_SECONDS, _QUIET_PAUSE_SECONDS)

    async def look(self) -> float:
        """Reads a batch of events; answers seconds until the next look is worth it. Raises what
        asyncpg raises."""
        # What is written down here has a position: it need not wait for the numberer.
        await self._pool.execute(_FEED["number"])
        row = await self._pool.fetchrow(_QUERIES["announce"], _FOLLOWER, _BATCH)
        if row is None:
            return self._pause.next()  # another reads
        if row["deliveries"] or row["mails"]:
            self._on_written()
        if row["events"] > 0:
            self._pause.note_found()
        if row["events"] < _BATCH:
            self._observer.lag(0.0)
            return self._pause.next()
        behind = (row["answered_at"] - row["last_at"]).total_seconds()
        self._observer.lag(max(0.0, behind))
        return 0.0
