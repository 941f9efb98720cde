"""The committer: requests that arrive while a batch is being written go together into the next one.
There is no timer, so one request alone waits for nobody, and a rush shares its round trips and
its fsync. It guarantees that every accepted request is answered, also on shutdown and when the
database goes away, and that no batch names a thing twice.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from bespeak.errors import (
    BespeakError,
    DatabaseUnavailable,
    InternalError,
    Overloaded,
    ShuttingDown,
)
from bespeak.postgres.pool import COLLIDED, FAULTS, connect, is_away

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

Request: TypeAlias = tuple[object, ...]
Arguments: TypeAlias = tuple[object, ...]

_COLLISIONS_MAX = 5
_RECONNECT_SECONDS = 0.1
_FAULTS: tuple[type[Exception], ...] = (
    *FAULTS,
    TypeError,
    ValueError,
    OverflowError,
)


class Verb:
    """One batched statement: its text, its arguments from requests, whether it frees units."""

    __slots__ = ("arguments", "frees", "name", "text")

    def __init__(
        self,
        name: str,
        text: str,
        arguments: Callable[[Sequence[BatchEntry]], Arguments],
        *,
        frees: bool = False,
    ) -> None:
        self.frees = frees
        self.name = name
        self.text = text
        self.arguments = arguments


class BatchEntry:
    """One request on its way. `touches` are what no other job of a batch may name; `early` is
    asked again when the job had to wait for another one with the same touches; `learn` sees the
    row before any such job is let go; `versions` are the resource versions it was judged by."""

    __slots__ = ("answer", "early", "learn", "queued_at", "request", "touches", "verb", "versions")

    def __init__(
        self,
        verb: Verb,
        request: Request,
        touches: tuple[Hashable, ...],
        answer: asyncio.Future[Record],
        early: Callable[[], BespeakError | None] | None = None,
        learn: Callable[[Record], None] | None = None,
        versions: tuple[tuple[int, int], ...] = (),
    ) -> None:
        self.verb = verb
        self.request = request
        self.touches = touches
        self.answer = answer
        self.early = early
        self.learn = learn
        self.versions = versions
        self.queued_at = time.monotonic()


class CommitterObserver:
    """What the committer tells whoever counts; the metrics override it."""

    def batch(self, verb: str, size: int, seconds: float) -> None:
        """A batch of so many requests took so long."""

    def freed(self) -> None:
        """Units may have been freed; other processes want to forget that they were taken."""

    def expired(self, count: int) -> None:
        """So many holds lapsed and were tidied up."""


class Committer:
    """Takes jobs, writes them in batches over its lanes, answers each."""

    def __init__(
        self,
        url: str,
        *,
        lanes: int,
        batch_max: int,
        queue_max: int,
        wait_seconds: float,
        observer: CommitterObserver | None = None,
        connector: Callable[[str], Awaitable[Connection]] = connect,
    ) -> None:
        self._url = url
        self._batch_max = batch_max
        self._queue_max = queue_max
        self._wait_seconds = wait_seconds
        self._observer = observer or CommitterObserver()
        self._connector = connector
        self._queues: dict[Verb, deque[BatchEntry]] = {}
        self._busy: dict[Hashable, deque[BatchEntry]] = {}
        self._waiting = 0
        self._closing = False
        self._idle: deque[asyncio.Future[None]] = deque()
        self._lane_count = lanes
        self._lanes: list[asyncio.Task[None]] = []

    @property
    def waiting(self) -> int:
        """How many requests wait or are being written."""
        return self._waiting

    @property
    def is_full(self) -> bool:
        """Whether the next request would be refused."""
        return self._waiting >= self._queue_max or self._closing

    def start(self) -> None:
        """Starts the lanes on the running event loop."""
        self._lanes = [asyncio.create_task(self._lane()) for _ in range(self._lane_count)]

    async def close(self) -> None:
        """Takes no more, answers all that was taken, and ends the lanes."""
        self._closing = True
        while self._idle:
            _wake(self._idle.popleft())
        await asyncio.gather(*self._lanes)

    def submit(
        self,
        verb: Verb,
        request: Request,
        touches: tuple[Hashable, ...],
        early: Callable[[], BespeakError | None] | None = None,
        learn: Callable[[Record], None] | None = None,
        versions: tuple[tuple[int, int], ...] = (),
    ) -> asyncio.Future[Record]:
        """Takes a request; the future gets its row. Raises Overloaded, ShuttingDown."""
        if self._closing:
            raise ShuttingDown(retry_after_seconds=1)
        if self._waiting >= self._queue_max:
            raise Overloaded(retry_after_seconds=1)
        answer: asyncio.Future[Record] = asyncio.get_running_loop().create_future()
        job = BatchEntry(verb, request, touches, answer, early, learn, versions)
        self._waiting += 1
        self._enqueue(job)
        return answer

    def _enqueue(self, job: BatchEntry) -> None:
        for touch in job.touches:
            parked = self._busy.get(touch)
            if parked is not None:
                parked.append(job)
                return
        for touch in job.touches:
            self._busy[touch] = deque()
        queue = self._queues.get(job.verb)
        if queue is None:
            queue = self._queues[job.verb] = deque()
        queue.append(job)
        if self._idle:
            _wake(self._idle.popleft())

    def _take(self) -> list[BatchEntry]:
        """The next batch: of the verb whose oldest request waits longest."""
        oldest: deque[BatchEntry] | None = None
        for queue in self._queues.values():
            if queue and (oldest is None or queue[0].queued_at < oldest[0].queued_at):
                oldest = queue
        if oldest is None:
            return []
        return [oldest.popleft() for _ in range(min(len(oldest), self._batch_max))]

    async def _lane(self) -> None:
        connection: Connection | None = None
        try:
            while True:
                batch = self._take()
                if batch:
                    connection = await self._survive(connection, batch)
                elif self._closing and self._waiting == 0:
                    return
                else:
                    bell: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                    self._idle.append(bell)
                    await bell
        finally:
            if connection is not None:
                await connection.close()

    async def _survive(
        self, connection: Connection | None, batch: list[BatchEntry]
    ) -> Connection | None:
        """Writes a batch, and fails it for whatever nobody thought of: a lane that ended would
        leave everyone waiting for ever."""
        try:
            return await self._write(connection, batch)
        except Exception as error:
            _drop(connection)
            if not all(job.answer.done() for job in batch):
                self._fail(batch, InternalError(str(error)))
            return None

    async def _write(
        self, connection: Connection | None, batch: list[BatchEntry]
    ) -> Connection | None:
        """Writes a batch, again and again while the database is away, up to the waiting time.
        Repeating is safe: ids are made before, and keys tell what was done."""
        deadline = time.monotonic() + self._wait_seconds
        collisions = 0
        while True:
            try:
                if connection is None or connection.is_closed():
                    connection = await self._connector(self._url)
                started = time.monotonic()
                verb = batch[0].verb
                rows = await connection.fetch(verb.text, *verb.arguments(batch), timeout=30)
            except COLLIDED as error:
                collisions += 1
                if collisions > _COLLISIONS_MAX:
                    self._fail(batch, DatabaseUnavailable(str(error), retry_after_seconds=1))
                    return connection
            except _FAULTS as error:
                if not is_away(error):
                    return await self._write_alone(connection, batch, error)
                _drop(connection)
                connection = None
                if time.monotonic() > deadline:
                    self._fail(batch, DatabaseUnavailable(retry_after_seconds=2, cause=str(error)))
                    return connection
                await asyncio.sleep(_RECONNECT_SECONDS)
            else:
                self._answer(batch, rows)
                self._observer.batch(verb.name, len(batch), time.monotonic() - started)
                if verb.frees:
                    self._observer.freed()
                return connection

    async def _write_alone(
        self, connection: Connection | None, batch: list[BatchEntry], error: BaseException
    ) -> Connection | None:
        """One request spoils the batch: each goes alone, so that only that one fails."""
        if len(batch) == 1:
            self._fail(batch, InternalError(str(error)))
            return connection
        for job in batch:
            connection = await self._write(connection, [job])
        return connection

    def _answer(self, batch: list[BatchEntry], rows: Sequence[Record]) -> None:
        for row in rows:
            job = batch[row["ordinal"] - 1]
            if job.learn is not None:
                job.learn(row)
            if not job.answer.done():
                job.answer.set_result(row)
        self._let_go(batch)

    def _fail(self, batch: list[BatchEntry], error: BespeakError) -> None:
        for job in batch:
            if not job.answer.done():
                job.answer.set_exception(error)
        self._let_go(batch)

    def _let_go(self, batch: list[BatchEntry]) -> None:
        self._waiting -= len(batch)
        parked: list[BatchEntry] = []
        for job in batch:
            for touch in job.touches:
                parked.extend(self._busy.pop(touch, ()))
        for job in parked:
            refusal = job.early() if job.early is not None else None
            if refusal is None:
                self._enqueue(job)
            else:
                self._waiting -= 1
                if not job.answer.done():
                    job.answer.set_exception(refusal)
        if self._closing:
            while self._idle:
                _wake(self._idle.popleft())


def _wake(bell: asyncio.Future[None]) -> None:
    if not bell.done():
        bell.set_result(None)


def _drop(connection: Connection | None) -> None:
    if connection is not None and not connection.is_closed():
        connection.terminate()
