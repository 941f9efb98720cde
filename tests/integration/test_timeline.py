"""The timeline of a booking tells what happened, in order, and follows late money both ways."""

import pytest

import bespeak
from bespeak import Line, ids
from bespeak.errors import BookingNotFound, HoldNotFound, InvalidId, NotOwner
from bespeak.feed.timeline import Timeline
from bespeak.payments.recovery import Recovery
from bespeak.postgres.queries import load
from bespeak.reservations.sweeper import Sweeper
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.paying import PRICE, paid_show, paying_engine, take_seats
from tests.harness.settling import until
from tests.harness.shows import MakeShow, seats, take

QUERIES = load("bespeak.feed", "timeline.sql")
PAID_FOR = ["held", "payment_begun", "payment_authorized", "confirmed", "payment_captured"]

engine = paying_engine


def kinds(timeline: Timeline) -> list[str]:
    return [str(entry.kind) for entry in timeline.items]


async def test_a_paid_booking_tells_all_of_it(engine: bespeak.Engine, make_show: MakeShow) -> None:
    show = await paid_show(make_show)
    hold = await take_seats(engine, show, "A1", "A2")
    paid = await engine.payments.pay(hold.id, token="tok_success")
    assert paid.booking is not None
    assert paid.payment is not None
    await until(engine, paid.payment.id, "captured")
    seen = await engine.timeline(paid.booking.id, owner="asha")
    assert kinds(seen) == PAID_FOR
    assert seen == await engine.timeline(hold.id)
    assert (seen.hold_id, seen.booking_id) == (hold.id, paid.booking.id)
    held, begun, _, confirmed, _ = seen.items
    assert [line.unit for line in held.lines] == ["A1", "A2"]
    assert held.lines == confirmed.lines
    assert held.lines[0].resource_id == show.id
    assert held.at == hold.created_at
    assert begun.lines == []
    assert begun.data == {
        "payment_id": paid.payment.id,
        "amount": 2 * PRICE,
        "currency": "EUR",
        "provider": "sandbox",
    }
    assert [entry.at for entry in seen.items] == sorted(entry.at for entry in seen.items)


