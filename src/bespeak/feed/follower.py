"""The follower of a process: it forgets known-taken units as soon as any process frees them, and
resources that any process has changed. It is woken by pokes and looks once a second anyway, so that
a lost poke costs a second and no more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import asyncpg
import structlog

from bespeak.postgres.pool import FAULTS, connect, is_away
from bespeak.postgres.queries import load
from bespeak.states import FREEING, EventKind

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.feed", "feed.sql")
_CHANNEL = "bespeak_feed"
_LOOK_SECONDS = 1.0
_POKE_PAUSE_SECONDS = 0.02
_KINDS = [*FREEING, EventKind.CHANGED]
_log = structlog.get_logger()

Units = Sequence[tuple[int, str]]


class Follower:
    """Follows what is freed or changed, and pokes the other processes when this one freed
    something. `on_changed` is given the number of a resource; None: any may have changed."""

    def __init__(
        self,
        url: str,
        on_freed: Callable[[Units], None],
        on_changed: Callable[[int | None], None],
    ) -> None:
        self._url = url
        self._on_freed = on_freed
        self._on_changed = on_changed
        self._horizon: int | None = None
        self._woken = asyncio.Event()
        self._freed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def find_horizon(self, connection: Connection) -> None:
        """Has it follow what happens from now on, before it has a connection of its own."""
        self._horizon = await connection.fetchval(_QUERIES["horizon"])

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
        horizon, self._horizon = self._horizon, None
        if horizon is None:
            # The connection was lost: what happened meanwhile may be too much to be read.
            horizon = await connection.fetchval(_QUERIES["horizon"])
            self._on_changed(None)
        while True:
            try:
                # Not wait_for: before Python 3.12 it swallows a cancellation that comes together
                # with the poke, and close() would wait for ever.
                async with asyncio.timeout(_LOOK_SECONDS):
                    await self._woken.wait()
            except TimeoutError:
                pass  # nobody poked; look all the same
            self._woken.clear()
            rows = await connection.fetch(_QUERIES["freed_between"], horizon, _KINDS)
            horizon = rows[0]["horizon"]
            for row in rows:
                number, kind = row["resource_id"], row["kind"]
                if kind in FREEING:
                    self._on_freed([(number, unit) for unit in row["units"]])
                elif number is not None:
                    self._on_changed(number)

    async def _poke(self, connection: Connection) -> None:
        await connection.execute(_QUERIES["quiet"])
        while True:
            await self._freed.wait()
            self._freed.clear()
            await connection.execute(_QUERIES["poke"])
            await asyncio.sleep(_POKE_PAUSE_SECONDS)
