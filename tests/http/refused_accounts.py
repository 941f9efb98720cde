"""How the calls about the account of an address refuse."""

from uuid import UUID

from bespeak.http.server.errors import BoxOfficeClosed, RateLimited
from tests.http.api import Request
from tests.http.scenarios import Stage, refuses

ACCOUNT = "/v1/box-office/account"
ASK = f"POST {ACCOUNT}/sign-ins"
USE = f"POST {ACCOUNT}"
READ = f"GET {ACCOUNT}"
LIST = f"GET {ACCOUNT}/bookings"


def _for_each(*endpoints: str) -> None:
    for endpoint in endpoints:
        method, path = endpoint.split()

        @refuses(endpoint, "box_office_closed", because="setting")
        async def where_there_is_no_box_office(
            stage: Stage, method: str = method, path: str = path
        ) -> Request:
            def closed(_: object) -> None:
                raise BoxOfficeClosed(because="setting")

            stage.monkeypatch.setattr("bespeak.http.api.accounts.check_open", closed)
            body = {"email": "asha@example.org"} if path.endswith("sign-ins") else {"code": "0" * 8}
            return Request(method, path, body if method == "POST" else None, None)


_for_each(ASK, USE, READ, LIST)


async def _asked(stage: Stage, email: str) -> str:
    """The cookie of a browser that has asked for a code."""
    kept, _ = await stage.api.service.sign_ins.ask(email, None)
    return f"bespeak_sign_in={kept}"


@refuses(ASK, "mailed_too_often")
async def a_code_for_who_was_sent_three(stage: Stage) -> Request:
    for _ in range(3):
        await _asked(stage, "often@example.org")
    return Request("POST", f"{ACCOUNT}/sign-ins", {"email": "often@example.org"}, None)


@refuses(ASK, "rate_limited")
async def a_code_for_an_address_that_asks_for_everybody(stage: Stage) -> Request:
    async def too_many(_: str) -> None:
        raise RateLimited(retry_after_seconds=7, limit="20 per 1 hour")

    stage.monkeypatch.setattr(stage.api.service.limits, "count_sign_in", too_many)
    return Request("POST", f"{ACCOUNT}/sign-ins", {"email": "asha@example.org"}, None)


@refuses(USE, "sign_in_code_wrong", tries_left=4)
async def a_code_that_was_guessed(stage: Stage) -> Request:
    cookie = await _asked(stage, "guessed@example.org")
    number = stage.api.service.sign_ins._number(cookie.partition("=")[2])
    assert isinstance(number, UUID)
    right = stage.api.service.sign_ins._codes.code(number)
    code = str((int(right) + 1) % 10**8).zfill(8)
    return Request("POST", ACCOUNT, {"code": code}, None, {"Cookie": cookie})


@refuses(USE, "sign_in_over")
async def a_code_of_a_browser_that_asked_for_none(stage: Stage) -> Request:
    return Request("POST", ACCOUNT, {"code": "12345678"}, None)


@refuses(READ, "not_signed_in")
async def an_account_of_nobody(stage: Stage) -> Request:
    return Request("GET", ACCOUNT, None, None)


@refuses(LIST, "not_signed_in")
async def the_bookings_of_nobody(stage: Stage) -> Request:
    return Request("GET", f"{ACCOUNT}/bookings", None, None)


@refuses(LIST, "invalid_cursor")
async def the_bookings_of_an_address_after_nonsense(stage: Stage) -> Request:
    cookie = await _asked(stage, "cursor@example.org")
    sign_ins = stage.api.service.sign_ins
    number = sign_ins._number(cookie.partition("=")[2])
    assert isinstance(number, UUID)
    await sign_ins.use(cookie.partition("=")[2], sign_ins._codes.code(number))
    return Request("GET", f"{ACCOUNT}/bookings?after=yesterday", None, None, {"Cookie": cookie})
