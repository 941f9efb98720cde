"""What a waiting room tells by category: what is left, and for how many of those who wait."""

from __future__ import annotations

import pytest

import bespeak
from bespeak import ids
from bespeak.admission.categories import CATEGORIES_MAX
from bespeak.admission.category_chances import CategoryOnBoard
from bespeak.admission.forms import NewQueue
from bespeak.admission.told import room_now
from bespeak.lines import Line
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.shows import MakeShow
from tests.harness.waiting import Hall, Worker

HOUSE = bespeak.SeatsPlan(
    sections=(
        bespeak.Section("Stalls", (bespeak.Row("A", 40),), category="best"),
        bespeak.Section("Balcony", (bespeak.Row("B", 60),), category="rest"),
    )
)


@pytest.fixture
def hall(engine: bespeak.Engine, connection: Connection, clock: Clock) -> Hall:
    return Hall(engine, connection, clock)


def seats(show: bespeak.Resource, row: str, numbers: range) -> list[Line]:
    return [Line(show.id, f"{row}{number}") for number in numbers]


async def told(hall: Hall, worker: Worker) -> dict[str, CategoryOnBoard]:
    """The categories by their names, after a look."""
    await hall.go_on(2)
    room = await worker.look()
    return {one.name: one for one in room.categories}


async def test_what_is_left_follows_what_is_held_sold_blocked_and_given_back(
    engine: bespeak.Engine, hall: Hall, make_show: MakeShow
) -> None:
    show = await make_show(plan=HOUSE)
    worker = await hall.open(show.id, pace="stock")
    found = await told(hall, worker)
    assert [(one.units, one.left) for one in found.values()] == [(40, 40), (60, 60)]
    assert [one.places for one in found.values()] == [None, None], "nobody has chosen yet"
    lines = [bespeak.BlockLine(f"B{number}") for number in range(1, 31)]
    await engine.block(show.id, lines, reason="scaffold")
    found = await told(hall, worker)
    assert (found["rest"].left, found["rest"].places) == (30, None), "a block is no choice"
    hold = await engine.place_hold(owner="ada", lines=seats(show, "A", range(1, 13)))
    found = await told(hall, worker)
    assert (found["best"].left, found["rest"].left) == (28, 30)
    best, rest = found["best"].places, found["rest"].places
    assert best is not None
    assert rest is not None
    assert best < rest, "all who came chose stalls, so these are gone first"
    await engine.release_hold(hold.id)
    assert (await told(hall, worker))["best"].left == 40


async def test_what_is_gone_lasts_for_nobody(
    engine: bespeak.Engine, hall: Hall, make_show: MakeShow
) -> None:
    show = await make_show(plan=HOUSE)
    worker = await hall.open(show.id, pace="stock")
    hold = await engine.place_hold(owner="ada", lines=seats(show, "A", range(1, 41)))
    await engine.confirm_hold(hold.id)
    found = await told(hall, worker)
    assert (found["best"].left, found["best"].places) == (0, 0)
    assert found["rest"].places == pytest.approx(60 / 1.8, rel=0.3)


async def test_all_that_is_told_is_of_the_look_of_the_room(hall: Hall, make_show: MakeShow) -> None:
    shows = [await make_show(plan=HOUSE) for _ in range(2)]
    worker = await hall.open(*(show.id for show in shows), pace="stock")
    await hall.go_on(2)
    room = await worker.look()
    now = room_now(room, [show.id for show in shows], room.answered_at)
    assert {(one.resource_id, one.category) for one in now.categories} == {
        (show.id, name) for show in shows for name in ("best", "rest")
    }
    assert now.units_left == sum(one.units_left for one in now.categories) == 200


async def test_only_what_is_counted_and_not_too_much_is_told(
    hall: Hall, make_show: MakeShow
) -> None:
    many = CATEGORIES_MAX + 1
    plans = {
        "one category": bespeak.SeatsPlan(
            sections=(bespeak.Section("Stalls", (bespeak.Row("A", 9),)),)
        ),
        "too many": bespeak.SeatsPlan(
            pools=tuple(bespeak.PoolPlan(f"pool {n}", 5) for n in range(many))
        ),
        "as many as may be": bespeak.SeatsPlan(
            pools=tuple(bespeak.PoolPlan(f"pool {n}", 5) for n in range(many - 1))
        ),
    }
    shows = {name: await make_show(plan=plan) for name, plan in plans.items()}
    by_speed = await make_show(plan=HOUSE)
    counts: dict[str, int] = {}
    for name, show in shows.items():
        worker = await hall.open(show.id, pace="stock")
        counts[name] = len(await told(hall, worker))
    worker = await hall.open(by_speed.id, pace="rate")
    counts["by speed"] = len(await told(hall, worker))
    assert counts == {
        "one category": 1,
        "too many": 0,
        "as many as may be": CATEGORIES_MAX,
        "by speed": 0,
    }
    await hall.change(pace="stock")
    assert len(await told(hall, worker)) == 2
    await hall.change(pace="rate")
    assert not await told(hall, worker), "what is not counted any more is not told either"


