"""What every endpoint does alike: keys, bodies, queries, a service that is not there."""

import dataclasses
from collections.abc import AsyncIterator, Mapping
from typing import TypeAlias

import httpx
import msgspec
import pytest
import pytest_asyncio

from bespeak.admission.errors import WaitingRoomNotFound
from bespeak.errors import DatabaseUnavailable
from bespeak.http.app import Application
from bespeak.http.endpoints import ENDPOINTS
from bespeak.http.server.asgi import AsgiScope
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import BROWSERS, Endpoint
from bespeak.http.server.endpoint_call import EndpointCall
from bespeak.http.server.keys import PREFIXES, PRESETS, KeyKind, create_key
from tests.harness import database
from tests.harness.database import Connection
from tests.http.api import SETTINGS, Api, Request, opened, problem
from tests.http.outage import Wire, give_up_soon
from tests.http.refused_operators import BODIES
from tests.http.scenarios import (
    NO_BLOCK,
    NO_BOOKING,
    NO_ENDPOINT,
    NO_ERASURE,
    NO_HOLD,
    NO_INVOICE,
    NO_PAYMENT,
    NO_REFUND,
    NO_RESOURCE,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

Content: TypeAlias = bytes | AsyncIterator[bytes]

_SAMPLES: Mapping[str, str] = {
    "{resource_id}": NO_RESOURCE,
    "{hold_id}": NO_HOLD,
    "{booking_id}": NO_BOOKING,
    "{block_id}": NO_BLOCK,
    "{refund_id}": NO_REFUND,
    "{invoice_id}": NO_INVOICE,
    "{payment_id}": NO_PAYMENT,
    "{provider}": "nobody",
    "{key_id}": "key_none",
    "{operator_id}": "opr_none",
    "{passkey_id}": "psk_none",
    "{session_id}": "ses_none",
    "{index}": "1",
    "{kind}": "booking_confirmed",
    "{language}": "en",
    "{date}": "2030-01-01",
    "{digest}": "0" * 32,
    "{link_id}": "cal_0000000000000000",
    "{endpoint_id}": NO_ENDPOINT,
    "{erasure_id}": NO_ERASURE,
    "{city_id}": "cty_000000000000",
    "{cinema_id}": "cin_000000000000",
    "{screen_id}": "scr_000000000000",
    "{film_id}": "flm_000000000000",
    "{show_id}": NO_RESOURCE,
    "{venue_id}": "ven_000000000000",
    "{hall_id}": "hal_000000000000",
    "{production_id}": "prd_000000000000",
    "{performance_id}": NO_RESOURCE,
    "{team_id}": NO_RESOURCE,
    "{property_id}": "prp_000000000000",
    "{listing_id}": NO_RESOURCE,
    "{waiting_room_id}": "wrm_000000000000",
    "{batch}": "1",
    "{serial}": "1",
}
# What a query must say.
_QUERIES: Mapping[str, str] = {
    "GET /v1/reports/period": "first=2030-01-01&last=2030-01-31",
    "GET /v1/reports/period/document.pdf": "first=2030-01-01&last=2030-01-31",
    "GET /v1/search": "lat=53.5&lon=10",
    "GET /v1/stays/map": "lat=53.5&lon=10",
    "GET /v1/waiting-rooms/{waiting_room_id}/place": f"queue_token={'A' * 56}",
    "DELETE /v1/waiting-rooms/{waiting_room_id}/passes": f"queue_token={'A' * 56}",
    "DELETE /v1/waiting-rooms/{waiting_room_id}/turn-mail": f"queue_token={'A' * 56}",
}

# Answered wherever no endpoint is reached.
GENERAL = {"path_not_found", "method_not_allowed"}


def codes_elsewhere(endpoint: Endpoint) -> set[str]:
    """The codes that tests of their own bring about wherever a declaration says so."""
    found = set()
    if endpoint.booking_link_opens:
        found.add("booking_link_invalid")  # test_booking_links
    if endpoint.waitlist_link_opens:
        found.add("waitlist_link_invalid")  # test_waitlist_links
    if endpoint.is_of_installation:
        found.add("not_in_workspace")  # test_workspaces
    if endpoint.needs_proof:
        found.add("step_up_required")  # test_operators
    if endpoint.can_be_guessed:
        found.add("budget_spent")  # test_guesses
    return found


def general_codes(endpoint: Endpoint) -> set[str]:
    """The codes that the tests of this module bring about at an endpoint."""
    codes = {"deadline_passed", "overloaded", "shutting_down", "internal_error"}
    codes |= codes_elsewhere(endpoint)
    if endpoint.kinds:
        codes |= {"key_missing", "key_unknown", "rate_limited", "database_unavailable"}
        codes |= {"missing_scope", "key_bound", "key_expired"}  # test_scopes
        codes |= {"console_session_invalid", "origin_not_allowed"}
        if endpoint.method != "GET":
            codes.add("csrf_token_invalid")
    if endpoint.own_pages_only:
        codes |= {"origin_not_allowed", "database_unavailable"}
    if endpoint.kinds and endpoint.kinds != BROWSERS:
        codes.add("key_kind_wrong")
    if KeyKind.PUBLISHABLE in endpoint.kinds:
        codes.add("shopper_token_invalid")
    if endpoint.body is not None:
        codes |= {"invalid_request", "invalid_json", "unsupported_media_type", "body_too_large"}
        codes.add("body_too_slow")
    if endpoint.takes_raw:
        codes |= {"invalid_json", "body_too_large", "body_too_slow", "database_unavailable"}
    if endpoint.query is not None:
        codes.add("invalid_request")
    if endpoint.repeatable:
        codes.add("idempotency_key_reused")  # test_idempotency has one for each
    if not endpoint.kinds and DatabaseUnavailable in endpoint.errors:
        codes.add("database_unavailable")
    if "database_unavailable" in codes:
        codes.add("database_read_only")
    return codes


def path_of(endpoint: Endpoint) -> str:
    """A path of this endpoint, for things that do not exist."""
    path = endpoint.path
    for name, sample in _SAMPLES.items():
        path = path.replace(name, sample)
    return path


def query_of(endpoint: Endpoint) -> str:
    """A query with what this endpoint needs, behind a question mark; nothing where nothing is."""
    query = _QUERIES.get(named(endpoint))
    return "" if query is None else f"?{query}"


def short(endpoint: Endpoint) -> str:
    """The least of the keys that may call an endpoint."""
    return next(PREFIXES[kind] for kind in KeyKind if kind in endpoint.kinds)


def named(endpoint: Endpoint) -> str:
    return f"{endpoint.method} {endpoint.path}"


KEYED = [endpoint for endpoint in ENDPOINTS if endpoint.kinds]
WITH_BODY = [endpoint for endpoint in ENDPOINTS if endpoint.body is not None]


@pytest.mark.parametrize("endpoint", KEYED, ids=named)
async def test_only_the_right_keys_open_it(endpoint: Endpoint, module_api: Api) -> None:
    path = path_of(endpoint)
    before = await module_api.snapshot()
    for header in ("", "Bearer", "Bearer ", "Basic c2s6eA==", module_api.keys["ak"]):
        headers = {"authorization": header} if header else {}
        answer = await module_api.client.request(endpoint.method, path, headers=headers)
        said = str(problem(answer, "key_missing")["detail"])
        assert {kind for kind in KeyKind if f"({PREFIXES[kind]}_...)" in said} == endpoint.kinds
    bad = [
        "sk_" + "0" * 32,
        module_api.keys["sk"][:-1],
        module_api.keys["ak"] + "x",
        "ak_" + "z" * 5000,
        "é",
    ]
    for text in bad:
        headers_raw = {b"authorization": b"Bearer " + text.encode()}
        answer = await module_api.client.request(endpoint.method, path, headers=headers_raw)
        assert "revoked" in str(problem(answer, "key_unknown")["detail"])
    for kind in PRESETS:
        answer = await module_api.ask(endpoint.method, path, key=PREFIXES[kind])
        if kind in endpoint.kinds:
            assert answer.status_code not in (401, 403) or endpoint.needs_shopper, answer.text
        else:
            problem(answer, "key_kind_wrong", kinds=sorted(endpoint.kinds))
    assert await module_api.snapshot() == before


@pytest.mark.parametrize(
    "endpoint", [one for one in KEYED if KeyKind.PUBLISHABLE in one.kinds], ids=named
)
async def test_a_shopper_token_must_be_good(endpoint: Endpoint, module_api: Api) -> None:
    path = path_of(endpoint) + query_of(endpoint)
    answer = await module_api.ask(endpoint.method, path, key="pk", Bespeak_Shopper="forged")
    problem(answer, "shopper_token_invalid")
    answer = await module_api.ask(endpoint.method, path, key="pk")
    if endpoint.needs_shopper:
        problem(answer, "shopper_token_invalid")
    else:
        assert answer.status_code in (200, 400, 404)  # 400: it needs a body


@pytest.mark.parametrize("endpoint", WITH_BODY, ids=named)
async def test_a_bad_body_is_refused(endpoint: Endpoint, module_api: Api) -> None:
    path = path_of(endpoint)
    key = {"Authorization": f"Bearer {module_api.keys['ak']}"}
    before = await module_api.snapshot()

    async def send(content: Content, media_type: str = "application/json") -> httpx.Response:
        headers = {**key, "Content-Type": media_type}
        return await module_api.client.request(
            endpoint.method, path, headers=headers, content=content
        )

    for media_type in ("text/plain", "application/xml", "application/x-www-form-urlencoded"):
        problem(await send(b"{}", media_type), "unsupported_media_type")
    broken = [b"{", b"{]", b"nonsense", b"{'a': 1}", b"\xff\xfe", b"\x00", b"tru"]
    broken += [b'{"\xff": 1}', b'{"\\ud800": 1}', b'{"lines"', b"\xef\xbb\xbf{}"]
    for content in broken:
        problem(await send(content), "invalid_json")
    for content in (
        b"[]",
        b"3",
        b'"text"',
        b'{"no_such_field": 1}',
        b'{"lines": 3}',
        b"[" * 100_000,
    ):
        answer = problem(await send(content), "invalid_request")
        assert answer["detail"]
    if endpoint.body_required:
        problem(await send(b""), "invalid_json")
    limit = 8_388_608 if endpoint.takes_document else 262_144
    problem(await send(b" " * (limit + 1)), "body_too_large", limit_bytes=limit)
    problem(await send(_endless()), "body_too_large", limit_bytes=limit)
    assert await module_api.snapshot() == before


async def _endless() -> AsyncIterator[bytes]:
    """Ten megabytes that say nothing of their length."""
    for _ in range(160):
        yield b" " * 65_536


@pytest.mark.parametrize("endpoint", [one for one in ENDPOINTS if one.takes_raw], ids=named)
async def test_a_bad_raw_body_is_refused(endpoint: Endpoint, module_api: Api) -> None:
    path = path_of(endpoint)
    for content in (b" " * 262_145, _endless()):
        answer = await module_api.client.request(endpoint.method, path, content=content)
        problem(answer, "body_too_large", limit_bytes=262_144)
    broken = await broken_off(module_api, endpoint.method, path)
    assert (broken["status"], broken["code"]) == (400, "invalid_json")


async def broken_off(api: Api, method: str, path: str) -> dict[str, object]:
    """What is answered to a request whose client goes away in the middle of the body."""
    messages: list[Mapping[str, object]] = [
        {"type": "http.request", "body": b'{"id":', "more_body": True},
        {"type": "http.disconnect"},
    ]
    sent: list[dict[str, object]] = []

    async def receive() -> Mapping[str, object]:
        return messages.pop(0)

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    scope: AsgiScope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": b"",
        "headers": [],
        "client": ("127.0.0.1", 1),
    }
    await api.app(scope, receive, send)
    body = sent[1]["body"]
    assert isinstance(body, bytes)
    decoded: dict[str, object] = msgspec.json.decode(body)
    return decoded


