"""How the index of a process stays true: it is built when somebody searches for the first time,
from the tables or from a snapshot in a file, and then follows the feed. What an event names is read
anew from the tables, so that it does no harm to be told twice, late, or in another order. While the
database is away the last state is answered.

Beside the following, another task writes the index into a file, sorts it, or takes a newer file:
each from what there was at one time. What is made so reads on from there, and answers once it knows
what the index does that answered until then.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import structlog

from bespeak import ids
from bespeak.background import IdlePause
from bespeak.errors import Unavailable
from bespeak.feed.errors import CursorExpired, CursorOfAnotherLife
from bespeak.feed.feed_snapshot import read_feed_snapshot
from bespeak.feed.reader import EVENTS_MAX, Event, complete_until, read
from bespeak.postgres.pool import FAULTS, is_away
from bespeak.postgres.queries import load
from bespeak.states import EventKind
from bespeak.verticals.stays.errors import OutsideRegion, SearchNotReady
from bespeak.verticals.stays.search.array_file import UnusableFile
from bespeak.verticals.stays.search.index import StaysIndex
from bespeak.verticals.stays.search.region import SearchRegion
from bespeak.verticals.stays.search.rows import listing_of
from bespeak.verticals.stays.search.snapshot import Restored, SnapshotFile, sorted_anew
from bespeak.verticals.stays.search.snapshot_times import SnapshotTimes

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database, Record
    from bespeak.verticals.stays.search.polygons import EarthArea

_QUERIES = load("bespeak.verticals.stays.search", "index.sql")
_PAGE = 500
_LOOK_SECONDS = 0.1
_QUIET_LOOK_SECONDS = 0.3
_TEND_SECONDS = 0.5
_EMPTY_SECONDS = 1.0
_AGAIN_SECONDS = 1.0
_READY_SECONDS = 5.0
_STALE = timedelta(seconds=5)
# What was true so long ago is no answer any more.
_SNAPSHOT_AGE_MAX = timedelta(days=1)
# How long who has a snapshot waits for the database before it answers from it.
_PATIENCE_SECONDS = 1.0
# Then the nights that columns have room for do not reach as far ahead as stays do.
_DAYS_BEHIND_MAX = 30
# Long before that, the index is put in order with its nights from a later one on.
_DAYS_BEHIND = 7
_SORT_AGAIN_SECONDS = 60.0
# Of these a listing is read anew, whatever they name; all others name units.
_OF_LISTINGS = (EventKind.CREATED, EventKind.CHANGED, EventKind.CALLED_OFF)
_log = structlog.get_logger()


class StaysSearcher:
    """The index of a process and the task that keeps it."""

    def __init__(
        self,
        database: Database,
        snapshots: SnapshotFile | None = None,
        region: SearchRegion | None = None,
    ) -> None:
        self._database = database
        self.region = region
        self._edges = (None,) * 4 if region is None else region.edges
        self._snapshots = snapshots
        self._snapshot_times = None if snapshots is None else SnapshotTimes(snapshots)
        self.index = StaysIndex(_first_night())
        self.cursor: str | None = None
        # When the snapshot was written that the index was last read from.
        self._mapped_at = 0.0
        self._sort_again_at = 0.0
        self._ready = asyncio.Event()
        self._as_of = datetime.fromtimestamp(0, UTC)
        # An index in which something turned out to be wrong.
        self._doubted: StaysIndex | None = None
        self._pause = IdlePause(_LOOK_SECONDS, _QUIET_LOOK_SECONDS)
        # Whether the last look was answered.
        self._is_heard = False
        # Held while the index and its place in the feed may not belong together.
        self._reading = asyncio.Lock()
        self._task = asyncio.create_task(self._keep())

    async def close(self) -> None:
        """Ends the following."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def ready(self) -> StaysIndex:
        """The index, once it is built. Raises SearchNotReady."""
        try:
            async with asyncio.timeout(_READY_SECONDS):
                await self._ready.wait()
        except TimeoutError as error:
            raise SearchNotReady(retry_after_seconds=1) from error
        return self.index

    @contextmanager
    def answering(self) -> Iterator[StaysIndex]:
        """The index to answer from, or to copy. Raises SearchNotReady where its file turns out to
        be damaged: then all is read from the tables."""
        index = self.index
        try:
            yield index
        except UnusableFile as error:
            self._doubted = index
            _log.warning("search snapshot not usable", why=str(error))
            raise SearchNotReady(retry_after_seconds=1) from error

    def check_covers(self, area: EarthArea | None) -> None:
        """Raises OutsideRegion for what lies not wholly in the region; None is all of the earth."""
        if self.region is not None and (area is None or not self.region.covers(area)):
            raise OutsideRegion

    @property
    def as_of(self) -> datetime:
        """The time for which the index holds."""
        return self._as_of

    @property
    def is_stale(self) -> bool:
        """Whether for long nothing was heard of the database, or of its feed."""
        return datetime.now(UTC) - self._as_of > _STALE

    async def _restore(self) -> None:
        """Takes what the last snapshot has, to be answered from where the database does not."""
        if self._snapshots is None:
            return
        self._mapped_at = self._snapshots.written_at
        restored = await self._snapshots.read(_first_night())
        if restored is None or not _is_young(restored):
            return
        self.index, self.cursor = restored.index, restored.head.cursor
        self._as_of = restored.head.as_of
        asyncio.get_running_loop().call_later(_PATIENCE_SECONDS, self._ready.set)

    async def _keep(self) -> None:
        try:
            await self._restore()
        except Exception:  # whatever it is: then all is read from the tables
            _log.exception("search snapshot not read")
        await asyncio.gather(self._repeat(self._follow), self._repeat(self._tend))

    async def _repeat(self, step: Callable[[], Awaitable[float]]) -> None:
        """Takes a step after the other, each so many seconds behind the one before as that says."""
        while True:
            try:
                pause = await step()
            except Unavailable:
                pause = _AGAIN_SECONDS
            except FAULTS as error:
                if not is_away(error):
                    _log.error("search failed", error=str(error))
                pause = _AGAIN_SECONDS
            except Exception:  # whatever it is: the others are to be found all the same
                _log.exception("search failed")
                pause = _AGAIN_SECONDS
            await asyncio.sleep(pause)

    async def _follow(self) -> float:
        try:
            await self.look()
        except (CursorExpired, CursorOfAnotherLife):
            self.cursor = None
            return 0.0
        except Exception as error:
            self._is_heard = False
            if not isinstance(error, (Unavailable, *FAULTS)):
                self._doubted = self.index  # still that which was looked at
            raise
        self._is_heard = True
        return self._pause.next() if self.index else _EMPTY_SECONDS

    async def _tend(self) -> float:
        """What takes long, while the index goes on: not where nothing could come of it, or what is
        known is that of a file."""
        if self._is_heard and self.cursor is not None and not self._is_useless:
            if self._snapshot_times is not None:
                with self.answering() as index:
                    await self._snapshot_times.write_if_due(
                        index, self.cursor, self._as_of, _first_night()
                    )
            await self._sort()
        # The first snapshot is for whoever starts without the database, so it does not wait.
        return _TEND_SECONDS if self._is_heard else _LOOK_SECONDS

    async def look(self) -> None:
        """Builds the index, or reads on. What is known holds for the time before it was read, or up
        to which the feed was complete: where nobody numbers events, it stands still."""
        async with self._reading, self._database.borrow() as connection:
            if self.cursor is None or self._is_useless:
                looked_at = datetime.now(UTC)
                await self._build(connection)
                self._as_of = looked_at
            else:
                complete = await complete_until(connection)
                self.cursor = await self._read_on(connection, self.index, self.cursor)
                self._as_of = max(self._as_of, complete)  # tables may have told more than the feed
            self._ready.set()

    @property
    def _is_useless(self) -> bool:
        """Whether all is to be read from the tables, wherever one would go on."""
        is_old = _first_night() - self.index.first_night > _DAYS_BEHIND_MAX
        return is_old or self._doubted is self.index

    async def _sort(self) -> None:
        """Puts the index in order, where much of it is in the memory of this process alone: from a
        newer snapshot, which all processes of the machine share, else by itself."""
        behind = _first_night() - self.index.first_night > _DAYS_BEHIND
        if not (self.index.is_worn or behind) or await self._take_newer():
            return
        cursor, as_of = self.cursor, self._as_of
        if not (self.index.is_loose or behind) or time.monotonic() < self._sort_again_at:
            return
        if cursor is None:  # it was lost meanwhile
            return
        # Where nothing comes of it, it need not be sorted again and again.
        self._sort_again_at = time.monotonic() + _SORT_AGAIN_SECONDS
        try:
            with self.answering() as source:
                index = await sorted_anew(source, _first_night())
        except OSError as error:  # it answers as it is, with more memory
            _log.warning("search index not sorted", error=str(error))
            return
        if await self._take_over(index, cursor, as_of, source):
            self._sort_again_at = 0.0

    async def _take_newer(self) -> bool:
        """Takes a snapshot that is newer than what the index was read from, once it knows what the
        index does. Whether there was one."""
        if self._snapshots is None:
            return False
        mapped_at, written_at = self._mapped_at, self._snapshots.written_at
        if written_at == mapped_at:
            return False
        self._mapped_at = written_at  # whatever comes of it, it is not looked at forever
        restored = await self._snapshots.read(_first_night())
        if restored is None or not _is_young(restored):
            return False
        try:
            return await self._take_over(restored.index, restored.head.cursor, restored.head.as_of)
        except Exception as error:
            if isinstance(error, Unavailable) or is_away(error):
                self._mapped_at = mapped_at  # but again once the database is there
            raise

    async def _take_over(
        self, index: StaysIndex, cursor: str, as_of: datetime, source: StaysIndex | None = None
    ) -> bool:
        """Lets an index answer from now on, once it knows what the feed has told the one before it,
        which goes on while there is much to read. Whether it does: not a copy of a source which was
        doubted or left meanwhile, nor what turns out to be no better. Raises Unavailable."""
        try:
            async with self._database.borrow() as connection:
                cursor = await self._read_on(connection, index, cursor)
            async with self._reading, self._database.borrow() as connection:
                complete = await complete_until(connection)
                cursor = await self._read_on(connection, index, cursor)
                if source is not None and (source is not self.index or self._is_useless):
                    return False
                self.index, self.cursor = index, cursor
                # It need not know what the tables told the one before.
                self._as_of = max(as_of, complete)
        except (CursorExpired, CursorOfAnotherLife):  # what answers is none the worse for it
            return False
        except UnusableFile as error:  # nor for this
            _log.warning("search snapshot not usable", why=str(error))
            return False
        return True

    async def _build(self, connection: Connection) -> None:
        """Reads all listings. The place in the feed is noted first, so that what happens meanwhile
        comes again."""
        if not await connection.fetchval(_QUERIES["any"]):
            self.index = StaysIndex(_first_night())  # nothing to follow: it is asked again
            return
        cursor = (await read_feed_snapshot(connection, limit=1)).cursor
        index = StaysIndex(_first_night())
        last = 0
        while some := await connection.fetch(_QUERIES["numbers"], last, _PAGE):
            numbers = [row["resource_id"] for row in some]
            for row in await self._listings(connection, index, numbers):
                index.put(listing_of(row))
            last = numbers[-1]
            await asyncio.sleep(0)  # whoever waits for this process is answered in between
        self.index, self.cursor = index, cursor

    async def _read_on(self, connection: Connection, index: StaysIndex, cursor: str) -> str:
        """Reads the feed to its end, and what it names from the tables."""
        while True:
            page = await read(connection, cursor, EVENTS_MAX)
            if page.items:
                self._pause.note_found()
                whole = await self._read_listings(connection, index, page.items)
                others = [one for one in page.items if one.resource_id not in whole]
                await self._read_units(connection, index, others)
            cursor = page.next
            if len(page.items) < EVENTS_MAX:
                return cursor

    async def _read_listings(
        self, connection: Connection, index: StaysIndex, events: Iterable[Event]
    ) -> set[str]:
        """What was made or changed is read whole, and what shares a property with it where that is
        rated otherwise than was known: of a rating one of its listings is told. Answers what was
        made or changed: of that all is known for which these events are."""
        whole = {one.resource_id for one in events if one.kind in _OF_LISTINGS}
        named = {ids.parse_resource(one) for one in whole}
        if not named:
            return whole
        await self._read_whole(connection, index, named)
        rated = await connection.fetch(_QUERIES["rated"], list(named))
        await self._read_whole(
            connection,
            index,
            {
                row["resource_id"]
                for row in rated
                if index.rating_of(row["resource_id"])
                not in (None, (row["rating"], row["ratings"]))
            },
        )
        return whole

    async def _read_whole(
        self, connection: Connection, index: StaysIndex, numbers: set[int]
    ) -> None:
        left = sorted(numbers)
        while left:
            some, left = left[:_PAGE], left[_PAGE:]
            rows = await self._listings(connection, index, some)
            for number in set(some) - {row["resource_id"] for row in rows}:
                index.drop(number)
            for row in rows:
                index.put(listing_of(row))

    async def _listings(
        self, connection: Connection, index: StaysIndex, numbers: Sequence[int]
    ) -> list[Record]:
        """The rows of listings of the region, with what is taken from the index's first night."""
        begin = _shown_night(index.first_night)
        return await connection.fetch(_QUERIES["listings"], numbers, begin, *self._edges)

    async def _read_units(
        self, connection: Connection, index: StaysIndex, events: Iterable[Event]
    ) -> None:
        """Of all else, the units that are named: as they stand now."""
        named = {
            (number, line.unit)
            for one in events
            if (number := ids.parse_resource(one.resource_id)) in index
            for line in one.lines
        }
        if not named:
            return
        numbers, units = [number for number, _ in named], [unit for _, unit in named]
        for row in await connection.fetch(_QUERIES["units"], numbers, units):
            index.mark(
                row["resource_id"], row["unit"], is_taken=row["is_taken"], drawn=row["drawn"]
            )


def _is_young(restored: Restored) -> bool:
    return datetime.now(UTC) - restored.head.as_of <= _SNAPSHOT_AGE_MAX


def _first_night() -> int:
    """The ordinal of the date from which on nights count: two days ago, whatever the zone."""
    return (datetime.now(UTC).date() - timedelta(days=2)).toordinal()


def _shown_night(night: int) -> str:
    return date.fromordinal(night).isoformat()
