"""`bespeak listen` and `bespeak trigger` with a real server: what is made to happen there arrives
here, signed; what failed is sent again when it is asked for.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from aiohttp import web
from standardwebhooks import Webhook

from bespeak.cli import listen, trigger
from bespeak.client import Client
from bespeak.feed.errors import CursorExpired
from tests.harness.receiver import Receiver, receiving
from tests.http.running import Server, command, running

HOOKS = "/hooks"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the sandbox."""
    data = tmp_path_factory.mktemp("serve") / "data"
    arguments = ("serve", "--data", str(data), "--workers", "1")
    with running(
        data, *arguments, BESPEAK_PAYMENT_PROVIDERS="sandbox", BESPEAK_ALLOW_PRETEND_MONEY="true"
    ) as made:
        yield made


class Listener:
    """`bespeak listen` in a process of its own, and what it prints."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def line(self) -> dict[str, object]:
        assert self._process.stdout is not None
        async with asyncio.timeout(60):
            found = await self._process.stdout.readline()
        line: dict[str, object] = json.loads(found)
        return line

    async def status(self) -> int:
        async with asyncio.timeout(60):
            return await self._process.wait()


@asynccontextmanager
async def listening(
    server: Server, receiver: Receiver, *arguments: str
) -> AsyncIterator[tuple[Listener, str]]:
    """A listener, and the secret that it says."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bespeak", "listen", "--forward-to", receiver.url + HOOKS,
        "--url", server.url, "--json", *arguments,
        env=server.environment, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        made = Listener(process)
        secret = (await made.line())["secret"]
        assert isinstance(secret, str)
        yield made, secret
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def end_of_feed(server: Server) -> str:
    async with Client(server.url, server.keys["sk"]) as client:
        return await listen._now(client)


def types(receiver: Receiver) -> set[str]:
    return {json.loads(one.body)["type"] for one in receiver.came}


async def test_all_that_can_be_triggered_arrives_signed(server: Server) -> None:
    async with (
        receiving() as receiver,
        listening(server, receiver, "--after", await end_of_feed(server)) as (_, secret),
    ):
        done = await asyncio.gather(
            *(trigger._run(server.url, server.keys["ak"], what) for what in trigger.STORIES)
        )
        assert all(done)
        async with asyncio.timeout(60):
            while not set(trigger.STORIES) <= types(receiver):
                receiver.arrived.clear()
                await receiver.arrived.wait()
        for one in receiver.came:
            Webhook(secret).verify(one.body, one.headers)
            event = json.loads(one.body)["data"]
            assert one.headers["webhook-id"] == f"msg_{event['cursor']}"


async def test_what_failed_is_sent_again_when_it_is_asked_for(server: Server) -> None:
    async def broken(_: web.Request) -> web.StreamResponse:
        return web.Response(status=500)

    async with receiving() as receiver:
        receiver.answers[HOOKS] = broken
        after = ("--after", await end_of_feed(server), "--events", "hold.released")
        async with listening(server, receiver, *after) as (listener, secret):
            assert command(server, "trigger", "hold.released").returncode == 0
            line = await listener.line()
        assert (line["type"], line["status"]) == ("hold.released", 500)
        again = ("--replay", str(line["event"]), "--secret", secret)
        async with listening(server, receiver, *again) as (listener, _):
            assert (await listener.line())["status"] == 500
            assert await listener.status() == 1
        del receiver.answers[HOOKS]
        async with listening(server, receiver, *again) as (listener, same):
            assert (await listener.line())["status"] == 200
            assert await listener.status() == 0
    assert same == secret
    first, *others = receiver.came
    assert all(one.headers["webhook-id"] == first.headers["webhook-id"] for one in others)
    assert [one.body for one in others] == [first.body] * 2
    Webhook(secret).verify(first.body, first.headers)


async def test_a_program_that_is_away_is_told_and_nothing_ends(server: Server) -> None:
    async with receiving() as receiver:
        after = await end_of_feed(server)
        gone = Receiver(url="http://127.0.0.1:9")
        async with listening(server, gone, "--after", after) as (listener, _):
            for what in ("hold.held", "hold.held"):
                assert await trigger._run(server.url, server.keys["ak"], what)
                line = await listener.line()
                assert (line["type"], line["status"]) == (what, None)
                assert "127.0.0.1:9" in str(line["failure"])
        assert receiver.came == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("listen", "--forward-to", "3000/hooks"), "not an http URL"),
        (("listen", "--forward-to", "http://127.0.0.1:9", "--events", "late"), "no such type"),
        (("listen", "--forward-to", "http://127.0.0.1:9", "--after", "now"), "invalid_cursor"),
        (("listen", "--forward-to", "http://127.0.0.1:9", "--replay", "1-2"), "cursor_of_another"),
        (("listen", "--forward-to", "http://127.0.0.1:9", "--secret", "whsec_?"), "(secret)"),
        (("trigger", "block.blocked"), "cannot make block.blocked: there are hold.held"),
        (("trigger", "hold.held", "--key", "ak_nobody"), "key_unknown"),
        (("trigger", "hold.held", "--url", "http://127.0.0.1:9"), "no key for"),
    ],
)
async def test_what_cannot_be_is_said(
    server: Server, arguments: tuple[str, ...], said: str
) -> None:
    done = await asyncio.to_thread(command, server, *arguments)
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_without_the_sandbox_nothing_is_triggered(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with running(data, "serve", "--data", str(data), "--workers", "1") as bare:
        done = command(bare, "trigger", "payment.late")
        assert done.returncode == 1
        assert "provider_unknown" in done.stderr
        page = bare.call("GET", "/v1/events")
        assert isinstance(page, dict)
        assert page["items"] == []


class Told:
    """Answers of a server, in turn, and where each was to go on from."""

    def __init__(self, *answers: httpx.Response) -> None:
        self.asked: list[str] = []
        self._answers = list(answers)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request.url.params.get("after", ""))
        return self._answers.pop(0)


def refusal(code: str, cursor: str | None) -> httpx.Response:
    said = {"code": code, "status": 410, "detail": "", "cursor": cursor}
    return httpx.Response(410, json=said)


EVENT = {
    "cursor": "6-a", "position": 10, "kind": "held", "resource_id": "res_00000001",
    "hold_id": None, "lines": [], "at": "2030-01-01T12:00:00Z",
}  # fmt: skip
PAGE = {"items": [EVENT], "next": "6-a", "epoch": 6}
SNAPSHOT: dict[str, object] = {"items": [], "next": None, "cursor": "6-8"}


async def test_it_goes_on_through_an_absence_and_another_life(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = Told(
        httpx.Response(502),
        refusal("cursor_of_another_life", "6-9"),
        refusal("cursor_of_another_life", None),
        httpx.Response(200, json=SNAPSHOT),
        httpx.Response(200, json=PAGE),
        refusal("cursor_expired", "6-b"),
    )
    transport = httpx.MockTransport(told)
    async with Client("http://bespeak.test", "sk_test", timeout=0, transport=transport) as client:
        followed = listen._followed(client, "5-14")
        assert (await anext(followed)).cursor == "6-a"
        with pytest.raises(CursorExpired):
            await anext(followed)
    assert told.asked == ["5-14", "5-14", "6-9", "", "6-8", "6-a"]
    assert "trying on" in capsys.readouterr().err
