"""Processes that are killed while an offer is paid that is for another booking: at each step there
is one of both, never neither; and who comes after gives the money back, once.
"""

from collections.abc import AsyncIterator

import pytest

import bespeak
from bespeak import Booking, Resource
from bespeak.payments.recovery import Recovery
from bespeak.payments.refunds.refunder import Refunder
from tests.concurrency.test_money_crashes import STEPS
from tests.concurrency.test_waitlist_exchanges import ROOM, offered
from tests.harness.clock import Clock
from tests.harness.crashing import Facts, Fault, Step, die
from tests.harness.database import Connection, problems
from tests.harness.paying import PRICE, assert_money_agrees, paid_show, paying_engine
from tests.harness.refunding import paid_booking
from tests.harness.shows import MakeShow, seats

engine = paying_engine
KILLS = (Fault.KILLED_BEFORE, Fault.KILLED_AFTER)
PAYING = ("begin", "authorize", "settle authorized", "capture", "settle captured")
REFUNDING = ("claim refund", "refund", "settle refund")
SETTLED = ("settle authorized", Fault.KILLED_AFTER)
"""From here on it is exchanged."""


@pytest.fixture
async def show(make_show: MakeShow, clock: Clock) -> Resource:
    assert clock
    return await paid_show(make_show, plan=ROOM)


@pytest.fixture
async def old(engine: bespeak.Engine, show: Resource) -> AsyncIterator[Booking]:
    yield await paid_booking(engine, seats(show, "B1"))


async def heal(engine: bespeak.Engine, clock: Clock) -> None:
    """Those who come after do what is due, whenever it is."""
    clock.shared_with(engine)
    for _ in range(8):
        await Recovery(engine.payments).look()
        await Refunder(engine.payments, engine.refunds).look()
        await clock.advance(40)


async def states(connection: Connection) -> list[str]:
    rows = await connection.fetch(
        "select state, reason from bespeak.booking order by confirmed_at, booking_id"
    )
    return [f"{row['state']} {row['reason'] or ''}".strip() for row in rows]


async def returned(connection: Connection) -> list[int]:
    """What the bank has given back, of each payment."""
    rows = await connection.fetch("select refunded from bespeak.sandbox_payment order by 1")
    return [row["refunded"] for row in rows]


@pytest.mark.parametrize("fault", KILLS)
@pytest.mark.parametrize("name", PAYING)
async def test_whoever_is_killed_while_it_is_paid(
    name: str,
    fault: Fault,
    engine: bespeak.Engine,
    show: Resource,
    old: Booking,
    clock: Clock,
    connection: Connection,
    database_url: str,
) -> None:
    hold = await offered(engine, show, old, "A1")
    facts: Facts = {"hold": hold, "token": "tok_success"}
    step: Step = STEPS[name]
    assert await die(database_url, "pay", facts, step, fault) == -9
    is_exchanged = PAYING.index(name) > 2 or (name, fault) == SETTLED
    assert await states(connection) == (
        ["cancelled exchanged", "confirmed"] if is_exchanged else ["confirmed"]
    )
    assert await returned(connection) in ([0], [0, 0]), "nobody has given anything back yet"
    await heal(engine, clock)
    if (name, fault) == ("begin", Fault.KILLED_BEFORE):  # nothing was written down
        assert await states(connection) == ["confirmed"]
    else:
        assert await states(connection) == ["cancelled exchanged", "confirmed"]
        assert await returned(connection) == [0, PRICE]
    assert await problems(connection) == []
    await assert_money_agrees(connection)


@pytest.mark.parametrize("fault", KILLS)
@pytest.mark.parametrize("name", REFUNDING)
async def test_whoever_is_killed_while_the_money_goes_back(
    name: str,
    fault: Fault,
    engine: bespeak.Engine,
    show: Resource,
    old: Booking,
    clock: Clock,
    connection: Connection,
    database_url: str,
) -> None:
    hold = await offered(engine, show, old, "A1")
    await engine.payments.pay(hold, token="tok_success")
    assert await states(connection) == ["cancelled exchanged", "confirmed"]
    assert await die(database_url, "refund", {}, STEPS[name], fault) == -9
    await heal(engine, clock)
    assert await returned(connection) == [0, PRICE]
    assert await problems(connection) == []
    await assert_money_agrees(connection)


async def test_control_without_who_comes_after_the_money_would_stay(
    engine: bespeak.Engine,
    show: Resource,
    old: Booking,
    connection: Connection,
    database_url: str,
) -> None:
    hold = await offered(engine, show, old, "A1")
    facts: Facts = {"hold": hold, "token": "tok_success"}
    step: Step = STEPS["settle authorized"]
    assert await die(database_url, "pay", facts, step, Fault.KILLED_AFTER) == -9
    assert await states(connection) == ["cancelled exchanged", "confirmed"]
    assert await returned(connection) == [0, 0]
