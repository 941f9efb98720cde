"""What is booked is moved to another unit of its resource: all of it or nothing, in place, so that
price, lines and tickets stay matched.
"""

from datetime import timedelta

import pytest

import bespeak
from bespeak import Line, Move, NightsPlan, Resource
from bespeak.errors import (
    BookingCancelled,
    BookingNotFound,
    IdempotencyKeyReused,
    InvalidRequest,
    NotInBooking,
    UnitTaken,
    UnknownUnit,
)
from bespeak.feed.timeline import TimelineEntry
from bespeak.inventory.blocks import BlockLine
from bespeak.inventory.errors import ResourceCalledOff, UnitNotMovable
from bespeak.inventory.resources import ResourceChange
from bespeak.reservations.errors import TicketUsed
from bespeak.states import EventKind
from bespeak.ticketing.service import open_office
from tests.harness.clock import START, Clock
from tests.harness.database import Connection, feed_settled, problems
from tests.harness.shows import MakeShow, book, look, pool, seats, take
from tests.harness.ticketing import CHECKED_IN, VALID, booked_codes, codes_of, scan, states_of
from tests.harness.watching import Known, same, truth

pytestmark = pytest.mark.usefixtures("clock")
UNKNOWN = "bkg_00000000000000000000000000"


@pytest.fixture
async def show(make_show: MakeShow) -> Resource:
    return await make_show()


@pytest.fixture
async def house(make_show: MakeShow) -> Resource:
    """Three rooms, each cleaned for a night after a stay."""
    plan = NightsPlan(rooms=("101", "102", "103"), buffer_nights=1, price=9000)
    return await make_show(plan=plan, time_zone="Europe/Lisbon")


def day(after: int) -> str:
    return str((START + timedelta(days=after)).date())


def stay(house: Resource, room: str, first: int, last: int) -> Line:
    return Line(house.id, room, from_=day(first), to=day(last))


async def told(engine: bespeak.Engine, connection: Connection) -> list[bespeak.Event]:
    """The feed, of which all is numbered."""
    await feed_settled(connection)
    return (await engine.events(limit=1000)).items


def units(booking: bespeak.Booking) -> list[str | None]:
    return [line.unit for line in booking.lines]


