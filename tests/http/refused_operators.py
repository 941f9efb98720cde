"""How the logins of operators, their accounts and their lists refuse."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from bespeak.http.server.errors import BoxOfficeClosed, RateLimited
from bespeak.http.server.operators import passkeys
from bespeak.inventory.resources import Price
from tests.harness.passkey_device import PasskeyDevice
from tests.http.api import Json, Request, document
from tests.http.operating import ACCOUNT, PASSWORD, LoggedIn, invited, set_up
from tests.http.operating import operator as made_operator
from tests.http.scenarios import Prepare, Stage, refuses
from tests.http.test_refunds import booked

LOGINS = "/v1/operator-logins"
NO_LINK = "opl_" + "0" * 32
NOBODYS: Json = {
    "id": "AAAA",
    "rawId": "AAAA",
    "type": "public-key",
    "response": {"clientDataJSON": "AAAA"},
}
BODIES: dict[str, Json | None] = {
    f"POST {LOGINS}/passkey-request": None,
    f"POST {LOGINS}/passkey": {"credential": NOBODYS},
    f"POST {LOGINS}/password": {"login": "nobody", "password": PASSWORD},
    f"POST {LOGINS}/link": {"link": NO_LINK},
    f"POST {LOGINS}/link/login": {"link": NO_LINK, "password": PASSWORD},
    f"GET {ACCOUNT}": None,
    f"POST {ACCOUNT}/proof-request": None,
    f"POST {ACCOUNT}/proof": {"password": "not the one that it is"},
    f"POST {ACCOUNT}/passkey-creation": None,
    f"POST {ACCOUNT}/passkeys": {"credential": NOBODYS, "name": "key"},
    f"DELETE {ACCOUNT}/passkeys/{{passkey_id}}": None,
    f"PUT {ACCOUNT}/password": {"password": PASSWORD},
    f"DELETE {ACCOUNT}/password": None,
    f"POST {ACCOUNT}/authenticator": None,
    f"POST {ACCOUNT}/authenticator/code": {"code": "000000"},
    f"DELETE {ACCOUNT}/authenticator": None,
    f"DELETE {ACCOUNT}/sessions/{{session_id}}": None,
}
IN = [name for name in BODIES if LOGINS in name]
OWN = [name for name in BODIES if ACCOUNT in name]
CHANGES = [name for name in OWN if not name.startswith("GET")]
PROVED = [name for name in CHANGES if "/proof" not in name]
BY_PASSKEY = [name for name in BODIES if "passkey-" in name or "/proof-" in name]
INVITE, CHANGE = "POST /v1/operators", "PATCH /v1/operators/{operator_id}"
LINK = "POST /v1/operators/{operator_id}/link"
PrepareEach: TypeAlias = Callable[[Stage, str], Awaitable[Request]]
_count = 0


def each(names: list[str], code: str) -> Callable[[PrepareEach], None]:
    """Registers a scenario for each of these calls."""

    def register(prepare: PrepareEach) -> None:
        def of(name: str) -> Prepare:
            async def prepared(stage: Stage) -> Request:
                return await prepare(stage, name)

            prepared.__name__ = prepare.__name__
            return prepared

        for name in names:
            refuses(name, code)(of(name))

    return register


def _request(name: str, headers: dict[str, str] | None = None) -> Request:
    method, _, path = name.partition(" ")
    path = path.replace("{passkey_id}", "psk_none").replace("{session_id}", "ses_none")
    return Request(method, path, BODIES[name], None, headers or {})


async def _operator(stage: Stage, device: PasskeyDevice | None = None) -> LoggedIn:
    global _count  # noqa: PLW0603 (all scenarios share a database)
    _count += 1
    return await made_operator(stage.api, f"operator{_count}", "seller", device)


async def _too_many(*_: object) -> None:
    raise RateLimited(retry_after_seconds=7, limit="10 per 1 minute")


@each(IN, "box_office_closed")
async def a_login_where_there_is_no_box_office(stage: Stage, name: str) -> Request:
    def closed(_: object) -> None:
        raise BoxOfficeClosed(because="setting")

    stage.monkeypatch.setattr("bespeak.http.api.operator_logins.check_open", closed)
    return _request(name)


@each(IN, "rate_limited")
async def a_login_from_where_too_many_failed(stage: Stage, name: str) -> Request:
    stage.monkeypatch.setattr(stage.api.service.limits, "check_login", _too_many)
    return _request(name)


@each(OWN, "rate_limited")
async def too_many_calls_of_an_operator(stage: Stage, name: str) -> Request:
    operator = await _operator(stage)
    stage.monkeypatch.setattr(stage.api.service.limits, "count_key", _too_many)
    return _request(name, operator.headers)


@each(IN[1:3], "login_failed")
async def a_login_of_nobody(stage: Stage, name: str) -> Request:
    return _request(name)


@each(IN[3:], "operator_link_invalid")
async def a_link_of_nobody(stage: Stage, name: str) -> Request:
    return _request(name)


@each([*BY_PASSKEY, *IN[1:2]], "passkeys_unavailable")
async def a_passkey_at_an_address_without_a_name(stage: Stage, name: str) -> Request:
    headers = {}
    if ACCOUNT in name:
        headers = (await _operator(stage)).headers
    stage.monkeypatch.setattr(stage.api.service.operators.passkeys, "site", None)
    return _request(name, headers)


@refuses(f"POST {LOGINS}/link/login", "passkeys_unavailable")
async def a_link_used_with_a_passkey_where_there_are_none(stage: Stage) -> Request:
    return await _link_with(stage, site=False)


@refuses(f"POST {LOGINS}/link/login", "proof_failed")
async def a_link_used_with_a_passkey_of_nobody(stage: Stage) -> Request:
    return await _link_with(stage, site=True)


async def _link_with(stage: Stage, *, site: bool) -> Request:
    global _count  # noqa: PLW0603 (all scenarios share a database)
    _count += 1
    made = await invited(stage.api, f"operator{_count}", "seller")
    if not site:
        stage.monkeypatch.setattr(stage.api.service.operators.passkeys, "site", None)
    body = {"link": made["link"], "credential": NOBODYS}
    return Request("POST", f"{LOGINS}/link/login", body, None)


@each([f"POST {ACCOUNT}/proof", f"POST {ACCOUNT}/passkeys"], "passkeys_unavailable")
async def a_passkey_of_ones_own_where_there_are_none(stage: Stage, name: str) -> Request:
    operator = await _operator(stage)
    stage.monkeypatch.setattr(stage.api.service.operators.passkeys, "site", None)
    method, _, path = name.partition(" ")
    body: Json = {"credential": NOBODYS}
    if "passkeys" in path:
        body["name"] = "key"
    return Request(method, path, body, None, operator.headers)


@refuses(f"POST {LOGINS}/password", "second_factor_required")
async def a_password_without_the_code(stage: Stage) -> Request:
    operator = await _operator(stage)
    await stage.api.connection.execute(
        "update bespeak.operator set totp_secret = '\\x00' where operator_id = $1",
        operator.operator_id,
    )
    login = f"operator{_count}"
    return Request("POST", f"{LOGINS}/password", {"login": login, "password": PASSWORD}, None)


@each(OWN, "not_an_operator")
async def an_account_for_a_key(stage: Stage, name: str) -> Request:
    path = "/v1/console/session"
    answer = await stage.api.ask("POST", path, {"key": stage.api.keys["ak"]}, key=None)
    value = answer.headers["set-cookie"].partition(";")[0]
    stage.api.client.cookies.clear()
    csrf = str(document(answer, 200)["csrf_token"])
    return _request(name, {"Cookie": value, "Bespeak-CSRF": csrf})


@each(OWN, "console_session_invalid")
async def an_account_for_nobody(stage: Stage, name: str) -> Request:
    return _request(name)


@each(CHANGES, "csrf_token_invalid")
async def a_change_of_an_account_without_the_token(stage: Stage, name: str) -> Request:
    operator = await _operator(stage)
    return _request(name, {"Cookie": operator.headers["Cookie"]})


@each(PROVED, "step_up_required")
async def a_change_long_after_the_last_proof(stage: Stage, name: str) -> Request:
    operator = await _operator(stage)
    await stage.api.connection.execute(
        "update bespeak.operator_session set proved_at = bespeak.now() - interval '6 minutes'"
        " where operator_id = $1",
        operator.operator_id,
    )
    return _request(name, operator.headers)


@each(
    [f"POST {ACCOUNT}/proof", f"POST {ACCOUNT}/passkeys", f"POST {ACCOUNT}/authenticator/code"],
    "proof_failed",
)
async def a_proof_that_is_none(stage: Stage, name: str) -> Request:
    return _request(name, (await _operator(stage)).headers)


@refuses(f"DELETE {ACCOUNT}/passkeys/{{passkey_id}}", "passkey_not_found")
async def a_passkey_that_is_not_there(stage: Stage) -> Request:
    operator = await _operator(stage)
    return _request(f"DELETE {ACCOUNT}/passkeys/{{passkey_id}}", operator.headers)


@refuses(f"DELETE {ACCOUNT}/sessions/{{session_id}}", "operator_session_not_found")
async def a_session_that_is_not_there(stage: Stage) -> Request:
    operator = await _operator(stage)
    return _request(f"DELETE {ACCOUNT}/sessions/{{session_id}}", operator.headers)


@refuses(f"DELETE {ACCOUNT}/password", "last_login")
async def the_only_password(stage: Stage) -> Request:
    operator = await _operator(stage)
    return _request(f"DELETE {ACCOUNT}/password", operator.headers)


@refuses(f"PUT {ACCOUNT}/password", "password_too_easy", field="password")
async def a_password_that_everybody_tries(stage: Stage) -> Request:
    body = {"password": "qwertyuiop12"}
    operator = await _operator(stage)
    return Request("PUT", f"{ACCOUNT}/password", body, None, operator.headers)


@refuses(f"POST {LOGINS}/link/login", "password_too_easy", field="password")
async def a_first_password_that_everybody_tries(stage: Stage) -> Request:
    body = {"link": (await invited(stage.api))["link"], "password": "qwertyuiop12"}
    return Request("POST", f"{LOGINS}/link/login", body, None)


@refuses(f"DELETE {ACCOUNT}/passkeys/{{passkey_id}}", "last_login")
async def the_only_passkey(stage: Stage) -> Request:
    operator = await _operator(stage, PasskeyDevice())
    account = document(await operator.ask("GET", ACCOUNT), 200)
    own = account["passkeys"][0]["id"]  # type: ignore[index]
    return Request("DELETE", f"{ACCOUNT}/passkeys/{own}", None, None, operator.headers)


@refuses(f"POST {ACCOUNT}/passkeys", "too_many_passkeys", limit=0)
async def one_passkey_too_many(stage: Stage) -> Request:
    operator = await _operator(stage)
    stage.monkeypatch.setattr(passkeys, "_PASSKEYS_MAX", 0)
    asked = document(await operator.ask("POST", f"{ACCOUNT}/passkey-creation"), 200)
    credential = PasskeyDevice().create(asked["options"])
    body = {"credential": credential, "name": "key"}
    return Request("POST", f"{ACCOUNT}/passkeys", body, None, operator.headers)


@refuses(INVITE, "operator_exists")
async def an_operator_who_is_there(stage: Stage) -> Request:
    global _count  # noqa: PLW0603 (all scenarios share a database)
    _count += 1
    await invited(stage.api, f"operator{_count}")
    body = {"login": f"OPERATOR{_count}", "name": "x", "role": "viewer"}
    return Request("POST", "/v1/operators", body, "ak")


@refuses(INVITE, "invalid_request", field="role")
async def an_owner_who_is_bound(stage: Stage) -> Request:
    body = {"login": "x", "name": "x", "role": "owner", "resources": [stage.show.id]}
    return Request("POST", "/v1/operators", body, "ak")


@refuses(INVITE, "invalid_request", field="login")
async def a_login_with_a_space(stage: Stage) -> Request:
    body = {"login": "a b", "name": "x", "role": "viewer"}
    return Request("POST", "/v1/operators", body, "ak")


@refuses(INVITE, "invalid_id")
async def an_operator_of_no_resource(stage: Stage) -> Request:
    body = {"login": "x", "name": "x", "role": "viewer", "resources": ["res_!"]}
    return Request("POST", "/v1/operators", body, "ak")


@refuses(CHANGE, "operator_not_found")
async def a_change_of_nobody(stage: Stage) -> Request:
    return Request("PATCH", "/v1/operators/opr_none", {"name": "x"}, "ak")


@refuses(CHANGE, "invalid_request", field="place")
async def a_change_to_a_place_that_is_not_there(stage: Stage) -> Request:
    return Request("PATCH", "/v1/operators/opr_none", {"place": "gym/1"}, "ak")


@refuses(CHANGE, "invalid_id")
async def a_change_to_no_resource(stage: Stage) -> Request:
    operator = await _operator(stage)
    path = f"/v1/operators/{operator.operator_id}"
    return Request("PATCH", path, {"resources": ["res_!"]}, "ak")


@refuses(CHANGE, "last_owner")
async def the_last_owner(stage: Stage) -> Request:
    global _count  # noqa: PLW0603 (all scenarios share a database)
    _count += 1
    await stage.api.connection.execute("update bespeak.operator set role = 'viewer'")
    made = await invited(stage.api, f"operator{_count}", "owner")
    owner = await set_up(stage.api, made["link"])
    return Request("PATCH", f"/v1/operators/{owner.operator_id}", {"role": "viewer"}, "ak")


@refuses(LINK, "operator_not_found")
async def a_link_for_nobody(stage: Stage) -> Request:
    return Request("POST", "/v1/operators/opr_none/link", None, "ak")


@refuses(LINK, "operator_disabled")
async def a_link_for_who_is_disabled(stage: Stage) -> Request:
    operator = await _operator(stage)
    path = f"/v1/operators/{operator.operator_id}"
    document(await stage.api.ask("PATCH", path, {"state": "disabled"}, key="ak"), 200)
    return Request("POST", f"{path}/link", None, "ak")


@refuses("DELETE /v1/bookings/{booking_id}", "step_up_required", ways=[])
async def a_great_refund_without_a_proof(stage: Stage) -> Request:
    show = await stage.make_show(payment="required", price=Price(15_000, "EUR"))
    booking = await booked(stage.api, show, "A1")
    operator = await _operator(stage)
    path = f"/v1/bookings/{booking['id']}"
    return Request("DELETE", path, {"refund": "full"}, None, operator.headers)
