"""Some nights of a stay are moved to another room. The line, its price and its ticket stay one;
each room is cleaned when the guest has left it; nothing is moved where one of the nights is taken.
"""

import random
from datetime import timedelta

import msgspec
import pytest

import bespeak
from bespeak import Line, Move, NightsPlan, Resource, ResourceChange, Row, Section
from bespeak.errors import InvalidRequest, NotInBooking, UnitTaken, UnknownUnit
from bespeak.inventory.errors import UnitNotMovable
from bespeak.inventory.shapes.legs.plan import LegsPlan, Stop
from bespeak.reservations.errors import TicketUsed
from bespeak.ticketing.service import open_office
from tests.harness.clock import START
from tests.harness.database import Connection, feed_settled, problems
from tests.harness.shows import MakeShow, book, seats, take
from tests.harness.ticketing import booked_codes, codes_of, scan

pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
async def house(make_show: MakeShow) -> Resource:
    """Three rooms, each cleaned for a night after a stay."""
    plan = NightsPlan(rooms=("101", "102", "103"), buffer_nights=1, price=9000)
    return await make_show(plan=plan, time_zone="Europe/Lisbon", owner_limit=4)


def day(after: int) -> str:
    return str((START + timedelta(days=after)).date())


def stay(house: Resource, room: str, first: int, last: int) -> Line:
    return Line(house.id, room, from_=day(first), to=day(last))


def part(from_unit: str, to_unit: str, first: int, last: int) -> Move:
    """A move of some nights."""
    return Move(from_unit, to_unit, nights_from=day(first), nights_to=day(last))


def rooms(booking: bespeak.Booking, line: int = 0) -> list[tuple[str | None, str]]:
    """The rooms of a line, each with the day from which it is the guest's."""
    found = booking.lines[line]
    assert isinstance(found.from_, str)
    later = found.later or ()
    return [(found.unit, found.from_), *((one.unit, one.from_) for one in later)]


async def claims(connection: Connection) -> list[str]:
    rows = await connection.fetch("select unit from bespeak.claim order by unit")
    return [row["unit"] for row in rows]


def nights(room: str, *days: int) -> list[str]:
    return [f"{room}@{day(n)}" for n in days]


async def test_the_last_nights_are_in_another_room_and_both_are_cleaned(
    engine: bespeak.Engine, house: Resource, connection: Connection
) -> None:
    booking = await book(engine, [stay(house, "101", 3, 7)])
    moved = await engine.move_booking(booking.id, [part("101", "102", 5, 7)])
    assert rooms(moved) == [("101", day(3)), ("102", day(5))]
    (line,) = moved.lines
    assert (line.from_, line.to, line.quantity) == (day(3), day(7), booking.lines[0].quantity)
    assert (moved.amount, moved.code) == (booking.amount, booking.code)
    assert await engine.get_booking(booking.id) == moved
    assert await claims(connection) == nights("101", 3, 4, 5) + nights("102", 5, 6, 7)
    assert await problems(connection) == []
    await take(engine, [stay(house, "101", 6, 8)], "ben")  # from the night after it is cleaned
    for room, first in (("101", 5), ("102", 4)):
        with pytest.raises(UnitTaken):
            await take(engine, [stay(house, room, first, first + 1)], "ben")


async def test_nights_in_the_middle_and_back_again(
    engine: bespeak.Engine, house: Resource, connection: Connection
) -> None:
    booking = await book(engine, [stay(house, "101", 1, 6)])
    before = await claims(connection)
    moved = await engine.move_booking(booking.id, [part("101", "103", 2, 4)])
    assert rooms(moved) == [("101", day(1)), ("103", day(2)), ("101", day(4))]
    assert await claims(connection) == nights("101", 1, 2, 4, 5, 6) + nights("103", 2, 3, 4)
    assert await problems(connection) == []
    back = await engine.move_booking(booking.id, [part("103", "101", 2, 4)])
    assert rooms(back) == [("101", day(1))]
    assert await claims(connection) == before
    assert back.lines == booking.lines
    assert await problems(connection) == []


async def test_a_stay_that_was_parted_is_moved_room_by_room(
    engine: bespeak.Engine, house: Resource, connection: Connection
) -> None:
    booking = await book(engine, [stay(house, "101", 1, 5)])
    await engine.move_booking(booking.id, [part("101", "102", 3, 5)])
    moved = await engine.move_booking(booking.id, [Move("102", "103")])
    assert rooms(moved) == [("101", day(1)), ("103", day(3))]
    whole = await engine.move_booking(booking.id, [Move("101", "103")])
    assert rooms(whole) == [("103", day(1))]
    assert await claims(connection) == nights("103", 1, 2, 3, 4, 5)
    assert await problems(connection) == []