async def test_a_cancellation_is_told_with_its_money(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    show = await paid_show(make_show)
    hold = await take_seats(engine, show, "A1", "A2")
    paid = await engine.payments.pay(hold.id, token="tok_success")
    assert paid.booking is not None
    assert paid.payment is not None
    await until(engine, paid.payment.id, "captured")
    await engine.cancel_booking(
        paid.booking.id, reason="ill", lines=[Line(show.id, "A2")], refund="full"
    )
    seen = await engine.timeline(paid.booking.id)
    assert kinds(seen)[:5] == PAID_FOR
    assert set(kinds(seen)[5:]) == {"cancelled", "refund_begun"}
    told = {str(entry.kind): entry for entry in seen.items}
    assert [line.unit for line in told["cancelled"].lines] == ["A2"]
    begun = told["refund_begun"].data
    assert begun is not None
    assert (begun["amount"], begun["payment_id"]) == (PRICE, paid.payment.id)


async def test_a_hold_over_two_resources_is_one_entry(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    one, other = await make_show(), await make_show(name="Other")
    hold = await take(engine, [*seats(one, "A1"), *seats(other, "A2")])
    booking = await engine.confirm_hold(hold.id)
    seen = await engine.timeline(booking.id)
    assert kinds(seen) == ["held", "confirmed"]
    for entry in seen.items:
        assert {line.resource_id for line in entry.lines} == {one.id, other.id}


@pytest.mark.parametrize("ending", ["released", "expired"])
async def test_a_hold_that_came_to_nothing_says_so(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock, ending: str
) -> None:
    show = await make_show(owner_limit=3)
    hold = await take_seats(engine, show, "A1")
    await clock.advance(5)
    if ending == "released":
        await engine.release_hold(hold.id)
    else:
        await clock.advance(3600)
        await Sweeper(engine.database.pool).sweep()
    seen = await engine.timeline(hold.id)
    assert kinds(seen) == ["held", ending]
    assert [line.unit for line in seen.items[0].lines] == ["A1"]  # and not the owner's limit
    assert seen.booking_id is None
    with pytest.raises(BookingNotFound):
        await engine.timeline(hold.id.replace("hold_", "bkg_"))


async def test_late_money_is_followed_both_ways(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock, connection: Connection
) -> None:
    show = await paid_show(make_show, hold_seconds=60, hold_seconds_max=60)
    hold = await take_seats(engine, show, "A1")
    paid = await engine.payments.pay(hold.id, token="tok_timeout_after")
    assert paid.payment is not None
    await clock.advance(100)
    await Sweeper(engine.database.pool).sweep()
    await clock.advance(5)
    await Recovery(engine.payments).look()
    await until(engine, paid.payment.id, "captured")
    after = await engine.payments.payment(paid.payment.id)
    assert after.booking is not None
    assert after.booking.hold_id != hold.id
    old, new = await engine.timeline(hold.id), await engine.timeline(after.booking.id)
    assert old.booking_id is None
    assert new.booking_id == after.booking.id
    assert old.items == new.items
    assert kinds(old)[:3] == ["held", "payment_begun", "expired"]
    assert sorted(kinds(old)[3:]) == [
        "confirmed",
        "held",
        "payment_authorized",
        "payment_captured",
        "payment_late",
    ]
    assert {entry.hold_id for entry in old.items} == {hold.id, after.booking.hold_id}


async def test_late_money_of_two_payments_is_told_apart(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock, connection: Connection
) -> None:
    """The new booking's timeline does not go on to the booking of another payment of the old
    hold."""
    show = await paid_show(make_show)
    first = await take_seats(engine, show, "A1")
    holds = [await take_seats(engine, show, unit) for unit in ("A2", "A3")]
    for hold in holds:
        await connection.execute(
            """
            insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data)
            select resource_id, bespeak.horizon(), 'payment_late', bespeak.id_uuid($1),
                bespeak.now(), jsonb_build_object('hold_id', $2::text)
            from bespeak.resource
            """,
            first.id,
            hold.id,
        )
    new = await engine.timeline(holds[0].id)
    assert {entry.hold_id for entry in new.items} == {first.id, holds[0].id}
    old = await engine.timeline(first.id)
    assert {entry.hold_id for entry in old.items} == {first.id, holds[0].id, holds[1].id}


async def test_it_is_the_owners(engine: bespeak.Engine, make_show: MakeShow) -> None:
    show = await make_show()
    hold = await take_seats(engine, show, "A1")
    with pytest.raises(NotOwner):
        await engine.timeline(hold.id, owner="bela")
    with pytest.raises(InvalidId):
        await engine.timeline("hold_none")
    with pytest.raises(HoldNotFound):
        await engine.timeline("hold_" + "0" * 26)


async def test_it_is_read_by_its_indexes(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    """However many events there are, a timeline does not read them all."""
    show = await make_show()
    hold = await take_seats(engine, show, "A1")
    number = ids.parse(ids.HOLD, hold.id)
    await connection.execute(
        """
        insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data)
        select resource_id, '9', case when n % 50 = 0 then 'payment_late' else 'confirmed' end,
            gen_random_uuid(), bespeak.now(), jsonb_build_object('hold_id', n::text)
        from bespeak.resource, generate_series(1, 20000) n
        """
    )
    await connection.execute("analyze bespeak.event")
    for query, arguments in (
        ("holds", (ids.home_of(number), number)),
        ("events", ([number], 10)),
    ):
        plan = await connection.fetch(f"explain {QUERIES[query]}", *arguments)
        text = "\n".join(row[0] for row in plan)
        assert "event_first_of_booking" in text
        assert "Seq Scan on event_first" not in text
        assert ("event_first_of_late_money" in text) == (query == "holds")