async def test_a_seat_is_moved_and_the_one_before_it_is_free(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    booking = await book(engine, seats(show, "A1", "A2"))
    moved = await engine.move_booking(booking.id, [Move("A2", "B3")])
    assert units(moved) == ["A1", "B3"]
    assert (moved.state, moved.amount, moved.code) == ("confirmed", booking.amount, booking.code)
    assert await engine.get_booking(booking.id) == moved
    assert set((await look(engine, show)).taken) == {"A1", "B3"}
    assert (await take(engine, seats(show, "A2"), "ben")).state == "held"
    assert await problems(connection) == []
    with pytest.raises(UnitTaken):
        await take(engine, seats(show, "B3"), "ben")


async def test_a_stay_moves_with_the_night_that_its_room_is_cleaned(
    engine: bespeak.Engine, house: Resource, connection: Connection
) -> None:
    booking = await book(engine, [stay(house, "101", 3, 5)])
    moved = await engine.move_booking(booking.id, [Move("101", "102")])
    (line,) = moved.lines
    assert (line.unit, line.from_, line.to) == ("102", day(3), day(5))
    claims = await connection.fetch("select unit, expires_at from bespeak.claim order by unit")
    assert [row["unit"] for row in claims] == [f"102@{day(n)}" for n in (3, 4, 5)]
    assert await problems(connection) == []
    await take(engine, [stay(house, "101", 3, 5)], "ben")
    cancelled = await engine.cancel_booking(booking.id, reason="ill", lines=[line_of(moved)])
    assert cancelled.state == "cancelled"
    assert await problems(connection) == []


def line_of(booking: bespeak.Booking) -> Line:
    (line,) = booking.lines
    return Line(line.resource_id, line.unit, from_=line.from_, to=line.to)


async def test_of_two_stays_in_one_room_one_is_named_by_its_dates(
    engine: bespeak.Engine, house: Resource, connection: Connection
) -> None:
    booking = await book(engine, [stay(house, "101", 1, 2), stay(house, "101", 5, 6)])
    moved = await engine.move_booking(booking.id, [Move("101", "102", from_=day(5))])
    assert units(moved) == ["101", "102"]
    both = await engine.move_booking(
        booking.id, [Move("101", "103"), Move("102", "101", to=day(6))]
    )
    assert units(both) == ["103", "101"]
    assert await problems(connection) == []


async def test_a_stay_that_has_begun_is_moved_whatever_the_sale_says(
    engine: bespeak.Engine, house: Resource, clock: Clock
) -> None:
    booking = await book(engine, [stay(house, "101", 1, 4)])
    await clock.advance(2 * 86_400)
    assert units(await engine.move_booking(booking.id, [Move("101", "102")])) == ["102"]


async def test_two_units_of_a_booking_change_places(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    booking = await book(engine, seats(show, "A1", "A2", "A3"))
    moved = await engine.move_booking(
        booking.id, [Move("A1", "A2"), Move("A2", "A3"), Move("A3", "A1")]
    )
    assert units(moved) == ["A2", "A3", "A1"]
    events = await told(engine, connection)
    assert [event.kind for event in events][-1] == "moved"
    assert "vacated" not in [event.kind for event in events]
    assert await problems(connection) == []


async def test_the_feed_tells_what_is_free_and_then_all_that_the_booking_has(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    booking = await book(engine, [*seats(show, "A1", "A2"), pool(show, "floor", 2)])
    with engine.acting_as("desk"):
        await engine.move_booking(booking.id, [Move("A1", "A9")])
    vacated, moved = (await told(engine, connection))[-2:]
    assert (vacated.kind, moved.kind) == ("vacated", "moved")
    assert [(line.unit, line.quantity) for line in vacated.lines] == [("A1", None)]
    assert [(line.unit, line.quantity) for line in moved.lines] == [
        ("A9", None),
        ("A2", None),
        ("floor", 2),
    ]
    assert {vacated.hold_id, moved.hold_id} == {booking.hold_id}
    assert {vacated.actor, moved.actor} == {"desk"}
    kinds = [(entry.kind, entry.lines[0].unit) for entry in (await timeline(engine, booking))]
    assert kinds == [("held", "A1"), ("confirmed", "A1"), ("vacated", "A1"), ("moved", "A9")]


async def timeline(engine: bespeak.Engine, booking: bespeak.Booking) -> list[TimelineEntry]:
    return (await engine.timeline(booking.id)).items


async def test_nothing_is_moved_where_one_of_them_is_taken(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    booking = await book(engine, seats(show, "A1", "A2"))
    await take(engine, seats(show, "B3"), "ben")
    await book(engine, seats(show, "B4"), "cy")
    await engine.block(show.id, [BlockLine("B6")], reason="broken")
    moves = [Move("A1", "B7"), Move("A2", "B3")]
    for unit, state in (("B3", "held"), ("B4", "booked"), ("B6", "blocked")):
        moves[1] = Move("A2", unit)
        with pytest.raises(UnitTaken) as refused:
            await engine.move_booking(booking.id, moves)
        (conflict,) = refused.value.conflicts
        assert (conflict.unit, conflict.state) == (unit, state)
    assert units(await engine.get_booking(booking.id)) == ["A1", "A2"]
    assert await connection.fetchval("select count(*) from bespeak.claim where unit = 'B7'") == 0
    assert await problems(connection) == []


async def test_what_is_in_the_way_is_told_as_a_room_and_its_nights(
    engine: bespeak.Engine, house: Resource
) -> None:
    booking = await book(engine, [stay(house, "101", 1, 4)])
    await book(engine, [stay(house, "102", 3, 6)], "ben")
    with pytest.raises(UnitTaken) as refused:
        await engine.move_booking(booking.id, [Move("101", "102")])
    (conflict,) = refused.value.conflicts
    assert (conflict.unit, conflict.from_, conflict.to) == ("102", day(3), day(5))


async def test_a_unit_whose_hold_has_lapsed_is_taken_over(
    engine: bespeak.Engine, show: Resource, connection: Connection, clock: Clock
) -> None:
    lapsed = await take(engine, seats(show, "B3", "B4"), "ben", hold_seconds=60)
    booking = await book(engine, seats(show, "A1"))
    await clock.advance(61)
    assert units(await engine.move_booking(booking.id, [Move("A1", "B3")])) == ["B3"]
    await connection.fetch("select * from bespeak.expire_holds(10)")
    ended = (await told(engine, connection))[-1]
    assert (ended.kind, ended.hold_id) == ("expired", lapsed.id)
    assert [line.unit for line in ended.lines] == ["B4"]
    assert await problems(connection) == []


async def test_a_refused_move_leaves_a_lapsed_claim_to_its_hold(
    engine: bespeak.Engine, show: Resource, connection: Connection, clock: Clock
) -> None:
    await take(engine, seats(show, "B3"), "ben", hold_seconds=60)
    booking = await book(engine, seats(show, "A1", "A2"))
    await book(engine, seats(show, "B4"), "cy")
    await clock.advance(61)
    with pytest.raises(UnitTaken):
        await engine.move_booking(booking.id, [Move("A1", "B3"), Move("A2", "B4")])
    await connection.fetch("select * from bespeak.expire_holds(10)")
    assert [line.unit for line in (await told(engine, connection))[-1].lines] == ["B3"]
    assert await problems(connection) == []


async def test_a_repeat_by_key_moves_once_and_another_content_is_refused(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    booking = await book(engine, seats(show, "A1"))
    first = await engine.move_booking(booking.id, [Move("A1", "A2")], idempotency_key="k")
    again = await engine.move_booking(booking.id, [Move("A1", "A2")], idempotency_key="k")
    assert (first.replayed, again.replayed) == (False, True)
    assert units(again) == ["A2"]
    with pytest.raises(IdempotencyKeyReused) as refused:
        await engine.move_booking(booking.id, [Move("A2", "A3")], idempotency_key="k")
    assert refused.value.data["fields"] == ["moves"]
    await engine.move_booking(booking.id, [Move("A2", "A5")])
    assert units(
        await engine.move_booking(booking.id, [Move("A1", "A2")], idempotency_key="k")
    ) == ["A5"]  # done once; answered as it stands
    kinds = [event.kind for event in await told(engine, connection)]
    assert kinds.count(EventKind.MOVED) == 2
    assert await problems(connection) == []


async def test_a_part_that_was_given_back_is_not_moved_nor_moved_to(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    booking = await book(engine, seats(show, "A1", "A2"))
    await engine.cancel_booking(booking.id, reason="one", lines=seats(show, "A1"))
    with pytest.raises(NotInBooking):
        await engine.move_booking(booking.id, [Move("A1", "A7")])
    with pytest.raises(UnitNotMovable) as refused:
        await engine.move_booking(booking.id, [Move("A2", "A1")])
    assert refused.value.data["reason"] == "given_back"
    moved = await engine.move_booking(booking.id, [Move("A2", "A3")])
    assert [(line.unit, line.cancelled_quantity) for line in moved.lines] == [("A1", 1), ("A3", 0)]
    assert [line.unit for line in (await told(engine, connection))[-1].lines] == ["A3"]
    ended = await engine.cancel_booking(booking.id, reason="two", lines=seats(show, "A3"))
    assert ended.state == "cancelled"
    with pytest.raises(BookingCancelled):
        await engine.move_booking(booking.id, [Move("A3", "A4")])
    assert await problems(connection) == []


async def test_what_cannot_be_moved_is_refused_with_its_reason(
    engine: bespeak.Engine, show: Resource, make_show: MakeShow
) -> None:
    booking = await book(engine, [*seats(show, "A1", "A2"), pool(show, "floor", 1)])
    other = await make_show()
    refusals = {
        NotInBooking: [[Move("A3", "A4")]],
        UnknownUnit: [[Move("A1", "Z9")], [Move("A1", "floor")]],
        UnitNotMovable: [[Move("floor", "gallery")]],
        UnitTaken: [[Move("A1", "A2")]],
        InvalidRequest: [
            [],
            [Move("A1", "A1")],
            [Move("A1", "B3"), Move("A2", "B3")],
            [Move("A1", "B3"), Move("A1", "B4")],
            [Move("A1", "B\x00")],
            [Move("A1", "")],
        ],
    }
    for error, cases in refusals.items():
        for moves in cases:
            with pytest.raises(error) as refused:
                await engine.move_booking(booking.id, moves)
            assert type(refused.value) is error, moves
    with pytest.raises(NotInBooking):
        await engine.move_booking(booking.id, [Move("A1", "A3")], resource_id=other.id)
    with pytest.raises(BookingNotFound):
        await engine.move_booking(UNKNOWN, [Move("A1", "A3")])
    both = await book(engine, [*seats(show, "B3"), *seats(other, "A1")], "ben")
    with pytest.raises(InvalidRequest):
        await engine.move_booking(both.id, [Move("A1", "A3")])
    moved = await engine.move_booking(both.id, [Move("A1", "A3")], resource_id=other.id)
    assert units(moved) == ["B3", "A3"]


async def test_rooms_of_a_type_are_not_moved(engine: bespeak.Engine, make_show: MakeShow) -> None:
    counted = await make_show(plan=NightsPlan(count=3), time_zone="Europe/Lisbon")
    booking = await book(engine, [Line(counted.id, None, 1, from_=day(1), to=day(2))])
    with pytest.raises(UnitNotMovable) as refused:
        await engine.move_booking(booking.id, [Move("101", "102")])
    assert refused.value.data["reason"] == "not_exact"


async def test_tickets_keep_their_numbers_and_show_the_new_place(
    engine: bespeak.Engine, show: Resource
) -> None:
    office = await open_office(engine)
    booking, (_, before) = await booked_codes(engine, office, seats(show, "A1", "A2"))
    moved = await engine.move_booking(booking.id, [Move("A2", "B3")])
    tickets = (await office.tickets(booking.id)).items
    assert [(one.index, one.unit) for one in tickets] == [(1, "A1"), (2, "B3")]
    done = await office.check_in(scan(before))  # a code that was printed before lets in as well
    assert (done.index, done.unit) == (2, "B3")
    assert await states_of(office, moved) == [VALID, CHECKED_IN]
    with pytest.raises(TicketUsed):
        await engine.move_booking(booking.id, [Move("B3", "B4")])
    assert units(await engine.move_booking(booking.id, [Move("A1", "B4")])) == ["B4", "B3"]


async def test_the_ticket_of_a_stay_shows_the_new_room(
    engine: bespeak.Engine, house: Resource
) -> None:
    office = await open_office(engine)
    booking, (before,) = await booked_codes(engine, office, [stay(house, "101", 0, 2)])
    moved = await engine.move_booking(booking.id, [Move("101", "103")])
    (after,) = await codes_of(office, moved)
    assert after != before
    assert (await office.check_in(scan(before))).unit == "103"
    with pytest.raises(TicketUsed):
        await engine.move_booking(booking.id, [Move("103", "101")])


async def test_nothing_is_moved_of_a_resource_that_is_called_off(
    engine: bespeak.Engine, show: Resource
) -> None:
    booking = await book(engine, seats(show, "A1"))
    await engine.call_off(show.id, reason="storm")
    with pytest.raises(ResourceCalledOff):
        await engine.move_booking(booking.id, [Move("A1", "A2")])


async def test_a_plan_that_changes_is_asked_anew(
    engine: bespeak.Engine, second_engine: bespeak.Engine, show: Resource
) -> None:
    booking = await book(engine, seats(show, "A1"))
    await second_engine.update_resource(show.id, ResourceChange(name="Another", version=1))
    assert units(await engine.move_booking(booking.id, [Move("A1", "A2")])) == ["A2"]


async def test_who_watches_sees_the_seat_that_is_free_and_the_one_that_is_not(
    engine: bespeak.Engine, show: Resource
) -> None:
    booking = await book(engine, seats(show, "A1"))
    known = Known()
    news = engine.watch(show.id)
    known.hear(await anext(news))
    await engine.move_booking(booking.id, [Move("A1", "A2")])
    while not same(known, await truth(engine, show)):
        known.hear(await anext(news))
    await news.aclose()  # type: ignore[attr-defined]
