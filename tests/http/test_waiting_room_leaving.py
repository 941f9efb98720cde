"""Who waits leaves the line: the place is gone at once, and those behind move up."""

from __future__ import annotations

import pytest

from bespeak import Resource
from bespeak.admission.joins import QueueJoins
from bespeak.admission.place_keys import late_key
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.http.api import SETTINGS, Api, Json, document, opened, problem
from tests.http.outage import Wire
from tests.http.test_waiting_pages import Browser
from tests.http.test_waiting_room_codes import room_with_codes
from tests.http.waiting import ALL, come_in, join, room_for, steer

LEAVERS = "select count(*) from bespeak.waiting_leaver"


async def leave(api: Api, room: Json, token: str, owner: str = "ada", status: int = 204) -> None:
    path = f"{ALL}/{room['id']}/passes?queue_token={token}"
    answer = await api.ask("DELETE", path, key="pk", bespeak_shopper=api.token(owner))
    assert answer.status_code == status, answer.text


async def ahead(api: Api, room: Json, token: str) -> object:
    await api.service.waiting_rooms.board.look()
    path = f"{ALL}/{room['id']}/place?queue_token={token}"
    return document(await api.ask("GET", path, key=None), 200)["ahead"]


async def refused(api: Api, room: Json, token: str, code: str, owner: str = "ada") -> Json:
    body = {"queue_token": token}
    path = f"{ALL}/{room['id']}/passes"
    asked = await api.ask("POST", path, body, key="pk", bespeak_shopper=api.token(owner))
    return problem(asked, code)


async def line_of(api: Api, room: Json, clock: Clock, *owners: str) -> list[str]:
    """Joins one after the other, each in a tick of their own; their tokens."""
    tokens = []
    for owner in owners:
        await clock.advance(0.1)
        await api.service.waiting_rooms.board.look()
        tokens.append(await join(api, room, owner))
    await api.service.waiting_rooms.board.look()
    return tokens


async def test_who_leaves_is_ahead_of_nobody_and_comes_in_no_more(
    api: Api, show: Resource, moved_clock: Clock, connection: Connection
) -> None:
    room = await room_for(api, show, opens_in=3600)
    ada, ben, cleo = await line_of(api, room, moved_clock, "ada", "ben", "cleo")
    assert await ahead(api, room, cleo) == 2
    for _ in range(3):  # as after a lost answer
        await leave(api, room, ada)
    assert await ahead(api, room, cleo) == 1, "once, however often it is said"
    await leave(api, room, ben, "eve")  # on another device, which is another guest
    assert await ahead(api, room, cleo) == 0
    now = document(await api.ask("GET", f"{ALL}/{room['id']}/now", key=None), 200)
    assert now["queues"][0]["joined"] == 1  # type: ignore[index]
    assert (await api.get(f"{ALL}/{room['id']}"))["joined"] == 1
    (again,) = await line_of(api, room, moved_clock, "ada")
    assert await ahead(api, room, again) == 1, "to join again is to join anew"
    document(await api.ask("PATCH", f"{ALL}/{room['id']}", {"state": "open"}, key="ak"), 200)
    for _ in range(4):
        await moved_clock.advance(2)
        await steer(api)
    gone = await refused(api, room, ada, "pass_ended")
    assert gone["ended_as"] == "left"
    await refused(api, room, ben, "pass_ended", "ben")
    await come_in(api, room, cleo, "cleo")
    await come_in(api, room, again)
    await leave(api, room, cleo, "cleo")
    assert (await refused(api, room, cleo, "pass_ended", "cleo"))["ended_as"] == "left"
    assert (await api.get(f"{ALL}/{room['id']}"))["joined"] == 2, "who came in is no leaver"
    assert await connection.fetchval(LEAVERS) == 2


async def test_a_code_is_one_turn_and_not_given_back(api: Api, show: Resource) -> None:
    room, code = await room_with_codes(api, show)
    token = await join(api, room, "ada", code=code)
    assert await join(api, room, "ada", code=code) == token
    await leave(api, room, token)
    path = f"{ALL}/{room['id']}/queue-tokens"
    again = await api.ask("POST", path, {"code": code}, key="pk", bespeak_shopper=api.token("ada"))
    problem(again, "invite_code_used_up", persons=1)
    document(await api.ask("POST", path, {}, key="pk", bespeak_shopper=api.token("ada")), 201)


