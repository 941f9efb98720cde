"""Connections as other programs have them, with codecs that are not ours."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from decimal import Decimal
from functools import partial
from typing import TypeAlias, cast

from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from tests.harness.database import Connection, session

Opened: TypeAlias = AbstractAsyncContextManager[Connection]


def alchemy_engine(url: str) -> AsyncEngine:
    """SQLAlchemy's engine on a database, over asyncpg."""
    return create_async_engine(url.replace("postgresql://", "postgresql+asyncpg://", 1))


@asynccontextmanager
async def of_alchemy(url: str) -> AsyncIterator[Connection]:
    """The asyncpg connection below one of SQLAlchemy, in no transaction."""
    engine = alchemy_engine(url)
    async with engine.connect() as connection:
        raw = await connection.get_raw_connection()
        yield cast(Connection, raw.driver_connection)
    await engine.dispose()


async def _documented(connection: Connection) -> None:
    # As asyncpg's own documentation shows it.
    for name in ("json", "jsonb"):
        await connection.set_type_codec(
            name, encoder=json.dumps, decoder=json.loads, schema="pg_catalog"
        )


async def _exact(connection: Connection) -> None:
    await connection.set_type_codec(
        "jsonb",
        encoder=json.dumps,
        decoder=partial(json.loads, parse_float=Decimal),
        schema="pg_catalog",
    )


async def _binary(connection: Connection) -> None:
    await connection.set_type_codec(
        "jsonb",
        encoder=lambda value: b"\x01" + json.dumps(value).encode(),
        decoder=lambda data: json.loads(data[1:]),
        schema="pg_catalog",
        format="binary",
    )


@asynccontextmanager
async def _with(
    prepare: Callable[[Connection], Awaitable[None]], url: str
) -> AsyncIterator[Connection]:
    async with session(url) as connection:
        await prepare(connection)
        yield connection


FOREIGN: dict[str, Callable[[str], Opened]] = {
    "sqlalchemy": of_alchemy,
    "documented": partial(_with, _documented),
    "exact": partial(_with, _exact),
    "binary": partial(_with, _binary),
}
"""How each is opened, by its name."""
