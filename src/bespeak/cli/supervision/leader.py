"""The one background worker of a database: leader is who holds an advisory lock. Lock and work
share a connection, so whoever loses the lock cannot go on working, and another takes over at once.
Two leaders for an instant would do no harm either: the statements of the work exclude each other.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from bespeak.assembly import background
from bespeak.assembly import connect as connect_engine
from bespeak.background import kept
from bespeak.cli.supervision.tidying import Tidying
from bespeak.errors import Unavailable
from bespeak.feed.numberer import numbering
from bespeak.http.server.metrics import (
    LAPSED,
    AdmissionMetrics,
    NotificationMetrics,
    PaymentMetrics,
    RelayMetrics,
    RetentionMetrics,
    WaitlistMetrics,
)
from bespeak.postgres.pool import COLLIDED, FAULTS, connect, end_if_cancelled, is_away
from bespeak.postgres.queries import load
from bespeak.reservations.sweeper import Sweeper
from bespeak.settings import Settings

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.cli.supervision", "leader.sql")
_FEED = load("bespeak.feed", "feed.sql")
_SEEK_SECONDS = 0.5
_STATEMENT_SECONDS_MAX = 30.0
_log = structlog.get_logger()


class Leader:
    """Seeks leadership of a database, and while it has it, does the background work. Whenever it
    has got on, it beats: whoever does not hear it for long may take it for stuck."""

    def __init__(
        self,
        url: str,
        folder: Path,
        settings: Settings | None = None,
        beat: Callable[[], None] = lambda: None,
    ) -> None:
        self._url = url
        self._folder = folder
        self._settings = settings or Settings.read()
        self._beat = beat
        self._expired = False

    async def run(self) -> None:
        """Seeks and leads until cancelled, through any absence of the database."""
        while True:
            connection = None
            self._beat()
            try:
                connection = await connect(self._url)
                await self._seek(connection)
                await self._lead(connection)
            except Unavailable as error:
                _log.warning("background work waits", error=str(error))
            except FAULTS as error:
                if not is_away(error):
                    _log.error("background work failed", error=str(error))
            finally:
                if connection is not None:
                    connection.terminate()
            end_if_cancelled()
            await asyncio.sleep(_SEEK_SECONDS)

    async def _seek(self, connection: Connection) -> None:
        # PostgreSQL tells nobody when an advisory lock comes free without making them wait in it.
        while True:
            async with asyncio.timeout(_STATEMENT_SECONDS_MAX):
                if await connection.fetchval(_QUERIES["try_lead"]):
                    break
            self._beat()
            await asyncio.sleep(_SEEK_SECONDS)
        _log.info("background worker leads")

    async def _lead(self, connection: Connection) -> None:
        """Sweeps until the connection fails, and tells the followers what became free."""
        sweeper = Sweeper(connection, on_expired=self._note_expired)
        # What is not the sweeping has connections of its own: whoever has lost the lead may be at
        # it a moment longer, which does no harm, because what is due is claimed row by row.
        async with (
            numbering(self._url),  # at once: the feed waits for nothing else
            connect_engine(
                self._url, settings=self._settings, payments_observer=PaymentMetrics(), sweep=False
            ) as engine,
            self._at_work(engine),
        ):
            await self._sweep_on(connection, sweeper)

    @asynccontextmanager
    async def _at_work(self, engine: Engine) -> AsyncIterator[None]:
        """All background work but the sweeping, within the block."""
        engine.database.share_sessions()
        async with (
            background(
                engine,
                self._folder,
                NotificationMetrics(),
                RetentionMetrics(),
                RelayMetrics(),
                AdmissionMetrics(),
                WaitlistMetrics(),
            ),
            kept([Tidying()]),
        ):
            yield

    async def _sweep_on(self, connection: Connection, sweeper: Sweeper) -> None:
        while True:
            async with asyncio.timeout(_STATEMENT_SECONDS_MAX):
                pause = await self._sweep(sweeper)
                if self._expired:
                    self._expired = False
                    await connection.execute(_FEED["poke"])
            self._beat()
            await asyncio.sleep(pause)

    async def _sweep(self, sweeper: Sweeper) -> float:
        try:
            return (await sweeper.sweep())[1]
        except COLLIDED:
            return 0.01

    def _note_expired(self, count: int) -> None:
        LAPSED.inc(count)
        self._expired = True
