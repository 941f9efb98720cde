"""Paths, methods, request ids, health, the pages for people, and what is logged."""

import asyncio
from collections.abc import Iterator, MutableMapping

import pytest

from bespeak import Resource
from bespeak.http.endpoints import ENDPOINTS
from bespeak.http.server.asgi import AsgiScope
from tests.harness import database
from tests.http.api import Api, Request, document, place, problem
from tests.http.conftest import OpenApi
from tests.http.test_every_endpoint import path_of
from tests.http.test_pressure import seize, send_all, waiting


@pytest.mark.parametrize(
    "path",
    ["/v2/holds", "/v1/", "/v1/holds/", "//v1/holds", "/v1/holds/a/b", "/V1/HOLDS", "/%00",
     "/v1/holds/hold_%2F", "/favicon.ico", "/../etc/passwd", "/v1/%ff", "/" + "x" * 5000],
)  # fmt: skip
@pytest.mark.asyncio(loop_scope="module")
async def test_an_unknown_path_is_a_problem(path: str, module_api: Api) -> None:
    for method in ("GET", "POST", "HEAD", "OPTIONS", "BREW"):
        answer = await module_api.ask(method, path)
        if method == "HEAD":
            assert (answer.status_code, answer.content) == (404, b"")
        else:
            problem(answer, "path_not_found")


async def test_a_wrong_method_tells_the_right_ones(api: Api) -> None:
    before = await api.snapshot()
    allowed: dict[str, set[str]] = {}
    for endpoint in ENDPOINTS:
        allowed.setdefault(endpoint.path, set()).add(endpoint.method)
        if endpoint.method == "GET":
            allowed[endpoint.path].add("HEAD")
    for endpoint in ENDPOINTS:
        for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"):
            if method in allowed[endpoint.path]:
                continue
            answer = await api.ask(method, path_of(endpoint), key="ak")
            assert answer.status_code == 405
            assert set(answer.headers["allow"].split(", ")) == allowed[endpoint.path]
            if method != "HEAD":
                problem(answer, "method_not_allowed", methods=sorted(allowed[endpoint.path]))
    assert await api.snapshot() == before


async def test_head_is_get_without_the_body(api: Api, show: Resource) -> None:
    paths = [path_of(one) for one in ENDPOINTS if one.method == "GET"]
    paths += [f"/v1/resources/{show.id}/availability", "/", "/start", "/v1/openapi.json"]
    for path in paths:
        if path == "/metrics":
            continue  # it counts the calls themselves
        got = await api.ask("GET", path, key="ak", X_Request_Id="one")
        head = await api.ask("HEAD", path, key="ak", X_Request_Id="one")
        assert head.status_code == got.status_code
        assert head.headers == got.headers
        assert head.content == b"" and got.content


async def test_a_given_request_id_is_kept(api: Api, show: Resource) -> None:
    for given in ("7", "0af7651916cd43dd8448eb211c80319c", "a_b.c", "x" * 64,
                  "123e4567-e89b-12d3-a456-426614174000"):  # fmt: skip
        answer = await api.ask("GET", f"/v1/resources/{show.id}", X_Request_Id=given)
        assert answer.headers["x-request-id"] == given
        refused = await api.ask("GET", "/v1/resources/none", X_Request_Id=given)
        assert problem(refused, "invalid_id")["request_id"] == given


async def test_a_request_id_is_made_when_none_or_a_strange_one_is_given(api: Api) -> None:
    made = set()
    for given in (b"", b"x" * 65, b"a b", b'"><script>', b"a\tb", "é".encode(), b"{}", b"a;b"):
        answer = await api.client.get("/healthz", headers={b"x-request-id": given})
        made.add(answer.headers["x-request-id"])
        assert answer.headers["x-request-id"].isalnum()
    made.add((await api.client.get("/healthz")).headers["x-request-id"])
    assert len(made) == 9


async def test_health_and_readiness(api: Api) -> None:
    assert document(await api.ask("GET", "/healthz", key=None), 200) == {"status": "ok"}
    assert document(await api.ask("GET", "/readyz", key=None), 200) == {"status": "ready"}


