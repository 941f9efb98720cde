"""Who waits asks for a mail by a call, or by the form of the page without JavaScript."""

from __future__ import annotations

from bespeak import Resource
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.http.api import Api, Json, document, problem
from tests.http.test_waiting_pages import Browser, place
from tests.http.waiting import ALL, join, room_for, steer

ROWS = "select email, locale, state from bespeak.turn_mail order by email"


async def ask(api: Api, room: Json, token: str, email: str, owner: str = "asha") -> Json:
    body = {"queue_token": token, "email": email, "locale": "de"}
    path = f"{ALL}/{room['id']}/turn-mail"
    answer = await api.ask("PUT", path, body, key="pk", bespeak_shopper=api.token(owner))
    return document(answer, 200)


async def rows(connection: Connection) -> list[tuple[str | None, ...]]:
    return [tuple(row) for row in await connection.fetch(ROWS)]


async def test_it_is_one_mail_and_nobody_is_told_where_it_goes(
    api: Api, show: Resource, connection: Connection, moved_clock: Clock
) -> None:
    room = await room_for(api, show, opens_in=60)
    ada, ben = await join(api, room, "ada"), await join(api, room, "ben")
    assert await ask(api, room, ada, "ada@example.com", "ada") == {"state": "wanted"}
    # The same address of somebody else's is answered as any.
    assert await ask(api, room, ben, "ada@example.com", "ben") == {"state": "wanted"}
    # Whoever has the token is whoever waits, on another device too.
    assert await ask(api, room, ben, "ben@example.com", "eve") == {"state": "wanted"}
    wanted = [("ada@example.com", "de", "wanted"), ("ben@example.com", "de", "wanted")]
    assert await rows(connection) == wanted
    path = f"{ALL}/{room['id']}/turn-mail?queue_token={ben}"
    for _ in range(2):
        gone = await api.ask("DELETE", path, key="pk", bespeak_shopper=api.token("ben"))
        assert gone.status_code == 204
    assert await rows(connection) == [wanted[0], (None, None, "withdrawn")]
    await moved_clock.advance(61)
    for _ in range(3):
        await steer(api)
        await moved_clock.advance(2)
    assert await ask(api, room, ada, "other@example.com", "ada") == {"state": "sent"}
    assert ("ada@example.com", "de", "pending") in await rows(connection)


async def test_who_leaves_wants_no_mail(api: Api, show: Resource, connection: Connection) -> None:
    room = await room_for(api, show, opens_in=60)
    token = await join(api, room)
    await ask(api, room, token, "asha@example.com")
    path = f"{ALL}/{room['id']}/passes?queue_token={token}"
    await api.ask("DELETE", path, key="pk", bespeak_shopper=api.token())
    assert await rows(connection) == [(None, None, "withdrawn")]
    body = {"queue_token": token, "email": "asha@example.com"}
    path = f"{ALL}/{room['id']}/turn-mail"
    refused = await api.ask("PUT", path, body, key="pk", bespeak_shopper=api.token())
    problem(refused, "pass_ended", ended_as="left")


async def test_who_leaves_by_an_older_token_keeps_the_place_of_a_later_one_and_its_mail(
    api: Api, show: Resource, connection: Connection, moved_clock: Clock
) -> None:
    room = await room_for(api, show, opens_in=-60)
    older = await join(api, room)
    await moved_clock.advance(2)
    await api.service.waiting_rooms.board.look()
    later = await join(api, room)
    assert older != later
    await ask(api, room, later, "asha@example.com")
    path = f"{ALL}/{room['id']}/passes?queue_token="
    await api.ask("DELETE", path + older, key="pk", bespeak_shopper=api.token())
    assert await rows(connection) == [("asha@example.com", "de", "wanted")]
    await api.ask("DELETE", path + later, key="pk", bespeak_shopper=api.token())
    assert await rows(connection) == [(None, None, "withdrawn")]


async def test_a_server_asks_for_its_customers(
    api: Api, show: Resource, connection: Connection
) -> None:
    room = await room_for(api, show, opens_in=60)
    token = await join(api, room)
    body = {"queue_token": token, "email": "asha@example.com", "owner": "asha"}
    path = f"{ALL}/{room['id']}/turn-mail"
    assert document(await api.ask("PUT", path, body, key="sk"), 200) == {"state": "wanted"}
    owner = await connection.fetchval("select owner from bespeak.turn_mail")
    assert owner == "asha"


