"""Signing in by the code of a mail: the browser that asked, by who reads the mail, once."""

import asyncio
import re
from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from http.cookies import SimpleCookie
from pathlib import Path
from typing import cast
from uuid import UUID

import httpx
import pytest

from bespeak import Resource
from bespeak.notifications.mail.sign_ins import SignInCodes, open_codes
from bespeak.signed_tokens import TokenSigner
from tests.harness.clock import Clock
from tests.http.api import Api, Json, document, problem, until
from tests.http.conftest import OpenApi

ACCOUNT = "/v1/box-office/account"
ASK = f"{ACCOUNT}/sign-ins"
ASHA = "asha@example.org"


async def ask(api: Api, email: str = ASHA) -> str:
    """Asks for a mail; what the browser's cookie then is."""
    api.client.cookies.clear()
    answer = await api.ask("POST", ASK, {"email": email, "locale": "en"}, key=None)
    document(answer, 202)
    (header,) = answer.headers.get_list("set-cookie")
    found = SimpleCookie(header)["bespeak_sign_in"]
    assert found["httponly"] is True and found["samesite"] == "Strict"
    api.client.cookies.clear()
    return found.value


async def code_of(api: Api, cookie: str) -> str:
    """The code in the mail of what this browser asked."""
    number = api.service.sign_ins._number(cookie)
    assert number is not None
    return (await open_codes(api.connection)).code(number)


async def by(api: Api, cookie: str | None, method: str, path: str = ACCOUNT,
             body: object = None) -> httpx.Response:  # fmt: skip
    """What a browser with this cookie is answered."""
    api.client.cookies.clear()
    headers = {} if cookie is None else {"Cookie": f"bespeak_sign_in={cookie}"}
    return await api.ask(method, path, body, key=None, **headers)


async def use(api: Api, cookie: str | None, code: str) -> httpx.Response:
    return await by(api, cookie, "POST", ACCOUNT, {"code": code})


async def book(api: Api, show: Resource, unit: str, owner: str, email: str = ASHA) -> Json:
    hold = await api.hold(show, unit, owner=owner)
    body = {"hold_id": hold["id"], "contact": {"email": email, "name": "Asha"}}
    return document(await api.ask("POST", "/v1/bookings", body), 201)


def wrong(code: str) -> str:
    return str((int(code) + 1) % 10**8).zfill(8)


async def test_the_bookings_of_an_address_are_together_each_by_its_link(
    api: Api, show: Resource
) -> None:
    mine = [await book(api, show, f"A{at}", f"guest_{at}") for at in (1, 2, 3)]
    mine.append(await book(api, show, "A4", "guest_4", "ASHA@Example.org"))
    await book(api, show, "A5", "guest_1", "other@example.org")
    await book(api, show, "A6", "guest_1", "notasha@example.org")
    await book(api, show, "A7", "customer-17")  # who has an account of their own shop's
    cookie = await ask(api)
    problem(await by(api, cookie, "GET"), "not_signed_in")
    problem(await by(api, cookie, "GET", f"{ACCOUNT}/bookings"), "not_signed_in")
    assert document(await use(api, cookie, await code_of(api, cookie)), 200)["email"] == ASHA
    assert document(await by(api, cookie, "GET"), 200)["email"] == ASHA
    first = document(await by(api, cookie, "GET", f"{ACCOUNT}/bookings?limit=3"), 200)
    path = f"{ACCOUNT}/bookings?limit=3&after={first['next']}"
    rest = document(await by(api, cookie, "GET", path), 200)
    found = cast("list[Json]", first["items"]) + cast("list[Json]", rest["items"])
    ids = [one["listed"]["booking"]["id"] for one in found]  # type: ignore[index]
    assert ids == [one["id"] for one in reversed(mine)] and rest["next"] is None
    link = str(found[0]["link"])
    read = await api.ask("GET", f"/v1/bookings/{ids[0]}", key="pk", bespeak_booking_link=link)
    document(read, 200)
    other = await api.ask("GET", f"/v1/bookings/{ids[1]}", key="pk", bespeak_booking_link=link)
    problem(other, "booking_link_invalid")


