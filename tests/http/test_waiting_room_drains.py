"""A waiting room is drained: nobody more joins, by no way, and all who have joined are served."""

from __future__ import annotations

import pytest

from bespeak import Resource
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.http.api import SETTINGS, Api, Json, document, opened, problem
from tests.http.outage import Wire
from tests.http.test_waiting_pages import Browser
from tests.http.test_waiting_room_codes import room_with_codes
from tests.http.waiting import ALL, come_in, join, room_for, steer

CODE = "waiting_room_draining"


async def drain(api: Api, room: Json, *, draining: bool = True) -> Json:
    """Drains a room, or takes it back, and the worker hears of it."""
    body = {"draining": draining}
    changed = document(await api.ask("PATCH", f"{ALL}/{room['id']}", body, key="ak"), 200)
    await api.service.waiting_rooms.board.look()
    return changed


async def cannot_join(api: Api, room: Json, **fields: object) -> None:
    path = f"{ALL}/{room['id']}/queue-tokens"
    by_shopper = await api.ask("POST", path, fields, key="pk", bespeak_shopper=api.token("eve"))
    refused = problem(by_shopper, CODE)
    assert refused["retryable"] is False
    assert (await api.ask("POST", path, {"owner": "eve", **fields}, key="sk")).status_code == 409


async def place_of(api: Api, room: Json, token: str) -> Json:
    path = f"{ALL}/{room['id']}/place?queue_token={token}"
    return document(await api.ask("GET", path, key=None), 200)


async def is_draining(api: Api, room: Json) -> bool:
    """What everybody is told."""
    path = f"{ALL}/{room['id']}/now"
    return bool(document(await api.ask("GET", path, key=None), 200)["draining"])


async def test_nobody_more_joins_and_who_has_joined_is_served(
    api: Api, show: Resource, moved_clock: Clock
) -> None:
    room = await room_for(api, show)
    assert (room["draining"], await is_draining(api, room)) == (False, False)
    token = await join(api, room, "ada")
    await api.service.waiting_rooms.board.look()
    before = await place_of(api, room, token)
    changed = await drain(api, room)
    assert (changed["draining"], changed["state"]) == (True, room["state"])
    assert await is_draining(api, room)
    await cannot_join(api, room)
    assert await place_of(api, room, token) == before, "the place stays"
    for _ in range(3):
        await moved_clock.advance(2)
        await steer(api)
    given = await come_in(api, room, token, "ada")
    assert await come_in(api, room, token, "ada") == given, "also asked again"
    await cannot_join(api, room)


async def test_it_can_be_taken_back_and_done_again(api: Api, show: Resource) -> None:
    room = await room_for(api, show)
    for _ in range(2):
        again = await drain(api, await drain(api, room))
        assert again["draining"] is True, "said twice, it is as said once"
        await cannot_join(api, room)
        await drain(api, room, draining=False)
        assert not await is_draining(api, room)
        await join(api, room, "ada")


async def test_no_code_lets_anybody_in_and_none_is_used_up(api: Api, show: Resource) -> None:
    room, code = await room_with_codes(api, show)
    await drain(api, room)
    await cannot_join(api, room, code=code)
    await cannot_join(api, room, queue="all")
    await drain(api, room, draining=False)
    await join(api, room, code=code)


async def test_those_who_wait_for_the_sale_stay_and_nobody_comes_to_them(
    api: Api, show: Resource, moved_clock: Clock
) -> None:
    room = await room_for(api, show, opens_in=60, early_order="shuffle")
    token = await join(api, room, "ada")
    await drain(api, room)
    await cannot_join(api, room)
    await moved_clock.advance(61)
    for _ in range(3):
        await steer(api)
        await moved_clock.advance(2)
    await come_in(api, room, token, "ada")
    await cannot_join(api, room)


async def test_it_is_judged_from_memory_with_the_database_gone(
    wire: Wire, connection: Connection, database_url: str, show: Resource
) -> None:
    async with opened(SETTINGS, wire.url, connection) as api:
        room = await room_for(api, show)
        token = await join(api, room, "ada")
        await drain(api, room)
        await wire.cut()
        path = f"{ALL}/{room['id']}/queue-tokens"
        problem(await api.ask("POST", path, {}, key="pk", bespeak_shopper=api.token("eve")), CODE)
        assert await is_draining(api, room)
        assert (await place_of(api, room, token))["place"] == 1
        await wire.mend()


