"""The session of an operator: who gets one, what it may do, and every way in which it ends."""

import time
from datetime import timedelta

import httpx
import pytest

from bespeak import Resource
from bespeak.http.server import keys
from bespeak.inventory import workspaces
from tests.harness.clock import START, Clock
from tests.http.api import Api, Request, document, place_block, problem
from tests.http.conftest import OpenApi
from tests.http.test_box_office import cookie
from tests.http.test_keys import revoke

PATH = "/v1/console/session"


async def log_in(api: Api, key: str | None = None) -> tuple[httpx.Response, dict[str, str]]:
    """Logs in; the answer, and the headers of the pages from then on."""
    api.client.cookies.clear()
    answer = await api.ask("POST", PATH, {"key": key or api.keys["ak"]}, key=None)
    api.client.cookies.clear()
    session = document(answer, 200)
    value = cookie(answer, "bespeak_console").value
    headers = {"Cookie": f"bespeak_console={value}", "Bespeak-CSRF": str(session["csrf_token"])}
    return answer, headers


async def see(api: Api, headers: dict[str, str]) -> httpx.Response:
    return await api.send(Request("GET", PATH, None, None, headers))


async def test_an_operator_works_by_the_cookie(api: Api, show: Resource) -> None:
    answer, headers = await log_in(api)
    assert answer.json()["name"] == "test ak" and answer.headers["cache-control"] == "no-store"
    assert document(await see(api, headers), 200) == answer.json()
    listed = await api.send(Request("GET", "/v1/keys", None, None, headers))
    assert listed.headers["cache-control"] == "no-store"
    document(listed, 200)
    block = place_block(show, "A1")
    made = await api.send(Request("POST", block.path, block.body, None, headers))
    document(made, 201)


async def test_the_console_is_told_that_money_is_pretended(open_api: OpenApi) -> None:
    for settings, told in (
        ({}, False),
        ({"payment_providers": "sandbox", "demo": True}, False),
        ({"payment_providers": "sandbox", "allow_pretend_money": True}, True),
    ):
        one = await open_api(**settings)
        answer = await one.ask("POST", PATH, {"key": one.keys["ak"]}, key=None)
        assert document(answer, 200)["pretend_money"] is told


async def test_a_session_says_where_it_reaches(api: Api, show: Resource) -> None:
    """What concerns the whole installation is not asked for by pages whose operator is refused."""
    told = document((await log_in(api))[0], 200)
    assert (told["workspace"], told["is_bound"]) == ("default", False)
    bound = await api.restricted("read", resources=[show.id])
    told = document((await log_in(api, api.keys[bound]))[0], 200)
    assert (told["workspace"], told["is_bound"]) == ("default", True)
    async with api.service.engine.database.borrow() as connection:
        await workspaces.create(connection, "acme")
        text, _ = await keys.create_key(connection, "admin", "acme's", workspace="acme")
    told = document((await log_in(api, text))[0], 200)
    assert (told["workspace"], told["is_bound"]) == ("acme", False)


async def test_the_cookie_is_for_the_console_alone(api: Api, open_api: OpenApi) -> None:
    plain = cookie((await log_in(api))[0], "bespeak_console")
    assert plain["httponly"] is True and plain["samesite"] == "Strict" and plain["path"] == "/"
    assert int(plain["max-age"]) == 12 * 3600
    assert not plain["secure"] and not plain["domain"]
    assert api.keys["ak"] not in plain.value
    https = await open_api(public_url="https://tickets.example")
    answer = await https.ask("POST", PATH, {"key": https.keys["ak"]}, key=None)
    secure = cookie(answer, "__Host-bespeak_console")
    assert secure["secure"] is True and not secure["domain"]
    headers = {"Cookie": f"__Host-bespeak_console={secure.value}"}
    https.client.cookies.clear()
    assert (await see(https, headers)).status_code == 200


async def test_a_logout_ends_every_copy(api: Api, open_api: OpenApi) -> None:
    other = await open_api()
    _, headers = await log_in(api)
    _, second = await log_in(api)
    gone = await api.send(Request("DELETE", PATH, None, None, headers))
    assert document(gone, 200) == {"status": "ended"}
    ended = cookie(gone, "bespeak_console")
    assert (ended.value, ended["max-age"]) == ("", "0")
    for one in (api, other):
        problem(await see(one, headers), "console_session_invalid")
        listed = await one.send(Request("GET", "/v1/keys", None, None, headers))
        problem(listed, "console_session_invalid")
    assert (await see(api, second)).status_code == 200, "another session of the same key goes on"
    again = await api.send(Request("DELETE", PATH, None, None, headers))
    assert document(again, 200) == {"status": "ended"}, "repeating it changes nothing"
    nobody = await api.send(Request("DELETE", PATH, None, None))
    assert document(nobody, 200) == {"status": "ended"}


