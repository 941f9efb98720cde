"""Proofs of who an operator is: passkeys that are forged, replayed or copied, codes that come
twice, what is asked for again before money goes back or rights are given out.
"""

import asyncio
import base64
from dataclasses import replace
from datetime import timedelta

import httpx
import msgspec
import pytest
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP

from bespeak.http.endpoints import ENDPOINTS
from bespeak.http.server.operators import authenticator
from bespeak.http.server.operators.sites import relying_party
from bespeak.inventory.resources import Price
from tests.harness.clock import START, Clock
from tests.harness.passkey_device import PasskeyDevice
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, document, line, problem
from tests.http.conftest import OpenApi
from tests.http.operating import (
    ACCOUNT,
    LOGINS,
    PASSWORD,
    SESSION,
    LoggedIn,
    log_in,
    logged_in,
    operator,
    passkey_login,
)
from tests.http.test_every_endpoint import path_of
from tests.http.test_refunds import booked


@pytest.fixture
async def api(open_api: OpenApi) -> Api:
    return await open_api(payment_providers="sandbox", allow_pretend_money=True)


async def prove(operator: LoggedIn, device: PasskeyDevice) -> None:
    asked = document(await operator.ask("POST", f"{ACCOUNT}/proof-request"), 200)
    body = {"credential": device.use(asked["options"])}
    document(await operator.ask("POST", f"{ACCOUNT}/proof", body), 200)


def code_of(secret: object, clock: Clock) -> str:
    """What the app shows."""
    key = base64.b32decode(str(secret))
    totp = TOTP(key, 6, SHA1(), 30)  # noqa: S303 (what apps know)
    return totp.generate(clock.now.timestamp()).decode()


async def with_app(operator: LoggedIn, clock: Clock) -> tuple[str, list[str]]:
    """Sets up an authenticator app; its secret, and the recovery codes."""
    begun = document(await operator.ask("POST", f"{ACCOUNT}/authenticator"), 200)
    assert str(begun["qr"]).startswith("data:image/svg+xml")
    body = {"code": code_of(begun["secret"], clock)}
    done = document(await operator.ask("POST", f"{ACCOUNT}/authenticator/code", body), 200)
    return str(begun["secret"]), msgspec.convert(done["codes"], list[str])


# Passkeys.


@pytest.mark.parametrize(
    "changes",
    [
        {"origin": "https://localhost:8000"},
        {"origin": "http://localhost:8001"},
        {"origin": "http://localhost.evil.example"},
        {"type": "webauthn.create"},
        {"challenge": "AAAA"},
    ],
    ids=str,
)
async def test_what_was_signed_for_elsewhere_logs_nobody_in(changes: Json, api: Api) -> None:
    device = PasskeyDevice()
    await operator(api, device=device)
    problem(await passkey_login(api, device, **changes), "login_failed")
    document(await passkey_login(api, device), 200)


@pytest.mark.parametrize(
    "changes",
    [{"site": "evil.example"}, {"is_verified": False}, {"user": b"opr_0000000000000000"}],
    ids=str,
)
async def test_what_a_device_says_is_checked(changes: dict[str, object], api: Api) -> None:
    device = PasskeyDevice()
    await operator(api, device=device)
    problem(await passkey_login(api, replace(device, **changes)), "login_failed")  # type: ignore[arg-type]


async def test_a_stolen_id_without_its_key_is_nothing(api: Api) -> None:
    device = PasskeyDevice()
    await operator(api, device=device)
    forged = PasskeyDevice(credential_id=device.credential_id, user=device.user, count=7)
    problem(await passkey_login(api, forged), "login_failed")


async def test_a_challenge_is_answered_once(api: Api) -> None:
    """Also by a device that does not count, whose answers the count cannot tell apart."""
    device = PasskeyDevice(counts=False)
    await operator(api, device=device)
    asked = document(await api.ask("POST", f"{LOGINS}/passkey-request", key=None), 200)
    body = {"credential": device.use(asked["options"])}
    document(await api.ask("POST", f"{LOGINS}/passkey", body, key=None), 200)
    api.client.cookies.clear()
    problem(await api.ask("POST", f"{LOGINS}/passkey", body, key=None), "login_failed")


