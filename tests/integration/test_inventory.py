"""Blocks, owners, availability and resources: what the operator and the reader see."""

import contextlib
import random

import pytest

import bespeak
from bespeak import (
    Block,
    BlockLine,
    Money,
    PoolPlan,
    Resource,
    ResourceChange,
    Row,
    SeatsPlan,
    Section,
)
from bespeak.errors import (
    DuplicateLine,
    InvalidCursor,
    InvalidId,
    PaymentRequired,
    ResourceInUse,
    VersionMismatch,
)
from bespeak.inventory.errors import BlockNotFound, NotBlocked
from tests.harness.clock import Clock
from tests.harness.database import Connection, feed_settled, problems, snapshot
from tests.harness.shows import MakeShow, book, look, pool, seats, take


async def test_a_block_never_expires_and_is_lifted_in_parts(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection
) -> None:
    lines = [BlockLine("A1"), BlockLine("A2"), BlockLine("floor", 4)]
    block = await engine.block(show.id, lines, reason="stage")
    assert block.lines == lines
    await clock.advance(10**8)
    with pytest.raises(bespeak.UnitTaken):
        await take(engine, seats(show, "A1"))
    with pytest.raises(bespeak.SoldOut):
        await take(engine, [pool(show, "floor", 2)])
    rest = await engine.unblock(block.id, lines=[BlockLine("A1"), BlockLine("floor", 3)])
    assert sorted(rest.lines, key=str) == sorted([BlockLine("A2"), BlockLine("floor", 1)], key=str)
    assert rest.lifted_at is None
    await take(engine, [*seats(show, "A1"), pool(show, "floor", 4)])
    assert (await engine.unblock(block.id)).lifted_at == clock.now
    await take(engine, [*seats(show, "A2"), pool(show, "floor", 1)])
    assert await problems(connection) == []


