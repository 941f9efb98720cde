"""Migrations of a vertical: after ours, recorded apart, and judged as ours are."""

import asyncio
from pathlib import Path

import pytest

import bespeak
from bespeak.assembly import connect
from bespeak.demo import demo_sources
from bespeak.postgres.errors import DatabaseNotMigrated, DatabaseTooNew
from bespeak.postgres.migrate import Source, applied, migrate, migrations, require_migrated
from bespeak.settings import Settings
from bespeak.verticals.installed import migration_sources
from tests.harness.database import session


@pytest.fixture
def gym(tmp_path: Path) -> Source:
    (tmp_path / "0001_walls.sql").write_text("create schema gym; create table gym.wall (id int);")
    (tmp_path / "0002_holds.sql").write_text("create table gym.grip (id int);")
    (tmp_path / "notes.txt").write_text("no migration")
    return Source("gym", tmp_path)


async def test_they_follow_ours_in_one_run_and_once(empty_database_url: str, gym: Source) -> None:
    async with session(empty_database_url) as connection:
        done = await migrate(connection, [gym])
        assert [one.title for one in done][-2:] == ["gym 0001 walls", "gym 0002 holds"]
        assert len(done) == len(migrations()) + 1 + 2
        assert await migrate(connection, [gym]) == []
        await require_migrated(connection, [gym])
        there = await applied(connection)
        assert set(there["gym"]) == {1, 2}
        assert set(there[None]) == {one.number for one in migrations()}
        await require_migrated(connection)  # who does not have the vertical does not mind


async def test_a_database_without_them_is_refused_by_the_engine(
    database_url: str, gym: Source
) -> None:
    async with session(database_url) as connection:
        with pytest.raises(DatabaseNotMigrated) as refused:
            await require_migrated(connection, [gym])
    assert refused.value.data == {"missing": [1, 2], "vertical": "gym"}
    with pytest.raises(DatabaseNotMigrated, match="of gym"):
        async with connect(database_url, sources=[gym]):
            pytest.fail("it opened")


async def test_a_newer_or_an_edited_one_is_refused_and_untouched(
    database_url: str, gym: Source, tmp_path: Path
) -> None:
    async with session(database_url) as connection:
        await migrate(connection, [gym])
        (tmp_path / "0002_holds.sql").unlink()
        for refused in (migrate(connection, [gym]), require_migrated(connection, [gym])):
            with pytest.raises(DatabaseTooNew, match="migration 2 of gym"):
                await refused
        (tmp_path / "0002_holds.sql").write_text("create table gym.other (id int);")
        (tmp_path / "0003_more.sql").write_text("create table gym.more (id int);")
        with pytest.raises(DatabaseTooNew, match="migration 2 of gym"):
            await migrate(connection, [gym])
        assert await connection.fetchval("select to_regclass('gym.more')") is None


async def test_one_that_fails_takes_all_of_the_run_with_it(
    empty_database_url: str, gym: Source, tmp_path: Path
) -> None:
    (tmp_path / "0003_wrong.sql").write_text("create table gym.wrong (id nonsense);")
    async with session(empty_database_url) as connection:
        with pytest.raises(Exception, match="nonsense"):
            await migrate(connection, [gym])
        assert await connection.fetchval("select to_regclass('bespeak.migration')") is None
        assert await connection.fetchval("select to_regclass('gym.wall')") is None


async def test_two_programs_at_once_migrate_once(empty_database_url: str, gym: Source) -> None:
    async with session(empty_database_url) as one, session(empty_database_url) as two:
        done = await asyncio.gather(migrate(one, [gym]), migrate(two, [gym]))
    assert sorted(len(part) for part in done) == [0, len(migrations()) + 1 + 2]


async def test_the_public_connect_wants_every_vertical_that_is_installed(
    empty_database_url: str,
) -> None:
    names = ["appointments", "cinema", "programme", "stays"]
    assert [one.vertical for one in migration_sources()] == names
    async with session(empty_database_url) as connection:
        await migrate(connection)  # the engine's alone
    with pytest.raises(DatabaseNotMigrated, match="of appointments"):
        async with bespeak.connect(empty_database_url):
            pytest.fail("it opened")
    async with session(empty_database_url) as connection:
        await migrate(connection, migration_sources())
    async with bespeak.connect(empty_database_url, sweep=False) as engine:
        assert (await engine.list_resources()).items == []


async def test_the_demo_has_its_tables_only_where_it_is_on(empty_database_url: str) -> None:
    async with session(empty_database_url) as connection:
        await migrate(connection, demo_sources(Settings()))
        with pytest.raises(DatabaseNotMigrated, match="of demo"):
            await require_migrated(connection, demo_sources(Settings(demo=True)))
        assert await connection.fetchval("select to_regclass('demo.rush')") is None
        await migrate(connection, demo_sources(Settings(demo=True)))
        assert await connection.fetchval("select state from demo.rush") == "idle"
