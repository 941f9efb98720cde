"""Calendars in and out: imported again without doubles, whatever happened in between, and a feed
that tells what is booked, wherever the booking has its home.
"""

import asyncio
import random
from collections.abc import Sequence
from datetime import date, timedelta
from zoneinfo import ZoneInfo

import pytest

import bespeak
from bespeak import BlockLine, Booking, InvalidRequest, Line, NewResource, Resource
from bespeak.errors import ResourceNotFound, UnknownUnit
from bespeak.inventory import blocks
from bespeak.inventory.calendars import imports as calendars
from bespeak.inventory.calendars.entries import Entry, read_calendar, window_of
from bespeak.inventory.calendars.imports import CalendarImport
from bespeak.inventory.plans import Plan
from bespeak.inventory.shapes.legs.plan import LegsPlan, Stop
from bespeak.inventory.shapes.moments.plan import MomentsPlan
from bespeak.inventory.shapes.nights.plan import NightsPlan
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems
from tests.harness.icalendar_files import calendar, days, event
from tests.harness.shows import PLAN, book, take

BERLIN = ZoneInfo("Europe/Berlin")
NAME = "airbnb"


@pytest.fixture(autouse=True)
def stands(clock: Clock) -> Clock:
    """The clock stands at noon of the first of January 2030."""
    return clock


async def made(engine: bespeak.Engine, plan: Plan, **fields: object) -> Resource:
    values = {"name": "It", "plan": plan, "time_zone": "Europe/Berlin", **fields}
    return await engine.create_resource(NewResource(**values))  # type: ignore[arg-type]


@pytest.fixture
async def room(engine: bespeak.Engine) -> Resource:
    """A room, night by night."""
    return await made(engine, NightsPlan(rooms=("101",)))


def jan(day: int) -> str:
    return f"2030-01-{day:02}"


def stay(uid: str, first: int, past: int) -> str:
    return days(uid, jan(first), jan(past), f"SUMMARY:guest {uid}")


async def put(
    engine: bespeak.Engine, of: Resource, *events: str, name: str = NAME, **fields: object
) -> CalendarImport:
    return await engine.import_calendar(
        of.id, calendar(*events), name=name, **fields  # type: ignore[arg-type]
    )  # fmt: skip


def counts(done: CalendarImport) -> tuple[int, int, int, int, int]:
    """Created, moved, lifted, unchanged, conflicts."""
    return (done.created, done.moved, done.lifted, done.unchanged, len(done.conflicts))


async def standing(engine: bespeak.Engine, of: Resource) -> dict[str, list[tuple[str, str]]]:
    """The ranges of the blocks that stand, by the part of their source after the calendar's name,
    and ids to tell that none was made anew."""
    return {
        str(block.source).split(":", 2)[-1]: [(str(one.from_), str(one.to)) for one in block.lines]
        for block in (await engine.list_blocks(of.id)).items
    }


async def ids(engine: bespeak.Engine, of: Resource) -> dict[str | None, str]:
    return {block.source: block.id for block in (await engine.list_blocks(of.id)).items}


async def test_an_import_blocks_and_says_whose_entry_it_was(
    engine: bespeak.Engine, room: Resource, connection: Connection
) -> None:
    done = await put(engine, room, stay("a", 5, 8), stay("b", 10, 11))
    assert done == CalendarImport(
        resource_id=room.id, name=NAME, created=2, moved=0, lifted=0, unchanged=0, conflicts=[]
    )
    first, _ = (await engine.list_blocks(room.id)).items
    assert (first.source, first.reason) == ("ics:airbnb:a", "guest a")
    assert first.lines == [BlockLine("101", from_=jan(5), to=jan(8))]
    with pytest.raises(bespeak.UnitTaken):
        await take(engine, [Line(room.id, None, from_=jan(7), to=jan(9))])
    await take(engine, [Line(room.id, None, from_=jan(8), to=jan(10))])
    assert await problems(connection) == []


