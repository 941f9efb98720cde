"""A stay in several listings that is changed, against who wants its nights in between, against
others who change theirs in the same listings, and against processes that are killed.
"""

import asyncio
from collections.abc import AsyncIterator

import pytest

import bespeak
from bespeak import Booking, Line, NightsPlan, Resource
from bespeak.errors import Refused
from tests.concurrency.test_exchange_kills import heal, returned, states
from tests.concurrency.test_money_crashes import STEPS
from tests.concurrency.test_stay_change_races import NOT_KEPT
from tests.concurrency.waiting import deadlocks
from tests.harness.clock import START, Clock
from tests.harness.crashing import Fault, die
from tests.harness.database import Connection, problems
from tests.harness.dying import Facts, deaths
from tests.harness.paying import assert_money_agrees, paid_show, paying_engine
from tests.harness.refunding import paid_booking
from tests.harness.shows import MakeShow, take
from tests.integration.test_stay_changes import NIGHT, change, nights, pay

engine = paying_engine
ROUNDS = 6


@pytest.fixture
async def resort(make_show: MakeShow, clock: Clock) -> list[Resource]:
    """A cabin, and two rooms that are alike."""
    assert clock
    plans = (NightsPlan(rooms=("it",), price=NIGHT), NightsPlan(count=2, price=NIGHT))
    return [await paid_show(make_show, plan=plan) for plan in plans]


def stay(resort: list[Resource], first: int, last: int) -> list[Line]:
    cabin, alike = resort
    return [nights(cabin, first, last), nights(alike, first, last, n=2)]


@pytest.fixture(autouse=True)
async def inventory_is_right(connection: Connection) -> AsyncIterator[None]:
    yield
    assert await problems(connection) == []


@pytest.mark.parametrize("is_control", [False, True], ids=["kept", "control"])
async def test_who_wants_a_night_of_any_room_in_between_gets_none(
    engine: bespeak.Engine, resort: list[Resource], connection: Connection, is_control: bool
) -> None:
    """While it is held, paid and booked somebody tries again and again, in each listing."""
    old = await paid_booking(engine, stay(resort, 10, 14))
    if is_control:
        await connection.execute(NOT_KEPT)
    won: list[tuple[str, str]] = []
    is_over = False

    async def grab() -> None:
        while not is_over:
            for listing in resort:
                for first in (12, 13, 14, 15):
                    try:
                        await take(engine, [nights(listing, first, first + 1)], "mallory")
                        won.append((listing.id, str(first)))
                    except Refused:
                        await asyncio.sleep(0)

    held = await change(engine, old.id, stay(resort, 12, 16))
    grabbing = asyncio.create_task(grab())
    new = await pay(engine, held)
    if is_control and not won:
        won += [(one.id, "12") for one in resort if await take(engine, [nights(one, 12, 13)], "bo")]
    is_over = True
    await grabbing
    assert bool(won) == is_control, won
    assert [one.resource_id for one in new.lines] == [one.id for one in resort]


async def test_all_who_change_at_once_get_all_or_nothing(
    engine: bespeak.Engine, resort: list[Resource], connection: Connection
) -> None:
    """Three have stays in both listings, one after the other in time, and all move to and fro at
    once, each with its lines in another order: whoever wins has both rooms, and nobody waits for
    who waits."""
    stays = {
        owner: await paid_booking(engine, stay(resort, first, first + 2), owner)
        for owner, first in (("asha", 10), ("bela", 13), ("cora", 16))
    }
    wins = 0
    for number in range(ROUNDS):

        async def go(owner: str, place: int, number: int = number) -> bool:
            first = (10, 13, 16, 11, 14)[(place + number) % 5]
            lines = stay(resort, first, first + 2)[:: 1 if place % 2 else -1]
            try:
                held = await change(engine, stays[owner].id, lines, owner=owner)
            except Refused:
                return False
            stays[owner] = await pay(engine, held)
            return True

        went = await asyncio.gather(*(go(owner, place) for place, owner in enumerate(stays)))
        wins += sum(went)
        assert await problems(connection) == []
    assert await deadlocks(connection) == 0
    for owner, booking in stays.items():
        now = await engine.get_booking(booking.id)
        assert (now.state, now.owner, len(now.lines)) == ("confirmed", owner, 2)
        assert len({(line.from_, line.to) for line in now.lines}) == 1
    alive = await connection.fetchval(
        "select count(*) from bespeak.booking where state <> 'cancelled'"
    )
    assert alive == 3
    assert wins >= ROUNDS, "of three who move, one at least finds a place"


async def test_of_two_requests_at_once_under_one_key_there_is_one_hold(
    engine: bespeak.Engine, resort: list[Resource], connection: Connection
) -> None:
    old = await paid_booking(engine, stay(resort, 10, 14))
    answers = await asyncio.gather(
        *(change(engine, old.id, stay(resort, 12, 16), idempotency_key="change") for _ in range(4)),
        return_exceptions=True,
    )
    held = {one.id for one in answers if isinstance(one, bespeak.Hold)}
    assert len(held) == 1, answers
    assert all(isinstance(one, bespeak.Hold) for one in answers), answers
    with pytest.raises(bespeak.IdempotencyKeyReused):
        await change(engine, old.id, stay(resort, 11, 16), idempotency_key="change")


async def _place(engine: bespeak.Engine, facts: Facts) -> None:
    engine.clock.observe(START)
    lines = [
        Line(facts["cabin"], from_=facts["from"], to=facts["to"]),
        Line(facts["alike"], quantity=2, from_=facts["from"], to=facts["to"]),
    ]
    await engine.change_stay(facts["old"], owner="asha", lines=lines, idempotency_key="change")


async def test_whoever_is_killed_leaves_one_stay_with_all_of_its_rooms(
    engine: bespeak.Engine,
    resort: list[Resource],
    clock: Clock,
    connection: Connection,
    database_url: str,
) -> None:
    old: Booking = await paid_booking(engine, stay(resort, 10, 14))
    cabin, alike = resort
    wanted = stay(resort, 12, 16)
    facts = {
        "cabin": cabin.id,
        "alike": alike.id,
        "from": str(wanted[0].from_),
        "to": str(wanted[0].to),
        "old": old.id,
    }
    counts = set()
    async for _ in deaths(database_url, connection, _place, facts):
        found = await connection.fetchrow(
            "select count(*) as holds, count(exchange) as noted from bespeak.hold"
            " where state = 'held'"
        )
        assert found is not None
        counts.add(tuple(found))
        assert await states(connection) == ["confirmed"]
        assert await problems(connection) == []
    assert counts == {(0, 0), (1, 1)}, "a hold is never without its note"
    held = await change(engine, old.id, wanted, idempotency_key="change")
    assert held.replayed
    paying = {"hold": held.id, "token": "tok_success"}
    assert await die(database_url, "pay", paying, STEPS["authorize"], Fault.KILLED_AFTER) == -9
    assert await states(connection) == ["confirmed"]
    await heal(engine, clock)
    assert await states(connection) == ["cancelled exchanged", "confirmed"]
    assert await returned(connection) == [0, 4 * 3 * NIGHT]
    again = await change(engine, old.id, wanted, idempotency_key="change")
    assert (again.id, again.state) == (held.id, "confirmed")
    await assert_money_agrees(connection)
