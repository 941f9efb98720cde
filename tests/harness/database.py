"""A real PostgreSQL for the tests: a server, one migrated template on it, one fresh copy a test.

Each worker of a run starts an embedded server of its own: transaction numbers are a server's, so a
test beside another on one server could hold up its feed. BESPEAK_TEST_DATABASE_URL names other
servers, with spaces between: the first worker takes the first, and so on. Durability is off in the
embedded ones: tests that kill a database start a server of their own. They stand in memory where
there is room: a database is 500 files, and a copy of them costs more than most tests on it.
"""

import asyncio
import atexit
import fcntl
import itertools
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import psutil
import psycopg

from bespeak.demo import DEMO
from bespeak.postgres.embedded import EmbeddedServer
from bespeak.postgres.migrate import migrate
from bespeak.postgres.pool import connect
from bespeak.verticals.installed import migration_sources
from tests.harness.known_types import know_types_of

if TYPE_CHECKING:
    Connection: TypeAlias = asyncpg.Connection[asyncpg.Record]
else:
    Connection = asyncpg.Connection

RUN_DIR = "BESPEAK_TEST_RUN_DIR"
_OWN_URL = "BESPEAK_TEST_DATABASE_URL"
_GIVEN = "given-"
_FAST = ("fsync", "synchronous_commit", "full_page_writes", "autovacuum")
_SHARED_MEMORY = Path("/dev/shm")
_MEMORY_BYTES_MIN = 4 << 30
# `bytes` is the size of the file, which is 0 until a first row was written.
_TABLES = """
    select case nspname when 'bespeak' then '' else nspname || '.' end || relname as name,
           format('%I.%I', nspname, relname) as relation, pg_relation_size(c.oid) as bytes
    from pg_class c join pg_namespace n on n.oid = relnamespace
    where relkind = 'r' and nspname not in ('pg_catalog', 'information_schema')
      and relname not in ('refusal_count', 'audit_entry', 'waiting_join')
"""
_numbers = itertools.count(1)
_led: list[int] = []
_own_folders: list[Path] = []
_admins: dict[str, psycopg.Connection] = {}


def begin_run() -> Path:
    """Called by the process that leads the run, before any worker starts. Returns the folder that
    is removed when the run ends; in a run inside a run it is the outer one's."""
    if RUN_DIR in os.environ:
        return Path(os.environ[RUN_DIR])
    os.environ[RUN_DIR] = tempfile.mkdtemp(prefix="bespeak-tests-", dir=_memory())
    _led.append(os.getpid())
    return Path(os.environ[RUN_DIR])


def make_own_folder(run: Path) -> Path:
    """A folder for the files of one pytest of a run, which goes with it. Its name is as short as
    can be: the path of a server's socket in it has 107 bytes at most."""
    for number in itertools.count(1):
        folder = run / f"t{number}"
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
            _own_folders.append(folder)
            return folder
    raise AssertionError


def end_run() -> None:
    """Called by the leading process at the very end: its own files go, and the servers are stopped
    that were started."""
    for folder in _own_folders:
        shutil.rmtree(folder, ignore_errors=True)
    if os.getpid() not in _led:
        return  # a run inside a run: the server is the outer one's
    template = template_name()
    folder = Path(os.environ.pop(RUN_DIR))
    for known in folder.glob(f"{_GIVEN}*/url"):
        asyncio.run(_drop_template(known.read_text(), template))
    for data in folder.glob("*/postgres"):
        server = EmbeddedServer(data.parent)
        server.start()
        server.stop()
    shutil.rmtree(folder, ignore_errors=True)


def _memory() -> Path | None:
    """A folder in memory with room for the servers of a run. BESPEAK_TEST_FOLDER names another; the
    system's folder for temporary files is used where there is none."""
    named = os.environ.get("BESPEAK_TEST_FOLDER")
    if named is not None:
        return Path(named)
    if not os.access(_SHARED_MEMORY, os.W_OK):
        return None
    free = min(shutil.disk_usage(_SHARED_MEMORY).free, psutil.virtual_memory().available)
    return _SHARED_MEMORY if free >= _MEMORY_BYTES_MIN else None


def template_name() -> str:
    """The name of the migrated database that every test's is copied from."""
    return "bespeak_template_" + Path(os.environ[RUN_DIR]).name[-8:].lower()


def named(url: str, database: str) -> str:
    """The URL of another database on the same server."""
    return urlunsplit(urlsplit(url)._replace(path=f"/{database}"))


