"""Waiting rooms: from joining to the pass, and who is let in when."""

from __future__ import annotations

from datetime import timedelta

import pytest

import bespeak
from bespeak.admission.errors import (
    NotYourTurn,
    PassEnded,
    ResourceInWaitingRoom,
    TurnLost,
    WaitingRoomOpened,
    WaitingRoomPassesGiven,
)
from bespeak.admission.forms import NewQueue
from bespeak.admission.passes import leave
from bespeak.errors import InvalidRequest, ResourceNotFound, VersionMismatch
from bespeak.lines import Line
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.shows import MakeShow
from tests.harness.waiting import TOKENS, Hall

TWO_SEATS = bespeak.SeatsPlan(sections=(bespeak.Section("Stalls", (bespeak.Row("A", 2),)),))


@pytest.fixture
def hall(engine: bespeak.Engine, connection: Connection, clock: Clock) -> Hall:
    return Hall(engine, connection, clock)


async def test_who_came_early_is_shuffled_and_who_came_late_stands_behind(
    hall: Hall, show: bespeak.Resource
) -> None:
    worker = await hall.open(show.id, a_minute=600)
    early = {f"early {n}": worker.join(f"early {n}") for n in range(40)}
    await worker.look()
    assert worker.place(early["early 3"]).turn == "early"
    assert worker.place(early["early 3"]).place is None, "before the opening nobody has a place"
    await hall.go_on(60)
    await worker.look()
    late = {f"late {n}": worker.join(f"late {n}") for n in range(10)}
    await hall.go_on(1)
    room = await worker.look()
    assert room.opened_at is not None
    early_keys = [room.key_of(token) for token in early.values()]
    late_keys = [room.key_of(token) for token in late.values()]
    assert None not in early_keys
    assert early_keys != sorted(early_keys, key=str), "the order is not that of joining"
    assert max(map(int, map(str, early_keys))) < min(map(int, map(str, late_keys)))
    assert late_keys == sorted(late_keys, key=str)
    assert worker.place(late["late 0"]).place in range(40, 44)


async def test_those_before_the_front_come_in_and_the_others_wait(
    hall: Hall, show: bespeak.Resource
) -> None:
    worker = await hall.open(show.id, a_minute=60, inside_max=500)
    tokens = {f"guest {n}": worker.join(f"guest {n}") for n in range(100)}
    await worker.look()
    await hall.go_on(60)
    await hall.go_on(1, times=12)
    room = await worker.look()
    (queue,) = room.queues
    called = [who for who, token in tokens.items() if (room.key_of(token) or 0) < queue.front]
    # Of the places, not of the people: where their draws are is chance.
    assert 10 <= room.joins[0].place_of(queue.front) <= 18, "about one a second"
    for who, token in tokens.items():
        if who in called:
            await worker.come_in(token, who)
        else:
            with pytest.raises(NotYourTurn):
                await worker.come_in(token, who)


async def test_nobody_comes_in_before_the_sale(hall: Hall, show: bespeak.Resource) -> None:
    worker = await hall.open(show.id)
    token = worker.join("ada")
    await hall.go_on(1, times=3)
    with pytest.raises(NotYourTurn):
        await worker.come_in(token, "ada")


async def test_a_pass_is_given_once_however_often_it_is_asked_for(
    hall: Hall, show: bespeak.Resource
) -> None:
    worker, token = await hall.called(show.id)
    ends_at = await worker.come_in(token, "ada")
    await hall.go_on(5)
    assert await worker.come_in(token, "ada") == ends_at
    with pytest.raises(PassEnded) as refused:
        await worker.come_in(token, "eve")
    assert refused.value.data["ended_as"] == "taken"


async def test_to_join_often_is_of_no_use(hall: Hall, show: bespeak.Resource) -> None:
    worker = await hall.open(show.id)
    tokens = [worker.join("ada") for _ in range(50)]
    await worker.look()
    await hall.go_on(60)
    await worker.look()
    tokens.append(worker.join("ada"))
    await hall.go_on(1)
    room = await worker.look()
    keys = [key for token in tokens if (key := room.key_of(token)) is not None]
    assert len(keys) == 51
    assert len(set(keys[:50])) == 1, "before the opening a person has one draw"
    assert keys[50] > keys[0], "after it, a later place"


async def test_who_does_not_come_loses_the_turn_and_may_join_again(
    hall: Hall, show: bespeak.Resource
) -> None:
    worker, token = await hall.called(show.id, grace_seconds=10)
    await hall.go_on(2, times=6)
    with pytest.raises(TurnLost):
        await worker.come_in(token, "ada")
    assert worker.place(token).turn == "lost"
    again = worker.join("ada")
    await worker.look()
    await hall.go_on(2, times=3)
    await worker.come_in(again, "ada")


