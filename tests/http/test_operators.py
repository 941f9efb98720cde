"""People at the console: how they are invited, set up a login and log in, what their roles open,
and every way in which that ends.
"""

import asyncio
import time
from datetime import timedelta

import pytest
import zxcvbn
from argon2 import PasswordHasher

from bespeak import Resource
from bespeak.http.server import keys
from bespeak.http.server.operators.passwords import Passwords
from tests.harness.clock import START, Clock
from tests.harness.passkey_device import PasskeyDevice
from tests.http.api import Api, Request, document, place_block, problem
from tests.http.conftest import HASHER, OpenApi
from tests.http.operating import (
    ACCOUNT,
    LOGINS,
    PASSWORD,
    SESSION,
    LoggedIn,
    invited,
    log_in,
    logged_in,
    operator,
    passkey_login,
    set_up,
)
from tests.http.test_box_office import cookie


async def test_somebody_is_invited_and_works_at_the_console(api: Api, show: Resource) -> None:
    made = await invited(api, "Asha@Example.com", "manager")
    assert (made["login"], made["state"]) == ("asha@example.com", "invited")
    link = {"link": made["link"]}
    seen = document(await api.ask("POST", "/v1/operator-logins/link", link, key=None), 200)
    assert (seen["login"], seen["purpose"]) == ("asha@example.com", "invite")
    asha = await set_up(api, made["link"])
    block = place_block(show, "A1")
    document(await asha.ask("POST", block.path, block.body), 201)
    problem(await asha.ask("GET", "/v1/keys"), "missing_scope")
    again = logged_in(api, await log_in(api, "ASHA@example.com"))
    assert again.operator_id == asha.operator_id
    assert again.headers["Cookie"] != asha.headers["Cookie"], "each login is a session of its own"
    log = document(await api.ask("GET", f"/v1/audit-log?actor={asha.operator_id}", key="ak"), 200)
    items = log["items"]
    assert isinstance(items, list)
    told = [(item["action"], item["actor_name"]) for item in items]
    name = "Asha@Example.com by name"
    assert told == [
        ("log_in", name),
        ("place_block", name),
        ("log_in", name),
        ("invite_used", name),
    ]


async def test_a_passkey_is_made_and_logs_in(api: Api) -> None:
    device = PasskeyDevice()
    asha = await operator(api, device=device)
    account = document(await asha.ask("GET", ACCOUNT), 200)
    passkeys = account["passkeys"]
    assert isinstance(passkeys, list)
    assert [one["name"] for one in passkeys] == ["key"]
    again = logged_in(api, await passkey_login(api, device))
    assert document(await again.ask("GET", SESSION), 200)["operator_id"] == asha.operator_id
    problem(await log_in(api, password=""), "invalid_request")
    problem(await log_in(api), "login_failed")


async def test_a_link_is_good_once(api: Api) -> None:
    link = (await invited(api))["link"]
    body = {"link": link, "password": PASSWORD}
    both = await asyncio.gather(
        *(api.ask("POST", f"{LOGINS}/link/login", body, key=None) for _ in range(2))
    )
    assert sorted(one.status_code for one in both) == [200, 401]
    api.client.cookies.clear()
    problem(
        await api.ask("POST", f"{LOGINS}/link", {"link": link}, key=None), "operator_link_invalid"
    )


async def test_a_link_ends_after_a_day_and_with_the_next(api: Api, moved_clock: Clock) -> None:
    made = await invited(api)
    path = f"/v1/operators/{made['id']}/link"
    second = document(await api.ask("POST", path, key="ak"), 201)
    look = f"{LOGINS}/link"
    problem(await api.ask("POST", look, {"link": made["link"]}, key=None), "operator_link_invalid")
    link = {"link": str(second["link"]).partition("#")[2]}
    assert document(await api.ask("POST", look, link, key=None), 200)["purpose"] == "invite"
    await moved_clock.set(START + timedelta(days=1, seconds=1))
    problem(await api.ask("POST", look, link, key=None), "operator_link_invalid")


async def test_a_reset_takes_all_that_was_there_before(api: Api) -> None:
    device = PasskeyDevice()
    asha = await operator(api, device=device)
    made = document(await api.ask("POST", f"/v1/operators/{asha.operator_id}/link", key="ak"), 201)
    problem(await asha.ask("GET", SESSION), "console_session_invalid")
    link = str(made["link"]).partition("#")[2]
    await set_up(api, link)
    problem(await passkey_login(api, device), "login_failed")
    document(await log_in(api), 200)


