"""Whose holds a key may touch: a shopper its own, a server anyone's, or those of whom it names."""

import base64
import json
import time

import pytest
from joserfc import jwt
from joserfc.jwk import OctKey

from bespeak import Resource
from tests.http.api import Api, Request, document, line, place, problem


def shopping(api: Api, owner: str) -> dict[str, str]:
    return {"Bespeak-Shopper": api.token(owner)}


async def test_a_shopper_holds_for_its_subject(api: Api, show: Resource) -> None:
    body = {"lines": [line(show, "A1")]}
    headers = shopping(api, "asha")
    hold = document(await api.send(Request("POST", "/v1/holds", body, "pk", headers)), 201)
    assert hold["owner"] == "asha"
    named = {"lines": [line(show, "A2")], "owner": "asha"}
    document(await api.send(Request("POST", "/v1/holds", named, "pk", headers)), 201)
    path = f"/v1/holds/{hold['id']}"
    document(await api.send(Request("GET", path, None, "pk", headers)), 200)
    more = Request("POST", f"{path}/extend", {"seconds": 900}, "pk", headers)
    document(await api.send(more), 200)
    confirm = Request("POST", "/v1/bookings", {"hold_id": hold["id"]}, "pk", headers)
    booking = document(await api.send(confirm), 201)
    read = Request("GET", f"/v1/bookings/{booking['id']}", None, "pk", headers)
    assert document(await api.send(read), 200) == booking
    cancel = Request("DELETE", f"/v1/bookings/{booking['id']}", None, "pk", headers)
    assert document(await api.send(cancel), 200)["state"] == "cancelled"


async def test_a_shopper_touches_no_other_hold(api: Api, show: Resource) -> None:
    hold = await api.hold(show, "A1", owner="asha")
    before = await api.snapshot()
    path = f"/v1/holds/{hold['id']}"
    for owner in ("ben", "asha ", "Asha", "ash"):
        headers = shopping(api, owner)
        for request in (
            Request("GET", path, None, "pk", headers),
            Request("DELETE", path, None, "pk", headers),
            Request("POST", f"{path}/extend", {"seconds": 900}, "pk", headers),
            Request("POST", "/v1/bookings", {"hold_id": hold["id"]}, "pk", headers),
        ):
            problem(await api.send(request), "not_owner")
            claimed = {**headers, "Bespeak-Owner": "asha"}
            claiming = Request(request.method, request.path, request.body, "pk", claimed)
            problem(await api.send(claiming), "not_owner")
    assert await api.snapshot() == before


async def test_a_server_may_name_the_owner_that_it_means(api: Api, show: Resource) -> None:
    hold = await api.hold(show, "A1", owner="Zoë 木")
    path = f"/v1/holds/{hold['id']}"
    headers = {b"authorization": f"Bearer {api.keys['sk']}".encode()}
    named = {**headers, b"bespeak-owner": "Zoë 木".encode()}
    assert (await api.client.get(path, headers=named)).status_code == 200
    other = {**headers, b"bespeak-owner": "Zoé 木".encode()}
    problem(await api.client.get(path, headers=other), "not_owner")
    problem(await api.client.get(path, headers={**headers, b"bespeak-owner": b"\xff"}), "not_owner")
    problem(await api.client.get(path, headers={**headers, b"bespeak-owner": b""}), "not_owner")
    assert (await api.client.get(path, headers=headers)).status_code == 200


async def test_an_operator_may_do_what_a_server_may(api: Api, show: Resource) -> None:
    request = place(show, "A1")
    hold = document(await api.send(Request("POST", "/v1/holds", request.body, "ak")), 201)
    document(await api.ask("DELETE", f"/v1/holds/{hold['id']}", key="ak"), 200)


async def test_minted_tokens_hold(api: Api, show: Resource) -> None:
    asked = {"owner": "Zoë", "expires_in_seconds": 60}
    minted = document(await api.ask("POST", "/v1/shopper-tokens", asked), 201)
    assert minted["owner"] == "Zoë"
    headers = {"Bespeak-Shopper": str(minted["token"])}
    body = {"lines": [line(show, "A1")]}
    hold = document(await api.send(Request("POST", "/v1/holds", body, "pk", headers)), 201)
    assert hold["owner"] == "Zoë"
    assert str(minted["expires_at"]).endswith("Z")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"owner": ""}, "owner"),
        ({"owner": "a\nb"}, "owner"),
        ({"owner": "x" * 201}, "owner"),
        ({"owner": "a", "expires_in_seconds": 0}, "expires_in_seconds"),
        ({"owner": "a", "expires_in_seconds": 86_401}, "expires_in_seconds"),
        ({"owner": "a", "expires_in_seconds": "60"}, "expires_in_seconds"),
        ({"owner": "a", "scope": "all"}, "scope"),
    ],
)
async def test_a_token_is_not_minted_for_nonsense(
    body: dict[str, object], field: str | None, api: Api
) -> None:
    found = problem(await api.ask("POST", "/v1/shopper-tokens", body), "invalid_request")
    assert found.get("field") == field


