"""Operators for the tests: invited by an admin key, set up with a password or a passkey."""

from dataclasses import dataclass
from typing import cast

import httpx

from tests.harness.passkey_device import PasskeyDevice
from tests.http.api import Api, Json, Request, document
from tests.http.test_box_office import cookie

PASSWORD = "correct horse battery"
SESSION = "/v1/console/session"
LOGINS = "/v1/operator-logins"
ACCOUNT = "/v1/operator-account"


@dataclass
class LoggedIn:
    """A session of an operator, and what its pages send along."""

    api: Api
    operator_id: str
    headers: dict[str, str]

    async def ask(self, method: str, path: str, body: object = None) -> httpx.Response:
        return await self.api.send(Request(method, path, body, None, self.headers))


async def invited(api: Api, login: str = "asha", role: str = "owner", **bounds: object) -> Json:
    """A new operator with the secret of their link, as `link`."""
    body = {"login": login, "name": f"{login} by name", "role": role, **bounds}
    made = document(await api.ask("POST", "/v1/operators", body, key="ak"), 201)
    return {**cast("Json", made["operator"]), "link": str(made["link"]).partition("#")[2]}


async def set_up(
    api: Api, link: object, device: PasskeyDevice | None = None, password: str = PASSWORD
) -> LoggedIn:
    """Uses a link: with a passkey, or else a password."""
    body: Json = {"link": link, "password": password}
    if device is not None:
        seen = document(await api.ask("POST", f"{LOGINS}/link", {"link": link}, key=None), 200)
        body = {"link": link, "credential": device.create(seen["options"]), "passkey_name": "key"}
    return logged_in(api, await api.ask("POST", f"{LOGINS}/link/login", body, key=None))


async def operator(
    api: Api,
    login: str = "asha",
    role: str = "owner",
    device: PasskeyDevice | None = None,
    **bounds: object,
) -> LoggedIn:
    """An operator who is logged in."""
    return await set_up(api, (await invited(api, login, role, **bounds))["link"], device)


def logged_in(api: Api, answer: httpx.Response) -> LoggedIn:
    """The session that an answer opened."""
    session = document(answer, 200)
    value = cookie(answer, "bespeak_console").value
    api.client.cookies.clear()
    headers = {"Cookie": f"bespeak_console={value}", "Bespeak-CSRF": str(session["csrf_token"])}
    return LoggedIn(api, str(session["operator_id"]), headers)


async def log_in(
    api: Api, login: str = "asha", password: str = PASSWORD, code: str | None = None
) -> httpx.Response:
    body = {"login": login, "password": password, "code": code}
    return await api.ask("POST", f"{LOGINS}/password", body, key=None)


async def passkey_login(api: Api, device: PasskeyDevice, **changes: object) -> httpx.Response:
    path = f"{LOGINS}/passkey-request"
    asked = document(await api.ask("POST", path, key=None), 200)
    credential = device.use(asked["options"], **changes)
    return await api.ask("POST", f"{LOGINS}/passkey", {"credential": credential}, key=None)
