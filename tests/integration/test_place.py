"""Placing holds: what is granted, what is refused, and that a refusal leaves nothing behind."""

import random

import pytest

import bespeak
from bespeak import (
    HoldState,
    Line,
    NewResource,
    PoolPlan,
    Resource,
    ResourceChange,
    SeatsPlan,
)
from bespeak.errors import (
    BespeakError,
    CurrenciesDiffer,
    DuplicateLine,
    HoldTimeBeyondCap,
    InvalidId,
    OwnerLimitReached,
    ResourceNotOpen,
)
from bespeak.inventory.resources import DEFAULT_OWNER_LIMIT
from tests.harness.clock import START, Clock
from tests.harness.database import Connection, problems, snapshot
from tests.harness.shows import MakeShow, pool, seats, take


async def test_a_hold_has_all_that_was_asked(
    engine: bespeak.Engine, show: Resource, clock: Clock
) -> None:
    lines = [*seats(show, "A1", "B12"), pool(show, "floor", 2)]
    hold = await take(engine, lines, hold_seconds=60)
    assert (hold.state, hold.owner, hold.lines) == (HoldState.HELD, "asha", lines)
    assert hold.created_at == START
    assert (hold.expires_at - START).total_seconds() == 60
    assert (hold.extends_until - START).total_seconds() == 1800
    assert await engine.get_hold(hold.id) == hold


