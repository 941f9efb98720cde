"""Two who want the same of every shape: the last room for stays that overlap, a driver, a seat on
one leg, the last number; and crowds that leave nothing over, sell nothing twice and never deadlock.
"""

import asyncio
import random
from collections import Counter
from zoneinfo import ZoneInfo

import asyncpg
import pytest

import bespeak
from bespeak import Best, Hold, Line, Resource, SoldOut, UnitTaken
from bespeak.errors import PlanChanged
from bespeak.inventory.plans import SaleContext
from bespeak.inventory.shapes.nights.availability import NightsAvailability
from bespeak.inventory.shapes.registry import compile_plan
from tests.concurrency.waiting import deadlocks, meet
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems
from tests.harness.shapes import (
    CLINIC,
    COURTS,
    FESTIVAL,
    PRACTICE,
    RAFFLE,
    ROOM_TYPE,
    ROOMS,
    SHAPES,
    THEATRE,
    TOKENS,
    TRAIN,
    MakeShape,
    Shape,
    hold,
    on,
    plan_of,
)

# Of these, who comes second need not wait for the first: they touch no row together.
APART = [shape for shape in SHAPES if shape not in (FESTIVAL, RAFFLE)]
EVERY_SHAPE = pytest.mark.parametrize("shape", SHAPES, ids=str)


@EVERY_SHAPE
@pytest.mark.parametrize("commit", [True, False])
async def test_two_that_cannot_both_be(
    engine: bespeak.Engine,
    clock: Clock,
    connection: Connection,
    one: Connection,
    two: Connection,
    make_shape: MakeShape,
    shape: Shape,
    commit: bool,
) -> None:
    resource = await make_shape(shape)
    answer = await meet(
        connection,
        one,
        hold(engine, on(resource, shape.one), "asha", connection=one),
        two,
        hold(engine, on(resource, shape.rival), "bela", connection=two),
        commit=commit,
    )
    if not commit:
        assert isinstance(answer, Hold)
    else:
        assert isinstance(answer, UnitTaken if shape.code == "unit_taken" else SoldOut)
    assert await connection.fetchval("select count(*) from bespeak.hold") == 1
    assert await problems(connection) == []


@pytest.mark.parametrize("shape", APART, ids=str)
async def test_two_that_can_both_be_do_not_wait(
    engine: bespeak.Engine,
    clock: Clock,
    connection: Connection,
    one: Connection,
    two: Connection,
    make_shape: MakeShape,
    shape: Shape,
) -> None:
    resource = await make_shape(shape)
    async with one.transaction():
        await hold(engine, on(resource, shape.one), "asha", connection=one)
        async with asyncio.timeout(20):
            await hold(engine, on(resource, shape.other), "bela", connection=two)
    assert await problems(connection) == []


