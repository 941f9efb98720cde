"""A guest changes a stay: other nights are held in place of a booking, which is cancelled, with all
of its money, by what confirms them. Nights of both stay the guest's all the while.
"""

from datetime import timedelta

import pytest

import bespeak
from bespeak import Booking, Line, NightsPlan, Resource
from bespeak.pricing.rules import Cancellation, Fee, Pricing
from bespeak.reservations.errors import BookingNotExchangeable
from bespeak.reservations.sweeper import Sweeper
from bespeak.ticketing.service import open_office
from tests.harness.clock import START, Clock
from tests.harness.database import Connection, feed_settled, problems
from tests.harness.paying import assert_money_agrees, paid_show, paying_engine
from tests.harness.refunding import paid_booking, refund_all
from tests.harness.shows import MakeShow, take
from tests.harness.ticketing import codes_of, scan

engine = paying_engine
pytestmark = pytest.mark.usefixtures("clock")
NIGHT = 9000
ROOMS = NightsPlan(rooms=("101", "102"), buffer_nights=1, price=NIGHT)
TYPE = NightsPlan(count=2, price=NIGHT)


def day(after: int) -> str:
    return str((START + timedelta(days=after)).date())


def nights(house: Resource, first: int, last: int, unit: str | None = None, n: int = 1) -> Line:
    quantity = None if unit is not None or n == 1 else n
    return Line(house.id, unit, quantity, from_=day(first), to=day(last))


async def house_of(make_show: MakeShow, plan: NightsPlan, **fields: object) -> Resource:
    return await paid_show(make_show, plan=plan, time_zone="Europe/Lisbon", **fields)


async def change(
    engine: bespeak.Engine, booking_id: str, lines: list[Line], **fields: object
) -> bespeak.Hold:
    """Holds these in place of a booking."""
    return await engine.change_stay(booking_id, lines=lines, **{"owner": "asha", **fields})  # type: ignore[arg-type]


async def state_of(engine: bespeak.Engine, booking: Booking) -> str:
    return (await engine.get_booking(booking.id)).state


async def pay(engine: bespeak.Engine, hold: bespeak.Hold) -> Booking:
    paid = await engine.payments.pay(hold.id, token="tok_success", idempotency_key=f"pay {hold.id}")
    assert paid.booking is not None
    return paid.booking


async def taken(connection: Connection, house: Resource) -> list[str]:
    """All that is claimed or drawn for good, with how many."""
    rows = await connection.fetch(
        """select unit, 1 as n from bespeak.claim where resource_id = $1 and expires_at = 'infinity'
        union all
        select unit, quantity from bespeak.draw where resource_id = $1 and expires_at = 'infinity'
        order by unit""",
        bespeak.ids.parse_resource(house.id),
    )
    return [f"{row['unit']} x{row['n']}" for row in rows]


# (what was booked, what is wanted), in nights from today: longer, shorter, moved by a day to either
# side, the same, all within, all around, and not touching.
CHANGES = (
    ((10, 14), (10, 16)),
    ((10, 14), (10, 12)),
    ((10, 14), (12, 16)),
    ((10, 14), (8, 12)),
    ((10, 14), (10, 14)),
    ((10, 14), (11, 13)),
    ((10, 14), (9, 17)),
    ((10, 14), (30, 32)),
)


@pytest.mark.parametrize("plan", [ROOMS, TYPE], ids=["rooms", "type"])
async def test_a_full_house_is_no_hindrance_to_who_keeps_nights_of_their_own(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, plan: NightsPlan
) -> None:
    house = await house_of(make_show, plan, owner_limit=1)
    await book_free(engine, house, (8, 40), "bela")
    for number, (before, after) in enumerate(CHANGES):
        old = await paid_booking(engine, [nights(house, *before)], captured=False)
        wanted, key = [nights(house, *after)], f"change {number}"
        held = await change(engine, old.id, wanted, idempotency_key=key)
        again = await change(engine, old.id, wanted, idempotency_key=key)
        assert (again.id, again.replayed) == (held.id, True)
        # Nobody else gets what either has, and neither is lost.
        for mine in (before, after):
            with pytest.raises(bespeak.Refused):
                await take(engine, [nights(house, *mine)], "mallory")
        assert (held.lines[0].from_, held.lines[0].to) == (day(after[0]), day(after[1]))
        assert held.amount.amount == NIGHT * (after[1] - after[0])
        assert await problems(connection) == []
        new = await pay(engine, held)
        gone = await engine.get_booking(old.id)
        assert (gone.state, gone.reason) == ("cancelled", "exchanged")
        (refund,) = await engine.refunds.of_booking(old.id)
        assert refund.amount == old.amount
        with pytest.raises(bespeak.Refused):
            await take(engine, [nights(house, *after)], "mallory")
        assert await problems(connection) == []
        await engine.cancel_booking(new.id, reason="over")
        # What was bela's alone is left, and nothing of either.
        left = await taken(connection, house)
        assert len(left) == 32 + (plan is ROOMS) + 1, left
        assert await problems(connection) == []
    await refund_all(engine)
    await assert_money_agrees(connection)


