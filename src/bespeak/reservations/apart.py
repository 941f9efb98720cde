"""Requests that met a lock which somebody keeps, such as a session that stands idle in a
transaction with a hold. They go on apart from the lanes, a few at a time, until the lock is free or
their time is over; and what they need is remembered for a moment, so that no batch waits for it
again.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from bespeak.errors import BespeakError, DatabaseUnavailable

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_GROUP = 16
_WORKERS = 4
_PAUSE_SECONDS = 0.25
_KNOWN_SECONDS = 1.0
_KEPT = "another transaction keeps what this needs locked; nothing was done"


class _Entry(Protocol):
    queued_at: float

    def things(self) -> Iterable[Hashable]: ...


Entry = TypeVar("Entry", bound=_Entry)


class Apart(Generic[Entry]):
    """Writes requests apart. `write` writes some on a connection, which it makes where it gets
    none, and answers the connection; where it meets a lock again, it calls `locked`. `fail` answers
    requests with an error."""

    def __init__(
        self,
        write: Callable[[Connection | None, list[Entry]], Awaitable[Connection | None]],
        fail: Callable[[list[Entry], BespeakError], None],
        wait_seconds: float,
    ) -> None:
        self._write = write
        self._fail = fail
        self._wait_seconds = wait_seconds
        self.known: dict[Hashable, float] = {}
        """What is locked, and until when that is believed; empty most of the time."""
        self._known_until = 0.0
        self._new: deque[list[Entry]] = deque()
        self._again: deque[list[Entry]] = deque()
        self._workers: set[asyncio.Task[None]] = set()

    def knows(self, entry: Entry) -> bool:
        """Whether something that the request needs was locked a moment ago."""
        now = time.monotonic()
        if now > self._known_until:
            self.known.clear()
        return any(self.known.get(thing, 0.0) > now for thing in entry.things())

    def add(self, entry: Entry) -> None:
        """Takes a request that needs what is known to be locked."""
        self._again.append([entry])
        self._wake()

    def locked(self, batch: Sequence[Entry]) -> None:
        """Takes requests that met a lock together: most of them did not, and are written soon."""
        if len(batch) == 1:
            self._locked_alone(batch[0])
            return
        size = _GROUP if len(batch) > _GROUP else 1
        for number in range(0, len(batch), size):
            self._new.append(list(batch[number : number + size]))
            self._wake()

    async def close(self) -> None:
        """Waits for what is being written."""
        await asyncio.gather(*self._workers)

    def _locked_alone(self, entry: Entry) -> None:
        now = time.monotonic()
        self._known_until = now + _KNOWN_SECONDS
        still = {thing: until for thing, until in self.known.items() if until > now}
        self.known = still | dict.fromkeys(entry.things(), self._known_until)
        if now - entry.queued_at > self._wait_seconds:
            self._fail([entry], DatabaseUnavailable(_KEPT, retry_after_seconds=1))
        else:
            asyncio.get_running_loop().call_later(_PAUSE_SECONDS, self.add, entry)

    def _wake(self) -> None:
        if len(self._workers) < _WORKERS:
            worker = asyncio.create_task(self._work())
            self._workers.add(worker)
            worker.add_done_callback(self._ended)

    def _ended(self, worker: asyncio.Task[None]) -> None:
        self._workers.discard(worker)
        if self._new or self._again:  # since it looked last
            self._wake()

    async def _work(self) -> None:
        connection: Connection | None = None
        try:
            # First those who most likely do not need what is locked.
            while queue := self._new or self._again:
                connection = await self._write(connection, queue.popleft())
        finally:
            if connection is not None:
                await connection.close()