async def test_leavers_do_not_keep_others_waiting(hall: Hall, show: bespeak.Resource) -> None:
    worker = await hall.open(
        show.id, after=1, inside_max=10, grace_seconds=10, a_minute=6000, early_order="first_come"
    )
    tokens = [worker.join(f"guest {n}") for n in range(400)]
    await worker.look()
    await hall.go_on(2, times=60)
    room = await worker.look()
    assert room.queues[0].front > (room.key_of(tokens[99]) or 0), (
        "nobody came, and the front went on"
    )


async def test_while_it_is_paused_nobody_comes_in_and_no_time_runs_out(
    hall: Hall, show: bespeak.Resource
) -> None:
    worker, token = await hall.called(show.id, grace_seconds=10)
    await hall.change(state="paused")
    with pytest.raises(NotYourTurn):
        await worker.come_in(token, "ada")
    await hall.go_on(2, times=20)
    await hall.change(state="open")
    await worker.come_in(token, "ada")


async def test_the_time_of_the_called_stands_still_while_nobody_looks_after_the_room(
    hall: Hall, show: bespeak.Resource
) -> None:
    worker, token = await hall.called(show.id, grace_seconds=10)
    await hall.go_on(300)  # as when the database was away
    await worker.come_in(token, "ada")


async def test_no_more_are_inside_than_may_be(
    hall: Hall, show: bespeak.Resource, connection: Connection
) -> None:
    worker = await hall.open(show.id, inside_max=5, a_minute=6000, early_order="first_come")
    tokens = [worker.join(f"guest {n}") for n in range(50)]
    await worker.look()
    await hall.go_on(60)
    await hall.go_on(2, times=5)
    inside = 0
    for number, token in enumerate(tokens):
        try:
            await worker.come_in(token, f"guest {number}")
            inside += 1
        except NotYourTurn:
            break
    assert inside == 5
    await hall.go_on(2, times=3)
    assert (await worker.look()).queues[0].front <= (
        worker.board.rooms[hall.room.id].key_of(tokens[5]) or 0
    )
    assert await leave(connection, hall.room.id, tokens[0].subject, "guest 0")
    await hall.go_on(2, times=3)
    await worker.come_in(tokens[5], "guest 5")


async def test_with_a_stock_only_as_many_come_as_find_something(
    engine: bespeak.Engine, hall: Hall, make_show: MakeShow
) -> None:
    show = await make_show()
    worker = await hall.open(show.id, pace="stock", a_minute=60_000, early_order="first_come")
    for number in range(2000):
        worker.join(f"guest {number}")
    await worker.look()
    await hall.go_on(60)
    await hall.go_on(2, times=3)
    room = await worker.look()
    known = await engine.ready_resources.get_many(list(room.resources), None)
    units = sum(ready.plan.units_total() or 0 for ready in known.values())
    called = room.joins[0].place_of(room.queues[0].front)
    assert 0 < called <= units, "no more than could buy one each"
    assert room.units_left == units


async def test_sold_out_stops_at_once_and_what_comes_back_opens_again(
    engine: bespeak.Engine, hall: Hall, make_show: MakeShow
) -> None:
    show = await make_show(plan=TWO_SEATS)
    worker = await hall.open(show.id, pace="stock", early_order="first_come")
    tokens = [worker.join(f"guest {n}") for n in range(9)]
    await worker.look()
    hold = await engine.place_hold(owner="fast", lines=[Line(show.id, "A1"), Line(show.id, "A2")])
    booking = await engine.confirm_hold(hold.id)
    await hall.go_on(60)
    await hall.go_on(2, times=3)
    room = await worker.look()
    assert room.sold_out
    with pytest.raises(NotYourTurn) as refused:
        await worker.come_in(tokens[0], "guest 0")
    assert refused.value.data["sold_out"] is True
    await engine.cancel_booking(booking.id, reason="ill")
    await hall.go_on(2, times=3)
    assert not (await worker.look()).sold_out
    await worker.come_in(tokens[0], "guest 0")


async def test_who_has_bought_makes_room(
    engine: bespeak.Engine, hall: Hall, show: bespeak.Resource, clock: Clock
) -> None:
    worker = await hall.open(show.id, inside_max=1, early_order="first_come")
    tokens = [worker.join(f"guest {n}") for n in range(2)]
    await worker.look()
    await hall.go_on(60)
    await hall.go_on(2, times=3)
    await worker.come_in(tokens[0], "guest 0")
    hold = await engine.place_hold(owner="guest 0", lines=[Line(show.id, "A1")])
    await engine.confirm_hold(hold.id)
    await hall.go_on(2, times=3)
    with pytest.raises(PassEnded) as ended:
        await worker.come_in(tokens[0], "guest 0")
    assert ended.value.data["ended_as"] == "bought"
    await worker.come_in(tokens[1], "guest 1")


