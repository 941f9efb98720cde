"""Counts who waits and how offers end, and raises an alarm for a list whose offers nobody takes up:
mails that do not arrive, or a time to decide that is too short. It only reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

import structlog

from bespeak import ids
from bespeak.postgres.queries import load
from bespeak.waitlists.observer import OfferEnds, WaitlistCrowd, WaitlistObserver

if TYPE_CHECKING:
    from bespeak.postgres.pool import Pool

_QUERIES = load("bespeak.waitlists", "watch.sql")
WATCHED_SECONDS = 3600
"""Over how long it is looked: who is offered something has half an hour, as a rule."""
CASES_MIN = 20
LAPSED_SHARE = 0.6
_EVERY_SECONDS = 10.0
_log = structlog.get_logger()


class WaitlistWatch:
    """Watches the waitlists, for as long as `look` is called."""

    name = "waitlist watch"

    def __init__(self, pool: Pool, observer: WaitlistObserver | None = None) -> None:
        self._pool = pool
        self._observer = observer or WaitlistObserver()
        self._alarmed: set[UUID] = set()

    async def look(self) -> float:
        """Counts; answers seconds until the next look is worth it. Raises what asyncpg raises."""
        await self.count()
        return _EVERY_SECONDS

    async def count(self) -> None:
        """Counts now, and tells the observer; the log is told of new alarms."""
        row = await self._pool.fetchrow(_QUERIES["people"])
        rows = await self._pool.fetch(_QUERIES["ends"], WATCHED_SECONDS)
        if row is not None:
            totals = (sum(one[name] for one in rows) for name in OfferEnds._fields)
            self._observer.people(WaitlistCrowd(row["waiting"], row["offered"]), OfferEnds(*totals))
        found: set[UUID] = set()
        for one in rows:
            ended = one["accepted"] + one["declined"] + one["lapsed"]
            share = one["lapsed"] / ended
            if ended < CASES_MIN or share < LAPSED_SHARE:
                continue
            found.add(one["waitlist_id"])
            if one["waitlist_id"] not in self._alarmed:
                waitlist = ids.show(ids.WAITLIST, one["waitlist_id"])
                told = {"waitlist": waitlist, "share": round(share, 2), "cases": ended}
                _log.warning("offers of a waitlist lapse", **told)
        self._alarmed = found
        self._observer.alarms(len(found))
