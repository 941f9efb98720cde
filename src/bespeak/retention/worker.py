"""The background work that deletes what is past its time, so that a database does not grow for
ever: a little at a time, with pauses, and nothing that a booking or money needs.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from bespeak.background import PAUSE_SECONDS_MAX
from bespeak.retention.archive import Archive
from bespeak.retention.errors import ArchiveUnavailable
from bespeak.retention.events import EventTurns
from bespeak.retention.observer import RetentionObserver
from bespeak.retention.turns import AgeTurns, FeedTurns, Retained, TableTurns, TermTurns
from bespeak.settings import Settings

if TYPE_CHECKING:
    from bespeak.postgres.pool import Pool

_PAUSE_SECONDS = 0.05
_REST_SECONDS = 60.0
_log = structlog.get_logger()


class Retention:
    """Deletes what is past its time, for as long as `look` is called."""

    name = "retention"

    def __init__(
        self,
        pool: Pool,
        settings: Settings,
        observer: RetentionObserver | None = None,
        archive: Archive | None = None,
    ) -> None:
        self._pool = pool
        self._observer = observer or RetentionObserver()
        self._archive = archive or archive_of(settings)
        self._kinds = kinds_of(settings)
        self._rest_until = 0.0

    async def look(self) -> float:
        """Takes a turn of each kind; answers seconds until the next look is worth it. Raises what
        asyncpg raises."""
        if time.monotonic() < self._rest_until:
            return PAUSE_SECONDS_MAX
        try:
            if await self._turn() is not None:
                return _PAUSE_SECONDS
        except ArchiveUnavailable as error:
            _log.error("nothing is deleted: the archive cannot be written", error=error.detail)
        self._rest_until = time.monotonic() + _REST_SECONDS
        return PAUSE_SECONDS_MAX

    async def finish(self) -> int:
        """Takes turns until there is nothing more to do; answers how many rows are gone. Raises
        ArchiveUnavailable, and what asyncpg raises."""
        total = 0
        while (gone := await self._turn()) is not None:
            total += gone
            await asyncio.sleep(0)
        return total

    async def _turn(self) -> int | None:
        """A turn of each kind: how many rows are gone; None if no kind had anything to do."""
        total = None
        for kind in self._kinds:
            gone = await kind.take(self._pool, self._archive)
            if gone is None:
                continue
            self._observer.gone(kind.what, gone)
            total = (total or 0) + gone
        return total


def archive_of(settings: Settings) -> Archive | None:
    """The archive that the settings name."""
    return Archive(Path(settings.archive_dir)) if settings.archive_dir else None


def kinds_of(settings: Settings) -> Sequence[Retained]:
    """What is let go, and when. Zero days: never."""
    days = {"ended_holds": settings.keep_holds_days, "booked_keys": settings.keep_keys_days}
    off = [walk for walk, most in days.items() if not most]
    kinds = (
        FeedTurns("holds", "ended_holds", settings.keep_holds_days, "let_go_holds", "hold_lines"),
        FeedTurns("keys", "booked_keys", settings.keep_keys_days, "let_go_keys"),
        TableTurns("answers", "answer", settings.keep_keys_days, "let_go_answers"),
        TableTurns("erased_keys", "erased_key", settings.keep_keys_days, "let_go_erased_keys"),
        TableTurns("mails", "mail", settings.keep_mails_days, "let_go_mails", "mail_lines"),
        TableTurns(
            "audit_log", "audit_entry", settings.keep_audit_log_days, "let_go_audit_entries"
        ),
        AgeTurns("waitlist_entries", "let_go_waitlist_entries", settings.keep_mails_days),
        EventTurns(settings.keep_events_days, off),
    )
    kept = TermTurns("invoice_buyers", "let_go_buyers")
    return [*(kind for kind in kinds if kind.days), kept]
