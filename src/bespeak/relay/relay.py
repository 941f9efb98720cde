"""The relay itself: reads the feed in batches, has the broker acknowledge each, and then moves its
place. Any number of one name may run: one sends, the others wait to take over. Killed anywhere, the
next goes on from a place that the broker has acknowledged, so that nothing is lost; what comes
twice has the same cursor.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import structlog

from bespeak.errors import Unavailable
from bespeak.feed.errors import CursorExpired, CursorOfAnotherLife
from bespeak.postgres.pool import FAULTS, connect, end_if_cancelled, is_away
from bespeak.postgres.queries import load
from bespeak.relay.errors import BrokerRefused
from bespeak.relay.track import QUERIES, START, RelayPlace, RelayTrack

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection
    from bespeak.relay.broker import Broker

_FEED = load("bespeak.feed", "feed.sql")
BATCH_MAX = 1000
_SEEK_SECONDS = 0.5
_IDLE_SECONDS = 0.05
_BACKOFF_SECONDS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
_STATEMENT_SECONDS_MAX = 30.0
_log = structlog.get_logger()


class Relay:
    """Sends the feed of a database to a broker until it is told to stop."""

    def __init__(self, url: str, track: RelayTrack, broker: Broker, *, after: str = START) -> None:
        self._url = url
        self._track = track
        self._broker = broker
        self._after = after
        self._stopping = asyncio.Event()
        self._failures = 0
        self._is_listed = False

    def stop(self) -> None:
        """Lets it end when what is on its way is acknowledged and written down."""
        self._stopping.set()

    async def run(self) -> None:
        """Relays, through any absence of the database and of the broker. Raises BrokerRefused,
        EventTooLarge, RelayNotFound, InvalidCursor, CursorExpired: what does not end by itself."""
        while not self._stopping.is_set():
            try:
                async with self._connected() as connection:
                    await self._enlist(connection)
                    if await self._lead(connection):
                        await self._relay(connection)
            except Unavailable as error:
                _log.warning("relay waits", code=error.code, error=error.detail)
            except FAULTS as error:
                tell = _log.warning if is_away(error) else _log.error
                tell("relay waits for the database", error=str(error))
            end_if_cancelled()
            await self._pause(_BACKOFF_SECONDS[min(self._failures, len(_BACKOFF_SECONDS) - 1)])
            self._failures += 1

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[Connection]:
        """A session of its own. Lock and work share it, so that whoever loses the one cannot write
        down the other."""
        connection = await connect(self._url)
        try:
            await connection.execute(QUERIES["quiet"])
            yield connection
        finally:
            connection.terminate()

    async def _enlist(self, connection: Connection) -> None:
        # Once: a relay that was forgotten meanwhile is not made anew.
        if not self._is_listed:
            await self._track.enlist(connection, self._after)
            self._is_listed = True

    async def _lead(self, connection: Connection) -> bool:
        """Waits until no other sends for this relay; False if told to stop before."""
        while not self._stopping.is_set():
            async with asyncio.timeout(_STATEMENT_SECONDS_MAX):
                if await self._track.lead(connection):
                    return True
            self._failures = 0
            await self._pause(_SEEK_SECONDS)
        return False

    async def _relay(self, connection: Connection) -> None:
        try:
            standing = await self._broker.open()
            place = await self._begin(connection, standing)
            _log.info("relay sends", horizon=place.horizon, position=place.position)
            while not self._stopping.is_set():
                async with asyncio.timeout(_STATEMENT_SECONDS_MAX):
                    # What is sent has a position: it need not wait for the numberer.
                    await connection.execute(_FEED["number"])
                    batch = await self._track.next(connection, place, BATCH_MAX)
                if batch.messages:
                    await self._broker.send(batch.messages)
                    place = await self._moved(connection, place, batch.until)
                self._failures = 0
                if len(batch.messages) < BATCH_MAX:
                    await self._pause(_IDLE_SECONDS)
        finally:
            await self._broker.close()

    async def _begin(self, connection: Connection, standing: str | None) -> RelayPlace:
        """Where to go on: behind what the broker says that it has, else where the relay was."""
        place = await self._track.place(connection)
        if standing is None:
            return place
        try:
            there = await self._track.place_behind(connection, standing)
        except CursorExpired:
            return place  # what the broker has lost since is not here either
        except CursorOfAnotherLife as error:
            raise BrokerRefused(
                "what is there was sent from another database", cursor=standing
            ) from error
        return await self._moved(connection, place, there)

    async def _moved(self, connection: Connection, place: RelayPlace, to: RelayPlace) -> RelayPlace:
        """The new place, written down. Who does not find the old one has been replaced, by another
        session that leads or by hand: it begins anew with the place that is there."""
        async with asyncio.timeout(_STATEMENT_SECONDS_MAX):
            if place != to and not await self._track.move(connection, place, to):
                return await self._track.place(connection)
        return to

    async def _pause(self, seconds: float) -> None:
        with suppress(TimeoutError):
            # Not wait_for: before Python 3.12 it may swallow a cancellation.
            async with asyncio.timeout(seconds):
                await self._stopping.wait()
