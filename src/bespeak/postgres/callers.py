"""The connections of callers: of asyncpg, of psycopg, of SQLAlchemy over either. Whatever they are,
the verbs speak to them as to a connection of asyncpg, in the caller's transaction.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Coroutine
from typing import (
    Any,  # any: what a framework's connection is made of is its own business
    Protocol,
    TypeAlias,
    cast,
)

import asyncpg
from asyncpg.pool import PoolConnectionProxy

from bespeak.errors import InvalidRequest
from bespeak.postgres.pool import Connection
from bespeak.postgres.queries import load

_QUERIES = load("bespeak.postgres", "callers.sql")


class AlchemyConnection(Protocol):
    """An `AsyncConnection` of SQLAlchemy."""

    def get_raw_connection(self) -> Coroutine[Any, Any, Any]: ...  # any: its own types

    def in_transaction(self) -> bool: ...

    def exec_driver_sql(
        self, statement: str, /
    ) -> Coroutine[Any, Any, Any]: ...  # any: its own types


class AlchemySession(Protocol):
    """An `AsyncSession` of SQLAlchemy."""

    def connection(self) -> Coroutine[Any, Any, Any]: ...  # any: its own types


class PsycopgConnection(Protocol):
    """An `AsyncConnection` of psycopg."""

    @property
    def autocommit(self) -> bool: ...


CallersConnection: TypeAlias = Connection | AlchemyConnection | AlchemySession | PsycopgConnection
Opened: TypeAlias = Callable[[], Awaitable[Connection]]


def opened_by(given: CallersConnection) -> Opened:
    """What answers the connection to use, in its present transaction; asked for each verb, since a
    session has another connection after each commit. Raises InvalidRequest for what is none."""
    if isinstance(given, asyncpg.Connection | PoolConnectionProxy):
        return _own(given)
    if _is(given, "sqlalchemy.ext.asyncio", "AsyncSession"):
        return _of_session(cast(AlchemySession, given))
    if _is(given, "sqlalchemy.ext.asyncio", "AsyncConnection"):
        return _of_connection(cast(AlchemyConnection, given))
    if _is(given, "psycopg", "AsyncConnection"):
        return _own(_of_driver(given))
    raise InvalidRequest(
        f"{type(given).__name__} is no connection of asyncpg, SQLAlchemy (asynchronous) or psycopg"
        " (asynchronous)",
        field="connection",
    )


def _is(given: object, module: str, name: str) -> bool:
    """Whether it is of this class, which is not imported for that: who has one has imported it."""
    kind = getattr(sys.modules.get(module), name, None)
    return isinstance(kind, type) and isinstance(given, kind)


def _own(connection: Connection) -> Opened:
    async def opened() -> Connection:
        return connection

    return opened


def _of_session(session: AlchemySession) -> Opened:
    async def opened() -> Connection:
        return await _begun(await session.connection())

    return opened


def _of_connection(connection: AlchemyConnection) -> Opened:
    async def opened() -> Connection:
        return await _begun(connection)

    return opened


async def _begun(connection: AlchemyConnection) -> Connection:
    """The driver's connection below, in a transaction of which SQLAlchemy knows, so that it will
    end it. It tells the driver so with its first statement only."""
    raw = await connection.get_raw_connection()
    driver = _of_driver(raw.driver_connection)
    if not (connection.in_transaction() and driver.is_in_transaction()):
        await connection.exec_driver_sql(_QUERIES["begin"])
    return driver


def _of_driver(driver: object) -> Connection:
    if isinstance(driver, asyncpg.Connection):
        return driver
    if _is(driver, "psycopg", "AsyncConnection"):
        # psycopg is loaded: whoever gives a connection of it has done so.
        from bespeak.postgres.psycopg_connections import AsyncPsycopg  # noqa: PLC0415

        return cast(Connection, AsyncPsycopg(cast(Any, driver)))  # any: it was looked at above
    raise InvalidRequest(
        f"the driver {type(driver).__module__} is neither asyncpg nor psycopg", field="connection"
    )
