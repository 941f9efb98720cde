"""Live streams over a real server with two workers: what they tell, how one goes on where another
left off, viewers that do not read, limits, keys, and how they end."""

import asyncio
import signal
import socket
from collections.abc import AsyncIterator

import httpx
import msgspec
import psutil
import pytest
import pytest_asyncio

import bespeak
from bespeak import Resource
from bespeak.inventory import resources
from tests.conftest import SETTINGS
from tests.harness import database
from tests.harness.shows import new_show, pool, seats, take
from tests.harness.watching import PATIENCE_SECONDS, Known, same, streaming, truth
from tests.http.api import problem, until
from tests.http.test_server import Served, served_on

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def served(server: str) -> AsyncIterator[Served]:
    async with served_on(server, 2) as made:
        yield made


@pytest_asyncio.fixture(loop_scope="module")
async def selling(served: Served) -> AsyncIterator[bespeak.Engine]:
    """An engine beside the server: what it sells, the server's viewers see."""
    async with bespeak.connect(served.url, settings=SETTINGS, sweep=False) as made:
        yield made


@pytest_asyncio.fixture(loop_scope="module")
async def show(served: Served) -> Resource:
    return await resources.create(served.connection, new_show())


async def test_a_viewer_sees_what_others_do(
    served: Served, selling: bespeak.Engine, show: Resource
) -> None:
    await take(selling, [*seats(show, "A1", "A2"), pool(show, "floor", 2)])
    await database.feed_settled(served.connection)
    async with streaming(served.client, show, bearer=served.keys["pk"]) as stream:
        first = await stream.next()
        assert first.event == "snapshot"
        assert first.data == {
            "cursor": first.id,
            "resource_id": show.id,
            "resource_version": 1,
            "at": first.data["at"],
            "taken": {"A1": "held", "A2": "held"},
            "pools": {
                "floor": {"capacity": 5, "available": 3},
                "gallery": {"capacity": 3, "available": 3},
            },
            "units_total": 29,
            "units_free": 27,
        }
        assert stream.response.headers["cache-control"] == "no-store"
        await take(selling, seats(show, "B3"), "ben")
        change = await stream.next()
        assert (change.event, change.data) == (
            "change",
            {"cursor": change.id, "units": {"B3": "held"}, "pools": {}, "units_free": 26},
        )
        await selling.update_resource(show.id, bespeak.ResourceChange(name="Late show"))
        stale = await stream.next()
        assert (stale.event, stale.data["resource_version"]) == ("stale", 2)
        assert (await stream.next()).event == "snapshot"


async def test_another_worker_goes_on_where_the_first_left_off(
    served: Served, selling: bespeak.Engine, show: Resource
) -> None:
    """Each connection may be another worker's: after twenty, both have had some."""
    known, key = Known(), served.keys["pk"]
    for number in range(1, 21):
        async with (
            httpx.AsyncClient(base_url=served.client.base_url, timeout=20) as client,
            streaming(client, show, bearer=key, last=known.cursor) as stream,
        ):
            await stream.until(known, await truth(selling, show))
        places = [pool(show, "floor", 1)] if number < 6 else []
        await take(selling, [*seats(show, f"A{number}"), *places])
    async with streaming(
        served.client, show, bearer=served.keys["pk"], last=known.cursor
    ) as stream:
        await stream.until(known, await truth(selling, show))
    assert known.snapshots == 1
    assert known.stale == 0


async def test_who_missed_a_change_of_the_plan_is_told(
    served: Served, selling: bespeak.Engine, show: Resource
) -> None:
    known = Known()
    async with streaming(served.client, show, bearer=served.keys["pk"]) as stream:
        await stream.until(known, await truth(selling, show))
    await selling.update_resource(show.id, bespeak.ResourceChange(name="Later still"))
    for last in (known.cursor, "nonsense", "fffffffffffffff-0"):
        async with streaming(served.client, show, bearer=served.keys["pk"], last=last) as stream:
            assert [(await stream.next()).event for _ in range(2)] == ["stale", "snapshot"]


async def test_a_key_in_the_url_must_be_no_secret(served: Served, show: Resource) -> None:
    path = f"/v1/resources/{show.id}/stream"
    async with streaming(served.client, show, key=served.keys["pk"]):
        pass
    for kind in ("sk", "ak"):
        answer = await served.client.get(path, params={"key": served.keys[kind]})
        problem(answer, "key_kind_wrong", kinds=["publishable"])
        async with streaming(served.client, show, bearer=served.keys[kind]):
            pass
    problem(await served.client.get(path), "key_missing")
    problem(await served.client.get(path, params={"key": "pk_nonsense"}), "key_unknown")
    elsewhere = f"/v1/resources/{show.id}/availability"
    answer = await served.client.get(elsewhere, params={"key": served.keys["pk"]})
    problem(answer, "key_missing")


async def test_head_answers_at_once(served: Served, show: Resource) -> None:
    answer = await served.client.head(
        f"/v1/resources/{show.id}/stream", headers=served.headers("pk")
    )
    assert (answer.status_code, answer.content) == (200, b"")


async def open_streams(served: Served) -> float:
    """How many the server counts."""
    for row in (await served.client.get("/metrics", headers=served.headers())).text.splitlines():
        if row.startswith("bespeak_streams "):
            return float(row.split()[-1])
    return 0.0


async def test_who_has_gone_is_forgotten(served: Served, show: Resource) -> None:
    async def count(wanted: int) -> bool:
        return await open_streams(served) == wanted

    await until(lambda: count(0))
    async with streaming(served.client, show, bearer=served.keys["pk"]) as stream:
        await stream.next()
        await until(lambda: count(1))
    await until(lambda: count(0))


