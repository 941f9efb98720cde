"""The feed beyond the life of its server: promoted, restored, loaded from a dump, copied. Whoever
has read what the new server has goes on; whoever has read more is told so."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

import bespeak
from bespeak import EventPage, LiveSnapshot, LiveStale
from bespeak.feed import reader
from bespeak.feed.errors import CursorOfAnotherLife
from bespeak.postgres.migrate import _apply, migrate, migrations
from bespeak.postgres.queries import load
from bespeak.verticals.installed import migration_sources
from tests.harness import lives
from tests.harness.database import Connection, feed_settled, named, session
from tests.harness.shows import new_show, seats, take

HAPPENS = """
    insert into bespeak.event (resource_id, horizon, kind, at)
    select $1, bespeak.horizon(), 'changed', bespeak.now() from generate_series(1, $2)
"""
# As it was written before there were epochs.
HAPPENED = """
    insert into bespeak.event (resource_id, horizon, kind, at)
    select 7, (pg_current_xact_id()::text::bigint + $1::bigint)::text::xid8, 'changed', now()
    from generate_series(1, 3)
"""
TRANSACTIONS_PASS = """
    do $$ begin for n in 1..5000 loop perform pg_current_xact_id(); commit; end loop; end $$
"""
WAITING_MESSAGES = "select array_agg(position order by position) from bespeak.webhook_delivery"


async def happen(connection: Connection, count: int = 1, resource: int = 7) -> None:
    """Lets so much happen, in one transaction."""
    await connection.execute(HAPPENS, resource, count)


async def end_of(connection: Connection) -> str:
    """The cursor of the feed's end, once all is numbered."""
    await feed_settled(connection)
    return (await reader.read(connection, None, 1000)).next


async def refused(connection: Connection, cursor: str) -> object:
    """The cursor that a refusal names."""
    with pytest.raises(CursorOfAnotherLife) as caught:
        await reader.read(connection, cursor)
    return caught.value.data["cursor"]


def positions(page: EventPage) -> list[int]:
    return [event.position for event in page.items]


@pytest.fixture
def first(tmp_path: Path) -> Iterator[Path]:
    """The folder of a server that is there first. It is not started yet."""
    folder = tmp_path / "first"
    folder.mkdir()
    yield folder


async def begin(folder: Path) -> str:
    """Fills a server: three events with a position, and one that is settled and has none. Answers
    the cursor of the third."""
    with lives.running(folder) as url:
        async with session(url) as connection:
            await migrate(connection, migration_sources())
            await happen(connection, 3)
            cursor = await end_of(connection)
            await happen(connection)
    return cursor


async def test_a_promoted_server_goes_on_and_refuses_what_was_lost(
    first: Path, tmp_path: Path
) -> None:
    third = await begin(first)
    second = lives.copy(first, tmp_path / "second", "recovery")
    with lives.running(first) as old_url, lives.running(second) as new_url:
        async with session(old_url) as old, session(new_url) as new:
            await happen(old, 2)
            lost = await end_of(old)
            assert lost.endswith("-6")
            # Nobody has written here yet: what was numbered before is the same.
            assert await refused(new, lost) == third
            assert positions(await reader.read(new, third)) == []
            await happen(new)
            sixth = await end_of(new)
            page = await reader.read(new, third)
            assert positions(page) == [4, 5]
            # The fourth was there before, but had no position: another may have it in the old life.
            fourth = lost[:-1] + "4"
            for cursor in (fourth, lost):
                assert await refused(new, cursor) == f"{page.epoch:x}-3"
            assert positions(await reader.read(new, f"{page.epoch:x}-3")) == [4, 5]
            assert await refused(old, sixth) is None, "the old one knows nothing of the new one"


async def test_message_ids_of_a_lost_life_do_not_come_again(first: Path, tmp_path: Path) -> None:
    """A receiver that has seen the id of a message passes over whatever comes with it later."""
    await begin(first)
    second = lives.copy(first, tmp_path / "second", "recovery")
    given = "select array_agg(position) from bespeak.event"
    with lives.running(first) as old_url, lives.running(second) as new_url:
        async with session(old_url) as old, session(new_url) as new:
            common = set(await new.fetchval(given))
            for connection in (old, new):
                await happen(connection, 100)
            there, here = set(await old.fetchval(given)), set(await new.fetchval(given))
    assert there & here == common


