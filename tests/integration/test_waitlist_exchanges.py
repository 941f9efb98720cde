"""Waiting for something better: what confirms the offer gives the other booking back, in one, with
all of its money; and nothing is given back for what is not confirmed.
"""

from datetime import timedelta
from pathlib import Path

import pytest

import bespeak
from bespeak import Booking, Line, NightsPlan, Resource, Row, SeatsPlan, Section, ids
from bespeak.payments.recovery import Recovery
from bespeak.reservations.errors import BookingNotExchangeable
from bespeak.ticketing.service import open_office
from bespeak.waitlists.entry import NewWaitlistEntry, WaitlistEntry
from bespeak.waitlists.errors import BookingWaits, WaitlistWithoutExchange
from bespeak.waitlists.waitlist import Waitlist, WaitlistChange
from bespeak.waitlists.wish import WaitlistWish, WantedPlace
from tests.harness.clock import Clock
from tests.harness.database import Connection, feed_settled, problems
from tests.harness.paying import PRICE, assert_money_agrees, paid_show, paying_engine
from tests.harness.refunding import paid_booking, refund_all, settled, tiered_show
from tests.harness.shows import MakeShow, book, seats
from tests.harness.ticketing import codes_of, scan
from tests.harness.waitlists import (
    bodies,
    cancel,
    entry_of,
    join,
    listed,
    mailed,
    match,
    units,
)

engine = paying_engine
ROOM = SeatsPlan(sections=(Section("Stalls", (Row("A", 2), Row("B", 2))),))
FREE = {"exchange": "free"}


@pytest.fixture
async def show(make_show: MakeShow, clock: Clock) -> Resource:
    assert clock
    return await paid_show(make_show, plan=ROOM)


async def full(engine: bespeak.Engine, show: Resource) -> list[Booking]:
    """Two seats of asha in row B, and row A, of others, which asha would rather have."""
    own = await paid_booking(engine, seats(show, "B1", "B2"))
    return [own, *[await paid_booking(engine, seats(show, one), one) for one in ("A1", "A2")]]


async def wait(
    engine: bespeak.Engine, waitlist: Waitlist, booking: Booking, party: int = 2, **more: object
) -> WaitlistEntry:
    fields = {"instead_of_booking": booking.id, **more}
    return await join(engine, waitlist, booking.owner, party, **fields)  # type: ignore[arg-type]


async def offered(
    engine: bespeak.Engine, show: Resource, bookings: list[Booking]
) -> tuple[WaitlistEntry, str]:
    """The entry of asha, to whom row A is offered, with the hold."""
    waitlist = await listed(engine, show, **FREE)
    entry = await wait(engine, waitlist, bookings[0])
    await cancel(engine, *bookings[1:])
    await match(engine)
    found = await entry_of(engine, entry)
    assert found.offer is not None
    return found, found.offer.hold_id


async def state_of(engine: bespeak.Engine, booking: Booking) -> str:
    return (await engine.get_booking(booking.id)).state