def _encoded(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def _forgeries(api: Api) -> dict[str, str]:
    good = api.token("asha")
    head, body, signature = good.split(".")
    now = int(time.time())
    claims = {"iss": "bespeak", "sub": "asha", "iat": now, "exp": now + 3600}
    other = OctKey.import_key(b"another secret of the same length")
    own = api.service.tokens._signer._key
    return {
        "other secret": jwt.encode({"alg": "HS256"}, claims, other),
        "other algorithm": jwt.encode({"alg": "HS512"}, claims, own, algorithms=["HS512"]),
        "no algorithm": f"{_encoded({'alg': 'none', 'typ': 'JWT'})}.{_encoded(claims)}.",
        "no algorithm, signed": f"{_encoded({'alg': 'none'})}.{_encoded(claims)}.{signature}",
        "other subject": f"{head}.{_encoded({**claims, 'sub': 'ben'})}.{signature}",
        "no signature": f"{head}.{body}.",
        "cut": good[:-2],
        "past": jwt.encode({"alg": "HS256"}, {**claims, "exp": now - 1}, own),
        "no end": jwt.encode({"alg": "HS256"}, _without(claims, "exp"), own),
        "no subject": jwt.encode({"alg": "HS256"}, _without(claims, "sub"), own),
        "empty subject": jwt.encode({"alg": "HS256"}, {**claims, "sub": ""}, own),
        "subject of a number": jwt.encode({"alg": "HS256"}, {**claims, "sub": 3}, own),
        "no issuer": jwt.encode({"alg": "HS256"}, _without(claims, "iss"), own),
        "other issuer": jwt.encode({"alg": "HS256"}, {**claims, "iss": "eve"}, own),
        "end is text": jwt.encode({"alg": "HS256"}, {**claims, "exp": "soon"}, own),
        "end is endless": jwt.encode({"alg": "HS256"}, {**claims, "exp": float("inf")}, own),
        "not yet": jwt.encode({"alg": "HS256"}, {**claims, "nbf": now + 600}, own),
        "head of a list": f"{_encoded([])}.{body}.{signature}",
        "head of a text": f"{_encoded('x')}.{body}.{signature}",
        "critical": f"{_encoded({'alg': 'HS256', 'crit': ['x']})}.{body}.{signature}",
        "nothing": " ",
        "dots": "...",
        "two parts": f"{head}.{body}",
        "not base64": "é.é.é",
        "long": "a" * 5000,
    }


async def test_no_forged_token_is_believed(api: Api, show: Resource) -> None:
    before = await api.snapshot()
    body = {"lines": [line(show, "A1")]}
    for what, token in _forgeries(api).items():
        raw = {
            b"authorization": f"Bearer {api.keys['pk']}".encode(),
            b"bespeak-shopper": token.encode("latin-1"),
            b"content-type": b"application/json",
        }
        answer = await api.client.post("/v1/holds", headers=raw, content=json.dumps(body))
        assert answer.status_code == 401, (what, answer.text)
        problem(answer, "shopper_token_invalid")
    assert await api.snapshot() == before


async def test_a_token_that_was_good_ends(
    api: Api, show: Resource, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = {"Bespeak-Shopper": api.token("asha", seconds=60)}
    request = Request("POST", "/v1/holds", {"lines": [line(show, "A1")]}, "pk", headers)
    hold = document(await api.send(request), 201)
    later = time.time() + 61
    monkeypatch.setattr("bespeak.http.server.tokens.time.time", lambda: later)
    read = Request("GET", f"/v1/holds/{hold['id']}", None, "pk", headers)
    problem(await api.send(read), "shopper_token_invalid")


def _without(claims: dict[str, object], name: str) -> dict[str, object]:
    return {key: value for key, value in claims.items() if key != name}