@pytest.mark.parametrize("endpoint", [one for one in ENDPOINTS if one.query is not None], ids=named)
async def test_a_bad_query_is_refused(endpoint: Endpoint, module_api: Api) -> None:
    for query in ("unknown=1", "limit=0", "limit=-1", "limit=1001", "limit=x", "limit=1.5"):
        answer = await module_api.ask(endpoint.method, f"{path_of(endpoint)}?{query}", key="ak")
        problem(answer, "invalid_request", field=query.partition("=")[0])
    answer = await module_api.ask(
        endpoint.method, f"{path_of(endpoint)}?limit={'9' * 400}", key="ak"
    )
    problem(answer, "invalid_request", field="limit")


@pytest.mark.parametrize("endpoint", [one for one in ENDPOINTS if one.query is not None], ids=named)
async def test_a_parameter_stands_once(endpoint: Endpoint, module_api: Api) -> None:
    """Which of two counts, whoever judged it before might see otherwise: a proxy, a cache."""
    assert endpoint.query is not None
    name = endpoint.query.__struct_encode_fields__[0]
    path = f"{path_of(endpoint)}?{name}=1&{name}=1"
    answer = await module_api.ask(endpoint.method, path, key="ak")
    found = problem(answer, "invalid_request", field=name)
    assert "twice" in str(found["detail"])


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def limited_api(server: str) -> AsyncIterator[Api]:
    limited = msgspec.structs.replace(SETTINGS, rate_limit_secret="2/hour")
    async with (
        database.fresh_database(server) as url,
        database.session(url) as session,
        opened(limited, url, session) as made,
    ):
        yield made