async def test_again_nothing_doubles_and_what_is_as_it_was_is_not_touched(
    engine: bespeak.Engine, room: Resource, connection: Connection
) -> None:
    await put(engine, room, stay("a", 5, 8), stay("b", 10, 11), stay("c", 20, 22))
    before = await ids(engine, room)
    done = await put(engine, room, stay("a", 5, 8), stay("b", 10, 12), stay("d", 25, 26))
    assert counts(done) == (1, 1, 1, 1, 0)
    after = await ids(engine, room)
    assert after["ics:airbnb:a"] == before["ics:airbnb:a"]
    assert after["ics:airbnb:b"] != before["ics:airbnb:b"]
    assert await standing(engine, room) == {
        "a": [(jan(5), jan(8))], "b": [(jan(10), jan(12))], "d": [(jan(25), jan(26))],
    }  # fmt: skip
    assert counts(await put(engine, room)) == (0, 0, 3, 0, 0)
    assert await standing(engine, room) == {}
    assert await problems(connection) == []


async def test_calendars_of_other_names_and_other_blocks_are_left_alone(
    engine: bespeak.Engine, room: Resource
) -> None:
    await put(engine, room, stay("a", 5, 8))
    await put(engine, room, stay("a", 8, 9), name="airbnb2")
    await engine.block(room.id, [BlockLine(from_=jan(10), to=jan(12))], reason="paint")
    assert counts(await put(engine, room)) == (0, 0, 1, 0, 0)
    left = (await engine.list_blocks(room.id)).items
    assert {block.source for block in left} == {"ics:airbnb2:a", None}


async def test_repetitions_are_blocks_of_their_own(engine: bespeak.Engine, room: Resource) -> None:
    weekly = days("w", jan(7), jan(8), "RRULE:FREQ=WEEKLY;COUNT=3")
    await put(engine, room, weekly)
    assert set(await standing(engine, room)) == {"w:20300107", "w:20300114", "w:20300121"}
    moved = days("w", jan(15), jan(16), "RECURRENCE-ID;VALUE=DATE:20300114")
    assert counts(await put(engine, room, weekly, moved)) == (0, 1, 0, 2, 0)
    assert (await standing(engine, room))["w:20300114"] == [(jan(15), jan(16))]


async def test_what_is_booked_is_told_and_the_rest_of_it_is_blocked(
    engine: bespeak.Engine, room: Resource, connection: Connection
) -> None:
    booking = await book(engine, [Line(room.id, None, from_=jan(6), to=jan(8))])
    for _ in range(2):
        done = await put(engine, room, stay("a", 5, 10), stay("b", 12, 13), stay("c", 6, 7))
        assert len(done.conflicts) == 1, "c is all within a"
        (conflict,) = done.conflicts
        assert (conflict.uid, conflict.code, conflict.summary) == ("a", "unit_taken", "guest a")
        assert (conflict.from_, conflict.to) == (jan(5), jan(10))
        assert [(one.unit, one.state, one.from_, one.to) for one in conflict.conflicts] == [
            ("101", "booked", jan(6), jan(8))
        ]
        assert [(one.from_, one.to) for one in conflict.blocked] == [
            (jan(5), jan(6)), (jan(8), jan(10)),
        ]  # fmt: skip
        assert (await standing(engine, room))["a"] == [(jan(5), jan(6)), (jan(8), jan(10))]
    await engine.cancel_booking(booking.id, reason="moved out")
    assert counts(await put(engine, room, stay("a", 5, 10), stay("b", 12, 13))) == (0, 1, 0, 1, 0)
    assert (await standing(engine, room))["a"] == [(jan(5), jan(10))]
    assert await problems(connection) == []


async def test_the_rest_stays_blocked_under_a_new_uid_too(
    engine: bespeak.Engine, room: Resource, connection: Connection
) -> None:
    await put(engine, room, stay("old", 5, 7), stay("x", 10, 12))
    await book(engine, [Line(room.id, None, from_=jan(8), to=jan(9))])
    # The one takes over from what has gone, and waits for what moves away.
    done = await put(engine, room, stay("new", 5, 12), stay("x", 15, 17))
    assert [one.uid for one in done.conflicts] == ["new"]
    assert await standing(engine, room) == {
        "new": [(jan(5), jan(8)), (jan(9), jan(12))], "x": [(jan(15), jan(17))],
    }  # fmt: skip
    assert (done.moved, done.lifted) == (1, 1)
    assert await problems(connection) == []


