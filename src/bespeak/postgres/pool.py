"""Connections to PostgreSQL: the database of a process with its pool, and connections that a lane
of the committer keeps for itself. Errors that mean "the database is away" are told apart here,
once.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import asyncpg
from asyncpg.pool import PoolConnectionProxy

from bespeak.errors import DatabaseUnavailable, Unavailable
from bespeak.postgres.errors import DatabaseReadOnly, NoTransaction
from bespeak.postgres.hosts import NoPrimary, connect_to_primary
from bespeak.postgres.own_loop import OwnLoop

if TYPE_CHECKING:
    Connection: TypeAlias = asyncpg.Connection[asyncpg.Record] | PoolConnectionProxy[asyncpg.Record]
    Pool: TypeAlias = asyncpg.Pool[asyncpg.Record]
    Record: TypeAlias = asyncpg.Record
    Connector: TypeAlias = Callable[[], Awaitable[asyncpg.Connection[asyncpg.Record]]]
    _Base = asyncpg.Pool[asyncpg.Record]
else:  # what type hints say when the program asks for them
    Connection = asyncpg.Connection | PoolConnectionProxy
    Pool = _Base = asyncpg.Pool
    Record = asyncpg.Record
    Connector = Callable[[], Awaitable[asyncpg.Connection]]

Answer = TypeVar("Answer")
_COLLISIONS_MAX = 5

# What says that the connection, not the statement, is at fault: repeating elsewhere is right.
AWAY: tuple[type[Exception], ...] = (
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TooManyConnectionsError,
    asyncpg.IdleInTransactionSessionTimeoutError,
    asyncpg.InterfaceError,
    # The protocol is out of step, as it may be when the server is killed in mid-answer.
    asyncpg.InternalClientError,
    OSError,
    TimeoutError,
)

# The statement met a limit of the session, and did nothing.
_OUT_OF_TIME: tuple[type[Exception], ...] = (
    asyncpg.LockNotAvailableError,
    asyncpg.QueryCanceledError,
)

# What was asked is a standby. Connections to it are of no use for anything that decides.
READ_ONLY: tuple[type[Exception], ...] = (asyncpg.ReadOnlySQLTransactionError, NoPrimary)

# Whatever a statement may raise: the database said no, or it is away.
FAULTS: tuple[type[Exception], ...] = (asyncpg.PostgresError, *AWAY)

# Two transactions met in a way that PostgreSQL undoes: repeating at once is right.
COLLIDED: tuple[type[Exception], ...] = (
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
)


def is_away(error: BaseException) -> bool:
    """Whether an error says that the database is away, or a standby by now: repeating elsewhere is
    right. What asyncpg raises for an argument that it cannot encode is an InterfaceError too, but
    also a ValueError: the request's fault."""
    return isinstance(error, (*AWAY, *READ_ONLY)) and not isinstance(error, ValueError)


def unavailable(error: Exception, retry_after_seconds: int = 1) -> Unavailable:
    """What is told of a database that is away or a standby."""
    if isinstance(error, READ_ONLY):
        return DatabaseReadOnly(retry_after_seconds=retry_after_seconds)
    return DatabaseUnavailable(str(error) or None, retry_after_seconds=retry_after_seconds)


async def repeated(doing: Callable[[], Awaitable[Answer]]) -> Answer:
    """Does what is a transaction of its own, and again where it collided with another. Raises
    DatabaseUnavailable where it does so again and again."""
    for _ in range(_COLLISIONS_MAX):
        with suppress(*COLLIDED):
            return await doing()
    try:
        return await doing()
    except COLLIDED as error:
        raise unavailable(error) from error


def end_if_cancelled() -> None:
    """Raises CancelledError if the task was told to end. Asked wherever a fault is caught and the
    work goes on: a connection that dies while its task is cancelled raises in place of that."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


def require_transaction(connection: Connection) -> None:
    """Whoever gives us a connection wants one transaction with us. Outside of any, each statement
    would commit by itself; drivers that begin lazily are outside until their first statement.
    Raises NoTransaction."""
    if not connection.is_in_transaction():
        raise NoTransaction(
            "begin a transaction on the connection first, or give it to `engine.within`",
            field="connection",
        )


# A session keeps up to 15 MB of what it has planned and looked up.
_IDLE_SECONDS_MAX = 60
# Where nobody is in a hurry: for how long a session that was taken is waited for, and for how long
# one waits in all, where others take those that come back.
_PATIENCE_SECONDS = 0.1
_PATIENCE_SECONDS_MAX = 0.5

# What every session asks of the server: nobody keeps locks for ever. A process that stands still,
# or whose machine is gone, loses its transaction, so that others go on; see the guide "Operating".
SESSION = {
    "application_name": "bespeak",
    "timezone": "UTC",
    # The verbs forbid reading whole tables, at a price that before PostgreSQL 18 looks like a query
    # worth compiling: two seconds at the first use of each.
    "jit": "off",
    "idle_in_transaction_session_timeout": "60s",
    "lock_timeout": "30s",
    "statement_timeout": "10min",
    "tcp_keepalives_idle": "30",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
}


async def connect(url: str) -> asyncpg.Connection[asyncpg.Record]:
    """A connection of one's own to the primary, as lanes and followers keep it."""
    return await connect_to_primary(url, SESSION)


async def connect_impatient(url: str) -> asyncpg.Connection[asyncpg.Record]:
    """A connection whose statements wait for a lock only for so long as a busy server makes them
    wait, and then raise LockNotAvailableError: others of the batch do not need it."""
    return await connect_to_primary(url, {**SESSION, "lock_timeout": "100ms"})


