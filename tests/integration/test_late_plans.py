"""Late money when the plan has changed since: it buys what the plan still has, or goes back."""

from collections.abc import Sequence

import pytest

import bespeak
from bespeak import Line, PoolPlan, Resource, ResourceChange, Row, SeatsPlan, Section
from bespeak.inventory.resources import Price
from bespeak.payments.payment import Paid
from bespeak.payments.recovery import Recovery
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems
from tests.harness.paying import PRICE, assert_money_agrees, paid_show, paying_engine
from tests.harness.settling import until
from tests.harness.shows import MakeShow, pool, seats, take

SHORT = {"hold_seconds": 60, "hold_seconds_max": 60}


def room(seats: int, floor: int) -> SeatsPlan:
    """A row A of so many seats, and a floor for so many."""
    return SeatsPlan(
        sections=(Section("Stalls", (Row("A", seats),)),), pools=(PoolPlan("floor", floor),)
    )


engine = paying_engine


async def paid_late(
    engine: bespeak.Engine,
    clock: Clock,
    show: Resource,
    lines: Sequence[Line],
    change: ResourceChange,
    state: str,
) -> Paid:
    """What becomes of money for a hold of these lines, which lapsed before the show was changed."""
    hold = await take(engine, lines)
    begun = await engine.payments.pay(hold.id, token="tok_timeout_after")
    assert begun.payment is not None
    await clock.advance(100)
    await engine.update_resource(show.id, change)
    await Recovery(engine.payments).look()
    await until(engine, begun.payment.id, state)
    return await engine.payments.payment(begun.payment.id)


@pytest.mark.parametrize("policy", ["same_units", "equal_offer"])
async def test_a_seat_that_was_removed_is_not_booked(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock, connection: Connection, policy: str
) -> None:
    show = await paid_show(make_show, plan=room(5, 10), late_payment=policy, **SHORT)
    change = ResourceChange(plan=room(4, 10))
    paid = await paid_late(engine, clock, show, seats(show, "A5"), change, "voided")
    assert paid.payment is not None
    assert paid.payment.late == "refund"  # nor is anything equal to what the plan does not know
    assert paid.booking is None
    assert await problems(connection) == []
    await assert_money_agrees(connection)


async def test_a_pool_that_was_lowered_is_not_overfilled(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock, connection: Connection
) -> None:
    show = await paid_show(make_show, plan=room(5, 10), **SHORT)
    change = ResourceChange(plan=room(5, 5))
    paid = await paid_late(engine, clock, show, [pool(show, "floor", 6)], change, "voided")
    assert paid.booking is None
    assert await problems(connection) == []


async def test_a_seat_that_the_new_plan_has_is_booked(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock, connection: Connection
) -> None:
    show = await paid_show(make_show, plan=room(5, 10), **SHORT)
    change = ResourceChange(plan=room(6, 10))
    paid = await paid_late(engine, clock, show, seats(show, "A5"), change, "captured")
    assert paid.payment is not None
    assert paid.payment.late == "same_units"
    assert paid.booking is not None
    assert [line.unit for line in paid.booking.lines] == ["A5"]
    assert await problems(connection) == []
    await assert_money_agrees(connection)


async def test_what_was_paid_for_keeps_its_price(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock
) -> None:
    show = await paid_show(make_show, plan=room(5, 10), **SHORT)
    change = ResourceChange(price=Price(2 * PRICE, "EUR"))
    paid = await paid_late(engine, clock, show, seats(show, "A5"), change, "captured")
    assert paid.booking is not None
    assert paid.booking.amount.amount == PRICE
