"""A part of a transaction that can be undone alone, on whatever driver: in plain statements, since
a driver's own block refuses a transaction that its caller began by hand.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

from bespeak.postgres.queries import load

_QUERIES = load("bespeak.postgres", "savepoints.sql")


class _Executes(Protocol):
    async def execute(self, query: str, /) -> object: ...


@asynccontextmanager
async def savepoint(connection: _Executes) -> AsyncIterator[None]:
    """What is done within is undone where it raises, and the locks that it took are let go; the
    transaction around it goes on."""
    await connection.execute(_QUERIES["savepoint"])
    try:
        yield
    except BaseException:
        await connection.execute(_QUERIES["undo"])
        await connection.execute(_QUERIES["keep"])
        raise
    await connection.execute(_QUERIES["keep"])
