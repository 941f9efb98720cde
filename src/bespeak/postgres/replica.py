"""The replica of a process: a standby that answers reads, for as long as it follows the primary
closely. A watcher looks at both four times a second. It grants nothing: whoever reads from it gets
what was true a moment ago, and where it is behind, away, or not the primary's standby at all, reads
go to the primary.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import asyncpg
import structlog

from bespeak.postgres.hosts import connect_for_reads, hosts_of
from bespeak.postgres.lsn import NOTHING, UNKNOWN, Lsn, parse_lsn
from bespeak.postgres.pool import FAULTS, SESSION, connect, open_lazy_pool
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Pool

_QUERIES = load("bespeak.postgres", "replica.sql")
_LOOK_SECONDS = 0.25
_ANSWER_SECONDS = 1.0
_POOL_WAIT_SECONDS = 0.5
_CATCH_UP_SECONDS = 0.05
_CATCH_UP_LOOK_SECONDS = 0.004
_SEARCH_SECONDS = 10.0
_log = structlog.get_logger()


class ReplicaState(StrEnum):
    """How the replica stands."""

    FOLLOWS = "follows"  # it answers reads
    BEHIND = "behind"  # further than BESPEAK_READ_LAG_SECONDS_MAX, or the primary cannot be asked
    AWAY = "away"  # it does not answer
    OTHER = "other"  # it is of another cluster, database or timeline than the primary


class _Primary(NamedTuple):
    connection: Connection
    cluster: str
    database: str
    timeline: int


class _Sample(NamedTuple):
    """At this time (monotonic seconds), the primary's log was at least this long."""

    at: float
    lsn: Lsn


