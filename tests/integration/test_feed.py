"""The feed, one writer at a time: what each verb tells, in order, by cursor, and closing it."""

import asyncio

import pytest

import bespeak
from bespeak import BlockLine, Resource
from bespeak.errors import InvalidCursor
from bespeak.feed.errors import CursorOfAnotherLife
from bespeak.feed.follower import Follower
from bespeak.postgres.queries import load
from bespeak.reservations.sweeper import Sweeper
from tests.harness.clock import Clock
from tests.harness.database import Connection, feed_settled, session
from tests.harness.shows import MakeShow, pool, seats, take


async def test_every_verb_tells_what_it_changed(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock, connection: Connection
) -> None:
    show = await make_show(owner_limit=9)
    hold = await take(engine, [*seats(show, "A1"), pool(show, "floor", 2)])
    await engine.extend_hold(hold.id, seconds=900)
    booking = await engine.confirm_hold(hold.id)
    await engine.cancel_booking(booking.id, reason="x", lines=[pool(show, "floor", 1)])
    await engine.cancel_booking(booking.id, reason="x")
    released = await take(engine, seats(show, "A1"))
    await engine.release_hold(released.id)
    lapsing = await take(engine, seats(show, "A1"))
    await clock.advance(600)
    await Sweeper(engine.database.pool).sweep()
    block = await engine.block(show.id, [BlockLine("A1"), BlockLine("floor", 1)], reason="x")
    await engine.unblock(block.id)
    await engine.update_resource(show.id, bespeak.ResourceChange(name="Other"))
    await feed_settled(connection)
    page = await engine.events(resource_id=show.id)
    told = [
        (event.kind, event.hold_id, {line.unit: line.quantity for line in event.lines})
        for event in page.items
    ]
    both = {"A1": None, "floor": 2}
    assert told == [
        ("created", None, {}),
        ("held", hold.id, both),
        ("extended", hold.id, both),
        ("confirmed", hold.id, both),
        ("cancelled", hold.id, {"floor": 1}),
        ("cancelled", hold.id, {"A1": None, "floor": 1}),
        ("held", released.id, {"A1": None}),
        ("released", released.id, {"A1": None}),
        ("held", lapsing.id, {"A1": None}),
        ("expired", lapsing.id, {"A1": None}),
        ("blocked", block.id, {"A1": None, "floor": 1}),
        ("unblocked", block.id, {"A1": None, "floor": 1}),
        ("changed", None, {}),
    ]


async def test_pages_of_any_size_make_the_whole(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    shows = [await make_show() for _ in range(2)]
    await asyncio.gather(
        *(take(engine, seats(show, f"A{n}"), f"o{n}") for show in shows for n in range(1, 15))
    )
    await feed_settled(connection)
    whole = (await engine.events(limit=1000)).items
    assert len(whole) == 30
    for limit in (1, 7, 30):
        seen: list[bespeak.Event] = []
        after = None
        while page := await engine.events(after=after, limit=limit):
            seen += page.items
            after = page.next
            if not page.items:
                break
        assert seen == whole
    one = await engine.events(resource_id=shows[0].id)
    assert one.items == [event for event in whole if event.resource_id == shows[0].id]


async def test_an_empty_page_keeps_the_cursor(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    await feed_settled(connection)
    page = await engine.events()
    again = await engine.events(after=page.next)
    assert (again.items, again.next) == ([], page.next)
    await take(engine, seats(show, "A1"))
    await feed_settled(connection)
    assert len((await engine.events(after=again.next)).items) == 1


@pytest.mark.parametrize("cursor", ["", "x", "1", "1-", "-1", "1-2-3", "G-1", "1" * 17 + "-1"])
async def test_a_cursor_that_is_none_is_refused(engine: bespeak.Engine, cursor: str) -> None:
    with pytest.raises(InvalidCursor):
        await engine.events(after=cursor)


@pytest.mark.parametrize("cursor", ["f" * 16 + "-" + "f" * 15, "0-1", "3e8-2a"])
async def test_a_cursor_of_no_life_is_refused(
    engine: bespeak.Engine, show: Resource, cursor: str
) -> None:
    """The last one is as they were before there were positions."""
    with pytest.raises(CursorOfAnotherLife) as caught:
        await engine.events(after=cursor)
    assert caught.value.data == {"cursor": None}


async def test_a_place_that_is_not_reached_yet_is_refused(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    await feed_settled(connection)
    page = await engine.events()
    ahead = f"{page.epoch:x}-2"
    with pytest.raises(CursorOfAnotherLife) as caught:
        await engine.events(after=ahead)
    assert caught.value.data == {"cursor": page.next}
    await take(engine, seats(show, "A1"))
    await feed_settled(connection)
    assert (await engine.events(after=ahead)).next == ahead


@pytest.mark.parametrize("ticks", range(6))
async def test_a_follower_closes_in_the_tick_of_a_poke(database_url: str, ticks: int) -> None:
    """A wait that swallows the cancellation would let close() hang for ever."""
    follower = Follower(database_url, lambda units: None, lambda number: None)
    follower.start()
    async with session(database_url) as connection:
        async with asyncio.timeout(20):
            while not await connection.fetchval(  # noqa: ASYNC110
                "select count(*) from pg_stat_activity where query ilike"
                " 'select bespeak.settled_horizon%'"
                " and state = 'idle' and datname = current_database()"
            ):
                await asyncio.sleep(0)
    await asyncio.sleep(0.01)
    follower._woken.set()
    for _ in range(ticks):
        await asyncio.sleep(0)
    async with asyncio.timeout(20):
        await follower.close()


async def test_what_is_freed_elsewhere_is_forgotten_here(
    database_url: str, engine: bespeak.Engine, show: Resource
) -> None:
    """With a memory that trusts itself for a minute, only the feed can have told it."""
    settings = bespeak.Settings(known_taken_seconds=60, pool_max=2)
    async with bespeak.connect(database_url, settings=settings, sweep=False) as remembering:
        hold = await take(engine, seats(show, "A1"))
        with pytest.raises(bespeak.UnitTaken):
            await take(remembering, seats(show, "A1"), "bela")
        await engine.release_hold(hold.id)
        async with asyncio.timeout(20):
            while True:
                try:
                    await take(remembering, seats(show, "A1"), "bela")
                    break
                except bespeak.UnitTaken:
                    await asyncio.sleep(0.01)


async def test_the_next_look_begins_where_the_last_one_ended(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    # Also when nothing was freed: else every look reads again all that was held meanwhile.
    await take(engine, seats(show, "A1"))
    await feed_settled(connection)
    query = load("bespeak.feed", "feed.sql")["freed_between"]
    rows = await connection.fetch(query, 0, ["released"])
    assert [row["resource_id"] for row in rows] == [None]
    assert rows[0]["horizon"] > 0


async def test_what_another_process_freed_is_forgotten(
    engine: bespeak.Engine, database_url: str, show: Resource
) -> None:
    held = await take(engine, seats(show, "A1"), "asha")
    long_memory = bespeak.Settings(known_taken_seconds=60)
    async with bespeak.connect(database_url, settings=long_memory, sweep=False) as other:
        with pytest.raises(bespeak.UnitTaken):
            await take(other, seats(show, "A1"), "ben")
        assert len(other.memory) == 1
        await engine.release_hold(held.id)
        async with asyncio.timeout(20):
            while len(other.memory):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert (await take(other, seats(show, "A1"), "ben")).state == "held"
