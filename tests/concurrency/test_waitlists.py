"""Races of waitlists: two who match one list at once, who accepts against who declines and against
the end of the time, a matcher that dies between hold and offer, a guest against the matcher. Each
with the same race without its guard, to show that it is one.
"""

import asyncio
from collections.abc import AsyncIterator
from itertools import pairwise

import pytest

import bespeak
from bespeak import Line, NightsPlan, PoolPlan, PoolsPlan, Resource
from bespeak.reservations.errors import KeptForWaitlist
from bespeak.waitlists.entry import NewWaitlistEntry, WaitlistEntry
from bespeak.waitlists.errors import NoOfferStands
from bespeak.waitlists.matcher import WaitlistMatcher
from bespeak.waitlists.waitlist import NewWaitlist, Waitlist
from bespeak.waitlists.wish import WaitlistWish, WantedPlace
from tests.concurrency.waiting import deadlocks
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems
from tests.harness.paying import paying_engine
from tests.harness.shows import MakeShow, book

PLACES = 8
other = paying_engine  # the engine of another process


@pytest.fixture
async def show(make_show: MakeShow, clock: Clock) -> Resource:
    assert clock
    return await make_show(plan=PoolsPlan((PoolPlan("floor", PLACES),)))


@pytest.fixture
async def waitlist(engine: bespeak.Engine, show: Resource) -> Waitlist:
    return await engine.waitlists.create(NewWaitlist(resource_ids=(show.id,)))


@pytest.fixture
async def sold(engine: bespeak.Engine, show: Resource) -> AsyncIterator[list[bespeak.Booking]]:
    yield [await book(engine, [Line(show.id, "floor", 1)]) for _ in range(PLACES)]


@pytest.fixture(autouse=True)
async def nothing_is_sold_twice(connection: Connection) -> AsyncIterator[None]:
    """After each race the inventory is right, no hold was offered twice, and nobody deadlocked."""
    yield
    assert await problems(connection) == []
    assert await deadlocks(connection) == 0
    twice = "select hold_id from bespeak.waitlist_offer group by hold_id having count(*) > 1"
    assert await connection.fetch(twice) == []


async def join(
    engine: bespeak.Engine, waitlist: Waitlist, owner: str, offers_max: int = 1
) -> WaitlistEntry:
    wish = WaitlistWish(party=1, places=(WantedPlace(waitlist.resource_ids[0]),))
    new = NewWaitlistEntry(wish=wish, offers_max=offers_max)
    return await engine.waitlists.join(waitlist.id, new, owner=owner)


async def match(engine: bespeak.Engine) -> None:
    matcher = WaitlistMatcher(engine)
    for _ in range(3):
        await matcher.look()


async def states(connection: Connection) -> list[str]:
    rows = await connection.fetch("select state from bespeak.waitlist_entry order by place")
    return [row["state"] for row in rows]


async def offered(engine: bespeak.Engine, waitlist: Waitlist, freed: bespeak.Booking) -> str:
    """The entry of asha, who has an offer."""
    entry = await join(engine, waitlist, "asha", 3)
    await engine.cancel_booking(freed.id, reason="ill")
    await match(engine)
    return entry.id


async def test_two_who_match_at_once_offer_each_place_once(
    engine: bespeak.Engine,
    other: bespeak.Engine,
    waitlist: Waitlist,
    sold: list[bespeak.Booking],
    connection: Connection,
) -> None:
    for number in range(PLACES + 3):
        await join(engine, waitlist, f"owner {number}")
    for booking in sold:
        await engine.cancel_booking(booking.id, reason="ill")
    matchers = [WaitlistMatcher(one) for one in (engine, other, engine, other)]
    await asyncio.gather(*(matcher.look() for matcher in matchers))
    await match(engine)
    assert await states(connection) == ["offered"] * PLACES + ["waiting"] * 3


async def test_the_list_is_what_keeps_two_apart(
    engine: bespeak.Engine,
    waitlist: Waitlist,
    sold: list[bespeak.Booking],
    connection: Connection,
    one: Connection,
) -> None:
    """While another has the list, a matcher leaves it alone; when that one dies, it goes on."""
    await join(engine, waitlist, "asha")
    await engine.cancel_booking(sold[0].id, reason="ill")
    lent = one.transaction()
    await lent.start()
    await one.execute("select from bespeak.waitlist for update")
    await WaitlistMatcher(engine).look()
    assert await states(connection) == ["waiting"]
    await lent.rollback()
    await match(engine)
    assert await states(connection) == ["offered"]