async def test_a_block_takes_all_or_nothing_and_only_what_is_free(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    await take(engine, [*seats(show, "A1"), pool(show, "floor", 3)])
    for lines, error in (
        ([BlockLine("A1"), BlockLine("A2")], bespeak.UnitTaken),
        ([BlockLine("A1"), BlockLine("floor", 3)], bespeak.UnitTaken),
        ([BlockLine("A2"), BlockLine("floor", 3)], bespeak.SoldOut),
        ([BlockLine("gallery", 1), BlockLine("floor", 3)], bespeak.SoldOut),
    ):
        before = await snapshot(connection)
        with pytest.raises(error):
            await engine.block(show.id, lines, reason="x")
        assert await snapshot(connection) == before
    await engine.block(show.id, [BlockLine("A2"), BlockLine("floor", 2)], reason="x")
    assert await problems(connection) == []


async def test_bad_blocks_change_nothing(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    block = await engine.block(show.id, [BlockLine("A1"), BlockLine("floor", 2)], reason="x")
    before = await snapshot(connection)
    for lines, error in (
        ([], bespeak.InvalidRequest),
        ([BlockLine("A2"), BlockLine("A2")], DuplicateLine),
        ([BlockLine("Z1")], bespeak.UnknownUnit),
        ([BlockLine("floor")], bespeak.UnknownUnit),
        ([BlockLine("A2", 1)], bespeak.UnknownUnit),
        ([BlockLine("floor", 0)], bespeak.InvalidRequest),
        ([BlockLine("floor", -1)], bespeak.InvalidRequest),
        ([BlockLine("floor", 6)], bespeak.SoldOut),
    ):
        with pytest.raises(error):
            await engine.block(show.id, lines, reason="x")
    for lines in (
        [BlockLine("A2")],
        [BlockLine("floor", 3)],
        [BlockLine("A1", 1)],
        [BlockLine("floor")],
    ):
        with pytest.raises(NotBlocked):
            await engine.unblock(block.id, lines=lines)
    with pytest.raises(bespeak.InvalidRequest):
        await engine.unblock(block.id, lines=[BlockLine("floor", -1)])
    with pytest.raises(InvalidId):
        await engine.unblock("hold_" + block.id[4:])
    unknown = block.id[:-1] + ("0" if block.id[-1] != "0" else "1")
    with pytest.raises(BlockNotFound):
        await engine.unblock(unknown)
    with pytest.raises(bespeak.InvalidRequest):
        await engine.block(show.id, [BlockLine("A2")], reason="")
    with pytest.raises(bespeak.ResourceNotFound):
        await engine.block("res_00000001", [BlockLine("A2")], reason="x")
    assert await snapshot(connection) == before
    await engine.unblock(block.id)
    with pytest.raises(NotBlocked):
        await engine.unblock(block.id)


async def test_blocks_are_listed_in_pages(engine: bespeak.Engine, show: Resource) -> None:
    made: list[Block] = [
        await engine.block(show.id, [BlockLine(f"A{n}")], reason="x") for n in range(1, 6)
    ]
    await engine.unblock(made.pop(2).id)
    seen: list[str] = []
    after = None
    while True:
        page = await engine.list_blocks(show.id, after=after, limit=2)
        seen += [block.id for block in page.items]
        after = page.next
        if after is None:
            break
    assert sorted(seen) == sorted(block.id for block in made)
    with pytest.raises(InvalidCursor):
        await engine.list_blocks(show.id, after="nonsense")


async def test_only_the_owner(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    hold = await take(engine, seats(show, "A1"))
    booking = await book(engine, seats(show, "A2"))
    before = await snapshot(connection)
    for refused in (
        engine.get_hold(hold.id, owner="bela"),
        engine.confirm_hold(hold.id, owner="bela"),
        engine.release_hold(hold.id, owner="bela"),
        engine.extend_hold(hold.id, seconds=700, owner="bela"),
        engine.get_booking(booking.id, owner="bela"),
        engine.cancel_booking(booking.id, reason="x", owner="bela"),
        engine.cancel_booking(booking.id, reason="x", owner=""),
    ):
        with pytest.raises(bespeak.NotOwner):
            await refused
    assert await snapshot(connection) == before
    await engine.confirm_hold(hold.id, owner="asha")
    await engine.cancel_booking(booking.id, reason="x", owner="asha")


async def test_ids_of_another_kind_are_refused(engine: bespeak.Engine, show: Resource) -> None:
    hold = await take(engine, seats(show, "A1"))
    for refused in (
        engine.confirm_hold("bkg_" + hold.id[5:]),
        engine.cancel_booking(hold.id, reason="x"),
        engine.get_hold(show.id),
        engine.get_hold("hold_" + "u" * 26),
        engine.get_hold(""),
        engine.availability(hold.id),
    ):
        with pytest.raises(InvalidId):
            await refused


async def test_prices_add_up_and_payment_is_wanted(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await make_show(price=bespeak.Price(1250, "INR"), owner_limit=9)
    hold = await take(engine, [*seats(show, "A1", "A2"), pool(show, "floor", 3)])
    assert (await engine.confirm_hold(hold.id)).amount == Money(6250, "INR")
    paid = await make_show(price=bespeak.Price(1, "EUR"), payment="required")
    hold = await take(engine, seats(paid, "A1"))
    before = await snapshot(connection)
    with pytest.raises(PaymentRequired):
        await engine.confirm_hold(hold.id)
    assert await snapshot(connection) == before
    free = await make_show(payment="required")
    hold = await take(engine, seats(free, "A1"))
    assert (await engine.confirm_hold(hold.id)).amount == Money(0, "EUR")


@pytest.mark.parametrize("round_number", range(3))
async def test_availability_and_holds_never_disagree(
    engine: bespeak.Engine,
    show: Resource,
    clock: Clock,
    dice: random.Random,
    round_number: int,
) -> None:
    """What is shown free can be held at that instant, and what is shown taken cannot."""
    units = [f"A{n}" for n in range(1, 6)]
    held: list[str] = []
    for _ in range(40):
        seen = await look(engine, show)
        unit = dice.choice(units)
        asked = dice.randint(1, 3)
        free = unit not in seen.taken and seen.pools["floor"].available >= asked
        try:
            seconds = dice.choice([30, 60, 1800])
            lines = [*seats(show, unit), pool(show, "floor", asked)]
            hold = await take(engine, lines, hold_seconds=seconds)
            held.append(hold.id)
            assert free
        except bespeak.Refused:
            assert not free
        if held and dice.random() < 0.3:
            ended = held.pop(dice.randrange(len(held)))
            with contextlib.suppress(bespeak.HoldExpired):  # that is one of the histories
                if dice.random() < 0.5:
                    await engine.confirm_hold(ended)
                else:
                    await engine.release_hold(ended)
        await clock.advance(dice.choice([0, 1, 29, 30, 31]))


async def test_availability_is_sparse_counted_and_versioned(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    empty = await look(engine, show)
    assert (empty.taken, empty.units_total, empty.units_free) == ({}, 29, 29)
    assert {unit: level.available for unit, level in empty.pools.items()} == {
        "floor": 5,
        "gallery": 3,
    }
    hold = await take(engine, [*seats(show, "A1"), pool(show, "floor", 2)])
    await book(engine, seats(show, "A2"))
    await engine.block(show.id, [BlockLine("A3")], reason="x")
    await feed_settled(connection)
    seen = await look(engine, show)
    assert {unit: (taken.state, taken.until) for unit, taken in seen.taken.items()} == {
        "A1": ("held", hold.expires_at),
        "A2": ("booked", None),
        "A3": ("blocked", None),
    }
    assert (seen.units_free, seen.pools["floor"].available) == (26, 3)
    assert seen.version != empty.version
    assert (await look(engine, show)).version == seen.version
    report = await engine.audit(show.id)
    assert (report.sold, report.held, report.blocked, report.free) == (1, 1, 1, 26)
    assert (report.double_sold, report.violations) == (0, [])


async def test_a_plan_may_not_lose_what_is_taken(
    engine: bespeak.Engine, show: Resource, clock: Clock
) -> None:
    hold = await take(engine, [*seats(show, "A20"), pool(show, "floor", 1)])
    smaller = SeatsPlan(
        sections=(Section("Stalls", (Row("A", 19),)),), pools=(PoolPlan("floor", 1),)
    )
    with pytest.raises(ResourceInUse) as caught:
        await engine.update_resource(show.id, ResourceChange(plan=smaller))
    assert caught.value.data == {"units": ["A20"]}
    await clock.set(hold.expires_at)
    changed = await engine.update_resource(show.id, ResourceChange(plan=smaller))
    assert changed.version == show.version + 1
    with pytest.raises(bespeak.UnknownUnit):
        await take(engine, seats(show, "A20"))
    with pytest.raises(VersionMismatch):
        await engine.update_resource(show.id, ResourceChange(version=1, name="x"))


async def test_resources_are_listed_in_pages(engine: bespeak.Engine, make_show: MakeShow) -> None:
    made = {(await make_show(kind=kind)).id for kind in ("show", "show", "hall", "show")}
    seen: list[str] = []
    page = await engine.list_resources(limit=2)
    seen += [one.id for one in page.items]
    page = await engine.list_resources(limit=2, after=page.next)
    seen += [one.id for one in page.items]
    assert page.next is None
    assert (set(seen), len(seen)) == (made, 4)
    assert len((await engine.list_resources(kind="hall")).items) == 1
    with pytest.raises(InvalidCursor):
        await engine.list_resources(after="x")