class _Pool(_Base):
    def __init__(self, **options: Any) -> None:  # any: the driver knows what each of them is
        super().__init__(**options)
        self.is_patient = False
        self._came_back = asyncio.Event()
        self._taken: dict[object, float] = {}

    async def _acquire(self, timeout: float | None) -> PoolConnectionProxy[Record]:
        taken: PoolConnectionProxy[Record]
        if not self.is_patient:
            taken = await super()._acquire(timeout)  # type: ignore[misc]
            return taken
        await self._wait_for_others()
        taking = object()  # what is being opened counts as taken
        self._taken[taking] = asyncio.get_running_loop().time()
        try:
            taken = await super()._acquire(timeout)  # type: ignore[misc]
            self._taken[taken] = asyncio.get_running_loop().time()
        finally:
            del self._taken[taking]
            self._came_back.set()
        return taken

    async def _wait_for_others(self) -> None:
        """Returns when a session more is worth its memory: none is in use, or all that are were
        taken a while ago, so that one more is enough for many who wait; or it took too long. One
        that is lost counts as in use until it is released, which its next statement leads to."""
        now = asyncio.get_running_loop().time
        end = now() + _PATIENCE_SECONDS_MAX
        while self._taken:
            until = min(max(self._taken.values()) + _PATIENCE_SECONDS, end)
            if now() >= until:
                return
            self._came_back.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout_at(until):
                    await self._came_back.wait()

    async def release(
        self,
        connection: PoolConnectionProxy[Record],
        *,
        timeout: float | None = None,
    ) -> None:
        """Takes a connection back. One that cannot be taken back is ended, and nobody hears of it:
        an answer was read before, and what is raised already is not to be replaced."""
        try:
            await super().release(connection, timeout=timeout)
        except Exception:  # of whatever kind: it has failed in the midst of the protocol
            with suppress(asyncpg.InterfaceError):  # the driver has ended it already
                connection.terminate()
        finally:
            self._taken.pop(connection, None)
            self._came_back.set()


async def _keep(_: Connection) -> None:
    """What is done to a session that comes back, beside the end of its transaction: nothing. What
    we set or lock there ends with the transaction (tests/style/test_sessions.py), so the round trip
    by which the driver resets a session would change nothing."""


async def open_pool(url: str, size_max: int) -> Pool:
    """The pool of a process, of connections to the primary. Raises DatabaseUnavailable,
    DatabaseReadOnly."""

    try:
        return await _pool(partial(connect, url), size_max, size_min=1)
    except AWAY as error:
        raise unavailable(error) from error


async def open_lazy_pool(connector: Connector, size_max: int) -> Pool:
    """A pool whose connections the connector makes, none before it is needed."""
    return await _pool(connector, size_max, size_min=0)


def _pool(connector: Connector, size_max: int, *, size_min: int) -> _Pool:
    # The driver hands in arguments of its own, which are the same for all connections.
    async def connect_anew(*_: object, **_options: object) -> asyncpg.Connection[asyncpg.Record]:
        return await connector()

    return _Pool(
        min_size=size_min,
        max_size=size_max,
        max_queries=50_000,
        max_inactive_connection_lifetime=_IDLE_SECONDS_MAX,
        reset=_keep,
        loop=None,
        connection_class=asyncpg.Connection,
        record_class=asyncpg.Record,
        connect=connect_anew,
    )


class Database:
    """The database as most of a process sees it: a pool, and how long one waits for a connection of
    it. Where a verb may be part of its caller's transaction, the caller's connection goes along."""

    def __init__(self, pool: Pool, wait_seconds: float) -> None:
        self.pool = pool
        self.wait_seconds = wait_seconds
        self.own_loop = OwnLoop()

    def share_sessions(self) -> None:
        """From now on whoever finds a session in use waits a moment for it before they take
        another. It is for work at which nobody waits for milliseconds: what comes due at the same
        instant shares a session or two, and the others are closed after a while."""
        if isinstance(self.pool, _Pool):
            self.pool.is_patient = True
            self.wait_seconds += _PATIENCE_SECONDS_MAX  # the patience lies within it

    def borrow_to_write(
        self, own: Connection | None = None
    ) -> AbstractAsyncContextManager[Connection]:
        """As `borrow`; the caller's own connection must be in a transaction, which the change is
        part of. Raises NoTransaction."""
        if own is not None:
            require_transaction(own)
        return self.borrow(own)

    @asynccontextmanager
    async def borrow(
        self, own: Connection | None = None, *, wait_seconds: float | None = None
    ) -> AsyncIterator[Connection]:
        """The caller's own connection as it is, or one of the pool. Raises DatabaseUnavailable when
        there is none in time, when the pool's breaks, or when a statement met a limit of time;
        DatabaseReadOnly when it leads to a standby; WrongEventLoop, ForkedEngine."""
        if own is not None:
            yield own
            return
        self.own_loop.check()
        try:
            async with asyncio.timeout(wait_seconds or self.wait_seconds):
                connection = await self.pool.acquire()
            try:
                yield connection
            finally:
                await self.pool.release(connection)
        except (*AWAY, *READ_ONLY, *_OUT_OF_TIME) as error:
            end_if_cancelled()
            if isinstance(error, ValueError):  # an argument that cannot be encoded
                raise
            if isinstance(error, READ_ONLY):
                # The others of the pool lead to the same server: they are made anew when next used.
                await self.pool.expire_connections()
            raise unavailable(error) from error
