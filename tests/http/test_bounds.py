"""What a stranger may make a server keep: sizes and times of what comes over the wire, and keys
that nobody made.
"""

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import closing

import httpx
import msgspec
import pytest
import pytest_asyncio

from bespeak import Resource
from bespeak.errors import BespeakError, Overloaded
from bespeak.http.server.errors import KeyUnknown
from bespeak.http.server.keys import KeyRing
from bespeak.inventory import resources
from tests.harness import database
from tests.harness.database import Connection
from tests.harness.shows import new_show
from tests.http.api import Api, Request, document, line, place, problem, until
from tests.http.conftest import OpenApi
from tests.http.test_server import Served, served_on

_SETTINGS = {"BESPEAK_BODY_SECONDS_MAX": "1", "BESPEAK_CONNECTIONS_PER_ADDRESS_MAX": "20"}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def served(server: str) -> AsyncIterator[Served]:
    async with served_on(server, 1, 60, **_SETTINGS) as made:
        yield made


async def answered(served: Served, *parts: bytes, source: str = "127.0.0.1") -> bytes:
    """What a server answers to bytes, until it closes the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port, local_addr=(source, 0))
    with closing(writer):
        async with asyncio.timeout(20):
            for part in parts:
                writer.write(part)
                await writer.drain()
            return await reader.read()


def head(served: Served, *headers: bytes) -> bytes:
    key = served.keys["sk"].encode()
    lines = [b"POST /v1/holds HTTP/1.1", b"host: x", b"authorization: Bearer " + key, *headers]
    return b"\r\n".join(lines) + b"\r\n\r\n"


@pytest.mark.asyncio(loop_scope="module")
async def test_headers_have_a_size(served: Served) -> None:
    for size, status in ((15_000, 200), (17_000, 431), (400_000, 431)):
        asked = b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-a: " + b"a" * size
        assert (await answered(served, asked + b"\r\n\r\n"))[9:12] == str(status).encode()
    many = b"".join(b"x-%d: 1\r\n" % number for number in range(150))
    asked = b"GET /healthz HTTP/1.1\r\nhost: x\r\n" + many + b"\r\n"
    assert (await answered(served, asked))[9:12] == b"431"


_ENDS = {
    "both ways": b"transfer-encoding: chunked\r\ncontent-length: 6\r\n\r\n0\r\n\r\n",
    "both ways, turned": b"content-length: 6\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    "with a tab": b"transfer-encoding:\tchunked\r\ncontent-length: 3\r\n\r\n0\r\n\r\n",
    "two lengths": b"content-length: 2\r\ncontent-length: 70\r\n\r\n{}",
    "a list of lengths": b"content-length: 2, 70\r\n\r\n{}",
    "a length with a sign": b"content-length: +2\r\n\r\n{}",
    "a length before a space": b"content-length : 2\r\n\r\n{}",
    "a folded line": b"x-a: b\r\n content-length: 70\r\ncontent-length: 2\r\n\r\n{}",
    "a coding that is none": b"transfer-encoding: xchunked\r\n\r\n0\r\n\r\n",
    "chunks not last": b"transfer-encoding: chunked, identity\r\ncontent-length: 2\r\n\r\n{}",
    "a bare line feed": b"transfer-encoding: chunked\r\n\r\n2;a\n\r\n{}\r\n0\r\n\r\n",
    "a bare return": b"x-a: a\rb\r\ncontent-length: 2\r\n\r\n{}",
}


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("end", _ENDS.values(), ids=_ENDS)
async def test_a_message_has_one_end(end: bytes, served: Served) -> None:
    """What a proxy could take for one request must not be two here: the second would be answered
    to whoever uses the connection next."""
    hidden = b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
    asked = head(served)[:-2] + end + hidden
    answer = await answered(served, asked)
    assert answer.startswith(b"HTTP/1.1 400"), answer
    assert answer.count(b"HTTP/1.1 ") == 1, answer


@pytest.mark.asyncio(loop_scope="module")
async def test_a_message_of_one_end_is_followed_by_the_next(served: Served) -> None:
    """So the test above would see a second answer."""
    hidden = b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
    answer = await answered(served, head(served, b"content-length: 2") + b"{}" + hidden)
    assert answer.count(b"HTTP/1.1 ") == 2
    assert b"HTTP/1.1 200" in answer


@pytest.mark.asyncio(loop_scope="module")
async def test_a_connection_without_a_request_ends(served: Served) -> None:
    ended = await asyncio.gather(
        answered(served),  # nothing at all
        answered(served, b"GET /healthz HTTP/1.1\r\nx-slow: "),
        answered(served, b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"),  # and no second one
    )
    assert (ended[0], ended[1]) == (b"", b"")
    assert ended[2].startswith(b"HTTP/1.1 200")


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("parts", [[], [b"{"], [b'{"lines": [', b" "]])
async def test_a_body_has_a_time(served: Served, parts: list[bytes]) -> None:
    before = await database.snapshot(served.connection)
    answer = await answered(served, head(served, b"content-length: 100"), *parts)
    assert answer.startswith(b"HTTP/1.1 408"), answer
    told = msgspec.json.decode(answer.partition(b"\r\n\r\n")[2])
    assert (told["code"], told["retryable"]) == ("body_too_slow", True)
    assert await database.snapshot(served.connection) == before


@pytest.mark.asyncio(loop_scope="module")
async def test_who_sends_slowly_keeps_nobody_else_waiting(served: Served) -> None:
    show = await resources.create(served.connection, new_show())
    slow = [
        asyncio.create_task(answered(served, head(served, b"content-length: 100"), b"{"))
        for _ in range(50)
    ]
    body = {"owner": "asha", "lines": [line(show, "A1")]}
    answer = await served.client.post("/v1/holds", headers=served.headers(), json=body)
    document(answer, 201)
    assert not any(task.done() for task in slow)
    assert {(await task)[9:12] for task in slow} == {b"408"}


@pytest.mark.asyncio(loop_scope="module")
async def test_an_address_has_a_number_of_connections(served: Served) -> None:
    """Those beyond it are ended, and nobody else's: where a proxy is, all come from one."""
    attack = [asyncio.create_task(answered(served, source="127.0.0.2")) for _ in range(100)]
    many = httpx.Limits(max_connections=60)
    async with httpx.AsyncClient(base_url=served.client.base_url, limits=many) as honest:
        answers = await asyncio.gather(*(honest.get("/healthz") for _ in range(60)))
        assert {answer.status_code for answer in answers} == {200}
        await until(lambda: sum(task.done() for task in attack) == 80)
        answers = await asyncio.gather(*(honest.get("/readyz") for _ in range(60)))
        assert {answer.status_code for answer in answers} == {200}
    for task in attack:
        task.cancel()
    await asyncio.gather(*attack, return_exceptions=True)