async def test_an_entry_that_is_booked_all_over_is_only_told(
    engine: bespeak.Engine, room: Resource
) -> None:
    await book(engine, [Line(room.id, None, from_=jan(6), to=jan(8))])
    done = await put(engine, room, stay("a", 6, 8))
    assert counts(done) == (0, 0, 0, 0, 1)
    assert done.conflicts[0].blocked == []
    assert await standing(engine, room) == {}


async def test_entries_change_places_with_nothing_free_in_between(
    engine: bespeak.Engine, room: Resource, connection: Connection
) -> None:
    """Each needs what another has; moved one by one, none could move."""
    await put(engine, room, stay("a", 5, 7), stay("b", 7, 10), stay("c", 10, 11), stay("d", 20, 21))
    done = await put(engine, room, stay("a", 7, 9), stay("b", 10, 12), stay("c", 5, 7),
                     stay("e", 9, 10))  # fmt: skip
    assert done.conflicts == []
    assert await standing(engine, room) == {
        "a": [(jan(7), jan(9))], "b": [(jan(10), jan(12))], "c": [(jan(5), jan(7))],
        "e": [(jan(9), jan(10))],
    }  # fmt: skip
    assert (done.created, done.moved, done.lifted) == (1, 3, 1)
    freed = await connection.fetch(
        "select units from bespeak.event where kind = 'unblocked' and resource_id = $1"
        " and xmin not in (select xmin from bespeak.event where kind = 'blocked')",
        bespeak_number(room),
    )
    assert [row["units"] for row in freed] == [["101@2030-01-20"]], "freed without being taken"
    assert await problems(connection) == []


def bespeak_number(of: Resource) -> int:
    from bespeak.ids import parse_resource

    return parse_resource(of.id)


async def test_a_chain_moves_but_for_the_one_that_is_stopped(
    engine: bespeak.Engine, room: Resource, connection: Connection
) -> None:
    await put(engine, room, *(stay(f"{n}", n, n + 1) for n in range(5, 10)))
    await engine.block(room.id, [BlockLine(from_=jan(10), to=jan(11))], reason="paint")
    done = await put(engine, room, *(stay(f"{n}", n + 1, n + 2) for n in range(5, 10)))
    assert [one.uid for one in done.conflicts][:1] == ["9"]
    assert await problems(connection) == []
    await put(engine, room)
    assert set(await standing(engine, room)) == {"None"}


async def test_a_calendar_with_new_uids_each_time_keeps_its_blocks(
    engine: bespeak.Engine, room: Resource
) -> None:
    await put(engine, room, stay("1", 5, 8), stay("2", 10, 11))
    before = await ids(engine, room)
    done = await put(engine, room, stay("3", 5, 8), stay("4", 10, 12))
    assert (done.unchanged, len(done.conflicts)) == (1, 0)
    after = await ids(engine, room)
    assert after["ics:airbnb:3"] == before["ics:airbnb:1"]
    assert await standing(engine, room) == {"3": [(jan(5), jan(8))], "4": [(jan(10), jan(12))]}
    assert (done.created, done.lifted) == (1, 1)


async def test_what_the_operator_lifted_in_part_is_blocked_again(
    engine: bespeak.Engine, room: Resource
) -> None:
    await put(engine, room, stay("a", 5, 8))
    (block,) = (await engine.list_blocks(room.id)).items
    await engine.unblock(block.id, lines=[BlockLine("101", from_=jan(6), to=jan(7))])
    feed = (await engine.export_calendar(room.id)).decode()
    assert feed.count("BEGIN:VEVENT") == 2
    assert counts(await put(engine, room, stay("a", 5, 8))) == (0, 1, 0, 0, 0)
    assert await standing(engine, room) == {"a": [(jan(5), jan(8))]}
    (block,) = (await engine.list_blocks(room.id)).items
    await engine.unblock(block.id)
    assert counts(await put(engine, room, stay("a", 5, 8))) == (1, 0, 0, 0, 0)


