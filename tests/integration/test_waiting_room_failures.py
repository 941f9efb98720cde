"""What goes wrong around a waiting room, and takes nobody's place or turn."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace

import pytest

import bespeak
from bespeak.admission.errors import NotYourTurn
from bespeak.admission.joins import TICK_US
from bespeak.admission.place_keys import FIRST_LATE, late_key
from bespeak.admission.queue_tokens import QueueToken
from bespeak.errors import DatabaseUnavailable
from tests.conftest import SETTINGS
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.fragile import FragileWire
from tests.harness.waiting import TOKENS, Hall


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


async def test_who_looks_at_several_processes_is_counted_once(
    hall: Hall, show: bespeak.Resource, clock: Clock
) -> None:
    """Each process finds them not counted, and none knows yet what the others found."""
    dying = await hall.open(show.id)
    tokens = [dying.join(owner) for owner in ("ada", "ben")]
    others = [await hall.worker() for _ in range(4)]
    await clock.advance(10)
    for other in others:
        room = await other.look()
        for token in tokens:
            other.board.count_again(room, token)
            other.board.count_again(room, token)
    totals = [(await other.look()).joins[0].total for other in others]
    ticks = {token.joined_us // TICK_US for token in tokens}
    assert totals == [len(ticks)] * 4


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


async def test_a_script_that_joins_without_end_has_one_draw_and_some_numbers(
    hall: Hall, show: bespeak.Resource, connection: Connection
) -> None:
    worker = await hall.open(show.id)
    subject = TOKENS.subject_of(worker.room_id, "script")
    tokens = [worker.join("ben")]
    began_us = worker.board.clock.now_us()
    for number in range(100_000):  # within two seconds
        joined_us = began_us + number * 20
        worker.board.count_join(worker.room_id, 0, joined_us)
    tokens += [QueueToken(0, began_us + number, subject) for number in range(0, 2_000_000, 400_000)]
    assert len(worker.board._counted) <= 202
    await hall.go_on(60)
    room = await worker.look()
    assert room.joins[0].total == 100_001
    assert len({room.key_of(token) for token in tokens[1:]}) == 1
    rows = await connection.fetchval("select count(*) from bespeak.waiting_join")
    assert rows <= 202
    late = worker.join("late")
    assert (room.key_of(late) or 0) > FIRST_LATE > max(room.key_of(one) or 0 for one in tokens)


@pytest.mark.parametrize("after", [False, True])
async def test_a_count_that_was_not_answered_is_written_again(
    database_url: str, connection: Connection, clock: Clock, show: bespeak.Resource, after: bool
) -> None:
    """Whether it was written cannot be known: twice holds nobody's place, never would."""
    wire = FragileWire(database_url)
    await wire.mend()
    try:
        async with bespeak.connect(wire.url, settings=SETTINGS, sweep=False) as engine:
            hall = Hall(engine, connection, clock)
            worker = await hall.open(show.id, after=1)
            tokens = [worker.join("ada")]
            wire.arm("bespeak.waiting_join", after=after)
            with pytest.raises(DatabaseUnavailable):
                await worker.look()
            room = await worker.look()
            assert room.joins[0].total == (2 if after else 1)
            tokens.append(worker.join("ben"))
            await worker.look()
            await hall.go_on(2, times=4)
            for token, owner in zip(tokens, ("ada", "ben"), strict=True):
                await worker.come_in(token, owner)
    finally:
        await wire.cut()


async def test_machines_whose_clocks_are_five_seconds_apart_keep_one_order(
    hall: Hall, show: bespeak.Resource, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each asks the database what time it is, and then only how much time has gone by."""
    began, skews = 1000.0, (5.0, -5.0)
    at = began
    skew = 0.0
    for module in ("board", "queue_clock"):
        machine = SimpleNamespace(monotonic=lambda: at + skew, time=lambda: at + skew)
        monkeypatch.setattr(f"bespeak.admission.{module}.time", machine)
    one = await hall.open(show.id, after=1, early_order="first_come")
    workers = (one, await hall.worker())
    tokens = []
    for turn in range(20):
        skew = skews[turn % 2]
        await clock.advance(0.02)
        at += 0.02
        worker = workers[turn % 2]
        if turn < 4:
            await worker.look()
        tokens.append(worker.join(f"guest {turn}"))
    skew = 5.0
    await workers[1].look()
    room = await one.look()
    keys = [room.key_of(token) or 0 for token in tokens]
    assert keys == sorted(keys)
    assert [one.place(token).place for token in tokens] == list(range(1, 21))
    # The control: by their own clocks, who came to the second machine were all before the others.
    own = [late_key(int((began + turn * 0.02 + skews[turn % 2]) * 1e6)) for turn in range(20)]
    assert own != sorted(own)


async def test_an_opening_is_taken_back_to_any_time(
    hall: Hall, show: bespeak.Resource, clock: Clock
) -> None:
    """Also to one before the queue was opened: the mistake is often in the date."""
    await hall.open(show.id)
    await hall.change(state="open")
    mistaken = clock.now - timedelta(days=1)
    room = await hall.change(state="scheduled", opens_at=mistaken)
    assert (room.state, room.early_opens_at, room.opens_at) == ("scheduled", mistaken, mistaken)
    await hall.go_on()
    assert (await hall.change(message="We are open.")).state == "open"