async def test_a_plan_that_was_changed_is_counted_as_it_is_now(
    engine: bespeak.Engine, hall: Hall, make_show: MakeShow
) -> None:
    show = await make_show(plan=HOUSE)
    worker = await hall.open(show.id, pace="stock")
    await told(hall, worker)
    wider = bespeak.SeatsPlan(
        sections=HOUSE.sections, pools=(bespeak.PoolPlan("standing", 50, "cheap"),)
    )
    await engine.update_resource(show.id, bespeak.ResourceChange(plan=wider))
    found = await told(hall, worker)
    assert (found["cheap"].units, found["cheap"].left) == (50, 50)


async def test_whoever_goes_on_after_a_killed_process_looks_at_once(
    engine: bespeak.Engine, connection: Connection, clock: Clock, make_show: MakeShow
) -> None:
    show = await make_show(plan=HOUSE)
    first = Hall(engine, connection, clock)
    worker = await first.open(show.id, pace="stock")
    await told(first, worker)
    await engine.place_hold(owner="ada", lines=seats(show, "A", range(1, 11)))
    other = Hall(engine, connection, clock)
    assert (await told(other, worker))["best"].left == 30


async def test_what_is_kept_for_a_waitlist_is_gone_for_the_queue(
    engine: bespeak.Engine, connection: Connection, hall: Hall, make_show: MakeShow
) -> None:
    show = await make_show(plan=HOUSE)
    worker = await hall.open(show.id, pace="stock")
    await engine.place_hold(owner="ada", lines=seats(show, "A", range(1, 21)))
    await told(hall, worker)
    await connection.execute(
        "update bespeak.resource set kept_for_waitlist = true, version = version + 1"
        " where resource_id = $1",
        ids.parse_resource(show.id),
    )
    found = await told(hall, worker)
    assert [(one.left, one.places) for one in found.values()] == [(0, 0), (0, 0)]


async def test_of_a_draft_nothing_is_told(
    engine: bespeak.Engine, hall: Hall, make_show: MakeShow
) -> None:
    show, draft = await make_show(plan=HOUSE), await make_show(plan=HOUSE)
    worker = await hall.open(show.id, draft.id, pace="stock")
    await engine.update_resource(draft.id, bespeak.ResourceChange(published=False))
    await told(hall, worker)
    await hall.go_on(2)
    room = await worker.look()
    assert {ids.show_resource(one.resource) for one in room.categories} == {show.id}


async def test_those_inside_and_other_queues_take_theirs_before_a_chance_is_told(
    engine: bespeak.Engine, hall: Hall, make_show: MakeShow
) -> None:
    """Also where nothing is told by category."""
    pools = tuple(bespeak.PoolPlan(f"pool {n}", 1) for n in range(CATEGORIES_MAX + 1))
    show = await make_show(plan=bespeak.SeatsPlan(pools=pools))
    queues = (NewQueue(name="all"), NewQueue(name="members", share=3))
    worker = await hall.open(
        show.id, pace="stock", inside_max=5, a_minute=6000, queues=queues, early_order="first_come"
    )
    tokens = [worker.join(f"all-{n}") for n in range(60)]
    await worker.look()
    await hall.go_on(2)
    assert len((await worker.look()).categories) == 0
    alone = worker.place(tokens[30])
    assert alone.chance is not None and alone.chances == []
    for n in range(60):
        worker.join(f"member-{n}", queue=1)
    await worker.look()
    with_members = worker.place(tokens[30]).chance
    assert with_members is not None and with_members < alone.chance / 2
    before = (await worker.look()).places_left
    await hall.go_on(62)
    await hall.go_on(2, times=2)
    room = await worker.look()
    inside = sum(
        joins.place_of(one.front) for one, joins in zip(room.queues, room.joins, strict=True)
    )
    assert inside > 0 and room.units_left == len(pools), "nobody has taken anything yet"
    assert before is not None and room.places_left is not None
    assert room.places_left < before, "and they will"
