"""A whole resource is called off: all is cancelled and given back, once, whoever does it and
however often they die over it.
"""

import asyncio
from datetime import timedelta

import pytest

import bespeak
from bespeak import Booking, Line, Resource
from bespeak.errors import IdempotencyKeyReused, InvalidRequest, ResourceClosed, ResourceNotFound
from bespeak.inventory.errors import ResourceCalledOff
from bespeak.inventory.resources import Price, ResourceChange
from bespeak.payments.errors import CallingOffRuns, NotCalledOff, PaymentDeclined
from bespeak.payments.refunds.call_off import CalledOff
from tests.harness.clock import START, Clock
from tests.harness.database import Connection, problems
from tests.harness.paying import PRICE, assert_money_agrees, paid_show, paying, paying_engine
from tests.harness.refunding import (
    STARTS,
    canceller,
    capture_away,
    paid_booking,
    recover,
    refund_all,
    settled,
    tiered_show,
)
from tests.harness.shapes import HERE, ROOMS, THEATRE, TOKENS, MakeShape, Shape, of, on, plan_of
from tests.harness.shows import MakeShow, pool, seats, take

PARKING = Shape(
    "parking",
    plan_of({"type": "pools", "pools": [{"unit": "car park", "capacity": 2}]}),
    one=of("car park", 2),
    rival=of("car park", 1),
    other=of("car park", 1),
    code="sold_out",
    amount=1400,
    weight=2,
    block=(of("car park", 1),),
)

engine = paying_engine


async def finish(engine: bespeak.Engine, show: Resource, batch: int = 500) -> CalledOff:
    """Goes through all that is called off."""
    await canceller(engine, batch).look()
    return await engine.cancellation(show.id)


