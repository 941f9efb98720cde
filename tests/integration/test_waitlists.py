"""Waitlists: what comes back is offered as a real hold, to the right party, once; and an offer ends
as its hold does, whoever ends it.
"""

from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any  # any: arguments that are handed on

import msgspec
import pytest

import bespeak
from bespeak import (
    Best,
    Line,
    NightsPlan,
    PoolPlan,
    PoolsPlan,
    Resource,
    Row,
    SeatsPlan,
    Section,
    ids,
)
from bespeak.notifications.mail import waitlists as waitlist_mails
from bespeak.personal_data.export import OwnerExport
from bespeak.reservations.errors import KeptForWaitlist
from bespeak.retention.worker import Retention
from bespeak.verticals.installed import owner_records
from bespeak.waitlists.entry import NewWaitlistEntry
from bespeak.waitlists.errors import (
    NoOfferStands,
    ResourceHasWaitlist,
    WaitlistClosed,
    WaitlistEntriesTooMany,
    WaitlistEntryNotFound,
    WaitlistFull,
    WaitlistNotFound,
)
from bespeak.waitlists.matcher import WaitlistMatcher
from bespeak.waitlists.owners import erase_entries
from bespeak.waitlists.waitlist import WaitlistChange
from bespeak.waitlists.wish import WaitlistWish, WantedPlace
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems
from tests.harness.shows import MakeShow, book, take
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

ROOM = SeatsPlan(sections=(Section("Stalls", (Row("A", 4), Row("B", 4))),))


@pytest.fixture
async def show(make_show: MakeShow, clock: Clock) -> Resource:
    assert clock
    return await make_show(plan=ROOM)


async def fill(engine: bespeak.Engine, show: Resource, *units: str) -> list[bespeak.Booking]:
    """Books seats, each alone; all of the room where none is named."""
    named = units or [f"{row}{seat}" for row in "AB" for seat in (1, 2, 3, 4)]
    return [await book(engine, [Line(show.id, unit)], f"buyer {unit}") for unit in named]


