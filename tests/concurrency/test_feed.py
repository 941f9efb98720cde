"""The feed under many writers, slow and fast: complete, gap-free, causes before effects; with two
controls that show what the simpler orders lose."""

import asyncio
import random
from datetime import timedelta

import bespeak
from bespeak import Event, Resource, ids
from bespeak.feed import reader
from bespeak.feed.numberer import numbering
from bespeak.states import FREEING, EventKind
from tests.concurrency.waiting import meet, until_blocked
from tests.harness.clock import Clock
from tests.harness.database import Connection, feed_settled, problems, session
from tests.harness.shows import pool, seats, take

WRITERS = 8
ROUNDS = 40


async def writer(
    number: int, engine: bespeak.Engine, show: Resource, url: str, dice: random.Random
) -> None:
    """Holds and lets go, in transactions of which some stay open while others come and go."""
    async with session(url) as mine:
        for _ in range(ROUNDS):
            lines = seats(show, *dice.sample(["A1", "A2", "A3", "A4"], 2))
            if dice.random() < 0.5:
                lines.append(pool(show, "floor", 1))
            verb = dice.choice(["release", "confirm", "both", "undo"])
            try:
                transaction = mine.transaction()
                await transaction.start()
                try:
                    hold = await take(engine, lines, f"o{number}", connection=mine)
                    for _ in range(dice.choice([0, 0, 3, 10])):  # a slow one lets others pass
                        await mine.fetchval("select 1")
                    if verb == "both":
                        await engine.release_hold(hold.id, connection=mine)
                except bespeak.Refused:
                    verb = "undo"
                await (transaction.rollback() if verb == "undo" else transaction.commit())
                if verb == "release":
                    await engine.release_hold(hold.id)
                if verb == "confirm":
                    booking = await engine.confirm_hold(hold.id)
                    await engine.cancel_booking(booking.id, reason="x")
            except bespeak.Refused:
                await transaction.rollback()


def told(event: Event) -> str:
    """An event as the table has it."""
    hold_id = "" if event.hold_id is None else ids.parse(ids.HOLD, event.hold_id)
    return f"({hold_id},{event.kind})"


async def follow(url: str, done: asyncio.Event, limit: int) -> list[Event]:
    """Reads page by page until the writers are done and nothing more comes."""
    seen: list[Event] = []
    after = None
    async with session(url) as mine:
        while True:
            last = done.is_set()
            page = await reader.read(mine, after, limit)
            seen += page.items
            after = page.next
            if last and not page.items:
                return seen
            await asyncio.sleep(0)


class Seen:
    """The state of the seats as a follower knows them; it must never be told the impossible."""

    def __init__(self) -> None:
        self.holders: dict[str, str] = {}
        self.floor = 0

    def apply(self, event: Event) -> None:
        for line in event.lines:
            if line.quantity is not None:
                self.floor += {EventKind.HELD: 1}.get(event.kind, 0) * line.quantity
                self.floor -= (event.kind in FREEING) * line.quantity
                assert 0 <= self.floor <= 5, event
            elif event.kind is EventKind.HELD:
                assert line.unit not in self.holders, event
                self.holders[line.unit] = event.hold_id or ""
            else:
                assert self.holders.get(line.unit) == event.hold_id, event
                if event.kind in FREEING:
                    del self.holders[line.unit]


async def test_followers_see_all_once_and_in_order(
    engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    database_url: str,
    dice: random.Random,
) -> None:
    done = asyncio.Event()
    followers = [asyncio.create_task(follow(database_url, done, limit)) for limit in (1, 7, 500)]
    async with numbering(database_url), numbering(database_url):
        await asyncio.gather(
            *(writer(number, engine, show, database_url, dice) for number in range(WRITERS))
        )
        await feed_settled(connection)
    done.set()
    seen = await asyncio.gather(*followers)
    table = await connection.fetchval(
        "select array_agg((hold_id, kind)::text order by horizon, position) from bespeak.event"
    )
    assert len(table) > 50
    for events in seen:
        assert [event.position for event in events] == list(range(1, len(table) + 1))
        assert [told(event) for event in events] == table
        state = Seen()
        for event in events:
            state.apply(event)
        assert (state.holders, state.floor) == ({}, 0)
    assert await problems(connection) == []


