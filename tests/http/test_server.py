"""The API as a server on a port: bodies on the wire, connections that break, SIGTERM under load."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass

import httpx
import msgspec
import psutil
import pytest
import pytest_asyncio

from bespeak.http.server.keys import create_key
from bespeak.inventory import resources
from tests.harness import database
from tests.harness.database import Connection
from tests.harness.shows import new_show
from tests.http.api import KINDS, line, problem, until
from tests.http.running import END_SECONDS_MAX

pytestmark = pytest.mark.asyncio(loop_scope="module")

# A viewer who does not read for a minute is let go, and some tests take a busy machine longer.
_MAIN = """
import os
import sys
from bespeak.http.workers import ApiServer
from bespeak.settings import Settings

def be_patient():
    from bespeak.http.server import streams
    streams._STALLED_SECONDS = 3600.0

os.register_at_fork(after_in_child=be_patient)
url, port, workers = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
settings, silent_seconds_max = Settings.read(), float(sys.argv[4])
server = ApiServer(
    url, "127.0.0.1", port, workers, settings, lambda: None, silent_seconds_max=silent_seconds_max
)
server.run()
"""
_MEGABYTE = b" " * 1_048_576


@dataclass
class Served:
    """A server process on a database, and keys for it."""

    process: subprocess.Popen[bytes]
    port: int
    url: str
    keys: dict[str, str]
    connection: Connection
    client: httpx.AsyncClient

    def headers(self, key: str = "sk") -> dict[str, str]:
        return {"Authorization": f"Bearer {self.keys[key]}"}

    def workers(self) -> list[psutil.Process]:
        """The API workers that live."""
        children = psutil.Process(self.process.pid).children()
        return [each for each in children if each.status() != psutil.STATUS_ZOMBIE]

    async def ask_once(self, path: str, headers: dict[str, str] | None = None) -> httpx.Response:
        """The answer on a connection of its own."""
        async with httpx.AsyncClient(base_url=self.client.base_url, timeout=5) as one:
            return await one.get(path, headers=headers)


@contextmanager
def process_on(
    url: str, workers: int, silent_seconds_max: float = 60, **variables: str
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    with closing(socket.create_server(("127.0.0.1", 0))) as probe:
        port = probe.getsockname()[1]
    arguments = [sys.executable, "-c", _MAIN, url, str(port), str(workers), str(silent_seconds_max)]
    environment = {**os.environ, "BESPEAK_DATABASE_WAIT_SECONDS": "5", **variables}
    with subprocess.Popen(arguments, env=environment) as process:
        try:
            yield process, port
        finally:
            if process.poll() is None:
                process.terminate()
            try:
                process.wait(END_SECONDS_MAX)
            except subprocess.TimeoutExpired:
                process.kill()
                raise


@asynccontextmanager
async def served_on(
    server: str, workers: int, silent_seconds_max: float = 60, **variables: str
) -> AsyncIterator[Served]:
    async with database.fresh_database(server) as url, database.session(url) as connection:
        keys = {one: (await create_key(connection, kind, one))[0] for one, kind in KINDS.items()}
        with process_on(url, workers, silent_seconds_max, **variables) as (process, port):
            base = f"http://127.0.0.1:{port}"
            async with httpx.AsyncClient(base_url=base, timeout=20) as client:
                served = Served(process, port, url, keys, connection, client)
                await answering(served)
                yield served


async def answering(served: Served) -> None:
    """Waits until a worker answers on a new connection."""

    async def answers() -> bool:
        with suppress(httpx.TransportError):
            return (await served.ask_once("/healthz")).status_code == 200
        return False

    await until(answers)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def served(server: str) -> AsyncIterator[Served]:
    async with served_on(server, 2) as made:
        yield made


async def _megabytes(count: int) -> AsyncIterator[bytes]:
    for _ in range(count):
        yield _MEGABYTE


async def test_ten_megabytes_are_refused_and_the_server_lives(served: Served) -> None:
    before = await database.snapshot(served.connection)
    for _ in range(3):
        for content in (_MEGABYTE * 10, _megabytes(10)):
            answer = await served.client.post(
                "/v1/holds", headers=served.headers(), content=content
            )
            problem(answer, "body_too_large", limit_bytes=262_144)
    assert (await served.client.get("/readyz")).status_code == 200
    assert await database.snapshot(served.connection) == before


async def test_a_connection_is_good_for_the_next_request(served: Served) -> None:
    """After HEAD, 304, 204-like and refused requests nothing is left over on the connection."""
    show = await resources.create(served.connection, new_show())
    await database.feed_settled(served.connection)  # until then the tag may be that of before
    path = f"/v1/resources/{show.id}/availability"
    limits = httpx.Limits(max_connections=1)
    base = str(served.client.base_url)
    async with httpx.AsyncClient(base_url=base, headers=served.headers(), limits=limits) as one:
        tag = (await one.get(path)).headers["etag"]
        for _ in range(3):
            assert (await one.head(path)).status_code == 200
            assert (await one.get(path, headers={"If-None-Match": tag})).status_code == 304
            assert (await one.post("/v1/holds", content=b"{")).status_code == 400
            assert (await one.put("/v1/holds", content=b"{}")).status_code == 405
            assert (await one.post("/nowhere", content=b"{}" * 1000)).status_code == 404
            assert (await one.get(path)).headers["etag"] == tag


async def test_half_a_request_changes_nothing(served: Served) -> None:
    show = await resources.create(served.connection, new_show())
    body = {"owner": "asha", "lines": [line(show, "A1"), line(show, "A2")]}
    held = await served.client.post("/v1/holds", headers=served.headers(), json=body)
    hold_id = held.json()["id"]
    booked = await served.client.post(
        "/v1/bookings", headers=served.headers(), json={"hold_id": hold_id}
    )
    path = f"/v1/bookings/{booked.json()['id']}"
    before = await database.snapshot(served.connection)
    whole = msgspec.json.encode({"lines": [line(show, "A1")]})
    declared = f"Content-Length: {len(whole)}"
    for framing, sent in (
        (declared, b""),
        (declared, whole[:10]),
        ("Transfer-Encoding: chunked", b""),
        ("Transfer-Encoding: chunked", b"5\r\n" + whole[:5] + b"\r\n"),
        ("Transfer-Encoding: chunked", b"2\r\n{}\r\n"),
        ("Transfer-Encoding: chunked", b"zz\r\n{}\r\n"),
    ):
        head = (
            f"DELETE {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            f"Authorization: {served.headers()['Authorization']}\r\n{framing}\r\n\r\n"
        )
        await send_raw(served.port, head.encode() + sent)
    # All of them were dealt with once a later request on the same worker processes is answered.
    await settle(served)
    assert await database.snapshot(served.connection) == before


async def send_raw(port: int, data: bytes, *, breaks_off: bool = True) -> bytes:
    """Sends bytes, and no more than them; answers what came back, if anything."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        async with asyncio.timeout(20):
            writer.write(data)
            await writer.drain()
            if breaks_off:
                writer.write_eof()
            return await reader.read()
    finally:
        writer.transport.abort()