@pytest.mark.parametrize("endpoint", KEYED, ids=named)
async def test_it_is_limited(endpoint: Endpoint, limited_api: Api) -> None:
    text, _ = await create_key(limited_api.connection, "admin", named(endpoint))
    limited_api.keys["own"] = text
    path = path_of(endpoint)
    for _ in range(2):
        answer = await limited_api.ask(endpoint.method, path, key="own")
        assert answer.status_code != 429
    answer = await limited_api.ask(endpoint.method, path, key="own")
    problem(answer, "rate_limited", limit="2 per 1 hour")


@pytest.mark.asyncio(loop_scope="function")
async def test_without_a_database_it_says_so(wire: Wire, connection: Connection) -> None:
    async with opened(SETTINGS, wire.url, connection) as api:
        await wire.cut()
        give_up_soon(api.service.engine.committer)
        for endpoint in ENDPOINTS:
            key = "ak" if endpoint.kinds else None
            path = path_of(endpoint) + query_of(endpoint)
            answer = await api.ask(endpoint.method, path, key=key)
            if endpoint.own_pages_only:
                continue  # the next test asks these as their pages do
            if endpoint.takes_raw:
                problem(answer, "provider_unknown")  # which is said before anything is looked up
            elif DatabaseUnavailable in endpoint.all_errors():
                problem(answer, "database_unavailable")
            elif WaitingRoomNotFound in endpoint.errors:
                problem(answer, "waiting_room_not_found")  # from memory, which has none
            else:
                assert answer.status_code == 200


