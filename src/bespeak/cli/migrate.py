"""`bespeak migrate`: brings a database to the schema of this program, or says what it lacks."""

from __future__ import annotations

import asyncio
from typing import Annotated

from cyclopts import Parameter

from bespeak.cli.options import DatabaseChoice


def migrate(
    *,
    database: DatabaseChoice | None = None,
    check: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Bring a database up to this version.

    Applies what is missing, in order, in one transaction; run again, it does nothing. The engine
    lives in the schema `bespeak`, each vertical in one of its own name. A database that a newer
    Bespeak made is refused and not touched.

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
    from bespeak.verticals.installed import migration_sources

    async with connected(url) as connection:
        done = await migrations.migrate(connection, migration_sources())
    for migration in done:
        print(f"applied {migration.title}")
    if not done:
        print("nothing to apply: the database is up to date")
    return 0


async def _check(url: str) -> int:
    from bespeak.cli.databases import connected
    from bespeak.postgres import migrate as migrations
    from bespeak.verticals.installed import migration_sources

    async with connected(url) as connection:
        lacking = await migrations.missing(connection, migration_sources())
    for migration in lacking:
        print(f"missing {migration.title}")
    if not lacking:
        print("the database is up to date")
    return 1 if lacking else 0
