"""One stream, message by message, without a network: heartbeats, a client that does not take what
it is sent, and that the key in a URL is not logged."""

import asyncio
from collections.abc import AsyncIterator, Mapping, MutableMapping
from contextlib import asynccontextmanager

import msgspec
import pytest

from bespeak import Resource
from bespeak.feed import live_channel
from bespeak.http.server import streams
from bespeak.http.server.asgi import AsgiScope
from tests.harness.shows import MakeShow, seats, take
from tests.harness.watching import PATIENCE_SECONDS
from tests.http.api import Api, until
from tests.http.conftest import OpenApi


class Client:
    """The other side of one request to the application, which takes what it is sent when the test
    lets it."""

    def __init__(self, api: Api, show: Resource) -> None:
        self._api = api
        self._show = show
        self.parts: asyncio.Queue[bytes] = asyncio.Queue()
        self.takes = asyncio.Event()
        self.takes.set()
        self.gone = asyncio.Event()
        self.waiting = 0
        self._asked = False

    async def run(self) -> None:
        """Makes the request; returns when its answer is over."""
        scope: AsgiScope = {
            "type": "http",
            "method": "GET",
            "path": f"/v1/resources/{self._show.id}/stream",
            "query_string": f"key={self._api.keys['pk']}".encode(),
            "headers": [],
            "client": ("127.0.0.1", 1),
        }
        await self._api.app(scope, self._receive, self._send)

    async def _receive(self) -> Mapping[str, object]:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, object]) -> None:
        self.waiting += 1
        await self.takes.wait()
        self.waiting -= 1
        body = message.get("body", b"")
        assert isinstance(body, bytes)
        self.parts.put_nowait(body)

    async def next(self) -> bytes:
        """What comes next."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await self.parts.get()

    async def units(self) -> dict[str, str]:
        """The units of the next message, a change."""
        _, event, data, *_ = (await self.next()).split(b"\n")
        assert event == b"event: change", event
        found: dict[str, str] = msgspec.json.decode(data.removeprefix(b"data: "))["units"]
        return found


@asynccontextmanager
async def client(api: Api, show: Resource) -> AsyncIterator[Client]:
    """A client that has had its first picture."""
    made = Client(api, show)
    task = asyncio.create_task(made.run())
    try:
        while not (await made.next()).startswith(b"id: "):
            pass
        yield made
    finally:
        made.takes.set()
        made.gone.set()
        async with asyncio.timeout(PATIENCE_SECONDS):
            await task


async def test_heartbeats_keep_it_open(
    api: Api, make_show: MakeShow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "_HEARTBEAT_SECONDS", 0.0)
    async with client(api, await make_show()) as viewer:
        for _ in range(2):
            assert await viewer.next() == b": \n\n"


async def test_it_has_one_message_on_its_way_and_then_all_the_rest(
    api: Api, make_show: MakeShow
) -> None:
    show = await make_show()
    engine = api.service.engine
    async with client(api, show) as viewer, client(api, show) as other:
        viewer.takes.clear()
        for number in range(1, 6):
            await take(engine, seats(show, f"A{number}"), "asha")
            assert await other.units() == {f"A{number}": "held"}
        assert viewer.waiting == 1
        viewer.takes.set()
        assert await viewer.units() == {"A1": "held"}
        assert await viewer.units() == {f"A{number}": "held" for number in range(2, 6)}


async def test_who_has_not_read_for_long_gets_the_whole(
    api: Api, make_show: MakeShow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_channel, "BEHIND_MAX", 2)
    show = await make_show()
    engine = api.service.engine
    async with client(api, show) as viewer, client(api, show) as other:
        viewer.takes.clear()
        for number in range(1, 6):
            await take(engine, seats(show, f"A{number}"), "asha")
            await other.units()
        caught_up = api.service.streams.caught_up
        viewer.takes.set()
        assert await viewer.units() == {"A1": "held"}
        assert b"event: snapshot\n" in await viewer.next()
        assert api.service.streams.caught_up == caught_up + 1


async def test_who_does_not_read_at_all_is_let_go(
    api: Api, make_show: MakeShow, monkeypatch: pytest.MonkeyPatch
) -> None:
    show = await make_show()
    async with client(api, show) as viewer:
        viewer.takes.clear()
        await take(api.service.engine, seats(show, "A1"), "asha")
        await until(lambda: viewer.waiting == 1)
        assert len(api.service.streams) == 1
        monkeypatch.setattr(streams, "_STALLED_SECONDS", 0.0)
        await until(lambda: not len(api.service.streams))


async def test_who_leaves_is_forgotten(api: Api, make_show: MakeShow) -> None:
    show = await make_show()
    for _ in range(3):
        async with client(api, show):
            assert len(api.service.streams) == 1
        assert len(api.service.streams) == 0
    assert not api.service.streams._addresses


async def test_a_worker_that_stops_says_goodbye(api: Api, make_show: MakeShow) -> None:
    async with client(api, await make_show()) as viewer:
        api.service.streams.end_all()
        assert await viewer.next() == b"event: bye\ndata: {}\n\n"
        assert await viewer.next() == b""


async def test_the_key_is_not_logged(
    open_api: OpenApi, make_show: MakeShow, logged: list[MutableMapping[str, object]]
) -> None:
    api = await open_api(log_requests="all")
    show = await make_show()
    path = f"/v1/resources/{show.id}/stream"
    for key in (api.keys["pk"], api.keys["sk"], "pk_nonsense"):
        await api.client.head(path, params={"key": key})
    async with client(api, show):
        pass
    told = [entry for entry in logged if entry.get("path") == path]
    assert [entry["status"] for entry in told] == [200, 403, 401, 200]
    for key in (*api.keys.values(), "pk_nonsense"):
        assert key not in str(logged)