async def test_two_guests_change_rooms_for_some_nights(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    plan = NightsPlan(rooms=("101", "102"), price=9000)
    inn = await make_show(plan=plan, time_zone="Europe/Lisbon")
    booking = await book(engine, [stay(inn, "101", 1, 5), stay(inn, "102", 1, 5)])
    moved = await engine.move_booking(
        booking.id, [part("101", "102", 3, 5), part("102", "101", 3, 5)]
    )
    assert rooms(moved) == [("101", day(1)), ("102", day(3))]
    assert rooms(moved, 1) == [("102", day(1)), ("101", day(3))]
    assert await problems(connection) == []


async def test_a_parted_stay_is_given_back_with_all_its_rooms(
    engine: bespeak.Engine, house: Resource, connection: Connection
) -> None:
    booking = await book(engine, [stay(house, "101", 1, 5), stay(house, "103", 7, 8)])
    await engine.move_booking(booking.id, [part("101", "102", 2, 5)])
    cancelled = await engine.cancel_booking(
        booking.id, reason="ill", lines=[stay(house, "101", 1, 5)]
    )
    assert [line.cancelled_quantity for line in cancelled.lines] == [1, 0]
    assert await claims(connection) == nights("103", 7, 8)
    # What is left is parted after a part was given back: the record of that stays matched.
    moved = await engine.move_booking(booking.id, [part("103", "102", 7, 8)])
    assert [line.cancelled_quantity for line in moved.lines] == [1, 0]
    assert await problems(connection) == []
    ended = await engine.cancel_booking(booking.id, reason="ill")
    assert ended.state == "cancelled"
    assert await claims(connection) == []
    assert await problems(connection) == []
    limit = await book(engine, [stay(house, room, 1, 2) for room in ("101", "102", "103")])
    assert len(limit.lines) == 3  # the owner's limit has all of it back


async def test_nothing_is_parted_where_a_night_is_taken(
    engine: bespeak.Engine, house: Resource, connection: Connection
) -> None:
    booking = await book(engine, [stay(house, "101", 1, 6)])
    await book(engine, [stay(house, "102", 4, 5)], "ben")
    before = await claims(connection)
    for first, last in ((2, 5), (3, 4), (4, 6)):  # the night itself, its own cleaning, theirs
        with pytest.raises(UnitTaken) as refused:
            await engine.move_booking(booking.id, [part("101", "102", first, last)])
        assert {one.unit for one in refused.value.conflicts} == {"102"}
    assert await claims(connection) == before
    assert await engine.get_booking(booking.id) == booking
    await engine.move_booking(booking.id, [part("101", "102", 1, 3)])
    assert await problems(connection) == []


async def test_the_feed_tells_what_is_free_and_all_that_the_booking_has(
    engine: bespeak.Engine, house: Resource, connection: Connection
) -> None:
    booking = await book(engine, [stay(house, "101", 1, 4)])
    await engine.move_booking(booking.id, [part("101", "102", 3, 4)])
    await feed_settled(connection)
    vacated, moved = (await engine.events(limit=1000)).items[-2:]
    assert (vacated.kind, moved.kind) == ("vacated", "moved")
    assert [one.unit for one in vacated.lines] == nights("101", 4)
    assert sorted(str(one.unit) for one in moved.lines) == await claims(connection)


async def test_what_makes_no_sense_is_refused(
    engine: bespeak.Engine, house: Resource, show: Resource, make_show: MakeShow
) -> None:
    booking = await book(engine, [stay(house, "101", 1, 4)])
    refusals: list[tuple[type[Exception], Move]] = [
        (NotInBooking, part("101", "102", 4, 6)),
        (NotInBooking, part("102", "103", 1, 4)),
        (UnknownUnit, part("101", "999", 2, 3)),
        (InvalidRequest, part("101", "102", 3, 3)),
        (InvalidRequest, part("101", "102", 3, 2)),
        (InvalidRequest, Move("101", "102", nights_from="2030-02-30")),
        (InvalidRequest, Move("101", "102", nights_to="tomorrow")),
    ]
    for error, move in refusals:
        with pytest.raises(error):
            await engine.move_booking(booking.id, [move])
    assert await engine.get_booking(booking.id) == booking
    seat = await book(engine, seats(show, "A1"), "ben")
    with pytest.raises(UnitNotMovable) as refused:
        await engine.move_booking(seat.id, [part("A1", "A2", 1, 2)])
    assert refused.value.data["reason"] == "no_nights"


async def test_a_ride_has_no_nights(engine: bespeak.Engine, make_show: MakeShow) -> None:
    stops = tuple(Stop(name) for name in "ABC")
    train = await make_show(
        plan=LegsPlan(stops=stops, sections=(Section("1", (Row("1", 2, category="Second"),)),))
    )
    ride = await book(engine, [Line(train.id, "11", from_="A", to="C")])
    with pytest.raises(UnitNotMovable) as refused:
        await engine.move_booking(ride.id, [part("11", "12", 1, 2)])
    assert refused.value.data["reason"] == "no_nights"


async def test_a_repeat_by_key_parts_once(
    engine: bespeak.Engine, house: Resource, connection: Connection
) -> None:
    booking = await book(engine, [stay(house, "101", 1, 4)])
    moves = [part("101", "102", 2, 4)]
    first = await engine.move_booking(booking.id, moves, idempotency_key="k")
    again = await engine.move_booking(booking.id, moves, idempotency_key="k")
    assert again.replayed and rooms(again) == rooms(first)
    assert await problems(connection) == []


async def test_a_guest_who_has_checked_in_moves_on_but_has_not_come_elsewhere(
    engine: bespeak.Engine, house: Resource
) -> None:
    office = await open_office(engine)
    booking, (before,) = await booked_codes(engine, office, [stay(house, "101", 0, 3)])
    assert (await office.check_in(scan(before))).unit == "101"
    with pytest.raises(TicketUsed):
        await engine.move_booking(booking.id, [part("101", "102", 0, 1)])
    moved = await engine.move_booking(booking.id, [part("101", "102", 1, 3)])
    assert rooms(moved) == [("101", day(0)), ("102", day(1))]
    assert await codes_of(office, moved) == [before]


@pytest.mark.parametrize("today", [0, 3])
async def test_a_stay_is_cleaned_for_as_long_as_when_it_was_booked(
    engine: bespeak.Engine, house: Resource, connection: Connection, today: int
) -> None:
    """Its parts too, whatever the plan says by now: another guest may have come by then."""
    booking = await book(engine, [stay(house, "101", 1, 5)])
    await book(engine, [stay(house, "102", 6, 8)], "ben")
    changed = msgspec.structs.replace(house.plan, buffer_nights=today)
    await engine.update_resource(house.id, ResourceChange(plan=changed))
    bens = nights("102", 6, 7, 8)
    for first, expected in (
        (3, nights("101", 1, 2, 3) + nights("102", 3, 4, 5)),  # to be parted
        (2, nights("101", 1, 2) + nights("102", 2, 3, 4, 5)),  # and it is parted
    ):
        await engine.move_booking(booking.id, [part("101", "102", first, 5)])
        assert await claims(connection) == sorted(expected + bens)
        assert await problems(connection) == []
    whole = await engine.move_booking(booking.id, [Move("102", "101")])
    assert rooms(whole) == [("101", day(1))]
    assert await claims(connection) == sorted(nights("101", 1, 2, 3, 4, 5) + bens)


async def test_any_moves_of_nights_leave_the_claims_of_a_count_by_hand(
    engine: bespeak.Engine, house: Resource, connection: Connection, dice: random.Random
) -> None:
    """Each night in its room, and each room cleaned in the night after the guest has left it."""
    booking = await book(engine, [stay(house, "101", 1, 9)])
    where = dict.fromkeys(range(1, 9), "101")
    for _ in range(40):
        source, goal = dice.sample(("101", "102", "103"), 2)
        first = dice.randrange(1, 9)
        last = dice.randrange(first + 1, 10)
        there = [night for night in range(first, last) if where[night] == source]
        if not there:
            with pytest.raises(NotInBooking):
                await engine.move_booking(booking.id, [part(source, goal, first, last)])
            continue
        moved = await engine.move_booking(booking.id, [part(source, goal, first, last)])
        where |= dict.fromkeys(there, goal)
        changes = [(where[n], day(n)) for n in where if where.get(n - 1) != where[n]]
        assert rooms(moved) == changes
        cleaned = {f"{room}@{day(night + 1)}" for night, room in where.items()}
        slept = {f"{room}@{day(night)}" for night, room in where.items()}
        assert await claims(connection) == sorted(slept | cleaned)
        assert await problems(connection) == []
    assert moved.amount == booking.amount
