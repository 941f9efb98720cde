"""Migrations: from nothing to the schema of the repository, once; and never onto what is newer."""

import asyncio
import subprocess
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader

import pytest

import bespeak
from bespeak.errors import DatabaseUnavailable
from bespeak.postgres.errors import DatabaseNotMigrated, DatabaseTooNew
from bespeak.postgres.functions import Functions, function_files
from bespeak.postgres.migrate import migrate, migrations, require_migrated
from tests.harness.database import session
from tests.style.tree import ROOT

_loader = SourceFileLoader("schema_script", str(ROOT / "scripts/schema"))
_spec = spec_from_loader(_loader.name, _loader)
assert _spec is not None
script = module_from_spec(_spec)
_loader.exec_module(script)
VOLATILE = ("--", "SET ", "SELECT pg_catalog.set_config", "\\restrict", "\\unrestrict")


def dump(url: str) -> str:
    """All that is in the database, the rows too."""
    text = subprocess.run(
        [script.PG_DUMP, "--schema=bespeak", "--no-owner", "--no-privileges", f"--dbname={url}"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    lines = [line for line in text.splitlines() if line and not line.startswith(VOLATILE)]
    return "\n".join(lines)


def test_migrations_are_numbered_without_gaps() -> None:
    assert [one.number for one in migrations()] == list(range(1, len(migrations()) + 1))


async def test_from_nothing_they_make_the_schema_file(empty_database_url: str) -> None:
    async with session(empty_database_url) as connection:
        assert await migrate(connection) == [*migrations(), Functions(tuple(function_files()))]
    assert script.compose(script.dump(empty_database_url)) == script.SCHEMA.read_text()


async def test_a_repeat_does_nothing(database_url: str) -> None:
    before = dump(database_url)
    async with session(database_url) as connection:
        assert await migrate(connection) == []
        await require_migrated(connection)
    assert dump(database_url) == before


async def test_two_programs_at_once_migrate_once(empty_database_url: str) -> None:
    async with session(empty_database_url) as one, session(empty_database_url) as two:
        done = await asyncio.gather(migrate(one), migrate(two))
    assert sorted(len(applied) for applied in done) == [0, len(migrations()) + 1]


async def test_a_newer_database_is_refused_and_untouched(database_url: str) -> None:
    async with session(database_url) as connection:
        await connection.execute("insert into bespeak.migration values (9999, 'future', 'x')")
        before = dump(database_url)
        for refused in (migrate(connection), require_migrated(connection)):
            with pytest.raises(DatabaseTooNew, match="9999"):
                await refused
        with pytest.raises(DatabaseTooNew):
            async with bespeak.connect(database_url):
                raise AssertionError("it must not come this far")
        assert dump(database_url) == before


async def test_a_newer_database_without_our_last_migrations_gets_none(database_url: str) -> None:
    async with session(database_url) as connection:
        await connection.execute("insert into bespeak.migration values (9999, 'future', 'x')")
        await connection.execute("delete from bespeak.migration where number = 1")
        with pytest.raises(DatabaseTooNew):
            await migrate(connection)
        assert await connection.fetchval("select min(number) from bespeak.migration") == 2


async def test_a_migration_that_was_changed_afterwards_is_refused(database_url: str) -> None:
    async with session(database_url) as connection:
        await connection.execute("update bespeak.migration set checksum = 'x' where number = 3")
        for refused in (migrate(connection), require_migrated(connection)):
            with pytest.raises(DatabaseTooNew, match="migration 3 "):
                await refused


async def test_a_failing_migration_leaves_nothing(empty_database_url: str) -> None:
    async with session(empty_database_url) as connection:
        await connection.execute(
            "create schema bespeak; create type bespeak.hold_request as (a int)"
        )
        before = dump(empty_database_url)
        with pytest.raises(Exception, match="hold_request"):
            await migrate(connection)
        assert dump(empty_database_url) == before


async def test_a_database_without_migrations_is_refused_by_the_engine(
    empty_database_url: str,
) -> None:
    with pytest.raises(DatabaseNotMigrated):
        async with bespeak.connect(empty_database_url):
            raise AssertionError("it must not come this far")


async def test_no_database_is_said_at_once() -> None:
    with pytest.raises(DatabaseUnavailable):
        async with bespeak.connect("postgresql://postgres@127.0.0.1:1/postgres"):
            raise AssertionError("it must not come this far")
