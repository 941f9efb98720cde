"""Waiting rooms at the same instant: one turn on two devices, an opening that is taken back while
somebody comes in, a place that is given up meanwhile, two processes that let people in; each with a
control.
"""

import asyncio
from datetime import timedelta

import pytest

import bespeak
from bespeak import Resource
from bespeak.admission.board import AWAY_SECONDS, RoomOnBoard
from bespeak.admission.errors import NotYourTurn, PassEnded, WaitingRoomPassesGiven
from bespeak.admission.forms import ChangeWaitingRoom
from bespeak.admission.passes import give_pass, leave, leave_line
from bespeak.admission.queue_tokens import QueueToken
from bespeak.admission.rooms import change_room, open_due
from bespeak.admission.steering import Steering
from bespeak.lines import Line
from bespeak.postgres.queries import load
from tests.concurrency.waiting import until_waiting
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.shows import MakeShow
from tests.harness.waiting import Hall

ONE_SEAT = bespeak.SeatsPlan(sections=(bespeak.Section("Stalls", (bespeak.Row("A", 1),)),))
PASSES = "select count(*) from bespeak.waiting_pass"
COUNTED = "select sum(joined) from bespeak.waiting_join"
INSIDE = f"{PASSES} where ended_at is null"
FRONT = "select front from bespeak.waiting_queue"
NEWS = "select count(*) from bespeak.event where kind = $1"


@pytest.fixture
def hall(engine: bespeak.Engine, connection: Connection, clock: Clock) -> Hall:
    return Hall(engine, connection, clock)


async def called(hall: Hall, show: Resource) -> tuple[RoomOnBoard, QueueToken]:
    """A room as a worker knows it, and the token of somebody who has been called."""
    worker, token = await hall.called(show.id)
    return worker.board.rooms[worker.room_id], token


@pytest.mark.parametrize("commit", [True, False])
async def test_one_turn_on_two_devices_is_one_pass(
    hall: Hall,
    show: Resource,
    connection: Connection,
    one: Connection,
    two: Connection,
    commit: bool,
) -> None:
    room, token = await called(hall, show)
    transaction = one.transaction()
    await transaction.start()
    await give_pass(one, room, token, "ada")
    stranger = asyncio.create_task(give_pass(two, room, token, "eve"))
    await until_waiting(connection, two)
    await (transaction.commit() if commit else transaction.rollback())
    if commit:
        with pytest.raises(PassEnded):
            await stranger
    else:
        await stranger  # the first of them never was
    assert await connection.fetchval(PASSES) == 1


async def test_the_control_lets_both_in(
    hall: Hall, show: Resource, connection: Connection, one: Connection, two: Connection
) -> None:
    """Without the person as its key, a pass is given to each who looks before the other has one."""
    room, token = await called(hall, show)
    await connection.execute("alter table bespeak.waiting_pass drop constraint waiting_pass_pkey")
    look = "select count(*) from bespeak.waiting_pass where room_id = $1 and subject = $2"
    give = """
        insert into bespeak.waiting_pass
            (room_id, subject, owner, queue, place_key, given_at, expires_at)
        values ($1, $2, $3, 0, 1, now(), now())
    """
    seen = [await each.fetchval(look, room.room_id, token.subject) for each in (one, two)]
    for each, before, owner in zip((one, two), seen, ("ada", "eve"), strict=True):
        if not before:
            await each.execute(give, room.room_id, token.subject, owner)
    assert await connection.fetchval(PASSES) == 2


async def test_an_opening_is_not_taken_back_behind_who_comes_in(
    hall: Hall,
    show: Resource,
    connection: Connection,
    one: Connection,
    two: Connection,
    clock: Clock,
) -> None:
    room, token = await called(hall, show)
    back = ChangeWaitingRoom(state="scheduled", opens_at=clock.now + timedelta(hours=1))
    transaction = one.transaction()
    await transaction.start()
    await give_pass(one, room, token, "ada")
    taking = asyncio.create_task(change_room(two, room.room_id, back, None))
    await until_waiting(connection, two)
    await transaction.commit()
    with pytest.raises(WaitingRoomPassesGiven):
        await taking
    assert await connection.fetchval("select state from bespeak.waiting_room") == "open"


