"""The connections of callers without an event loop: of psycopg, and Django's and SQLAlchemy's over
it. The verbs run in the engine's loop; what they ask of such a connection is done in the caller's
thread, so that the loop never waits for a lock that another caller's transaction has.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import (
    Any,  # any: what a framework's connection is made of is its own business
    Protocol,
    TypeAlias,
    cast,
)

import psycopg
from psycopg.rows import dict_row

from bespeak.errors import InvalidRequest
from bespeak.postgres.callers_thread import CallersThread
from bespeak.postgres.psycopg_connections import (
    PsycopgAdapter,
    Row,
    as_asyncpg,
    in_transaction,
    use_own_loaders,
)
from bespeak.postgres.queries import load

_QUERIES = load("bespeak.postgres", "callers.sql")
_Psycopg: TypeAlias = psycopg.Connection[Any]  # any: rows of any kind


class DjangoConnection(Protocol):
    """A `django.db.connection`."""

    @property
    def vendor(self) -> str: ...


class AlchemySyncConnection(Protocol):
    """A `Connection` of SQLAlchemy."""

    def in_transaction(self) -> bool: ...

    def exec_driver_sql(self, statement: str, /) -> Any: ...  # any: its own types


class AlchemySyncSession(Protocol):
    """A `Session` of SQLAlchemy."""

    def connection(self) -> Any: ...  # any: its own types


BlockingConnection: TypeAlias = (
    _Psycopg | DjangoConnection | AlchemySyncConnection | AlchemySyncSession
)
Adapted: TypeAlias = Callable[[CallersThread], PsycopgAdapter]


def adapted(given: BlockingConnection) -> Adapted:
    """What makes of it a connection that the verbs can use, in its present transaction; asked in
    the caller's thread for each verb. Raises InvalidRequest for what is none."""
    if isinstance(given, psycopg.Connection):
        return lambda thread: _BlockingPsycopg(given, thread)
    if _is(given, "django.utils.connection", "ConnectionProxy") or _is(
        given, "django.db.backends.base.base", "BaseDatabaseWrapper"
    ):
        return lambda thread: _BlockingPsycopg(_of_django(given), thread)
    if _is(given, "sqlalchemy.orm", "Session"):
        session = cast(AlchemySyncSession, given)
        return lambda thread: _BlockingPsycopg(_of_alchemy(session.connection()), thread)
    if _is(given, "sqlalchemy", "Connection"):
        return lambda thread: _BlockingPsycopg(_of_alchemy(given), thread)
    raise InvalidRequest(
        f"{type(given).__name__} is no connection of psycopg, Django or SQLAlchemy",
        field="connection",
    )


def _is(given: object, module: str, name: str) -> bool:
    """Whether it is of this class, which is not imported for that: who has one has imported it."""
    kind = getattr(sys.modules.get(module), name, None)
    return isinstance(kind, type) and isinstance(given, kind)


def _of_django(given: Any) -> _Psycopg:  # any: a proxy has what it stands for
    given.ensure_connection()
    return _driver(given.connection)


def _of_alchemy(given: Any) -> _Psycopg:  # any: it was looked at before
    # So that SQLAlchemy knows of the transaction, and ends it.
    if not given.in_transaction():
        given.exec_driver_sql(_QUERIES["begin"])
    return _driver(given.connection.driver_connection)


def _driver(found: object) -> _Psycopg:
    if isinstance(found, psycopg.Connection):
        return found
    raise InvalidRequest(
        f"the driver {type(found).__module__} is not psycopg 3", field="connection"
    )


class _BlockingPsycopg(PsycopgAdapter):
    """A connection of psycopg, used in its caller's thread."""

    def __init__(self, connection: _Psycopg, thread: CallersThread) -> None:
        self._connection = connection
        self._thread = thread

    async def fetch(self, query: str, *arguments: object) -> Sequence[Row]:
        return await self._thread.run(lambda: self._fetch(query, arguments))

    def _fetch(self, query: str, arguments: Sequence[object]) -> Sequence[Row]:
        with psycopg.RawCursor(self._connection, row_factory=dict_row) as cursor:
            use_own_loaders(cursor.adapters)
            with as_asyncpg():
                cursor.execute(query.encode(), arguments)
            return cursor.fetchall() if cursor.description is not None else []

    def is_in_transaction(self) -> bool:
        return in_transaction(self._connection)