class Dies(Exception):
    """A process that is no more."""


@pytest.mark.parametrize("steps", range(7))
async def test_an_import_that_dies_is_finished_by_the_next(
    engine: bespeak.Engine,
    room: Resource,
    connection: Connection,
    monkeypatch: pytest.MonkeyPatch,
    steps: int,
) -> None:
    """It dies before each of its blocks and liftings in turn."""
    await put(
        engine, room, stay("a", 5, 7), stay("b", 7, 9), stay("gone", 12, 13), stay("s", 20, 21)
    )
    wanted = [stay("a", 7, 9), stay("b", 5, 7), stay("new", 12, 14), stay("s", 20, 21)]
    left = steps

    def count() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise Dies

    block, unblock = blocks.block, blocks.unblock

    async def dying_block(*args: object, **fields: object) -> object:
        count()
        return await block(*args, **fields)  # type: ignore[arg-type]

    async def dying_unblock(*args: object, **fields: object) -> object:
        count()
        return await unblock(*args, **fields)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(blocks, "block", dying_block)
        patched.setattr(blocks, "unblock", dying_unblock)
        with pytest.raises(Dies):
            await put(engine, room, *wanted)
    taken = await connection.fetchval("select count(*) from bespeak.claim")
    assert taken >= 6, "what stays busy was never free"
    done = await put(engine, room, *wanted)
    assert done.conflicts == []
    assert await standing(engine, room) == {
        "a": [(jan(7), jan(9))], "b": [(jan(5), jan(7))], "new": [(jan(12), jan(14))],
        "s": [(jan(20), jan(21))],
    }  # fmt: skip
    assert counts(await put(engine, room, *wanted)) == (0, 0, 0, 4, 0)
    assert await problems(connection) == []


async def test_twice_at_once_it_blocks_each_entry_once(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    room: Resource,
    connection: Connection,
    clock: Clock,
) -> None:
    clock.shared_with(second_engine)
    await put(engine, room, *(stay(f"{n}", n, n + 1) for n in range(3, 20)))
    for shift in (1, 2, 3):
        events = [stay(f"{n}", n + shift, n + shift + 1) for n in range(3, 20)]
        twins = [put(one, room, *events) for one in (engine, second_engine)]
        for done in await asyncio.gather(*twins):
            assert done.conflicts == []
        assert await standing(engine, room) == {
            f"{n}": [(jan(n + shift), jan(n + shift + 1))] for n in range(3, 20)
        }
        assert await problems(connection) == []


async def test_any_calendar_after_any_other_is_the_calendar(
    engine: bespeak.Engine, connection: Connection, dice: random.Random
) -> None:
    """The reference: a fresh room, into which only the last calendar was imported."""
    old = await made(engine, NightsPlan(rooms=("1", "2")))
    for number in range(8):
        events = []
        for uid in dice.sample("abcdefgh", dice.randint(0, 8)):
            first = dice.randint(1, 24)
            events.append(stay(uid, first, first + dice.randint(1, 5)))
        done = await put(engine, old, *events)
        fresh = await made(engine, NightsPlan(rooms=("1", "2")), name=f"{number}")
        assert (await put(engine, fresh, *events)).conflicts == done.conflicts == []
        assert await standing(engine, old) == await standing(engine, fresh)
    assert await problems(connection) == []


# Of what it is


async def test_a_calendar_of_one_room_leaves_the_others(engine: bespeak.Engine) -> None:
    house = await made(engine, NightsPlan(rooms=("101", "102")))
    await put(engine, house, stay("a", 5, 8), unit="101", name="airbnb-101")
    await put(engine, house, stay("a", 5, 8), unit="102", name="airbnb-102")
    assert counts(await put(engine, house, unit="102", name="airbnb-102")) == (0, 0, 1, 0, 0)
    await take(engine, [Line(house.id, "102", from_=jan(5), to=jan(8))])
    with pytest.raises(bespeak.UnitTaken):
        await take(engine, [Line(house.id, "101", from_=jan(5), to=jan(8))])


