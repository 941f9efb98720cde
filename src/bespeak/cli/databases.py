"""Opens the database that a command was told to work on. An embedded server that runs already is
used as it is and left running; one that does not is started for the command and stopped after.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeVar

from bespeak.cli.options import DatabaseChoice
from bespeak.errors import DatabaseUnavailable

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_LOCK = "server.lock"
_Value = TypeVar("_Value")


@contextmanager
def opened(database: DatabaseChoice | None) -> Iterator[str]:
    """The URL of the chosen database, reachable within the block. Raises DatabaseUnavailable."""
    choice = database or DatabaseChoice()
    if choice.database_url is not None:
        yield choice.database_url
        return
    from bespeak.postgres.embedded import EmbeddedServer

    folder = choice.folder()
    runs = _runs_already(folder)
    server = EmbeddedServer(folder)
    try:
        yield server.start()
    finally:
        if not runs:
            server.stop()


def on_connection(
    database: DatabaseChoice | None, work: Callable[[Connection], Awaitable[_Value]]
) -> _Value:
    """Does the work on a connection to the chosen database. Raises DatabaseUnavailable."""

    async def run(url: str) -> _Value:
        async with connected(url) as connection:
            return await work(connection)

    with opened(database) as url:
        return asyncio.run(run(url))


def on_migrated(
    database: DatabaseChoice | None, work: Callable[[Connection], Awaitable[_Value]]
) -> _Value:
    """Does the work on a connection to the chosen database, if that is up to date. Raises
    DatabaseUnavailable, and what `require_migrated` raises."""
    from bespeak.postgres.migrate import require_migrated

    async def migrated(connection: Connection) -> _Value:
        await require_migrated(connection)
        return await work(connection)

    return on_connection(database, migrated)


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[Connection]:
    connection = await connect(url)
    try:
        yield connection
    finally:
        await connection.close()


async def connect(url: str) -> Connection:
    """A connection, or DatabaseUnavailable in words that name the cause, or DatabaseReadOnly."""
    import asyncpg

    from bespeak.postgres import pool

    try:
        return await pool.connect(url)
    except pool.READ_ONLY as error:
        raise pool.unavailable(error) from error
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, ValueError) as error:
        cause = str(error) or type(error).__name__
        raise DatabaseUnavailable(f"no connection to the database: {cause}") from error


def _runs_already(folder: Path) -> bool:
    """Whether someone runs the embedded server of this folder, by the file that it keeps."""
    import psutil

    try:
        pid = int((folder / "postgres" / "postmaster.pid").read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return False
    return bool(psutil.pid_exists(pid))


def stop_abandoned(folder: Path) -> None:
    """Stops the embedded server of a folder whose keeper was killed, unless another keeps it now:
    the last one puts out the light."""
    from bespeak.postgres.embedded import EmbeddedServer

    try:
        with sole_keeper(folder):
            if _runs_already(folder):
                server = EmbeddedServer(folder)
                server.start()  # which finds the one that runs
                server.stop()
    except FolderInUse:
        return


class FolderInUse(DatabaseUnavailable):
    """Another server keeps this data folder; `pid` says which."""

    code = "folder_in_use"
    title = "Another server keeps this data folder"


@contextmanager
def sole_keeper(folder: Path) -> Iterator[None]:
    """Makes this process the only one that keeps the folder's database. Raises FolderInUse."""
    from bespeak.cli.supervision.forks import keep_private

    folder.mkdir(parents=True, exist_ok=True)
    with (folder / _LOCK).open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise FolderInUse(
                f"process {_content(lock) or '?'} serves {folder} already; stop it, or give "
                "this one another folder with --data"
            ) from error
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        keep_private(lock.fileno())
        yield


def _content(lock: IO[str]) -> str:
    lock.seek(0)
    return lock.read().strip()
