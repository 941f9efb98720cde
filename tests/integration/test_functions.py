"""Functions and views are those of their files, whatever an earlier program left."""

from collections.abc import Iterator

import asyncpg
import pytest

from bespeak.postgres import functions, migrate
from bespeak.postgres.errors import DatabaseNotMigrated, DatabaseTooNew
from bespeak.postgres.functions import FunctionFile, Functions, function_files
from bespeak.postgres.migrate import Migration, migrations, require_migrated
from tests.harness.database import Connection, snapshot

ALL = Functions(tuple(function_files()))
DEFINED = """
select format('function bespeak.%s', p.proname) as name, p.oid, pg_get_functiondef(p.oid) as text
from pg_proc p where p.pronamespace = 'bespeak'::regnamespace
union all
select format('view bespeak.%s', v.viewname), 0::oid, v.definition
from pg_views v where v.schemaname = 'bespeak'
order by 1, 2
"""


async def defined(connection: Connection) -> dict[str, str]:
    rows = await connection.fetch(DEFINED)
    assert len({row["name"] for row in rows}) == len(rows), "no two have one name"
    return {row["name"]: row["text"] for row in rows}


async def differs(connection: Connection, path: str) -> None:
    """As if an earlier program had applied another text of this file."""
    await connection.execute(
        "update bespeak.function_file set checksum = 'x', program = '0.0.1' where path = $1", path
    )


async def test_what_is_there_is_what_files_and_migrations_make(connection: Connection) -> None:
    of_files = [made for file in function_files().values() for made in file.makes]
    of_tables = {
        "function bespeak.now",
        "function bespeak.contact_words",
        "function bespeak.keep_audit_entry",
        "function bespeak.is_event_kind",
    }
    assert len(of_files) == len(set(of_files))
    assert set(await defined(connection)) == {*of_files, *of_tables}


async def test_what_has_changed_is_replaced_in_place(connection: Connection) -> None:
    before, text = await connection.fetch(DEFINED), "select '\\x'::bytea"
    await connection.execute(
        "create or replace function bespeak.field_print(content text) returns bytea"
        f" language sql immutable as $${text}$$"
    )
    await differs(connection, "single/fingerprints.sql")
    with pytest.raises(DatabaseNotMigrated, match=r"functions single/fingerprints\.sql") as refused:
        await require_migrated(connection)
    assert refused.value.data == {"functions": ["single/fingerprints.sql"]}
    assert await migrate.migrate(connection) == [Functions(("single/fingerprints.sql",))]
    await require_migrated(connection)
    assert await connection.fetch(DEFINED) == before, "with its number, as its callers know it"
    assert await migrate.migrate(connection) == []


@pytest.mark.parametrize(
    "former",
    [
        # Another name of an argument, another result, other arguments, and two of one name.
        "drop function bespeak.home_of; create function bespeak.home_of(id uuid) returns bigint"
        " language sql as $$select 1$$",
        "drop function bespeak.home_of; create function bespeak.home_of(hold_id uuid)"
        " returns integer language sql as $$select 1$$",
        "drop function bespeak.home_of; create function bespeak.home_of(hold_id text)"
        " returns bigint language sql as $$select 1$$",
        "create function bespeak.former() returns bigint language sql as $$select 1$$;"
        " update bespeak.function_file set makes = makes || '{function bespeak.former}'"
        " where path = 'ids/uuids.sql'",
        # A file that is gone, with what it made.
        "create function bespeak.former() returns bigint language sql as $$select 1$$;"
        " insert into bespeak.function_file"
        " values ('ids/former.sql', 'x', '{function bespeak.former}', '0.0.1')",
        # A view with a column more, whose row functions answer with.
        "create view bespeak.former as select 1 as one; insert into bespeak.function_file"
        " values ('ids/former.sql', 'x', '{view bespeak.former}', '0.0.1');"
        " create function bespeak.with_it() returns bespeak.former language sql as"
        " $$select * from bespeak.former$$; insert into bespeak.function_file"
        " values ('ids/with_it.sql', 'x', '{function bespeak.with_it}', '0.0.1')",
        "alter view bespeak.payment_account rename column provider to former",
    ],
)
async def test_what_cannot_be_replaced_is_made_anew(connection: Connection, former: str) -> None:
    before = await defined(connection)
    await connection.execute(former)
    await differs(connection, "ids/uuids.sql")
    await differs(connection, "payments/account.sql")
    await migrate.migrate(connection)
    assert await defined(connection) == before
    await require_migrated(connection)


async def test_functions_of_a_newer_program_are_left_alone(connection: Connection) -> None:
    await connection.execute("update bespeak.function_file set program = '99.0.0'")
    await require_migrated(connection)  # the same text serves both
    await connection.execute(
        "update bespeak.function_file set checksum = 'x' where path = 'holds/place.sql'"
    )
    before = await snapshot(connection)
    for refused in (migrate.migrate(connection), require_migrated(connection)):
        with pytest.raises(DatabaseTooNew, match=r"holds/place\.sql"):
            await refused
    assert await snapshot(connection) == before


async def test_a_migration_runs_where_there_are_no_functions(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await defined(connection)
    # A view stands on this column, and would not let it be altered.
    text = "alter table bespeak.sandbox_payment alter column reference type varchar"
    more = [*migrations(), Migration(migrations()[-1].number + 1, "more", text)]
    monkeypatch.setattr(migrate, "migrations", lambda: more)
    assert await migrate.migrate(connection) == [more[-1], ALL]
    assert (await defined(connection)).keys() == before.keys()


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One function more, which asks for a column that there is not."""
    text = (
        "create or replace function bespeak.broken() returns text language sql"
        " as $$select nonsense from bespeak.hold$$;"
    )
    files = {**function_files(), "ids/broken.sql": FunctionFile("ids/broken.sql", text)}
    monkeypatch.setattr(functions, "function_files", lambda: files)
    yield


@pytest.mark.usefixtures("broken")
async def test_a_function_that_cannot_work_is_refused_with_all_of_the_run(
    connection: Connection,
) -> None:
    before = await snapshot(connection)
    with pytest.raises(asyncpg.UndefinedColumnError, match="nonsense"):
        await migrate.migrate(connection)
    assert await snapshot(connection) == before
    assert "function bespeak.broken" not in await defined(connection)
