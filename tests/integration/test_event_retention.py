"""How the feed loses its oldest events: where it begins, what stays, and whose reading holds it."""

import gzip
import json
from pathlib import Path

import pytest

import bespeak
from bespeak import Resource, Settings, ids
from bespeak.notifications.announcer import Announcer
from bespeak.overview.minute_counter import MinuteCounter
from bespeak.retention import events as event_turns
from bespeak.retention.archive import Archive
from bespeak.retention.worker import Retention
from tests.harness.clock import Clock
from tests.harness.database import Connection, feed_settled, session
from tests.harness.shows import book, seats, take

DAY = 86_400
RANGE = 16_777_216
KEEPING = Settings(keep_holds_days=0, keep_keys_days=0, keep_events_days=90, keep_mails_days=0)
PAGE = 256


async def followed(engine: bespeak.Engine, connection: Connection) -> None:
    """All durable followers have read everything."""
    await feed_settled(connection)
    while await Announcer(engine.database.pool).look() == 0.0:
        pass
    while await MinuteCounter(engine.database.pool).look() == 0.0:
        pass


async def tidied(engine: bespeak.Engine, archive: Archive | None = None) -> int:
    return await Retention(engine.database.pool, KEEPING, None, archive).finish()


async def events(connection: Connection, table: str = "event") -> int:
    count: int = await connection.fetchval(f"select count(*) from bespeak.{table}")
    return count


async def fill(connection: Connection, show: Resource, count: int) -> None:
    """So many events of now, each of a transaction of its own as far as the feed can tell."""
    await connection.execute(
        "insert into bespeak.event (resource_id, horizon, kind, at) select $1,"
        " bespeak.horizon(), 'changed', bespeak.now() from generate_series(1, $2::integer)",
        ids.parse_resource(show.id),
        count,
    )


async def into_next_partition(connection: Connection) -> None:
    """As if so many transactions had passed that the next events are of the next part."""
    await connection.execute("select bespeak.make_event_partitions(2)")
    await connection.execute(
        "update bespeak.feed_epoch set base = base + $1"
        " where epoch = (select max(epoch) from bespeak.feed_epoch)",
        RANGE,
    )
    await connection.execute("select bespeak.make_event_partitions(2)")


async def parts(connection: Connection) -> list[str]:
    rows = await connection.fetch(
        "select name from bespeak.event_partitions() order by until_horizon nulls first"
    )
    return [row["name"] for row in rows]


