"""Changes of stays whose rooms the server chooses, in several listings: one that loses a room and
chooses another holds nothing of its first choice meanwhile, so that it waits for nobody who waits
for that. And where somebody else's order of locks is wrong, a change is done again.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, nullcontext

import pytest

import bespeak
from bespeak import Booking, Hold, Line, NightsPlan, Resource, ids
from bespeak.errors import Refused
from bespeak.reservations import placement
from tests.concurrency.waiting import deadlocks, until_somebody_waits, until_waiting
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems, session
from tests.harness.paying import paid_show, paying, paying_engine
from tests.harness.placing import Asked, outcomes, request, seat
from tests.harness.refunding import paid_booking
from tests.harness.shows import MakeShow, take, within_transaction
from tests.integration.test_stay_changes import NIGHT, change, nights

engine = paying_engine
THREE = NightsPlan(rooms=("1", "2", "3"), price=NIGHT)
ALIKE = NightsPlan(count=3, price=NIGHT)
ROUNDS = 12


@pytest.fixture
async def listings(make_show: MakeShow, clock: Clock) -> list[Resource]:
    """Three of three rooms each, in the order in which they are locked."""
    assert clock
    made = [await paid_show(make_show, plan=THREE) for _ in range(3)]
    return sorted(made, key=lambda one: ids.parse_resource(one.id))


@pytest.fixture
async def old(engine: bespeak.Engine, make_show: MakeShow, clock: Clock) -> Booking:
    """Of a room elsewhere, so that none of those that are wanted is tried first."""
    assert clock
    return await paid_booking(engine, [nights(await paid_show(make_show, plan=THREE), 10, 11)])


@pytest.fixture(autouse=True)
async def inventory_is_right(connection: Connection) -> AsyncIterator[None]:
    yield
    assert await problems(connection) == []


def room(listing: Resource, name: str) -> Asked:
    """One night in a room, by name."""
    return seat(ids.parse_resource(listing.id), f"{name}@2030-01-21")


def any_rooms(listings: list[Resource]) -> list[Line]:
    """That night in any room of each."""
    return [nights(one, 20, 21) for one in listings]


@pytest.fixture
def is_control(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the first choice is kept locked, as without the guard."""
    if request.param:
        monkeypatch.setattr(placement, "savepoint", nullcontext)
    return bool(request.param)


@pytest.mark.parametrize("way", ["change", "caller"])
@pytest.mark.parametrize("is_control", [False, True], ids=["guarded", "control"], indirect=True)
async def test_what_was_chosen_first_is_let_go_before_another_choice(
    engine: bespeak.Engine,
    listings: list[Resource],
    old: Booking,
    connection: Connection,
    one: Connection,
    two: Connection,
    database_url: str,
    way: str,
    is_control: bool,
) -> None:
    """The first rooms of the first and the last listing are lost; that of the middle one was had.
    Somebody wants just that and, before it, the room that is chosen next in the first listing."""
    first, middle, last = listings
    lines = any_rooms(listings[::-1])
    async with session(database_url) as three, session(database_url) as callers:
        had = [one.transaction(), three.transaction()]
        for begun in had:
            await begun.start()
        assert await outcomes(one, request(room(first, "1"), owner="bela")) == ["held"]
        assert await outcomes(three, request(room(last, "1"), owner="bela")) == ["held"]
        doing = (
            change(engine, old.id, lines)
            if way == "change"
            else within_transaction(callers, take(engine, lines, connection=callers))
        )
        choosing = asyncio.create_task(doing)
        await until_somebody_waits(connection, one)
        await had[0].commit()
        await until_somebody_waits(connection, three)
        named = request(room(first, "2"), room(middle, "1"), owner="cora")
        naming = asyncio.create_task(outcomes(two, named))
        await until_waiting(connection, two)
        await had[1].commit()
        held, placed = await asyncio.gather(choosing, naming, return_exceptions=True)
    if is_control:
        assert await deadlocks(connection) > 0
        return
    assert placed == ["held"]
    assert isinstance(held, Hold)
    assert [line.unit for line in held.lines[::-1]] == ["3", "2", "2"]
    assert await deadlocks(connection) == 0


@pytest.mark.parametrize("clients", [2, 12])
async def test_a_crowd_that_changes_to_rooms_in_the_same_listings_never_deadlocks(
    engine: bespeak.Engine,
    make_show: MakeShow,
    listings: list[Resource],
    clock: Clock,
    connection: Connection,
    database_url: str,
    clients: int,
) -> None:
    """Each by one of four servers, which know nothing of each other's choices; with its lines in
    this order or the other, and rooms that are counted among them."""
    wanted = [*listings, await paid_show(make_show, plan=ALIKE)]
    lodge = await paid_show(make_show, plan=NightsPlan(count=clients, price=NIGHT))
    stays = [await paid_booking(engine, [nights(lodge, 10, 11)], f"g{n}") for n in range(clients)]
    won = 0

    async def go(server: bespeak.Engine, number: int) -> None:
        nonlocal won
        for turn in range(ROUNDS):
            lines = any_rooms(wanted)[:: 1 if (number + turn) % 2 else -1]
            try:
                held = await change(server, stays[number].id, lines, owner=f"g{number}")
            except Refused:
                continue
            won += 1
            await server.release_hold(held.id)

    async with AsyncExitStack() as stack:
        servers = [await stack.enter_async_context(paying(database_url)) for _ in range(4)]
        for server in servers:
            clock.shared_with(server)
        await asyncio.gather(*(go(servers[n % len(servers)], n) for n in range(clients)))
    assert won >= ROUNDS
    assert await deadlocks(connection) == 0


async def test_a_change_that_collides_is_done_again(
    engine: bespeak.Engine,
    listings: list[Resource],
    old: Booking,
    connection: Connection,
    one: Connection,
) -> None:
    """With a transaction that locks against the order, and would rather wait."""
    first, middle, _ = listings
    lines = [nights(each, 20, 21, unit="1") for each in (first, middle)]
    await one.execute("set deadlock_timeout = '1h'")
    transaction = one.transaction()
    await transaction.start()
    assert await outcomes(one, request(room(middle, "1"), owner="bela")) == ["held"]
    changing = asyncio.create_task(change(engine, old.id, lines))
    await until_somebody_waits(connection, one)
    against = asyncio.create_task(outcomes(one, request(room(first, "1"), owner="bela")))
    assert await against == ["held"]
    assert await deadlocks(connection) >= 1
    await transaction.rollback()
    held = await changing
    assert [line.unit for line in held.lines] == ["1", "1"]