async def test_a_viewer_that_does_not_read_costs_nothing(server: str) -> None:
    """Its messages wait in the sockets, and no more of them than fit there: not one in the worker.
    Each is large, so that a backlog of what is sent here would be 200 MB. Once it reads again, it
    knows all, though most of what the others were told was never sent to it."""
    rows = tuple(bespeak.Row(f"R{number}-", 100) for number in range(100))
    plan = bespeak.SeatsPlan(sections=(bespeak.Section("Arena", rows),))
    async with (
        served_on(server, 1) as served,
        bespeak.connect(served.url, settings=SETTINGS, sweep=False) as selling,
    ):
        hall = await resources.create(served.connection, new_show(plan=plan))
        taken = [f"R{row}-{seat}" for row in range(98) for seat in range(1, 101)]
        await selling.block(hall.id, [bespeak.BlockLine(unit) for unit in taken], reason="x")
        worker = next(iter(psutil.Process(served.process.pid).children()))
        path = f"/v1/resources/{hall.id}/stream?key={served.keys['pk']}"
        head = f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n"
        reading = Known()
        async with streaming(served.client, hall, bearer=served.keys["pk"]) as stream:
            await stream.until(reading, await truth(selling, hall))
            sleepers = [_sleeper(served.port, head.encode()) for _ in range(20)]
            try:
                before = worker.memory_info().rss
                for turn in range(60):
                    change = bespeak.ResourceChange(name=f"Turn {turn}")
                    await selling.update_resource(hall.id, change)
                    await take(selling, seats(hall, f"R99-{turn + 1}"), "crowd")
                    await stream.until(reading, await truth(selling, hall))
                assert reading.stale >= 60
                assert worker.memory_info().rss - before < 60 << 20
                awake, sent = await _read_all(sleepers[0], await truth(selling, hall))
                assert same(awake, reading)
                assert awake.stale < reading.stale
                assert sent < 60 * 150_000
            finally:
                for one in sleepers:
                    one.close()


def _sleeper(port: int, head: bytes) -> socket.socket:
    """A connection with the smallest of windows, which nobody reads."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.connect(("127.0.0.1", port))
    made.sendall(head)
    return made


async def _read_all(sleeper: socket.socket, want: Known) -> tuple[Known, int]:
    """What a sleeper knows when it has read what there is, and how many bytes that was."""
    reader, writer = await asyncio.open_connection(sock=sleeper, limit=1 << 24)
    known, size = Known(), 0
    found: dict[str, str] = {}
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not same(known, want):
                line = await reader.readline()
                assert line, "it was let go"
                size += len(line)
                name, _, value = line.decode().strip().partition(": ")
                if name in ("id", "event", "data"):
                    found[name] = value
                if name == "data":
                    known.learn(found["event"], msgspec.json.decode(value), found["id"])
    finally:
        writer.transport.abort()
    return known, size


async def test_a_stop_ends_streams_with_a_farewell(server: str) -> None:
    async with served_on(server, 2) as served:
        show = await resources.create(served.connection, new_show())
        async with (
            streaming(served.client, show, bearer=served.keys["pk"]) as one,
            streaming(served.client, show, bearer=served.keys["pk"]) as two,
        ):
            for stream in (one, two):
                assert (await stream.next()).event == "snapshot"
            served.process.send_signal(signal.SIGTERM)
            for stream in (one, two):
                assert (await stream.next()).event == "bye"
                with pytest.raises(AssertionError, match="ended"):
                    await stream.next()
        await until(lambda: served.process.poll() is not None)
        assert served.process.returncode == 0


async def test_limits(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BESPEAK_STREAMS_MAX", "3")
    monkeypatch.setenv("BESPEAK_STREAMS_PER_ADDRESS_MAX", "2")
    async with served_on(server, 1) as served:
        show = await resources.create(served.connection, new_show())
        path = f"/v1/resources/{show.id}/stream"
        key = served.keys["pk"]
        async with (
            streaming(served.client, show, bearer=key) as one,
            streaming(served.client, show, bearer=key),
        ):
            await one.next()
            answer = await served.client.get(path, headers=served.headers("pk"))
            problem(answer, "too_many_streams", limit=2)
            assert int(answer.headers["retry-after"]) > 0
            elsewhere = httpx.AsyncHTTPTransport(local_address="127.0.0.2")
            async with (
                httpx.AsyncClient(
                    base_url=served.client.base_url, transport=elsewhere, timeout=20
                ) as other,
                streaming(other, show, bearer=key),
            ):
                answer = await other.get(path, headers=served.headers("pk"))
                problem(answer, "overloaded")

        async def free() -> bool:
            return (await served.client.head(path, headers=served.headers("pk"))).is_success

        await until(free)


async def test_a_guests_stream_ends_when_the_resource_is_published_no_more(
    served: Served, selling: bespeak.Engine, show: Resource
) -> None:
    pk, sk = served.keys["pk"], served.keys["sk"]
    async with (
        streaming(served.client, show, bearer=pk) as guest,
        streaming(served.client, show, bearer=sk) as trusted,
    ):
        assert (await guest.next()).event == (await trusted.next()).event == "snapshot"
        await selling.update_resource(show.id, bespeak.ResourceChange(published=False))
        assert (await guest.next()).event == "bye"
        assert [(await trusted.next()).event for _ in range(2)] == ["stale", "snapshot"]
    path = f"/v1/resources/{show.id}/stream"
    headers = {"Authorization": f"Bearer {pk}"}
    problem(await served.client.get(path, headers=headers), "resource_not_found")
