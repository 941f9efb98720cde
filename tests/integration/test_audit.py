"""The auditor finds what is planted, each kind; so its silence elsewhere is a proof."""

import msgspec
import pytest

import bespeak
from bespeak import (
    Line,
    PoolPlan,
    Resource,
    ResourceChange,
    SoldOut,
    TicketsPlan,
    ids,
)
from tests.harness.database import Connection, problems
from tests.harness.shows import PLAN, MakeShow, pool, seats, take

PLANTED = {
    "double_sold": """
        insert into bespeak.hold select resource_id, bespeak.new_id(resource_id), 'bela', state,
            resources, units, quantities, limit_lines, created_at, expires_at, extends_until
        from bespeak.hold
    """,
    "claim_missing": "delete from bespeak.claim where unit = 'A1'",
    "claim_orphaned": """
        insert into bespeak.claim
        select resource_id, 'A9', bespeak.new_id(resource_id), 'infinity' from bespeak.resource
    """,
    "draw_differs": "update bespeak.draw set quantity = quantity + 1 where unit = 'floor'",
    "pool_miscounted": "update bespeak.pool set taken = taken - 1 where unit = 'owner:asha'",
    "not_in_plan": "update bespeak.resource set plan = jsonb_set(plan, '{sections}', '[]')",
    "over_capacity": """
        update bespeak.resource set plan = jsonb_set(plan, '{pools,0,capacity}', '1')
    """,
    "booking_missing": "update bespeak.hold set state = 'confirmed', ended_at = now()",
}


@pytest.fixture
async def stage(engine: bespeak.Engine, make_show: MakeShow) -> Resource:
    show = await make_show(owner_limit=9)
    await take(engine, [*seats(show, "A1", "A2"), pool(show, "floor", 2)])
    return show


@pytest.mark.parametrize("problem", PLANTED)
async def test_each_kind_is_found(
    engine: bespeak.Engine, stage: Resource, connection: Connection, problem: str
) -> None:
    assert await problems(connection) == []
    await connection.execute(PLANTED[problem])
    kinds = {row["problem"] for row in await connection.fetch("select * from bespeak.audit()")}
    assert problem in kinds
    report = await engine.audit(stage.id)
    assert problem in {violation.problem for violation in report.violations}
    assert report.double_sold == (2 if problem == "double_sold" else 0)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("update bespeak.booking set state = 'cancelled', cancelled_at = now()", "claim_orphaned"),
        ("update bespeak.booking set cancelled = '{1,0,0,1}'", "claim_orphaned"),
        ("update bespeak.booking set cancelled = '{0,0,1,1}'", "draw_differs"),
        ("update bespeak.hold set state = 'released' where true", "booking_missing"),
        ("delete from bespeak.booking", "booking_missing"),
        ("update bespeak.draw set quantity = 3 where unit like 'owner:%'", "pool_miscounted"),
        ("update bespeak.claim set hold_id = bespeak.new_id(resource_id)", "claim_missing"),
    ],
)
async def test_what_is_wrong_with_a_booking_is_found(
    engine: bespeak.Engine, stage: Resource, connection: Connection, change: str, problem: str
) -> None:
    (hold_id,) = [row[0] for row in await connection.fetch("select hold_id from bespeak.hold")]
    await engine.confirm_hold(ids.show(ids.HOLD, hold_id))
    assert await problems(connection) == []
    await connection.execute(change)
    assert problem in str(await problems(connection))


async def test_the_database_itself_refuses_what_must_not_be(
    engine: bespeak.Engine, stage: Resource, connection: Connection
) -> None:
    import asyncpg

    with pytest.raises(asyncpg.UniqueViolationError):
        await connection.execute(
            "insert into bespeak.claim select resource_id, unit, bespeak.new_id(resource_id),"
            " expires_at from bespeak.claim"
        )
    for wrong in (
        "update bespeak.pool set taken = capacity + 1",
        "update bespeak.pool set taken = -1",
        "update bespeak.draw set quantity = 0",
        "update bespeak.hold set state = 'sold'",
        "update bespeak.hold set state = 'released'",
        "update bespeak.hold set ended_at = now()",
        "update bespeak.hold set expires_at = extends_until + interval '1 second'",
        "update bespeak.event set kind = 'lost'",
    ):
        with pytest.raises(asyncpg.CheckViolationError):
            await connection.execute(wrong)


async def test_an_audit_of_one_resource_sees_that_one(
    engine: bespeak.Engine, stage: Resource, make_show: MakeShow, connection: Connection
) -> None:
    other = await make_show()
    await take(engine, seats(other, "A1"))
    await connection.execute("delete from bespeak.claim where unit = 'A2'")
    assert (await engine.audit(other.id)).violations == []
    assert len((await engine.audit(stage.id)).violations) == 1


async def test_a_pool_that_was_lowered_below_what_is_sold_is_no_fault(
    engine: bespeak.Engine, stage: Resource, connection: Connection
) -> None:
    lowered = (PoolPlan("floor", 1), PoolPlan("gallery", 3))
    plan = msgspec.structs.replace(PLAN, pools=lowered)
    await engine.update_resource(stage.id, ResourceChange(plan=plan))
    assert await problems(connection) == []
    with pytest.raises(SoldOut):
        await take(engine, [pool(stage, "floor", 1)], "bela")
    assert await problems(connection) == []


async def test_what_the_sql_does_not_know_of_plans_the_audit_of_a_resource_does(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    session = await make_show(plan=TicketsPlan(count=5))
    await take(engine, [Line(session.id, "5")])
    assert (await engine.audit(session.id)).violations == []
    await connection.execute("update bespeak.resource set plan = jsonb_set(plan, '{count}', '4')")
    (found,) = (await engine.audit(session.id)).violations
    assert (found.problem, found.unit) == ("not_in_plan", "5")


async def test_what_is_taken_of_a_shape_that_is_not_installed_is_counted(
    engine: bespeak.Engine, stage: Resource, connection: Connection
) -> None:
    await connection.execute('update bespeak.resource set plan = \'{"type": "elsewhere"}\'')
    report = await engine.audit(stage.id)
    assert (report.held, report.violations) == (2, [])
