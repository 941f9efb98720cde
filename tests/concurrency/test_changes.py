"""A change of plan while holds are in flight: no claim on a unit that the new plan lacks."""

import asyncio

import bespeak
from bespeak import Hold, PoolPlan, Resource, ResourceChange, Row, SeatsPlan, Section
from bespeak.errors import ResourceInUse
from bespeak.inventory import resources
from tests.concurrency.waiting import meet
from tests.harness.database import Connection, problems
from tests.harness.shows import seats, take

SMALLER = SeatsPlan(
    sections=(Section("Stalls", (Row("A", 19),)),),
    pools=(PoolPlan("floor", 5), PoolPlan("gallery", 3)),
)


async def test_a_hold_in_flight_keeps_its_seat_in_the_plan(
    engine: bespeak.Engine, show: Resource, connection: Connection, one: Connection, two: Connection
) -> None:
    answer = await meet(
        connection,
        one,
        take(engine, seats(show, "A20"), connection=one),
        two,
        resources.update(two, show.id, ResourceChange(plan=SMALLER)),
    )
    assert isinstance(answer, ResourceInUse)
    assert await problems(connection) == []
    await take(engine, seats(show, "B3"), "bela")


async def test_a_plan_that_is_being_changed_holds_nobody_to_the_old_one(
    engine: bespeak.Engine, show: Resource, connection: Connection, one: Connection, two: Connection
) -> None:
    await take(engine, seats(show, "A1"), "cleo", connection=two)  # the plan is cached from here
    changing = one.transaction()
    await changing.start()
    await resources.update(one, show.id, ResourceChange(plan=SMALLER))
    asked = asyncio.create_task(take(engine, seats(show, "A20"), "asha", connection=two))
    await asyncio.sleep(0)
    await changing.commit()
    (answer,) = await asyncio.gather(asked, return_exceptions=True)
    units = await connection.fetchval(
        "select array_agg(unit) from bespeak.claim where unit not in"
        " (select unit from bespeak.resource r, bespeak.plan_units(r.plan))"
    )
    assert units is None
    assert not isinstance(answer, Hold)


async def test_control_a_change_that_does_not_look_leaves_a_claim_outside_the_plan(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    await take(engine, seats(show, "A20"))
    await connection.execute(
        "update bespeak.resource set plan = jsonb_set(plan, '{sections,0,rows,0,seats}', '19')"
    )
    assert await connection.fetchval(
        "select count(*) from bespeak.claim where unit not in"
        " (select unit from bespeak.resource r, bespeak.plan_units(r.plan))"
    )
