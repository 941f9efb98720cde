"""Putting the engine together: its pool, its committer, its memory and the follower of the feed;
on a database of one's own, or on the embedded one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from bespeak.feed import reader
from bespeak.feed.follower import Follower
from bespeak.feed.reader import EventPage
from bespeak.postgres.migrate import migrate, require_migrated
from bespeak.postgres.pool import borrow, open_pool
from bespeak.reservations import engine as reservations
from bespeak.reservations.committer import Committer, Watch
from bespeak.reservations.memory import Unit
from bespeak.reservations.sweeper import Sweeper
from bespeak.settings import Settings


class Engine(reservations.Engine):
    """The engine with its feed. Made by `bespeak.connect`."""

    async def events(
        self, *, after: str | None = None, limit: int = 100, resource_id: str | None = None
    ) -> EventPage:
        """A page of the feed after a cursor. Raises InvalidCursor."""
        async with borrow(self.pool, self.settings.database_wait_seconds) as connection:
            return await reader.read(connection, after, limit, resource_id)


class _Relay(Watch):
    """Passes what the committer tells to the follower and to the metrics."""

    def __init__(self, watch: Watch | None) -> None:
        self._watch = watch
        self.follower: Follower | None = None

    def batch(self, verb: str, size: int, seconds: float) -> None:
        if self._watch is not None:
            self._watch.batch(verb, size, seconds)

    def freed(self) -> None:
        if self.follower is not None:
            self.follower.freed()

    def expired(self, count: int) -> None:
        self.freed()
        if self._watch is not None:
            self._watch.expired(count)


@asynccontextmanager
async def connect(
    database_url: str | None = None,
    *,
    data_dir: str | Path | None = None,
    settings: Settings | None = None,
    watch: Watch | None = None,
    sweep: bool = True,
) -> AsyncIterator[Engine]:
    """An engine on a PostgreSQL database, or (without a URL) on an embedded server in `data_dir`,
    which is started, migrated and stopped with it. `sweep` runs the sweeper here as well; where a
    `bespeak worker` runs, it need not.

    Raises DatabaseUnavailable, DatabaseNotMigrated, DatabaseTooNew.
    """
    settings = settings or Settings.read()
    url = database_url or settings.database_url
    server = None
    if url is None:
        # The wheel with the server is loaded only where it is used.
        from bespeak.postgres.embedded import EmbeddedServer  # noqa: PLC0415

        server = EmbeddedServer(Path(data_dir or settings.data_dir or ".bespeak"))
        url = await asyncio.to_thread(server.start)
    try:
        async with _engine(
            url, settings, watch, sweep=sweep, own_server=server is not None
        ) as made:
            yield made
    finally:
        if server is not None:
            await asyncio.to_thread(server.stop)


@asynccontextmanager
async def _engine(
    url: str, settings: Settings, watch: Watch | None, *, sweep: bool, own_server: bool
) -> AsyncIterator[Engine]:
    pool = await open_pool(url, settings.pool_max)
    relay = _Relay(watch)
    committer = Committer(
        url,
        lanes=settings.lanes,
        batch_max=settings.batch_max,
        queue_max=settings.queue_max,
        wait_seconds=settings.database_wait_seconds,
        watch=relay,
    )
    engine = Engine(pool, committer, settings)

    def freed(units: Sequence[Unit]) -> None:
        engine.memory.forget(units)
        engine.pictures.forget(units)

    follower = Follower(url, freed)
    relay.follower = follower
    sweeper = None
    try:
        async with pool.acquire() as connection:
            await (migrate(connection) if own_server else require_migrated(connection))
        committer.start()
        follower.start()
        if sweep:
            sweeper = asyncio.create_task(Sweeper(pool, on_expired=relay.expired).run())
        yield engine
    finally:
        await committer.close()
        await follower.close()
        if sweeper is not None:
            sweeper.cancel()
            await asyncio.gather(sweeper, return_exceptions=True)
        await pool.close()
