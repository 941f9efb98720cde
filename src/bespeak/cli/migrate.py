"""`bespeak migrate`: brings a database to the schema of this program, or says what it lacks."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from bespeak.cli.options import DatabaseChoice

if TYPE_CHECKING:
    from bespeak.postgres.migrate import Migration


def migrate(
    *,
    database: DatabaseChoice | None = None,
    check: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Bring a database up to this version.

    Applies what is missing, in order, in one transaction; run again, it does nothing. Everything
    lives in the schema `bespeak`. A database that a newer Bespeak made is refused and not touched.

    For example:

        bespeak migrate --database-url postgresql://bespeak@db.example/bespeak

        bespeak migrate --check    # changes nothing; status 1 if something is missing

    Parameters
    ----------
    check
        Only say what is missing; end with status 1 if anything is.
    """
    from bespeak.cli.databases import opened

    with opened(database or DatabaseChoice()) as url:
        return asyncio.run(_check(url) if check else _apply(url))


async def _apply(url: str) -> int:
    from bespeak.cli.databases import connected
    from bespeak.postgres import migrate as migrations

    async with connected(url) as connection:
        done = await migrations.migrate(connection)
    for migration in done:
        print(f"applied {_title(migration)}")
    if not done:
        print("nothing to apply: the database is up to date")
    return 0


async def _check(url: str) -> int:
    from bespeak.cli.databases import connected
    from bespeak.errors import DatabaseNotMigrated
    from bespeak.postgres import migrate as migrations

    async with connected(url) as connection:
        try:
            await migrations.require_migrated(connection)
        except DatabaseNotMigrated:
            done = await migrations.applied(connection)
            for migration in migrations.migrations():
                if migration.number not in done:
                    print(f"missing {_title(migration)}")
            return 1
    print("the database is up to date")
    return 0


def _title(migration: Migration) -> str:
    return f"{migration.number:04} {migration.name}"
