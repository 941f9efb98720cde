"""How the calls about the texts of mails refuse."""

from pathlib import Path

from bespeak.http.server.budgets import policy
from tests.http.api import Json, Request
from tests.http.refused_outbox import open_outbox
from tests.http.scenarios import NO_BOOKING, Stage, refuses

AT = "/v1/mail-texts/booking_confirmed/en"
CALLS: dict[str, Json] = {
    "PUT /v1/mail-texts/{kind}/{language}": {"subject": "Hello"},
    "DELETE /v1/mail-texts/{kind}/{language}": {},
    "POST /v1/mail-texts/{kind}/{language}/preview": {},
    "POST /v1/mail-texts/{kind}/{language}/test": {"email": "desk@lantern.example"},
}
PUT, _DELETE, PREVIEW, TEST = CALLS


def _request(name: str, body: Json, at: str = AT) -> Request:
    method, _, path = name.partition(" ")
    made = path.replace("/v1/mail-texts/{kind}/{language}", at)
    return Request(method, made, None if method == "DELETE" else body, "ak")


def _refused(name: str, body: Json) -> None:
    @refuses(name, "mail_text_not_found")
    async def a_language_that_we_do_not_write(stage: Stage) -> Request:
        open_outbox(stage, Path("/dev/null/outbox"))
        return _request(name, body, "/v1/mail-texts/booking_confirmed/xx")

    if name in (PREVIEW, TEST):

        @refuses(name, "invalid_id")
        async def about_what_is_no_booking(stage: Stage) -> Request:
            open_outbox(stage, Path("/dev/null/outbox"))
            return _request(name, {**body, "booking_id": "nothing"})

        @refuses(name, "booking_not_found")
        async def about_a_booking_that_there_is_not(stage: Stage) -> Request:
            open_outbox(stage, Path("/dev/null/outbox"))
            return _request(name, {**body, "booking_id": NO_BOOKING})


for _name, _body in CALLS.items():
    _refused(_name, _body)


@refuses(PUT, "mail_text_invalid", field="subject", placeholder="{nam}")
async def a_placeholder_that_there_is_not(stage: Stage) -> Request:
    return _request(PUT, {"subject": "Hello {nam}"})


@refuses(PUT, "version_mismatch", version=0)
async def texts_of_a_version_that_there_is_not(stage: Stage) -> Request:
    return _request(PUT, {"subject": "Hello", "version": 7})


@refuses(_DELETE, "version_mismatch")
async def texts_that_were_not_seen_are_to_be_taken_away(stage: Stage) -> Request:
    await stage.api.send(_request(PUT, {"subject": "Hello"}))
    stage.stack.push_async_callback(stage.api.send, _request(_DELETE, {}))
    return _request(_DELETE, {}, f"{AT}?version=0")


@refuses("PUT /v1/mail-reminders", "version_mismatch", version=0)
async def reminders_of_a_version_that_there_is_not(stage: Stage) -> Request:
    return Request("PUT", "/v1/mail-reminders", {"hours": [24], "version": 7}, "ak")


@refuses(PREVIEW, "mail_text_invalid", field="closing", placeholder="}")
async def a_brace_of_no_placeholder(stage: Stage) -> Request:
    return _request(PREVIEW, {"text": {"closing": "So long }"}})


@refuses(TEST, "mail_text_invalid", field="introduction")
async def a_test_with_such_a_text(stage: Stage) -> Request:
    open_outbox(stage, Path("/dev/null/outbox"))
    return _request(TEST, {"email": "a@b.example", "text": {"introduction": "{x}"}})


@refuses(TEST, "outbox_closed")
async def a_test_where_no_mail_leaves(stage: Stage) -> Request:
    open_outbox(stage, None)
    return _request(TEST, {"email": "a@b.example"})


@refuses(TEST, "mail_not_sent")
async def a_test_where_the_disk_does_not_take_it(stage: Stage) -> Request:
    open_outbox(stage, Path("/dev/null/outbox"))
    return _request(TEST, {"email": "a@b.example"})


@refuses(TEST, "budget_spent", budget="mails")
async def a_test_to_an_address_that_got_enough(stage: Stage) -> Request:
    open_outbox(stage, Path("/dev/null/outbox"))
    stage.monkeypatch.setattr(stage.api.service.budgets, "mode", "on")
    stage.monkeypatch.setattr(policy, "MAILS_OF_RECIPIENT", 0)
    return _request(TEST, {"email": "a@b.example"})


@refuses(PREVIEW, "invalid_request", field="booking_id")
async def a_mail_to_who_waits_about_a_booking(stage: Stage) -> Request:
    return _request(PREVIEW, {"booking_id": NO_BOOKING}, "/v1/mail-texts/waitlist_offered/en")