async def test_control_following_the_position_alone_loses_events(
    engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    by_position = (
        "select array_agg(position order by position) from bespeak.event where position > $1"
    )
    start = await connection.fetchval("select max(position) from bespeak.event")
    await feed_settled(connection)
    cursor = (await engine.events()).next
    slow = one.transaction()
    await slow.start()
    await take(engine, seats(show, "A1"), connection=one)
    await take(engine, seats(show, "A2"), connection=two)
    naive = await connection.fetchval(by_position, start)
    assert (await engine.events(after=cursor)).items == []
    await slow.commit()
    naive += await connection.fetchval(by_position, naive[-1]) or []
    whole = await connection.fetchval(by_position, start)
    assert len(naive) < len(whole) == 2
    await feed_settled(connection)
    assert len((await engine.events(after=cursor)).items) == 2


async def test_control_ordering_by_transaction_alone_puts_an_effect_before_its_cause(
    engine: bespeak.Engine,
    show: Resource,
    clock: Clock,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    """The taker's transaction is the older one, but it waits for the sweeper's to free the seat."""
    lapsed = await take(engine, seats(show, "A1"))
    await clock.set(lapsed.expires_at + timedelta(seconds=1))
    taker = one.transaction()
    await taker.start()
    await take(engine, seats(show, "A2"), "bela", connection=one)  # its number is given out here
    sweeper = two.transaction()
    await sweeper.start()
    await two.fetchval("select expired from bespeak.expire_holds(10)")
    taking = asyncio.create_task(take(engine, seats(show, "A1"), "bela", connection=one))
    await until_blocked(connection, one, two)
    await sweeper.commit()
    await taking
    await taker.commit()
    await feed_settled(connection)

    def about_the_seat(rows: list[object]) -> list[str]:
        return [str(row) for row in rows]

    by_transaction = await connection.fetchval(
        "select array_agg(kind order by xmin::text::bigint, position) from bespeak.event"
        " where units = '{A1}'"
    )
    assert about_the_seat(by_transaction) == ["held", "held", "expired"]
    told = [
        event.kind
        for event in (await engine.events()).items
        if [line.unit for line in event.lines] == ["A1"]
    ]
    assert told == [EventKind.HELD, EventKind.EXPIRED, EventKind.HELD]


async def test_a_taker_who_loses_gives_a_lapsed_unit_back_to_whom_it_was(
    engine: bespeak.Engine,
    show: Resource,
    clock: Clock,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    lapsed = await take(engine, seats(show, "A1"), "asha", hold_seconds=60)
    await clock.advance(61)

    async def take_and_lose() -> object:
        lines = [*seats(show, "A1", "A2"), pool(show, "floor", 3)]
        return await take(engine, lines, "cleo", connection=two)

    # Cleo's look shows room on the floor; she has the seats when Ben commits, and loses all of it.
    lost = await meet(
        connection, one, take(engine, [pool(show, "floor", 3)], "ben", connection=one),
        two, take_and_lose(),
    )  # fmt: skip
    assert isinstance(lost, bespeak.Refused)
    await connection.execute("select from bespeak.expire_holds(10)")
    await feed_settled(connection)
    events = (await engine.events(limit=100)).items
    told = [event for event in events if event.kind is EventKind.EXPIRED]
    assert [event.hold_id for event in told] == [lapsed.id]
    assert [line.unit for line in told[0].lines] == ["A1"]  # or a follower has it as held for ever
    assert await connection.fetchval("select count(*) from bespeak.claim") == 0
    assert await problems(connection) == []