async def test_parts_are_made_ahead_and_events_find_theirs(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    await connection.execute("select bespeak.make_event_partitions(2)")
    assert await parts(connection) == ["event_default", "event_first", "event_1", "event_2"]
    assert await connection.fetchval("select bespeak.make_event_partitions(2)") == 0
    await into_next_partition(connection)
    await take(engine, seats(show, "A1"))
    assert await parts(connection) == [
        "event_default", "event_first", "event_1", "event_2", "event_3",
    ]  # fmt: skip
    assert await events(connection, "event_1") == 1
    assert await events(connection, "event_default") == 0


async def test_events_that_nobody_made_a_part_for_are_in_the_default_one(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    await connection.execute("update bespeak.feed_epoch set base = base + $1", 3 * RANGE)
    await take(engine, seats(show, "A1"))
    assert await events(connection, "event_default") == 1
    await connection.execute("select bespeak.make_event_partitions(2)")
    assert "event_4" in await parts(connection) and "event_3" not in await parts(connection)
    assert len((await engine.events()).items) == 0
    await feed_settled(connection)
    assert [event.kind for event in (await engine.events()).items] == ["created", "held"]


async def test_a_part_goes_as_a_whole_and_timelines_stay(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection, tmp_path: Path
) -> None:
    with engine.acting_as("till-3"):
        booking = await book(engine, seats(show, "A1"))
    hold = await take(engine, seats(show, "A2"))
    await engine.release_hold(hold.id)
    before = await engine.timeline(booking.id)
    assert {entry.actor for entry in before.items} == {"till-3"}
    await fill(connection, show, PAGE)
    await feed_settled(connection)
    await into_next_partition(connection)
    await fill(connection, show, 2 * PAGE)
    await followed(engine, connection)
    await clock.advance(91 * DAY)
    await take(engine, seats(show, "A3"))
    await followed(engine, connection)
    assert await tidied(engine, Archive(tmp_path)) >= 0
    assert "event_first" not in await parts(connection)
    assert await connection.fetchval("select to_regclass('bespeak.event_first')") is None
    assert await events(connection, "kept_event") == 1
    assert await engine.timeline(booking.id) == before
    kinds = [line["kind"] for line in lines_of(tmp_path / "events")]
    assert kinds.count("held") == 2 and "confirmed" not in kinds, "what stays does not go there"


async def test_a_reader_of_the_feed_is_waited_for_and_the_next_look_drops_the_part(
    engine: bespeak.Engine,
    show: Resource,
    clock: Clock,
    connection: Connection,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(event_turns, "_AGAIN_SECONDS", 0.01)
    await old_part(engine, show, clock, connection)
    async with session(database_url) as reader:
        async with reader.transaction():
            await reader.fetch("select from bespeak.event limit 1")
            await tidied(engine)
            assert "event_first" in await parts(connection)
            hold = await take(engine, seats(show, "A4"))
            assert hold.state == "held", "nobody waits for what could not be dropped"
        await tidied(engine)
    assert "event_first" not in await parts(connection)


LATER = "select bespeak.begin_feed_later($1, '{ended_holds,booked_keys}', 99)"


async def test_killed_between_the_two_the_part_is_dropped_by_the_next(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection
) -> None:
    await old_part(engine, show, clock, connection)
    before = await connection.fetchval("select bespeak.now() - interval '90 days'")
    assert await connection.fetchval(LATER, before) > 0
    assert not await connection.fetchval("select bespeak.detach_partition('event_1')"), "not past"
    assert await connection.fetchval("select bespeak.detach_partition('event_first')")
    assert await connection.fetchval("select to_regclass('bespeak.event_first')") is not None
    await tidied(engine)
    assert await connection.fetchval("select to_regclass('bespeak.event_first')") is None


async def test_of_a_part_that_fills_slowly_events_go_one_by_one(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection, tmp_path: Path
) -> None:
    with engine.acting_as("till-3"):
        booking = await book(engine, seats(show, "A1"))
    before = await engine.timeline(booking.id)
    assert {entry.actor for entry in before.items} == {"till-3"}
    await fill(connection, show, 3 * PAGE)
    await followed(engine, connection)
    await clock.advance(91 * DAY)
    page = await engine.events()
    await tidied(engine)
    assert await events(connection) == 3 * PAGE + 2, "a week of grace for the part to be past"
    with pytest.raises(bespeak.CursorExpired):
        await engine.events(after=page.items[0].cursor)
    await clock.advance(7 * DAY)
    await tidied(engine, Archive(tmp_path))
    assert 0 < await events(connection) <= PAGE, "the last page says where the feed goes on"
    assert await events(connection, "kept_event") == 1
    assert await engine.timeline(booking.id) == before
    assert len(lines_of(tmp_path / "events")) + await events(connection) == 3 * PAGE + 1


async def test_positions_and_cursors_stay_what_they_were(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection
) -> None:
    await fill(connection, show, 2 * PAGE)
    await followed(engine, connection)
    await clock.advance(98 * DAY)
    await fill(connection, show, PAGE)
    await followed(engine, connection)
    whole = await everything(engine)
    await tidied(engine)
    left = await everything(engine)
    assert 0 < len(left) < len(whole) and left == whole[-len(left) :]
    assert await everything(engine, left[0].cursor) == left[1:]


async def test_a_cursor_from_before_the_oldest_event_is_refused_with_where_to_begin(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection
) -> None:
    await fill(connection, show, 2 * PAGE)
    await followed(engine, connection)
    whole = await everything(engine)
    await clock.advance(90 * DAY)
    await tidied(engine)
    left = await everything(engine)
    for cursor in (whole[0].cursor, "0-0"):
        with pytest.raises(bespeak.CursorExpired) as refused:
            await engine.events(after=cursor)
    assert refused.value.data["cursor"] == whole[-len(left) - 1].cursor
    assert await everything(engine, str(refused.value.data["cursor"])) == left


@pytest.mark.parametrize("needed", ["follower", "message", "mail"])
async def test_what_somebody_has_still_to_read_or_to_send_stays(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection, needed: str
) -> None:
    await fill(connection, show, 3 * PAGE)
    await followed(engine, connection)
    await connection.execute(NEEDED[needed])
    await clock.advance(100 * DAY)
    await tidied(engine)
    assert await connection.fetchval("select first from bespeak.feed_page order by 1 limit 1") == 1
    await connection.execute(NOT_NEEDED[needed])
    await tidied(engine)
    assert await connection.fetchval("select first from bespeak.feed_page order by 1 limit 1") > 1


async def test_a_replay_goes_back_to_where_the_feed_begins(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection
) -> None:
    await fill(connection, show, 3 * PAGE)
    await followed(engine, connection)
    await connection.execute(
        "insert into bespeak.webhook_endpoint (endpoint_id, url, description, secret, created_at,"
        " updated_at) values ('we_1', 'https://shop.example', '', 's', now(), now())"
    )
    missed = "select missed from bespeak.replay_deliveries('we_1', '-infinity', true, true, 9999)"
    assert await connection.fetchval(missed) == 3 * PAGE + 1
    await clock.advance(91 * DAY)
    await tidied(engine)
    assert await connection.fetchval(missed) == len(await everything(engine)) <= PAGE


NEEDED = {
    "follower": "insert into bespeak.follower (name, horizon, position) values ('slow', 0, 0)",
    "message": "insert into bespeak.webhook_delivery (endpoint_id, position, resource_id, horizon,"
    " kind, due_at, created_at) select 'we_1', e.position, e.resource_id, e.horizon, e.kind, now(),"
    " now() from bespeak.event e order by e.position limit 1",
    "mail": "insert into bespeak.mail (mail_id, kind, hold_id, horizon, position, at, due_at,"
    " created_at) select gen_random_uuid(), 'refunded', gen_random_uuid(), e.horizon, e.position,"
    " now(), now(), now() from bespeak.event e order by e.position limit 1",
}
NOT_NEEDED = {
    "follower": "delete from bespeak.follower where name = 'slow'",
    "message": "delete from bespeak.webhook_delivery",
    "mail": "delete from bespeak.mail",
}


async def test_a_walk_that_is_off_holds_nothing(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection
) -> None:
    await fill(connection, show, 3 * PAGE)
    await followed(engine, connection)
    await clock.advance(100 * DAY)
    holds = Settings(keep_holds_days=200, keep_keys_days=0, keep_events_days=90, keep_mails_days=0)
    await Retention(engine.database.pool, holds).finish()
    assert await events(connection) == 3 * PAGE + 1, "holds are found by their events"
    assert await tidied(engine) > 0


async def old_part(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection
) -> None:
    """A part of which all is past its time, and newer events in the next."""
    await fill(connection, show, PAGE)
    await feed_settled(connection)
    await into_next_partition(connection)
    await fill(connection, show, 2 * PAGE)
    await followed(engine, connection)
    await clock.advance(91 * DAY)


async def everything(engine: bespeak.Engine, after: str | None = None) -> list[bespeak.Event]:
    found: list[bespeak.Event] = []
    while page := (await engine.events(after=after, limit=1000)).items:
        found += page
        after = page[-1].cursor
    return found


def lines_of(folder: Path) -> list[dict[str, object]]:
    return [
        json.loads(line)
        for file in sorted(folder.iterdir())
        for line in gzip.decompress(file.read_bytes()).decode().splitlines()
    ]
