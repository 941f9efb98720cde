"""Two machines with API and background work over one database, each killed with -9 again and again
while people join, look and come in. Nobody loses a place, everybody comes in once, in their order.
"""

from __future__ import annotations

import asyncio
import itertools
import random
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import httpx
import psutil

import bespeak
from bespeak.http.server.keys import create_key
from tests.conftest import SETTINGS
from tests.harness.database import Connection
from tests.harness.shows import new_show
from tests.http.running import Server, running

PEOPLE = 40
KILLS = 3
INSIDE_MAX = 5
PATIENCE_SECONDS = 240
ROOMS = "/v1/waiting-rooms"
# Of how many the count was lost is not known: no more than joined within a second of a kill.
UNCOUNTED_MAX = 10
ACTIVE = "select count(*) from bespeak.waiting_pass where ended_at is null"
EARLY = """
select count(*) from bespeak.waiting_pass p where not exists (
    select from bespeak.waiting_front f
    where f.room_id = p.room_id and f.front > p.place_key and f.moved_at <= p.given_at)
"""

# How the room stands: told when somebody does not come in.
STANDING = """
select w.state, w.credit, w.steered_at, w.opened_at, bespeak.now() as now, q.front,
    (select max(c.called_at) from bespeak.waiting_call c) as called_at,
    (select array_agg(array[j.tick, j.joined] order by j.tick)
        from bespeak.waiting_join j) as joins,
    (select array_agg(p.place_key order by p.place_key) from bespeak.waiting_pass p
        where p.ended_at is null) as inside
from bespeak.waiting_room w join bespeak.waiting_queue q using (room_id)
"""


class Machine:
    """A `serve` of its own, killed and started again. Nobody is told that it is down: its address
    stays the last one, where nobody answers until the next start.
    """

    def __init__(self, url: str, folder: Path) -> None:
        self._url = url
        self._folder = folder
        self._stack = ExitStack()
        self.server: Server | None = None
        self.address = ""

    def start(self) -> None:
        self.server = self._stack.enter_context(
            running(
                self._folder / "data", "serve",
                BESPEAK_DATABASE_URL=self._url, BESPEAK_BOX_OFFICE="false",
                BESPEAK_RATE_LIMIT_SECRET="",
            )
        )  # fmt: skip
        self.address = self.server.url

    def kill(self) -> None:
        """All of it at once, as when the machine loses power."""
        assert self.server is not None
        root = psutil.Process(self.server.process.pid)
        everything = [root, *root.children(recursive=True)]
        for process in everything:
            process.kill()
        _, alive = psutil.wait_procs(everything, 5)
        assert not alive, f"not killed: {alive}"
        self.stop()

    def stop(self) -> None:
        self._stack.close()


class Crowd:
    """People who repeat, at either machine, whatever is not answered."""

    def __init__(self, machines: list[Machine], key: str, room: str, dice: random.Random) -> None:
        self._machines = machines
        self._room = room
        self._dice = dice
        self._client = httpx.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=5)
        self.keys: list[int] = []
        self.passes: dict[str, set[str]] = {}
        self.unanswered = 0

    async def insist(self, method: str, path: str, body: object = None) -> httpx.Response:
        while True:
            url = f"{self._dice.choice(self._machines).address}{ROOMS}/{self._room}/{path}"
            try:
                answer = await self._client.request(method, url, json=body)
                # Who has just come up may know of no room for a moment.
                if answer.status_code not in (404, 503):
                    return answer
            except httpx.TransportError:
                self.unanswered += 1
            await asyncio.sleep(0.05)

    async def join(self, owner: str) -> str:
        answer = await self.insist("POST", "queue-tokens", {"owner": owner})
        assert answer.status_code == 201, answer.text
        found = answer.json()
        self.keys.append(int(found["place"]["place_key"], 16))
        return str(found["queue_token"])

    async def wait_and_come_in(self, owner: str, token: str, key: int) -> None:
        while True:
            place = (await self.insist("GET", f"place?queue_token={token}")).json()
            assert int(place["place_key"], 16) == key, "the place is another"
            assert place["turn"] in ("early", "waiting", "called"), place
            if place["turn"] == "called":
                given = await self.insist("POST", "passes", {"queue_token": token, "owner": owner})
                if given.status_code == 201:
                    break
                assert given.json()["code"] == "not_your_turn", given.text
            await asyncio.sleep(0.2)
        again = await self.insist("POST", "passes", {"queue_token": token, "owner": owner})
        assert again.status_code == 201, again.text
        self.passes[owner] = {one.json()["expires_at"] for one in (given, again)}
        await asyncio.sleep(0.3)
        await self.insist("DELETE", f"passes?queue_token={token}")

    async def come(self) -> None:
        """All of them, one after the other; until the last has come in."""
        async with asyncio.TaskGroup() as people:
            for number in range(PEOPLE):
                owner = f"guest {number}"
                token = await self.join(owner)
                people.create_task(self.wait_and_come_in(owner, token, self.keys[-1]))
                await asyncio.sleep(0.1)

    async def close(self) -> None:
        await self._client.aclose()


