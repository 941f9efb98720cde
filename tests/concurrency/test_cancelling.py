"""Cancellations of one booking at the same instant never promise more than one after the other, nor
does one that meets the calling off of its resource; and the control, which shows that they could.
"""

import asyncio
from datetime import timedelta

import asyncpg
import pytest

import bespeak
from bespeak import Booking, Resource, ids
from bespeak.inventory.resources import Price
from bespeak.payments.errors import RefundTooGreat
from bespeak.pricing.rules import Cancellation, Pricing, RefundTier
from bespeak.reservations.changes import GivenBack, cancel_request
from bespeak.reservations.parts import NO_PART, BookingPart
from tests.concurrency.waiting import meet, until_somebody_waits
from tests.harness.clock import START, Clock
from tests.harness.database import Connection, problems
from tests.harness.paying import assert_money_agrees, paid_show, paying_engine
from tests.harness.refunding import canceller, paid_booking, refund_all, settled
from tests.harness.shows import MakeShow, pool

CANCEL = "select * from bespeak.cancel_bookings($1, $2::bespeak.change_request[])"
HALF = Pricing(cancellation=Cancellation(tiers=(RefundTier(before_seconds=0, basis_points=5000),)))

engine = paying_engine


@pytest.fixture
async def show(make_show: MakeShow, clock: Clock) -> Resource:
    """A place costs one cent, of which half comes back: rounded, the first gives one cent and the
    second none."""
    return await paid_show(
        make_show, price=Price(1, "EUR"), pricing=HALF, starts_at=START + timedelta(days=9)
    )


async def promised(engine: bespeak.Engine, booking: Booking) -> list[int]:
    return [one.amount.amount for one in await engine.refunds.of_booking(booking.id)]


async def test_two_parts_at_once_give_back_what_they_would_one_after_the_other(
    engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    booking = await paid_booking(engine, [pool(show, "floor", 4)])
    part = [pool(show, "floor", 1)]
    answer = await meet(
        connection,
        one,
        engine.cancel_booking(booking.id, reason="a", lines=part, connection=one),
        two,
        engine.cancel_booking(booking.id, reason="b", lines=part, connection=two),
    )
    assert isinstance(answer, Booking)
    assert answer.lines[0].cancelled_quantity == 2
    assert await promised(engine, booking) == [1]
    await engine.cancel_booking(booking.id, reason="c")
    assert sum(await promised(engine, booking)) == 2
    await refund_all(engine)
    assert await problems(connection) == []
    await assert_money_agrees(connection)


async def test_control_without_the_comparison_they_would_give_back_more(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    booking = await paid_booking(engine, [pool(show, "floor", 4)])
    number = ids.parse(ids.BOOKING, booking.id)
    part = BookingPart([ids.parse_resource(show.id)], ["floor"], [1])
    for cancelled in (None, [1]):
        # Both were computed when nothing was cancelled; the second only pretends to know better.
        request = cancel_request(number, "x", part, GivenBack(1, cancelled))
        await connection.fetch(CANCEL, request.home, [request])
    assert await promised(engine, booking) == [1, 1]


async def test_two_parts_at_once_do_not_pass_the_most_that_is_allowed(
    engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    """Each alone is less than an operator may give back without a proof."""
    show = await paid_show(make_show, price=Price(6000, "EUR"))
    booking = await paid_booking(engine, [pool(show, "floor", 2)])
    part = [pool(show, "floor", 1)]
    answer = await meet(
        connection,
        one,
        engine.cancel_booking(
            booking.id, reason="a", lines=part, refunds_max=10_000, connection=one
        ),
        two,
        engine.cancel_booking(
            booking.id, reason="b", lines=part, refunds_max=10_000, connection=two
        ),
    )
    assert isinstance(answer, RefundTooGreat)
    assert answer.data["comes_to"] == 12_000
    assert await promised(engine, booking) == [6000]
    repeated = await engine.cancel_booking(
        booking.id, reason="c", lines=part, refunds_max=12_000, idempotency_key="k"
    )
    # It moves no money again, whatever is allowed by then.
    again = await engine.cancel_booking(
        booking.id, reason="c", lines=part, refunds_max=0, idempotency_key="k"
    )
    assert (repeated.state, again.replayed) == ("cancelled", True)


async def test_control_judged_before_they_would_pass_it(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    show = await paid_show(make_show, price=Price(6000, "EUR"))
    booking = await paid_booking(engine, [pool(show, "floor", 2)])
    part = [pool(show, "floor", 1)]
    quotes = [await engine.refund_quote(booking.id, lines=part) for _ in range(2)]
    assert all(quote.amount <= 10_000 for quote in quotes)
    for reason in "ab":
        await engine.cancel_booking(booking.id, reason=reason, lines=part)
    assert sum(await promised(engine, booking)) == 12_000


async def test_more_than_was_paid_is_never_promised(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    booking = await paid_booking(engine, [pool(show, "floor", 4)])
    number = ids.parse(ids.BOOKING, booking.id)
    request = cancel_request(number, "x", NO_PART, GivenBack(5, None))
    with pytest.raises(asyncpg.CheckViolationError):
        await connection.fetch(CANCEL, request.home, [request])
    assert (await engine.get_booking(booking.id)).state == "confirmed"
    assert await promised(engine, booking) == []


async def test_many_at_once_through_several_engines(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
) -> None:
    booking = await paid_booking(engine, [pool(show, "floor", 5)])
    part = [pool(show, "floor", 1)]
    await asyncio.gather(
        *(
            each.cancel_booking(booking.id, reason="x", lines=part)
            for each in (engine, second_engine, engine, second_engine, engine)
        )
    )
    assert (await engine.get_booking(booking.id)).state == "cancelled"
    # Half of five cents, half up, as if it had been cancelled at once.
    assert sum(await promised(engine, booking)) == 3
    assert await problems(connection) == []
    await assert_money_agrees(connection)


@pytest.mark.parametrize("commit", [True, False])
async def test_a_cancellation_meets_the_calling_off(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    one: Connection,
    *,
    commit: bool,
) -> None:
    booking = await paid_booking(engine, [pool(show, "floor", 4)])
    transaction = one.transaction()
    await transaction.start()
    await engine.cancel_booking(
        booking.id, reason="a", lines=[pool(show, "floor", 1)], refund="none", connection=one
    )
    await engine.call_off(show.id, reason="storm")
    work = asyncio.create_task(canceller(second_engine).look())
    await until_somebody_waits(connection, one)
    await (transaction.commit() if commit else transaction.rollback())
    await work
    after = await engine.get_booking(booking.id)
    assert after.state == "cancelled"
    # What the buyer gave back for nothing stays given.
    assert await promised(engine, booking) == [3 if commit else 4]
    await refund_all(engine)
    if not commit:
        await settled(engine, booking, "refunded")
    assert await problems(connection) == []
    await assert_money_agrees(connection)


async def test_a_hold_that_is_being_placed_is_not_left_behind(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    one: Connection,
) -> None:
    """Calling off waits for it, and then releases it."""
    transaction = one.transaction()
    await transaction.start()
    hold = await engine.place_hold(owner="asha", lines=[pool(show, "floor", 1)], connection=one)
    calling = asyncio.create_task(second_engine.call_off(show.id, reason="storm"))
    await until_somebody_waits(connection, one)
    await transaction.commit()
    await calling
    await canceller(engine).look()
    assert (await engine.get_hold(hold.id)).state == "released"
    assert await connection.fetchval("select count(*) from bespeak.draw") == 0
    assert await problems(connection) == []