def server_url() -> str:
    """The URL of the server's own database `postgres`; whoever asks first starts and fills it."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw")
    url, name = given_server(os.environ.get(_OWN_URL, ""), worker) or (None, worker)
    folder = Path(os.environ[RUN_DIR]) / name
    folder.mkdir(exist_ok=True)
    with locked(folder / "lock"):
        known = folder / "url"
        if known.exists():
            return known.read_text()
        if url is None:
            url = EmbeddedServer(folder).start()
            asyncio.run(_loosen(url))
        asyncio.run(_make_template(url))
        known.write_text(url)
        return url


def given_server(urls: str, worker: str) -> tuple[str, str] | None:
    """Which of the servers that were named a worker takes, and the name of the folder in which what
    is known of it stands: workers that are more than the servers share them. None if none is."""
    given = urls.split()
    if not given:
        return None
    number = int(worker.removeprefix("gw") or 0) % len(given)
    return given[number], f"{_GIVEN}{number}"


@asynccontextmanager
async def fresh_database(server: str, *, migrated: bool = True) -> AsyncIterator[str]:
    """A database of one's own, dropped afterwards with whoever is still connected."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw")
    run = Path(os.environ[RUN_DIR]).name[-8:].lower()
    name = f"bespeak_{run}_{worker}_{os.getpid()}_{next(_numbers)}"
    template = template_name() if migrated else "template0"
    _administer(server, f'create database "{name}" template "{template}" strategy file_copy')
    if migrated:
        know_types_of(name)
    try:
        yield named(server, name)
    finally:
        _administer(server, f'drop database "{name}" with (force)')


def _administer(server: str, statement: str) -> None:
    """Runs a statement that makes or drops a database, on the connection that this process keeps
    for that. It belongs to no event loop, of which each test has its own; whoever waits for a
    database has nothing else to do."""
    admin = _admins.get(server)
    if admin is None or admin.closed or admin.broken:
        admin = _admins[server] = psycopg.connect(server, autocommit=True)
    admin.execute(statement.encode())


@atexit.register
def _close_admins() -> None:
    for admin in _admins.values():
        admin.close()


@asynccontextmanager
async def session(url: str, now: str | None = None) -> AsyncIterator[Connection]:
    """A connection of its own, its clock moved to `now` if given."""
    connection = await connect(url)
    try:
        if now is not None:
            await connection.execute("select set_config('bespeak.now', $1, false)", now)
        yield connection
    finally:
        connection.terminate()


async def snapshot(connection: Connection) -> dict[str, list[str]]:
    """Every row of every table, those of the verticals too, to prove that nothing changed; but for
    the counts of refusals and the audit log, which are what a refusal does change, and for who
    joined a waiting room before, which its worker writes down within a second."""
    tables = await connection.fetch(_TABLES)
    found: dict[str, list[str]] = {row["name"]: [] for row in tables}
    filled = [row for row in tables if row["bytes"] > 0]  # most are empty, and cost a plan each
    rows = await connection.fetch(
        " union all ".join(
            f"select '{row['name']}', t::text from {row['relation']} t" for row in filled
        )
    )
    for name, line in rows:
        found[name].append(line)
    for lines in found.values():
        lines.sort()
    return found


async def problems(connection: Connection) -> list[str]:
    """What the auditor finds, as text; an empty list is the proof."""
    return [str(tuple(row)) for row in await connection.fetch("select * from bespeak.audit()")]


async def feed_settled(connection: Connection) -> None:
    """Waits until the feed shows all that was committed before, and numbers it. Transaction numbers
    are the whole server's, so a test that runs beside this one in another database may hold it up a
    little."""
    reached = await connection.fetchval("select pg_snapshot_xmax(pg_current_snapshot())::text")
    async with asyncio.timeout(20):
        while not await connection.fetchval(  # noqa: ASYNC110
            "select pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8", reached
        ):
            await asyncio.sleep(0.002)
        while await connection.fetchval("select bespeak.number_events()") != 0:  # noqa: ASYNC110
            await asyncio.sleep(0.002)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keeps the other workers of the run waiting for the same file."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


async def _loosen(url: str) -> None:
    connection = await connect(url)
    try:
        for name in _FAST:
            await connection.execute(f"alter system set {name} = off")
        await connection.execute("select pg_reload_conf()")
    finally:
        await connection.close()


async def _make_template(url: str) -> None:
    connection = await connect(url)
    try:
        await connection.execute(f'create database "{template_name()}" template template0')
    finally:
        await connection.close()
    filled = await connect(named(url, template_name()))
    try:
        await migrate(filled, [*migration_sources(), DEMO])
    finally:
        await filled.close()


async def _drop_template(url: str, name: str) -> None:
    connection = await connect(url)
    try:
        await connection.execute(f'drop database if exists "{name}"')
    finally:
        await connection.close()
