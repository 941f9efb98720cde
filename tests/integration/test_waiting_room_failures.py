"""What goes wrong around a waiting room, and takes nobody's place or turn."""

from __future__ import annotations

import pytest

import bespeak
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
