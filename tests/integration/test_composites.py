"""The composite types that Python sends have the fields of their SQL types, in their order."""

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import bespeak
from bespeak.postgres.composites import COMPOSITES
from tests.harness.database import Connection

SOURCE = Path(bespeak.__file__).parent
for module in pkgutil.walk_packages(bespeak.__path__, "bespeak."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)

FIELDS = """
    select a.attname, t.typname
    from pg_catalog.pg_type c
    join pg_catalog.pg_attribute a on a.attrelid = c.typrelid
    join pg_catalog.pg_type t on t.oid = a.atttypid
    where c.typnamespace = 'bespeak'::regnamespace and c.typname = $1
    order by a.attnum
"""
# What the statements of the package take, alone or many of, and what is within one of those.
SENT = {
    name
    for file in SOURCE.rglob("*.sql")
    if not {"migrations", "sql"} & set(file.relative_to(SOURCE).parts) and file.name != "schema.sql"
    for name in re.findall(r"::bespeak\.(\w+)", file.read_text())
} | {"seat_guard"}


def test_each_type_that_a_statement_takes_has_a_row_in_python() -> None:
    assert set(COMPOSITES) == SENT


@pytest.mark.parametrize("name", sorted(SENT))
async def test_the_fields_are_those_of_sql(connection: Connection, name: str) -> None:
    rows = await connection.fetch(FIELDS, name)
    assert rows, f"SQL has no type {name}"
    assert getattr(COMPOSITES[name], "_fields", None) == tuple(row["attname"] for row in rows)


async def test_no_composite_within_another_is_left_out(connection: Connection) -> None:
    inner = {row["typname"] for name in SENT for row in await connection.fetch(FIELDS, name)}
    ours = await connection.fetch(
        "select typname, typarray::regtype::text as many from pg_catalog.pg_type"
        " where typnamespace = 'bespeak'::regnamespace and typtype = 'c'"
    )
    arrays = {"_" + row["typname"]: row["typname"] for row in ours}
    assert {arrays[name] for name in inner if name in arrays} <= SENT
    assert not inner & set(arrays.values())
