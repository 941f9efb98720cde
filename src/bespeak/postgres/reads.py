"""Reads that decide nothing: from the replica, where there is one that has all that the reader must
see, and else from the primary. A fault of the replica is nobody's error: the primary is asked.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from bespeak.errors import BespeakError
from bespeak.postgres.lsn import NOTHING, UNKNOWN, Lsn
from bespeak.postgres.pool import FAULTS, Database, end_if_cancelled
from bespeak.postgres.replica import Replica, ReplicaState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

Value = TypeVar("Value")

_FAULTS: tuple[type[Exception], ...] = (BespeakError, *FAULTS)

# What the reader at work must see. A load that several wait for is that of who came first.
_must_see: ContextVar[Lsn] = ContextVar("must_see", default=NOTHING)


class ReadSource(StrEnum):
    """Where a read was answered; where it was the primary, why."""

    REPLICA = "replica"
    NOT_FOLLOWING = "not_following"  # the replica is behind, away, or another's
    OWN_WRITE = "own_write"  # the replica has not got yet what the reader wrote
    FAULT = "fault"  # the replica was asked, and could not answer


class ReadObserver:
    """What the reads tell whoever counts; the metrics override it."""

    def read(self, source: ReadSource) -> None:
        """A read was answered. Not told where there is no replica."""


class Reads:
    """The reads of a process. Without a replica, all of them are the primary's."""

    def __init__(
        self,
        database: Database,
        replica: Replica | None = None,
        observer: ReadObserver | None = None,
    ) -> None:
        self._database = database
        self.replica = replica
        self._observer = observer or ReadObserver()

    async def run(
        self, read: Callable[[Connection], Awaitable[Value]], own: Connection | None = None
    ) -> Value:
        """What `read` answers, on the caller's `own` connection where it has one. It may be called
        a second time, on the primary: so it only reads. Raises what it raises on the primary,
        DatabaseUnavailable, DatabaseReadOnly, WrongEventLoop, ForkedEngine."""
        replica = self.replica
        if replica is not None and own is None:
            self._database.own_loop.check()
            source = await self._source(replica)
            if source is ReadSource.REPLICA:
                try:
                    async with replica.borrow() as connection:
                        found = await read(connection)
                except _FAULTS:
                    # What is not there may have been made a moment ago, so the primary has the
                    # last word on every error.
                    end_if_cancelled()
                    source = ReadSource.FAULT
                else:
                    self._observer.read(source)
                    return found
            self._observer.read(source)
        return await self.run_on_primary(read, own)

    async def run_on_primary(
        self, read: Callable[[Connection], Awaitable[Value]], own: Connection | None = None
    ) -> Value:
        """The same where only the primary will do."""
        async with self._database.borrow(own) as connection:
            return await read(connection)

    async def _source(self, replica: Replica) -> ReadSource:
        if replica.state is not ReplicaState.FOLLOWS:
            return ReadSource.NOT_FOLLOWING
        if not await replica.has(_must_see.get()):
            return ReadSource.OWN_WRITE
        return ReadSource.REPLICA

    @property
    def must_see(self) -> Lsn:
        """What the reader at work must see."""
        return _must_see.get()

    @property
    def reached(self) -> Lsn:
        """Up to where a read that begins now sees the log, at least, wherever it is answered."""
        if self.replica is None:
            return NOTHING
        wanted = _must_see.get()
        return self.replica.replayed if wanted == UNKNOWN else max(wanted, self.replica.replayed)

    async def written(self) -> Lsn:
        """A position behind all that was written before: reads within `after` see it. NOTHING
        where there is no replica, since the primary has everything."""
        return NOTHING if self.replica is None else await self.replica.written()

    @contextmanager
    def after(self, lsn: Lsn) -> Iterator[None]:
        """Reads within the block see at least what was written up to there."""
        token = _must_see.set(max(lsn, _must_see.get()))
        try:
            yield
        finally:
            _must_see.reset(token)