async def test_who_dies_between_hold_and_offer_leaves_nothing(
    engine: bespeak.Engine,
    waitlist: Waitlist,
    sold: list[bespeak.Booking],
    connection: Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entry = await join(engine, waitlist, "asha")
    await engine.cancel_booking(sold[0].id, reason="ill")
    held: list[str] = []

    async def die(*arguments: object) -> None:
        hold = arguments[3]
        assert isinstance(hold, bespeak.Hold)
        held.append(hold.id)
        raise ConnectionResetError

    with monkeypatch.context() as patched:
        patched.setattr(WaitlistMatcher, "_offer", die)
        with pytest.raises(bespeak.DatabaseUnavailable):
            await WaitlistMatcher(engine).look()
    # The control: it was held at that moment, in the transaction that is gone.
    assert len(held) == 1
    assert (await engine.list_holds(owner="asha")).items == []
    await match(engine)
    found = await engine.waitlists.get_entry(entry.id)
    assert (found.state, found.offer and found.offer.number) == ("offered", 1)


@pytest.mark.parametrize("turn", range(6))
async def test_accepting_declining_and_leaving_at_once_exclude_each_other(
    engine: bespeak.Engine,
    other: bespeak.Engine,
    waitlist: Waitlist,
    sold: list[bespeak.Booking],
    connection: Connection,
    turn: int,
) -> None:
    entry_id = await offered(engine, waitlist, sold[0])
    offer = (await engine.waitlists.get_entry(entry_id)).offer
    assert offer is not None
    doing = [
        engine.confirm_hold(offer.hold_id),
        other.waitlists.decline(entry_id),
        engine.waitlists.accept(entry_id),
        other.waitlists.withdraw(entry_id),
        WaitlistMatcher(engine).look(),
    ]
    doing = doing[turn % 5 :] + doing[: turn % 5]
    answers = await asyncio.gather(*doing, return_exceptions=True)
    for answer in answers:
        ends = (NoOfferStands, bespeak.HoldReleased, bespeak.HoldConfirmed)
        assert not isinstance(answer, BaseException) or isinstance(answer, ends), answer
    booked = [one for one in answers if isinstance(one, bespeak.Booking)]
    await match(engine)
    await match(engine)
    found = await engine.waitlists.get_entry(entry_id)
    hold = await engine.get_hold(offer.hold_id)
    first = await connection.fetchval("select state from bespeak.waitlist_offer where number = 1")
    if booked:
        # What was bought is bought, whatever else was asked at that moment.
        assert (hold.state, first, found.state) == ("confirmed", "accepted", "accepted")
    else:
        assert hold.state == "released"
        assert first in ("declined", "withdrawn")
        assert found.state == "withdrawn"


@pytest.mark.parametrize("turn", range(4))
async def test_leaving_while_it_is_matched(
    engine: bespeak.Engine,
    other: bespeak.Engine,
    waitlist: Waitlist,
    sold: list[bespeak.Booking],
    turn: int,
) -> None:
    """Who left is offered nothing, or what was offered is released; whoever is first."""
    entries = [await join(engine, waitlist, f"owner {turn} {one}") for one in range(PLACES)]
    for booking in sold:
        await engine.cancel_booking(booking.id, reason="ill")
    await asyncio.gather(
        WaitlistMatcher(engine).look(),
        *(other.waitlists.withdraw(one.id) for one in entries[::2]),
    )
    await match(engine)
    found = [await engine.waitlists.get_entry(one.id) for one in entries]
    assert [one.state for one in found] == ["withdrawn", "offered"] * (PLACES // 2)
    assert all(one.offer is None or one.offer.state == "withdrawn" for one in found[::2])


async def test_the_end_of_the_time_against_accepting(
    engine: bespeak.Engine,
    waitlist: Waitlist,
    sold: list[bespeak.Booking],
    clock: Clock,
    connection: Connection,
) -> None:
    entry_id = await offered(engine, waitlist, sold[0])
    await clock.advance(1799)
    # The control: a second before the end it is still theirs.
    hold = await engine.waitlists.accept(entry_id)
    assert hold.state == "held"
    await clock.set(hold.expires_at)
    accepting = engine.waitlists.accept(entry_id)
    answers = await asyncio.gather(
        accepting, WaitlistMatcher(engine).look(), return_exceptions=True
    )
    assert isinstance(answers[0], NoOfferStands)
    with pytest.raises(bespeak.HoldExpired):
        await engine.confirm_hold(hold.id)
    lapsed = await connection.fetchval("select state from bespeak.waitlist_offer where number = 1")
    assert lapsed == "lapsed"


async def test_a_guest_against_the_matcher(
    engine: bespeak.Engine, other: bespeak.Engine, waitlist: Waitlist, sold: list[bespeak.Booking]
) -> None:
    entry = await join(engine, waitlist, "asha")
    await match(engine)
    guests = other.for_guests()
    # The guest's process knows the show from before it was kept.
    line = [Line(waitlist.resource_ids[0], "floor", 1)]
    await engine.cancel_booking(sold[0].id, reason="ill")
    # Before the matcher looked, what came back is kept from every guest.
    with pytest.raises(KeptForWaitlist):
        await guests.place_hold(owner="mallory", lines=line)
    answers = await asyncio.gather(
        *(guests.place_hold(owner=f"mallory {one}", lines=line) for one in range(5)),
        WaitlistMatcher(engine).look(),
        return_exceptions=True,
    )
    # Who comes after the matcher finds that nobody waits, and that nothing is left.
    assert all(isinstance(answer, KeptForWaitlist | bespeak.SoldOut) for answer in answers[:5])
    await match(engine)
    assert (await engine.waitlists.get_entry(entry.id)).state == "offered"


async def test_without_keeping_the_guest_is_first(
    engine: bespeak.Engine, show: Resource, sold: list[bespeak.Booking]
) -> None:
    """The control of the one before."""
    waitlist = await engine.waitlists.create(
        NewWaitlist(resource_ids=(show.id,), freed_goes_to="anyone")
    )
    entry = await join(engine, waitlist, "asha")
    await match(engine)
    await engine.cancel_booking(sold[0].id, reason="ill")
    line = [Line(show.id, "floor", 1)]
    hold = await engine.for_guests().place_hold(owner="mallory", lines=line)
    await match(engine)
    assert (await engine.waitlists.get_entry(entry.id)).state == "waiting"
    assert hold.state == "held"


@pytest.mark.parametrize("turn", range(4))
async def test_nights_are_a_guests_or_an_offer_and_never_both(
    engine: bespeak.Engine, other: bespeak.Engine, make_show: MakeShow, clock: Clock, turn: int
) -> None:
    """What sells by dates is never kept: an offer there races with whoever books at that moment."""
    clock.shared_with(other)
    hotel = await make_show(plan=NightsPlan(rooms=("101",)), kind="room")
    nights = ("2030-02-01", "2030-02-02", "2030-02-03")
    sold = [
        await book(engine, [Line(hotel.id, "101", from_=start, to=end)])
        for start, end in pairwise(nights)
    ]
    waitlist = await engine.waitlists.create(NewWaitlist(resource_ids=(hotel.id,)))
    whole = (WantedPlace(hotel.id, from_=nights[0], to=nights[2]),)
    new = NewWaitlistEntry(wish=WaitlistWish(party=1, places=whole))
    entry = await engine.waitlists.join(waitlist.id, new, owner="asha")
    await engine.cancel_booking(sold[0].id, reason="ill")
    await match(engine)
    # The control: half of the nights are no offer, though nobody else asks for them.
    assert (await engine.waitlists.get_entry(entry.id)).state == "waiting"
    await engine.cancel_booking(sold[1].id, reason="ill")
    night = [Line(hotel.id, "101", from_=nights[turn % 2], to=nights[turn % 2 + 1])]
    answers = await asyncio.gather(
        other.for_guests().place_hold(owner="mallory", lines=night),
        WaitlistMatcher(engine).look(),
        return_exceptions=True,
    )
    await match(engine)
    is_offered = (await engine.waitlists.get_entry(entry.id)).state == "offered"
    assert is_offered == isinstance(answers[0], bespeak.UnitTaken | bespeak.SoldOut), answers[0]