async def settle(served: Served) -> None:
    await asyncio.gather(
        *(served.client.get("/v1/keys", headers=served.headers("ak")) for _ in range(8))
    )


async def test_what_is_no_http_is_refused(served: Served) -> None:
    for garbage in (
        b"nonsense\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST /v1/holds HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\nA: " + b"a" * 1_000_000 + b"\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00",
    ):
        try:
            answer = await send_raw(served.port, garbage)
        except OSError:
            continue  # the connection was closed before all of it was sent
        assert answer == b"" or b" 4" in answer.split(b"\r\n")[0], answer[:100]
    head = (
        b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: \xff\xfe\r\nConnection: close\r\n\r\n"
    )
    answer = await send_raw(served.port, head, breaks_off=False)
    assert b" 200 " in answer.split(b"\r\n")[0]


async def test_all_workers_count_into_the_same_metrics(server: str) -> None:
    """At a server of their own: what others held a moment ago may not be counted yet."""
    async with served_on(server, 2) as served:
        await until(lambda: healed(served))
        show = await resources.create(served.connection, new_show())
        for number in range(1, 17):
            body = {"owner": "asha", "lines": [line(show, f"A{number}")]}
            async with httpx.AsyncClient(base_url=served.client.base_url) as fresh:
                answer = await fresh.post("/v1/holds", headers=served.headers(), json=body)
                assert answer.status_code == 201

        async def all_are_counted() -> bool:  # each worker writes what it counted once a second
            return await held(served) == 16

        await until(all_are_counted)