async def test_queues_share_what_is_let_in(hall: Hall, show: bespeak.Resource) -> None:
    queues = (NewQueue(name="general", share=3), NewQueue(name="members", share=1, invited=True))
    worker = await hall.open(show.id, queues=queues, a_minute=2400, early_order="first_come")
    for number in range(2000):
        worker.join(f"guest {number}", number % 2)
    await worker.look()
    await hall.go_on(60)
    await hall.go_on(1, times=4)
    room = await worker.look()
    general, members = (
        joins.place_of(one.front) for one, joins in zip(room.queues, room.joins, strict=True)
    )
    assert general + members > 40
    assert general == pytest.approx(3 * members, abs=8)


async def test_an_opening_is_taken_back_until_somebody_is_inside(
    hall: Hall, show: bespeak.Resource, clock: Clock
) -> None:
    worker = await hall.open(show.id)
    token = worker.join("ada")
    await worker.look()
    await hall.change(state="open")
    told = hall.room.seed
    assert told is not None
    await hall.go_on(2, times=3)
    later = clock.now + timedelta(minutes=5)
    await hall.change(state="scheduled", opens_at=later)
    assert hall.room.seed is None
    with pytest.raises(NotYourTurn):
        await worker.come_in(token, "ada")
    await hall.go_on(301)
    await hall.go_on(2, times=3)
    await worker.come_in(token, "ada")
    assert (await hall.change(name="Premiere, again")).seed not in (None, told), "a new seed"
    with pytest.raises(WaitingRoomPassesGiven):
        await hall.change(state="scheduled", opens_at=later)


async def test_a_room_that_was_changed_since_it_was_read_is_read_again(
    hall: Hall, show: bespeak.Resource, connection: Connection, clock: Clock
) -> None:
    worker = await hall.open(show.id)
    worker.join("ada")
    await worker.look()
    await hall.go_on(60)
    stale = await worker.look()
    await hall.change(state="scheduled", opens_at=clock.now + timedelta(minutes=5))
    await clock.advance(5)
    await hall.steering._steer(connection, stale)
    assert await connection.fetchval("select front from bespeak.waiting_queue") == 0, (
        "nobody is called before the sale"
    )
    await hall.steering._steer(connection, await worker.look())
    assert await connection.fetchval("select steered_at from bespeak.waiting_room") == clock.now


async def test_the_seed_is_told_when_it_can_change_nothing(
    hall: Hall, show: bespeak.Resource
) -> None:
    await hall.open(show.id)
    assert hall.room.seed is None
    promised = hall.room.seed_hash
    opened = await hall.change(state="open")
    assert opened.seed is not None
    assert opened.seed_hash == promised
    assert opened.public_value is not None
    assert opened.public_value.startswith("event ")
    with pytest.raises(WaitingRoomOpened):
        await hall.change(early_order="first_come")


async def test_a_worker_that_dies_takes_nobodys_place(hall: Hall, show: bespeak.Resource) -> None:
    dying = await hall.open(show.id)
    token = dying.join("ada")  # and the worker is killed before it told the database
    other = await hall.worker()
    await hall.go_on(60)
    late = other.join("ben")
    await other.look()
    await hall.go_on(2, times=3)
    await other.come_in(token, "ada")
    await other.come_in(late, "ben")


async def test_workers_agree_on_every_place(hall: Hall, show: bespeak.Resource) -> None:
    one = await hall.open(show.id, early_order="first_come")
    other = await hall.worker()
    tokens = [(one, other)[n % 2].join(f"guest {n}") for n in range(30)]
    await one.look()
    await other.look()
    await one.look()
    assert one.board.rooms[hall.room.id].joins[0].total == 30
    places = [one.place(token).place for token in tokens]
    assert places == [other.place(token).place for token in tokens]


async def test_a_change_names_the_version_that_it_was_made_for(
    hall: Hall, show: bespeak.Resource
) -> None:
    await hall.open(show.id)
    version = hall.room.version
    await hall.change(version=version, message="The doors open at seven.")
    with pytest.raises(VersionMismatch):
        await hall.change(version=version, message=None)
    assert hall.room.message == "The doors open at seven."
    with pytest.raises(InvalidRequest):
        await hall.change(state="paused")


async def test_a_resource_is_behind_one_room_until_that_ends(
    hall: Hall, show: bespeak.Resource
) -> None:
    await hall.open(show.id)
    with pytest.raises(ResourceInWaitingRoom):
        await hall.open(show.id)
    with pytest.raises(ResourceNotFound):
        await hall.open("res_zzzzzzzz")
    await hall.change(state="ended")
    await hall.open(show.id)


def test_tokens_of_tests_are_tokens() -> None:
    assert len(TOKENS.subject_of("wrm_x", "ada")) == 16