async def test_of_a_draw_the_count_stays_and_the_place_is_gone(
    api: Api, show: Resource, moved_clock: Clock
) -> None:
    """How many leave by their draws is no matter of chance: those with a bad one go. So the others'
    places, which follow from how many there are, do not count them out."""
    room = await room_for(api, show, opens_in=60, early_order="shuffle")
    ada, _ = await line_of(api, room, moved_clock, "ada", "ben")
    await leave(api, room, (await line_of(api, room, moved_clock, "eve"))[0], "eve")
    await moved_clock.advance(61)
    for _ in range(4):
        await steer(api)
        await moved_clock.advance(2)
    path = f"{ALL}/{room['id']}/now"
    assert document(await api.ask("GET", path, key=None), 200)["early_joined"] == 2, "before it"
    await leave(api, room, ada)
    await api.service.waiting_rooms.board.look()
    assert document(await api.ask("GET", path, key=None), 200)["early_joined"] == 2, "after it"
    assert (await refused(api, room, ada, "pass_ended"))["ended_as"] == "left"


async def test_who_joined_at_another_worker_a_moment_ago_is_counted_out_all_the_same(
    api: Api, connection: Connection, database_url: str, show: Resource, moved_clock: Clock
) -> None:
    room = await room_for(api, show, opens_in=3600)
    async with opened(SETTINGS, database_url, connection) as other:
        await other.service.waiting_rooms.board.look()
        ada = await join(other, room, "ada")
        await moved_clock.advance(0.1)
        (ben,) = await line_of(api, room, moved_clock, "ben")
        await leave(api, room, ada)  # of whom no count has been told yet
        assert await ahead(api, room, ben) == 0
        await other.service.waiting_rooms.board.look()
        assert await ahead(api, room, ben) == 0
        assert await ahead(other, room, ben) == 0


async def test_without_the_database_one_stays_and_is_told_so(
    wire: Wire, connection: Connection, database_url: str, show: Resource
) -> None:
    async with opened(SETTINGS, wire.url, connection) as api:
        room = await room_for(api, show, opens_in=3600)
        token = await join(api, room, "ada")
        await api.service.waiting_rooms.board.look()
        await wire.cut()
        await leave(api, room, token, status=503)
        await wire.mend()
        assert await connection.fetchval(LEAVERS) == 0
        await leave(api, room, token)
        assert await connection.fetchval(LEAVERS) == 1


async def test_the_page_without_javascript_asks_first(
    api: Api, show: Resource, connection: Connection
) -> None:
    room = await room_for(api, show, opens_in=3600)
    browser = Browser(api, room)
    await browser.look()
    await browser.arrive(act="join")
    seen = await browser.look("?enter=leave")
    assert seen.title.startswith("Leave the queue?")
    assert (seen.buttons, seen.refresh) == (["leave"], "")
    assert "nobody can bring it back" in seen.text
    document(await api.ask("PATCH", f"{ALL}/{room['id']}", {"draining": True}, key="ak"), 200)
    await api.service.waiting_rooms.board.look()
    assert "so you cannot come back" in (await browser.look("?enter=leave")).text
    document(await api.ask("PATCH", f"{ALL}/{room['id']}", {"draining": False}, key="ak"), 200)
    await api.service.waiting_rooms.board.look()
    seen = await browser.arrive(act="leave")
    assert seen.buttons == ["join"]
    assert await connection.fetchval(LEAVERS) == 1
    await browser.arrive(act="leave")  # pressed twice
    seen = await browser.arrive(act="join")
    assert "Your place is certain" in seen.text or "being worked out" in seen.text
    assert await connection.fetchval(LEAVERS) == 1


@pytest.mark.parametrize("shuffled", [True, False])
def test_counts_that_become_less_move_all_who_are_behind(shuffled: bool) -> None:
    joins = QueueJoins(shuffled=shuffled)
    ticks = [(tick, 2) for tick in range(100, 200, 2)]
    joins.take(ticks, 0)
    joins.take([(120, 0), (130, 1), (100, -1), (101, 3), (198, 2), (300, 5)], 0)
    fresh = QueueJoins(shuffled=shuffled)
    kept = dict(ticks) | {120: 0, 130: 1, 100: 0, 101: 3, 300: 5}
    fresh.take(kept.items(), 0)
    assert joins.total == fresh.total == 2 * 50 - 2 - 1 - 2 + 3 + 5
    for tick in (99, 100, 101, 121, 131, 150, 299, 301):
        key = late_key(tick * 10_000)
        assert (
            joins.place_of(key)
            == fresh.place_of(key)
            == sum(count for of, count in kept.items() if of < tick)
        )
    if not shuffled:
        for place in range(joins.total + 1):
            assert joins.place_of(joins.key_at(place)) == place