@EVERY_SHAPE
async def test_a_crowd_for_one_thing(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    clock: Clock,
    connection: Connection,
    make_shape: MakeShape,
    shape: Shape,
) -> None:
    clock.shared_with(second_engine)
    resource = await make_shape(shape)
    answers = await asyncio.gather(
        *(
            hold((engine, second_engine)[n % 2], on(resource, shape.one), f"o{n}")
            for n in range(40)
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(answer, Hold) for answer in answers) == 1
    assert all(isinstance(answer, Hold | UnitTaken | SoldOut) for answer in answers), answers
    assert await problems(connection) == []


NAIVE = """
    with made as (
        insert into bespeak.hold
        select resource_id, bespeak.new_id(resource_id), 'x', 'held',
            array_fill(resource_id, array[cardinality($1::text[])]), $1,
            array_fill(null::integer, array[cardinality($1::text[])]), 0, bespeak.now(),
            bespeak.now() + interval '1 hour', bespeak.now() + interval '1 hour'
        from bespeak.resource returning *
    )
    insert into bespeak.claim
    select m.resource_id, u.unit, m.hold_id, m.expires_at from made m, unnest($1::text[]) as u(unit)
"""
STAYS = [
    [f"101@2030-01-{day}" for day in (10, 11, 12)],
    [f"101@2030-01-{day}" for day in (12, 13)],
]


async def look(engine: bespeak.Engine, resource: Resource, day: str) -> bool:
    seen = await engine.availability(resource.id, bespeak.AvailabilityQuery(day, "2030-01-14"))
    assert isinstance(seen, NightsAvailability)
    return "101" not in seen.nights[0].taken


async def test_control_looking_at_the_calendar_and_writing_then_sells_a_night_twice(
    engine: bespeak.Engine,
    clock: Clock,
    connection: Connection,
    one: Connection,
    two: Connection,
    make_shape: MakeShape,
) -> None:
    resource = await make_shape(ROOMS)
    await connection.execute("alter table bespeak.claim drop constraint claim_pkey")
    free = [await look(engine, resource, day) for day in ("2030-01-10", "2030-01-12")]
    assert free == [True, True]
    for naive, stay in zip((one, two), STAYS, strict=True):
        await naive.execute(NAIVE, stay)
    assert "double_sold" in str(await problems(connection))


async def test_control_two_rates_are_kept_apart_by_their_cells_and_the_key_alone(
    clock: Clock,
    connection: Connection,
    one: Connection,
    two: Connection,
    make_shape: MakeShape,
) -> None:
    """Of two guests who want one doctor at two rates that overlap; with the key see
    `test_two_that_cannot_both_be`."""
    await make_shape(PRACTICE)
    plan = compile_plan(PRACTICE.plan)
    sale = SaleContext(clock.now, ZoneInfo(PRACTICE.zone))
    visits = [
        [need.unit for need in plan.line_claims(line, sale).needs]
        for line in (PRACTICE.one, PRACTICE.rival)
    ]
    await connection.execute("alter table bespeak.claim drop constraint claim_pkey")
    for naive, visit in zip((one, two), visits, strict=True):
        await naive.execute(NAIVE, visit)
    assert "double_sold" in str(await problems(connection))


async def test_control_the_primary_key_stops_even_the_naive(
    engine: bespeak.Engine,
    clock: Clock,
    connection: Connection,
    one: Connection,
    two: Connection,
    make_shape: MakeShape,
) -> None:
    await make_shape(ROOMS)
    answer = await meet(
        connection, one, one.execute(NAIVE, STAYS[0]), two, two.execute(NAIVE, STAYS[1])
    )
    assert isinstance(answer, asyncpg.UniqueViolationError)


HALL = {
    "type": "seats",
    "sections": [
        {"name": "Hall", "rows": [{"name": f"{name}-", "seats": 10} for name in "ABCDEFGHIJ"]}
    ],
}


@pytest.mark.parametrize("orphans", ["off", "lenient", "strict"])
async def test_fifty_buyers_of_the_best_two_fill_a_hall_without_gaps(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    clock: Clock,
    connection: Connection,
    make_shape: MakeShape,
    orphans: str,
) -> None:
    clock.shared_with(second_engine)
    resource = await make_shape(THEATRE, plan=plan_of({**HALL, "orphans": orphans}))
    best = [Line(resource.id, best=Best(2))]
    answers = await asyncio.gather(
        *(hold((engine, second_engine)[n % 2], best, f"o{n}") for n in range(50)),
        return_exceptions=True,
    )
    failed = [answer for answer in answers if not isinstance(answer, Hold)]
    assert failed == []
    taken = [line.unit for answer in answers if isinstance(answer, Hold) for line in answer.lines]
    assert len(set(taken)) == 100
    with pytest.raises((SoldOut, bespeak.NotTogether)):
        await hold(engine, best, "late")
    assert await problems(connection) == []


@pytest.mark.parametrize(
    "shape", [TRAIN, ROOM_TYPE, FESTIVAL, TOKENS, CLINIC, PRACTICE, COURTS], ids=str
)
async def test_a_crowd_with_wishes_of_all_kinds(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    clock: Clock,
    connection: Connection,
    make_shape: MakeShape,
    dice: random.Random,
    shape: Shape,
) -> None:
    """Holds, bookings and releases across each other; what is refused is refused for a reason."""
    clock.shared_with(second_engine)
    resource = await make_shape(shape, owner_limit=6)
    wishes = [shape.one, shape.rival, shape.other, shape.open, shape.some]

    async def buyer(number: int) -> None:
        mine = (engine, second_engine)[number % 2]
        for _ in range(4):
            wish = on(resource, dice.choice([one for one in wishes if one is not None]))
            try:
                held = await hold(mine, wish, f"o{number % 20}", partial=dice.random() < 0.3)
                if dice.random() < 0.3:
                    booking = await mine.confirm_hold(held.id)
                    await mine.cancel_booking(booking.id, reason="x", lines=held.lines[:1])
                else:
                    await mine.release_hold(held.id)
            except bespeak.Refused as error:
                assert not isinstance(error, PlanChanged), error

    await asyncio.gather(*(buyer(number) for number in range(30)))
    assert await deadlocks(connection) == 0
    assert await problems(connection) == []


async def test_carts_of_every_shape_are_whole_and_never_deadlock(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    clock: Clock,
    connection: Connection,
    make_shape: MakeShape,
    dice: random.Random,
) -> None:
    clock.shared_with(second_engine)
    shapes = [THEATRE, ROOMS, ROOM_TYPE, CLINIC, TOKENS, RAFFLE, FESTIVAL, TRAIN, COURTS]
    resources = [await make_shape(shape, owner_limit=30) for shape in shapes]
    wishes = {
        resource.id: [
            line
            for line in (shape.one, shape.rival, shape.other, shape.open, shape.some)
            if line is not None
        ]
        for shape, resource in zip(shapes, resources, strict=True)
    }
    sizes: Counter[int] = Counter()

    async def buyer(number: int) -> None:
        mine = (engine, second_engine)[number % 2]
        for _ in range(6):
            chosen = dice.sample(resources, 3)
            cart = [line for one in chosen for line in on(one, dice.choice(wishes[one.id]))]
            try:
                held = await hold(mine, cart, f"o{number}")
            except bespeak.Refused as error:
                assert not isinstance(error, PlanChanged), error
                continue
            assert {line.resource_id for line in held.lines} == {one.id for one in chosen}
            sizes[len(chosen)] += 1
            if dice.random() < 0.7:
                await mine.release_hold(held.id)

    await asyncio.gather(*(buyer(number) for number in range(24)))
    assert sizes[3] > 0
    assert await deadlocks(connection) == 0
    assert await problems(connection) == []