async def test_the_first_page_brings_no_script(api: Api) -> None:
    page = await api.ask("GET", "/start", key=None)
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
    assert "script-src" not in policy and "<script" not in page.text
    assert page.headers["x-content-type-options"] == "nosniff"
    assert page.text.startswith("<!doctype html>")


async def test_the_documents_are_packed_for_those_who_can_unpack_them(api: Api) -> None:
    for path in ("/v1/openapi.json", "/v1/openapi-internal.json"):
        plain = await api.ask("GET", path, key=None, Accept_Encoding="identity")
        packed = await api.ask("GET", path, key=None, Accept_Encoding="br, gzip")
        assert "content-encoding" not in plain.headers
        assert packed.headers["content-encoding"] == "gzip"
        assert plain.headers["vary"] == packed.headers["vary"] == "accept-encoding"
        assert packed.json() == plain.json()
        assert int(packed.headers["content-length"]) < len(plain.content) / 5


async def test_a_fault_is_logged_under_its_request_id(
    api: Api, show: Resource, logged: list[MutableMapping[str, object]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    from bespeak.errors import InternalError

    async def fail(*_: object, **__: object) -> None:
        raise InternalError("relation bespeak.secret does not exist")

    monkeypatch.setattr(api.service.engine, "place_hold", fail)
    answer = await api.send(place(show, "A1"))
    found = problem(answer, "internal_error")
    assert "relation" not in answer.text
    mine = [one for one in logged if one.get("request_id") == found["request_id"]]
    assert any("relation" in str(one) for one in mine)


async def test_all_requests_are_logged_when_asked_for(
    open_api: OpenApi, logged: list[MutableMapping[str, object]]
) -> None:
    api = await open_api(log_requests="all")
    await api.ask("GET", "/v1/resources", X_Request_Id="seen")
    entry = next(one for one in logged if one.get("request_id") == "seen")
    assert (entry["method"], entry["path"], entry["status"]) == ("GET", "/v1/resources", 200)
    assert not any(text in str(logged) for text in api.keys.values()), "keys stay out of the log"


async def test_a_body_that_broke_off_is_no_body(api: Api, show: Resource) -> None:
    """A client that went away in the middle must not have all of its booking cancelled."""
    booking = await api.booking(show, "A1", "A2")
    before = await api.snapshot()
    sent: list[dict[str, object]] = []
    for parts in ([], [b""], [b'{"lines": '], [b'{"reason": "r"}']):
        messages: list[dict[str, object]] = [
            {"type": "http.request", "body": part, "more_body": True} for part in parts
        ]
        messages.append({"type": "http.disconnect"})
        queue = iter(messages)

        async def receive(
            queue: Iterator[dict[str, object]] = queue,
        ) -> dict[str, object]:
            return next(queue)

        async def send(message: dict[str, object]) -> None:
            sent.append(message)

        scope: AsgiScope = {
            "type": "http",
            "method": "DELETE",
            "path": f"/v1/bookings/{booking['id']}",
            "query_string": b"",
            "headers": [(b"authorization", f"Bearer {api.keys['sk']}".encode())],
            "client": ("127.0.0.1", 1),
        }
        await api.app(scope, receive, send)
    assert [one["status"] for one in sent if "status" in one] == [400] * 4
    assert await api.snapshot() == before


async def test_a_client_that_goes_away_leaves_the_others_alone(api: Api, show: Resource) -> None:
    await api.hold(show, "A20")
    request = place(show, "A1")
    keyed = Request("POST", "/v1/holds", request.body, "sk", {"Idempotency-Key": "k"})
    async with database.session(api.database_url) as blocker:
        await seize(blocker)
        tasks = await send_all(api, [keyed, *(place(show, f"A{n}") for n in range(2, 8))])
        await waiting(api, 7)
        tasks[0].cancel()
        await asyncio.sleep(0)
        await blocker.execute("rollback")
        for other in tasks[1:]:
            document(await other, 201)
    again = await api.send(keyed)
    assert (again.status_code, again.headers["idempotent-replayed"]) == (201, "true")