async def test_all_is_cancelled_released_and_given_back(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await paid_show(make_show, owner_limit=10)
    one = await paid_booking(engine, [*seats(show, "A1", "A2"), pool(show, "floor", 2)])
    two = await paid_booking(engine, [pool(show, "floor", 3)], "ben")
    held = await take(engine, seats(show, "A3"), "cleo")
    await engine.block(show.id, [bespeak.BlockLine("A4")], reason="broken")

    begun = await engine.call_off(show.id, reason="storm")
    assert (begun.state, begun.bookings_total, begun.bookings_done) == ("running", 2, 0)
    with pytest.raises(ResourceClosed):
        await take(engine, seats(show, "A5"))
    done = await finish(engine, show)
    assert (done.state, done.bookings_total, done.bookings_done, done.holds_released) == (
        "done",
        2,
        2,
        1,
    )
    assert (done.refunds.pending, done.amounts.pending, done.currency) == (2, 7 * PRICE, "EUR")
    for booking in (one, two):
        after = await engine.get_booking(booking.id)
        assert (after.state, after.reason) == ("cancelled", "storm")
    assert (await engine.get_hold(held.id)).state == "released"

    await refund_all(engine)
    done = await engine.cancellation(show.id)
    assert (done.refunds.pending, done.refunds.refunded, done.amounts.refunded) == (
        0,
        2,
        7 * PRICE,
    )
    assert [one.cause for one in await engine.refunds.of_booking(one.id)] == ["called_off"]
    await settled(engine, two, "refunded")
    # Only the block still has anything.
    assert await connection.fetchval("select count(*) from bespeak.claim") == 1
    assert await connection.fetchval("select count(*) from bespeak.draw") == 0
    told = await connection.fetchrow("select * from bespeak.event where kind = 'called_off'")
    assert told is not None
    assert told["data"] == '{"reason": "storm", "refund": "full"}'
    assert await problems(connection) == []
    await assert_money_agrees(connection)


async def test_by_the_policy_or_in_full(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock, connection: Connection
) -> None:
    shows = [await tiered_show(make_show) for _ in range(2)]
    bookings = [await paid_booking(engine, seats(show, "A1")) for show in shows]
    await clock.set(STARTS - timedelta(days=2))
    await engine.call_off(shows[0].id, reason="storm", refund="policy")
    await engine.call_off(shows[1].id, reason="storm", refund="full")
    await finish(engine, shows[0])
    amounts = [(await engine.refunds.of_booking(one.id))[0].amount.amount for one in bookings]
    assert amounts == [PRICE // 2, PRICE + 100]
    await assert_money_agrees(connection)


async def test_of_a_mixed_cart_only_this_resource_goes(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    film, party = [await paid_show(make_show, owner_limit=9) for _ in range(2)]
    lines = [*seats(film, "A1", "A2"), pool(film, "floor", 2), *seats(party, "B3")]
    lines.append(pool(party, "floor", 2))
    at_film = await paid_booking(engine, lines)
    other = [pool(party, "floor", 2), *seats(party, "B4"), *seats(film, "A9")]
    at_party = await paid_booking(engine, other, "ben")
    await engine.cancel_booking(at_film.id, reason="ill", lines=[pool(party, "floor", 1)])
    await engine.call_off(party.id, reason="storm")
    done = await finish(engine, party, batch=2)
    assert (done.bookings_total, done.bookings_done, done.amounts.pending) == (2, 2, 5 * PRICE)
    for booking in (at_film, at_party):
        after = await engine.get_booking(booking.id)
        assert after.state == "confirmed"
        left = [
            line
            for line in after.lines
            if line.resource_id == party.id and line.cancelled_quantity < (line.quantity or 1)
        ]
        assert left == []
    # What is left can be cancelled, for the rest of the money.
    await engine.cancel_booking(at_film.id, reason="ill")
    await engine.cancel_booking(at_party.id, reason="ill")
    await refund_all(engine)
    for booking in (at_film, at_party):
        await settled(engine, booking, "refunded")
    assert await problems(connection) == []
    await assert_money_agrees(connection)


@pytest.mark.parametrize("gone", ["theatre", "rooms", "parking", "tokens"])
async def test_of_a_cart_of_everything_any_resource_may_go(
    engine: bespeak.Engine, make_shape: MakeShape, connection: Connection, clock: Clock, gone: str
) -> None:
    shapes = {"theatre": THEATRE, "rooms": ROOMS, "parking": PARKING, "tokens": TOKENS}
    shows = {
        name: await make_shape(shape, owner_limit=9, payment="required")
        for name, shape in shapes.items()
    }
    lines = [
        *on(shows["theatre"], of("A1"), of("A2")),
        *on(shows["rooms"], of("102", None, "2030-01-10", "2030-01-12")),
        *on(shows["parking"], of("car park", 2)),
        *on(shows["tokens"], Line(HERE, next=2)),
    ]
    booking = await paid_booking(engine, lines)
    await engine.cancel_booking(
        booking.id, reason="ill", lines=on(shows["parking"], of("car park", 1))
    )
    await engine.call_off(shows[gone].id, reason="storm")
    await finish(engine, shows[gone])
    left = await connection.fetchval(
        """
        select count(*) from (
            select resource_id from bespeak.claim union all select resource_id from bespeak.draw
        ) l where l.resource_id = bespeak.resource_number($1)
        """,
        shows[gone].id,
    )
    assert left == 0
    after = await engine.get_booking(booking.id)
    assert {
        line.resource_id for line in after.lines if line.cancelled_quantity == (line.quantity or 1)
    } == {shows[gone].id}
    assert await problems(connection) == []
    await engine.cancel_booking(booking.id, reason="ill")
    await refund_all(engine)
    await settled(engine, booking, "refunded")
    assert await connection.fetchval("select count(*) from bespeak.draw") == 0
    assert await problems(connection) == []
    await assert_money_agrees(connection)


async def test_whoever_goes_on_misses_none_and_does_none_twice(
    engine: bespeak.Engine, database_url: str, make_show: MakeShow, connection: Connection
) -> None:
    show = await paid_show(make_show)
    bookings = [
        await paid_booking(engine, [*seats(show, f"A{n}"), pool(show, "gallery", 1)], f"o{n}")
        if n < 4
        else await paid_booking(engine, seats(show, f"A{n}"), f"o{n}")
        for n in range(1, 16)
    ]
    await engine.call_off(show.id, reason="storm")
    # The first dies between batches, the second in the midst of one, before it commits.
    async with paying(database_url) as first:
        work = canceller(first, batch=4)
        assert await work.step()
        assert await work.step()
        so_far = await first.cancellation(show.id)
        assert so_far.state == "running"
        assert 0 < so_far.bookings_done < len(bookings)
    async with paying(database_url) as second:
        dying = canceller(second, batch=4)

        def die(*_: object) -> None:
            raise asyncio.CancelledError

        dying._reach = die  # type: ignore[method-assign,assignment]
        with pytest.raises(asyncio.CancelledError):
            await dying.step()
    assert (await engine.cancellation(show.id)).bookings_done == so_far.bookings_done
    # Then several go on at once.
    async with paying(database_url) as third, paying(database_url) as fourth:
        await asyncio.gather(*(canceller(one, batch=4).look() for one in (third, fourth)))
        done = await finish(third, show, batch=4)
        await refund_all(fourth)
    assert (done.state, done.bookings_done, done.bookings_total) == ("done", 15, 15)
    assert await connection.fetchval("select count(*) from bespeak.refund") == 15
    sums = await connection.fetchrow(
        "select sum(amount), sum(refunding), sum(refunded) from bespeak.payment"
    )
    paid = 18 * PRICE
    assert sums is not None
    assert tuple(sums) == (paid, paid, paid)
    assert await connection.fetchval("select sum(amount) from bespeak.sandbox_refund") == paid
    cancelled = await connection.fetchval(
        "select count(*) from bespeak.event where kind = 'cancelled'"
    )
    assert cancelled == 15
    assert await problems(connection) == []
    await assert_money_agrees(connection)


async def test_a_hold_that_is_being_paid_ends_without_a_charge(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, clock: Clock
) -> None:
    show = await paid_show(make_show)
    hold = await take(engine, seats(show, "A1"))
    paid = await engine.payments.pay(hold.id, token="tok_timeout_after")
    assert paid.payment is not None
    lapsed = await take(engine, seats(show, "A2"), hold_seconds=1)
    await clock.advance(2)
    await engine.call_off(show.id, reason="storm")
    done = await finish(engine, show)
    assert (done.holds_released, done.bookings_done) == (1, 0)
    assert (await engine.get_hold(lapsed.id)).state == "expired"
    await clock.advance(10)
    await recover(engine)
    after = await engine.payments.payment(paid.payment.id)
    assert after.payment is not None
    assert (after.booking, after.payment.state) == (None, "voided")
    with pytest.raises((PaymentDeclined, bespeak.HoldReleased)):
        await engine.payments.pay(hold.id, token="tok_success")
    await assert_money_agrees(connection)


async def test_late_money_does_not_bring_back_what_was_called_off(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, clock: Clock
) -> None:
    show = await paid_show(make_show, hold_seconds=60, hold_seconds_max=60)
    hold = await take(engine, seats(show, "A1"))
    paid = await engine.payments.pay(hold.id, token="tok_timeout_after")
    assert paid.payment is not None
    await clock.advance(100)
    await engine.call_off(show.id, reason="storm")
    await finish(engine, show)
    await recover(engine)
    after = await engine.payments.payment(paid.payment.id)
    assert after.payment is not None
    assert (after.booking, after.payment.late, after.payment.state) == (None, "refund", "voided")
    await assert_money_agrees(connection)


async def test_money_that_is_not_taken_yet_is_taken_and_given_back(
    engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
) -> None:
    show = await paid_show(make_show)
    with capture_away(engine):
        booking = await paid_booking(engine, seats(show, "A1"), captured=False)
        await engine.call_off(show.id, reason="storm")
        await finish(engine, show)
    await refund_all(engine)
    await settled(engine, booking, "refunded")
    await assert_money_agrees(connection)


@pytest.mark.parametrize("key", ["storm", None])
async def test_it_is_called_off_once(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, key: str | None
) -> None:
    show = await paid_show(make_show)
    await engine.call_off(show.id, reason="storm", idempotency_key=key)
    if key is not None:
        again = await engine.call_off(show.id, reason="storm", idempotency_key=key)
        assert again.replayed
        with pytest.raises(IdempotencyKeyReused) as refusal:
            await engine.call_off(show.id, reason="rain", idempotency_key=key)
        assert refusal.value.data["fields"] == ["reason"]
    with pytest.raises(ResourceCalledOff):
        await engine.call_off(show.id, reason="storm", idempotency_key="another")
    with pytest.raises(ResourceCalledOff):
        await engine.call_off(show.id, reason="storm")
    assert await connection.fetchval("select count(*) from bespeak.cancellation") == 1
    assert (await engine.get_resource(show.id)).state == "closed"


async def test_nonsense_is_refused(engine: bespeak.Engine, make_show: MakeShow) -> None:
    show = await paid_show(make_show)
    with pytest.raises(ResourceNotFound):
        await engine.call_off("res_00000001", reason="storm")
    with pytest.raises(InvalidRequest):
        await engine.call_off(show.id, reason="")
    with pytest.raises(InvalidRequest):
        await engine.call_off(show.id, reason="storm", refund="none")  # type: ignore[arg-type]
    with pytest.raises(NotCalledOff):
        await engine.cancellation(show.id)
    assert (await engine.get_resource(show.id)).state == "open"


async def test_what_costs_nothing_is_called_off_too(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await make_show()
    hold = await take(engine, seats(show, "A1"))
    booking: Booking = await engine.confirm_hold(hold.id)
    await engine.call_off(show.id, reason="storm")
    done = await finish(engine, show)
    assert (done.bookings_done, done.amounts.pending) == (1, 0)
    assert (await engine.get_booking(booking.id)).state == "cancelled"
    assert await connection.fetchval("select count(*) from bespeak.refund") == 0


async def test_prices_of_today_do_not_matter(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock
) -> None:
    show = await paid_show(make_show)
    booking = await paid_booking(engine, seats(show, "A1"))
    await engine.update_resource(show.id, ResourceChange(price=Price(9, "EUR")))
    await engine.call_off(show.id, reason="storm")
    await finish(engine, show)
    (refund,) = await engine.refunds.of_booking(booking.id)
    assert (refund.amount.amount, refund.created_at) == (PRICE, START)


async def test_a_change_does_not_open_what_was_called_off(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    show = await make_show()
    await engine.call_off(show.id, reason="storm")
    for _ in ("while", "after"):
        with pytest.raises(ResourceCalledOff):
            await engine.update_resource(show.id, ResourceChange(state="open"))
        await finish(engine, show)
    await engine.update_resource(show.id, ResourceChange(name="Show, called off"))


async def test_what_was_called_off_is_reopened_and_may_be_called_off_again(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await paid_show(make_show)
    booking = await paid_booking(engine, seats(show, "A1"))
    with pytest.raises(NotCalledOff):
        await engine.reopen(show.id)
    await engine.call_off(show.id, reason="storm", idempotency_key="first")
    with pytest.raises(CallingOffRuns):
        await engine.reopen(show.id)
    await finish(engine, show)
    assert (await engine.reopen(show.id)).state == "open"
    assert (await engine.get_booking(booking.id)).state == "cancelled"
    # Neither a repeat of the reopening nor a late one of the calling off does anything more.
    with pytest.raises(NotCalledOff):
        await engine.reopen(show.id)
    with pytest.raises(NotCalledOff):
        await engine.call_off(show.id, reason="storm", idempotency_key="first")
    await paid_booking(engine, seats(show, "A1"))
    await engine.call_off(show.id, reason="flood", idempotency_key="second")
    done = await finish(engine, show)
    assert (done.reason, done.bookings_done) == ("flood", 1)
    assert done.refunds.pending == 1
    assert await problems(connection) == []
    await assert_money_agrees(connection)
