"""How the calls about mailings refuse."""

from bespeak import ids
from bespeak.notifications.mail import mailings
from tests.http.api import Json, Request
from tests.http.scenarios import NO_BOOKING, NO_RESOURCE, Stage, refuses

ALL = "/v1/resources/{resource_id}/mailings"
ONE = f"{ALL}/{{mailing_id}}"
WRITE, LIST, PREVIEW = f"POST {ALL}", f"GET {ALL}", f"POST {ALL}/preview"
READ, STOP = f"GET {ONE}", f"DELETE {ONE}"
NO_MAILING = f"{ids.MAILING}_{'0' * 26}"
HELLO: Json = {"language": "en", "subject": "Doors", "text": "They open at 19:30."}


def asked(
    name: str, resource_id: str, texts: list[Json] | None = None, mailing: str = NO_MAILING
) -> Request:
    method, path = name.split(" ")
    path = path.replace("{resource_id}", resource_id).replace("{mailing_id}", mailing)
    body: Json | None = None if method != "POST" else {"texts": texts or [HELLO]}
    if name == PREVIEW and body is not None:
        body |= {"language": "de"}
    return Request(method, path, body, "ak")


for each in (WRITE, LIST, PREVIEW, READ, STOP):

    @refuses(each, "invalid_id", kind="res")
    async def of_what_is_no_resource(_stage: Stage, name: str = each) -> Request:
        return asked(name, "show-1")


for each in (WRITE, LIST, PREVIEW):

    @refuses(each, "resource_not_found", resource_id=NO_RESOURCE)
    async def of_no_such_resource(_stage: Stage, name: str = each) -> Request:
        return asked(name, NO_RESOURCE)


for each in (READ, STOP):

    @refuses(each, "mailing_not_found")
    async def that_there_is_not(stage: Stage, name: str = each) -> Request:
        return asked(name, stage.show.id)

    @refuses(each, "invalid_id", kind="mlg")
    async def by_the_id_of_a_booking(stage: Stage, name: str = each) -> Request:
        return asked(name, stage.show.id, mailing=NO_BOOKING)


for each in (WRITE, PREVIEW):

    @refuses(each, "invalid_request", field="texts")
    async def in_one_language_twice(stage: Stage, name: str = each) -> Request:
        return asked(name, stage.show.id, [HELLO, HELLO])

    @refuses(each, "mail_text_invalid", placeholder="{nam}")
    async def with_a_placeholder_of_nothing(stage: Stage, name: str = each) -> Request:
        return asked(name, stage.show.id, [{**HELLO, "text": "Hello {nam}"}])


@refuses(WRITE, "mailings_too_many")
async def after_as_many_as_may_be(stage: Stage) -> Request:
    stage.monkeypatch.setattr(mailings, "DAILY_MAX", 0)
    return asked(WRITE, stage.show.id)


@refuses(WRITE, "idempotency_key_reused", fields=["texts"])
async def another_by_the_same_key(stage: Stage) -> Request:
    first = asked(WRITE, stage.show.id)
    key = {"Idempotency-Key": "doors"}
    await stage.api.send(Request(first.method, first.path, first.body, "ak", key))
    body: Json = {"texts": [{**HELLO, "subject": "Another"}]}
    return Request(first.method, first.path, body, "ak", key)