async def test_nobody_comes_in_behind_an_opening_that_is_taken_back(
    hall: Hall,
    show: Resource,
    connection: Connection,
    one: Connection,
    two: Connection,
    clock: Clock,
) -> None:
    room, token = await called(hall, show)
    back = ChangeWaitingRoom(state="scheduled", opens_at=clock.now + timedelta(hours=1))
    transaction = one.transaction()
    await transaction.start()
    await change_room(one, room.room_id, back, None)
    coming = asyncio.create_task(give_pass(two, room, token, "ada"))
    await until_waiting(connection, two)
    await transaction.commit()
    with pytest.raises(NotYourTurn):
        await coming
    assert await connection.fetchval(PASSES) == 0


async def test_the_control_takes_an_opening_back_behind_who_comes_in(
    hall: Hall, show: Resource, connection: Connection, one: Connection, two: Connection
) -> None:
    """Without the lock, whether somebody was let in is asked before it is seen."""
    room, token = await called(hall, show)
    transaction = one.transaction()
    await transaction.start()
    await one.execute(
        """
        insert into bespeak.waiting_pass
            (room_id, subject, owner, queue, place_key, given_at, expires_at)
        values ($1, $2, 'ada', 0, 1, now(), now())
        """,
        room.room_id,
        token.subject,
    )
    done = await two.execute(
        """
        update bespeak.waiting_room w set state = 'scheduled', opened_at = null
        where not exists (select from bespeak.waiting_pass p where p.room_id = w.room_id)
        """
    )
    await transaction.commit()
    assert done == "UPDATE 1"
    assert await connection.fetchval(PASSES) == 1, "inside a room that has not opened"


async def gone_meanwhile(
    room: RoomOnBoard, token: QueueToken, look: Connection, waiting: Connection, other: Connection
) -> None:
    """Gives the place up and the pass back, while the statement that gives the pass has begun, and
    waits for another device that then gets none."""
    await until_waiting(look, waiting)
    assert await leave_line(look, room.room_id, token)
    assert await leave(look, room.room_id, token.subject, "ada") is None
    await other.execute("rollback")


async def test_who_leaves_while_the_pass_is_being_given_is_not_inside(
    hall: Hall, show: Resource, connection: Connection, one: Connection, two: Connection
) -> None:
    room, token = await called(hall, show)
    await one.execute("begin")
    await give_pass(one, room, token, "eve")
    coming = asyncio.create_task(give_pass(two, room, token, "ada"))
    await gone_meanwhile(room, token, connection, two, one)
    with pytest.raises(PassEnded) as refused:
        await coming
    assert refused.value.data["ended_as"] == "left"
    assert await connection.fetchval(INSIDE) == 0
    with pytest.raises(PassEnded):  # and so it stays, however often it is asked for
        await give_pass(two, room, token, "ada")
    assert not await leave_line(connection, room.room_id, token), "given up once"


async def test_the_control_is_inside_after_leaving(
    hall: Hall, show: Resource, connection: Connection, one: Connection, two: Connection
) -> None:
    """The statement alone sees who had left when it began, and no later."""
    room, token = await called(hall, show)
    key = room.key_of(token)
    give = load("bespeak.admission", "passes.sql")["give"]
    facts = (room.room_id, token.subject, token.queue, key, "ada", room.opened_at, token.joined_at)
    await one.execute("begin")
    await give_pass(one, room, token, "eve")
    coming = asyncio.create_task(two.fetchrow(give, *facts, AWAY_SECONDS, token.joined_us))
    await gone_meanwhile(room, token, connection, two, one)
    assert await coming is not None
    assert await connection.fetchval(INSIDE) == 1


@pytest.mark.parametrize("commit", [True, False])
async def test_a_place_is_given_up_once_on_two_devices(
    hall: Hall,
    show: Resource,
    connection: Connection,
    one: Connection,
    two: Connection,
    commit: bool,
) -> None:
    worker = await hall.open(show.id)
    token = worker.join("ada")
    await worker.look()
    assert await connection.fetchval(COUNTED) == 1
    transaction = one.transaction()
    await transaction.start()
    assert await leave_line(one, worker.room_id, token)
    again = asyncio.create_task(leave_line(two, worker.room_id, token))
    await until_waiting(connection, two)
    await (transaction.commit() if commit else transaction.rollback())
    assert await again is not commit
    assert await connection.fetchval(COUNTED) == 0, "one less, not two"