async def test_another_worker_takes_people_until_its_next_look_and_they_are_served(
    api: Api, connection: Connection, database_url: str, show: Resource
) -> None:
    """The bound: a look, which is once a second. Who slipped in has a place as all others."""
    room = await room_for(api, show)
    async with opened(SETTINGS, database_url, connection) as other:
        await other.service.waiting_rooms.board.look()
        await drain(api, room)
        late = await join(other, room, "late")
        await other.service.waiting_rooms.board.look()
        await cannot_join(other, room)
        await api.service.waiting_rooms.board.look()
        assert (await place_of(api, room, late))["place"] == 1


async def test_a_change_of_an_older_version_does_not_drain(api: Api, show: Resource) -> None:
    room = await room_for(api, show)
    path = f"{ALL}/{room['id']}"
    document(await api.ask("PATCH", path, {"message": "Hello"}, key="ak"), 200)
    stale = {"draining": True, "version": room["version"]}
    problem(await api.ask("PATCH", path, stale, key="ak"), "version_mismatch")
    assert (await api.get(path))["draining"] is False


@pytest.mark.parametrize("wrong", [None, "true", 1, []])
async def test_it_is_yes_or_no(api: Api, show: Resource, wrong: object) -> None:
    room = await room_for(api, show)
    answer = await api.ask("PATCH", f"{ALL}/{room['id']}", {"draining": wrong}, key="ak")
    problem(answer, "invalid_request")


async def test_the_audits_say_who_drained_it(api: Api, show: Resource) -> None:
    room = await room_for(api, show)
    await drain(api, room)
    page = document(await api.ask("GET", f"{ALL}/{room['id']}/audit", key="ak"), 200)
    items = page["items"]
    assert isinstance(items, list)
    [said] = [one for one in items if "draining" in one.get("changed", {})]
    assert said["changed"] == {"draining": True}
    assert said["actor"].startswith("key_")
    entries = document(await api.ask("GET", "/v1/audit-log", key="ak"), 200)["items"]
    assert isinstance(entries, list)
    assert ("change_waiting_room", room["id"]) in [(e["action"], e["subject"]) for e in entries]


async def test_the_page_without_javascript_says_so_to_all(
    api: Api, show: Resource, moved_clock: Clock
) -> None:
    room = await room_for(api, show, grace_seconds=10)
    inside, stranger = Browser(api, room), Browser(api, room)
    await inside.look()
    await stranger.look()
    assert (await inside.press(act="join")).status_code == 303
    await drain(api, room)
    seen = await stranger.look()
    assert seen.buttons == []
    assert "This queue takes nobody more" in seen.text
    assert seen.refresh, "it may be taken back"
    assert (await stranger.press(act="join")).status_code == 409
    seen = await inside.look()
    assert "You are in" in seen.text
    assert "Nobody more can join this queue. You keep your place" in seen.text
    assert (await inside.press(act="join")).status_code == 303, "pressed again, the place stays"
    for _ in range(3):
        await moved_clock.advance(2)
        await steer(api)
    assert "It is your turn!" in (await inside.look()).text
    for _ in range(7):  # in steps, or the time of who was called would stand still
        await moved_clock.advance(2)
        await steer(api)
    seen = await inside.look()
    assert "you cannot join again" in seen.text
    assert seen.buttons == []
    await drain(api, room, draining=False)
    assert (await inside.look()).buttons == ["join"]


async def test_where_codes_are_taken_none_is_asked_for(api: Api, show: Resource) -> None:
    room, code = await room_with_codes(api, show)
    browser = Browser(api, room)
    await browser.look()
    await browser.press(act="join")
    await drain(api, room)
    seen = await browser.look("?enter=code")
    assert seen.buttons == []
    assert "Invitation code" not in seen.text
    assert (await browser.press(act="code", code=code, enter="code")).status_code == 409
    await drain(api, room, draining=False)
    assert (await browser.press(act="code", code=code)).status_code == 303
