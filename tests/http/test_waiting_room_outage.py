"""The database goes away for a minute while people wait: the line stands and people join, nobody is
let in, and afterwards nobody has lost a place or a turn, and nobody is let in twice.
"""

from __future__ import annotations

import asyncio

from bespeak import Resource
from bespeak.admission.joins import TICK_US
from tests.harness.clock import Clock
from tests.harness.database import Connection, session
from tests.http.api import SETTINGS, Api, Json, document, opened, problem
from tests.http.outage import Wire
from tests.http.waiting import ALL, come_in, join, room_for, steer

PASSES = "select count(*) from bespeak.waiting_pass"


async def place_of(api: Api, room: Json, token: str) -> Json:
    path = f"{ALL}/{room['id']}/place?queue_token={token}"
    return document(await api.ask("GET", path, key=None), 200)


async def asks_in(api: Api, room: Json, token: str, owner: str, code: str) -> None:
    """Asks for the pass, and is refused."""
    shopper = {"bespeak_shopper": api.token(owner)}
    path = f"{ALL}/{room['id']}/passes"
    answer = await api.ask("POST", path, {"queue_token": token}, key="pk", **shopper)
    problem(answer, code)


async def test_a_minute_without_the_database_costs_nobody_a_place_or_a_turn(
    wire: Wire, connection: Connection, database_url: str, show: Resource
) -> None:
    async with opened(SETTINGS, wire.url, connection) as api, session(database_url) as own:
        clock = Clock(own)
        await clock.set(clock.now)
        clock.shared_with(api.service.engine)
        room = await room_for(api, show, a_minute=1, grace_seconds=10)
        ada = await join(api, room, "ada")
        await asyncio.sleep(2 * TICK_US / 1_000_000)  # of one tick either may be called
        ben = await join(api, room, "ben")
        await steer(api)
        await clock.advance(3)
        await steer(api)
        assert (await place_of(api, room, ada))["turn"] == "called"
        before = await place_of(api, room, ben)
        assert (before["turn"], before["ahead"]) == ("waiting", 0)

        await wire.cut()
        cleo = await join(api, room, "cleo")
        assert await place_of(api, room, ben) == before, "the line stands"
        await asks_in(api, room, ada, "ada", "database_unavailable")
        await clock.advance(60)  # six times what ada has to come in

        await wire.mend()
        await api.service.waiting_rooms.board.look()
        # Nobody has looked after the room yet.
        assert (await place_of(api, room, ada))["turn"] == "called"
        await come_in(api, room, ada, "ada")
        await asks_in(api, room, ben, "ben", "not_your_turn")
        await steer(api)
        await asks_in(api, room, ada, "eve", "pass_ended")  # on another device
        await come_in(api, room, ada, "ada")  # once more, by who has it
        assert await connection.fetchval(PASSES) == 1
        assert (await place_of(api, room, ben))["place"] == before["place"]
        await come_in(api, room, ben, "ben")
        last = await place_of(api, room, cleo)
        assert (last["turn"], last["ahead"]) == ("waiting", 0), "counted when it was back"
        await asks_in(api, room, cleo, "cleo", "not_your_turn")
        assert await connection.fetchval(PASSES) == 2


async def test_who_joined_at_a_worker_that_stops_is_counted(
    connection: Connection, database_url: str, show: Resource
) -> None:
    async with opened(SETTINGS, database_url, connection) as api:
        room = await room_for(api, show)
        await join(api, room, "ada")
    assert await connection.fetchval("select sum(joined) from bespeak.waiting_join") == 1