async def held(served: Served) -> int:
    """How many holds the metrics have."""
    for row in (await served.client.get("/metrics", headers=served.headers())).text.splitlines():
        if row.startswith('bespeak_holds_total{outcome="held"}'):
            return int(float(row.split()[-1]))
    return 0


async def test_sigterm_answers_everyone_who_waits(server: str) -> None:
    async with served_on(server, 1) as served, database.session(served.url) as blocker:
        show = await resources.create(served.connection, new_show())
        await blocker.execute("begin")
        await blocker.execute("lock table bespeak.claim in exclusive mode")
        tasks = []
        for number in range(1, 11):
            body = {"owner": "asha", "lines": [line(show, f"A{number}")]}
            tasks.append(
                asyncio.create_task(
                    served.client.post("/v1/holds", headers=served.headers(), json=body)
                )
            )
        await until(lambda: queue_depth(served, 10))
        served.process.send_signal(signal.SIGTERM)
        await asyncio.sleep(0.3)
        await blocker.execute("rollback")
        answers = await asyncio.gather(*tasks)
        granted = 0
        for answer in answers:
            if answer.status_code == 201:
                granted += 1
            else:
                problem(answer, "shutting_down")
        await until(lambda: served.process.poll() is not None)
        assert served.process.returncode == 0
        count = await served.connection.fetchval("select count(*) from bespeak.hold")
        assert count == granted >= 1
        assert await database.problems(served.connection) == []


async def queue_depth(served: Served, count: int) -> bool:
    """Whether so many requests wait to be written, or are being written."""
    answer = await served.client.get("/metrics", headers=served.headers())
    return f"bespeak_queue_depth {count}.0" in answer.text.splitlines()


async def test_workers_that_are_killed_are_replaced_however_often(server: str) -> None:
    """Ten kills, each of the worker that lives for longer; the other one serves meanwhile. How long
    the supervisor waits before it starts one again is in tests/unit/test_children.py."""
    async with served_on(server, 2) as served:
        supervisor = psutil.Process(served.process.pid)
        for _ in range(10):
            await until(lambda: healed(served))
            supervisor.suspend()
            min(served.workers(), key=lambda each: each.create_time()).kill()
            await until(lambda: len(served.workers()) == 1)
            await answering(served)
            assert len(served.workers()) == 1, "it was the other one that answered"
            supervisor.resume()
        await until(lambda: healed(served))
        assert len(served.workers()) == 2
        assert served.process.poll() is None
        assert await replaced(served, "ended") == 10


async def test_a_worker_that_is_silent_is_missed_and_replaced(server: str) -> None:
    async with served_on(server, 2, silent_seconds_max=7) as served:
        await until(lambda: healed(served))
        stopped = served.workers()[0]
        stopped.suspend()

        async def missing() -> bool:
            with suppress(httpx.TransportError):  # the one that is stopped accepts, and no more
                answer = (await served.ask_once("/readyz")).json()
                return answer["status"] == "degraded" and len(answer["missing"]) == 1
            return False

        await until(missing)
        await until(lambda: healed(served))
        assert len(served.workers()) == 2
        assert stopped.pid not in [each.pid for each in served.workers()]
        assert await replaced(served, "silent") == 1


async def test_a_server_whose_workers_cannot_start_ends_with_status_1(server: str) -> None:
    async with database.fresh_database(server, migrated=False) as url:
        with process_on(url, 2) as (process, _):
            await until(lambda: process.poll() is not None)
            assert process.returncode == 1


async def healed(served: Served) -> bool:
    """Whether all workers are at work, as each of them says."""
    if len(served.workers()) != 2:
        return False
    for _ in range(8):
        try:
            answer = await served.ask_once("/readyz")
        except httpx.TransportError:
            return False
        if answer.json() != {"status": "ready"}:
            return False
    return True


async def replaced(served: Served, because: str) -> int:
    found = 0.0
    for row in (await served.ask_once("/metrics", served.headers())).text.splitlines():
        if row.startswith("bespeak_processes_replaced_total") and f'because="{because}"' in row:
            found += float(row.split()[-1])
    return int(found)
