"""A connection of psycopg as the verbs use one: with the methods of asyncpg that they call. Values
come as asyncpg gives them, whatever the connection's own adapters are. Needs psycopg 3.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime
from typing import (
    Any,  # any: rows and parameters of any type
    TypeAlias,
)

import asyncpg
import psycopg
from psycopg.adapt import AdaptersMap, Buffer, Loader
from psycopg.pq import TransactionStatus
from psycopg.rows import dict_row
from psycopg.types.bool import BoolLoader
from psycopg.types.numeric import IntLoader
from psycopg.types.string import ByteaLoader, TextLoader
from psycopg.types.uuid import UUIDLoader

from bespeak.postgres.savepoints import savepoint

Row: TypeAlias = dict[str, Any]  # any: as above

_LAST = datetime.max.replace(tzinfo=UTC)
_FIRST = datetime.min.replace(tzinfo=UTC)


class _MomentLoader(Loader):
    """A time in UTC; what has no end is the last that a datetime can say, as asyncpg has it."""

    def load(self, data: Buffer) -> datetime:
        text = bytes(data).decode()
        if text.endswith("infinity"):
            return _FIRST if text.startswith("-") else _LAST
        return datetime.fromisoformat(text).astimezone(UTC)


_LOADERS: dict[str, type[Loader]] = {
    "timestamptz": _MomentLoader,
    "json": TextLoader,
    "jsonb": TextLoader,
    "text": TextLoader,
    "uuid": UUIDLoader,
    "bytea": ByteaLoader,
    "bool": BoolLoader,
    "int2": IntLoader,
    "int4": IntLoader,
    "int8": IntLoader,
}


def use_own_loaders(adapters: AdaptersMap) -> None:
    """Makes a cursor, and nothing else, load values as the verbs want them."""
    for name, loader in _LOADERS.items():
        adapters.register_loader(name, loader)


class PsycopgAdapter(ABC):
    """What the verbs call of a connection, on top of `fetch`."""

    @abstractmethod
    async def fetch(self, query: str, *arguments: object) -> Sequence[Row]:
        """All rows of a statement; none where it answers none."""

    @abstractmethod
    def is_in_transaction(self) -> bool:
        """Whether what is done now is part of a transaction that the caller ends."""

    async def fetchrow(self, query: str, *arguments: object) -> Row | None:
        """The first row, if there is one."""
        rows = await self.fetch(query, *arguments)
        return rows[0] if rows else None

    async def fetchval(self, query: str, *arguments: object) -> Any:  # any: of any type
        """The first column of the first row, if there is one."""
        row = await self.fetchrow(query, *arguments)
        return None if row is None else next(iter(row.values()), None)

    async def execute(self, query: str, *arguments: object) -> None:
        """Does what the statement says."""
        await self.fetch(query, *arguments)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        """What can be undone without the caller's transaction."""
        async with savepoint(self):
            yield


class AsyncPsycopg(PsycopgAdapter):
    """An asynchronous connection of psycopg."""

    def __init__(self, connection: psycopg.AsyncConnection[Any]) -> None:  # any: rows of any kind
        self._connection = connection

    async def fetch(self, query: str, *arguments: object) -> Sequence[Row]:
        async with psycopg.AsyncRawCursor(self._connection, row_factory=dict_row) as cursor:
            use_own_loaders(cursor.adapters)
            with as_asyncpg():
                await cursor.execute(query.encode(), arguments)
            return await cursor.fetchall() if cursor.description is not None else []

    def is_in_transaction(self) -> bool:
        return in_transaction(self._connection)


@contextmanager
def as_asyncpg() -> Iterator[None]:
    """What the verbs catch, as asyncpg raises it; all else is the caller's to know."""
    try:
        yield
    except psycopg.errors.LockNotAvailable as error:
        raise asyncpg.LockNotAvailableError(str(error)) from error


def in_transaction(
    connection: psycopg.AsyncConnection[Any] | psycopg.Connection[Any],  # any: as above
) -> bool:
    """Whether the connection is in a transaction, or begins one with its next statement."""
    if connection.info.transaction_status is not TransactionStatus.IDLE:
        return True
    return not connection.autocommit
