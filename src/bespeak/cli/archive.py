"""`bespeak archive`: writes what is past its time to files, and then deletes it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from bespeak.cli.options import DatabaseChoice, Json

if TYPE_CHECKING:
    from bespeak.settings import Settings


def archive(
    *, to: Path | None = None, database: DatabaseChoice | None = None, as_json: Json = False
) -> int:
    """Write what is past its time to files, and delete it.

    Does at once what the background work does a little at a time: holds that ended in nothing,
    events and mails that are older than the settings keep them become JSON lines in compressed
    files, a folder for each kind, and leave the database when their file is on disk. Keys and
    answers of requests past their time go without a file. Bookings and money stay. Killed
    anywhere, it goes on when it is run again.

    For example:

        bespeak archive --to /var/lib/bespeak/archive

    Parameters
    ----------
    to
        The folder of the archive. Absent: BESPEAK_ARCHIVE_DIR.
    as_json
        Print how much of what is gone as one JSON line.
    """
    from bespeak.cli.databases import opened
    from bespeak.cli.output import answer
    from bespeak.errors import InvalidSetting
    from bespeak.settings import Settings

    settings = Settings.read()
    folder = to or (Path(settings.archive_dir) if settings.archive_dir else None)
    if folder is None:
        variable = "BESPEAK_ARCHIVE_DIR"
        raise InvalidSetting(f"name a folder with --to, or set {variable}", variable=variable)
    with opened(database) as url:
        gone = asyncio.run(_archive(url, settings, folder))
    answer(gone, _print, as_json=as_json)
    return 0


def _print(gone: dict[str, int]) -> None:
    for what, count in gone.items():
        print(f"{what}: {count} deleted")
    if not gone:
        print("nothing is past its time")


async def _archive(url: str, settings: Settings, folder: Path) -> dict[str, int]:
    from bespeak.postgres.migrate import require_migrated
    from bespeak.postgres.pool import open_pool
    from bespeak.retention.archive import Archive
    from bespeak.retention.observer import RetentionObserver
    from bespeak.retention.worker import Retention

    gone: dict[str, int] = {}

    class Count(RetentionObserver):
        def gone(self, what: str, count: int) -> None:
            if count:
                gone[what] = gone.get(what, 0) + count

    pool = await open_pool(url, 2)
    try:
        async with pool.acquire() as connection:
            await require_migrated(connection)
        await Retention(pool, settings, Count(), Archive(folder)).finish()
    finally:
        await pool.close()
    return gone