async def test_two_servers_that_were_promoted_of_one_refuse_each_other(
    first: Path, tmp_path: Path
) -> None:
    await begin(first)
    folders = [lives.copy(first, tmp_path / name, "recovery") for name in ("left", "right")]
    with lives.running(folders[0]) as left_url, lives.running(folders[1]) as right_url:
        async with session(left_url) as left, session(right_url) as right:
            for connection in (left, right):
                await happen(connection, 2)
            cursor = await end_of(left)
            await end_of(right)
            assert await refused(right, cursor) is None
            assert positions(await reader.read(left, cursor)) == []


def of_any_server(url: str) -> str:
    """A URL that leads to a standby too."""
    return f"{url}{'&' if '?' in url else '?'}target_session_attrs=any"


async def test_a_standby_shows_what_it_has_and_waits_for_more(first: Path, tmp_path: Path) -> None:
    third = await begin(first)
    second = lives.copy(first, tmp_path / "second", "standby")
    with lives.running(second) as url:
        async with session(of_any_server(url)) as standby:
            page = await reader.read(standby)
            assert (positions(page), page.next) == ([1, 2, 3], third)
            epoch, later = page.epoch, page.epoch + (1 << 32)
            for ahead in (f"{epoch:x}-9", f"{later:x}-9"):
                assert (await reader.read(standby, ahead)).next == ahead
                assert (await reader.read(standby, ahead)).items == []
            assert await refused(standby, "3e8-2a") is None
            lives.promote(second)
            await happen(standby)
            await feed_settled(standby)
            assert positions(await reader.read(standby, third)) == [4, 5]
            assert await refused(standby, f"{epoch:x}-9") is not None


async def test_a_viewer_of_a_promoted_standby_is_told_to_read_anew(
    first: Path, tmp_path: Path
) -> None:
    with lives.running(first) as url:
        async with session(url) as connection:
            await migrate(connection, migration_sources())
        async with bespeak.connect(url, sweep=False) as engine:
            show = await engine.create_resource(new_show())
    second = lives.copy(first, tmp_path / "second", "standby")
    with lives.running(second) as url:
        there = of_any_server(url)
        async with bespeak.connect(there, sweep=False) as engine, asyncio.timeout(20):
            news = engine.watch(show.id)
            began = await anext(news)
            assert isinstance(began, LiveSnapshot)
            lives.promote(second)
            await take(engine, seats(show, "A1"))
            assert isinstance(await anext(news), LiveStale)
            snapshot = await anext(news)
            assert isinstance(snapshot, LiveSnapshot)
            assert snapshot.taken == {"A1": "held"}
            again = engine.watch(show.id, after=began.cursor)
            assert isinstance(await anext(again), LiveStale), "it may have seen what never was"


class TestDumpAndRestore:
    """Into a server whose transaction numbers are far behind those of the events."""

    async def test_events_go_on_behind_the_old_ones(self, first: Path, tmp_path: Path) -> None:
        with lives.running(first) as old_url, lives.running(tmp_path / "second") as new_url:
            async with session(old_url) as old, session(new_url) as new:
                third = await self.moved(old, new, old_url, new_url)
                await happen(old)
                lost = await end_of(old)
                await happen(new, 2)
                await feed_settled(new)
                page = await reader.read(new, third)
                assert positions(page) == [4, 5, 6]
                assert await refused(new, lost) == f"{page.epoch:x}-3"
                newest = await new.fetchval("select max(horizon) from bespeak.event")
                assert newest > await new.fetchval("select pg_current_xact_id()::text::bigint")

    async def test_control_without_its_base_a_new_event_is_never_numbered(
        self, first: Path, tmp_path: Path
    ) -> None:
        with lives.running(first) as old_url, lives.running(tmp_path / "second") as new_url:
            async with session(old_url) as old, session(new_url) as new:
                third = await self.moved(old, new, old_url, new_url)
                await new.execute("select bespeak.present_epoch()")
                await new.execute("update bespeak.feed_epoch set base = 0")
                await happen(new, 2)
                await feed_settled(new)
                assert positions(await reader.read(new, third)) == []

    async def test_durable_followers_go_on_and_tell_nothing_twice(
        self, first: Path, tmp_path: Path
    ) -> None:
        with lives.running(first) as old_url, lives.running(tmp_path / "second") as new_url:
            async with session(old_url) as old, session(new_url) as new:
                await migrate(old, migration_sources())
                await old.execute(
                    "insert into bespeak.webhook_endpoint (endpoint_id, url, description, secret,"
                    " created_at, updated_at) values ('whe_1', 'https://x', '', 's', now(), now())"
                )
                await self.moved(old, new, old_url, new_url)
                await happen(new, 2)
                await feed_settled(new)
                counted = [
                    await new.fetchval("select events from bespeak.announce_events($1, 1000)", name)
                    for name in ("notifications", "notifications")
                ]
                assert counted == [3, 0], "the one that waited, and the two that came"
                told = await new.fetchval(WAITING_MESSAGES)
                assert told == await new.fetchval(
                    "select array_agg(position order by position) from bespeak.event"
                )

    async def moved(self, old: Connection, new: Connection, old_url: str, new_url: str) -> str:
        """Three events with a position, and told; one without; and all of it loaded elsewhere.
        Answers the cursor of the third."""
        await migrate(old, migration_sources())
        await old.execute(TRANSACTIONS_PASS)
        await happen(old, 3)
        third = await end_of(old)
        await old.execute("select bespeak.announce_events('notifications', 1000)")
        await happen(old)
        lives.dump_into(old_url, new_url)
        return third


