"""A pass that has ended before its time buys nothing more, at any worker, and no database is asked;
what was held with it is still bought.
"""

from __future__ import annotations

import pytest

from bespeak import Resource
from bespeak.admission.errors import PassInvalid
from bespeak.http.server.waiting_rooms import WaitingRooms
from bespeak.lines import Line
from tests.harness.clock import Clock
from tests.harness.database import Connection, session
from tests.http.api import SETTINGS, Api, Json, document, opened, problem
from tests.http.outage import Wire
from tests.http.waiting import ALL, come_in, holding, join, room_for, steer

BUYING = ("/v1/holds", "/v1/quotes")


def other_worker(api: Api) -> WaitingRooms:
    """Another process, which has not looked yet."""
    own = api.service.waiting_rooms
    return WaitingRooms(api.service.engine, b"its own secret", own.keys)


async def inside(api: Api, room: Json, clock: Clock, owner: str = "asha") -> tuple[str, str]:
    """Joins and comes in: the queue token and the pass."""
    token = await join(api, room, owner)
    for _ in range(3):
        await clock.advance(2)
        await steer(api)
    return token, await come_in(api, room, token, owner)


async def refused(api: Api, show: Resource, given: str, unit: str = "A1") -> None:
    headers = {"bespeak_shopper": api.token("asha"), "bespeak_pass": given}
    for path in BUYING:
        answer = await api.ask("POST", path, holding(show, unit), key="pk", **headers)
        problem(answer, "pass_invalid", detail="the pass has ended")


async def held(api: Api, show: Resource, given: str, unit: str) -> str:
    headers = {"bespeak_shopper": api.token("asha"), "bespeak_pass": given}
    answer = await api.ask("POST", "/v1/holds", holding(show, unit), key="pk", **headers)
    return str(document(answer, 201)["id"])


async def leave(api: Api, room: Json, token: str) -> None:
    path = f"{ALL}/{room['id']}/passes?queue_token={token}"
    answer = await api.ask("DELETE", path, key="pk", bespeak_shopper=api.token("asha"))
    assert answer.status_code == 204


async def test_whoever_left_buys_nothing_more(api: Api, show: Resource, moved_clock: Clock) -> None:
    room = await room_for(api, show)
    token, given = await inside(api, room, moved_clock)
    lines = [Line(show.id, "A1")]
    other = other_worker(api)
    await other.check_pass(lines, "asha", given)
    await leave(api, room, token)
    await refused(api, show, given)
    await other.board.look()
    with pytest.raises(PassInvalid):
        await other.check_pass(lines, "asha", given)
    with pytest.raises(PassInvalid):  # one that begins after it
        await other_worker(api).check_pass(lines, "asha", given)


async def test_whoever_has_bought_buys_nothing_more_but_what_was_held_with_the_pass(
    api: Api, show: Resource, moved_clock: Clock
) -> None:
    room = await room_for(api, show)
    _, given = await inside(api, room, moved_clock)
    first, second = await held(api, show, given, "A1"), await held(api, show, given, "A2")
    shopper = {"bespeak_shopper": api.token("asha")}
    document(await api.ask("POST", "/v1/bookings", {"hold_id": first}, key="pk", **shopper), 201)
    await moved_clock.advance(2)
    await steer(api)
    await refused(api, show, given, "A3")
    document(await api.ask("POST", "/v1/bookings", {"hold_id": second}, key="pk", **shopper), 201)


async def test_whoever_comes_in_again_has_the_new_pass_and_not_the_old_one(
    api: Api, show: Resource, moved_clock: Clock
) -> None:
    room = await room_for(api, show)
    token, old = await inside(api, room, moved_clock)
    await leave(api, room, token)
    await moved_clock.advance(1)
    _, new = await inside(api, room, moved_clock)
    lines = [Line(show.id, "A1")]
    await refused(api, show, old)
    await held(api, show, new, "A1")
    late = other_worker(api)  # it never saw the old one as that of who is inside
    await late.check_pass(lines, "asha", new)
    with pytest.raises(PassInvalid):
        await late.check_pass(lines, "asha", old)
    await moved_clock.advance(700)  # both are over, and nothing is kept of them
    await api.service.waiting_rooms.board.look()
    assert len(api.service.waiting_rooms.board.passes_over) == 0


async def test_a_pass_asked_for_again_is_as_good(
    api: Api, show: Resource, moved_clock: Clock
) -> None:
    room = await room_for(api, show)
    token, given = await inside(api, room, moved_clock)
    again = await come_in(api, room, token)
    await leave(api, room, token)
    for one in (given, again):
        await refused(api, show, one)


async def test_passes_are_judged_with_the_database_gone(
    wire: Wire, connection: Connection, database_url: str, show: Resource
) -> None:
    async with opened(SETTINGS, wire.url, connection) as api, session(database_url) as own:
        clock = Clock(own)
        await clock.set(clock.now)
        clock.shared_with(api.service.engine)
        room = await room_for(api, show)
        token, ended = await inside(api, room, clock)
        await leave(api, room, token)
        _, good = await inside(api, room, clock, "ben")
        rooms, lines = api.service.waiting_rooms, [Line(show.id, "A1")]
        await wire.cut()
        await rooms.check_pass(lines, "ben", good)
        for owner, text in (("asha", ended), ("asha", good), ("ben", "x")):
            with pytest.raises(PassInvalid):
                await rooms.check_pass(lines, owner, text)
        await refused(api, show, ended)
