"""A wire between the API and PostgreSQL that a test cuts and mends, so that the database is away
without a server being stopped.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TypeAlias
from urllib.parse import parse_qs, urlsplit, urlunsplit

from bespeak.reservations.committer import Committer

Ends: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Wire:
    """Passes bytes from a port of its own to the server of a database URL."""

    def __init__(self, database_url: str) -> None:
        self._parts = urlsplit(database_url)
        self._port = 0
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    @property
    def url(self) -> str:
        """The database's URL through the wire."""
        user = self._parts.netloc.rpartition("@")[0]
        netloc = f"{user}@127.0.0.1:{self._port}" if user else f"127.0.0.1:{self._port}"
        return urlunsplit(self._parts._replace(netloc=netloc, query=""))

    async def mend(self) -> None:
        """Connections work (again), on the same port as before."""
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    async def cut(self) -> None:
        """All connections break, and new ones are refused."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for writer in list(self._writers):
            writer.transport.abort()
        await asyncio.sleep(0)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        query = parse_qs(self._parts.query)
        host = query.get("host", [self._parts.hostname or "127.0.0.1"])[0]
        port = int(query.get("port", [str(self._parts.port or 5432)])[0])
        if host.startswith("/"):
            there = await asyncio.open_unix_connection(f"{host}/.s.PGSQL.{port}")
        else:
            there = await asyncio.open_connection(host, port)
        self._writers |= {writer, there[1]}
        try:
            await self._join((reader, writer), there)
        finally:
            self._writers -= {writer, there[1]}

    async def _join(self, here: Ends, there: Ends) -> None:
        """Passes on what either end says, until one has no more to say."""
        await asyncio.gather(copy(here[0], there[1]), copy(there[0], here[1]))


def give_up_soon(committer: Committer) -> None:
    """From now on it tries for a moment only where the database is away. Connections are waited for
    as ever, also before the wire is cut: a busy machine takes longer than that to open one."""
    committer._wait_seconds = 0.1


async def copy(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    passes: Callable[[bytes], bool] = lambda data: True,
) -> None:
    """Passes bytes on until their end, or until `passes` refuses some; then breaks the
    connection."""
    with suppress(ConnectionError):
        while (data := await reader.read(65_536)) and passes(data):
            writer.write(data)
            await writer.drain()
    writer.transport.abort()
