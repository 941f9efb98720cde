"""A stay that is changed, against who wants the same nights in between, against who cancels it, and
against processes that are killed: at each step there is one of both stays, never neither.
"""

import asyncio
from collections.abc import AsyncIterator

import pytest

import bespeak
from bespeak import Booking, NightsPlan, Resource
from bespeak.errors import Refused
from bespeak.inventory.shapes.times.plan import Provider, TimesPlan, TimesRate
from bespeak.inventory.timeline.hours import WeeklyHours
from tests.concurrency.test_exchange_kills import heal, returned, states
from tests.concurrency.test_money_crashes import STEPS
from tests.concurrency.test_waitlist_exchanges import cancelling, confirming
from tests.concurrency.waiting import deadlocks, meet
from tests.harness.clock import START, Clock
from tests.harness.crashing import Fault, die
from tests.harness.database import Connection, problems
from tests.harness.dying import Facts, deaths
from tests.harness.paying import assert_money_agrees, paid_show, paying_engine
from tests.harness.refunding import paid_booking
from tests.harness.shows import MakeShow, book, take
from tests.integration.test_stay_changes import NIGHT, change, nights, pay

engine = paying_engine
# As it is, but that what the hold would keep is given back with the rest.
NOT_KEPT = """
    create or replace function bespeak.take_kept(in_holds uuid[], outcomes text[]) returns void
    language sql as $$ select $$
"""


@pytest.fixture
async def house(make_show: MakeShow, clock: Clock) -> Resource:
    assert clock
    return await paid_show(make_show, plan=NightsPlan(rooms=("101",), price=NIGHT))


@pytest.fixture
async def old(engine: bespeak.Engine, house: Resource) -> Booking:
    return await paid_booking(engine, [nights(house, 10, 14)])


@pytest.fixture(autouse=True)
async def inventory_is_right(connection: Connection) -> AsyncIterator[None]:
    yield
    assert await problems(connection) == []


@pytest.mark.parametrize("is_control", [False, True], ids=["kept", "control"])
async def test_who_wants_the_nights_of_both_in_between_gets_none(
    engine: bespeak.Engine,
    house: Resource,
    old: Booking,
    connection: Connection,
    is_control: bool,
) -> None:
    """While it is held, paid and booked somebody tries again and again."""
    if is_control:
        await connection.execute(NOT_KEPT)
    won: list[bespeak.Hold] = []
    is_over = False

    async def grab() -> None:
        while not is_over:
            for first, last in ((10, 11), (12, 13), (13, 14), (15, 16)):
                try:
                    won.append(await take(engine, [nights(house, first, last)], "mallory"))
                except Refused:
                    await asyncio.sleep(0)

    held = await change(engine, old.id, [nights(house, 12, 16)])
    grabbing = asyncio.create_task(grab())
    new = await pay(engine, held)
    taken = await take(engine, [nights(house, 10, 12)], "bela") if not won else None
    is_over = True
    await grabbing
    got = {str(line.from_) for hold in won for line in hold.lines}
    own = {str(line.from_) for line in nights_of(house, 12, 16)}
    assert bool(got & own) == is_control
    assert new.lines[0].from_ == nights(house, 12, 16).from_
    assert taken is None or taken.state == "held"


def nights_of(house: Resource, first: int, last: int) -> list[bespeak.Line]:
    return [nights(house, one, one + 1) for one in range(first, last)]


PRACTICE = TimesPlan(
    slot_minutes=30,
    weekly=(WeeklyHours("09:00", "13:00"),),
    providers=(Provider("ann"),),
    rates=(
        TimesRate(name="First", minutes=60, price=NIGHT),
        TimesRate(name="Short", minutes=20, step_minutes=10, price=NIGHT),
    ),
)


