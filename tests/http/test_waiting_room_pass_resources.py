"""A pass names what it is for, so that whoever judges it needs no list of what is behind a room."""

from __future__ import annotations

import pytest
from joserfc import jwt

from bespeak import Resource, ids
from bespeak.admission.board import QueueBoard
from bespeak.admission.errors import PassInvalid
from bespeak.admission.passes import RESOURCES_NAMED_MAX, Pass, give_pass, sign_pass
from bespeak.admission.steering import Steering
from bespeak.lines import Line
from bespeak.ticketing.keys import ALGORITHM
from tests.harness.clock import Clock
from tests.harness.database import Connection, session
from tests.harness.shows import MakeShow
from tests.http.api import SETTINGS, Api, Json, document, opened, problem
from tests.http.outage import Wire
from tests.http.waiting import ALL, come_in, holding, join, room_for, steer

BUYING = ("/v1/holds", "/v1/quotes")


async def inside(api: Api, room: Json, clock: Clock) -> str:
    """Joins and comes in as asha: the pass."""
    token = await join(api, room)
    for _ in range(3):
        await clock.advance(2)
        await steer(api)
    return await come_in(api, room, token)


async def signed(api: Api, room: Json, resources: frozenset[int] | None) -> str:
    """A pass of asha as this installation signs it, for these resources."""
    ends_at = int(api.service.engine.clock.seconds()) + 600
    content = Pass(str(room["id"]), "asha", ends_at, None, None, resources)
    return sign_pass(await api.service.waiting_rooms.keys.current(), content)


async def claims_of(api: Api, given: str) -> dict[str, object]:
    keys = await api.service.waiting_rooms.keys.current()
    return jwt.decode(given, keys.newest, algorithms=[ALGORITHM]).claims


def shown(api: Api, given: str) -> dict[str, str]:
    return {"bespeak_shopper": api.token("asha"), "bespeak_pass": given}


async def test_a_pass_names_what_is_behind_its_room_and_is_good_for_all_of_it(
    api: Api, make_show: MakeShow, moved_clock: Clock
) -> None:
    shows = [await make_show(), await make_show()]
    room = await room_for(api, *shows)
    given = await inside(api, room, moved_clock)
    claims = await claims_of(api, given)
    assert claims["resources"] == sorted(show.id for show in shows)
    both = {"lines": [{"resource_id": show.id, "unit": "A1"} for show in shows]}
    for path in reversed(BUYING):
        answer = await api.ask("POST", path, both, key="pk", **shown(api, given))
        assert answer.status_code in (200, 201), answer.text


async def test_a_pass_is_refused_for_what_it_does_not_name(
    api: Api, make_show: MakeShow, moved_clock: Clock
) -> None:
    first, second = await make_show(), await make_show()
    room = await room_for(api, first, second)
    given = await signed(api, room, frozenset({ids.parse_resource(first.id)}))
    both = {"lines": [{"resource_id": show.id, "unit": "A1"} for show in (first, second)]}
    for path in BUYING:
        for body in (holding(second, "A1"), both):
            answer = await api.ask("POST", path, body, key="pk", **shown(api, given))
            problem(
                answer,
                "pass_invalid",
                detail="the pass is for other resources",
                waiting_room_id=room["id"],
            )
    answer = await api.ask("POST", "/v1/holds", holding(first, "A1"), key="pk", **shown(api, given))
    document(answer, 201)
    nothing = await signed(api, room, frozenset())
    answer = await api.ask(
        "POST", "/v1/holds", holding(first, "A2"), key="pk", **shown(api, nothing)
    )
    problem(answer, "pass_invalid")


async def test_a_pass_of_before_passes_named_resources_is_good_until_its_end(
    api: Api, show: Resource, moved_clock: Clock
) -> None:
    room = await room_for(api, show)
    given = await signed(api, room, None)
    assert "resources" not in await claims_of(api, given)
    answer = await api.ask("POST", "/v1/holds", holding(show, "A1"), key="pk", **shown(api, given))
    document(answer, 201)
    await moved_clock.advance(601)
    answer = await api.ask("POST", "/v1/holds", holding(show, "A2"), key="pk", **shown(api, given))
    problem(answer, "pass_invalid", detail="the pass has ended")


async def test_a_pass_for_so_many_that_it_names_none_is_good_for_all_of_its_room_alone(
    api: Api, make_show: MakeShow, moved_clock: Clock
) -> None:
    shows = [await make_show() for _ in range(RESOURCES_NAMED_MAX + 1)]
    other = await make_show()
    room = await room_for(api, *shows)
    await room_for(api, other)
    given = await inside(api, room, moved_clock)
    assert "resources" not in await claims_of(api, given)
    for one in (shows[0], shows[-1]):
        answer = await api.ask(
            "POST", "/v1/holds", holding(one, "A1"), key="pk", **shown(api, given)
        )
        document(answer, 201)
    answer = await api.ask("POST", "/v1/holds", holding(other, "A1"), key="pk", **shown(api, given))
    problem(answer, "pass_invalid", detail="the pass is of another waiting room")


async def test_a_worker_that_has_not_heard_of_a_change_gives_a_pass_for_what_is_there_now(
    api: Api, make_show: MakeShow, moved_clock: Clock
) -> None:
    """The answer of the worker that gave the pass is lost, and the repeat comes to one that last
    looked before the operator put the room in front of another show."""
    before, now = await make_show(), await make_show()
    room = await room_for(api, before, opens_in=3600)
    token = await join(api, room)
    await api.service.waiting_rooms.board.look()
    change = {"resources": [now.id], "state": "open"}
    document(await api.ask("PATCH", f"{ALL}/{room['id']}", change, key="ak"), 200)
    engine = api.service.engine
    elsewhere = QueueBoard(engine.database)
    for _ in range(3):
        await moved_clock.advance(2)
        await Steering(engine.database, engine.ready_resources).look()
    await elsewhere.look()
    read = api.service.waiting_rooms.tokens.read(str(room["id"]), token)
    async with engine.database.borrow() as connection:
        await give_pass(connection, elsewhere.rooms[str(room["id"])], read, "asha")

    known = api.service.waiting_rooms.board.rooms[str(room["id"])]
    assert known.resources == [ids.parse_resource(before.id)], "this worker has not looked since"
    given = await come_in(api, room, token)
    assert (await claims_of(api, given))["resources"] == [now.id]


async def test_what_a_pass_is_for_is_judged_with_the_database_gone(
    wire: Wire, connection: Connection, database_url: str, make_show: MakeShow
) -> None:
    async with opened(SETTINGS, wire.url, connection) as api, session(database_url) as own:
        clock = Clock(own)
        await clock.set(clock.now)
        clock.shared_with(api.service.engine)
        first, second = await make_show(), await make_show()
        room = await room_for(api, first, second)
        given = await signed(api, room, frozenset({ids.parse_resource(first.id)}))
        rooms = api.service.waiting_rooms
        await wire.cut()
        await rooms.check_pass([Line(first.id, "A1")], "asha", given)
        with pytest.raises(PassInvalid):
            await rooms.check_pass([Line(second.id, "A1")], "asha", given)