async def test_one_name_is_not_for_two_rooms(engine: bespeak.Engine) -> None:
    """Else each import of the one would put the other back on sale."""
    house = await made(engine, NightsPlan(rooms=("101", "102")))
    await put(engine, house, stay("a", 5, 8), unit="101")
    with pytest.raises(InvalidRequest) as refused:
        await put(engine, house, unit="102")
    assert refused.value.data["field"] == "unit"
    assert len(await standing(engine, house)) == 1


async def test_a_calendar_of_one_room_of_a_type_takes_one_a_night(
    engine: bespeak.Engine, connection: Connection
) -> None:
    rooms = await made(engine, NightsPlan(count=3))
    done = await put(engine, rooms, stay("a", 5, 8), stay("b", 6, 7), quantity=1)
    assert counts(done) == (2, 0, 0, 0, 0)
    await take(engine, [Line(rooms.id, None, 1, from_=jan(6), to=jan(7))])
    with pytest.raises(bespeak.SoldOut):
        await take(engine, [Line(rooms.id, None, 1, from_=jan(6), to=jan(7))])
    done = await put(engine, rooms, stay("a", 6, 8), stay("b", 6, 7), stay("c", 6, 7), quantity=1)
    assert [(one.uid, one.code) for one in done.conflicts] == [("c", "sold_out")]
    assert await problems(connection) == []


async def test_times_are_blocked_by_the_raster(engine: bespeak.Engine) -> None:
    court = await made(engine, MomentsPlan(raster_minutes=15))
    meeting = event(
        "a", ";TZID=Europe/Berlin:20300105T100500", ";TZID=Europe/Berlin:20300105T105000"
    )
    for expected in ((1, 0, 0, 0, 0), (0, 0, 0, 1, 0)):
        assert counts(await put(engine, court, meeting)) == expected
    assert await standing(engine, court) == {
        "a": [("2030-01-05T10:00:00+01:00", "2030-01-05T11:00:00+01:00")]
    }
    for start, end, is_free in (("09:30", "10:00", True), ("09:45", "10:15", False),
                                ("10:45", "11:00", False), ("11:00", "11:30", True)):  # fmt: skip
        line = Line(
            court.id, None, from_=f"2030-01-05T{start}:00+01:00", to=f"2030-01-05T{end}:00+01:00"
        )
        if is_free:
            await take(engine, [line])
        else:
            with pytest.raises(bespeak.UnitTaken):
                await take(engine, [line])


async def test_the_window_moves_with_the_clock(
    engine: bespeak.Engine, room: Resource, clock: Clock
) -> None:
    endless = days("x", jan(1), jan(2), "RRULE:FREQ=DAILY")
    done = await put(engine, room, endless)
    assert (done.created, len(done.conflicts)) == (399, 0)
    await clock.advance(10 * 86_400)
    done = await put(engine, room, endless)
    assert (done.created, done.lifted, done.unchanged) == (10, 9, 390)


REFUSED: list[tuple[dict[str, object], str]] = [
    ({"name": ""}, "name"),
    ({"name": "a:b"}, "name"),
    ({"name": "x" * 61}, "name"),
    ({"name": "-a"}, "name"),
    ({"quantity": 2}, "lines.quantity"),
]


@pytest.mark.parametrize(("fields", "field"), REFUSED)
async def test_what_makes_no_sense_is_refused(
    engine: bespeak.Engine, fields: dict[str, object], field: str
) -> None:
    house = await made(engine, NightsPlan(rooms=("101", "102")))
    with pytest.raises(InvalidRequest) as refused:
        await put(engine, house, stay("a", 5, 8), **fields)  # type: ignore[arg-type]
    assert refused.value.data["field"] == field
    assert await standing(engine, house) == {}