async def test_what_is_paid_takes_the_place_of_the_other_with_all_its_money(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    bookings = await full(engine, show)
    old = bookings[0]
    entry, hold = await offered(engine, show, bookings)
    bela = await join(engine, await engine.waitlists.get(entry.waitlist_id), "bela", 2)
    assert entry.instead_of_booking == old.id
    await engine.waitlists.accept(entry.id, owner="asha")
    assert await state_of(engine, old) == "confirmed"
    paid = await engine.payments.pay(hold, token="tok_success", idempotency_key="k")
    assert paid.booking is not None
    gone = await engine.get_booking(old.id)
    assert (gone.state, gone.reason) == ("cancelled", "exchanged")
    (refund,) = await engine.refunds.of_booking(old.id)
    assert (refund.amount.amount, refund.state) == (2 * PRICE, "pending")
    await refund_all(engine)
    assert (await engine.refunds.get(refund.id)).state == "refunded"
    # What it gave back goes on to the next, and never to who gave it.
    await match(engine)
    assert (await entry_of(engine, entry)).state == "accepted"
    assert await units(engine, bela) == ["B1", "B2"]
    await settled(engine, paid.booking, "captured")
    again = await engine.payments.pay(hold, token="tok_success", idempotency_key="k")
    assert again.booking is not None
    assert (again.booking.id, again.replayed) == (paid.booking.id, True)
    assert len(await engine.refunds.of_booking(old.id)) == 1
    assert await problems(connection) == []
    await assert_money_agrees(connection)


async def test_a_repeat_of_the_confirmation_answers_the_same_and_cancels_once(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, clock: Clock
) -> None:
    assert clock
    show = await make_show(plan=ROOM)
    old = await book(engine, seats(show, "B1", "B2"))
    others = [await book(engine, seats(show, one), one) for one in ("A1", "A2")]
    entry, hold = await offered(engine, show, [old, *others])
    first = await engine.confirm_hold(hold, owner="asha", idempotency_key="k")
    again = await engine.confirm_hold(hold, owner="asha", idempotency_key="k")
    assert (again.id, again.replayed) == (first.id, True)
    with pytest.raises(bespeak.HoldConfirmed):
        await engine.confirm_hold(hold, owner="asha")
    await feed_settled(connection)
    events = (await engine.events(resource_id=show.id, limit=1000)).items
    told = [one for one in events if one.hold_id in (old.hold_id, hold)]
    assert [one.kind for one in told if one.kind in ("confirmed", "cancelled")] == [
        "confirmed",
        "cancelled",
        "confirmed",
    ]
    await match(engine)
    await feed_settled(connection)
    events = (await engine.events(resource_id=show.id, limit=1000)).items
    (accepted,) = [one for one in events if one.kind == "waitlist_accepted"]
    assert accepted.data is not None
    assert accepted.data["instead_of_booking"] == old.id == entry.instead_of_booking
    assert await problems(connection) == []


async def test_what_is_declined_lapses_or_is_left_leaves_the_booking_as_it_is(
    engine: bespeak.Engine, show: Resource, clock: Clock
) -> None:
    bookings = await full(engine, show)
    entry, hold = await offered(engine, show, bookings)
    assert (await engine.waitlists.decline(entry.id)).state == "over"
    waitlist = await engine.waitlists.get(entry.waitlist_id)
    again = await wait(engine, waitlist, bookings[0], offers_max=2)
    await match(engine)
    await clock.advance(1801)
    await match(engine)
    assert (await entry_of(engine, again)).offer is not None
    await engine.waitlists.withdraw(again.id)
    assert await state_of(engine, bookings[0]) == "confirmed"
    assert await engine.refunds.of_booking(bookings[0].id) == []
    with pytest.raises(bespeak.HoldReleased):
        await engine.payments.pay(hold, token="tok_success")


async def test_the_mails_say_what_is_given_back(
    engine: bespeak.Engine, show: Resource, tmp_path: Path
) -> None:
    bookings = await full(engine, show)
    waitlist = await listed(engine, show, **FREE)
    contact = bespeak.Contact("asha@example.org")
    await wait(engine, waitlist, bookings[0], contact=contact)
    await cancel(engine, *bookings[1:])
    await match(engine)
    await mailed(engine, tmp_path)
    told = f"Your booking {bookings[0].code} is cancelled, and its money goes back to you"
    assert told in " ".join(bodies(tmp_path).split())


async def test_a_payment_that_does_not_succeed_gives_nothing_back(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    bookings = await full(engine, show)
    _, hold = await offered(engine, show, bookings)
    with pytest.raises(bespeak.BespeakError, match="declined"):
        await engine.payments.pay(hold, token="tok_declined")
    assert await state_of(engine, bookings[0]) == "confirmed"
    assert await engine.refunds.of_booking(bookings[0].id) == []
    with pytest.raises(bespeak.PaymentRequired):
        await engine.confirm_hold(hold)
    assert await state_of(engine, bookings[0]) == "confirmed"
    paid = await engine.payments.pay(hold, token="tok_success")
    assert paid.booking is not None
    assert await state_of(engine, bookings[0]) == "cancelled"
    await assert_money_agrees(connection)


async def test_what_was_cancelled_meanwhile_makes_it_an_ordinary_purchase(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    bookings = await full(engine, show)
    _, hold = await offered(engine, show, bookings)
    await engine.cancel_booking(bookings[0].id, reason="ill", owner="asha")
    (refund,) = await engine.refunds.of_booking(bookings[0].id)
    paid = await engine.payments.pay(hold, token="tok_success")
    assert paid.booking is not None
    assert [one.id for one in await engine.refunds.of_booking(bookings[0].id)] == [refund.id]
    assert (await engine.get_booking(bookings[0].id)).reason == "ill"
    await assert_money_agrees(connection)


async def test_who_has_come_in_pays_nothing_and_keeps_the_offer_until_it_lapses(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    bookings = await full(engine, show)
    entry, hold = await offered(engine, show, bookings)
    office = await open_office(engine)
    await office.check_in(scan((await codes_of(office, bookings[0]))[0]))
    for refused in (
        engine.payments.pay(hold, token="tok_success"),
        engine.confirm_hold(hold, owner="asha"),
    ):
        with pytest.raises(BookingNotExchangeable) as told:
            await refused
        assert told.value.data == {"reason": "checked_in"}
    assert await connection.fetchval("select count(*) from bespeak.sandbox_payment") == 3
    assert (await engine.get_hold(hold, owner="asha")).state == "held"
    assert (await entry_of(engine, entry)).state == "offered"
    assert await state_of(engine, bookings[0]) == "confirmed"
    await engine.waitlists.withdraw(entry.id)
    with pytest.raises(BookingNotExchangeable):
        await wait(engine, await engine.waitlists.get(entry.waitlist_id), bookings[0])


async def test_who_came_in_while_the_money_was_on_its_way_gets_it_back(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    bookings = await full(engine, show)
    _, hold = await offered(engine, show, bookings)
    office = await open_office(engine)
    code = (await codes_of(office, bookings[0]))[0]
    bank = engine.payments.providers["sandbox"]
    with pytest.MonkeyPatch.context() as patched:
        authorize = bank.authorize

        async def meanwhile(charge: object) -> object:
            standing = await authorize(charge)  # type: ignore[arg-type]
            await office.check_in(scan(code))
            return standing

        patched.setattr(bank, "authorize", meanwhile)
        with pytest.raises(bespeak.BespeakError) as told:
            await engine.payments.pay(hold, token="tok_success")
    payment_id = str(told.value.data["payment_id"])
    await Recovery(engine.payments).look()
    paid = await engine.payments.payment(payment_id)
    assert paid.payment is not None
    assert (paid.payment.state, paid.booking) == ("voided", None)
    assert (await engine.get_hold(hold, owner="asha")).state == "held"
    assert await state_of(engine, bookings[0]) == "confirmed"
    assert await engine.refunds.of_booking(bookings[0].id) == []
    await assert_money_agrees(connection)


async def test_what_has_begun_is_not_given_back(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock
) -> None:
    tuesday = await make_show(plan=ROOM, starts_at=clock.now + timedelta(minutes=20))
    friday = await make_show(plan=ROOM, starts_at=clock.now + timedelta(days=3))
    old = await book(engine, seats(tuesday, "B1"))
    others = [await book(engine, seats(friday, "A1", "A2", "B1", "B2"), "bela")]
    waitlist = await listed(engine, friday, tuesday, **FREE)
    entry = await wait(engine, waitlist, old, 1, places=(WantedPlace(friday.id),))
    await cancel(engine, *others)
    await match(engine)
    offer = (await entry_of(engine, entry)).offer
    assert offer is not None
    # One minute before, it can be: the control.
    assert await engine.database.pool.fetchval(
        "select bespeak.exchange_problem(bespeak.now(), $1) is null",
        ids.parse(ids.HOLD, offer.hold_id),
    )
    await clock.advance(1201)
    with pytest.raises(BookingNotExchangeable) as told:
        await engine.confirm_hold(offer.hold_id)
    assert told.value.data == {"reason": "begun"}
    assert await state_of(engine, old) == "confirmed"
    # And who could not give anything back any more is offered nothing.
    await engine.waitlists.decline(entry.id)
    with pytest.raises(BookingNotExchangeable):
        await wait(engine, waitlist, old, 1, places=(WantedPlace(friday.id),))


async def test_who_waits_with_what_has_begun_is_offered_nothing(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock
) -> None:
    tuesday = await make_show(plan=ROOM, starts_at=clock.now + timedelta(minutes=20))
    friday = await make_show(plan=ROOM, starts_at=clock.now + timedelta(days=3))
    old = await book(engine, seats(tuesday, "B1"))
    others = await book(engine, seats(friday, "A1", "A2", "B1", "B2"), "bela")
    waitlist = await listed(engine, friday, tuesday, **FREE)
    entry = await wait(engine, waitlist, old, 1, places=(WantedPlace(friday.id),))
    after = await join(engine, waitlist, "chen", places=(WantedPlace(friday.id),))
    await clock.advance(1201)
    await engine.cancel_booking(others.id, reason="ill", lines=seats(friday, "A1"))
    await match(engine)
    assert (await entry_of(engine, entry)).state == "waiting"
    assert await units(engine, after) == ["A1"]


async def test_nights_begin_with_the_first_of_them(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock
) -> None:
    hotel = await make_show(plan=NightsPlan(rooms=("101",)), kind="room", owner_limit=None)

    def stay(start: str, end: str) -> list[Line]:
        return [Line(hotel.id, "101", from_=start, to=end)]

    old = await book(engine, stay("2030-01-03", "2030-01-05"))
    wanted = await book(engine, stay("2030-02-01", "2030-02-03"), "bela")
    waitlist = await listed(engine, hotel, **FREE)
    places = (WantedPlace(hotel.id, from_="2030-02-01", to="2030-02-03"),)
    entry = await wait(engine, waitlist, old, 1, places=places)
    await cancel(engine, wanted)
    await match(engine)
    offer = (await entry_of(engine, entry)).offer
    assert offer is not None
    begins = await engine.database.pool.fetchval(
        "select instead_begins_at from bespeak.waitlist_entry"
    )
    assert begins.date().isoformat() == "2030-01-03"
    await engine.confirm_hold(offer.hold_id)
    assert await state_of(engine, old) == "cancelled"
    assert clock.now < begins


async def test_the_fee_and_the_terms_do_not_matter_and_a_part_that_is_gone_is_not_paid_twice(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock, connection: Connection
) -> None:
    """Of a booking of which some was cancelled by its terms it is, to the cent, what the library
    gives back in full of another such booking."""
    show = await tiered_show(make_show, plan=ROOM)
    await clock.advance(29.5 * 86_400)  # too late for anything to be given back
    own, twin = [await paid_booking(engine, seats(show, f"{row}1", f"{row}2"), row) for row in "BA"]
    for booking, seat in ((own, "B1"), (twin, "A1")):
        await engine.cancel_booking(booking.id, reason="ill", lines=seats(show, seat))
        assert await engine.refunds.of_booking(booking.id) == []
    waitlist = await listed(engine, show, **FREE)
    entry = await wait(engine, waitlist, own, 1, categories=())
    await match(engine)
    found = await entry_of(engine, entry)
    assert found.offer is not None
    await engine.payments.pay(found.offer.hold_id, token="tok_success")
    await engine.cancel_booking(twin.id, reason="ill", refund="full")
    (exchanged,), (ordinary,) = [await engine.refunds.of_booking(one.id) for one in (own, twin)]
    assert exchanged.amount == ordinary.amount
    assert exchanged.amount.amount == PRICE + 100
    await refund_all(engine)
    await assert_money_agrees(connection)
    assert await problems(connection) == []


@pytest.mark.parametrize("is_exchange", [True, False], ids=["exchange", "control"])
async def test_late_money_for_a_lapsed_offer_goes_back_and_the_other_stays(
    engine: bespeak.Engine,
    make_show: MakeShow,
    clock: Clock,
    connection: Connection,
    is_exchange: bool,
) -> None:
    """Of an offer that is for no other booking it takes the same seats again, as the show says."""
    show = await paid_show(make_show, plan=ROOM, late_payment="same_units")
    bookings = await full(engine, show)
    waitlist = await listed(engine, show, **FREE)
    if is_exchange:
        entry = await wait(engine, waitlist, bookings[0])
    else:
        entry = await join(engine, waitlist, "asha", 2)
    await cancel(engine, *bookings[1:])
    await match(engine)
    offer = (await entry_of(engine, entry)).offer
    assert offer is not None
    await refund_all(engine)
    paid = await engine.payments.pay(offer.hold_id, token="tok_timeout_after")
    assert paid.payment is not None
    await clock.advance(100_000)
    for _ in range(5):
        await Recovery(engine.payments).look()
        await clock.advance(60)
    found = await engine.payments.payment(paid.payment.id)
    assert found.payment is not None
    assert found.payment.state == ("voided" if is_exchange else "captured")
    assert (found.booking is None) == is_exchange
    assert await state_of(engine, bookings[0]) == "confirmed"
    await assert_money_agrees(connection)


async def test_who_may_not_wait_to_give_a_booking_back(
    engine: bespeak.Engine, show: Resource, make_show: MakeShow
) -> None:
    bookings = await full(engine, show)
    waitlist = await listed(engine, show)
    assert waitlist.exchange == "none"
    with pytest.raises(WaitlistWithoutExchange):
        await wait(engine, waitlist, bookings[0])
    await engine.waitlists.update(waitlist.id, WaitlistChange(exchange="free", owner_entries_max=5))
    with pytest.raises(bespeak.NotOwner):
        await join(engine, waitlist, "mallory", instead_of_booking=bookings[0].id)
    with pytest.raises(bespeak.InvalidId):
        await join(engine, waitlist, "asha", instead_of_booking="booking-1")
    with pytest.raises(bespeak.BookingNotFound):
        await join(engine, waitlist, "asha", instead_of_booking=f"bkg_{'0' * 26}")
    first = await wait(engine, waitlist, bookings[0])
    with pytest.raises(BookingWaits):
        await wait(engine, waitlist, bookings[0])
    other = await listed(engine, await make_show(plan=ROOM), **FREE)
    with pytest.raises(BookingWaits):
        await wait(engine, other, bookings[0])
    await engine.waitlists.withdraw(first.id)
    await wait(engine, other, bookings[0])
    gone = await book(engine, seats(await make_show(plan=ROOM), "A1"))
    await cancel(engine, gone)
    with pytest.raises(bespeak.BookingCancelled):
        await wait(engine, waitlist, gone)


async def test_a_repeat_of_joining_is_answered_also_when_the_booking_is_gone(
    engine: bespeak.Engine, show: Resource
) -> None:
    bookings = await full(engine, show)
    waitlist = await listed(engine, show, **FREE)
    wish = WaitlistWish(party=1, places=(WantedPlace(show.id),))
    new = NewWaitlistEntry(wish=wish, instead_of_booking=bookings[0].id)
    first = await engine.waitlists.join(waitlist.id, new, owner="asha", idempotency_key="k")
    await cancel(engine, bookings[0])
    again = await engine.waitlists.join(waitlist.id, new, owner="asha", idempotency_key="k")
    assert (again.id, again.replayed) == (first.id, True)
    plain = NewWaitlistEntry(wish=wish)
    with pytest.raises(bespeak.IdempotencyKeyReused):
        await engine.waitlists.join(waitlist.id, plain, owner="asha", idempotency_key="k")