@pytest.mark.parametrize("is_control", [False, True], ids=["kept", "control"])
async def test_who_wants_the_time_of_an_appointment_that_is_moved_gets_none(
    engine: bespeak.Engine,
    make_show: MakeShow,
    clock: Clock,
    connection: Connection,
    is_control: bool,
) -> None:
    """By half of its length, so that both overlap; somebody tries at another rate meanwhile."""
    assert clock
    practice = await paid_show(make_show, plan=PRACTICE)

    def visit(time: str, rate: str) -> list[bespeak.Line]:
        return [bespeak.Line(practice.id, from_=f"2030-01-03T{time}Z", rate=rate)]

    old = await paid_booking(engine, visit("10:00", "First"))
    if is_control:
        await connection.execute(NOT_KEPT)
    won: list[bespeak.Hold] = []
    is_over = False

    async def grab() -> None:
        while not is_over:
            for time in ("10:20", "10:30", "10:40", "11:00", "11:20"):
                try:
                    won.append(await take(engine, visit(time, "Short"), "mallory"))
                except Refused:
                    await asyncio.sleep(0)

    held = await change(engine, old.id, visit("10:30", "First"))
    grabbing = asyncio.create_task(grab())
    new = await pay(engine, held)
    is_over = True
    await grabbing
    if is_control and not won:
        won.append(await take(engine, visit("10:40", "Short"), "mallory"))
    assert bool(won) == is_control
    assert new.lines[0].to == "2030-01-03T11:30:00+00:00"


async def test_two_who_change_it_at_once_and_who_cancels_it_meanwhile(
    engine: bespeak.Engine,
    house: Resource,
    old: Booking,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    answers = await asyncio.gather(
        *(change(engine, old.id, [nights(house, first, first + 4)]) for first in (12, 30, 8, 50)),
        return_exceptions=True,
    )
    held = [one for one in answers if isinstance(one, bespeak.Hold)]
    why = [one.data["reason"] for one in answers if isinstance(one, Refused)]
    assert (len(held), why) == (1, ["under_way"] * 3)
    await engine.release_hold(held[0].id)
    hold = await change(engine, old.id, [nights(house, 12, 16)])
    # Free of charge here: what is tried are the locks.
    await connection.execute("update bespeak.resource set payment = 'none'")
    answer = await meet(
        connection, one, cancelling(one, house, old), two, confirming(two, house, hold.id)
    )
    assert answer == ["exchange_changed"]
    assert (await engine.get_booking(old.id)).reason == "ill"
    old = await book(engine, [nights(house, 20, 24)])
    hold = await change(engine, old.id, [nights(house, 22, 26)])
    lost = await meet(
        connection, one, confirming(one, house, hold.id), two, cancelling(two, house, old)
    )
    assert lost == "booking_cancelled"
    assert (await engine.get_booking(old.id)).reason == "exchanged"
    assert await deadlocks(connection) == 0


async def _place(engine: bespeak.Engine, facts: Facts) -> None:
    engine.clock.observe(START)
    line = bespeak.Line(facts["house"], from_=facts["from"], to=facts["to"])
    await engine.change_stay(facts["old"], owner="asha", lines=[line], idempotency_key="change")


async def test_whoever_is_killed_while_it_is_held_or_paid_leaves_one_stay(
    engine: bespeak.Engine,
    house: Resource,
    old: Booking,
    clock: Clock,
    connection: Connection,
    database_url: str,
) -> None:
    wanted = nights(house, 12, 16)
    facts = {"house": house.id, "from": wanted.from_, "to": wanted.to, "old": old.id}
    counts = []
    async for _ in deaths(database_url, connection, _place, facts):
        counts.append(
            await connection.fetchrow(
                """select count(*) as holds, count(exchange) as noted from bespeak.hold
                where state = 'held'"""
            )
        )
        assert await states(connection) == ["confirmed"]
        assert await problems(connection) == []
    assert {tuple(one) for one in counts if one is not None} == {(0, 0), (1, 1)}, (
        "a hold is never without its note"
    )
    # Who asks again after a lost reply gets that one.
    held = await change(engine, old.id, [wanted], idempotency_key="change")
    assert held.replayed
    paying = {"hold": held.id, "token": "tok_success"}
    assert await die(database_url, "pay", paying, STEPS["authorize"], Fault.KILLED_AFTER) == -9
    assert await states(connection) == ["confirmed"]
    await heal(engine, clock)
    assert await states(connection) == ["cancelled exchanged", "confirmed"]
    assert await returned(connection) == [0, 4 * NIGHT]
    again = await change(engine, old.id, [wanted], idempotency_key="change")
    assert (again.id, again.state) == (held.id, "confirmed")
    await assert_money_agrees(connection)
