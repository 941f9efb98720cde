"""Alarms of waiting rooms: raised by what happens in them, and let go when it is over."""

from __future__ import annotations

from datetime import timedelta

import pytest

import bespeak
from bespeak.admission.observer import AdmissionObserver, RoomCrowd
from bespeak.admission.rooms import read_room
from bespeak.admission.steering import Steering
from bespeak.ids import IdMaker, parse_resource
from bespeak.lines import Line
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.waiting import Hall, Worker

PAYMENT = """
    insert into bespeak.payment (resource_id, payment_id, hold_id, owner, provider, state, step,
        action_url, due_at, amount, currency, window_ends_at, created_at)
    values ($1, $2, $3, 'ada', 'sandbox', 'pending', $4,
        case when $4 = 'await' then 'https://bank.example/3ds' end, $5, 1500, 'EUR', $6, $5)
"""


@pytest.fixture
def hall(engine: bespeak.Engine, connection: Connection, clock: Clock) -> Hall:
    return Hall(engine, connection, clock)


async def raised(hall: Hall, connection: Connection) -> dict[str, tuple[float, int]]:
    """Of each alarm the share that went wrong, and of how many."""
    room = await read_room(connection, hall.room.id, None)
    return {one.kind: (one.share, one.cases) for one in room.alarms}


async def opened(hall: Hall, show: str, guests: int, **fields: object) -> Worker:
    """A room that is open, with so many waiting for it."""
    worker = await hall.open(show, after=1, early_order="first_come", **fields)
    for number in range(guests):
        worker.join(f"guest {number}")
    await worker.look()
    await hall.go_on(1)
    return worker


async def test_turns_that_nobody_takes(
    hall: Hall, show: bespeak.Resource, connection: Connection
) -> None:
    worker = await opened(hall, show.id, 300, grace_seconds=10, inside_max=40, a_minute=1200)
    await hall.go_on(2, times=25)
    found = await raised(hall, connection)
    share, cases = found["turns_not_taken"]
    assert share == 1 and cases >= 20
    await hall.change(state="paused")
    await hall.go_on(2)
    assert await raised(hall, connection) == {}, "while nobody can come, nobody stays away"
    await worker.look()


async def test_who_comes_raises_no_alarm(
    hall: Hall, show: bespeak.Resource, connection: Connection
) -> None:
    worker = await hall.open(show.id, after=1, early_order="first_come", grace_seconds=10)
    tokens = [worker.join(f"guest {number}") for number in range(30)]
    await worker.look()
    await hall.go_on(1)
    await hall.go_on(2, times=4)
    for number, token in enumerate(tokens):
        await worker.come_in(token, f"guest {number}")
    await hall.go_on(2, times=25)
    assert await raised(hall, connection) == {}


async def test_passes_that_lapse_with_nothing_bought(
    engine: bespeak.Engine, hall: Hall, show: bespeak.Resource, connection: Connection
) -> None:
    worker = await hall.open(show.id, after=1, early_order="first_come", pass_seconds=60)
    tokens = [worker.join(f"guest {number}") for number in range(30)]
    await worker.look()
    await hall.go_on(1)
    await hall.go_on(2, times=4)
    for number, token in enumerate(tokens):
        await worker.come_in(token, f"guest {number}")
    hold = await engine.place_hold(owner="guest 0", lines=[Line(show.id, "A1")])
    await engine.confirm_hold(hold.id)
    await hall.go_on(2, times=40)
    assert await raised(hall, connection) == {"passes_not_used": (0.97, 30)}
    await hall.change(state="ended")
    assert await raised(hall, connection) == {}


async def test_a_slow_provider_is_seen_by_what_waits_for_it(
    hall: Hall, show: bespeak.Resource, connection: Connection, clock: Clock
) -> None:
    await opened(hall, show.id, 0)
    home, ids = parse_resource(show.id), IdMaker()
    for step in ("authorize", "authorize", "capture", "await", "await", "await", "await"):
        key = (home, ids.new(home), ids.new(home), step)
        await connection.execute(PAYMENT, *key, clock.now, clock.now + timedelta(hours=1))
    await hall.go_on(6)
    assert await raised(hall, connection) == {}, "not yet"
    await hall.go_on(6)
    assert await raised(hall, connection) == {"provider_slow": (1.0, 3)}, "buyers may take longer"
    await connection.execute("delete from bespeak.payment")
    await hall.go_on(6)
    assert await raised(hall, connection) == {}


class Heard(AdmissionObserver):
    """Adds up what it is told."""

    def __init__(self) -> None:
        self.places = 0
        self.outcomes: dict[str, int] = {}
        self.now = RoomCrowd(0, 0, 0)

    def called(self, places: int) -> None:
        """Adds up places."""
        self.places += places

    def ended(self, outcome: str, passes: int) -> None:
        """Adds up passes."""
        self.outcomes[outcome] = self.outcomes.get(outcome, 0) + passes

    def people(self, people: RoomCrowd) -> None:
        """Keeps the last."""
        self.now = people


async def test_whoever_counts_hears_of_everybody(
    engine: bespeak.Engine, hall: Hall, show: bespeak.Resource
) -> None:
    heard = Heard()
    hall.steering = Steering(engine.database, engine.ready_resources, heard)
    worker = await hall.open(
        show.id, after=1, early_order="first_come", inside_max=2, pass_seconds=60
    )
    tokens = [worker.join(f"guest {number}") for number in range(5)]
    await worker.look()
    await hall.go_on(1)
    await hall.go_on(2, times=3)
    assert (heard.places, heard.now) == (2, (3, 2, 0))
    await worker.come_in(tokens[0], "guest 0")
    await worker.come_in(tokens[1], "guest 1")
    hold = await engine.place_hold(owner="guest 0", lines=[Line(show.id, "A1")])
    await engine.confirm_hold(hold.id)
    await hall.go_on(2)
    assert heard.outcomes == {"bought": 1, "lapsed": 0}
    assert (heard.places, heard.now) == (3, (2, 1, 1))
    await hall.go_on(70)
    assert heard.outcomes == {"bought": 1, "lapsed": 1}