async def book_free(
    engine: bespeak.Engine, house: Resource, when: tuple[int, int], owner: str
) -> Booking:
    return await paid_booking(engine, [nights(house, *when)], owner, captured=False)


async def test_what_ends_leaves_the_stay_as_it_was(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, clock: Clock
) -> None:
    """Let go, lapsed and swept, declined: the booking and each of its nights are the guest's."""
    house = await house_of(make_show, ROOMS)
    old = await paid_booking(engine, [nights(house, 10, 14, "101")])
    before = await taken(connection, house)
    wanted = [nights(house, 12, 16)]
    held = await change(engine, old.id, wanted)
    assert held.lines[0].unit == "101"
    with pytest.raises(BookingNotExchangeable) as told:
        await change(engine, old.id, [nights(house, 20, 22)])
    assert told.value.data["reason"] == "under_way"
    await engine.release_hold(held.id, owner="asha")
    held = await change(engine, old.id, wanted)
    with pytest.raises(bespeak.BespeakError, match="declined"):
        await engine.payments.pay(held.id, token="tok_declined")
    with pytest.raises(bespeak.PaymentRequired):
        await engine.confirm_hold(held.id)
    await clock.advance(3600)
    # Whoever takes it after it has lapsed is not in the way of the nights that are booked.
    other = await take(engine, [nights(house, 15, 16, "101")], "bela")
    await engine.release_hold(other.id)
    await Sweeper(engine.database.pool).sweep()
    assert await state_of(engine, old) == "confirmed"
    assert await taken(connection, house) == before
    assert await engine.refunds.of_booking(old.id) == []
    assert await problems(connection) == []
    await feed_settled(connection)
    events = (await engine.events(resource_id=house.id, limit=1000)).items
    units = {line.unit for one in events if one.hold_id == held.id for line in one.lines}
    assert units == {f"101@{day(at)}" for at in (15, 16)}, "it never sets free what it did not have"
    held = await change(engine, old.id, wanted)
    await pay(engine, held)
    await feed_settled(connection)
    events = (await engine.events(resource_id=house.id, limit=1000)).items
    kinds = ("cancelled", "confirmed")
    own = [one for one in events if one.hold_id in (held.id, old.hold_id)]
    ends = [one for one in own if one.kind in kinds][-2:]
    # In this order a reader that sets free and books unit by unit has it right.
    assert [(one.kind, one.hold_id) for one in ends] == [
        ("cancelled", old.hold_id),
        ("confirmed", held.id),
    ]
    assert {line.unit for line in ends[1].lines} == {f"101@{day(at)}" for at in range(12, 17)}