class Replica:
    """A standby for reads, and what is known of it. `lag_seconds_max` is how old an answer of it
    may be."""

    def __init__(
        self, primary_url: str, read_url: str, *, pool_max: int, lag_seconds_max: float
    ) -> None:
        self._primary_url = primary_url
        self._read_url = read_url
        self._pool_max = pool_max
        self._lag_seconds_max = lag_seconds_max
        self._primary: _Primary | None = None
        self._watched: Connection | None = None
        self._pool: Pool | None = None
        self._samples: deque[_Sample] = deque()
        self._current_at = -math.inf  # the replica had all that there was at this time
        self._fault = ReplicaState.AWAY  # why it does not answer, if it does not
        self._search_at = 0.0
        self.replayed = NOTHING
        """How far the replica has come, at least."""
        self._asked = asyncio.Event()
        self._answer: asyncio.Future[Lsn] | None = None
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begins to watch, on the running event loop. Until it has, reads go to the primary."""
        self._tasks = [
            asyncio.create_task(self._keep_watching()),
            asyncio.create_task(self._keep_telling()),
        ]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        _tell(self._answer, UNKNOWN)
        self._leave()
        self._lose_primary()

    @property
    def state(self) -> ReplicaState:
        """How it stands now."""
        if self._pool is None:
            return self._fault
        is_close = time.monotonic() - self._current_at <= self._lag_seconds_max
        return ReplicaState.FOLLOWS if is_close else ReplicaState.BEHIND

    @property
    def lag_seconds(self) -> float:
        """How old its answers may be: when it last had all that the primary had."""
        return time.monotonic() - self._current_at

    async def written(self) -> Lsn:
        """A position behind all that was committed before this was called: what whoever wrote it
        must find replayed to read it. UNKNOWN while the primary cannot be asked. All who ask at
        once share one look, on a connection that nothing else waits for."""
        if self._primary is None:
            return UNKNOWN
        if self._answer is None:
            self._answer = asyncio.get_running_loop().create_future()
            self._asked.set()
        return await asyncio.shield(self._answer)

    async def has(self, lsn: Lsn) -> bool:
        """Whether it has replayed up to there; waits a moment for it to catch up."""
        if lsn <= self.replayed:
            return True
        if lsn == UNKNOWN or self._pool is None:
            return False
        deadline = time.monotonic() + _CATCH_UP_SECONDS
        with suppress(*FAULTS):
            async with (
                asyncio.timeout_at(asyncio.get_running_loop().time() + _CATCH_UP_SECONDS),
                self.borrow() as connection,
            ):
                while True:
                    self._note(parse_lsn(await connection.fetchval(_QUERIES["replayed"])))
                    if lsn <= self.replayed:
                        return True
                    if time.monotonic() > deadline:
                        return False
                    await asyncio.sleep(_CATCH_UP_LOOK_SECONDS)
        return False

    @asynccontextmanager
    async def borrow(self) -> AsyncIterator[Connection]:
        """A connection to it. Raises ConnectionError where there is none at once, and what the
        driver raises."""
        pool = self._pool
        if pool is None:
            raise ConnectionError("the replica is away")
        async with asyncio.timeout(_POOL_WAIT_SECONDS):
            connection = await pool.acquire()
        try:
            yield connection
        finally:
            await pool.release(connection)

    # The primary, and how far it has come.

    async def _keep_telling(self) -> None:
        while True:
            await self._asked.wait()
            self._asked.clear()
            # Who asks from now on needs another look: a commit may come after this one's.
            answer, self._answer = self._answer, None
            lsn = UNKNOWN
            try:
                lsn = await self._flushed()
            finally:
                _tell(answer, lsn)

    async def _flushed(self) -> Lsn:
        primary = self._primary
        if primary is None:
            return UNKNOWN
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                return parse_lsn(await primary.connection.fetchval(_QUERIES["flushed"]))
        except FAULTS:
            self._lose_primary()
            return UNKNOWN

    async def _find_primary(self) -> None:
        if self._primary is not None:
            return
        connection = await connect(self._primary_url)
        row = await connection.fetchrow(_QUERIES["primary"])
        if row is None:
            connection.terminate()
            return
        found = _Primary(connection, row["cluster"], row["database"], row["timeline"])
        self._samples.clear()  # of another timeline perhaps, whose positions mean something else
        self._primary = found

    def _lose_primary(self) -> None:
        if self._primary is not None:
            self._primary.connection.terminate()
            self._primary = None

    # The replica.

    async def _keep_watching(self) -> None:
        while True:
            before = self.state
            try:
                await self._watch()
            except Exception as error:  # of whatever kind: without a watch nothing is known of it
                _log.error("replica", error=str(error))
                self._leave()
            if self.state is not before:
                _log.warning("replica", state=self.state, before=before)
            await asyncio.sleep(_LOOK_SECONDS)

    async def _watch(self) -> None:
        with suppress(*FAULTS):  # the primary is away: the samples tell how long ago it was asked
            await self._find_primary()
        at = time.monotonic()
        lsn = await self.written()
        if lsn != UNKNOWN:
            self._samples.append(_Sample(at, lsn))
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                await self._look()
        except FAULTS:
            self._leave(ReplicaState.AWAY)

    async def _look(self) -> None:
        """Looks at the replica: is it the primary's, and how far has it come?"""
        if self._watched is not None and self._watched.is_closed():
            self._leave()
        if self._watched is None:
            self._watched = await connect_for_reads(self._read_url, SESSION)
        watched, primary = self._watched, self._primary
        row = None if watched is None else await watched.fetchrow(_QUERIES["replica"])
        if row is None:
            return
        if (
            primary is not None
            and (row["cluster"], row["database"], row["timeline"]) != primary[1:]
        ):
            self._leave(ReplicaState.OTHER)
            return
        if not row["is_standby"] and len(hosts_of(self._read_url)) > 1:
            self._search()
        if self._pool is None and primary is not None:
            self._pool = await self._open_pool()
        self._note(parse_lsn(row["replayed"]))

    async def _open_pool(self) -> Pool | None:
        """A pool of connections to the server that is watched, and to no other: a name may stand
        for many, of which each has come to another place."""
        watched = self._watched
        if watched is None:
            return None
        server: str = await watched.fetchval(_QUERIES["server"])

        async def connect_there() -> asyncpg.Connection[asyncpg.Record]:
            connection = await connect_for_reads(self._read_url, SESSION)
            if await connection.fetchval(_QUERIES["server"]) != server:
                connection.terminate()
                raise ConnectionError("this is another server than the replica that is watched")
            return connection

        return await open_lazy_pool(connect_there, self._pool_max)

    def _search(self) -> None:
        """The server that was a standby is the primary now; another may be the standby soon."""
        now = time.monotonic()
        if now > self._search_at:
            self._search_at = now + _SEARCH_SECONDS
            self._leave()

    def _leave(self, because: ReplicaState = ReplicaState.AWAY) -> None:
        """Lets the replica go. Who reads from it at this moment is told so, and reads elsewhere."""
        self._fault = because
        # Of this server: the next may be another, which has not got as far.
        self.replayed, self._current_at = NOTHING, -math.inf
        if self._pool is not None:
            self._pool.terminate()
            self._pool = None
        if self._watched is not None:
            self._watched.terminate()
            self._watched = None

    def _note(self, replayed: Lsn) -> None:
        if self._pool is None or replayed == UNKNOWN:
            return
        self.replayed = max(self.replayed, replayed)
        while self._samples and self._samples[0].lsn <= self.replayed:
            self._current_at = self._samples.popleft().at
        oldest = time.monotonic() - self._lag_seconds_max
        while self._samples and self._samples[0].at < oldest:
            self._samples.popleft()


def _tell(answer: asyncio.Future[Lsn] | None, lsn: Lsn) -> None:
    if answer is not None and not answer.done():
        answer.set_result(lsn)