@pytest.mark.asyncio(loop_scope="function")
async def test_on_a_standby_it_says_so(wire: Wire, connection: Connection) -> None:
    """A database that takes no writes greets as a standby does."""
    quick = msgspec.structs.replace(SETTINGS, database_wait_seconds=5)
    async with opened(quick, wire.url, connection) as api:
        name = await connection.fetchval("select current_database()")
        await connection.execute(f'alter database "{name}" set default_transaction_read_only = on')
        await wire.cut()
        await wire.mend()
        for endpoint in ENDPOINTS:
            if not endpoint.own_pages_only and DatabaseUnavailable in endpoint.all_errors():
                key = "ak" if endpoint.kinds else None
                answer = await api.ask(endpoint.method, path_of(endpoint), key=key)
                code = "provider_unknown" if endpoint.takes_raw else "database_read_only"
                problem(answer, code)


@pytest.mark.asyncio(loop_scope="function")
async def test_without_a_database_there_are_no_sessions(wire: Wire, connection: Connection) -> None:
    async with opened(SETTINGS, wire.url, connection) as api:
        key = await api.service.keys.find(api.keys["ak"])
        cookie, session = api.service.consoles.open(key)
        asked, _ = await api.service.sign_ins.ask("asha@example.org", None)
        cookies = f"bespeak_console={cookie}; bespeak_sign_in={asked}"
        headers = {"Cookie": cookies, "Bespeak-CSRF": session.csrf_token}
        bodies: dict[str, object] = {
            "/v1/console/session": {"key": "ak_" + "0" * 32},
            "/v1/box-office/account": {"code": "0" * 8},
            "/v1/box-office/account/sign-ins": {"email": "asha@example.org"},
        }
        await wire.cut()
        give_up_soon(api.service.engine.committer)
        for endpoint in ENDPOINTS:
            # To forget a cookie takes no database.
            if endpoint.own_pages_only and DatabaseUnavailable in endpoint.errors:
                body = bodies.get(endpoint.path) or BODIES.get(named(endpoint), {})
                sent = None if endpoint.body is None else body
                request = Request(endpoint.method, endpoint.path, sent, None, headers)
                problem(await api.send(request), "database_unavailable")


async def console(api: Api) -> dict[str, str]:
    """The headers of an operator's page: the cookie of a session, and its CSRF token."""
    key = await api.service.keys.find(api.keys["ak"])
    cookie, session = api.service.consoles.open(key)
    return {"Cookie": f"bespeak_console={cookie}", "Bespeak-CSRF": session.csrf_token}