async def test_signing_out_ends_every_copy_of_the_cookie(api: Api, show: Resource) -> None:
    await book(api, show, "A1", "guest_1")
    cookie = await ask(api)
    document(await use(api, cookie, await code_of(api, cookie)), 200)
    out = await by(api, cookie, "DELETE")
    assert document(out, 200) == {"status": "ended"}
    assert "Max-Age=0" in out.headers["set-cookie"]
    problem(await by(api, cookie, "GET"), "not_signed_in")
    problem(await by(api, cookie, "GET", f"{ACCOUNT}/bookings"), "not_signed_in")
    assert document(await by(api, None, "DELETE"), 200) == {"status": "ended"}


async def test_a_mail_that_is_passed_on_or_prefetched_signs_in_nobody(
    api: Api, show: Resource
) -> None:
    """The code is good beside the cookie of the browser that asked, and nothing is done by GET."""
    cookie = await ask(api)
    code = await code_of(api, cookie)
    scanner = await api.ask("GET", "/find-bookings", key=None, Accept="text/html")
    assert not scanner.headers.get_list("set-cookie")
    problem(await use(api, None, code), "sign_in_over")
    others = await ask(api, "ivo@example.org")
    problem(await use(api, others, code), "sign_in_code_wrong", tries_left=4)
    foreign = TokenSigner(b"of another installation, another", "sub").make(
        sub=str(api.service.sign_ins._number(cookie))
    )
    for forged in (foreign, api.token("guest_1"), api.service.guests.token("guest_1"), "x"):
        problem(await use(api, forged, code), "sign_in_over")
    assert document(await use(api, cookie, code), 200)["email"] == ASHA