async def test_the_page_without_scripts_has_a_form(
    api: Api, show: Resource, connection: Connection
) -> None:
    room = await room_for(api, show, opens_in=3600)
    browser = Browser(api, room, "de")
    await browser.look()
    seen = await browser.arrive(act="join")
    assert "plain?lang=de&enter=mail" in seen.links
    seen = await browser.look("?lang=de&enter=mail")
    assert (seen.buttons, seen.refresh) == (["mail", "no-mail"], "")
    for typed in ("", "ada", "a b@example.com", "a" * 300 + "@example.com"):
        seen = await browser.refused(400, act="mail", email=typed)
        assert seen.wrong == "Das ist keine E-Mail-Adresse."
        assert seen.values["email"] == typed[:255]
    assert await rows(connection) == []
    answer = await browser.press(act="mail", email=" ada@example.com ")
    assert (answer.status_code, answer.headers["location"]) == (303, "plain?lang=de&enter=mailed")
    seen = await browser.look("?lang=de&enter=mailed")
    assert "Wir schreiben Ihnen einmal" in seen.text and seen.buttons == ["no-mail"]
    assert await rows(connection) == [("ada@example.com", "de", "wanted")]
    assert "ada@example.com" not in (await browser.look("?lang=de")).text
    await browser.arrive(act="no-mail")
    assert await rows(connection) == [(None, None, "withdrawn")]


async def test_the_form_is_of_who_has_a_place(
    api: Api, show: Resource, connection: Connection
) -> None:
    room = await room_for(api, show, opens_in=3600)
    browser = Browser(api, room)
    await browser.look()
    seen = await browser.look("?enter=mail")
    assert "mail" not in seen.buttons
    await browser.arrive(act="mail", email="ada@example.com")
    assert await rows(connection) == []
    assert place(browser) is None, "who asks for a mail has not asked to join"


async def test_a_browser_that_lost_who_it_is_gets_another_to_ask_as(
    api: Api, show: Resource, connection: Connection
) -> None:
    room = await room_for(api, show, opens_in=3600)
    browser = Browser(api, room)
    await browser.look()
    await browser.arrive(act="join")
    for name in [name for name in browser.cookies if "place" not in name]:
        del browser.cookies[name]
    seen = await browser.refused(400, act="mail", email="ada@example.com")
    assert seen.wrong != "" and seen.values["email"] == "ada@example.com"
    assert (await browser.press(act="mail", email="ada@example.com")).status_code == 303
    assert await rows(connection) == [("ada@example.com", "en", "wanted")]


async def test_whose_turn_is_over_is_not_asked_for_a_code_that_is_their_address(
    api: Api, show: Resource, connection: Connection, moved_clock: Clock
) -> None:
    fields = {"queues": [{"name": "all"}, {"name": "club", "invited": True}], "grace_seconds": 10}
    room = await room_for(api, show, opens_in=60, **fields)
    browser = Browser(api, room)
    await browser.look()
    await browser.arrive(act="join")
    for seconds in (61, 2, 2, 2, 4, 4, 4, 4, 2):
        await moved_clock.advance(seconds)
        await steer(api)
    seen = await browser.refused(409, act="mail", email="ada@example.com")
    assert "email" not in seen.values and seen.values["code"] == ""
    assert await rows(connection) == []


async def test_the_form_says_of_a_mail_that_was_sent_that_there_is_no_other(
    api: Api, show: Resource, connection: Connection
) -> None:
    room = await room_for(api, show, opens_in=3600)
    browser = Browser(api, room)
    await browser.look()
    await browser.arrive(act="join")
    await browser.press(act="mail", email="ada@example.com")
    sent = "update bespeak.turn_mail set state = 'sent', place_key = 9223372036854775807"
    await connection.execute(sent)
    answer = await browser.press(act="mail", email="ben@example.com")
    assert (answer.status_code, answer.headers["location"]) == (303, "plain?lang=en&enter=sent")
    seen = await browser.look("?lang=en&enter=sent")
    assert "was sent, or is on its way" in seen.text and seen.buttons == []
    assert await rows(connection) == [("ada@example.com", "en", "sent")]