async def test_a_seat_that_comes_back_is_offered_and_bought(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    bookings = await fill(engine, show)
    waitlist = await listed(engine, show)
    asha = await join(engine, waitlist, "asha")
    bela = await join(engine, waitlist, "bela")
    assert (asha.place, bela.place, bela.ahead) == (1, 2, 1)
    await match(engine)
    assert (await entry_of(engine, asha)).state == "waiting"
    await cancel(engine, bookings[0])
    await match(engine)
    assert await units(engine, asha) == ["A1"]
    assert (await entry_of(engine, bela)).state == "waiting"
    hold = await engine.waitlists.accept(asha.id, owner="asha")
    await engine.confirm_hold(hold.id, owner="asha")
    await match(engine)
    found = await entry_of(engine, asha)
    assert (found.state, found.offer and found.offer.state) == ("accepted", "accepted")
    assert (await entry_of(engine, bela)).state == "waiting"
    assert await problems(connection) == []


async def test_a_declined_offer_goes_to_the_next_and_does_not_come_back(
    engine: bespeak.Engine, show: Resource
) -> None:
    bookings = await fill(engine, show)
    waitlist = await listed(engine, show)
    asha = await join(engine, waitlist, "asha")
    bela = await join(engine, waitlist, "bela", offers_max=2)
    await cancel(engine, bookings[0])
    await match(engine)
    declined = await engine.waitlists.decline(asha.id, owner="asha")
    assert (declined.state, declined.reason) == ("over", "declined")
    await match(engine)
    assert await units(engine, bela) == ["A1"]
    kept = await engine.waitlists.decline(bela.id)
    assert (kept.state, kept.place) == ("waiting", 2)
    await match(engine)
    again = await entry_of(engine, bela)
    assert again.offer is not None
    assert again.offer.number == 2
    assert (await engine.waitlists.decline(bela.id)).state == "over"
    await match(engine)
    assert (await entry_of(engine, asha)).state == "over"
    with pytest.raises(NoOfferStands):
        await engine.waitlists.decline(bela.id)
    with pytest.raises(NoOfferStands):
        await engine.waitlists.accept(bela.id)


async def test_what_comes_back_meanwhile_goes_to_who_waits_longest(
    engine: bespeak.Engine, show: Resource, monkeypatch: pytest.MonkeyPatch
) -> None:
    bookings = await fill(engine, show)
    waitlist = await listed(engine, show)
    asha = await join(engine, waitlist, "asha", party=4)
    bela, chan = [await join(engine, waitlist, owner, party=2) for owner in ("bela", "chan")]
    await cancel(engine, *bookings[:2])
    matcher = WaitlistMatcher(engine)
    match_one, calls = matcher._match_one, 0

    async def with_more(*arguments: Any) -> bool | None:  # any: those of the method
        nonlocal calls
        calls += 1
        made = await match_one(*arguments)
        if calls == 1:
            await cancel(engine, *bookings[4:])
        return made

    monkeypatch.setattr(matcher, "_match_one", with_more)
    await matcher.look()
    assert await units(engine, bela) == ["A1", "A2"]
    assert await units(engine, asha) == ["B1", "B2", "B3", "B4"]
    assert (await entry_of(engine, chan)).state == "waiting"


async def test_what_no_event_tells_of_is_found_by_looking(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, clock: Clock
) -> None:
    assert clock
    show = await make_show(plan=ROOM, price=bespeak.Price(2500))
    waitlist = await listed(engine, show)
    asha = await join(engine, waitlist, "asha", price_max=2000)
    matcher = WaitlistMatcher(engine)
    for _ in range(3):
        await matcher.look()
    cheaper = "update bespeak.resource set price_amount = 2000, version = version + 1"
    await connection.execute(cheaper)  # by hand, past the verb that tells of it
    await matcher.look()
    assert (await entry_of(engine, asha)).state == "waiting"
    matcher._anyway_at = 0.0
    await matcher.look()
    assert len(await units(engine, asha)) == 1


async def test_lists_to_which_nothing_comes_back_are_asked_less_often(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock
) -> None:
    assert clock
    show = await make_show(plan=ROOM)
    bookings = await fill(engine, show)
    waitlist = await listed(engine, show)
    asha = await join(engine, waitlist, "asha")
    matcher = WaitlistMatcher(engine)
    pauses = [await matcher.look() for _ in range(60)]
    assert (pauses[0], pauses[-1]) == (0.1, 0.5), "though the list was looked at"
    await cancel(engine, bookings[0])
    assert await matcher.look() == 0.1
    assert await units(engine, asha) == ["A1"]


async def test_who_would_pay_little_waits_and_others_are_asked_once(
    engine: bespeak.Engine, make_show: MakeShow, monkeypatch: pytest.MonkeyPatch
) -> None:
    show = await make_show(plan=ROOM, price=bespeak.Price(2500))
    bookings = await fill(engine, show)
    waitlist = await listed(engine, show)
    poor = [await join(engine, waitlist, f"poor {n}", price_max=1) for n in range(5)]
    rich = await join(engine, waitlist, "rich")
    await cancel(engine, bookings[0])
    matcher, asked = WaitlistMatcher(engine), []
    hold = matcher._hold

    async def counted(*arguments: Any) -> bespeak.Hold:  # any: those of the method
        asked.append(arguments[1].owner)
        return await hold(*arguments)

    monkeypatch.setattr(matcher, "_hold", counted)
    await matcher.match(ids.parse(ids.WAITLIST, waitlist.id))
    assert await units(engine, rich) == ["A1"]
    assert asked[:2] == ["poor 0", "rich"]
    assert {(await entry_of(engine, one)).state for one in poor} == {"waiting"}


async def test_an_offer_lapses_with_its_hold_and_goes_to_the_next(
    engine: bespeak.Engine, show: Resource, clock: Clock
) -> None:
    bookings = await fill(engine, show)
    waitlist = await listed(engine, show, decide_seconds=600)
    asha, bela = await join(engine, waitlist, "asha"), await join(engine, waitlist, "bela")
    await cancel(engine, bookings[0])
    await match(engine)
    await clock.advance(601)
    await match(engine)
    found = await entry_of(engine, asha)
    assert (found.state, found.reason, found.offer and found.offer.state) == (
        "over",
        "lapsed",
        "lapsed",
    )
    assert await units(engine, bela) == ["A1"]


async def test_who_accepts_at_the_last_moment_has_time_for_the_checkout(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock
) -> None:
    show = await make_show(plan=ROOM, hold_seconds=300, hold_seconds_max=600)
    bookings = await fill(engine, show)
    waitlist = await listed(engine, show)
    asha = await join(engine, waitlist, "asha")
    await cancel(engine, bookings[0])
    await match(engine)
    offer = (await entry_of(engine, asha)).offer
    assert offer is not None
    assert offer.ends_at == clock.now + timedelta(seconds=600)  # as long as a hold may last here
    await clock.advance(590)
    hold = await engine.waitlists.accept(asha.id)
    assert hold.expires_at == clock.now + timedelta(seconds=300)
    await clock.advance(100)
    again = await engine.waitlists.accept(asha.id)
    assert again.expires_at == hold.expires_at


async def test_a_party_sits_together_in_pairs_or_apart(
    engine: bespeak.Engine, show: Resource
) -> None:
    bookings = await fill(engine, show)
    by_seat = {str(one.lines[0].unit): one for one in bookings}
    waitlist = await listed(engine, show)
    together = await join(engine, waitlist, "asha", 4)
    pairs = await join(engine, waitlist, "bela", 4, "pairs")
    apart = await join(engine, waitlist, "chen", 2, "apart")
    await cancel(engine, by_seat["A1"], by_seat["B4"])
    await match(engine)
    assert await units(engine, apart) == ["A1", "B4"]
    await cancel(engine, by_seat["A2"], by_seat["A3"], by_seat["B1"])
    await match(engine)
    assert (await entry_of(engine, pairs)).state == "waiting"
    await cancel(engine, by_seat["B2"])
    await match(engine)
    assert await units(engine, pairs) == ["A2", "A3", "B1", "B2"]
    assert (await entry_of(engine, together)).state == "waiting"


async def test_a_pool_and_tickets_with_numbers(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock
) -> None:
    assert clock
    floor = await make_show(plan=PoolsPlan((PoolPlan("floor", 3), PoolPlan("terrace", 1))))
    numbered = await make_show(plan=bespeak.TicketsPlan(2))
    sold = [
        await book(engine, [Line(floor.id, "floor", 3)]),
        await book(engine, [Line(floor.id, "terrace", 1)]),
        await book(engine, [Line(numbered.id, next=2)]),
    ]
    waitlist = await listed(engine, floor, numbered)
    floors = (WantedPlace(floor.id),)
    asha = await join(engine, waitlist, "asha", 2, places=floors, categories=("floor",))
    bela = await join(engine, waitlist, "bela", 2, places=(WantedPlace(numbered.id),))
    await cancel(engine, sold[1])
    await match(engine)
    assert (await entry_of(engine, asha)).state == "waiting"
    await cancel(engine, sold[0], sold[2])
    await match(engine)
    assert await units(engine, asha) == ["floor"]
    assert await units(engine, bela) == ["1", "2"]


async def test_nights_and_other_dates(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock
) -> None:
    assert clock
    hotel = await make_show(plan=NightsPlan(rooms=("101", "102")), kind="room")

    def stay(room: str, start: str, end: str) -> list[Line]:
        return [Line(hotel.id, room, from_=start, to=end)]

    late = await book(engine, stay("101", "2030-02-01", "2030-02-03"))
    await book(engine, stay("102", "2030-02-01", "2030-02-03"))
    early = [await book(engine, stay(room, "2030-01-10", "2030-01-12")) for room in ("101", "102")]
    waitlist = await listed(engine, hotel)
    places = (
        WantedPlace(hotel.id, from_="2030-01-10", to="2030-01-12"),
        WantedPlace(hotel.id, from_="2030-02-01", to="2030-02-03"),
    )
    asha = await join(engine, waitlist, "asha", places=places)
    bela = await join(engine, waitlist, "bela", places=places[:1], categories=("102",))
    await cancel(engine, late)
    await match(engine)
    hold = await engine.waitlists.accept(asha.id)
    assert (hold.lines[0].unit, hold.lines[0].from_) == ("101", "2030-02-01")
    await cancel(engine, early[1])
    await match(engine)
    assert await units(engine, bela) == ["102"]
    # Other nights are free: a hotel is never kept from who does not wait.
    assert not (await engine.get_resource(hotel.id)).kept_for_waitlist


async def test_what_comes_back_is_not_snatched_and_what_nobody_can_use_is_anyones(
    engine: bespeak.Engine, show: Resource
) -> None:
    bookings = await fill(engine, show)
    by_seat = {str(one.lines[0].unit): one for one in bookings}
    waitlist = await listed(engine, show)
    asha = await join(engine, waitlist, "asha", 2)
    await match(engine)
    assert (await engine.get_resource(show.id)).kept_for_waitlist
    await cancel(engine, by_seat["A1"])
    guests = engine.for_guests()
    with pytest.raises(KeptForWaitlist):
        await take(guests, [Line(show.id, "A1")], "mallory")
    # Nobody who waits can use one seat alone: it is anyone's again.
    await match(engine)
    assert not (await engine.get_resource(show.id)).kept_for_waitlist
    await take(guests, [Line(show.id, "A1")], "chen")
    await match(engine)
    assert (await engine.get_resource(show.id)).kept_for_waitlist
    await cancel(engine, by_seat["B1"], by_seat["B2"])
    with pytest.raises(KeptForWaitlist):
        await take(guests, [Line(show.id, best=Best(2))], "mallory")
    await match(engine)
    assert await units(engine, asha) == ["B1", "B2"]
    # Nobody waits any more.
    assert not (await engine.get_resource(show.id)).kept_for_waitlist


async def test_the_resources_of_a_list_are_in_the_order_of_their_time(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    """Made in another order, so that their ids cannot say it; one has no time."""
    times = [datetime(2031, 5, day, tzinfo=UTC) for day in (7, 3, 9, 1)]
    shows = [await make_show(plan=ROOM, starts_at=at) for at in (None, *times)]
    timeless, *dated = shows
    dated.sort(key=lambda show: (show.starts_at is None, show.starts_at))
    wanted = [show.id for show in (*dated, timeless)]
    waitlist = await listed(engine, *shows)
    assert waitlist.resource_ids == wanted
    found = await engine.waitlists.list_all()
    assert [one.resource_ids for one in found if one.id == waitlist.id] == [wanted]


async def test_a_list_whose_freed_units_are_anyones_keeps_nothing(
    engine: bespeak.Engine, show: Resource
) -> None:
    bookings = await fill(engine, show)
    waitlist = await listed(engine, show, freed_goes_to="anyone")
    await join(engine, waitlist, "asha")
    await match(engine)
    await cancel(engine, bookings[0])
    await take(engine.for_guests(), [Line(show.id, "A1")], "mallory")
    trusted = await engine.waitlists.update(waitlist.id, WaitlistChange(freed_goes_to="waitlist"))
    assert trusted.version == 2
    await match(engine)
    assert (await engine.get_resource(show.id)).kept_for_waitlist
    await cancel(engine, bookings[1])
    await take(engine, [Line(show.id, "A2")], "a trusted caller")


async def test_best_fit_serves_the_largest_and_who_was_passed_too_often_comes_first(
    engine: bespeak.Engine, show: Resource
) -> None:
    bookings = await fill(engine, show)
    by_seat = {str(one.lines[0].unit): one for one in bookings}
    waitlist = await listed(engine, show, policy="best_fit", passes_max=2)
    single = await join(engine, waitlist, "asha", 1)
    group = await join(engine, waitlist, "bela", 4)
    pairs = [await join(engine, waitlist, f"pair {one}", 2) for one in (1, 2, 3)]
    for first, second in (("A1", "A2"), ("A3", "A4")):
        await cancel(engine, by_seat[first], by_seat[second])
        await match(engine)
    assert [await units(engine, one) for one in pairs[:2]] == [["A1", "A2"], ["A3", "A4"]]
    # Both before were passed by twice. What comes now gathers for them, first come first served.
    await cancel(engine, by_seat["B1"], by_seat["B2"])
    await match(engine)
    assert len(await units(engine, single)) == 1
    assert (await entry_of(engine, pairs[2])).state == "waiting"
    # The other one of the two is kept, though nobody who waits is served with one.
    assert (await engine.get_resource(show.id)).kept_for_waitlist
    await cancel(engine, by_seat["B3"], by_seat["B4"])
    await engine.waitlists.decline(single.id)
    await match(engine)
    assert await units(engine, group) == ["B1", "B2", "B3", "B4"]
    assert (await entry_of(engine, pairs[2])).state == "waiting"


async def test_by_lot_the_order_is_that_of_the_lots(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    bookings = await fill(engine, show)
    waitlist = await listed(engine, show, policy="lottery")
    entries = [await join(engine, waitlist, f"owner {one}") for one in range(4)]
    assert {one.ahead for one in entries} == {None}
    rows = await connection.fetch("select owner from bespeak.waitlist_entry order by draw")
    await cancel(engine, *bookings[:3])
    await match(engine)
    offered = {one.owner for one in entries if (await entry_of(engine, one)).state == "offered"}
    assert offered == {row["owner"] for row in rows[:3]}


async def test_a_price_above_the_highest_is_not_offered(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, clock: Clock
) -> None:
    assert clock
    show = await make_show(plan=ROOM, price=bespeak.Price(2500))
    bookings = await fill(engine, show)
    waitlist = await listed(engine, show)
    poor = await join(engine, waitlist, "asha", price_max=2499)
    rich = await join(engine, waitlist, "bela", price_max=2500)
    await cancel(engine, bookings[0])
    await match(engine)
    assert (await entry_of(engine, poor)).state == "waiting"
    assert await units(engine, rich) == ["A1"]
    assert await problems(connection) == []


async def test_withdrawn_is_for_good(engine: bespeak.Engine, show: Resource) -> None:
    bookings = await fill(engine, show)
    waitlist = await listed(engine, show, owner_entries_max=2)
    asha = await join(engine, waitlist, "asha", offers_max=5)
    bela = await join(engine, waitlist, "bela", offers_max=5)
    await cancel(engine, bookings[0])
    await match(engine)
    gone = await engine.waitlists.withdraw(asha.id, owner="asha")
    assert (gone.state, gone.offer and gone.offer.state) == ("withdrawn", "withdrawn")
    assert await engine.waitlists.withdraw(asha.id) == gone
    await match(engine)
    assert await units(engine, bela) == ["A1"]
    assert (await entry_of(engine, asha)).state == "withdrawn"


async def test_who_is_removed_is_told_why_and_what_was_offered_goes_to_the_next(
    engine: bespeak.Engine, show: Resource, connection: Connection, tmp_path: Path
) -> None:
    bookings = await fill(engine, show)
    waitlist = await listed(engine, show)
    contact = bespeak.Contact("asha@example.org")
    asha = await join(engine, waitlist, "asha", offers_max=5, contact=contact)
    bela = await join(engine, waitlist, "bela")
    chen = await join(engine, waitlist, "chen")
    await cancel(engine, bookings[0])
    await match(engine)
    gone = await engine.waitlists.remove(asha.id, note="You asked us by phone")
    assert (gone.state, gone.reason, gone.note) == ("over", "removed", "You asked us by phone")
    assert gone.offer is not None
    assert gone.offer.state == "withdrawn"
    assert await engine.waitlists.remove(asha.id, note="again") == gone
    await match(engine)
    assert await units(engine, bela) == ["A1"]
    waiting = await engine.waitlists.remove(chen.id, note="a script")
    assert (waiting.state, waiting.offer) == ("over", None)
    assert await mailed(engine, tmp_path) == [
        ("asha@example.org", "You are not on the waitlist any more: Show")
    ]
    assert "You asked us by phone" in bodies(tmp_path)
    with pytest.raises(bespeak.InvalidRequest):
        await engine.waitlists.remove(bela.id, note="x" * 301)
    await erase_entries(connection, "asha", "erased_00000000000000000000000000")
    assert (await entry_of(engine, asha)).note is None


async def test_what_was_bought_before_its_party_was_removed_is_bought(
    engine: bespeak.Engine, show: Resource, tmp_path: Path
) -> None:
    bookings = await fill(engine, show)
    waitlist = await listed(engine, show)
    asha = await join(engine, waitlist, "asha", contact=bespeak.Contact("asha@example.org"))
    await cancel(engine, bookings[0])
    await match(engine)
    await mailed(engine, tmp_path)
    hold = await engine.waitlists.accept(asha.id)
    await engine.confirm_hold(hold.id)
    removed = await engine.waitlists.remove(asha.id, note="too late")
    assert (removed.state, removed.reason, removed.note) == ("accepted", None, None)
    assert await mailed(engine, tmp_path) == [], "nothing is over"


async def test_a_mail_that_cannot_be_written_keeps_no_other_back(
    engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waitlist = await listed(engine, show)
    for owner in ("asha", "bela"):
        contact = bespeak.Contact(f"{owner}@example.org")
        await join(engine, waitlist, owner, contact=contact)
    compose = waitlist_mails.compose_waitlist_mail

    def composed(*arguments: Any) -> EmailMessage:  # any: those of the function
        if arguments[0]["place"] == 1:
            raise KeyError("a text that there is not")
        return compose(*arguments)

    monkeypatch.setattr(waitlist_mails, "compose_waitlist_mail", composed)
    assert [to for to, _ in await mailed(engine, tmp_path)] == ["bela@example.org"]
    states = await connection.fetch("select state from bespeak.waitlist_mail order by state")
    assert [row["state"] for row in states] == ["failed", "sent"]


async def test_a_booking_of_an_offer_that_is_cancelled_does_not_wait_again(
    engine: bespeak.Engine, show: Resource
) -> None:
    bookings = await fill(engine, show)
    waitlist = await listed(engine, show)
    asha = await join(engine, waitlist, "asha", offers_max=5)
    await cancel(engine, bookings[0])
    await match(engine)
    hold = await engine.waitlists.accept(asha.id)
    booking = await engine.confirm_hold(hold.id)
    await match(engine)
    await cancel(engine, booking)
    await match(engine)
    found = await entry_of(engine, asha)
    assert (found.state, found.offer and found.offer.number) == ("accepted", 1)


async def test_who_wants_it_until_then_only_is_over_then(
    engine: bespeak.Engine, show: Resource, clock: Clock
) -> None:
    bookings = await fill(engine, show)
    waitlist = await listed(engine, show)
    until = clock.now + timedelta(hours=1)
    asha = await join(engine, waitlist, "asha", until=until)
    await clock.advance(3600)
    await cancel(engine, bookings[0])
    await match(engine)
    found = await entry_of(engine, asha)
    assert (found.state, found.reason, found.offer) == ("over", "until", None)


async def test_a_list_that_ended_lets_all_go_and_keeps_nothing(
    engine: bespeak.Engine, show: Resource
) -> None:
    bookings = await fill(engine, show)
    waitlist = await listed(engine, show)
    asha, bela = await join(engine, waitlist, "asha"), await join(engine, waitlist, "bela")
    await cancel(engine, bookings[0])
    await match(engine)
    ended = await engine.waitlists.end(waitlist.id)
    assert (ended.state, ended.waiting, ended.offered) == ("ended", 0, 1)
    assert await engine.waitlists.end(waitlist.id) == ended
    assert not (await engine.get_resource(show.id)).kept_for_waitlist
    found = await entry_of(engine, bela)
    assert (found.state, found.reason) == ("over", "list_ended")
    await engine.confirm_hold((await engine.waitlists.accept(asha.id)).id)
    await match(engine)
    assert (await entry_of(engine, asha)).state == "accepted"
    with pytest.raises(WaitlistClosed):
        await join(engine, waitlist, "chen", places=(WantedPlace(show.id),))
    with pytest.raises(WaitlistClosed):
        await engine.waitlists.update(waitlist.id, WaitlistChange(party_max=2))
    # The resource may be of another list.
    await listed(engine, show)


async def test_limits_and_what_makes_no_sense(engine: bespeak.Engine, show: Resource) -> None:
    waitlist = await listed(engine, show, entries_max=2, party_max=4)
    with pytest.raises(ResourceHasWaitlist):
        await listed(engine, show)
    with pytest.raises(bespeak.InvalidRequest) as refused:
        await join(engine, waitlist, "asha", 5)
    assert refused.value.data["field"] == "wish.party"
    with pytest.raises(bespeak.InvalidRequest) as refused:
        await join(engine, waitlist, "asha", categories=("Balcony",))
    assert refused.value.data["field"] == "wish.categories[0]"
    with pytest.raises(bespeak.InvalidRequest):
        await join(engine, waitlist, "asha", offers_max=11)
    asha = await join(engine, waitlist, "asha")
    with pytest.raises(WaitlistEntriesTooMany):
        await join(engine, waitlist, "asha")
    await join(engine, waitlist, "bela")
    with pytest.raises(WaitlistFull):
        await join(engine, waitlist, "chen")
    with pytest.raises(bespeak.NotOwner):
        await engine.waitlists.withdraw(asha.id, owner="bela")
    with pytest.raises(bespeak.NotOwner):
        await engine.waitlists.get_entry(asha.id, owner="bela")
    with pytest.raises(WaitlistNotFound):
        await engine.waitlists.get("wtl_00000000000000000000000000")
    with pytest.raises(WaitlistEntryNotFound):
        await engine.waitlists.get_entry("wle_00000000000000000000000000")


async def test_a_repeat_by_key_joins_once(engine: bespeak.Engine, show: Resource) -> None:
    waitlist = await listed(engine, show)
    new = NewWaitlistEntry(wish=WaitlistWish(party=2, places=(WantedPlace(show.id),)))
    joining = engine.waitlists.join
    first = await joining(waitlist.id, new, owner="asha", idempotency_key="k")
    again = await joining(waitlist.id, new, owner="asha", idempotency_key="k")
    assert again == msgspec.structs.replace(first, replayed=True)
    other = msgspec.structs.replace(new, offers_max=2)
    with pytest.raises(bespeak.IdempotencyKeyReused):
        await joining(waitlist.id, other, owner="asha", idempotency_key="k")
    page = await engine.waitlists.list_entries(waitlist_id=waitlist.id)
    assert [one.id for one in page.items] == [first.id]


async def test_the_feed_tells_each_step_and_no_contact(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    bookings = await fill(engine, show)
    waitlist = await listed(engine, show)
    asha = await join(engine, waitlist, "asha", contact=bespeak.Contact("asha@example.org"))
    await cancel(engine, bookings[0])
    await match(engine)
    await engine.waitlists.decline(asha.id)
    rows = await connection.fetch(
        "select kind, data::text from bespeak.event where kind like 'waitlist%' order by position"
    )
    assert not any("example.org" in row["data"] for row in rows)
    kinds = [row["kind"] for row in rows]
    assert kinds == ["waitlist_joined", "waitlist_offered", "waitlist_declined"]


async def test_who_waits_is_written_to_in_their_language(
    engine: bespeak.Engine, show: Resource, tmp_path: Path, clock: Clock
) -> None:
    bookings = await fill(engine, show)
    waitlist = await listed(engine, show)
    german = bespeak.Contact("asha@example.org", locale="de")
    asha = await join(engine, waitlist, "asha", contact=german)
    bela = await join(engine, waitlist, "bela", contact=bespeak.Contact("bela@example.org"))
    assert await mailed(engine, tmp_path) == [
        ("asha@example.org", "Sie stehen auf der Warteliste: Show"),
        ("bela@example.org", "You are on the waitlist: Show"),
    ]
    await cancel(engine, bookings[0])
    await match(engine)
    (offered,) = await mailed(engine, tmp_path)
    assert offered == ("asha@example.org", "Sie sind an der Reihe: Show")
    await engine.waitlists.decline(asha.id)
    await match(engine)
    # Who lets it lapse before the mail has left is not told that it is their turn.
    await clock.advance(1801)
    await match(engine)
    assert await mailed(engine, tmp_path) == [
        ("bela@example.org", "You are not on the waitlist any more: Show")
    ]
    assert (await entry_of(engine, bela)).reason == "lapsed"


async def test_a_mail_has_a_link_where_there_are_pages(
    engine: bespeak.Engine, show: Resource, connection: Connection, tmp_path: Path
) -> None:
    """The box office and its pages are the default workspace's."""
    waitlist = await listed(engine, show)
    await join(engine, waitlist, "asha", contact=bespeak.Contact("asha@example.org"))
    await mailed(engine, tmp_path)
    assert "https://shop.example/waitlist/" in bodies(tmp_path)
    elsewhere = tmp_path / "acme"
    elsewhere.mkdir()
    await connection.execute("update bespeak.waitlist set workspace = 'acme'")
    await join(engine, waitlist, "bela", contact=bespeak.Contact("bela@example.org"))
    await mailed(engine, elsewhere)
    assert "You wait for" in bodies(elsewhere)
    assert "shop.example" not in bodies(elsewhere)


async def test_an_owner_is_exported_and_erased_and_the_old_is_let_go(
    engine: bespeak.Engine, show: Resource, connection: Connection, clock: Clock
) -> None:
    waitlist = await listed(engine, show)
    asha = await join(engine, waitlist, "asha", contact=bespeak.Contact("asha@example.org"))
    export = await OwnerExport(engine.database, owner_records()).page("asha")
    assert b"asha@example.org" in bytes(export.records["waitlists"])
    for _ in range(2):
        await erase_entries(connection, "asha", "erased_00000000000000000000000000")
    found = await entry_of(engine, asha)
    assert (found.state, found.contact) == ("withdrawn", None)
    assert found.owner.startswith("erased_")
    states = await connection.fetch("select state from bespeak.waitlist_mail")
    assert {row["state"] for row in states} == {"dropped"}
    retention = Retention(engine.database.pool, engine.settings)
    await retention.finish()
    assert (await entry_of(engine, asha)).state == "withdrawn"
    await clock.advance((engine.settings.keep_mails_days + 1) * 86_400)
    await retention.finish()
    with pytest.raises(WaitlistEntryNotFound):
        await entry_of(engine, asha)
    assert await connection.fetchval("select count(*) from bespeak.waitlist_mail") == 0


async def test_what_an_owner_waits_for_comes_before_what_has_ended(
    engine: bespeak.Engine, show: Resource
) -> None:
    """Who left many lists since still finds what they wait for."""
    waitlist = await listed(engine, show, owner_entries_max=2)
    waits = await join(engine, waitlist, "asha")
    for _ in range(2):
        left = await join(engine, waitlist, "asha")
        await engine.waitlists.withdraw(left.id)
    page = await engine.waitlists.list_entries(owner="asha", limit=2)
    assert [one.state for one in page.items] == ["waiting", "withdrawn"]
    assert page.items[0].id == waits.id
    page = await engine.waitlists.list_entries(waitlist_id=waitlist.id)
    assert [one.place for one in page.items] == [1, 2, 3]
