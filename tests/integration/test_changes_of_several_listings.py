"""A stay in several listings is changed in one step: all of its rooms get other nights, or none
does. Of each the nights of before are the guest's all the while, and each listing's rules are its
own.
"""

from datetime import timedelta
from functools import partial

import pytest

import bespeak
from bespeak import Booking, Line, NightsPlan, Resource
from bespeak.inventory.shapes.nights.plan import NightRule
from bespeak.pricing.rules import Cancellation, Pricing
from bespeak.refusals import Alternative, Conflict, all_of
from bespeak.reservations.errors import BookingNotExchangeable
from tests.harness.clock import START, Clock
from tests.harness.database import Connection, feed_settled, problems
from tests.harness.paying import assert_money_agrees, paid_show, paying_engine
from tests.harness.refunding import paid_booking, refund_all
from tests.harness.shows import MakeShow, take
from tests.integration.test_stay_changes import (
    CHANGES,
    NIGHT,
    ROOMS,
    change,
    day,
    house_of,
    nights,
    pay,
    state_of,
    taken,
)

engine = paying_engine
pytestmark = pytest.mark.usefixtures("clock")
CABIN = NightsPlan(rooms=("it",), price=2 * NIGHT)
TYPE = NightsPlan(count=3, price=3 * NIGHT)
A_NIGHT = NIGHT + 2 * NIGHT + 2 * 3 * NIGHT
"""Of a room, the cabin and two of the type."""


async def resort_of(make_show: MakeShow, **fields: object) -> list[Resource]:
    """A house with rooms, a cabin and rooms that are alike, each a listing of its own."""
    return [await house_of(make_show, plan, **fields) for plan in (ROOMS, CABIN, TYPE)]


def family(resort: list[Resource], first: int, last: int) -> list[Line]:
    house, cabin, alike = resort
    return [
        nights(house, first, last),
        nights(cabin, first, last),
        nights(alike, first, last, n=2),
    ]


