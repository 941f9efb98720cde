"""The relay against the database, with a broker that the test is: where it begins and goes on, what
it waits for, and what comes twice.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import pytest

from bespeak import Event
from bespeak.cli import checks
from bespeak.cli.checks import Finding
from bespeak.errors import InvalidCursor, InvalidRequest
from bespeak.feed import reader
from bespeak.feed.errors import CursorExpired
from bespeak.postgres.pool import open_pool
from bespeak.relay import relay as relay_module
from bespeak.relay import track as track_module
from bespeak.relay.errors import BrokerRefused, BrokerUnavailable, EventTooLarge, RelayNotFound
from bespeak.relay.lag import RelayLag, RelayObserver
from bespeak.relay.message import RelayMessage
from bespeak.relay.relay import Relay
from bespeak.relay.track import NOW, START, RelayPlace, RelayTrack
from tests.harness.database import Connection, feed_settled, session

HAPPENS = """
    insert into bespeak.event (resource_id, horizon, kind, at)
    select $1, bespeak.horizon(), 'changed', bespeak.now() from generate_series(1, $2)
"""
GO_ON = "select bespeak.begin_feed_later(bespeak.now() + interval '1 day', '{}', 1000)"
LINES = """
    insert into bespeak.event (resource_id, horizon, kind, units, quantities, at)
    select 1, bespeak.horizon(), 'changed', coalesce(array_agg('A' || n), '{}'),
        coalesce(array_agg(1), '{}'), bespeak.now()
    from generate_series(1, $1) n
"""
FOLLOWERS = "update bespeak.follower set horizon = 9e15, position = 0 where name !~ '^relay:'"
END_SESSIONS = """
    select pg_terminate_backend(l.pid) from pg_locks l
    where l.locktype = 'advisory' and l.granted
        and l.database = (select oid from pg_database where datname = current_database())
