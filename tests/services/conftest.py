"""Services of the test's own, on free ports of the loopback, with nothing of them kept. A missing
one is a failure."""

import asyncio
import shutil
import socket
import subprocess
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import pytest

from bespeak.demo import DEMO
from bespeak.postgres.migrate import migrate
from bespeak.postgres.pool import connect
from bespeak.verticals.installed import migration_sources
from tests.harness.replication import DATABASE, Node, Pair, copy_of, folder_for_nodes

ROOT = Path(__file__).resolve().parents[2]


def free_port() -> int:
    """A port of the loopback that nobody listened on just now."""
    with closing(socket.create_server(("127.0.0.1", 0))) as probe:
        port: int = probe.getsockname()[1]
    return port


class RedisServer:
    """A redis-server that can be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        program = shutil.which("redis-server")
        assert program is not None, (
            "redis-server is missing: run scripts/install-package redis-server redis-server"
        )
        self.port = free_port()
        self._command = [program, "--port", str(self.port), "--bind", "127.0.0.1"]
        self._command += ["--save", "", "--appendonly", "no", "--dir", str(folder)]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        process = subprocess.Popen(self._command, stdout=subprocess.PIPE)
        self._process = process
        assert process.stdout is not None
        for line in process.stdout:
            if b"Ready to accept connections" in line:
                return
        raise AssertionError("redis-server did not start")

    def stop(self) -> None:
        if self._process is None:
            return
        self._process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        self._process.kill()
        self._process.wait(5)
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._process = None


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[RedisServer]:
    """A running Redis."""
    server = RedisServer(tmp_path)
    server.start()
    try:
        yield server
    finally:
        server.stop()


class StripeMock:
    """A stripe-mock: it knows the form of every request of Stripe's API, and answers by example."""

    def __init__(self) -> None:
        programs = list(ROOT.glob(".venv/stripe-mock/*/stripe-mock"))
        assert len(programs) == 1, "stripe-mock is missing: run scripts/install-stripe-mock"
        address = f"127.0.0.1:{free_port()}"
        self.url = f"http://{address}"
        self._process = subprocess.Popen(
            [programs[0], "-http-addr", address, "-https-addr", "127.0.0.1:0"],
            stdout=subprocess.PIPE,
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if b"Listening for HTTP at" in line:
                break
        else:
            raise AssertionError("stripe-mock did not start")
        # It tells of every request; a pipe that nobody reads would stop it when full.
        drain = partial(deque[bytes], self._process.stdout, maxlen=0)
        self._reader = threading.Thread(target=drain, daemon=True)
        self._reader.start()

    def stop(self) -> None:
        self._process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        self._process.kill()
        self._process.wait(5)
        self._reader.join(5)
        if self._process.stdout is not None:
            self._process.stdout.close()


@pytest.fixture
def stripe_mock() -> Iterator[StripeMock]:
    """A running stripe-mock."""
    mock = StripeMock()
    try:
        yield mock
    finally:
        mock.stop()


@pytest.fixture(scope="session")
def seed_node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    """A server with a migrated database, which does not run: tests copy its files."""
    with folder_for_nodes(tmp_path_factory.mktemp("seed")) as folder:
        node = Node(folder / "seed")
        node.initialize()
        node.start()
        node.sql(f"create database {DATABASE}", database="postgres")
        asyncio.run(_migrate(node.url))
        node.stop("fast")
        yield node


@pytest.fixture
def pair(seed_node: Node, tmp_path: Path) -> Iterator[Pair]:
    """A primary and a standby that follows it, asynchronously."""
    with folder_for_nodes(tmp_path) as folder:
        primary = copy_of(seed_node, folder / "primary")
        primary.start()
        standby = primary.standby(folder / "standby")
        standby.start()
        primary.wait_for_standby()
        yield Pair(primary, standby)


async def _migrate(url: str) -> None:
    connection = await connect(url)
    try:
        await migrate(connection, [*migration_sources(), DEMO])
    finally:
        await connection.close()