async def test_a_request_has_a_time(open_api: OpenApi, show: Resource, database_url: str) -> None:
    """It is answered although the database is not; what it asked for is told by its repeat."""
    api = await open_api()
    deadlines = api.service.deadlines
    body = place(show, "A1").body
    sent = Request("POST", "/v1/holds", body, "sk", {"Idempotency-Key": "once"})
    async with database.session(database_url) as blocker:
        await blocker.execute("begin")
        await blocker.execute("lock table bespeak.claim in exclusive mode")
        waiting = asyncio.create_task(api.send(sent))
        await until(lambda: api.service.engine.committer.waiting >= 1)
        deadlines._due = dict.fromkeys(deadlines._due, 0.0)
        deadlines.look()
        problem(await waiting, "deadline_passed", retry_after_seconds=1)
        assert not deadlines._due and not deadlines._cancelled
        await blocker.execute("rollback")
    hold = document(await api.send(sent), 201)
    assert [one["id"] for one in await listed(api)] == [hold["id"]]


async def listed(api: Api) -> list[dict[str, object]]:
    items = (await api.get("/v1/holds"))["items"]
    assert isinstance(items, list)
    return items


async def test_who_cancels_a_request_is_no_deadline(api: Api, show: Resource) -> None:
    task = asyncio.create_task(api.send(place(show, "A1")))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not api.service.deadlines._due


async def test_a_long_key_is_not_kept(api: Api) -> None:
    ring = api.service.keys
    await ring.find(api.keys["sk"])
    kept = len(ring._keys), len(ring._refused)
    for size in (101, 5000, 16_000):
        text = "sk_" + "z" * size
        headers = {"Authorization": f"Bearer {text}"}
        problem(await api.client.get("/v1/holds", headers=headers), "key_unknown")
    assert (len(ring._keys), len(ring._refused)) == kept


async def test_bad_keys_push_no_good_one_out(
    api: Api, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bespeak.http.server.keys._STRANGERS_MAX", 10_000)
    ring = api.service.keys
    monkeypatch.setattr(ring._keys, "_seconds", math.inf)
    good = await ring.find(api.keys["sk"])
    for number in range(1100):
        with pytest.raises(KeyUnknown):
            await ring.find(f"sk_{number:032}")
    assert len(ring._refused) == 1000
    assert ring._keys.peek(api.keys["sk"]) is good


async def test_made_up_keys_cost_the_database_one_statement_at_a_time(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any number of them; and who has a key that is known does not wait behind them."""
    ring = api.service.keys
    await ring.find(api.keys["ak"])
    read, at_once, most = KeyRing._read, 0, 0

    async def counted(self: KeyRing, text: str) -> object:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        try:
            return await read(self, text)
        finally:
            at_once -= 1

    monkeypatch.setattr(KeyRing, "_read", counted)
    flood = [asyncio.create_task(found(ring, f"sk_{number:032}")) for number in range(500)]
    await asyncio.sleep(0)
    assert (await ring.find(api.keys["ak"])).kind == "admin"
    told = [await task for task in flood]
    assert most == 1
    assert {type(one) for one in told} == {KeyUnknown, Overloaded}
    assert sum(isinstance(one, KeyUnknown) for one in told) == 100
    assert all(one.retryable for one in told if isinstance(one, Overloaded))


async def found(ring: KeyRing, text: str) -> BespeakError | None:
    try:
        await ring.find(text)
    except BespeakError as error:
        return error
    return None


async def test_a_key_that_was_good_is_looked_up_past_the_strangers(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    ring = api.service.keys
    await ring.find(api.keys["sk"])
    monkeypatch.setattr("bespeak.http.server.keys._STRANGERS_MAX", 0)
    with pytest.raises(Overloaded):
        await ring.find("sk_" + "0" * 32)
    monkeypatch.setattr(ring._keys, "_seconds", 0.0)  # so that it is looked up anew
    assert (await ring.find(api.keys["sk"])).kind == "secret"


async def test_a_problem_answers_each(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bespeak.http.server.keys._STRANGERS_MAX", 0)
    headers = {"Authorization": "Bearer sk_" + "1" * 32}
    answer: httpx.Response = await api.client.get("/v1/holds", headers=headers)
    problem(answer, "overloaded", retry_after_seconds=1)
