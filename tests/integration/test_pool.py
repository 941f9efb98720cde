"""A pool whose connections die: readers hear only that the database is away, and what is cancelled
meanwhile stays cancelled.
"""

import asyncio
import random
import socket
import threading
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import pytest

from bespeak.background import kept
from bespeak.errors import DatabaseUnavailable
from bespeak.postgres import pool
from bespeak.postgres.hosts import hosts_of
from bespeak.postgres.pool import AWAY, Database, open_pool
from tests.harness.database import Connection, session
from tests.http.outage import Wire

READERS, READS = 8, 60
ROUNDS = 60
KILL = """
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
"""
READING = """
    select count(*) from pg_stat_activity
    where datname = current_database() and query = 'select pg_sleep(1)' and state = 'active'
"""


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    made = await open_pool(database_url, 4)
    yield Database(made, wait_seconds=5)
    made.terminate()


@asynccontextmanager
async def killing(url: str, pause_seconds: float) -> AsyncIterator[None]:
    """Ends all other sessions of a database over and over."""

    async def kill() -> None:
        async with session(url) as connection:
            while True:
                await connection.execute(KILL)
                await asyncio.sleep(pause_seconds)

    task = asyncio.create_task(kill())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_a_read_that_fails_says_that_the_database_is_away(
    database: Database, database_url: str
) -> None:
    heard: Counter[str] = Counter()

    async def read() -> None:
        for _ in range(READS):
            try:
                async with database.borrow() as connection, connection.transaction():
                    await connection.fetchval("select pg_sleep(0.001)")
                heard["an answer"] += 1
            except DatabaseUnavailable:
                heard["unavailable"] += 1
            except Exception as error:
                heard[repr(error)] += 1

    async with killing(database_url, 0.005):
        await asyncio.gather(*(read() for _ in range(READERS)))
    assert set(heard) == {"an answer", "unavailable"}, heard


async def test_what_was_read_counts_though_its_connection_cannot_be_released(
    database: Database, database_url: str
) -> None:
    for number in range(5):
        async with database.borrow() as borrowed:
            assert await borrowed.fetchval("select $1::int", number) == number
            kill_unseen(database_url)
        await asyncio.sleep(0)  # the loop sees by itself that the connection has ended


async def test_control_the_drivers_own_pool_raises_when_it_releases(database_url: str) -> None:
    async with asyncpg.create_pool(database_url, min_size=0, max_size=1) as pool:
        with pytest.raises(AWAY):
            async with pool.acquire() as borrowed:
                assert await borrowed.fetchval("select 1") == 1
                kill_unseen(database_url)


def kill_unseen(url: str) -> None:
    """Ends all sessions of a database, before the loop that calls can see it."""

    async def kill() -> None:
        async with session(url) as connection:
            await connection.execute(KILL.replace("pid)", "pid, 5000)", 1))  # waits for their end

    thread = threading.Thread(target=asyncio.run, args=(kill(),))
    thread.start()
    thread.join()


class Reading:
    """Work that always has a statement under way."""

    name = "reading"

    def __init__(self, database: Database, *, borrows: bool) -> None:
        self._database = database
        self._borrows = borrows

    async def look(self) -> float:
        if self._borrows:
            async with self._database.borrow() as connection, connection.transaction():
                await connection.fetchval("select pg_sleep(1)")
        else:
            await self._database.pool.fetchval("select pg_sleep(1)")
        return 0


@pytest.mark.parametrize("borrows", [True, False])
async def test_work_ends_when_it_is_cancelled_while_its_connection_dies(
    database: Database, connection: Connection, dice: random.Random, borrows: bool
) -> None:
    works = [Reading(database, borrows=borrows) for _ in range(4)]
    for _ in range(ROUNDS):
        async with asyncio.timeout(20):
            async with kept(works):
                while await connection.fetchval(READING) < len(works):  # noqa: ASYNC110
                    await asyncio.sleep(0.001)
                killing = asyncio.create_task(connection.execute(KILL))
                await asyncio.sleep(dice.uniform(0, 0.002))
            await killing


async def test_a_connection_notices_that_nobody_is_there(database_url: str) -> None:
    """A machine without power does not say so: the system ends what it does not acknowledge."""
    wire = Wire(database_url)  # an embedded server has a socket of its own machine
    await wire.mend()
    async with session(wire.url) as connection:
        there = connection._transport.get_extra_info("socket")  # type: ignore[attr-defined]
        assert there.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        assert there.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 10_000
    await wire.cut()


@pytest.mark.parametrize(
    ("url", "hosts"),
    [
        ("postgresql://u:p@one,two:5433/name?x=1",
         ["postgresql://u:p@one/name?x=1", "postgresql://u:p@two:5433/name?x=1"]),
        ("postgresql://one/name", ["postgresql://one/name"]),
        ("postgresql:///name?host=/run", ["postgresql:///name?host=/run"]),
    ],
)  # fmt: skip
def test_the_hosts_of_a_url(url: str, hosts: list[str]) -> None:
    assert hosts_of(url) == hosts


async def ask(database: Database) -> None:
    async with database.borrow() as connection:
        await connection.fetchval("select pg_sleep(0.001)")


async def ask_at_once(database: Database, count: int) -> None:
    await asyncio.gather(*(ask(database) for _ in range(count)))


async def test_who_is_in_a_hurry_has_a_session_each(database: Database) -> None:
    await ask_at_once(database, 8)
    assert database.pool.get_size() == 4


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch, database: Database) -> Database:
    """A database whose sessions are shared, however busy the machine is."""
    monkeypatch.setattr(pool, "_PATIENCE_SECONDS", 600.0)
    monkeypatch.setattr(pool, "_PATIENCE_SECONDS_MAX", 600.0)
    database.share_sessions()
    return database


async def test_what_comes_due_together_shares_a_session(patient: Database) -> None:
    for _ in range(20):
        await ask_at_once(patient, 8)
    assert patient.pool.get_size() == 1


async def test_beside_one_that_is_kept_all_others_share_another(patient: Database) -> None:
    async with patient.borrow() as kept_long:
        taken: dict[object, float] = vars(patient.pool)["_taken"]
        taken[kept_long] -= 600.0
        for _ in range(20):
            await ask_at_once(patient, 8)
        assert patient.pool.get_size() == 2


async def test_who_waited_long_has_a_session_of_their_own(
    patient: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "_PATIENCE_SECONDS_MAX", 0.01)
    async with patient.borrow() as first, patient.borrow() as second:
        numbers = [await each.fetchval("select pg_backend_pid()") for each in (first, second)]
    assert len(set(numbers)) == 2


@pytest.mark.parametrize("is_seen", [True, False])
async def test_one_that_is_lost_is_waited_for_until_whoever_has_it_lets_go(
    patient: Database, database_url: str, is_seen: bool
) -> None:
    taken: dict[object, float] = vars(patient.pool)["_taken"]
    async with patient.borrow() as connection:
        waiting = asyncio.create_task(ask(patient))
        await asyncio.sleep(0)  # now it waits
        if is_seen:
            connection.terminate()
        else:
            kill_unseen(database_url)
        assert list(taken) == [connection]
    assert not taken
    async with asyncio.timeout(20):  # far less than the patience of this test
        await waiting