async def kill_now_and_then(machines: list[Machine], dice: random.Random) -> None:
    for _ in range(KILLS):
        await asyncio.sleep(dice.uniform(0.5, 2))
        machine = dice.choice(machines)
        await asyncio.to_thread(machine.kill)
        await asyncio.to_thread(machine.start)


async def most_inside(connection: Connection) -> int:
    """How many were inside at most, until cancelled; told by then."""
    most = 0
    try:
        while True:
            most = max(most, await connection.fetchval(ACTIVE))
            await asyncio.sleep(0.05)
    except asyncio.CancelledError:
        return most


async def test_two_machines_that_are_killed_again_and_again_let_everybody_in_once(
    database_url: str, connection: Connection, tmp_path: Path, dice: random.Random
) -> None:
    key, _ = await create_key(connection, "secret", "crowd")
    admin, _ = await create_key(connection, "admin", "house")
    async with bespeak.connect(database_url, settings=SETTINGS, sweep=False) as engine:
        show = await engine.create_resource(new_show())
    machines = [Machine(database_url, tmp_path / name) for name in ("one", "two")]
    try:
        for machine in machines:
            machine.start()
        room = await make_room(machines[0], admin, show.id)
        crowd = Crowd(machines, key, room, dice)
        watching = asyncio.create_task(most_inside(connection))
        killing = asyncio.create_task(kill_now_and_then(machines, dice))
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await asyncio.gather(crowd.come(), killing)
        except TimeoutError as error:
            watching.cancel()
            await watching
            stands = [dict(row) for row in await connection.fetch(STANDING)]
            raise AssertionError(f"{len(crowd.passes)} came in; {killing}; {stands}") from error
        watching.cancel()
        assert await watching <= INSIDE_MAX + UNCOUNTED_MAX
        assert crowd.unanswered > 0, "nobody noticed that they were killed"
        await crowd.close()
    finally:
        for machine in machines:
            machine.stop()
    assert {len(answers) for answers in crowd.passes.values()} == {1}
    assert len(crowd.passes) == PEOPLE
    # By the way to the database and back they may be wrong, and by no more.
    assert all(one < other + 100_000 for one, other in itertools.pairwise(crowd.keys))
    assert await connection.fetchval("select count(*) from bespeak.waiting_pass") == PEOPLE
    assert await connection.fetchval(EARLY) == 0, "nobody was let in before their turn"


async def make_room(machine: Machine, key: str, show: str) -> str:
    assert machine.server is not None
    body = {
        "name": "Premiere", "resources": [show], "opens_at": datetime.now(UTC).isoformat(),
        "early_order": "first_come", "pace": "rate", "a_minute": 600, "inside_max": INSIDE_MAX,
    }  # fmt: skip
    async with httpx.AsyncClient(headers={"Authorization": f"Bearer {key}"}) as client:
        answer = await client.post(machine.server.url + ROOMS, json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])