async def test_two_who_let_people_in_let_in_as_many_as_one(
    engine: bespeak.Engine, hall: Hall, show: Resource, connection: Connection, clock: Clock
) -> None:
    worker = await hall.open(show.id, early_order="first_come", a_minute=600)
    tokens = [worker.join(f"guest {n}") for n in range(500)]
    await worker.look()
    await hall.go_on(60)
    await hall.go_on(3)
    room = await worker.look()
    before = room.joins[0].place_of(room.queues[0].front)
    others = [Steering(engine.database, engine.ready_resources) for _ in range(3)]
    await clock.advance(2)
    await asyncio.gather(*(one.look() for one in (hall.steering, *others)))
    room = await worker.look()
    moved = room.joins[0].place_of(room.queues[0].front) - before
    assert moved == pytest.approx(20, abs=1), "ten a second, for two seconds"
    assert room.key_of(tokens[0]) is not None


async def test_the_control_lets_in_as_many_as_there_are_processes(
    hall: Hall, show: Resource, connection: Connection, one: Connection, two: Connection
) -> None:
    """Without the row of the room, which says when it was looked after last, each adds its own."""
    await called(hall, show)
    before = await connection.fetchval(FRONT)
    for each in (one, two):
        await each.execute("update bespeak.waiting_queue set front = front + 20")
    assert await connection.fetchval(FRONT) == before + 40


async def test_who_lets_people_in_does_not_wait_for_who_comes_in(
    hall: Hall, show: Resource, connection: Connection, one: Connection, clock: Clock
) -> None:
    room, token = await called(hall, show)
    transaction = one.transaction()
    await transaction.start()
    await give_pass(one, room, token, "ada")
    await clock.advance(2)
    await asyncio.wait_for(hall.steering.look(), 30)
    steered = await connection.fetchval("select steered_at from bespeak.waiting_room")
    assert steered == clock.now
    await transaction.commit()


async def test_the_clock_and_an_operator_tell_one_opening(
    hall: Hall,
    show: Resource,
    connection: Connection,
    one: Connection,
    two: Connection,
    clock: Clock,
) -> None:
    room = (await hall.open(show.id)).room_id
    await clock.advance(60)
    transaction = one.transaction()
    await transaction.start()
    await change_room(one, room, ChangeWaitingRoom(state="open"), None)
    due = asyncio.create_task(open_due(two, room))
    await until_waiting(connection, two)
    await transaction.commit()
    await due
    assert await connection.fetchval(NEWS, "waiting_room_opened") == 1


async def test_of_a_killed_process_nothing_is_told_and_the_next_one_tells_it(
    hall: Hall, show: Resource, connection: Connection, one: Connection, two: Connection
) -> None:
    """The transition and its news are one transaction: both are there, or neither."""
    room = (await hall.open(show.id)).room_id
    await one.transaction().start()
    await change_room(one, room, ChangeWaitingRoom(state="open"), None)
    one.terminate()  # as a kill does: nothing is said any more
    await change_room(two, room, ChangeWaitingRoom(state="open"), None)
    assert await connection.fetchval(NEWS, "waiting_room_opened") == 1


async def test_several_who_look_after_a_room_tell_once_that_nothing_is_left(
    engine: bespeak.Engine, hall: Hall, make_show: MakeShow, connection: Connection, clock: Clock
) -> None:
    show = await make_show(plan=ONE_SEAT)
    await engine.confirm_hold(
        (await engine.place_hold(owner="fast", lines=[Line(show.id, "A1")])).id
    )
    await hall.open(show.id, pace="stock", after=1)
    await clock.advance(1)
    several = [hall.steering, *(Steering(engine.database, engine.ready_resources) for _ in "abc")]
    for _ in range(4):
        await clock.advance(2)
        await asyncio.gather(*(each.look() for each in several))
    assert await connection.fetchval(NEWS, "waiting_room_sold_out") == 1


async def test_the_control_tells_it_as_often_as_there_are_processes(
    hall: Hall, show: Resource, connection: Connection, one: Connection, two: Connection
) -> None:
    """Each that asks first whether it was told finds that it was not."""
    room = (await hall.open(show.id)).room_id
    look = "select sold_out_told from bespeak.waiting_room"
    tell = "select bespeak.tell_waiting_room('waiting_room_sold_out', $1, null, null)"
    seen = [await each.fetchval(look) for each in (one, two)]
    for each, was_told in zip((one, two), seen, strict=True):
        if not was_told:
            await each.execute(tell, room)
            await each.execute("update bespeak.waiting_room set sold_out_told = true")
    assert await connection.fetchval(NEWS, "waiting_room_sold_out") == 2
