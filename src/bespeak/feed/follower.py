"""The follower of a process: it forgets known-taken units as soon as any process frees them. It is
woken by pokes and looks once a second anyway, so that a lost poke costs a second and no more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import asyncpg
import structlog

from bespeak.postgres.pool import FAULTS, connect, is_away
from bespeak.postgres.queries import load
from bespeak.states import FREEING

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.feed", "feed.sql")
_CHANNEL = "bespeak_feed"
_LOOK_SECONDS = 1.0
_POKE_PAUSE_SECONDS = 0.02
_log = structlog.get_logger()

Units = Sequence[tuple[int, str]]


class Follower:
    """Follows what is freed, and pokes the other processes when this one freed something."""

    def __init__(self, url: str, on_freed: Callable[[Units], None]) -> None:
        self._url = url
        self._on_freed = on_freed
        self._woken = asyncio.Event()
        self._freed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self._tasks = [
            asyncio.create_task(self._stay(self._follow)),
            asyncio.create_task(self._stay(self._poke)),
        ]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def freed(self) -> None:
        """This process freed something; others want to know."""
        self._freed.set()

    async def _stay(self, work: Callable[[Connection], object]) -> None:
        """Does the work on a connection of its own, and again when the connection is lost."""
        while True:
            connection: asyncpg.Connection[asyncpg.Record] | None = None
            try:
                connection = await connect(self._url)
                await work(connection)  # type: ignore[misc]
            except FAULTS as error:
                if not is_away(error):
                    _log.error("follower failed", error=str(error))
                await asyncio.sleep(_LOOK_SECONDS)
            finally:
                if connection is not None and not connection.is_closed():
                    connection.terminate()

    async def _follow(self, connection: Connection) -> None:
        await connection.add_listener(_CHANNEL, lambda *_: self._woken.set())
        horizon: int = await connection.fetchval(_QUERIES["horizon"])
        while True:
            try:
                # Not wait_for: before Python 3.12 it swallows a cancellation that comes together
                # with the poke, and close() would wait for ever.
                async with asyncio.timeout(_LOOK_SECONDS):
                    await self._woken.wait()
            except TimeoutError:
                pass  # nobody poked; look all the same
            self._woken.clear()
            rows = await connection.fetch(_QUERIES["freed_between"], horizon, list(FREEING))
            horizon = rows[0]["horizon"]
            for row in rows:
                if row["resource_id"] is not None:
                    self._on_freed([(row["resource_id"], unit) for unit in row["units"]])

    async def _poke(self, connection: Connection) -> None:
        await connection.execute(_QUERIES["quiet"])
        while True:
            await self._freed.wait()
            self._freed.clear()
            await connection.execute(_QUERIES["poke"])
            await asyncio.sleep(_POKE_PAUSE_SECONDS)
