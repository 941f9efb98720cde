"""The session of a guest: the same owner while the browser keeps its cookie, and nobody else's."""

import time
from datetime import UTC, datetime
from http.cookies import Morsel, SimpleCookie

import httpx
import msgspec
import pytest
from joserfc import jwt
from joserfc.jwk import OctKey

from bespeak import Resource
from bespeak.http.server import keys
from tests.http.api import Api, Json, document, line, problem
from tests.http.conftest import OpenApi

PATH = "/v1/box-office/session"
SANDBOX_FORM: Json = {"provider": "sandbox", "kind": "sandbox", "publishable_key": None}


def cookie(answer: httpx.Response, name: str) -> "Morsel[str]":
    """The one cookie that an answer sets."""
    (header,) = answer.headers.get_list("set-cookie")
    found = SimpleCookie(header)
    assert list(found) == [name]
    return found[name]


async def enter(api: Api, token: str | None = None, **body: object) -> httpx.Response:
    """Opens the session of a browser that has this cookie, or none."""
    api.client.cookies.clear()
    headers = {} if token is None else {"Cookie": f"other=1; bespeak_guest={token}"}
    return await api.ask("POST", PATH, body, key=None, **headers)


async def test_a_guest_is_somebody_who_can_buy(api: Api, show: Resource) -> None:
    session = document(await enter(api), 200)
    assert str(session["owner"]).startswith("guest_")
    assert (session["demo"], session["payment_form"]) == (False, None)
    assert session["locales"] == ["en", "de", "ar"]
    now, ends = (datetime.fromisoformat(str(session[name])) for name in ("now", "expires_at"))
    assert abs((datetime.now(UTC) - now).total_seconds()) < 60
    assert 3600 < (ends - now).total_seconds() <= 4 * 3600 + 1
    headers = {
        "Authorization": f"Bearer {session['publishable_key']}",
        "Bespeak-Shopper": str(session["shopper_token"]),
    }
    hold = document(
        await api.client.post("/v1/holds", json={"lines": [line(show, "A1")]}, headers=headers), 201
    )
    assert hold["owner"] == session["owner"]
    mine = document(await api.client.get("/v1/holds", headers=headers), 200)
    assert [one["id"] for one in mine["items"]] == [hold["id"]]  # type: ignore[attr-defined]


async def test_the_form_is_that_of_the_provider_at_which_buyers_pay(open_api: OpenApi) -> None:
    sandbox = await open_api(payment_providers="desk,sandbox", allow_pretend_money=True)
    assert document(await enter(sandbox), 200)["payment_form"] == SANDBOX_FORM


async def test_the_operators_own_map_is_told_and_let_in_by_the_shop_alone(
    api: Api, open_api: OpenApi
) -> None:
    assert document(await enter(api), 200)["map_tiles"] is None
    known = await open_api(
        map_tiles="https://tiles.example/{z}/{x}/{y}.png", map_tiles_credit="Example maps"
    )
    told = document(await enter(known), 200)["map_tiles"]
    assert told == {"url": "https://tiles.example/{z}/{x}/{y}.png", "credit": "Example maps"}
    pages = ((known, "/stays", True), (known, "/console", False), (api, "/", False))
    for asked, path, lets_in in pages:
        page = await asked.client.get(path, headers={"Accept": "text/html"})
        policy = page.headers["content-security-policy"]
        assert ("img-src 'self' https://tiles.example data:" in policy) is lets_in
        assert policy.count("tiles.example") == lets_in


async def test_it_tells_which_verticals_take_a_file(api: Api) -> None:
    told = document(await enter(api), 200)
    assert told["imports"] == ["cinema", "stays"]
    assert told["verticals"] == ["appointments", "cinema", "programme", "stays"]


async def test_the_same_browser_is_the_same_owner_and_another_is_another(
    api: Api, open_api: OpenApi
) -> None:
    first = await enter(api)
    token = cookie(first, "bespeak_guest").value
    again = await enter(api, token)
    elsewhere = await open_api()  # another worker of the same installation
    there = await enter(elsewhere, token)
    stranger = await enter(api)
    owner = first.json()["owner"]
    assert again.json()["owner"] == there.json()["owner"] == owner
    assert stranger.json()["owner"] != owner
    pages = {answer.json()["publishable_key"] for answer in (first, again, there, stranger)}
    assert len(pages) == 1, "every worker makes the same key"
    listed = await api.get("/v1/keys", **{"key": "ak"})
    assert sum(one["name"] == "box office" for one in listed["items"]) == 1  # type: ignore[attr-defined]


async def test_the_cookie_is_for_nobody_elses_eyes(api: Api, open_api: OpenApi) -> None:
    plain = cookie(await enter(api), "bespeak_guest")
    assert plain["httponly"] is True and plain["samesite"] == "Lax" and plain["path"] == "/"
    assert int(plain["max-age"]) == 365 * 86_400
    assert not plain["secure"] and not plain["domain"]
    https = await open_api(public_url="https://tickets.example")
    secure = cookie(await enter(https), "__Host-bespeak_guest")
    assert secure["secure"] is True and secure["path"] == "/" and not secure["domain"]
    headers = {"Cookie": f"bespeak_guest={plain.value}; __Host-bespeak_guest={secure.value}"}
    both = await https.ask("POST", PATH, {}, key=None, **headers)
    headers = {"Cookie": f"__Host-bespeak_guest={secure.value}"}
    alone = await https.ask("POST", PATH, {}, key=None, **headers)
    assert both.json()["owner"] == alone.json()["owner"], "the one that nobody else could set"
    # Without it, what another host of the domain has set makes nobody somebody.
    forced = await enter(https, plain.value)
    owner = (await enter(api, plain.value)).json()["owner"]
    assert forced.json()["owner"] != owner
    assert cookie(forced, "__Host-bespeak_guest").value != plain.value


