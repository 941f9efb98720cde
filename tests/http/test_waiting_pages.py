"""The page of a waiting room without JavaScript, as a browser without it sees it: what it says at
each moment, what its forms do, and what they let nobody do."""

from __future__ import annotations

from datetime import timedelta
from html.parser import HTMLParser
from string import Formatter
from urllib.parse import urlencode

import httpx
import pytest

from bespeak import Resource
from bespeak.admission.invite_codes import InviteCode
from bespeak.admission.invites import revoke_batch
from bespeak.locales import LANGUAGES, words
from tests.harness.clock import Clock
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, document, problem
from tests.http.conftest import OpenApi
from tests.http.test_waiting_room_codes import joined, room_with_codes
from tests.http.waiting import ALL, join, room_for, steer

FORM = {"content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin"}
CLUB = [{"name": "club", "invited": True}]
VOID = {"meta", "input"}


class Seen(HTMLParser):
    """What of a page matters here; that every tag is closed, and that nothing in it runs."""

    def __init__(self, answer: httpx.Response) -> None:
        super().__init__()
        self.text, self.title, self.language, self.refresh = "", "", "", ""
        self.buttons: list[str] = []
        self.links: list[str] = []
        self.values: dict[str, str] = {}
        self.wrong = ""
        self._open: list[str] = []
        self._is_wrong = False
        self.feed(answer.text)
        self.text = " ".join(self.text.split())
        assert self._open == [], "tags are closed"
        headers = answer.headers
        assert headers["content-type"] == "text/html; charset=utf-8"
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "same-origin"
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        assert not any(name.startswith("on") or name == "style" for name in named)
        assert tag not in {"script", "iframe", "img", "link", "object", "b"}
        if tag not in VOID:
            self._open.append(tag)
        if tag == "html":
            self.language = named["lang"]
            assert named["dir"] == ("rtl" if self.language == "ar" else "ltr")
        if tag == "form":
            assert (named["method"], named["action"]) == ("post", "plain")
        if tag == "button":
            self.buttons.append(named["value"])
        if tag == "a":
            self.links.append(named["href"])
        if tag == "input":
            self.values[named["name"]] = named["value"]
        if tag == "meta" and named.get("http-equiv") == "refresh":
            self.refresh = named["content"]
        self._is_wrong = named.get("role") == "alert"

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "title":
            self.title += data
        if self._is_wrong:
            self.wrong, self._is_wrong = data, False
        if self._open and self._open[-1] not in ("style", "title"):
            self.text += data + " "


