"""Waiting for what the database does, by asking it: never for time to pass."""

import asyncio
from collections.abc import Awaitable, Coroutine
from typing import TypeVar

from tests.harness.database import Connection
from tests.harness.shows import within_transaction

Answer = TypeVar("Answer")
_PATIENCE_SECONDS = 60


async def until_blocked(watcher: Connection, blocked: Connection, by: Connection) -> None:
    """Returns when one session waits for a lock that the other has."""
    async with asyncio.timeout(_PATIENCE_SECONDS):
        while not await watcher.fetchval(  # noqa: ASYNC110
            "select $2 = any(pg_blocking_pids($1))",
            blocked.get_server_pid(),
            by.get_server_pid(),
        ):
            await asyncio.sleep(0.002)


async def until_waiting(watcher: Connection, waiting: Connection) -> None:
    """Returns when a session waits for a lock, whoever has it."""
    async with asyncio.timeout(_PATIENCE_SECONDS):
        while not await watcher.fetchval(  # noqa: ASYNC110
            "select cardinality(pg_blocking_pids($1)) > 0", waiting.get_server_pid()
        ):
            await asyncio.sleep(0.002)


async def until_somebody_waits(watcher: Connection, holder: Connection) -> None:
    """Returns when any session waits for a lock that this one has."""
    async with asyncio.timeout(_PATIENCE_SECONDS):
        while not await watcher.fetchval(  # noqa: ASYNC110
            "select count(*) from pg_stat_activity where $1 = any(pg_blocking_pids(pid))",
            holder.get_server_pid(),
        ):
            await asyncio.sleep(0.002)


async def meet(
    watcher: Connection,
    first: Connection,
    doing: Awaitable[object],
    second: Connection,
    waiting: Coroutine[None, None, Answer],
    *,
    commit: bool = True,
) -> Answer | BaseException:
    """The first does its work and holds its locks; the second begins and is seen to wait for them;
    the first ends; the second's answer, or its error, is returned."""
    transaction = first.transaction()
    await transaction.start()
    await doing
    task = asyncio.create_task(within_transaction(second, waiting))
    await until_blocked(watcher, second, first)
    await (transaction.commit() if commit else transaction.rollback())
    (answer,) = await asyncio.gather(task, return_exceptions=True)
    return answer


async def deadlocks(watcher: Connection) -> int:
    """How many deadlocks this database has seen."""
    await watcher.execute("select pg_stat_clear_snapshot()")
    count: int = await watcher.fetchval(
        "select deadlocks from pg_stat_database where datname = current_database()"
    )
    return count