async def test_who_knows_an_owners_name_is_not_that_owner(api: Api) -> None:
    """Names of owners are in every list and webhook; only the signed cookie is the guest."""
    owner = (await enter(api)).json()["owner"]
    now = int(time.time())
    claims: dict[str, object] = {"sub": owner, "jti": "x", "iat": now, "exp": now + 1000}
    forged = [
        owner,
        jwt.encode({"alg": "HS256"}, claims, OctKey.import_key(b"0" * 32)),
        api.token(owner),  # good for calls of the API, and for nothing else
        api.service.consoles.open(await api.service.keys.find(api.keys["ak"]))[0],
        "x" * 5000,
        "a.b.c",
    ]
    for token in forged:
        answer = await enter(api, token)
        assert answer.status_code == 200 and answer.json()["owner"] != owner


async def test_a_cookie_that_is_over_makes_a_new_guest(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await enter(api)
    token = cookie(first, "bespeak_guest").value
    later = time.time() + 366 * 86_400
    monkeypatch.setattr("time.time", lambda: later)
    assert (await enter(api, token)).json()["owner"] != first.json()["owner"]


async def test_the_key_can_be_revoked_and_renewed(
    api: Api, open_api: OpenApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = await open_api()
    old = [(await enter(one)).json()["publishable_key"] for one in (api, other)]
    listed = (await api.ask("GET", "/v1/keys", key="ak")).json()["items"]
    (own,) = [one for one in listed if one["name"] == "box office"]
    document(await api.ask("DELETE", f"/v1/keys/{own['id']}", key="ak"), 200)
    soon = time.monotonic() + keys.TRUST_SECONDS + 0.1
    monkeypatch.setattr("bespeak.cache.time.monotonic", lambda: soon)
    for one in (api, other):
        problem(await enter(one), "box_office_closed", because="key")
    made = document(await api.ask("POST", "/v1/box-office/key", {}, key="ak"), 201)
    assert made["revoked_at"] is None and "key" not in made
    new = [(await enter(one)).json()["publishable_key"] for one in (api, other)]
    assert new[0] == new[1] != old[0] and new[0].endswith(str(made["ending"]))
    # Renewed while it is good: the old one is revoked all the same.
    document(await api.ask("POST", "/v1/box-office/key", {}, key="ak"), 201)
    later = soon + keys.TRUST_SECONDS + 0.1
    monkeypatch.setattr("bespeak.cache.time.monotonic", lambda: later)
    newest = (await enter(other)).json()["publishable_key"]
    assert newest != new[0]
    for text in (old[0], new[0]):
        headers = {"Authorization": f"Bearer {text}"}
        problem(await api.client.get("/v1/resources", headers=headers), "key_unknown")


async def test_a_renewed_key_may_leave_the_old_one_good(api: Api) -> None:
    old = (await enter(api)).json()["publishable_key"]
    document(await api.ask("POST", "/v1/box-office/key", {"keep_old": True}, key="ak"), 201)
    api.service.keys.forget(old)
    api.service.box_office_key._cache.forget(None)  # as some seconds later
    assert (await enter(api)).json()["publishable_key"] != old
    answer = await api.client.get("/v1/resources", headers={"Authorization": f"Bearer {old}"})
    assert answer.status_code == 200


async def test_an_installation_may_have_no_box_office(open_api: OpenApi) -> None:
    api = await open_api(box_office=False)
    problem(await enter(api), "box_office_closed", because="setting")
    page = await api.ask("GET", "/", key=None, Accept="text/html")
    assert (page.status_code, page.headers["location"]) == (303, "/start")
    for path in ("/console", "/films/x", "/assets/x.js", "/embed"):
        problem(await api.ask("GET", path, key=None, Accept="text/html"), "path_not_found")


async def test_sessions_are_limited_by_address(open_api: OpenApi) -> None:
    api = await open_api(rate_limit_guests="3/hour")
    for _ in range(3):
        assert (await enter(api)).status_code == 200
    problem(await enter(api), "rate_limited")


async def test_a_guest_is_forgotten_on_this_device(api: Api, open_api: OpenApi) -> None:
    first = await enter(api)
    api.client.cookies.set("bespeak_guest", cookie(first, "bespeak_guest").value)
    gone = await api.ask("DELETE", PATH, key=None)
    assert document(gone, 200) == {"status": "forgotten"}
    taken = cookie(gone, "bespeak_guest")
    assert (taken.value, taken["max-age"]) == ("", "0")
    again = await enter(api, taken.value)
    assert again.json()["owner"] != first.json()["owner"]
    https = await open_api(public_url="https://tickets.example")
    headers = (await https.ask("DELETE", PATH, key=None)).headers.get_list("set-cookie")
    names = {name: found for one in headers for name, found in SimpleCookie(one).items()}
    assert set(names) == {"__Host-bespeak_guest", "bespeak_guest"}
    assert all(found["max-age"] == "0" and found["path"] == "/" for found in names.values())
    assert names["__Host-bespeak_guest"]["secure"] is True
    foreign = {"Sec-Fetch-Site": "cross-site"}
    problem(await api.ask("DELETE", PATH, key=None, **foreign), "origin_not_allowed")


async def test_no_page_and_no_answer_has_a_secret(api: Api) -> None:
    session: Json = document(await enter(api), 200)
    for path in ("/", "/console", "/start", "/embed"):
        page = await api.ask("GET", path, key=None, Accept="text/html")
        for secret in (*api.keys.values(), str(session["publishable_key"])):
            assert secret not in page.text
        assert not page.headers.get_list("set-cookie")
    assert "sk_" not in msgspec.json.encode(session).decode()