class Browser:
    """A browser without JavaScript, which keeps cookies and goes where it is led."""

    def __init__(self, api: Api, room: Json, language: str = "en") -> None:
        self.api, self.cookies, self.language = api, dict[str, str](), language
        self.path = f"/waiting/{room['id']}/plain"
        self.answer = httpx.Response(200)

    async def send(self, method: str, query: str = "", body: str | None = None) -> httpx.Response:
        headers = {"accept-language": self.language} | (FORM if body is not None else {})
        if self.cookies:
            headers["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        self.api.client.cookies.clear()
        self.answer = await self.api.client.request(
            method, self.path + query, headers=headers, content=body
        )
        self.cookies |= dict(self.answer.cookies)
        for sent in self.answer.headers.get_list("set-cookie"):
            if "Max-Age=0" in sent:
                self.cookies.pop(sent.partition("=")[0], None)
        return self.answer

    async def look(self, query: str = "", status: int = 200) -> Seen:
        answer = await self.send("GET", query)
        assert answer.status_code == status, answer.text
        return Seen(answer)

    async def press(self, **fields: str) -> httpx.Response:
        return await self.send("POST", body=urlencode({"lang": self.language, **fields}))

    async def arrive(self, **fields: str) -> Seen:
        """Presses, and is led to the page."""
        answer = await self.press(**fields)
        assert answer.status_code == 303, answer.text
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["location"] == f"plain?lang={self.language}"
        return await self.look(f"?lang={self.language}")

    async def refused(self, status: int, **fields: str) -> Seen:
        answer = await self.press(**fields)
        assert answer.status_code == status, answer.text
        return Seen(answer)


def place(browser: Browser) -> str | None:
    """The queue token that a browser keeps."""
    return next((kept for name, kept in browser.cookies.items() if "place" in name), None)


async def test_a_visitor_joins_and_sees_by_refresh_how_it_goes(
    api: Api, show: Resource, moved_clock: Clock
) -> None:
    room = await room_for(api, show, opens_in=3600, grace_seconds=60)
    browser, other = Browser(api, room), Browser(api, room)
    seen = await browser.look()
    assert seen.title == "There is a queue for these tickets · Premiere"
    assert (seen.buttons, seen.refresh) == (["join"], "")
    assert "The sale opens" in seen.text and "(in 60 minutes)" in seen.text
    rules = "When you are called you have 60 seconds to come in, or your turn goes to the next"
    assert rules in seen.text
    await other.look()
    await other.arrive(act="join")
    await moved_clock.advance(1)
    seen = await browser.arrive(act="join")
    assert "Your place is certain" in seen.text and seen.buttons == []
    assert seen.refresh == "15; url=plain?lang=en"
    await api.service.waiting_rooms.board.look()
    seen = await browser.look()
    assert "People ahead of you 1 Your place 2" in seen.text and rules in seen.text
    assert f"bespeak_place_{room['id']}" in browser.cookies


async def test_the_cookie_of_a_place_is_read_by_no_script(api: Api, show: Resource) -> None:
    browser = Browser(api, await room_for(api, show))
    await browser.look()
    kept = (await browser.press(act="join")).headers["set-cookie"].lower()
    assert "httponly" in kept and "samesite=lax" in kept and "path=/" in kept


async def test_who_is_forgotten_on_this_device_has_no_place_there(api: Api, show: Resource) -> None:
    browser = Browser(api, await room_for(api, show))
    await browser.look()
    await browser.arrive(act="join")
    kept = "; ".join([f"{name}={value}" for name, value in browser.cookies.items()])
    other = '; bespeak_place_"; __Host-bespeak_place_wr_1=x; place=1'
    answer = await api.client.delete("/v1/box-office/session", headers={"cookie": kept + other})
    away = [one.partition("=")[0] for one in answer.headers.get_list("set-cookie")]
    assert sorted(away) == sorted([*browser.cookies, "bespeak_place_wr_1"])
    assert all("max-age=0" in one.lower() for one in answer.headers.get_list("set-cookie"))


async def test_to_press_twice_keeps_the_place(api: Api, show: Resource, moved_clock: Clock) -> None:
    room = await room_for(api, show)
    browser = Browser(api, room)
    await browser.look()
    await browser.arrive(act="join")
    first = place(browser)
    await moved_clock.advance(5)
    await browser.arrive(act="join")
    assert place(browser) == first
    assert await joined(api, room) == [1]


async def test_a_code_is_in_no_address_and_its_queue_is_joined(api: Api, show: Resource) -> None:
    room, code = await room_with_codes(api, show)
    browser = Browser(api, room)
    assert (await browser.look()).buttons == ["join", "code"]
    await browser.arrive(act="code", code=code.lower().replace("-", " "))
    assert code not in str(browser.answer.request.url)
    assert await joined(api, room) == [0, 1]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_is_wrong_with_a_code_is_told_in_words(
    api: Api, show: Resource, language: str
) -> None:
    room, code = await room_with_codes(api, show)
    errors = words("bespeak.http.api", language)["errors"]
    assert isinstance(errors, dict)
    first, second = Browser(api, room, language), Browser(api, room, language)
    await second.look()
    await second.arrive(act="code", code=code)
    await first.look()
    foreign = api.service.waiting_rooms.invite_codes.make("wr_other", InviteCode(1, 1))
    unused = api.service.waiting_rooms.invite_codes.make(str(room["id"]), InviteCode(1, 2))
    async with api.service.engine.database.borrow() as connection:
        await revoke_batch(connection, str(room["id"]), 1, None)
    for typed, status, told in (
        ("", 400, "code_missing"),
        ("  ", 400, "code_missing"),
        ("<b>&quot;", 422, "invite_code_mistyped"),
        ("x" * 500, 422, "invite_code_mistyped"),
        (foreign, 422, "invite_code_unknown"),
        (unused, 409, "invite_code_revoked"),
        (code, 409, "invite_code_revoked"),
    ):
        seen = await first.refused(status, act="code", code=typed)
        assert (seen.language, seen.wrong) == (language, errors[told])
        assert seen.values["code"] == typed.strip()[:61], "to be mended, not typed again"
        assert seen.refresh == ""
    assert place(first) is None


async def test_a_used_code_is_told_and_one_joins_without(api: Api, show: Resource) -> None:
    room, code = await room_with_codes(api, show)
    await join(api, room, owner="asha", code=code)
    browser = Browser(api, room)
    await browser.look()
    seen = await browser.refused(409, act="code", code=code)
    assert seen.wrong == "This code has been used."
    await browser.arrive(act="join")
    assert await joined(api, room) == [1, 1]


async def test_whose_answer_is_lost_has_the_same_place_by_the_code_again(
    api: Api, show: Resource, moved_clock: Clock
) -> None:
    room, code = await room_with_codes(api, show)
    browser = Browser(api, room)
    await browser.look()
    guest = dict(browser.cookies)
    await browser.press(act="code", code=code)
    first = place(browser)
    browser.cookies = guest  # the answer never came
    await moved_clock.advance(5)
    await browser.press(act="code", code=code)
    assert first is not None and place(browser) == first
    assert await joined(api, room) == [0, 1]


async def test_who_has_a_place_enters_a_code_later_while_nothing_refreshes(
    api: Api, show: Resource
) -> None:
    room, code = await room_with_codes(api, show)
    browser = Browser(api, room)
    await browser.look()
    seen = await browser.arrive(act="join")
    (there,) = [link for link in seen.links if "enter=code" in link]
    seen = await browser.look(there.removeprefix("plain"))
    assert (seen.buttons, seen.refresh) == (["code"], "")
    seen = await browser.refused(422, act="code", code="slip", enter="code")
    assert (seen.buttons, seen.values["enter"]) == (["code"], "code")
    await browser.arrive(act="code", code=code, enter="code")
    assert await joined(api, room) == [1, 1]


async def test_without_cookies_one_is_told_and_can_press_again(api: Api, show: Resource) -> None:
    room = await room_for(api, show)
    browser = Browser(api, room)
    seen = await browser.refused(400, act="join")
    assert seen.wrong.startswith("Your place is kept in a cookie")
    await browser.arrive(act="join")
    assert await joined(api, room) == [1]


@pytest.mark.parametrize(
    "said",
    [{"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"},
     {"origin": "https://evil.example"}, {"origin": "null"}],
)  # fmt: skip
async def test_another_site_joins_for_nobody(
    api: Api, show: Resource, said: dict[str, str]
) -> None:
    room = await room_for(api, show)
    browser = Browser(api, room)
    await browser.look()
    kept = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    headers = {"content-type": FORM["content-type"], "cookie": kept, **said}
    answer = await api.client.post(browser.path, content="act=join", headers=headers)
    problem(answer, "origin_not_allowed")
    assert await joined(api, room) == [0]


@pytest.mark.parametrize("body", [b"\xff=1", b"&".join([b"a=1"] * 11)])
async def test_what_is_no_form_is_refused(api: Api, show: Resource, body: bytes) -> None:
    room = await room_for(api, show)
    path = f"/waiting/{room['id']}/plain"
    problem(await api.client.post(path, content=body, headers=FORM), "invalid_request")
    as_json = {**FORM, "content-type": "application/json"}
    problem(await api.client.post(path, content=b"{}", headers=as_json), "invalid_request")


async def test_a_place_that_was_forged_or_is_of_another_room_is_none(
    api: Api, show: Resource, make_show: MakeShow
) -> None:
    room, other = await room_for(api, show), await room_for(api, await make_show())
    elsewhere = Browser(api, other)
    await elsewhere.look()
    await elsewhere.arrive(act="join")
    for token in (place(elsewhere), "A" * 56, "x", ""):
        browser = Browser(api, room)
        browser.cookies[f"bespeak_place_{room['id']}"] = token or ""
        assert (await browser.look()).buttons == ["join"]


async def test_the_turn_leads_to_the_tickets_and_can_be_lost(
    api: Api, show: Resource, moved_clock: Clock
) -> None:
    room = await room_for(api, show, grace_seconds=10, pass_seconds=600)
    browser = Browser(api, room)
    await browser.look()
    await browser.arrive(act="join")
    first = place(browser)
    for _ in range(3):
        await moved_clock.advance(2)
        await steer(api)
    seen = await browser.look()
    assert seen.title.startswith("It is your turn!") and seen.refresh == ""
    assert "within 10 seconds" in seen.text and "you have 10 minutes" in seen.text
    assert f"../{room['id']}#token={first}" in seen.links
    for _ in range(5):  # in steps: while nobody looks after the room, the grace stands still
        await moved_clock.advance(3)
        await steer(api)
    seen = await browser.look()
    assert (seen.buttons, seen.title) == (["join"], "Your turn is over · Premiere")
    await browser.arrive(act="join")
    assert place(browser) not in (None, first)


async def test_what_happens_in_the_room_is_told(
    api: Api, show: Resource, moved_clock: Clock
) -> None:
    early = (moved_clock.now + timedelta(seconds=60)).isoformat()
    room = await room_for(
        api, show, opens_in=3600, early_opens_at=early, early_order="shuffle", name="<b>&amp;"
    )
    browser = Browser(api, room)
    seen = await browser.look()
    assert (seen.buttons, seen.refresh) == ([], "30; url=plain?lang=en")
    assert "The queue opens" in seen.text and " seconds) The sale opens" in seen.text
    assert seen.title == "The queue is not open yet · <b>&amp;"
    assert (await browser.refused(409, act="join")).text.count("The queue is not open") >= 1
    await moved_clock.advance(61)
    await api.service.waiting_rooms.board.look()
    await browser.look()
    assert "The order is drawn at the opening." in (await browser.arrive(act="join")).text
    path = f"{ALL}/{room['id']}"
    for change, told in (
        ({"state": "open", "message": "<b>slow</b>"}, "<b>slow</b>"),
        ({"state": "paused"}, "The queue is paused"),
    ):
        document(await api.ask("PATCH", path, change, key="ak"), 200)
        await api.service.waiting_rooms.board.look()
        assert told in (await browser.look()).text
    document(await api.ask("PATCH", path, {"state": "ended"}, key="ak"), 200)
    await api.service.waiting_rooms.board.look()
    assert "There is no queue any more" in (await browser.look()).text


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_room_that_never_was_is_told(api: Api, show: Resource, language: str) -> None:
    browser = Browser(api, {"id": "wr_nothing"}, language)
    assert (await browser.look(status=404)).language == language
    assert (await browser.refused(404, act="join")).language == language


async def test_a_queue_by_invitation_is_joined_by_a_code_only(api: Api, show: Resource) -> None:
    room = await room_for(api, show, queues=CLUB)
    browser = Browser(api, room)
    seen = await browser.look()
    assert seen.buttons == ["code"] and "This queue is by invitation." in seen.text
    seen = await browser.refused(422, act="join")
    assert seen.wrong == "That did not work. Please look again, and press once more."
    assert await joined(api, room) == [0]


async def test_the_address_names_a_queue(api: Api, show: Resource) -> None:
    queues = [{"name": "all"}, {"name": "late"}, {"name": "club", "invited": True}]
    room = await room_for(api, show, queues=queues)
    late, club, none = (Browser(api, room) for _ in range(3))
    seen = await late.look("?queue=late&utm_source=news")
    assert seen.values["queue"] == "late"
    await late.arrive(act="join", queue="late")
    seen = await club.look("?queue=club")
    assert seen.buttons == ["code", "join"], "first what it is about"
    assert (await none.look("?queue=gone")).values["queue"] == ""
    await none.arrive(act="join", queue="gone")
    assert await joined(api, room) == [1, 1, 0]


async def test_a_script_is_no_crowd(open_api: OpenApi, show: Resource) -> None:
    api = await open_api(rate_limit_joins="1/minute")
    room = await room_for(api, show)
    first, second = Browser(api, room), Browser(api, room)
    await first.look()
    await first.arrive(act="join")
    await second.look()
    seen = await second.refused(429, act="join")
    assert seen.wrong.startswith("Too many have joined from your network.")
    assert await joined(api, room) == [1]


async def test_guests_without_end_are_none(open_api: OpenApi, show: Resource) -> None:
    api = await open_api(rate_limit_guests="1/minute")
    room = await room_for(api, show)
    await Browser(api, room).look()
    seen = await Browser(api, room).look()
    assert seen.wrong.startswith("Too many new visitors come from your network.")
    seen = await Browser(api, room).refused(429, act="join")
    assert await joined(api, room) == [0]


async def test_an_opening_that_was_taken_back_is_told(api: Api, show: Resource) -> None:
    room = await room_for(api, show, opens_in=600, early_order="shuffle")
    later = (api.service.engine.clock.now() + timedelta(hours=1)).isoformat()
    browser, anew = Browser(api, room), "it is drawn anew"
    await browser.look()
    assert anew not in (await browser.arrive(act="join")).text
    for body in ({"state": "open"}, {"state": "scheduled", "opens_at": later}):
        document(await api.ask("PATCH", f"{ALL}/{room['id']}", body, key="ak"), 200)
    await api.service.waiting_rooms.board.look()
    assert anew in (await browser.look()).text


async def test_where_there_is_no_box_office_there_is_no_page(
    open_api: OpenApi, show: Resource
) -> None:
    api = await open_api(box_office=False)
    room = await room_for(api, show)
    answer = await api.client.get(f"/waiting/{room['id']}/plain")
    problem(answer, "box_office_closed")


def test_the_words_are_the_same_in_all_languages() -> None:
    def named(found: object, path: str = "") -> dict[str, set[str]]:
        if isinstance(found, dict):
            below = (named(part, f"{path}.{name}") for name, part in found.items())
            return {key: one for part in below for key, one in part.items()}
        return {path: {field for _, field, _, _ in Formatter().parse(str(found)) if field}}

    english = named(words("bespeak.http.api", "en"))
    for language in LANGUAGES:
        assert named(words("bespeak.http.api", language)) == english