async def test_a_login_ends_the_session_before_it(api: Api) -> None:
    """A copy of a browser's cookie was good for twelve hours, however often one logged in anew."""
    _, before = await log_in(api)
    body = {"key": api.keys["ak"]}
    theirs = {"Cookie": before["Cookie"], "Sec-Fetch-Site": "cross-site"}
    refused = await api.send(Request("POST", PATH, body, None, theirs))
    problem(refused, "origin_not_allowed")
    wrong = await api.send(Request("POST", PATH, {"key": "ak_no"}, None, before))
    problem(wrong, "key_unknown")
    assert (await see(api, before)).status_code == 200, "who did not log in ended nothing"
    again = await api.send(Request("POST", PATH, body, None, {"Cookie": before["Cookie"]}))
    document(again, 200)
    api.client.cookies.clear()
    problem(await see(api, before), "console_session_invalid")
    value = cookie(again, "bespeak_console").value
    now = {"Cookie": f"bespeak_console={value}"}
    assert (await see(api, now)).status_code == 200
    forged = await api.send(Request("POST", PATH, body, None, {"Cookie": "bespeak_console=x.y.z"}))
    document(forged, 200)


async def test_another_worker_hears_of_a_logout_within_the_trusted_time(
    api: Api, open_api: OpenApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = await open_api()
    _, headers = await log_in(api)
    assert (await see(other, headers)).status_code == 200
    await api.send(Request("DELETE", PATH, None, None, headers))
    soon = time.monotonic() + keys.TRUST_SECONDS + 0.1
    monkeypatch.setattr("bespeak.cache.time.monotonic", lambda: soon)
    problem(await see(other, headers), "console_session_invalid")


async def test_revoking_the_key_ends_its_sessions(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = document(
        await api.ask("POST", "/v1/keys", {"kind": "admin", "name": "x"}, key="ak"), 201
    )
    _, headers = await log_in(api, str(made["key"]))
    _, kept = await log_in(api)
    await revoke(api, str(made["key"]))
    soon = time.monotonic() + keys.TRUST_SECONDS + 0.1
    monkeypatch.setattr("bespeak.cache.time.monotonic", lambda: soon)
    problem(await see(api, headers), "console_session_invalid")
    refused = await api.send(Request("GET", "/v1/keys", None, None, headers))
    problem(refused, "console_session_invalid")
    assert (await see(api, kept)).status_code == 200


async def use(api: Api, headers: dict[str, str]) -> dict[str, str]:
    """Uses the session; the headers of the pages from then on."""
    api.client.cookies.clear()
    answer = await api.send(Request("GET", "/v1/keys", None, None, headers))
    api.client.cookies.clear()
    document(answer, 200)
    if "set-cookie" not in answer.headers:
        return headers
    return {**headers, "Cookie": f"bespeak_console={cookie(answer, 'bespeak_console').value}"}


async def test_it_is_over_after_twelve_hours(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """However much it is used."""
    _, headers = await log_in(api)
    start = time.time()
    for half_hours in range(24):
        now = start + half_hours * 1800
        monkeypatch.setattr("time.time", lambda now=now: now)
        headers = await use(api, headers)
    monkeypatch.setattr("time.time", lambda: start + 12 * 3600 - 5)
    assert (await see(api, headers)).status_code == 200
    monkeypatch.setattr("time.time", lambda: start + 12 * 3600 + 1)
    problem(await see(api, headers), "console_session_invalid")


async def test_a_session_that_is_not_used_ends(
    open_api: OpenApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = await open_api(console_idle_minutes=30)
    _, first = await log_in(api)
    start = time.time()
    assert await use(api, first) == first, "no call but one in five minutes has a new cookie"
    monkeypatch.setattr("time.time", lambda: start + 29 * 60)
    second = await use(api, first)
    assert second != first
    monkeypatch.setattr("time.time", lambda: start + 31 * 60)
    problem(await see(api, first), "console_session_invalid")
    assert (await see(api, second)).status_code == 200
    monkeypatch.setattr("time.time", lambda: start + 60 * 60)
    problem(await see(api, second), "console_session_invalid")


async def test_a_logout_ends_the_cookies_of_before(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, first = await log_in(api)
    start = time.time()
    monkeypatch.setattr("time.time", lambda: start + 10 * 60)
    second = await use(api, first)
    document(await api.send(Request("DELETE", PATH, None, None, first)), 200)
    for headers in (first, second):
        problem(await see(api, headers), "console_session_invalid")


async def test_a_csrf_token_is_of_its_session_alone(api: Api, show: Resource) -> None:
    _, first = await log_in(api)
    _, second = await log_in(api)
    assert first["Bespeak-CSRF"] != second["Bespeak-CSRF"]
    mixed = {"Cookie": first["Cookie"], "Bespeak-CSRF": second["Bespeak-CSRF"]}
    block = place_block(show, "A1")
    before = await api.snapshot()
    for headers in (mixed, {"Cookie": first["Cookie"]}):
        answer = await api.send(Request("POST", block.path, block.body, None, headers))
        problem(answer, "csrf_token_invalid")
    assert await api.snapshot() == before


async def test_failed_logins_are_limited_and_good_ones_are_not(open_api: OpenApi) -> None:
    api = await open_api(rate_limit_login="3/hour")
    for _ in range(5):
        await log_in(api)
    bad = {"key": "ak_" + "0" * 32}
    for _ in range(3):
        problem(await api.ask("POST", PATH, bad, key=None), "key_unknown")
    problem(await api.ask("POST", PATH, bad, key=None), "rate_limited")
    # Also who guesses right is refused now, and so learns nothing.
    answer = await api.ask("POST", PATH, {"key": api.keys["ak"]}, key=None)
    problem(answer, "rate_limited", limit="3 per 1 hour")


async def test_a_key_that_came_with_the_request_goes_before_the_cookie(api: Api) -> None:
    _, headers = await log_in(api)
    answer = await api.send(Request("GET", "/v1/keys", None, "sk", headers))
    problem(answer, "key_kind_wrong")
    shopper = {**headers, "Bespeak-Shopper": api.token("asha")}
    mine = await api.send(Request("GET", "/v1/bookings", None, "pk", shopper))
    assert document(mine, 200) == {"items": [], "next": None}


async def test_the_console_speaks_for_nobody_by_a_shopper_token(api: Api, show: Resource) -> None:
    """The cookie is an admin key: a shopper token beside it is not looked at."""
    await api.booking(show, "A1", owner="ben")
    _, headers = await log_in(api)
    sent = {**headers, "Bespeak-Shopper": "nonsense"}
    listed = await api.send(Request("GET", "/v1/bookings", None, None, sent))
    assert len(document(listed, 200)["items"]) == 1  # type: ignore[arg-type]


async def test_nothing_of_a_session_is_in_the_database(api: Api) -> None:
    answer, headers = await log_in(api)
    value = headers["Cookie"].partition("=")[2]
    await api.send(Request("DELETE", PATH, None, None, headers))
    tables = await api.snapshot()
    for secret in (value, answer.json()["csrf_token"], api.keys["ak"]):
        assert not any(secret in row for rows in tables.values() for row in rows)


async def test_a_restricted_key_may_at_the_console_what_its_scopes_say(
    api: Api, show: Resource, moved_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = START + timedelta(hours=1)
    reader = await api.restricted("read", expires_at=ends)
    answer, headers = await log_in(api, api.keys[reader])
    assert answer.json()["scopes"] == ["read"]
    booking = await api.booking(show, "A1")
    document(await api.send(Request("GET", "/v1/bookings", None, None, headers)), 200)
    for method, path in (("DELETE", f"/v1/bookings/{booking['id']}"), ("GET", "/v1/keys")):
        problem(await api.send(Request(method, path, None, None, headers)), "missing_scope")
    door = await api.restricted("read", resources=["res_00000001"])
    _, bound = await log_in(api, api.keys[door])
    answer = await api.send(Request("GET", f"/v1/resources/{show.id}", None, None, bound))
    problem(answer, "key_bound")
    # Its session ends with the key.
    await moved_clock.set(ends)
    soon = time.monotonic() + keys.TRUST_SECONDS + 0.1
    monkeypatch.setattr("bespeak.cache.time.monotonic", lambda: soon)
    problem(await see(api, headers), "console_session_invalid")
