"""A move meets others at the same instant: another move, a hold, a cancellation, a check-in, a
repeat of itself. Each unit has one holder, and nothing is half done; and the control, which shows
that it could be.
"""

import asyncio
import random
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import pytest

import bespeak
from bespeak import Booking, Hold, Line, Move, NightsPlan, Resource, ids
from bespeak.errors import BookingCancelled, NotInBooking, UnitTaken
from bespeak.reservations import moves as moving
from bespeak.reservations.changes import cancel_request
from bespeak.reservations.errors import TicketUsed
from bespeak.reservations.parts import part_of
from bespeak.ticketing.service import open_office
from tests.concurrency.waiting import deadlocks, until_somebody_waits
from tests.harness.database import Connection, problems, session
from tests.harness.shows import MakeShow, book, look, seats, take
from tests.harness.ticketing import codes_of, scan

Answer = TypeVar("Answer")
CANCEL = "select * from bespeak.cancel_bookings($1, $2::bespeak.change_request[])"


async def move_on(
    engine: bespeak.Engine, connection: Connection, booking: Booking, *wanted: Move
) -> Booking:
    """A move in the transaction of a connection, which another may wait for."""
    row = await moving.read_booking(connection, booking.id)
    number = ids.parse_resource(booking.lines[0].resource_id)
    ready = (await engine.ready_resources.get_many([number], None))[number]
    return (await moving.move(connection, row, ready, wanted, None, ())).booking


async def behind(
    watcher: Connection,
    first: Connection,
    doing: Coroutine[None, None, object],
    waiting: Coroutine[None, None, Answer],
    *,
    commit: bool = True,
) -> Answer | BaseException:
    """The first does its work and keeps its locks; what waits for them is seen to; the first ends;
    the answer of what waited, or its error, is returned."""
    transaction = first.transaction()
    await transaction.start()
    await doing
    task = asyncio.create_task(waiting)
    await until_somebody_waits(watcher, first)
    await (transaction.commit() if commit else transaction.rollback())
    (answer,) = await asyncio.gather(task, return_exceptions=True)
    return answer


@pytest.mark.parametrize("commit", [True, False])
async def test_two_moves_to_one_seat(
    engine: bespeak.Engine, show: Resource, connection: Connection, one: Connection, commit: bool
) -> None:
    first = await book(engine, seats(show, "A1"))
    second = await book(engine, seats(show, "A2"), "bela")
    answer = await behind(
        connection,
        one,
        move_on(engine, one, first, Move("A1", "A9")),
        engine.move_booking(second.id, [Move("A2", "A9")]),
        commit=commit,
    )
    assert isinstance(answer, UnitTaken if commit else Booking)
    assert set((await look(engine, show)).taken) == ({"A9", "A2"} if commit else {"A9", "A1"})
    assert await problems(connection) == []


@pytest.mark.parametrize("commit", [True, False])
async def test_a_move_to_a_seat_that_is_being_held(
    engine: bespeak.Engine, show: Resource, connection: Connection, one: Connection, commit: bool
) -> None:
    booking = await book(engine, seats(show, "A1"))
    answer = await behind(
        connection,
        one,
        take(engine, seats(show, "A9"), "bela", connection=one),
        engine.move_booking(booking.id, [Move("A1", "A9")]),
        commit=commit,
    )
    assert isinstance(answer, UnitTaken if commit else Booking)
    assert await problems(connection) == []


@pytest.mark.parametrize("commit", [True, False])
async def test_a_hold_of_a_seat_that_is_being_moved_to(
    engine: bespeak.Engine, show: Resource, connection: Connection, one: Connection, commit: bool
) -> None:
    booking = await book(engine, seats(show, "A1"))
    answer = await behind(
        connection,
        one,
        move_on(engine, one, booking, Move("A1", "A9")),
        take(engine, seats(show, "A9"), "bela"),
        commit=commit,
    )
    assert isinstance(answer, UnitTaken if commit else Hold)
    assert await problems(connection) == []


NAIVE = """
    with looked as (
        select count(*) as found from bespeak.claim where unit = 'A9'
    ), moved as (
        update bespeak.claim set unit = 'A9' where unit = $2 and (select found from looked) = 0
    )
    update bespeak.hold set units = '{A9}' where hold_id = $1 and (select found from looked) = 0
"""