async def test_a_challenge_ends(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    device = PasskeyDevice()
    await operator(api, device=device)
    asked = document(await api.ask("POST", f"{LOGINS}/passkey-request", key=None), 200)
    body = {"credential": device.use(asked["options"])}
    monkeypatch.setattr("bespeak.http.server.operators.challenges.time.time", lambda: 2.0**33)
    problem(await api.ask("POST", f"{LOGINS}/passkey", body, key=None), "login_failed")


async def test_a_challenge_is_for_one_thing_and_one_session(api: Api) -> None:
    """Who makes somebody sign a login cannot use it as the proof of another session, nor turned."""
    device = PasskeyDevice()
    asha = await operator(api, device=device)
    again = logged_in(api, await passkey_login(api, device))
    for path in (f"{LOGINS}/passkey-request", f"{ACCOUNT}/proof-request"):
        asked = document(await again.ask("POST", path), 200)
        body = {"credential": device.use(asked["options"])}
        problem(await asha.ask("POST", f"{ACCOUNT}/proof", body), "proof_failed")
    asked = document(await asha.ask("POST", f"{ACCOUNT}/proof-request"), 200)
    body = {"credential": device.use(asked["options"])}
    problem(await api.ask("POST", f"{LOGINS}/passkey", body, key=None), "login_failed")


async def test_a_copy_of_a_passkey_lags_behind_and_is_refused(api: Api) -> None:
    device = PasskeyDevice()
    await operator(api, device=device)
    copy = replace(device)
    document(await passkey_login(api, device), 200)
    document(await passkey_login(api, device), 200)
    problem(await passkey_login(api, copy), "login_failed")


async def test_another_operators_passkey_proves_nothing(api: Api) -> None:
    own, theirs = PasskeyDevice(), PasskeyDevice()
    asha = await operator(api, device=own)
    await operator(api, "bela", device=theirs)
    asked = document(await asha.ask("POST", f"{ACCOUNT}/proof-request"), 200)
    body = {"credential": theirs.use(asked["options"])}
    problem(await asha.ask("POST", f"{ACCOUNT}/proof", body), "proof_failed")


@pytest.mark.parametrize(
    ("public_url", "origin", "name"),
    [
        ("https://tickets.example", "https://tickets.example", "tickets.example"),
        ("https://Tickets.example:443/", "https://tickets.example", "tickets.example"),
        ("https://tickets.example:8443", "https://tickets.example:8443", "tickets.example"),
        ("http://127.0.0.1:8000", "http://localhost:8000", "localhost"),
        ("http://localhost:8000", "http://localhost:8000", "localhost"),
    ],
)
def test_passkeys_are_of_the_public_address(public_url: str, origin: str, name: str) -> None:
    assert relying_party(public_url) == (origin, name)


@pytest.mark.parametrize("url", ["http://tickets.example", "https://10.0.0.8", "https://127.0.0.1"])
def test_browsers_have_no_passkeys_for_such_addresses(url: str) -> None:
    assert relying_party(url) is None


# The authenticator app.


async def test_a_password_and_a_code_log_in(api: Api, moved_clock: Clock) -> None:
    asha = await operator(api)
    secret, recovery = await with_app(asha, moved_clock)
    problem(await log_in(api), "second_factor_required")
    # The code that set it up was used by that, and none before it is good any more.
    problem(await log_in(api, code=code_of(secret, moved_clock)), "login_failed")
    await moved_clock.set(START + timedelta(seconds=30))
    code = code_of(secret, moved_clock)
    document(await log_in(api, code=f"{code[:3]} {code[3:]}"), 200)
    problem(await log_in(api, code=code), "login_failed")
    problem(await log_in(api, password="not the one that it is", code=code), "login_failed")
    document(await log_in(api, code=recovery[0].upper()), 200)
    problem(await log_in(api, code=recovery[0]), "login_failed")
    account = document(await asha.ask("GET", ACCOUNT), 200)
    assert account["recovery_codes_left"] == 9


async def test_wrong_codes_are_limited_for_all_processes(
    api: Api, moved_clock: Clock, open_api: OpenApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    asha = await operator(api)
    secret, _ = await with_app(asha, moved_clock)
    monkeypatch.setattr(authenticator, "_WRONG_MAX", 3)
    other = await open_api()
    await moved_clock.set(START + timedelta(seconds=60))
    for one in (api, other, api):
        problem(await log_in(one, code="000000"), "login_failed")
    problem(await log_in(other, code=code_of(secret, moved_clock)), "rate_limited")
    await moved_clock.set(START + timedelta(minutes=16))
    document(await log_in(api, code=code_of(secret, moved_clock)), 200)


async def test_the_secret_is_not_readable_where_it_is_kept(api: Api, moved_clock: Clock) -> None:
    asha = await operator(api)
    secret, recovery = await with_app(asha, moved_clock)
    raw = base64.b32decode(secret)
    snapshot = str(await api.snapshot())
    for text in (secret, raw.hex(), PASSWORD, *recovery, asha.headers["Cookie"].partition("=")[2]):
        assert text not in snapshot
    sealed = await api.connection.fetchval("select totp_secret from bespeak.operator")
    assert raw not in sealed


# Proofs.


async def test_a_great_refund_takes_a_fresh_proof(
    api: Api, make_show: MakeShow, moved_clock: Clock
) -> None:
    show = await make_show(payment="required", price=Price(6000, "EUR"))
    booking = await booked(api, show, "A1", "A2", "A3")
    path = f"/v1/bookings/{booking['id']}"
    device = PasskeyDevice()
    bela = await operator(api, "bela", "seller", device)
    await moved_clock.set(START + timedelta(minutes=6))
    first, second = ({"lines": [line(show, unit)]} for unit in ("A1", "A2"))
    document(await bela.ask("DELETE", path, first), 200)
    # With what went back before it is more than 100.00: in parts it is no way around.
    problem(await bela.ask("DELETE", path, second), "step_up_required", ways=["passkey"])
    problem(await bela.ask("DELETE", path, {"refund": "full"}), "step_up_required")
    await prove(bela, device)
    document(await bela.ask("DELETE", path, second), 200)
    await moved_clock.set(START + timedelta(minutes=12))
    problem(await bela.ask("DELETE", path), "step_up_required")
    document(await api.ask("DELETE", path), 200)


async def test_two_parts_at_once_are_one_great_refund(
    api: Api, make_show: MakeShow, moved_clock: Clock
) -> None:
    """Each alone is under the limit, and both were judged before either was written down."""
    show = await make_show(payment="required", price=Price(6000, "EUR"))
    booking = await booked(api, show, "A1", "A2")
    path = f"/v1/bookings/{booking['id']}"
    bela = await operator(api, "bela", "seller", PasskeyDevice())
    await moved_clock.set(START + timedelta(minutes=6))
    parts = [{"lines": [line(show, unit)]} for unit in ("A1", "A2")]
    answers = await asyncio.gather(*(bela.ask("DELETE", path, part) for part in parts))
    assert sorted(answer.status_code for answer in answers) == [200, 403]
    refused = max(answers, key=lambda answer: answer.status_code)
    problem(refused, "step_up_required", ways=["passkey"])
    refunds = await api.service.engine.refunds.of_booking(str(booking["id"]))
    assert [one.amount.amount for one in refunds] == [6000]


async def test_a_proof_counts_in_its_own_session_only(api: Api, moved_clock: Clock) -> None:
    device = PasskeyDevice()
    asha = await operator(api, device=device)
    other = logged_in(api, await passkey_login(api, device))
    await moved_clock.set(START + timedelta(minutes=6))
    await prove(asha, device)
    body = {"kind": "publishable", "name": "x"}
    document(await asha.ask("POST", "/v1/keys", body), 201)
    problem(await other.ask("POST", "/v1/keys", body), "step_up_required")


async def test_rights_are_given_out_with_a_proof_only(api: Api) -> None:
    """Whoever finds an open session would else make a key, which nothing is asked of."""
    asha = await operator(api)  # with a password alone, which is no proof for this
    before = await api.snapshot()
    asked = [endpoint for endpoint in ENDPOINTS if endpoint.needs_proof]
    assert {one.path for one in asked} == {
        "/v1/keys",
        "/v1/mail-server",
        "/v1/mail-server/test",
        "/v1/payment-provider",
        "/v1/payment-provider/test",
        "/v1/operators",
        "/v1/operators/{operator_id}",
        "/v1/operators/{operator_id}/link",
        "/v1/resources/{resource_id}/cancellation",
        "/v1/shopper-tokens",
    }
    for endpoint in asked:
        answer = await asha.ask(endpoint.method, path_of(endpoint))
        problem(answer, "step_up_required", ways=[])
    assert await api.snapshot() == before


async def test_a_password_proves_enough_to_set_up_something_better(
    api: Api, moved_clock: Clock
) -> None:
    asha = await operator(api)
    await moved_clock.set(START + timedelta(minutes=6))
    creation = f"{ACCOUNT}/passkey-creation"
    problem(await asha.ask("POST", creation), "step_up_required", ways=["password"])
    proof = f"{ACCOUNT}/proof"
    problem(await asha.ask("POST", proof, {"password": "not the one"}), "proof_failed")
    document(await asha.ask("POST", proof, {"password": PASSWORD}), 200)
    asked = document(await asha.ask("POST", creation), 200)
    device = PasskeyDevice()
    body = {"credential": device.create(asked["options"]), "name": "key"}
    document(await asha.ask("POST", f"{ACCOUNT}/passkeys", body), 201)
    # From now on the password alone opens no further way in.
    problem(await asha.ask("POST", creation), "step_up_required", ways=["passkey"])
    document(await asha.ask("POST", proof, {"password": PASSWORD}), 200)
    problem(await asha.ask("POST", creation), "step_up_required")
    await prove(asha, device)
    document(await asha.ask("DELETE", f"{ACCOUNT}/password"), 200)
    problem(await log_in(api), "login_failed")


async def test_another_password_ends_the_other_sessions(api: Api) -> None:
    asha = await operator(api)
    other = logged_in(api, await log_in(api))
    body = {"password": "another horse battery"}
    document(await asha.ask("PUT", f"{ACCOUNT}/password", body), 200)
    problem(await other.ask("GET", SESSION), "console_session_invalid")
    document(await asha.ask("GET", SESSION), 200)
    problem(await log_in(api), "login_failed")


async def test_an_operators_session_that_is_not_used_ends(api: Api, moved_clock: Clock) -> None:
    """An hour after its last use, or a few minutes later: uses are written down now and then."""
    asha = await operator(api)
    sessions = api.service.operators.sessions

    async def answer(minutes: int) -> httpx.Response:
        await moved_clock.set(START + timedelta(minutes=minutes))
        sessions.forget()
        return await asha.ask("GET", SESSION)

    for minutes in (4, 59, 118):
        document(await answer(minutes), 200)
    problem(await answer(118 + 66), "console_session_invalid")
    second = logged_in(api, await log_in(api))
    account = document(await second.ask("GET", ACCOUNT), 200)
    assert len(account["sessions"]) == 1  # type: ignore[arg-type]


async def test_one_ends_ones_own_sessions_and_nobody_elses(api: Api, moved_clock: Clock) -> None:
    asha, bela = await operator(api), await operator(api, "bela")
    second = logged_in(api, await log_in(api))
    account = document(await asha.ask("GET", ACCOUNT), 200)
    sessions = account["sessions"]
    assert isinstance(sessions, list)
    (others,) = [one["id"] for one in sessions if not one["is_this"]]
    assert len(sessions) == 2
    path = f"{ACCOUNT}/sessions/{others}"
    problem(await bela.ask("DELETE", path), "operator_session_not_found")
    await moved_clock.set(START + timedelta(minutes=6))
    problem(await asha.ask("DELETE", path), "step_up_required", ways=["password"])
    document(await second.ask("GET", SESSION), 200)
    document(await asha.ask("POST", f"{ACCOUNT}/proof", {"password": PASSWORD}), 200)
    document(await asha.ask("DELETE", path), 200)
    problem(await second.ask("GET", SESSION), "console_session_invalid")
