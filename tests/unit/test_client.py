"""The client of the HTTP API against answers that a test makes up: what is asked again, when, and
what errors become.
"""

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

import httpx
import pytest

import bespeak
from bespeak import Line, Unavailable
from bespeak.client import Client, ServerUnreachable, answers
from bespeak.http.endpoints import ENDPOINTS

Handler: TypeAlias = Callable[[httpx.Request], httpx.Response]
HOLD_ID = "hold_01m7y6w42jh6q8wthwjrpctn25"
_PART = re.compile(r"bespeak\.(\w+)\.errors")
LINES = [Line("res_kbq6mf4p", "A1")]


class Time:
    """A clock that goes on only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.pauses: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Iterator[Time]:
    made = Time()
    monkeypatch.setattr(asyncio, "sleep", made.sleep)
    monkeypatch.setattr("bespeak.client.retries.time.monotonic", lambda: made.now)
    yield made


def answering(handler: Handler, **fields: float) -> Client:
    transport = httpx.MockTransport(handler)
    return Client("http://bespeak.test", "sk_test", transport=transport, **fields)  # type: ignore[arg-type]


def problem(status: int, code: str, **fields: object) -> httpx.Response:
    said = {"status": status, "code": code, "title": "T", "detail": "d", "retryable": False}
    return httpx.Response(status, json={**said, **fields})


def hold(expires_in_ms: int) -> httpx.Response:
    money = {"amount": 0, "currency": "EUR"}
    when = "2030-01-01T12:00:00Z"
    body = {
        "id": HOLD_ID, "state": "held", "owner": "asha", "lines": [], "created_at": when,
        "expires_at": when, "extends_until": when, "expires_in_ms": expires_in_ms,
        "amount": money, "missing": [], "ended_at": None, "quote": None,
    }  # fmt: skip
    return httpx.Response(201, json=body)


async def test_an_absent_service_is_asked_again_when_it_says(time: Time) -> None:
    asked: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        if len(asked) < 3:
            return problem(503, "overloaded", retryable=True, retry_after_seconds=3)
        return hold(60_000)

    async with answering(handler) as client:
        assert (await client.place_hold(owner="asha", lines=LINES)).id == HOLD_ID
    assert time.pauses == [3, 3]
    assert len({request.headers["idempotency-key"] for request in asked}) == 1
    assert len({request.content for request in asked}) == 1


async def test_pauses_grow_and_differ_and_end_with_the_time_that_was_given(time: Time) -> None:
    count = 0

    def handler(_: httpx.Request) -> httpx.Response:
        nonlocal count
        count += 1
        return problem(503, "database_unavailable", retryable=True)

    async with answering(handler, timeout=10) as client:
        with pytest.raises(Unavailable):
            await client.get_hold(HOLD_ID)
    assert 5 < count < 40
    assert sum(time.pauses) < 10
    assert max(time.pauses) <= 2
    assert len(set(time.pauses)) == len(time.pauses)


async def test_a_refusal_is_not_asked_again(time: Time) -> None:
    count = 0

    def handler(_: httpx.Request) -> httpx.Response:
        nonlocal count
        count += 1
        return problem(409, "unit_taken", retryable=True, conflicts=[])

    async with answering(handler) as client:
        with pytest.raises(bespeak.UnitTaken):
            await client.place_hold(owner="asha", lines=LINES)
    assert (count, time.pauses) == (1, [])


async def test_nothing_is_tried_beyond_the_end_of_a_hold(time: Time) -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/v1/holds":
            return hold(4_000)
        return problem(503, "overloaded", retryable=True)

    async with answering(handler, timeout=600) as client:
        held = await client.place_hold(owner="asha", lines=LINES)
        with pytest.raises(bespeak.Overloaded):
            await client.confirm_hold(held.id)
        assert time.now < 1004
        before = time.now
        with pytest.raises(Unavailable):  # the control: of this hold nothing is known
            await client.confirm_hold(HOLD_ID[:-1] + "0", timeout=60)
        assert time.now > before + 50


async def test_an_error_of_a_newer_server_stands_on_its_branch(time: Time) -> None:
    def handler(_: httpx.Request) -> httpx.Response:
        return problem(409, "from_the_future", why="because")

    async with answering(handler) as client:
        with pytest.raises(bespeak.Refused) as error:
            await client.get_hold(HOLD_ID)
    assert (error.value.code, error.value.data) == ("from_the_future", {"why": "because"})


def test_it_knows_the_errors_of_every_part_that_answers_any() -> None:
    """In this process all are known by now; in another, those of the modules that it names."""
    public = (endpoint for endpoint in ENDPOINTS if not endpoint.tag.is_internal)
    modules = {error.__module__ for endpoint in public for error in endpoint.all_errors()}
    parts = {part for part in map(_PART.fullmatch, modules) if part is not None}
    # What the database says of itself is an Unavailable, as what any server of it may say.
    assert {part[1] for part in parts} - {"postgres"} == set(answers._ERRORS)


async def test_what_a_proxy_answers_is_no_answer(time: Time) -> None:
    answers = [
        httpx.Response(502, text="<h1>Bad gateway</h1>"),
        httpx.Response(200, text="<h1>Welcome</h1>"),
        hold(1000),
    ]

    async with answering(lambda _: answers.pop(0)) as client:
        assert (await client.get_hold(HOLD_ID)).id == HOLD_ID
    assert len(time.pauses) == 2

    async with answering(lambda _: httpx.Response(502, text="no")) as client:
        with pytest.raises(ServerUnreachable, match="502"):
            await client.get_hold(HOLD_ID, timeout=1)


async def test_what_cannot_be_a_header_is_not_sent() -> None:
    async with answering(lambda _: pytest.fail("it was sent")) as client:
        with pytest.raises(bespeak.InvalidRequest):
            await client.confirm_hold(HOLD_ID, owner="a\r\nx: y")
        with pytest.raises(bespeak.InvalidRequest):
            await client.confirm_hold(HOLD_ID, idempotency_key="a\nb")


@pytest.mark.parametrize("wrong", ["", "../keys", "hold_1?x=y", "hold 1", "höld"])
async def test_what_is_no_id_is_not_sent(wrong: str) -> None:
    async with answering(lambda _: pytest.fail("it was sent")) as client:
        with pytest.raises(bespeak.InvalidRequest):
            await client.get_hold(wrong)


async def test_names_that_are_not_ascii_come_through() -> None:
    heard: list[bytes] = []

    def handler(request: httpx.Request) -> httpx.Response:
        heard.append(dict(request.headers.raw)[b"bespeak-owner"])
        assert json.loads(request.content)["contact"] == {"email": "a@b.example"}
        return problem(404, "hold_not_found")

    async with answering(handler) as client:
        with pytest.raises(bespeak.HoldNotFound):
            contact = bespeak.Contact("a@b.example")
            await client.confirm_hold(HOLD_ID, owner="Müller", contact=contact)
    assert heard == ["Müller".encode()]


async def test_a_call_without_a_verb_keeps_the_query_of_its_path() -> None:
    asked: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, json={"items": []})

    async with answering(handler) as client:
        assert await client.call("GET", "/v1/audit-log?actor=asha&limit=5", dict) == {"items": []}
    assert asked[0].url.query == b"actor=asha&limit=5"