@pytest.mark.parametrize("endpoint", KEYED, ids=named)
async def test_the_console_may_call_it_and_nobody_in_its_name(
    endpoint: Endpoint, module_api: Api
) -> None:
    path, own = path_of(endpoint), await console(module_api)
    before = await module_api.snapshot()

    async def ask(**headers: str) -> httpx.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return await module_api.send(Request(endpoint.method, path, None, None, {**own, **named}))

    for site in ("cross-site", "same-site", "nonsense", ""):
        problem(await ask(Sec_Fetch_Site=site), "origin_not_allowed")
    for origin in ("https://evil.example", "null", "http://bespeak.test.evil.example", "http://[x"):
        problem(await ask(Origin=origin), "origin_not_allowed")
    for cookie in ("x", own["Cookie"][16:-2], "eyJhbGciOiJub25lIn0.e30.", "a.b.c"):
        answer = await ask(Cookie=f"bespeak_console={cookie}")
        problem(answer, "console_session_invalid")
    for token in ("", "0" * 64, own["Bespeak-CSRF"][:-1]):
        if endpoint.method != "GET":
            problem(await ask(Bespeak_CSRF=token), "csrf_token_invalid")
    assert await module_api.snapshot() == before
    mine: dict[str, str] = {"Sec_Fetch_Site": "same-origin", "Origin": "http://bespeak.test"}
    answer = await ask(**mine)
    assert answer.status_code not in (401, 403), answer.text
    if answer.status_code < 400:
        assert answer.headers.get_list("cache-control")[-1] == "no-store"
    # A key in the header is the caller, whatever cookies come along.
    answer = await ask(Authorization="Bearer nonsense", **mine)
    problem(answer, "key_unknown")


@pytest.mark.parametrize("endpoint", [one for one in ENDPOINTS if one.own_pages_only], ids=named)
async def test_other_sites_pages_may_not_ask(endpoint: Endpoint, module_api: Api) -> None:
    for headers in (
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://bespeak.test"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
    ):
        answer = await module_api.send(Request(endpoint.method, endpoint.path, {}, None, headers))
        problem(answer, "origin_not_allowed")


async def test_it_refuses_while_the_service_starts_and_stops(module_api: Api) -> None:
    service = module_api.service
    try:
        for endpoint in ENDPOINTS:
            module_api.app._service = None
            module_api.app._stopped = False
            answer = await module_api.ask(endpoint.method, path_of(endpoint), key=None)
            problem(answer, "overloaded")
            module_api.app._stopped = True
            answer = await module_api.ask(endpoint.method, path_of(endpoint), key=None)
            problem(answer, "shutting_down")
    finally:
        module_api.app._service = service


async def test_a_fault_is_a_problem_and_tells_nothing(
    module_api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_: Call[object, object]) -> object:
        raise RuntimeError("the password is 1234")

    calls = _calls_of(module_api.app)
    for endpoint in ENDPOINTS:
        if endpoint.body_required and endpoint.body is not None:
            continue  # the handler is not reached without a good body; see the next test
        call = calls[named(endpoint)]
        monkeypatch.setattr(call, "endpoint", dataclasses.replace(endpoint, needs_shopper=False))
        monkeypatch.setattr(call, "_handle", fail)
        key = "ak" if endpoint.kinds else None
        path = path_of(endpoint) + query_of(endpoint)
        answer = await module_api.ask(endpoint.method, path, key=key)
        problem(answer, "internal_error")
        assert "1234" not in answer.text


@pytest.mark.parametrize("endpoint", [one for one in WITH_BODY if one.body_required], ids=named)
async def test_a_fault_before_the_handler_is_a_problem_too(
    endpoint: Endpoint, module_api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        def decode(self, _raw: bytes) -> None:
            raise RuntimeError("the password is 1234")

    monkeypatch.setattr(_calls_of(module_api.app)[named(endpoint)], "_decoder", Broken())
    answer = await module_api.ask(endpoint.method, path_of(endpoint), {}, key="ak")
    problem(answer, "internal_error")
    assert "1234" not in answer.text


def _calls_of(app: Application) -> dict[str, EndpointCall]:
    calls = (call for path in app._paths.targets for call in path.calls.values())
    return {named(call.endpoint): call for call in calls}
