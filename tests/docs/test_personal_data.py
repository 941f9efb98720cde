"""The list of where personal data stand has every column in which they could, once."""

from collections import Counter

from tests.docs.pages import DOCS, code, rows, sections
from tests.harness.database import Connection

PAGE = DOCS / "guides" / "personal-data.md"
COLUMNS = """
    select c.table_schema || '.' || c.table_name, c.column_name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where t.table_type = 'BASE TABLE'
        and not (select relispartition from pg_class where oid
            = format('%I.%I', c.table_schema, c.table_name)::regclass)  -- as its table is listed
        and c.table_schema not in ('pg_catalog', 'information_schema')
        and (c.data_type in ('text', 'character varying', 'json', 'jsonb', 'bytea')
            or c.udt_name in ('_text', '_varchar', '_json', '_jsonb', '_bytea'))
"""


def listed() -> Counter[tuple[str, str]]:
    """The columns that the page lists, in either of its tables."""
    section = dict(sections(PAGE))["Where personal data stand"]
    return Counter(
        (table, column)
        for row in rows(section)
        for table in code(row[0])
        for column in code(row[1])
    )


async def test_every_column_that_may_name_a_person_is_listed_once(connection: Connection) -> None:
    there = {tuple(row) for row in await connection.fetch(COLUMNS)}
    found = listed()
    assert set(found) == there
    assert [one for one, count in found.items() if count > 1] == []


async def test_a_new_column_is_found(connection: Connection) -> None:
    await connection.execute("alter table bespeak.booking add column note text")
    there = {tuple(row) for row in await connection.fetch(COLUMNS)}
    assert there - set(listed()) == {("bespeak.booking", "note")}