async def test_a_stay_that_is_not_as_it_was_is_not_changed(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    """Nights that would be kept were given back or moved meanwhile: nothing is paid or lost."""
    house = await house_of(make_show, ROOMS)
    old = await paid_booking(engine, [nights(house, 10, 14, "101")])
    held = await change(engine, old.id, [nights(house, 12, 16)])
    await engine.move_booking(old.id, [bespeak.Move("101", "102")])
    for refused in (
        engine.payments.pay(held.id, token="tok_success"),
        engine.confirm_hold(held.id, owner="asha"),
    ):
        with pytest.raises(BookingNotExchangeable) as told:
            await refused
        assert told.value.data == {"reason": "changed"}
    assert await state_of(engine, old) == "confirmed"
    await engine.release_hold(held.id)
    apart = await change(engine, old.id, [nights(house, 30, 32)])
    await engine.cancel_booking(old.id, reason="ill")
    new = await pay(engine, apart)  # nothing of the other is kept: bought as any
    assert new.state == "confirmed"
    assert len(await engine.refunds.of_booking(old.id)) == 1
    assert (await engine.get_booking(old.id)).reason == "ill"
    assert await problems(connection) == []
    await refund_all(engine)
    await assert_money_agrees(connection)


async def with_fee(
    engine: bespeak.Engine, make_show: MakeShow, *, fees_back: bool
) -> dict[str, object]:
    """What changes a long stay to one night, where what is cancelled gives the fee back or not."""
    terms = Cancellation(free_until_seconds=86_400, fees_back=fees_back)
    pricing = Pricing(fees=(Fee("Cleaning", amount=500),), cancellation=terms)
    house = await house_of(make_show, ROOMS, pricing=pricing)
    long = await paid_booking(engine, [nights(house, 20, 24)])
    return {"booking_id": long.id, "lines": [nights(house, 20, 21)]}


async def ends_with_the_terms(
    engine: bespeak.Engine, clock: Clock, old: Booking, wanted: list[Line]
) -> None:
    """A stay from the tenth day on that is free until five days before: ten minutes before that
    ends, and holding does not stretch it."""
    ends = START + timedelta(days=5, hours=3)
    await clock.set(ends - timedelta(minutes=10))
    held = await change(engine, old.id, wanted, hold_seconds=1800)
    assert held.expires_at == held.extends_until == ends
    with pytest.raises(bespeak.ExtensionBeyondCap):
        await engine.extend_hold(held.id, seconds=601)
    await clock.advance(601)
    with pytest.raises(bespeak.HoldExpired):
        await engine.payments.pay(held.id, token="tok_success")
    await clock.set(ends)  # the last instant, of which a hold has nothing left


async def test_whose_stay_can_be_changed_and_until_when(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock, connection: Connection
) -> None:
    free_until = Pricing(cancellation=Cancellation(free_until_seconds=5 * 86_400))
    house = await house_of(make_show, ROOMS, pricing=free_until)
    old = await paid_booking(engine, [nights(house, 10, 14)])
    wanted = [nights(house, 20, 22)]

    async def refused(**asked: object) -> bespeak.BespeakError:
        with pytest.raises(bespeak.BespeakError) as told:
            await change(engine, **{"booking_id": old.id, "lines": wanted, **asked})  # type: ignore[arg-type]
        return told.value

    assert isinstance(await refused(owner="mallory"), bespeak.NotOwner)
    assert isinstance(await refused(booking_id="booking-1"), bespeak.InvalidId)
    assert isinstance(await refused(booking_id=f"bkg_{'0' * 26}"), bespeak.BookingNotFound)
    show = await paid_show(make_show)
    seat = [Line(show.id, "A1")]
    assert (await refused(lines=seat)).data["field"] == "instead_of_booking"
    assert (await refused(lines=[*wanted, *seat])).data["field"] == "instead_of_booking"
    await ends_with_the_terms(engine, clock, old, wanted)
    assert (await refused()).data["reason"] == "terms"
    await clock.set(START + timedelta(days=6))  # and after it
    assert (await refused()).data["reason"] == "terms"
    kept = await with_fee(engine, make_show, fees_back=False)
    assert (await refused(**kept)).data["reason"] == "terms"  # no way around the fee
    whole = await with_fee(engine, make_show, fees_back=True)
    assert (await change(engine, **whole)).state == "held"  # type: ignore[arg-type]
    gone = await paid_booking(engine, [nights(house, 30, 32)])
    await engine.cancel_booking(gone.id, reason="ill")
    assert isinstance(await refused(booking_id=gone.id), bespeak.BookingCancelled)
    used = await paid_booking(engine, [nights(house, 40, 42)])
    office = await open_office(engine)
    await office.check_in(scan((await codes_of(office, used))[0]))
    assert (await refused(booking_id=used.id)).data["reason"] == "checked_in"
    plain = await house_of(make_show, TYPE)
    begun = await paid_booking(engine, [nights(plain, 6, 9)])
    held = await change(engine, begun.id, [nights(plain, 20, 22)], hold_seconds=1800)
    await clock.set(START + timedelta(days=6, hours=2, minutes=50))
    late = await change(engine, begun.id, [nights(plain, 30, 32)], hold_seconds=1800)
    await clock.advance(1200)
    with pytest.raises(BookingNotExchangeable) as told:
        await engine.payments.pay(late.id, token="tok_success")
    assert told.value.data == {"reason": "begun"}
    assert (await engine.get_hold(held.id)).state == "expired"
    assert await problems(connection) == []


async def test_it_is_a_part_of_a_transaction_that_its_caller_began_by_hand(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    house = await house_of(make_show, ROOMS)
    old = await paid_booking(engine, [nights(house, 10, 14)])
    wanted = [nights(house, 12, 16)]
    await connection.execute("begin")
    held = await change(engine, old.id, wanted, connection=connection)
    with pytest.raises(BookingNotExchangeable) as refused:
        await change(engine, old.id, wanted, connection=connection)
    assert refused.value.data["hold_id"] == held.id
    await connection.execute("rollback")
    assert await connection.fetchval("select count(*) from bespeak.hold where state = 'held'") == 0
    await connection.execute("begin")
    held = await change(engine, old.id, wanted, connection=connection)
    await connection.execute("commit")
    assert (await engine.get_hold(held.id)).state == "held"
    assert await problems(connection) == []