"""


async def happen(connection: Connection, count: int = 1, resource: int = 1) -> None:
    await connection.execute(HAPPENS, resource, count)
    await feed_settled(connection)


async def whole_feed(connection: Connection) -> list[Event]:
    found: list[Event] = []
    after: str | None = None
    while (page := await reader.read(connection, after, 1000)).items:
        found += page.items
        after = page.next
    return found


async def track_of(connection: Connection, name: str = "one", after: str = START) -> RelayTrack:
    track = RelayTrack(name)
    await track.enlist(connection, after)
    return track


async def all_of(connection: Connection, track: RelayTrack, limit: int) -> list[RelayMessage]:
    """All that a relay has still to send, read by batches of so many."""
    found: list[RelayMessage] = []
    place = await track.place(connection)
    while (batch := await track.next(connection, place, limit)).messages:
        assert len(batch.messages) <= limit
        found += batch.messages
        assert await track.move(connection, place, batch.until)
        place = batch.until
    return found


@pytest.mark.parametrize("limit", [1, 7, 256, 1000])
async def test_a_relay_reads_the_feed_as_everybody(connection: Connection, limit: int) -> None:
    for count in (3, 300, 1):
        await happen(connection, count)
    await connection.execute("select bespeak.open_epoch()")
    await happen(connection, 20)
    found = await all_of(connection, await track_of(connection), limit)
    assert [message.event for message in found] == await whole_feed(connection)
    assert [message.life_begins for message in found] == [0] * 304 + [304] * 20
    present = (await reader.read(connection)).epoch
    assert {message.epoch for message in found[304:]} == {present}
    assert all(message.epoch < present for message in found[:304])


async def test_a_batch_is_bounded_by_its_lines_too(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(track_module, "LINES_MAX", 100)
    for count in (60, 60, 500, 0, 1):
        await connection.execute(LINES, count)
        await happen(connection)  # which has no lines at all
    track = await track_of(connection)
    place = await track.place(connection)
    sizes = []
    while (batch := await track.next(connection, place, 10)).messages:
        sizes.append([len(message.event.lines) for message in batch.messages])
        place = batch.until
    assert sizes == [[60, 0, 60], [0, 500], [0, 0, 0, 1, 0]]


async def test_a_relay_begins_where_it_is_told_and_only_once(connection: Connection) -> None:
    await happen(connection, 5)
    feed = await whole_feed(connection)
    late = await track_of(connection, "late", NOW)
    third = await track_of(connection, "third", feed[2].cursor)
    assert [m.event for m in await all_of(connection, third, 10)] == feed[3:]
    await happen(connection)
    await third.enlist(connection, START)  # it is there: it keeps its place
    newest = (await whole_feed(connection))[5:]
    assert [m.event for m in await all_of(connection, late, 10)] == newest
    assert [m.event for m in await all_of(connection, third, 10)] == newest
    with pytest.raises(InvalidCursor):
        await track_of(connection, "other", "yesterday")
    with pytest.raises(InvalidRequest):
        RelayTrack("Not A Name")


async def test_a_relay_of_an_empty_feed_misses_nothing(connection: Connection) -> None:
    tracks = [await track_of(connection, name, name) for name in (START, NOW)]
    await happen(connection, 3)
    for track in tracks:
        assert len(await all_of(connection, track, 10)) == 3


async def test_the_feed_is_kept_for_a_relay_until_it_is_forgotten(connection: Connection) -> None:
    await connection.execute(FOLLOWERS)
    track = await track_of(connection)
    await happen(connection, 600)
    assert await connection.fetchval(GO_ON) == 0
    place = await track.place(connection)
    batch = await track.next(connection, place, 300)
    await track.move(connection, place, batch.until)
    assert await connection.fetchval(GO_ON) == 1  # a page, of 256
    await track.forget(connection)
    assert await connection.fetchval(GO_ON) == 1
    with pytest.raises(CursorExpired):  # never is it passed over in silence
        await track.next(connection, RelayPlace(0, 0), 10)
    with pytest.raises(RelayNotFound):
        await track.forget(connection)
    with pytest.raises(RelayNotFound):
        await track.place(connection)


async def test_a_relay_moves_only_from_where_it_is(connection: Connection) -> None:
    await happen(connection, 4)
    track = await track_of(connection)
    place = await track.place(connection)
    first, both = [await track.next(connection, place, limit) for limit in (2, 4)]
    assert await track.move(connection, place, first.until)
    assert not await track.move(connection, place, both.until)
    assert await track.place(connection) == first.until


async def test_metrics_hear_how_far_relays_are_behind(
    connection: Connection, database_url: str
) -> None:
    heard: list[tuple[str, int, bool]] = []

    class Ear(RelayObserver):
        def behind(self, name: str, events: int, seconds: float) -> None:
            heard.append((name, events, seconds > 0))

    await happen(connection, 300)
    track = await track_of(connection)
    await track_of(connection, "two", NOW)
    pool = await open_pool(database_url, 1)
    try:
        lag = RelayLag(pool, Ear())
        await lag.look()
        assert sorted(heard) == [("one", 300, True), ("two", 0, False)]
        heard.clear()
        await all_of(connection, track, 1000)
        await RelayTrack("two").forget(connection)
        lag._rest_until = 0
        await lag.look()
        assert sorted(heard) == [("one", 0, False), ("two", 0, False)]
    finally:
        await pool.close()


async def test_the_doctor_names_a_relay_that_nobody_runs(connection: Connection) -> None:
    async def finding() -> Finding:
        (found,) = [one for one in await checks.all_of(connection) if one.check == "relays"]
        return found

    await track_of(connection, "quiet", NOW)
    await connection.execute("select set_config('bespeak.now', '2030-01-01T00:00:00Z', false)")
    await happen(connection, 3)
    assert (await finding()).verdict == "ok"
    await connection.execute("select set_config('bespeak.now', '2030-01-01T02:00:00Z', false)")
    found = await finding()
    assert (found.verdict, found.seen) == (
        "warning", "quiet has 3 events to send, the oldest for 7200 s",
    )  # fmt: skip
    assert "--name quiet --forget" in found.remedy


class Box:
    """A broker that keeps what it gets. What happens to a batch may be said before it comes."""

    def __init__(self, standing: str | None = None) -> None:
        self.standing = standing
        self.cursors: list[str] = []
        self.faults: list[Callable[[Sequence[RelayMessage]], Awaitable[None]]] = []
        self.opened = 0

    async def open(self) -> str | None:
        self.opened += 1
        return self.standing

    async def send(self, messages: Sequence[RelayMessage]) -> None:
        if self.faults:
            await self.faults.pop(0)(messages)
        self.cursors += [message.cursor for message in messages]

    async def close(self) -> None:
        self.opened -= 1


@asynccontextmanager
async def running(url: str, box: Box, after: str = START) -> AsyncIterator[asyncio.Task[None]]:
    relay = Relay(url, RelayTrack("one"), box, after=after)
    task = asyncio.create_task(relay.run())
    try:
        yield task
    finally:
        relay.stop()
        if not task.done():
            async with asyncio.timeout(20):
                await task
        assert box.opened == 0


async def until_has(box: Box, cursors: set[str]) -> None:
    async with asyncio.timeout(20):
        while not cursors <= set(box.cursors):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_through_faults_nothing_is_lost_and_repeats_are_equal(
    connection: Connection, database_url: str
) -> None:
    async def away(_: Sequence[RelayMessage]) -> None:
        raise BrokerUnavailable

    async def half(messages: Sequence[RelayMessage]) -> None:
        box.cursors += [message.cursor for message in messages[:5]]
        raise BrokerUnavailable

    async def ended(_: Sequence[RelayMessage]) -> None:
        # Acknowledged by the broker, and not to be written down over this session.
        async with session(database_url) as other:
            await other.execute(END_SESSIONS)

    box = Box()
    box.faults = [away, half, ended]
    await happen(connection, 10)
    async with running(database_url, box):
        cursors = [event.cursor for event in await whole_feed(connection)]
        async with asyncio.timeout(20):
            while len(box.cursors) < 25:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        await happen(connection, 1)
        newest = [event.cursor for event in await whole_feed(connection)]
        await until_has(box, set(newest))
    assert box.cursors == [*cursors[:5], *cursors, *cursors, newest[-1]]


@pytest.mark.parametrize("guarded", [True, False], ids=["guarded", "the control"])
async def test_of_two_of_one_name_one_sends(
    connection: Connection, database_url: str, guarded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = 0
    ask = RelayTrack.lead

    async def lead(track: RelayTrack, session: Connection) -> bool:
        nonlocal asked
        asked += 1
        return await ask(track, session) or not guarded

    monkeypatch.setattr(RelayTrack, "lead", lead)
    monkeypatch.setattr(relay_module, "_SEEK_SECONDS", 0.01)
    one, other = Box(), Box()
    await happen(connection, 3)
    async with running(database_url, one), running(database_url, other):
        async with asyncio.timeout(20):
            while asked < 5 and one.opened + other.opened < 2:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert (one.opened + other.opened == 1) is guarded


async def test_what_is_refused_ends_it_and_is_not_passed_over(
    connection: Connection, database_url: str
) -> None:
    async def refused(messages: Sequence[RelayMessage]) -> None:
        raise EventTooLarge(cursor=messages[0].cursor, bytes=1)

    box = Box()
    box.faults = [refused]
    await happen(connection, 3)
    async with running(database_url, box) as task:
        with pytest.raises(EventTooLarge):
            await task
    async with running(database_url, box):
        await until_has(box, {event.cursor for event in await whole_feed(connection)})


async def test_a_broker_that_has_more_is_not_sent_it_again(
    connection: Connection, database_url: str
) -> None:
    await happen(connection, 6)
    cursors = [event.cursor for event in await whole_feed(connection)]
    box = Box(cursors[3])
    async with running(database_url, box):
        await until_has(box, {*cursors[4:]})
    assert box.cursors == cursors[4:]


async def test_in_another_life_it_goes_on_where_both_agree(
    connection: Connection, database_url: str
) -> None:
    """The broker has events that this server has lost."""
    await happen(connection, 4)
    epoch = (await reader.read(connection)).epoch
    await connection.execute("select bespeak.open_epoch()")
    await happen(connection, 2)
    feed = await whole_feed(connection)
    box = Box(f"{epoch:x}-9")
    async with running(database_url, box):
        await until_has(box, {event.cursor for event in feed[4:]})
    assert box.cursors == [event.cursor for event in feed[4:]]


async def test_what_another_database_sent_is_left_alone(
    connection: Connection, database_url: str
) -> None:
    await happen(connection)
    async with running(database_url, Box("123456789-5")) as task:
        with pytest.raises(BrokerRefused, match="another database"):
            await task


async def test_a_relay_that_is_forgotten_while_it_runs_ends(
    connection: Connection, database_url: str
) -> None:
    box = Box()
    await happen(connection)
    async with running(database_url, box) as task:
        await until_has(box, {event.cursor for event in await whole_feed(connection)})
        await RelayTrack("one").forget(connection)
        await happen(connection)
        with pytest.raises(RelayNotFound):
            async with asyncio.timeout(20):
                await task
