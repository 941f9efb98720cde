"""`bespeak.connect`: the engine of the assembly on a database that has the tables of every vertical
that is installed.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bespeak import assembly
from bespeak.assembly import Engine
from bespeak.payments.observer import PaymentObserver
from bespeak.reservations.committer import CommitterObserver
from bespeak.settings import Settings
from bespeak.verticals.installed import migration_sources


@asynccontextmanager
async def connect(
    database_url: str | None = None,
    *,
    data_dir: str | Path | None = None,
    settings: Settings | None = None,
    observer: CommitterObserver | None = None,
    payments_observer: PaymentObserver | None = None,
    sweep: bool = True,
) -> AsyncIterator[Engine]:
    """An engine on a PostgreSQL database, or (without a URL) on an embedded server in `data_dir`,
    which is started, migrated and stopped with it. `sweep` does the background work here as well
    (the sweeper, payments that wait, notifications); where a `bespeak worker` runs, it need not.

    Raises DatabaseUnavailable, DatabaseNotMigrated, DatabaseTooNew.
    """
    async with assembly.connect(
        database_url,
        data_dir=data_dir,
        settings=settings,
        observer=observer,
        payments_observer=payments_observer,
        sweep=sweep,
        sources=migration_sources(),
    ) as engine:
        yield engine
