"""The committer: requests that arrive while a batch is being written go together into the next one.
There is no timer, so one request alone waits for nobody, and a rush shares its round trips and
its fsync. It guarantees that every accepted request is answered, also on shutdown and when the
database goes away, and that no batch names a thing twice.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence
from copy import copy
from typing import (
    TYPE_CHECKING,
    Any,  # any: a queue has entries of every verb
    Generic,
    Protocol,
    TypeAlias,
    TypeVar,
)

import asyncpg

from bespeak.errors import (
    BespeakError,
    DatabaseUnavailable,
    InternalError,
    Overloaded,
    ShuttingDown,
)
from bespeak.postgres.errors import DatabaseReadOnly
from bespeak.postgres.own_loop import OwnLoop
from bespeak.postgres.pool import COLLIDED, FAULTS, READ_ONLY, connect_impatient, is_away
from bespeak.postgres.queries import load
from bespeak.reservations.apart import Apart
from bespeak.reservations.caller_rows import write_as_caller
from bespeak.reservations.lane_turns import LaneTurns

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

Request = TypeVar("Request")
Arguments: TypeAlias = tuple[object, ...]

_CONFIRM_REPLICATED = load("bespeak.reservations", "verbs.sql")["confirm_replicated"]
_COLLISIONS_MAX = 5
_RECONNECT_SECONDS = 0.1
_FAULTS: tuple[type[Exception], ...] = (
    *FAULTS,
    TypeError,
    ValueError,
    OverflowError,
)


class Verb(Generic[Request]):
    """One batched statement: its text, its arguments from a batch, whether it frees units, and the
    things that a request of it locks, by any names; and its form for connections of callers. One
    that gives way to the others has a `part_max`, and goes so many at a time."""

    __slots__ = ("arguments", "frees", "name", "part_max", "text", "text_as_json", "things")

    def __init__(
        self,
        name: str,
        text: str,
        arguments: Callable[[Sequence[BatchEntry[Request]]], Arguments],
        *,
        frees: bool = False,
        things: Callable[[Request], Iterable[Hashable]] = lambda request: (),
        text_as_json: str | None = None,
        part_max: int = 0,
    ) -> None:
        self.frees = frees
        self.part_max = part_max
        self.things = things
        self.name = name
        self.text = text
        self.text_as_json = text_as_json
        self.arguments = arguments


class BatchEntry(Generic[Request]):
    """One request on its way; `Committer.submit` says what it carries."""

    __slots__ = (
        "answer",
        "keys",
        "known_refusal",
        "on_answer",
        "queued_at",
        "request",
        "verb",
        "versions",
    )

    def __init__(
        self,
        verb: Verb[Request],
        request: Request,
        keys: tuple[Hashable, ...],
        known_refusal: Callable[[], BespeakError | None] | None,
        on_answer: Callable[[Record], None] | None,
        versions: tuple[tuple[int, int], ...],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self.verb = verb
        self.request = request
        self.keys = keys
        self.known_refusal = known_refusal
        self.on_answer = on_answer
        self.versions = versions
        self.answer: asyncio.Future[Record] = loop.create_future()
        self.queued_at = time.monotonic()

    def things(self) -> Iterable[Hashable]:
        """What it locks."""
        return self.verb.things(self.request)


class _HasHome(Protocol):
    @property
    def home(self) -> int: ...


_Verb: TypeAlias = Verb[Any]  # any: the queues have verbs of all requests
_Entry: TypeAlias = BatchEntry[Any]  # any: as above
_Homed = TypeVar("_Homed", bound=_HasHome)


def home_and_requests(batch: Sequence[BatchEntry[_Homed]]) -> Arguments:
    """The arguments of most verbs: where the first request is stored, and all requests."""
    return (batch[0].request.home, [entry.request for entry in batch])


class CommitterObserver:
    """What the committer tells whoever counts; the metrics override it."""

    def batch(self, verb: str, size: int, seconds: float) -> None:
        """A batch of so many requests took so long."""

    def locked(self, count: int) -> None:
        """So many requests met a lock that somebody keeps."""

    def freed(self) -> None:
        """Units may have been freed; other processes want to forget that they were taken."""

    def expired(self, count: int) -> None:
        """So many holds lapsed and were tidied up."""


class Committer:
    """Takes requests, writes them in batches over its lanes, answers each."""

    def __init__(
        self,
        url: str,
        *,
        lanes: int,
        batch_max: int,
        queue_max: int,
        wait_seconds: float,
        observer: CommitterObserver | None = None,
        connector: Callable[[str], Awaitable[Connection]] = connect_impatient,
    ) -> None:
        self._url = url
        self._turns = LaneTurns(batch_max)
        self._queue_max = queue_max
        self._wait_seconds = wait_seconds
        self._observer = observer or CommitterObserver()
        self._connector = connector
        self._own_loop = OwnLoop()
        self._queues: dict[_Verb, deque[_Entry]] = {}
        # The things of batches on their way, each with who waits for it: mostly nobody.
        self._busy: dict[Hashable, list[_Entry] | None] = {}
        self._apart: Apart[_Entry] = Apart(self._write_or_fail, self._fail, wait_seconds)
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
        await self._apart.close()

    def submit(
        self,
        verb: Verb[Request],
        request: Request,
        keys: tuple[Hashable, ...],
        known_refusal: Callable[[], BespeakError | None] | None = None,
        on_answer: Callable[[Record], None] | None = None,
        versions: tuple[tuple[int, int], ...] = (),
        connection: Connection | None = None,
    ) -> Awaitable[Record]:
        """Queues a request; answers its row. With `connection` it skips the queue and is part of
        the caller's transaction: what follows is not asked or told then.

        No batch names one of `keys` twice: the second waits for the first. `known_refusal` is asked
        before the request is queued, and again when it had to wait; `on_answer` sees the row before
        others with the same keys go on. `versions` are the resource versions it was judged by.

        Raises what `known_refusal` answers, Overloaded, ShuttingDown, WrongEventLoop, ForkedEngine.
        """
        entry = BatchEntry(
            verb, request, keys, known_refusal, on_answer, versions, self._own_loop.check()
        )
        if connection is not None:
            return write_as_caller(connection, verb.text_as_json, verb.arguments([entry]))
        refusal = None if known_refusal is None else known_refusal()
        if refusal is not None:
            raise refusal
        if self._closing:
            raise ShuttingDown(retry_after_seconds=1)
        if self._waiting >= self._queue_max:
            raise Overloaded(retry_after_seconds=1)
        self._waiting += 1
        self._enqueue(entry)
        return entry.answer

    def _enqueue(self, entry: _Entry) -> None:
        for key in entry.keys:
            if key in self._busy:
                parked = self._busy[key]
                if parked is None:
                    parked = self._busy[key] = []
                parked.append(entry)
                return
        self._busy.update(dict.fromkeys(entry.keys))
        if self._apart.known and self._apart.knows(entry):
            self._apart.add(entry)
            return
        queue = self._queues.get(entry.verb)
        if queue is None:
            queue = self._queues[entry.verb] = deque()
        queue.append(entry)
        if self._idle:
            _wake(self._idle.popleft())

    async def _lane(self) -> None:
        connection: Connection | None = None
        try:
            while True:
                batch = self._turns.take(self._queues)
                if batch:
                    connection = await self._write_or_fail(connection, batch)
                elif self._closing and self._waiting == 0:
                    return
                else:
                    wakeup: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                    self._idle.append(wakeup)
                    await wakeup
        finally:
            if connection is not None:
                await connection.close()

    async def _write_or_fail(
        self, connection: Connection | None, batch: list[_Entry]
    ) -> Connection | None:
        """Writes a batch, and fails it on an unexpected error: a lane that ended would leave
        everyone waiting for ever."""
        try:
            return await self._write(connection, batch)
        except Exception as error:
            _drop(connection)
            if not all(entry.answer.done() for entry in batch):
                self._fail(batch, InternalError(str(error)))
            return None

    async def _write(self, connection: Connection | None, batch: list[_Entry]) -> Connection | None:
        """Writes a batch, again and again while the database is away, up to the waiting time.
        Repeating is safe: ids are made before, and keys tell what was done."""
        deadline = time.monotonic() + self._wait_seconds
        collisions = 0
        is_again = False
        while True:
            try:
                if connection is None or connection.is_closed():
                    connection = await self._connector(self._url)
                started = time.monotonic()
                verb = batch[0].verb
                rows = await connection.fetch(verb.text, *verb.arguments(batch), timeout=30)
                if is_again or any(row.get("outcome") == "replayed" for row in rows):
                    # What it found done may be what no standby has yet.
                    await connection.execute(_CONFIRM_REPLICATED, timeout=30)
            except COLLIDED as error:
                collisions += 1
                if collisions > _COLLISIONS_MAX:
                    self._fail(batch, DatabaseUnavailable(str(error), retry_after_seconds=1))
                    return connection
            except asyncpg.LockNotAvailableError:
                self._observer.locked(len(batch))
                self._apart.locked(batch)
                return connection
            except _FAULTS as error:
                if not is_away(error):
                    return await self._write_alone(connection, batch, error)
                _drop(connection)
                connection = None
                is_again = True
                if time.monotonic() > deadline:
                    self._fail(batch, _unavailable(error))
                    return connection
                await asyncio.sleep(_RECONNECT_SECONDS)
            else:
                self._answer(batch, rows)
                self._observer.batch(verb.name, len(batch), time.monotonic() - started)
                if verb.frees:
                    self._observer.freed()
                return connection

    async def _write_alone(
        self, connection: Connection | None, batch: list[_Entry], error: BaseException
    ) -> Connection | None:
        """One request spoils the batch: each goes alone, so that only that one fails."""
        if len(batch) == 1:
            self._fail(batch, InternalError(str(error)))
            return connection
        for entry in batch:
            connection = await self._write(connection, [entry])
        return connection

    def _answer(self, batch: list[_Entry], rows: Sequence[Record]) -> None:
        for row in rows:
            entry = batch[row["ordinal"] - 1]
            if entry.on_answer is not None:
                entry.on_answer(row)
            if not entry.answer.done():
                entry.answer.set_result(row)
        self._release(batch)

    def _fail(self, batch: list[_Entry], error: BespeakError) -> None:
        for entry in batch:
            if not entry.answer.done():
                # Each its own: the verbs say on it what their request was.
                entry.answer.set_exception(copy(error))
        self._release(batch)

    def _release(self, batch: list[_Entry]) -> None:
        self._waiting -= len(batch)
        parked: list[_Entry] = []
        for entry in batch:
            for key in entry.keys:
                parked.extend(self._busy.pop(key, None) or ())
        for entry in parked:
            refusal = entry.known_refusal() if entry.known_refusal is not None else None
            if refusal is None:
                self._enqueue(entry)
            else:
                self._waiting -= 1
                if not entry.answer.done():
                    entry.answer.set_exception(refusal)
        if self._closing:
            while self._idle:
                _wake(self._idle.popleft())


def _wake(wakeup: asyncio.Future[None]) -> None:
    if not wakeup.done():
        wakeup.set_result(None)


def _unavailable(error: Exception) -> BespeakError:
    if isinstance(error, READ_ONLY):
        return DatabaseReadOnly(retry_after_seconds=2)
    return DatabaseUnavailable(retry_after_seconds=2, cause=str(error))


def _drop(connection: Connection | None) -> None:
    if connection is not None and not connection.is_closed():
        connection.terminate()