async def test_what_is_not_there_is_refused(engine: bespeak.Engine, room: Resource) -> None:
    show = await made(engine, PLAN)
    with pytest.raises(UnknownUnit):
        await put(engine, room, stay("a", 5, 8), unit="102")
    with pytest.raises(InvalidRequest):
        await put(engine, show, stay("a", 5, 8))
    with pytest.raises(ResourceNotFound):
        await engine.import_calendar("res_00000001", calendar(), name=NAME)
    with pytest.raises(InvalidRequest) as refused:
        await engine.import_calendar(room.id, calendar("UID:a\nDTSTART:x"), name=NAME)
    assert refused.value.data == {"field": "calendar", "line": 4, "uid": "a"}


async def test_a_deadlock_is_tried_again(
    engine: bespeak.Engine, room: Resource, monkeypatch: pytest.MonkeyPatch
) -> None:
    import asyncpg

    block = blocks.block
    fails = [asyncpg.DeadlockDetectedError("x"), asyncpg.SerializationError("x")]

    async def colliding(*args: object, **fields: object) -> object:
        if fails:
            raise fails.pop()
        return await block(*args, **fields)  # type: ignore[arg-type]

    monkeypatch.setattr(blocks, "block", colliding)
    assert counts(await put(engine, room, stay("a", 5, 8))) == (1, 0, 0, 0, 0)
    fails += [asyncpg.DeadlockDetectedError("x")] * calendars.TRIES
    with pytest.raises(bespeak.Unavailable):
        await put(engine, room, stay("a", 5, 8), stay("b", 9, 10))


# Export


async def feed(engine: bespeak.Engine, of: Resource, **fields: object) -> list[Entry]:
    """The feed, as a calendar program reads it."""
    content = await engine.export_calendar(of.id, **fields)  # type: ignore[arg-type]
    return read_calendar(content, BERLIN, window_of(engine.clock.now(), BERLIN))


async def test_the_feed_tells_bookings_and_blocks_but_not_holds(
    engine: bespeak.Engine, room: Resource
) -> None:
    booking = await book(engine, [Line(room.id, None, from_=jan(6), to=jan(8))], owner="asha")
    await take(engine, [Line(room.id, None, from_=jan(10), to=jan(11))])
    block = await engine.block(room.id, [BlockLine(from_=jan(12), to=jan(14))], reason="secret")
    entries = await feed(engine, room)
    assert [(one.uid, one.start, one.end, one.summary) for one in entries] == [
        (f"{booking.id}-1@bespeak", date(2030, 1, 6), date(2030, 1, 8), "Booked: 101"),
        (f"{block.id}-1@bespeak", date(2030, 1, 12), date(2030, 1, 14), "Blocked: 101"),
    ]
    plain = (await engine.export_calendar(room.id)).decode()
    told = (await engine.export_calendar(room.id, details=True)).decode()
    assert ("asha" in plain, "secret" in plain) == (False, False)
    assert ("asha" in told, "secret" in told) == (True, True)


async def test_the_feed_changes_only_with_what_it_tells(
    engine: bespeak.Engine, room: Resource, clock: Clock
) -> None:
    booking = await book(engine, [Line(room.id, None, from_=jan(6), to=jan(8))])
    before = await engine.export_calendar(room.id)
    await clock.advance(3600)
    await take(engine, [Line(room.id, None, from_=jan(10), to=jan(11))])
    assert await engine.export_calendar(room.id) == before
    await engine.cancel_booking(booking.id, reason="r")
    assert b"VEVENT" not in await engine.export_calendar(room.id)


