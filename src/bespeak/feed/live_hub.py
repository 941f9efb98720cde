"""The live hub of a process: it reads the feed for all watched resources with one statement, some
twenty times a second while anybody watches, and tells the viewers. A viewer costs the database
nothing; a resource costs it a picture when its first viewer comes, and its share of the statement.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from typing import TYPE_CHECKING, NamedTuple

import asyncpg
import structlog

from bespeak import ids
from bespeak.errors import ResourceNotFound, ShuttingDown
from bespeak.feed.cursors import FeedPlace, parse_live_cursor
from bespeak.feed.errors import CursorExpired, CursorOfAnotherLife
from bespeak.feed.live_channel import NAMES_MAX, STALE_KINDS, Channel, ChannelEvent, Viewer
from bespeak.feed.live_news import LiveNews
from bespeak.feed.live_snapshot import happening_of, read_scene
from bespeak.postgres.pool import FAULTS, connect, is_away
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database, Record

_QUERIES = load("bespeak.feed", "live.sql")
ROUND_SECONDS = 0.05
"""A channel has at most one round in this time, and so its viewers twenty messages a second."""
_LINGER_SECONDS = 5.0
_AGAIN_SECONDS = 1.0
_CATCH_UP_SECONDS = 2.0
_EVENTS_MAX = 2000
_MISSED_EVENTS_MAX = 1000
_TOLD_AT_ONCE = 200
_log = structlog.get_logger()


class StreamSeat(NamedTuple):
    """Where a viewer that joined begins: its channel, the round that it is at (None: it has seen
    nothing that helps), and whether it `lost` what it had seen."""

    channel: Channel
    place: int | None
    lost: bool


class Live:
    """The channels of a process and their viewers."""

    def __init__(self, url: str, database: Database) -> None:
        self._url = url
        self._database = database
        self._channels: dict[int, Channel] = {}
        self._opening: dict[int, asyncio.Task[Channel]] = {}
        self._wanted = asyncio.Event()
        self._looked = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def channels(self) -> int:
        """How many resources are watched."""
        return len(self._channels)

    async def join(self, resource_id: str, viewer: Viewer, after: str | None = None) -> StreamSeat:
        """Adds a viewer to a resource, from a cursor on if it has one.
        Raises ResourceNotFound, InvalidId, InvalidCursor, DatabaseUnavailable, ShuttingDown."""
        number = ids.parse_resource(resource_id)
        if self._closed:
            raise ShuttingDown(retry_after_seconds=1)
        seen = parse_live_cursor(after) if after is not None else None
        channel = await self._channel(number)
        if viewer.published_only and not channel.published:
            raise ResourceNotFound(resource_id=resource_id)
        channel.viewers[viewer] = None
        try:
            if after is None:
                return StreamSeat(channel, None, lost=False)
            place = await self._resume(channel, seen or await self._seen_of_feed(channel, after))
            return StreamSeat(channel, place, lost=place is None)
        except BaseException:
            self.leave(channel, viewer)
            raise

    def leave(self, channel: Channel, viewer: Viewer) -> None:
        """Removes a viewer. Its resource is watched for some seconds more: it may come back."""
        channel.viewers.pop(viewer, None)
        if not channel.viewers:
            channel.idle_since = time.monotonic()

    async def watch(
        self, resource_id: str, after: str | None = None, *, published_only: bool = False
    ) -> AsyncIterator[LiveNews]:
        """What is told of a resource, as it comes. It ends when the engine closes."""
        viewer = _Observer(published_only)
        seat = await self.join(resource_id, viewer, after)
        channel, place, lost = seat
        resumes = place is not None
        try:
            while not viewer.ended:
                viewer.woken.clear()
                if published_only and not channel.published:
                    return
                news = channel.news(place, resumes=resumes, lost=lost)
                if news is None:
                    await viewer.woken.wait()
                    continue
                place, resumes, lost = news.place, False, False
                for message in news.messages:
                    yield message
        finally:
            self.leave(channel, viewer)

    async def close(self) -> None:
        """Ends all that watch."""
        self._closed = True
        for channel in self._channels.values():
            for viewer in list(channel.viewers):
                viewer.end()
        tasks: list[asyncio.Task[Channel] | asyncio.Task[None]] = [*self._opening.values()]
        if self._task is not None:
            tasks.append(self._task)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _channel(self, number: int) -> Channel:
        channel = self._channels.get(number)
        if channel is not None:
            channel.idle_since = None
            return channel
        task = self._opening.get(number)
        if task is None:
            task = asyncio.create_task(self._open(number))
            self._opening[number] = task
            task.add_done_callback(lambda _: self._opening.pop(number, None))
        return await asyncio.shield(task)

    async def _open(self, number: int) -> Channel:
        resource_id = ids.show_resource(number)
        async with self._database.borrow() as connection:
            scene = await read_scene(connection, resource_id)
        channel = Channel(number, resource_id, scene)
        # Whoever asked for it may be gone by now: then it is closed again like any other.
        channel.idle_since = time.monotonic()
        self._channels[number] = channel
        if self._task is None and not self._closed:
            self._task = asyncio.create_task(self._follow())
        self._wanted.set()
        return channel

    async def _seen_of_feed(self, channel: Channel, cursor: str) -> FeedPlace | None:
        """How far one has seen who has read the feed to this cursor; None where nobody can say."""
        try:
            async with self._database.borrow() as connection:
                horizon = await connection.fetchval(_QUERIES["horizon_of"], cursor)
        except asyncpg.PostgresError as error:
            if error.sqlstate not in (CursorExpired.sqlstate, CursorOfAnotherLife.sqlstate):
                raise
            return None
        return FeedPlace(channel.epoch, horizon)

    async def _resume(self, channel: Channel, seen: FeedPlace | None) -> int | None:
        """The round of a viewer that has seen all before this horizon, if it can be told."""
        if seen is None or seen.epoch != channel.epoch:
            return None  # what it has seen may never have happened in this life
        if seen.horizon > channel.horizon:
            # It was told by another process, which had looked later. One look, and we have too; if
            # not even then, the cursor is none of this database.
            await self._look_again(channel, seen.horizon)
        elif seen.horizon < channel.covered_from:
            await self._reach_back(channel, seen.horizon)
        return channel.place(seen)

    async def _look_again(self, channel: Channel, horizon: int) -> None:
        try:
            async with asyncio.timeout(_CATCH_UP_SECONDS), self._looked:
                # Two looks: the one under way may have begun before.
                for _ in range(2):
                    await self._looked.wait()
                    if channel.horizon >= horizon:
                        return
        except TimeoutError:
            return

    async def _reach_back(self, channel: Channel, horizon: int) -> None:
        """Reads what happened since a horizon that the channel does not cover, where that is not
        too much: once, however many come back at the same time."""
        async with channel.reaching:
            if horizon >= channel.covered_from or channel.reached_its_end:
                return
            resets, covered_from = channel.resets, channel.covered_from
            async with self._database.borrow() as connection:
                rows = await connection.fetch(
                    _QUERIES["before"],
                    channel.number,
                    horizon,
                    covered_from,
                    _MISSED_EVENTS_MAX,
                )
            if (channel.resets, channel.covered_from) == (resets, covered_from):
                _remember(channel, [happening_of(row) for row in rows], horizon)

    async def _follow(self) -> None:
        """Looks while there are channels, on a connection of its own, and again when it is lost."""
        while True:
            await self._wanted.wait()
            connection: asyncpg.Connection[asyncpg.Record] | None = None
            try:
                connection = await connect(self._url)
                await connection.execute(_QUERIES["steady"])
                await self._look_while_watched(connection)
            except FAULTS as error:
                if not is_away(error):
                    _log.error("the live feed failed", error=str(error))
                await asyncio.sleep(_AGAIN_SECONDS)
            except Exception:
                # A fault of ours must not leave thousands with a picture that stands still.
                _log.exception("the live feed failed")
                await asyncio.sleep(_AGAIN_SECONDS)
            finally:
                if connection is not None:
                    connection.terminate()

    async def _look_while_watched(self, connection: Connection) -> None:
        # A look that broke off may have told nobody of what it had seen.
        for channel in list(self._channels.values()):
            await self._tell(channel)
        while self._channels:
            began = time.monotonic()
            changed = await self._look(connection)
            async with self._looked:
                self._looked.notify_all()
            for channel in changed:
                await self._tell(channel)
            spent = time.monotonic() - began
            # At least as long at rest as at work: the rest of the process wants its share.
            await asyncio.sleep(max(ROUND_SECONDS - spent, spent))
            self._close_idle()
        self._wanted.clear()

    async def _look(self, connection: Connection) -> list[Channel]:
        """Takes in what happened since the last look; the channels that have something to tell."""
        channels = dict(self._channels)
        rows = await connection.fetch(
            _QUERIES["news"],
            list(channels),
            [channel.horizon for channel in channels.values()],
            _EVENTS_MAX,
        )
        present, epoch = rows[0]["present"], rows[0]["epoch"]
        happened: dict[int, list[ChannelEvent]] = {}
        for row in rows:
            if row["resource_id"] is not None:
                happened.setdefault(row["resource_id"], []).append(happening_of(row))
        touched = {
            number: channels[number].touched_pools(events) for number, events in happened.items()
        }
        drawn = await _levels(connection, touched)
        changed: list[Channel] = []
        for number, channel in channels.items():
            events = happened.get(number, [])
            # In a new life of the feed some of what was told may never have happened.
            stale = epoch != channel.epoch or any(one.kind in STALE_KINDS for one in events)
            channel.at = rows[0]["at"]
            if (
                stale
                or len(events) >= _EVENTS_MAX
                or sum(len(one.units) for one in events) > NAMES_MAX
            ):
                channel.reset(await read_scene(connection, channel.resource_id), stale=stale)
                changed.append(channel)
            elif channel.apply(events, max(present, channel.horizon), drawn.get(number, {})):
                changed.append(channel)
        return changed

    async def _tell(self, channel: Channel) -> None:
        """Tells the viewers, some at a time, so that a crowd of them does not hold up the rest."""
        for count, viewer in enumerate(list(channel.viewers), start=1):
            viewer.tell()
            if count % _TOLD_AT_ONCE == 0:
                await asyncio.sleep(0)

    def _close_idle(self) -> None:
        now = time.monotonic()
        for number, channel in list(self._channels.items()):
            since = channel.idle_since
            if not channel.viewers and since is not None and now - since > _LINGER_SECONDS:
                del self._channels[number]


class _Observer:
    """Who watches from within the process."""

    def __init__(self, published_only: bool) -> None:
        self.published_only = published_only
        self.woken = asyncio.Event()
        self.ended = False

    def tell(self) -> None:
        self.woken.set()

    def end(self) -> None:
        self.ended = True
        self.woken.set()


async def _levels(
    connection: Connection, touched: dict[int, set[str]]
) -> dict[int, dict[str, int]]:
    """How many are drawn of the pools that were touched."""
    asked = [(number, pool) for number, pools in touched.items() for pool in pools]
    if not asked:
        return {}
    rows: Iterable[Record] = await connection.fetch(
        _QUERIES["levels"], [number for number, _ in asked], [pool for _, pool in asked]
    )
    found = {number: dict.fromkeys(pools, 0) for number, pools in touched.items()}
    for row in rows:
        found[row["resource_id"]][row["unit"]] = row["drawn"]
    return found


def _remember(channel: Channel, latest_first: list[ChannelEvent], horizon: int) -> None:
    """Gives a channel the events that it did not have, as far back as they are complete."""
    events = latest_first[::-1]
    since = horizon
    if len(events) == _MISSED_EVENTS_MAX:
        # There may be more of the horizon of the oldest one.
        since = events[0].horizon + 1
    for event in reversed(events):
        if event.kind in STALE_KINDS:
            since = max(since, event.horizon + 1)
            break
    channel.reach_back([event for event in events if event.horizon >= since], since)
    channel.reached_its_end = since > horizon