async def test_all_rooms_change_in_a_full_resort(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    resort = await resort_of(make_show)
    house, cabin, alike = resort
    for listing in (house, alike):
        await paid_booking(engine, [nights(listing, 8, 40)], "bela", captured=False)
    before = [await taken(connection, one) for one in resort]
    for number, (had, wanted) in enumerate(CHANGES):
        old = await paid_booking(engine, family(resort, *had), captured=False)
        asked = {"idempotency_key": f"change {number}"}
        # In another order than they were booked in.
        lines = list(reversed(family(resort, *wanted)))
        held = await change(engine, old.id, lines, **asked)
        again = await change(engine, old.id, lines, **asked)
        assert (again.id, again.replayed) == (held.id, True)
        assert [one.resource_id for one in held.lines] == [alike.id, cabin.id, house.id]
        assert {(one.from_, one.to) for one in held.lines} == {(day(wanted[0]), day(wanted[1]))}
        assert held.amount.amount == A_NIGHT * (wanted[1] - wanted[0])
        for listing in resort:
            for mine in (had, wanted):
                with pytest.raises(bespeak.Refused):
                    n = 2 if listing is alike else 1
                    await take(engine, [nights(listing, *mine, n=n)], "mallory")
        assert await problems(connection) == []
        new = await pay(engine, held)
        gone = await engine.get_booking(old.id)
        assert (gone.state, gone.reason) == ("cancelled", "exchanged")
        (refund,) = await engine.refunds.of_booking(old.id)
        assert refund.amount == old.amount
        assert await problems(connection) == []
        await engine.cancel_booking(new.id, reason="over")
        assert [await taken(connection, one) for one in resort] == before
    await refund_all(engine)
    await assert_money_agrees(connection)


async def test_one_that_is_taken_keeps_all_as_it_was(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    resort = await resort_of(make_show)
    _, cabin, _ = resort
    old = await paid_booking(engine, family(resort, 10, 14))
    before = [await taken(connection, one) for one in resort]
    theirs = await paid_booking(engine, [nights(cabin, 15, 16)], "bela")
    with pytest.raises(bespeak.Refused) as told:
        await change(engine, old.id, family(resort, 12, 16), alternatives=2)
    # The cabin alone is named, though the other rooms are full of this guest's own nights.
    conflicts = all_of(Conflict, told.value.data["conflicts"])
    assert [one.resource_id for one in conflicts] == [cabin.id]
    offered = all_of(Alternative, told.value.data["alternatives"])
    assert [one.instead_of for one in offered] == [[1]]
    assert await state_of(engine, old) == "confirmed"
    await engine.cancel_booking(theirs.id, reason="over")
    assert [await taken(connection, one) for one in resort] == before
    assert await engine.refunds.of_booking(old.id) == []
    # Nothing of it is under way.
    assert (await change(engine, old.id, family(resort, 12, 16))).state == "held"
    assert await problems(connection) == []


async def test_only_the_room_that_is_not_free_is_chosen_anew(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    """Two rooms of the house and the only cabin: somebody has one of the rooms on the last night,
    and every room but a third of the house is in use by this guest."""
    plan = NightsPlan(rooms=("101", "102", "103"), price=NIGHT)
    house, cabin = [await house_of(make_show, one) for one in (plan, CABIN)]
    old = await paid_booking(
        engine,
        [nights(house, 10, 14, "101"), nights(cabin, 10, 14), nights(house, 10, 14, "102")],
    )
    await paid_booking(engine, [nights(house, 14, 15, "101")], "bela")
    wanted = [nights(house, 11, 15), nights(house, 11, 15), nights(cabin, 11, 15)]
    held = await change(engine, old.id, wanted)
    assert [one.unit for one in held.lines] == ["103", "102", "it"]
    new = await pay(engine, held)
    assert [one.unit for one in new.lines] == ["103", "102", "it"]
    assert await problems(connection) == []


async def test_a_room_of_before_may_be_asked_for_by_another_line(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    house = await house_of(make_show, NightsPlan(rooms=("101", "102", "103"), price=NIGHT))
    rooms = [nights(house, 10, 14, unit) for unit in ("101", "102")]
    old = await paid_booking(engine, rooms)
    for asked, given in (
        (["102", None], ["102", "101"]),
        ([None, "101"], ["102", "101"]),
        (["103", None], ["103", "102"]),
        (["102", "101"], ["102", "101"]),
    ):
        wanted = [nights(house, 12, 16, unit) for unit in asked]
        held = await change(engine, old.id, wanted)
        assert [one.unit for one in held.lines] == given, asked
        await engine.release_hold(held.id)
    assert await problems(connection) == []


async def test_each_listing_is_judged_by_its_own_rules(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock, connection: Connection
) -> None:
    long = NightsPlan(rooms=("it",), price=NIGHT, min_nights=3)
    on = (START + timedelta(days=12)).date()
    shut = NightRule(from_=on, to=on + timedelta(days=1), closed_to_arrival=True)
    late = NightsPlan(rooms=("it",), price=NIGHT, rules=(shut,))
    house, cabin, hut = [await house_of(make_show, plan) for plan in (ROOMS, long, late)]
    old = await paid_booking(engine, [nights(one, 10, 14) for one in (house, cabin, hut)])
    for first, last, place, wrong in ((11, 13, 1, cabin), (12, 16, 2, hut)):
        wanted = [nights(one, first, last) for one in (house, cabin, hut)]
        with pytest.raises(bespeak.NotOnSale) as told:
            await change(engine, old.id, wanted)
        assert told.value.data["line"] == place
        assert told.value.data["resource_id"] == wrong.id
        with pytest.raises(bespeak.NotOnSale) as told:
            await engine.quote(wanted)  # before anything is held, too
        assert told.value.data["line"] == place
    assert (await change(engine, old.id, [nights(house, 11, 13)])).state == "held"
    assert await state_of(engine, old) == "confirmed"
    assert await problems(connection) == []


async def test_a_refusal_names_the_line_also_behind_one_of_many_rooms(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    """Two rooms that are one line become two of the hold: that is no place in the request."""
    long = NightsPlan(rooms=("it",), price=NIGHT, min_nights=3)
    house, cabin = [await house_of(make_show, plan) for plan in (ROOMS, long)]
    wanted = [nights(house, 20, 22, n=2), nights(cabin, 20, 22, "it")]
    for ask in (engine.quote, partial(take, engine)):
        with pytest.raises(bespeak.NotOnSale) as told:
            await ask(wanted)
        assert (told.value.data["line"], told.value.data["resource_id"]) == (1, cabin.id)
    old = await paid_booking(
        engine, [nights(house, 10, 14, n=2), nights(cabin, 10, 14, "it")], captured=False
    )
    with pytest.raises(bespeak.NotOnSale) as told:
        await change(engine, old.id, wanted)
    assert (told.value.data["line"], told.value.data["resource_id"]) == (1, cabin.id)


async def test_the_terms_of_each_keep_all(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock, connection: Connection
) -> None:
    """The hold lasts as long as the first of them; then nothing is changed any more."""

    async def house(days: int) -> Resource:
        terms = Pricing(cancellation=Cancellation(free_until_seconds=days * 86_400))
        return await house_of(make_show, CABIN, pricing=terms)

    early, later = await house(2), await house(5)
    old = await paid_booking(engine, [nights(early, 10, 14), nights(later, 10, 14)])
    wanted = [nights(early, 20, 22), nights(later, 20, 22)]
    ends = START + timedelta(days=5, hours=3)
    await clock.set(ends - timedelta(minutes=10))
    held = await change(engine, old.id, wanted, hold_seconds=1800)
    assert held.expires_at == held.extends_until == ends
    await clock.set(ends + timedelta(seconds=1))
    with pytest.raises(BookingNotExchangeable) as told:
        await change(engine, old.id, wanted)
    assert told.value.data["reason"] == "terms"
    # The one that was in the way is given back: what is left of the booking is free to change.
    await engine.cancel_booking(
        old.id, reason="ill", lines=[Line(later.id, "it", from_=day(10), to=day(14))]
    )
    held = await change(engine, old.id, [nights(early, 20, 22)])
    assert (await pay(engine, held)).state == "confirmed"
    assert await problems(connection) == []


async def test_what_became_of_one_of_them_meanwhile(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    """Moved, cancelled, or held for other dates already: nothing is paid, and nothing is lost."""
    resort = await resort_of(make_show)
    house, cabin, _ = resort
    old = await paid_booking(engine, family(resort, 10, 14))
    wanted = family(resort, 12, 16)
    held = await change(engine, old.id, wanted)
    with pytest.raises(BookingNotExchangeable) as told:
        await change(engine, old.id, [nights(cabin, 20, 22)])
    assert told.value.data["reason"] == "under_way"
    one = next(line for line in old.lines if line.resource_id == house.id)
    other = "102" if one.unit == "101" else "101"
    await engine.move_booking(old.id, [bespeak.Move(one.unit or "", other)], resource_id=house.id)
    with pytest.raises(BookingNotExchangeable) as told:
        await engine.payments.pay(held.id, token="tok_success")
    assert told.value.data["reason"] == "changed"
    await engine.release_hold(held.id)
    held = await change(engine, old.id, wanted)
    assert held.lines[0].unit == other
    before = await connection.fetchval("select count(*) from bespeak.booking")
    await engine.cancel_booking(
        old.id, reason="ill", lines=[Line(cabin.id, "it", from_=day(10), to=day(14))]
    )
    with pytest.raises(BookingNotExchangeable) as told:
        await engine.payments.pay(held.id, token="tok_success")
    assert told.value.data["reason"] == "changed"
    assert await connection.fetchval("select count(*) from bespeak.booking") == before
    assert await state_of(engine, old) == "confirmed"
    assert await problems(connection) == []


async def test_fewer_rooms_and_more(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    """To some of the listings and to one more, also where nothing is taken that was not there."""
    resort = await resort_of(make_show)
    house, cabin, _ = resort
    before = [await taken(connection, one) for one in resort]
    old = await paid_booking(engine, family(resort, 10, 14))
    held = await change(engine, old.id, [nights(cabin, 11, 13)])  # the rest goes back
    with pytest.raises(BookingNotExchangeable) as told:
        await change(engine, old.id, family(resort, 11, 13))
    assert told.value.data["reason"] == "under_way"
    assert await problems(connection) == []
    new = await pay(engine, held)
    assert [(one.resource_id, one.to) for one in new.lines] == [(cabin.id, day(13))]
    assert (await take(engine, [nights(house, 10, 14)], "bela")).state == "held"
    more = await pay(engine, await change(engine, new.id, family(resort, 11, 13)))
    assert len(more.lines) == 3
    assert await problems(connection) == []
    found = await connection.fetchval(
        "select count(*) from bespeak.draw where unit like '%exchange:%'"
    )
    assert found == 0, "no mark outlives its change"
    await engine.cancel_booking(more.id, reason="over")
    assert [await taken(connection, one) for one in resort] == before


async def test_the_feed_tells_each_listing_in_an_order_that_can_be_followed(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    resort = await resort_of(make_show)
    old = await paid_booking(engine, family(resort, 10, 14))
    new = await pay(engine, await change(engine, old.id, family(resort, 12, 16)))
    await feed_settled(connection)
    for listing in resort:
        events = (await engine.events(resource_id=listing.id, limit=1000)).items
        own = [one for one in events if one.hold_id in (old.hold_id, new.hold_id)]
        ends = [one for one in own if one.kind in ("cancelled", "confirmed")][-2:]
        assert [(one.kind, one.hold_id) for one in ends] == [
            ("cancelled", old.hold_id),
            ("confirmed", new.hold_id),
        ]


async def test_what_is_no_range_and_what_is_elsewhere_take_no_part(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    resort = await resort_of(make_show)
    old = await paid_booking(engine, family(resort, 10, 14))
    show = await paid_show(make_show)
    wanted = family(resort, 12, 16)
    with pytest.raises(bespeak.InvalidRequest) as told:
        await change(engine, old.id, [*wanted, Line(show.id, "A1")])
    assert told.value.data["field"] == "instead_of_booking"
    with pytest.raises(bespeak.NotOwner):
        await change(engine, old.id, wanted, owner="mallory")
    assert await state_of(engine, old) == "confirmed"
    assert await problems(connection) == []


async def test_owners_limits_are_of_each_listing(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    """What is kept is not counted twice, in either."""
    house, cabin = [await house_of(make_show, plan, owner_limit=1) for plan in (ROOMS, CABIN)]
    old: Booking = await paid_booking(engine, [nights(house, 10, 14), nights(cabin, 10, 14)])
    held = await change(engine, old.id, [nights(house, 12, 16), nights(cabin, 12, 16)])
    new = await pay(engine, held)
    with pytest.raises(bespeak.OwnerLimitReached):
        await take(engine, [nights(house, 20, 22)], "asha")
    await engine.cancel_booking(new.id, reason="over")
    assert (await take(engine, [nights(house, 20, 22), nights(cabin, 20, 22)], "asha")).lines
    assert await problems(connection) == []


@pytest.mark.parametrize("home", [0, 1], ids=["desk", "card"])
async def test_a_listing_that_is_kept_whole_is_still_to_be_paid(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, home: int
) -> None:
    """Who shortens a stay takes nothing of any listing. All that they keep is judged all the same:
    else the money of before would come back for nights that nobody has paid."""
    desk, card = (
        await house_of(make_show, CABIN, payment="at_venue"),
        await house_of(make_show, ROOMS),
    )
    both = (desk, card) if home == 0 else (card, desk)
    old = await paid_booking(engine, [nights(one, 10, 14) for one in both])
    # Longer by a night of the one alone, so that the hold of it is at home there.
    held = await change(engine, old.id, [nights(desk, 10, 15), nights(card, 10, 14)])
    with pytest.raises(bespeak.PaymentRequired):
        await engine.confirm_hold(held.id, of_shopper=True)
    new = await pay(engine, held)
    shorter = await change(engine, new.id, [nights(one, 10, 12) for one in both])
    with pytest.raises(bespeak.PaymentRequired):
        await engine.confirm_hold(shorter.id, of_shopper=True)
    last = await pay(engine, shorter)
    payment = await engine.payments.payment_of(last)
    assert payment is not None
    assert payment.amount == last.amount
    await refund_all(engine)
    assert await problems(connection) == []
    await assert_money_agrees(connection)