async def test_a_dump_that_is_loaded_where_it_was_made_is_another_life(first: Path) -> None:
    third = await begin(first)
    with lives.running(first) as url:
        dumped = lives.dump(url)
        async with session(url) as connection:
            await happen(connection, 2)
            lost = await end_of(connection)
            await connection.execute("drop schema bespeak cascade")
        lives.load(dumped, url)
        async with session(url) as after:
            await happen(after, 5)
            await feed_settled(after)
            page = await reader.read(after, third)
            assert positions(page) == [4, 5, 6, 7, 8, 9]
            assert await refused(after, lost) == f"{page.epoch:x}-3"


async def test_a_copy_of_a_database_is_another_life(
    server: str, database_url: str, connection: Connection
) -> None:
    await happen(connection, 3)
    third = await end_of(connection)
    source = await connection.fetchval("select current_database()")
    await connection.close()
    async with session(server) as admin:
        await admin.execute(f'create database "{source}_copy" template "{source}"')
        try:
            async with session(named(server, f"{source}_copy")) as copied:
                await happen(copied, 2)
                theirs = await end_of(copied)
            async with session(database_url) as ours:
                await happen(ours, 2)
                await feed_settled(ours)
                assert positions(await reader.read(ours, third)) == [4, 5]
                assert await refused(ours, theirs) is None
        finally:
            await admin.execute(f'drop database "{source}_copy" with (force)')


async def test_an_operator_begins_a_life_by_hand(connection: Connection) -> None:
    """After a snapshot of a disk was put back: nothing in the database can know."""
    await happen(connection, 3)
    third = await end_of(connection)
    await connection.execute("select bespeak.open_epoch()")
    await happen(connection, 2)
    await feed_settled(connection)
    page = await reader.read(connection, third)
    assert positions(page) == [4, 5]
    assert await refused(connection, third[:-1] + "4") == f"{page.epoch:x}-3"


async def test_a_life_that_is_opened_while_others_write_loses_nothing(
    connection: Connection, database_url: str
) -> None:
    """A slow transaction has its place already. The base must not move over it."""
    await happen(connection)
    async with session(database_url) as slow:
        transaction = slow.transaction()
        await transaction.start()
        await happen(slow)
        await happen(connection)
        await connection.execute("select bespeak.open_epoch()")
        await happen(connection)
        await connection.execute("select bespeak.number_events()")
        await transaction.commit()
    await feed_settled(connection)
    assert positions(await reader.read(connection)) == [1, 2, 3, 4]


@pytest.mark.parametrize("ahead", [0, 10**12])
async def test_the_events_of_the_release_before_are_numbered_from_the_first_on(
    empty_database_url: str, ahead: int
) -> None:
    """Also where they were loaded from a dump, and wait for transactions that are years away."""
    async with session(empty_database_url) as connection:
        await connection.execute(load("bespeak.postgres", "migrate.sql")["prepare"])
        for migration in migrations()[:9]:
            await _apply(connection, migration)
        await connection.execute(HAPPENED, ahead)
        await migrate(connection, migration_sources())
        await happen(connection, 2)
        await feed_settled(connection)
        assert positions(await reader.read(connection)) == [1, 2, 3, 4, 5]
        (opened,) = await connection.fetch("select base > 0 as moved from bespeak.feed_epoch")
        assert opened["moved"] == (ahead > 0)