async def test_a_hold_keeps_the_price_of_the_moment(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await make_show(price=bespeak.Price(1250, "INR"))
    hold = await take(engine, [*seats(show, "A1", "A2"), pool(show, "floor", 3)])
    assert hold.amount == bespeak.Money(6250, "INR")
    await engine.update_resource(show.id, bespeak.ResourceChange(price=bespeak.Price(1, "INR")))
    assert (await engine.get_hold(hold.id)).amount == hold.amount
    assert (await take(engine, seats(show, "A3"))).amount == bespeak.Money(1, "INR")
    assert (await engine.confirm_hold(hold.id)).amount == hold.amount


async def test_the_resource_says_how_long_a_hold_lasts(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    short = await make_show(hold_seconds=30, hold_seconds_max=40)
    long = await make_show()
    hold = await take(engine, [*seats(long, "A1"), *seats(short, "A1")])
    assert (hold.expires_at - hold.created_at).total_seconds() == 30
    assert (hold.extends_until - hold.created_at).total_seconds() == 40


async def test_a_taken_unit_is_refused_with_its_state_and_time(
    engine: bespeak.Engine, show: Resource, clock: Clock
) -> None:
    held = await take(engine, seats(show, "A1"))
    booked = await take(engine, seats(show, "A2"))
    await engine.confirm_hold(booked.id)
    await engine.block(show.id, [bespeak.BlockLine("A3")], reason="broken")
    with pytest.raises(bespeak.UnitTaken) as caught:
        await take(engine, seats(show, "A1", "A2", "A3", "A4"), "bela")
    conflicts = caught.value.data["conflicts"]
    assert isinstance(conflicts, list)
    assert {one.unit: one.state for one in conflicts} == {
        "A1": "held",
        "A2": "booked",
        "A3": "blocked",
    }
    assert {one.unit: one.until for one in conflicts}["A1"] == held.expires_at


async def test_a_short_pool_is_refused_with_what_it_has(
    engine: bespeak.Engine, show: Resource
) -> None:
    await take(engine, [pool(show, "floor", 3)])
    with pytest.raises(bespeak.SoldOut) as caught:
        await take(engine, [pool(show, "floor", 3)], "bela")
    conflicts = caught.value.data["conflicts"]
    assert isinstance(conflicts, list)
    (conflict,) = conflicts
    assert (conflict.unit, conflict.state, conflict.available) == ("floor", "short", 2)
    assert conflict.capacity == 5


@pytest.mark.parametrize("position", range(4))
async def test_all_or_nothing_over_resources_and_pools(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, position: int
) -> None:
    shows = [await make_show(owner_limit=6), await make_show()]
    obstacles = [
        seats(shows[0], "A1"),
        seats(shows[1], "A1"),
        [pool(shows[0], "floor", 4)],
        [pool(shows[1], "gallery", 3)],
    ]
    await take(engine, obstacles[position], "bela")
    before = await snapshot(connection)
    with pytest.raises(bespeak.Refused):
        await take(
            engine,
            [
                *seats(shows[0], "A1"),
                *seats(shows[1], "A1"),
                pool(shows[0], "floor", 2),
                pool(shows[1], "gallery", 1),
            ],
        )
    assert await snapshot(connection) == before
    assert await problems(connection) == []


async def test_losers_of_a_batch_leave_nothing_and_winners_all(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, dice: random.Random
) -> None:
    """A hundred requests at once, as the committer writes them, over few seats and small pools."""
    import asyncio

    shows = [await make_show(owner_limit=4) for _ in range(2)]
    asked = []
    for number in range(100):
        units = dice.sample([f"A{n}" for n in range(1, 21)], dice.randint(1, 2))
        lines = [Line(dice.choice(shows).id, unit) for unit in units]
        lines += [pool(dice.choice(shows), dice.choice(["floor", "gallery"]), dice.randint(1, 2))]
        asked.append(engine.place_hold(owner=f"o{number % 30}", lines=lines))
    answers = await asyncio.gather(*asked, return_exceptions=True)
    held = [answer for answer in answers if isinstance(answer, bespeak.Hold)]
    assert held
    assert all(isinstance(answer, bespeak.Hold | bespeak.Refused) for answer in answers)
    assert await problems(connection) == []
    assert await connection.fetchval("select count(*) from bespeak.hold") == len(held)
    assert await connection.fetchval(
        "select count(*) from bespeak.event where kind = 'held' and hold_id is not null"
    ) == sum(len({line.resource_id for line in hold.lines}) for hold in held)


BAD_LINES = [
    ([], bespeak.InvalidRequest),
    ([("A1", None)] * 2, DuplicateLine),
    ([("floor", 1)] * 2, DuplicateLine),
    ([("Z1", None)], bespeak.UnknownUnit),
    ([("B5", None)], bespeak.UnknownUnit),
    ([("A21", None)], bespeak.UnknownUnit),
    ([("floor", None)], bespeak.UnknownUnit),
    ([("A1", 1)], bespeak.UnknownUnit),
    ([("owner:asha", 1)], bespeak.UnknownUnit),
    ([("floor", 0)], bespeak.InvalidRequest),
    ([("floor", -1)], bespeak.InvalidRequest),
    ([("floor", 1_000_001)], bespeak.InvalidRequest),
    ([("floor", 6)], bespeak.SoldOut),
    ([("floor", 2.5)], bespeak.InvalidRequest),
    ([("floor", "2")], bespeak.InvalidRequest),
    ([("floor", True)], bespeak.InvalidRequest),
    ([("", None)], bespeak.InvalidRequest),
    ([("A\n1", None)], bespeak.InvalidRequest),
    ([("A\x001", None)], bespeak.InvalidRequest),
    ([("A" * 201, None)], bespeak.InvalidRequest),
    ([(7, None)], bespeak.InvalidRequest),
    ([(f"A{n}", None) for n in range(101)], bespeak.InvalidRequest),
]


@pytest.mark.parametrize(("lines", "error"), BAD_LINES, ids=lambda value: str(value)[:40])
async def test_bad_lines_are_refused_and_change_nothing(
    engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    lines: list[tuple[str, int | None]],
    error: type[BespeakError],
) -> None:
    before = await snapshot(connection)
    with pytest.raises(error):
        await take(engine, [Line(show.id, unit, quantity) for unit, quantity in lines])
    assert await snapshot(connection) == before


@pytest.mark.parametrize("owner", ["", "x" * 201, "a\nb", "a\x00b"])
async def test_a_bad_owner_or_key_is_refused(
    engine: bespeak.Engine, show: Resource, owner: str
) -> None:
    with pytest.raises(bespeak.InvalidRequest, match="owner"):
        await take(engine, seats(show, "A1"), owner)
    with pytest.raises(bespeak.InvalidRequest, match="idempotency_key"):
        await take(engine, seats(show, "A1"), idempotency_key=owner)


@pytest.mark.parametrize("seconds", [0, -1, 1801, 10**9])
async def test_a_hold_time_beyond_the_cap_is_refused(
    engine: bespeak.Engine, show: Resource, connection: Connection, seconds: int
) -> None:
    before = await snapshot(connection)
    with pytest.raises(HoldTimeBeyondCap) as caught:
        await take(engine, seats(show, "A1"), hold_seconds=seconds)
    assert caught.value.data == {"hold_seconds_max": 1800}
    assert await snapshot(connection) == before


async def test_the_resource_must_exist_and_be_open(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock
) -> None:
    with pytest.raises(bespeak.ResourceNotFound):
        await engine.place_hold(owner="asha", lines=[Line("res_00000001", "A1")])
    with pytest.raises(InvalidId):
        await engine.place_hold(owner="asha", lines=[Line("res_0000000u", "A1")])
    closed = await make_show(state="closed")
    with pytest.raises(bespeak.ResourceClosed):
        await take(engine, seats(closed, "A1"))


async def test_opening_and_closing_times_are_the_databases(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock
) -> None:
    from datetime import timedelta

    show = await make_show(
        opens_at=START + timedelta(hours=1), closes_at=START + timedelta(hours=2)
    )
    with pytest.raises(ResourceNotOpen):
        await take(engine, seats(show, "A1"))
    await clock.set(START + timedelta(hours=1))
    await take(engine, seats(show, "A1"))
    await clock.set(START + timedelta(hours=2))
    with pytest.raises(bespeak.ResourceClosed):
        await take(engine, seats(show, "A2"))


async def test_a_process_that_believes_a_closed_sale_open_is_told(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    """The plan is cached; the database compares versions, so a stale judgement takes no effect."""
    show = await make_show()
    await take(engine, seats(show, "A1"))
    await connection.execute("update bespeak.resource set state = 'closed', version = version + 1")
    with pytest.raises(bespeak.ResourceClosed):
        await take(engine, seats(show, "A2"))
    assert await connection.fetchval("select count(*) from bespeak.claim") == 1


async def test_one_hold_has_one_currency(engine: bespeak.Engine, make_show: MakeShow) -> None:
    euros = await make_show(price=bespeak.Price(0, "EUR"))
    rupees = await make_show(price=bespeak.Price(0, "INR"))
    with pytest.raises(CurrenciesDiffer):
        await take(engine, [*seats(euros, "A1"), *seats(rupees, "A1")])


async def test_nobody_takes_a_whole_house_unless_the_operator_lets_them(
    engine: bespeak.Engine,
) -> None:
    house = SeatsPlan(pools=(PoolPlan("floor", 300),))
    usual = await engine.create_resource(NewResource(name="House", plan=house))
    assert usual.owner_limit == DEFAULT_OWNER_LIMIT == 50
    await take(engine, [pool(usual, "floor", 49)])
    with pytest.raises(OwnerLimitReached):
        await take(engine, [pool(usual, "floor", 2)])
    await take(engine, [pool(usual, "floor", 1)])
    # A box office sells under one name.
    free = await engine.create_resource(NewResource(name="House", plan=house, owner_limit=None))
    await take(engine, [pool(free, "floor", 300)])
    # A resource that has none keeps it through other changes.
    changed = await engine.update_resource(free.id, ResourceChange(name="Hall"))
    assert changed.owner_limit is None
