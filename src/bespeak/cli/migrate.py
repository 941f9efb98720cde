"""`bespeak migrate`: brings a database to the schema of this program, or says what it lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from bespeak.cli.options import DatabaseChoice

if TYPE_CHECKING:
    from bespeak.postgres.migrate import Source
    from bespeak.verticals.errors import VerticalBroken


def migrate(
    *,
    database: DatabaseChoice | None = None,
    check: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Bring a database up to this version.

    Applies the migrations that are missing, in order, and the functions that have changed, in one
    transaction; run again, it does nothing. The engine lives in the schema `bespeak`, each vertical
    in one of its own name. A database that a newer Bespeak made is refused and not touched.

    For example:

        bespeak migrate --database-url postgresql://bespeak@db.example/bespeak

        bespeak migrate --check    # changes nothing; status 1 if something is missing

    Parameters
    ----------
    check
        Only say what is missing, and which verticals are broken; end with status 1 if anything is.
    """
    from bespeak.cli.databases import on_connection
    from bespeak.postgres import migrate as migrations

    sources, broken = _sources()
    if broken and not check:
        raise broken[0]
    work = migrations.missing if check else migrations.migrate
    steps = on_connection(database, lambda connection: work(connection, sources))
    for step in steps:
        print(f"{'missing' if check else 'applied'} {step.title}")
    for error in broken:
        print(f"broken: {error.detail}")
    if not steps and not broken:
        print(f"{'' if check else 'nothing to apply: '}the database is up to date")
    return 1 if check and (steps or broken) else 0


def _sources() -> tuple[list[Source], tuple[VerticalBroken, ...]]:
    """The migrations of all that can be used, and why the rest cannot."""
    from bespeak.demo import demo_sources
    from bespeak.settings import Settings
    from bespeak.verticals.installed import look, sources_of

    found = look()
    return [*sources_of(found.usable), *demo_sources(Settings.read())], found.broken