async def test_a_code_is_used_once_also_by_two_at_once(api: Api) -> None:
    cookie = await ask(api)
    code = await code_of(api, cookie)
    answers = await asyncio.gather(*(use(api, cookie, code) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 403, 403, 403]
    problem(await use(api, cookie, code), "sign_in_over")
    document(await by(api, cookie, "GET"), 200)  # whose answer was lost is signed in all the same


async def test_codes_cannot_be_tried_without_end(api: Api) -> None:
    cookie = await ask(api)
    code = await code_of(api, cookie)
    answers = await asyncio.gather(*(use(api, cookie, wrong(code)) for _ in range(8)))
    codes = sorted(answer.json()["code"] for answer in answers)
    assert codes == ["sign_in_code_wrong"] * 5 + ["sign_in_over"] * 3
    problem(await use(api, cookie, code), "sign_in_over")


async def test_a_code_and_a_session_end(api: Api, moved_clock: Clock) -> None:
    late, cookie = await ask(api), await ask(api)
    document(await use(api, cookie, await code_of(api, cookie)), 200)
    await moved_clock.advance(15 * 60 + 1)
    problem(await use(api, late, await code_of(api, late)), "sign_in_over")
    document(await by(api, cookie, "GET"), 200)
    await moved_clock.advance(timedelta(days=30).total_seconds())
    problem(await by(api, cookie, "GET"), "not_signed_in")


async def test_no_answer_tells_whether_an_address_is_known(api: Api, show: Resource) -> None:
    await book(api, show, "A1", "guest_1")
    answers = []
    for email in (ASHA, "nobody@example.org"):
        answer = await api.ask("POST", ASK, {"email": email}, key=None)
        tried = await use(api, await ask(api, email), "00000000")
        answers.append((answer.status_code, set(answer.json()), tried.json()["code"]))
    assert answers[0] == answers[1] == (202, {"ends_at"}, "sign_in_code_wrong")


async def test_an_address_is_written_to_three_times_an_hour(api: Api, moved_clock: Clock) -> None:
    body = {"email": ASHA}
    answers = await asyncio.gather(*(api.ask("POST", ASK, body, key=None) for _ in range(5)))
    assert sorted(answer.status_code for answer in answers) == [202, 202, 202, 429, 429]
    refused = await api.ask("POST", ASK, {"email": "ASHA@example.org"}, key=None)
    problem(refused, "mailed_too_often")
    document(await api.ask("POST", ASK, {"email": "ivo@example.org"}, key=None), 202)
    await moved_clock.advance(3601)
    document(await api.ask("POST", ASK, body, key=None), 202)


async def test_a_browsers_address_asks_twenty_times_an_hour(api: Api) -> None:
    for at in range(20):
        body = {"email": f"somebody{at}@example.org"}
        document(await api.ask("POST", ASK, body, key=None), 202)
    problem(await api.ask("POST", ASK, {"email": ASHA}, key=None), "rate_limited")


async def test_only_who_has_bookings_is_written_to(
    open_api: OpenApi, show: Resource, tmp_path: Path
) -> None:
    api = await open_api(sweep=True, mail_outbox=str(tmp_path), public_url="http://bespeak.test/")
    await book(api, show, "A1", "guest_1")
    await ask(api, "nobody@example.org")
    cookie = await ask(api)
    pending = "select count(*) from bespeak.sign_in where mail_due_at is not null"

    async def all_done() -> bool:
        return bool(await api.connection.fetchval(pending) == 0)

    await until(all_done)
    mails = [
        message_from_bytes(raw, policy=default)
        for raw in await asyncio.to_thread(
            lambda: [file.read_bytes() for file in tmp_path.glob("*.eml")]
        )
    ]
    codes = [mail for mail in mails if "code" in str(mail["Subject"])]
    assert [str(mail["To"]) for mail in codes] == [ASHA]
    text = codes[0].get_body(("plain",))
    assert text is not None
    found = re.search(r"http://bespeak\.test/find-bookings#code=(\d{8})\b", text.get_content())
    assert found is not None
    document(await use(api, cookie, found[1]), 200)


async def test_the_code_stands_nowhere(api: Api) -> None:
    cookie = await ask(api)
    code = await code_of(api, cookie)
    assert code not in str(await api.snapshot()) and code not in cookie


def test_codes_are_of_their_installation() -> None:
    number = UUID(int=7)
    codes = {SignInCodes(secret).code(number) for secret in (b"one", b"two")}
    assert len(codes) == 2 and all(re.fullmatch(r"\d{8}", code) for code in codes)


async def test_over_https_only_the_prefixed_cookie_counts(open_api: OpenApi) -> None:
    api = await open_api(public_url="https://tickets.example")
    answer = await api.ask("POST", ASK, {"email": ASHA}, key=None)
    (header,) = answer.headers.get_list("set-cookie")
    assert header.startswith("__Host-bespeak_sign_in=") and "Secure" in header
    value = SimpleCookie(header)["__Host-bespeak_sign_in"].value
    code = await code_of(api, value)
    problem(await use(api, value, code), "sign_in_over")
    api.client.cookies.clear()
    headers = {"Cookie": f"__Host-bespeak_sign_in={value}"}
    document(await api.ask("POST", ACCOUNT, {"code": code}, key=None, **headers), 200)


@pytest.mark.parametrize(("method", "path"), [
    ("POST", ASK), ("POST", ACCOUNT), ("GET", ACCOUNT), ("DELETE", ACCOUNT),
    ("GET", f"{ACCOUNT}/bookings"),
])  # fmt: skip
async def test_another_sites_page_asks_for_nothing(method: str, path: str, api: Api) -> None:
    foreign = {"Sec-Fetch-Site": "cross-site"}
    problem(await api.ask(method, path, None, key=None, **foreign), "origin_not_allowed")


async def test_who_is_erased_is_signed_out(open_api: OpenApi, show: Resource) -> None:
    api = await open_api(sweep=True)
    await book(api, show, "A1", "guest_1")
    cookie = await ask(api)
    document(await use(api, cookie, await code_of(api, cookie)), 200)
    body = {"owner": "guest_1", "including_upcoming": True}
    assert (await api.ask("POST", "/v1/erasures", body)).is_success

    async def is_out() -> bool:
        return (await by(api, cookie, "GET")).status_code == 401

    await until(is_out)