async def test_who_is_disabled_is_out_everywhere(
    api: Api, open_api: OpenApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = await open_api()
    device = PasskeyDevice()
    asha = await operator(api, device=device)
    await operator(api, "bela")
    elsewhere = LoggedIn(other, asha.operator_id, asha.headers)
    document(await elsewhere.ask("GET", SESSION), 200)
    path = f"/v1/operators/{asha.operator_id}"
    document(await api.ask("PATCH", path, {"state": "disabled"}, key="ak"), 200)
    problem(await asha.ask("GET", SESSION), "console_session_invalid")
    problem(await passkey_login(api, device), "login_failed")
    soon = time.monotonic() + keys.TRUST_SECONDS + 0.1
    monkeypatch.setattr("bespeak.cache.time.monotonic", lambda: soon)
    problem(await elsewhere.ask("GET", SESSION), "console_session_invalid")
    enabled = document(await api.ask("PATCH", path, {"state": "active"}, key="ak"), 200)
    assert enabled["state"] == "active"
    problem(await asha.ask("GET", SESSION), "console_session_invalid")
    document(await passkey_login(api, device), 200)


async def test_nobody_learns_who_is_an_operator(api: Api) -> None:
    """The same answer, and the same work: a hash is compared for a name that nobody has."""
    await operator(api)
    compared = []
    passwords = api.service.operators.passwords
    verify = passwords._verify

    def counted(kept: str | None, password: bytes) -> bool:
        compared.append(kept)
        return verify(kept, password)

    passwords._verify = counted  # type: ignore[method-assign]
    wrong = problem(await log_in(api, password="not the one that it is"), "login_failed")
    nobody = problem(await log_in(api, "nobody", "not the one that it is"), "login_failed")
    assert {**wrong, "request_id": ""} == {**nobody, "request_id": ""}
    assert [one is None for one in compared] == [False, True]


async def test_wrong_passwords_of_one_name_are_limited_wherever_they_come_from(
    open_api: OpenApi,
) -> None:
    api = await open_api(rate_limit_operator="3/hour")
    device = PasskeyDevice()
    await operator(api, device=device)
    for login in ("asha", "nobody"):
        for _ in range(3):
            problem(await log_in(api, login), "login_failed")
        problem(await log_in(api, f" {login.upper()} "), "rate_limited")
    document(await passkey_login(api, device), 200)


async def test_failed_logins_of_one_address_are_limited(open_api: OpenApi) -> None:
    api = await open_api(rate_limit_login="2/hour")
    problem(await log_in(api, "asha"), "login_failed")
    body = {"link": "opl_" + "0" * 32}
    answer = await api.ask("POST", f"{LOGINS}/link", body, key=None)
    problem(answer, "operator_link_invalid")
    problem(await log_in(api, "bela"), "rate_limited")


@pytest.mark.parametrize("password", ["short", "a" * 201, "aaaaaaaaaaaaaaaa"])
async def test_a_password_has_a_length(password: str, api: Api) -> None:
    link = (await invited(api))["link"]
    body = {"link": link, "password": password}
    answer = await api.ask("POST", f"{LOGINS}/link/login", body, key=None)
    problem(answer, "invalid_request", field="password")
    await set_up(api, link)


@pytest.mark.parametrize(
    "password",
    [
        "1qaz2wsx3edc",  # leaked by thousands
        "Password12345",
        "P4$$w0rd1234",
        "iloveyouforever",
        "zxcvbnm,./zxcvbnm,./",
        "asha by name 2026",  # their own name
        "bespeakconsole",
        "1qaz2wsx3edc" * 6 + "k7#mQpL9vT2x",  # what is judged is its beginning
    ],
)
async def test_no_password_is_one_that_is_tried_first(password: str, api: Api) -> None:
    link = (await invited(api))["link"]
    body = {"link": link, "password": password}
    answer = await api.ask("POST", f"{LOGINS}/link/login", body, key=None)
    problem(answer, "password_too_easy", field="password")
    asha = await set_up(api, link)
    body = {"password": password}
    problem(await asha.ask("PUT", f"{ACCOUNT}/password", body), "password_too_easy")
    document(await asha.ask("PUT", f"{ACCOUNT}/password", {"password": "green tea at noon"}), 200)
    document(
        await asha.ask(
            "PUT", f"{ACCOUNT}/password", {"password": "\u8336 oolong, sencha, mate. " * 7}
        ),
        200,
    )


async def test_no_password_takes_long_to_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a long one full of signs that stand for letters the library takes seconds, in which nobody
    else's is compared; it is given the beginning alone."""
    judged: list[str] = []

    def judge(password: str, user_inputs: list[str]) -> dict[str, int]:
        judged.append(password)
        return {"guesses": 10**12}

    monkeypatch.setattr(zxcvbn, "zxcvbn", judge)
    monkeypatch.setattr(HASHER, PasswordHasher)
    passwords = Passwords()
    kept = await passwords.hash("4@8({[<369!1|70$5+7%2" * 9)
    passwords.close()
    assert kept.startswith("$argon2id$v=19$m=65536,")  # RFC 9106, the second choice
    assert [len(one) for one in judged] == [24]


async def test_only_so_many_passwords_are_compared_at_once(
    monkeypatch: pytest.MonkeyPatch, open_api: OpenApi
) -> None:
    """Each takes 64 MiB and a good part of a second; and they keep nobody else waiting."""
    monkeypatch.setattr(HASHER, PasswordHasher)
    api = await open_api()
    answers = await asyncio.gather(*(log_in(api, f"nobody{n}") for n in range(30)))
    statuses = [one.status_code for one in answers]
    assert statuses.count(503) >= 10 and statuses.count(401) >= 5


async def test_an_owner_alone_handles_operators(api: Api) -> None:
    manager = await operator(api, "bela", "manager")
    for method, path in (("GET", "/v1/operators"), ("POST", "/v1/operators")):
        problem(await manager.ask(method, path), "missing_scope")
    owner = await operator(api)
    listed = document(await owner.ask("GET", "/v1/operators"), 200)["items"]
    assert isinstance(listed, list)
    assert [(one["login"], one["role"]) for one in listed] == [
        ("asha", "owner"),
        ("bela", "manager"),
    ]


async def test_a_bound_operator_works_for_its_own(api: Api, show: Resource) -> None:
    door = await operator(api, "door", "manager", resources=[show.id])
    assert "personal_data" not in document(await door.ask("GET", SESSION), 200)["scopes"]  # type: ignore[operator]
    document(await door.ask("GET", f"/v1/bookings?resource_id={show.id}"), 200)
    problem(await door.ask("GET", "/v1/bookings"), "key_bound")


async def test_without_the_token_an_operators_cookie_changes_nothing(
    api: Api, show: Resource
) -> None:
    asha, bela = await operator(api), await operator(api, "bela")
    block = place_block(show, "A1")
    for token in ({}, {"Bespeak-CSRF": bela.headers["Bespeak-CSRF"]}):
        headers = {"Cookie": asha.headers["Cookie"], **token}
        answer = await api.send(Request("POST", block.path, block.body, None, headers))
        problem(answer, "csrf_token_invalid")


async def test_a_forged_cookie_is_not_looked_up(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    asha = await operator(api)
    name, _, value = asha.headers["Cookie"].partition("=")
    number, _, mac = value.partition(".")

    async def looked_up(*_: object) -> None:
        raise AssertionError("a made-up cookie was looked up")

    monkeypatch.setattr(api.service.operators.sessions, "_find", looked_up)
    for forged in (f"{number}.{mac[:-1]}x", "ops_" + "0" * 32, f"ops_{'0' * 32}.{mac}"):
        headers = {"Cookie": f"{name}={forged}"}
        answer = await api.send(Request("GET", SESSION, None, None, headers))
        problem(answer, "console_session_invalid")


async def test_a_logout_ends_an_operators_session(api: Api) -> None:
    asha = await operator(api)
    second = logged_in(api, await log_in(api))
    document(await asha.ask("DELETE", SESSION), 200)
    problem(await asha.ask("GET", SESSION), "console_session_invalid")
    document(await second.ask("GET", SESSION), 200)


async def test_an_operators_login_ends_the_session_before_it(api: Api) -> None:
    asha = await operator(api)
    cookies = {"Cookie": asha.headers["Cookie"]}
    path, body = f"{LOGINS}/password", {"login": "asha", "password": "not this one at all"}
    problem(await api.send(Request("POST", path, body, None, cookies)), "login_failed")
    document(await asha.ask("GET", SESSION), 200)
    body = {"login": "asha", "password": PASSWORD}
    second = logged_in(api, await api.send(Request("POST", path, body, None, cookies)))
    problem(await asha.ask("GET", SESSION), "console_session_invalid")
    document(await second.ask("GET", SESSION), 200)


async def test_the_cookie_of_an_operator_is_like_that_of_a_key(open_api: OpenApi) -> None:
    api = await open_api(public_url="https://tickets.example")
    link = (await invited(api))["link"]
    body = {"link": link, "password": PASSWORD}
    answer = await api.ask("POST", f"{LOGINS}/link/login", body, key=None)
    made = cookie(answer, "__Host-bespeak_console")
    assert made["secure"] is True and made["httponly"] is True and made["samesite"] == "Strict"
    assert answer.headers["cache-control"] == "no-store"


async def test_another_sites_page_logs_nobody_in(api: Api) -> None:
    await operator(api)
    body = {"login": "asha", "password": PASSWORD}
    headers = {"Sec-Fetch-Site": "cross-site"}
    answer = await api.send(Request("POST", f"{LOGINS}/password", body, None, headers))
    problem(answer, "origin_not_allowed")