async def test_carts_with_their_home_elsewhere_are_told_too(
    engine: bespeak.Engine, room: Resource, connection: Connection
) -> None:
    show = await made(engine, PLAN, attributes={"starts_at": "2030-01-06T20:00:00+01:00"})
    other = await made(engine, NightsPlan(count=2))
    cart = [
        Line(show.id, "A1"),
        Line(room.id, None, from_=jan(6), to=jan(7)),
        Line(other.id, None, 2, from_=jan(6), to=jan(8)),
        Line(show.id, "floor", 3),
    ]
    booking = await book(engine, cart)
    assert [(one.uid, one.summary) for one in await feed(engine, room)] == [
        (f"{booking.id}-2@bespeak", "Booked: 101")
    ]
    assert [(one.uid, one.summary) for one in await feed(engine, other)] == [
        (f"{booking.id}-3@bespeak", "Booked \N{MULTIPLICATION SIGN} 2")
    ]
    assert [one.summary for one in await feed(engine, show)] == [
        "Booked: A1", "Booked: floor \N{MULTIPLICATION SIGN} 3",
    ]  # fmt: skip
    nights_of_it = Line(room.id, "101", from_=jan(6), to=jan(7))
    await engine.cancel_booking(
        booking.id, reason="r", lines=[nights_of_it, Line(show.id, "floor", 1)]
    )
    assert await feed(engine, room) == []
    assert [one.summary for one in await feed(engine, show)] == [
        "Booked: A1", "Booked: floor \N{MULTIPLICATION SIGN} 2",
    ]  # fmt: skip
    assert await problems(connection) == []


async def test_a_show_is_told_where_its_attributes_say_when_it_is(engine: bespeak.Engine) -> None:
    silent = await made(engine, PLAN)
    await book(engine, [Line(silent.id, "A1")])
    assert await feed(engine, silent) == []


async def test_a_run_is_told_by_its_stops(engine: bespeak.Engine) -> None:
    from datetime import UTC, datetime

    nine = datetime(2030, 1, 5, 9, tzinfo=UTC)
    run = await made(
        engine,
        LegsPlan(
            stops=(Stop("A", departs=nine), Stop("B", departs=nine + timedelta(hours=1)),
                   Stop("C", arrives=nine + timedelta(hours=3))),
            pools=(bespeak.PoolPlan("second", 9),),
        ),
    )  # fmt: skip
    await book(engine, [Line(run.id, "second", 2, from_="B", to="C")])
    (entry,) = await feed(engine, run)
    assert (entry.start, entry.end) == (nine + timedelta(hours=1), nine + timedelta(hours=3))


async def test_a_calendar_is_not_told_its_own(engine: bespeak.Engine, room: Resource) -> None:
    """Two calendars that tell each other what they have heard would never forget it."""
    await put(engine, room, stay("a", 5, 8), name="airbnb")
    await put(engine, room, stay("b", 10, 12), name="vrbo")
    assert len(await feed(engine, room)) == 2
    assert [one.start for one in await feed(engine, room, without=["airbnb"])] == [
        date(2030, 1, 10)
    ]
    assert await feed(engine, room, without=["airbnb", "vrbo"]) == []


async def test_the_past_fades_from_the_feed(
    engine: bespeak.Engine, room: Resource, clock: Clock
) -> None:
    bookings: list[Booking] = []
    for first in (2, 20):
        bookings.append(
            await book(engine, [Line(room.id, None, from_=jan(first), to=jan(first + 2))])
        )
    await engine.block(room.id, [BlockLine(from_=jan(4), to=jan(5))], reason="r")
    await clock.advance(100 * 86_400)
    told = (await engine.export_calendar(room.id)).decode()
    assert [booking.id in told for booking in bookings] == [False, True]
    assert "blk_" not in told


async def test_what_was_exported_can_be_imported_elsewhere(
    engine: bespeak.Engine, room: Resource, connection: Connection
) -> None:
    """The feed of one house keeps another's busy: the same nights, no more and no less."""
    for first, past in ((3, 5), (5, 9), (20, 21)):
        await book(engine, [Line(room.id, None, from_=jan(first), to=jan(past))])
    twin = await made(engine, NightsPlan(rooms=("7",)))
    done = await engine.import_calendar(twin.id, await engine.export_calendar(room.id), name="twin")
    assert counts(done) == (3, 0, 0, 0, 0)
    assert await nights(connection, twin) == await nights(connection, room)


async def nights(connection: Connection, of: Resource) -> Sequence[str]:
    rows = await connection.fetch(
        "select split_part(unit, '@', 2) as night from bespeak.claim where resource_id = $1",
        bespeak_number(of),
    )
    return sorted(row["night"] for row in rows)
