"""One message to one receiver: signed, bounded in time and size, and never inside."""

import asyncio
import socket
from contextlib import suppress

import pytest
from aiohttp import web

from bespeak.notifications.webhooks.sender import OutgoingMessage, WebhookSender
from tests.harness.receiver import receiving, status

SECRET = "whsec_" + "c2VjcmV0" * 5
OTHER = "whsec_" + "b3RoZXIh" * 5


def letter(url: str, *secrets: str) -> OutgoingMessage:
    return OutgoingMessage(url, secrets or (SECRET,), "msg_1", b'{"type":"x"}')


async def test_it_is_signed_as_the_convention_says() -> None:
    async with receiving() as receiver, WebhookSender(allow_private=True) as sender:
        reply = await sender.send(letter(f"{receiver.url}/a?b=c", SECRET, OTHER))
    assert (reply.delivered, reply.status, reply.answer) == (True, 200, "thanks")
    (came,) = receiver.came
    assert came.headers["webhook-id"] == "msg_1"
    assert came.headers["content-type"] == "application/json"
    assert len(came.headers["webhook-signature"].split()) == 2
    assert came.is_signed_with(SECRET) and came.is_signed_with(OTHER)


async def test_a_name_that_leads_inside_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A public name may lead anywhere, and elsewhere a moment later."""
    asked: list[object] = []

    async def lead_inside(host: object, port: object, **_: object) -> list[object]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", lead_inside)
    async with receiving() as receiver:
        url = f"http://hooks.example:{receiver.url.rpartition(':')[2]}/"
        async with WebhookSender(allow_private=False) as careful:
            reply = await careful.send(letter(url))
        assert reply.failure is not None and "127.0.0.1 is not a public address" in reply.failure
        assert receiver.came == []
        async with WebhookSender(allow_private=True) as bold:
            assert (await bold.send(letter(url))).delivered
    assert asked == ["hooks.example", "hooks.example"]


@pytest.mark.parametrize(
    "host", ["[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f000001", "127.1"]
)
async def test_no_spelling_of_an_address_leads_inside(host: str) -> None:
    async with receiving() as receiver, WebhookSender(allow_private=False) as sender:
        reply = await sender.send(letter(f"http://{host}:{receiver.url.rpartition(':')[2]}/"))
        assert reply.status is None and reply.failure
        assert receiver.came == []


async def test_a_proxy_of_the_environment_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    async with receiving() as proxy, receiving() as receiver:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        async with WebhookSender(allow_private=True) as sender:
            assert (await sender.send(letter(receiver.url))).delivered
        assert proxy.came == []


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
async def test_no_redirect_is_followed(code: int) -> None:
    async with receiving() as receiver, WebhookSender(allow_private=True) as sender:
        receiver.answers["/a"] = status(code, Location="/b")
        reply = await sender.send(letter(f"{receiver.url}/a"))
        assert (reply.delivered, reply.status) == (False, code)
        assert [came.path for came in receiver.came] == ["/a"]


@pytest.mark.parametrize(
    ("code", "header", "seconds"),
    [
        (429, "30", 30),
        (503, "99999999999", 86_400),
        (503, "soon", 0),
        (500, "30", 0),
        (503, "-1", 0),
    ],
)
async def test_retry_after_is_heard(code: int, header: str, seconds: float) -> None:
    async with receiving() as receiver, WebhookSender(allow_private=True) as sender:
        receiver.answers["/"] = status(code, Retry_After=header)
        assert (await sender.send(letter(receiver.url))).retry_after_seconds == seconds


async def test_no_answer_in_time_is_a_failure() -> None:
    stuck = asyncio.Event()

    async def never(_request: web.Request) -> web.Response:
        await stuck.wait()
        return web.Response()

    async with (
        receiving() as receiver,
        WebhookSender(allow_private=True, timeout_seconds=0.05) as sender,
    ):
        receiver.answers["/"] = never
        reply = await sender.send(letter(receiver.url))
        assert reply.failure == "no answer within 0.05 seconds"
        stuck.set()


async def test_a_body_that_does_not_come_changes_nothing() -> None:
    stuck = asyncio.Event()

    async def dripping(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": "1000"})
        await response.prepare(request)
        await response.write(b"a bit")
        await stuck.wait()
        return response

    async with (
        receiving() as receiver,
        WebhookSender(allow_private=True, timeout_seconds=0.2) as sender,
    ):
        receiver.answers["/"] = dripping
        reply = await sender.send(letter(receiver.url))
        assert (reply.delivered, reply.answer) == (True, "a bit")
        stuck.set()


BROKEN = [b"", b"nonsense\r\n\r\n", b"HTTP/1.1 200 OK\r\nX: " + b"a" * 100_000 + b"\r\n\r\n"]


@pytest.mark.parametrize("answer", BROKEN, ids=["nothing", "nonsense", "endless header"])
async def test_what_is_no_answer_is_a_failure(answer: bytes) -> None:
    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answer)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(speak, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, WebhookSender(allow_private=True) as sender:
        reply = await sender.send(letter(f"http://127.0.0.1:{port}/"))
    assert reply.status is None and reply.failure and len(reply.failure) <= 300


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "https://no-such-host.invalid/"])
async def test_nobody_there_is_a_failure(url: str) -> None:
    async with WebhookSender(allow_private=True) as sender:
        reply = await sender.send(letter(url))
    assert reply.status is None and reply.failure


async def test_what_an_answer_says_can_be_stored() -> None:
    async with receiving() as receiver, WebhookSender(allow_private=True) as sender:
        receiver.answers["/"] = status(500, "a\x00b\r\n\x1b[31mé" + "x" * 10_000)
        reply = await sender.send(letter(receiver.url))
    assert reply.answer is not None
    assert reply.answer.startswith("a b") and reply.answer.isprintable()
    assert len(reply.answer) <= 500
