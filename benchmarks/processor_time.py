"""What a piece of work costs: processor time of this process and of a database's sessions, and what
was written to its log. Another's load changes it far less than it changes the clock.
"""

import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncpg

from benchmarks.feature_costs import Spent

_SESSIONS = """
    select pid from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend'
        and pid <> pg_backend_pid()
"""
# Only records: the pages that a checkpoint makes the log repeat are chance.
_WRITTEN = """
    select coalesce(sum(record_size), 0)::float8 as bytes,
        coalesce(sum(count) filter (
            where "resource_manager/record_type" like 'Btree/INSERT%'), 0)::float8 as index_inserts
    from pg_get_wal_stats($1::text::pg_lsn, $2::text::pg_lsn, true)
"""


@dataclass(frozen=True)
class Reading:
    """How much was spent so far: by this process and by others in nanoseconds, by each session of
    the database, and how far the log went."""

    own_ns: int
    sessions_ns: dict[int, int]
    log_end: str


class Meter:
    """Reads what has been spent, on a session of its own that does not count. With `pids`, these
    processes are read in place of this one."""

    def __init__(
        self, connection: "asyncpg.Connection[asyncpg.Record]", pids: Iterable[int] = ()
    ) -> None:
        self._connection = connection
        self._pids = list(pids)

    async def read(self) -> Reading:
        """What was spent until now."""
        log_end = await self._connection.fetchval("select pg_current_wal_flush_lsn()::text")
        pids = [row["pid"] for row in await self._connection.fetch(_SESSIONS)]
        sessions = {pid: used_ns(pid) for pid in pids}
        own = sum(used_ns(pid) for pid in self._pids) if self._pids else time.process_time_ns()
        return Reading(own, sessions, log_end)

    async def spent(self, since: Reading, count: int) -> Spent:
        """What each of so many pieces of work cost since then."""
        now = await self.read()
        written = await self._connection.fetchrow(_WRITTEN, since.log_end, now.log_end)
        assert written is not None
        sessions = sum(
            used - since.sessions_ns.get(pid, 0) for pid, used in now.sessions_ns.items()
        )
        return Spent(
            (now.own_ns - since.own_ns) / 1e3 / count,
            sessions / 1e3 / count,
            written["bytes"] / count,
            written["index_inserts"] / count,
        )


@asynccontextmanager
async def metered(url: str, pids: Iterable[int] = ()) -> AsyncIterator[Meter]:
    """A meter of a database, and of this process or of these."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("create extension if not exists pg_walinspect")
        yield Meter(connection, pids)
    finally:
        await connection.close()


def used_ns(pid: int) -> int:
    """The processor time of all threads of a process, in nanoseconds; of one that is gone 0."""
    used = 0
    for task in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        try:
            used += int(task.read_text().split()[0])
        except (FileNotFoundError, ProcessLookupError):
            continue
    return used
