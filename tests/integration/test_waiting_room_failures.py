"""What goes wrong around a waiting room, and takes nobody's place or turn."""

from __future__ import annotations

import pytest

import bespeak
from bespeak.admission.errors import NotYourTurn
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.waiting import Hall


@pytest.fixture
def hall(engine: bespeak.Engine, connection: Connection, clock: Clock) -> Hall:
    return Hall(engine, connection, clock)


async def test_who_was_called_comes_in_before_anybody_looks_after_the_room_again(
    hall: Hall, show: bespeak.Resource, clock: Clock
) -> None:
    """In the moment in which the database is back, a worker may be asked before the room is looked
    after: the time of those who were called stood still all the same."""
    worker, token = await hall.called(show.id, grace_seconds=10)
    await clock.advance(60)
    await worker.look()
    assert worker.place(token).turn == "called"
    await worker.come_in(token, "ada")


async def test_control_while_the_room_is_looked_after_the_time_runs(
    hall: Hall, show: bespeak.Resource
) -> None:
    worker, token = await hall.called(show.id, grace_seconds=10)
    await hall.go_on(2, times=6)
    await worker.look()
    assert worker.place(token).turn == "lost"


@pytest.mark.parametrize("early_order", ["shuffle", "first_come"])
async def test_the_last_who_joined_come_in_though_their_process_was_killed_before_it_told(
    hall: Hall, show: bespeak.Resource, clock: Clock, early_order: str
) -> None:
    """Nobody joins after them, by whom the front would go on: they are counted when they look."""
    dying = await hall.open(show.id, early_order=early_order)
    token = dying.join("ada")  # and the worker is killed before it told the database
    other = await hall.worker()
    await hall.go_on(60)
    await clock.advance(10)
    room = await other.look()
    assert room.joins[0].total == 0
    other.board.count_again(room, token)
    await other.look()
    await hall.go_on(2, times=3)
    await other.come_in(token, "ada")


async def test_control_who_does_not_look_is_not_counted(
    hall: Hall, show: bespeak.Resource, clock: Clock
) -> None:
    dying = await hall.open(show.id)
    token = dying.join("ada")
    other = await hall.worker()
    await hall.go_on(60)
    await clock.advance(10)
    await hall.go_on(2, times=3)
    with pytest.raises(NotYourTurn):
        await other.come_in(token, "ada")


async def test_who_was_counted_is_not_counted_again(
    hall: Hall, show: bespeak.Resource, clock: Clock
) -> None:
    worker = await hall.open(show.id, after=1)
    token = worker.join("ada")
    for seconds in (0, 1, 20):  # not written yet, written, and of long ago
        await clock.advance(seconds)
        room = await worker.look()
        worker.board.count_again(room, token)
    room = await worker.look()
    assert room.joins[0].total == 1
    await hall.change(state="ended")
    room = await worker.look()
    worker.board.count_again(room, token._replace(joined_us=token.joined_us - 10_000_000))
    assert (await worker.look()).joins[0].total == 1, "nobody waits any more"