async def test_control_looking_first_and_moving_then_sells_twice(
    engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    """The ordinary mistake, without the primary key: this set-up does show the race."""
    first = await book(engine, seats(show, "A1"))
    second = await book(engine, seats(show, "A2"), "bela")
    await connection.execute("alter table bespeak.claim drop constraint claim_pkey")
    async with one.transaction(), two.transaction():
        await one.execute(NAIVE, ids.parse(ids.BOOKING, first.id), "A1")
        await two.execute(NAIVE, ids.parse(ids.BOOKING, second.id), "A2")
    assert "double_sold" in str(await problems(connection))


@pytest.mark.parametrize("commit", [True, False])
async def test_a_move_of_a_booking_that_is_being_cancelled(
    engine: bespeak.Engine, show: Resource, connection: Connection, one: Connection, commit: bool
) -> None:
    booking = await book(engine, seats(show, "A1", "A2"))
    answer = await behind(
        connection,
        one,
        engine.cancel_booking(booking.id, reason="ill", connection=one),
        engine.move_booking(booking.id, [Move("A1", "A9")]),
        commit=commit,
    )
    assert isinstance(answer, BookingCancelled if commit else Booking)
    assert await problems(connection) == []


async def test_a_move_of_a_seat_that_is_being_given_back(
    engine: bespeak.Engine, show: Resource, connection: Connection, one: Connection
) -> None:
    """It was planned before; it is planned anew when it is its turn."""
    booking = await book(engine, seats(show, "A1", "A2"))
    part = seats(show, "A1")
    answer = await behind(
        connection,
        one,
        engine.cancel_booking(booking.id, reason="ill", lines=part, connection=one),
        engine.move_booking(booking.id, [Move("A1", "A9")]),
    )
    assert isinstance(answer, NotInBooking)
    assert set((await look(engine, show)).taken) == {"A2"}
    assert await problems(connection) == []


async def test_a_cancellation_of_a_booking_that_is_being_moved(
    engine: bespeak.Engine, show: Resource, connection: Connection, one: Connection
) -> None:
    booking = await book(engine, seats(show, "A1", "A2"))
    answer = await behind(
        connection,
        one,
        move_on(engine, one, booking, Move("A1", "A9")),
        engine.cancel_booking(booking.id, reason="ill"),
    )
    assert isinstance(answer, Booking)
    assert not (await look(engine, show)).taken
    assert await problems(connection) == []


async def test_a_move_of_a_ticket_that_is_being_used(
    engine: bespeak.Engine, show: Resource, connection: Connection, one: Connection
) -> None:
    office = await open_office(engine)
    booking = await book(engine, seats(show, "A1", "A2"))
    codes = await codes_of(office, booking)
    transaction = one.transaction()
    await transaction.start()
    await one.execute("select from bespeak.booking for share")  # as a gate that scans
    task = asyncio.create_task(engine.move_booking(booking.id, [Move("A1", "A9")]))
    await until_somebody_waits(connection, one)
    await office.check_in(scan(codes[0]))
    await transaction.commit()
    with pytest.raises(TicketUsed):
        await task
    moved = await engine.move_booking(booking.id, [Move("A2", "A9")])
    assert [line.unit for line in moved.lines] == ["A1", "A9"]
    assert await problems(connection) == []


async def test_a_key_that_is_used_twice_at_once_moves_once(
    engine: bespeak.Engine, second_engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    booking = await book(engine, seats(show, "A1"))
    asked = [
        which.move_booking(booking.id, [Move("A1", "A9")], idempotency_key="k")
        for which in (engine, second_engine) * 3
    ]
    answers = await asyncio.gather(*asked)
    assert sorted(answer.replayed for answer in answers) == [False] + [True] * 5
    told = await connection.fetchval("select count(*) from bespeak.event where kind = 'moved'")
    assert told == 1
    assert await problems(connection) == []


async def test_a_process_that_dies_before_the_commit_has_moved_nothing(
    engine: bespeak.Engine, show: Resource, connection: Connection, database_url: str
) -> None:
    booking = await book(engine, seats(show, "A1"))
    async with session(database_url) as dying:
        transaction = dying.transaction()
        await transaction.start()
        await move_on(engine, dying, booking, Move("A1", "A9"))
        pid = dying.get_server_pid()
        await connection.execute("select pg_terminate_backend($1, 10000)", pid)
    assert set((await look(engine, show)).taken) == {"A1"}
    assert (await take(engine, seats(show, "A9"), "bela")).state == "held"
    assert await problems(connection) == []


async def test_a_crowd_that_moves_to_and_fro_never_deadlocks(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    dice: random.Random,
) -> None:
    """Bookings of two seats each, which change to others of a row while holds and blocks want the
    same ones."""
    units = [f"A{n}" for n in range(1, 21)]
    pairs = [units[n : n + 2] for n in range(0, 12, 2)]
    bookings = [await book(engine, seats(show, *pair), f"o{n}") for n, pair in enumerate(pairs)]
    before = await deadlocks(connection)

    async def wander(which: bespeak.Engine, booking: Booking) -> int:
        done, seats_now = 0, [line.unit or "" for line in booking.lines]
        for _ in range(25):
            goal = dice.sample(units, 2)
            wanted = [
                Move(*pair) for pair in zip(seats_now, goal, strict=True) if pair[0] != pair[1]
            ]
            if not wanted:
                continue
            try:
                moved = await which.move_booking(booking.id, wanted)
            except UnitTaken:
                continue
            seats_now = [line.unit or "" for line in moved.lines]
            done += 1
        return done

    async def disturb(number: int) -> None:
        for _ in range(15):
            lines = seats(show, *dice.sample(units, 3))
            try:
                hold = await take(engine, lines, f"p{number}")
            except UnitTaken:
                continue
            await engine.release_hold(hold.id)

    engines = (engine, second_engine) * 3
    moved, _ = await asyncio.gather(
        asyncio.gather(*(wander(*pair) for pair in zip(engines, bookings, strict=True))),
        asyncio.gather(*map(disturb, range(3))),
    )
    assert sum(moved) > 0
    assert await deadlocks(connection) == before
    assert await problems(connection) == []
    taken = set((await look(engine, show)).taken)
    theirs = [line.unit for one in bookings for line in (await engine.get_booking(one.id)).lines]
    assert taken == set(theirs)
    assert len(theirs) == len(taken) == 12


async def test_a_repeat_whose_booking_was_read_before_the_move_is_answered_with_what_is_now(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    booking = await book(engine, seats(show, "A1"))
    before = await moving.read_booking(connection, booking.id)
    wanted = [Move("A1", "A9")]
    await engine.move_booking(booking.id, wanted, idempotency_key="k")
    number = ids.parse(ids.BOOKING, booking.id)
    contents = moving.contents_of(number, show.id, wanted, send_mail=True)
    async with engine.database.borrow() as used:
        answer = await moving.recall(used, before, "k", contents)
    assert answer is not None
    assert [line.unit for line in answer.lines] == ["A9"]


async def test_a_part_that_is_given_back_while_it_changes_places_is_found_anew(
    engine: bespeak.Engine, show: Resource, connection: Connection, one: Connection
) -> None:
    """Seat A1 is the second line by then, with the price and the ticket of that one."""
    booking = await book(engine, seats(show, "A1", "A2"))
    answer = await behind(
        connection,
        one,
        move_on(engine, one, booking, Move("A1", "A2"), Move("A2", "A1")),
        engine.cancel_booking(booking.id, reason="ill", lines=seats(show, "A1")),
    )
    assert isinstance(answer, Booking)
    assert [(line.unit, line.cancelled_quantity) for line in answer.lines] == [("A2", 0), ("A1", 1)]
    assert await problems(connection) == []


async def test_a_cancellation_that_was_planned_before_a_move_is_planned_anew(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    booking = await book(engine, seats(show, "A1", "A2"))
    row = await moving.read_booking(connection, booking.id)
    part = part_of(row["hold"], seats(show, "A1"), None)._replace(known_units=row["hold"]["units"])
    await engine.move_booking(booking.id, [Move("A1", "A2"), Move("A2", "A1")])
    for known, outcome in (
        (part, "booking_changed"),
        (part._replace(known_units=None), "confirmed"),
    ):
        request = cancel_request(row["hold"]["hold_id"], "ill", known, None)
        (answer,) = await connection.fetch(CANCEL, request.home, [request])
        assert answer["outcome"] == outcome  # the second is the control: it would not notice


@pytest.fixture
async def house(make_show: MakeShow) -> Resource:
    """Three rooms, each cleaned for a night after a stay."""
    plan = NightsPlan(rooms=("101", "102", "103"), buffer_nights=1, price=9000)
    return await make_show(plan=plan, time_zone="Europe/Lisbon")


def day(after: int) -> str:
    """A day that is on sale, whatever today is there."""
    return str(datetime.now(UTC).date() + timedelta(days=20 + after))


def stay(house: Resource, room: str, first: int, last: int) -> Line:
    return Line(house.id, room, from_=day(first), to=day(last))


def part(first: int, last: int) -> Move:
    """Some nights in room 101 are moved to room 102."""
    return Move("101", "102", nights_from=day(first), nights_to=day(last))


@pytest.mark.parametrize("commit", [True, False])
async def test_nights_that_are_moved_to_a_room_that_is_being_held(
    engine: bespeak.Engine, house: Resource, connection: Connection, one: Connection, commit: bool
) -> None:
    booking = await book(engine, [stay(house, "101", 1, 6)])
    answer = await behind(
        connection,
        one,
        take(engine, [stay(house, "102", 4, 5)], "bela", connection=one),
        engine.move_booking(booking.id, [part(3, 6)]),
        commit=commit,
    )
    assert isinstance(answer, UnitTaken if commit else Booking)
    assert await problems(connection) == []


@pytest.mark.parametrize("commit", [True, False])
async def test_a_hold_of_a_room_to_which_nights_are_being_moved(
    engine: bespeak.Engine, house: Resource, connection: Connection, one: Connection, commit: bool
) -> None:
    booking = await book(engine, [stay(house, "101", 1, 6)])
    answer = await behind(
        connection,
        one,
        move_on(engine, one, booking, part(3, 6)),
        take(engine, [stay(house, "102", 4, 5)], "bela"),
        commit=commit,
    )
    assert isinstance(answer, UnitTaken if commit else Hold)
    assert await problems(connection) == []


async def test_two_moves_of_nights_of_one_stay(
    engine: bespeak.Engine, house: Resource, connection: Connection, one: Connection
) -> None:
    """The second was planned on what the first has changed: it is planned anew, and both count."""
    booking = await book(engine, [stay(house, "101", 1, 7)])
    answer = await behind(
        connection,
        one,
        move_on(engine, one, booking, part(5, 7)),
        engine.move_booking(booking.id, [part(1, 2)]),
    )
    assert isinstance(answer, Booking)
    (line,) = answer.lines
    assert line.unit == "102"
    assert [(one.unit, one.from_) for one in line.later or ()] == [
        ("101", day(2)),
        ("102", day(5)),
    ]
    assert await problems(connection) == []


NAIVE_NIGHT = """
    with looked as (
        select count(*) as found from bespeak.claim where unit = $3
    ), moved as (
        update bespeak.claim set unit = $3
        where hold_id = $1 and unit = $2 and (select found from looked) = 0
    )
    update bespeak.hold set units = array_replace(units, $2, $3)
    where hold_id = $1 and (select found from looked) = 0
"""


async def test_control_looking_first_and_moving_a_night_then_sells_it_twice(
    engine: bespeak.Engine,
    house: Resource,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    """The ordinary mistake, without the primary key: this set-up does show the race."""
    night, goal = day(3), f"102@{day(3)}"
    first = await book(engine, [stay(house, "101", 1, 6)])
    second = await book(engine, [stay(house, "103", 1, 6)], "bela")
    await connection.execute("alter table bespeak.claim drop constraint claim_pkey")
    async with one.transaction(), two.transaction():
        await one.execute(NAIVE_NIGHT, ids.parse(ids.BOOKING, first.id), f"101@{night}", goal)
        await two.execute(NAIVE_NIGHT, ids.parse(ids.BOOKING, second.id), f"103@{night}", goal)
    assert "double_sold" in str(await problems(connection))
