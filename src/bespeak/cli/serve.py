"""`bespeak serve`: the server, on a database of one's own or on the embedded one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from bespeak.cli.options import DatabaseChoice, Json

if TYPE_CHECKING:
    from bespeak.cli.supervision.supervisor import Ready
    from bespeak.settings import Settings

Port = Annotated[int, Parameter(validator=Number(gte=0, lte=65535))]
Workers = Annotated[int, Parameter(validator=Number(gte=1, lte=64))]


def serve(
    *,
    database: DatabaseChoice | None = None,
    host: str = "127.0.0.1",
    port: Port = 8000,
    workers: Workers = 2,
    as_json: Json = False,
) -> int:
    """Run the server.

    Runs the API workers and exactly one background worker, and replaces what dies of them. With a
    database URL it uses your PostgreSQL, which `bespeak migrate` must have
    prepared. Without one it runs a PostgreSQL of its own in the data folder, keeps it running and
    migrates it by itself. While nobody can log in at the console, it prints a link for the first
    owner. SIGTERM or Ctrl-C stops everything that it started.

    For example:

        bespeak serve                                  # embedded PostgreSQL, port 8000

        BESPEAK_DATABASE_URL=postgresql://bespeak@db.example/bespeak \\
            bespeak serve --port 8000 --workers 4

        bespeak keys create sk "box office"            # a key to use it with

    Parameters
    ----------
    host
        The address to listen at; 0.0.0.0 for all of this machine, behind a proxy only.
    port
        The port to listen at; 0 for one that is free.
    workers
        How many API processes; about one for each core.
    as_json
        For scripts: makes three keys named "serve", and prints one JSON line on standard output
        once the server answers: url, database_url, keys (pk, sk, ak), resources (the first 1,000).
    """
    from bespeak.cli.output import OwnOutput, say
    from bespeak.cli.readiness import ready_line
    from bespeak.cli.supervision.supervisor import ServeOptions, reachable
    from bespeak.cli.supervision.supervisor import serve as run
    from bespeak.http.server.operators.links import link_at
    from bespeak.settings import Settings

    chosen = database or DatabaseChoice()
    output = OwnOutput()
    embedded = chosen.database_url is None
    settings = Settings.read()
    job = ServeOptions(host, port, workers, chosen.database_url, chosen.folder(), settings)

    async def prepare(url: str) -> Ready:
        return await _prepare(url, settings, embedded=embedded, with_keys=as_json)

    def announce(ready: Ready) -> None:
        say(f"serves at {ready.url} (API description at {ready.url}/docs); Ctrl-C stops it")
        if ready.first_link is not None:
            link = link_at(reachable(settings, ready.url).public_url, ready.first_link)
            say(f"nobody can log in at the console yet. The first owner does it here: {link}")
            say("it is good once, for a day; each start makes another. Send it to nobody else")
        elif ready.has_no_login:
            say("nobody can log in at the console yet: bespeak operators invite NAME --role owner")
        if as_json:
            output.write(ready_line(ready))

    return run(job, prepare, announce)


async def _prepare(url: str, settings: Settings, *, embedded: bool, with_keys: bool) -> Ready:
    """Sees to it that the schema is there, and that a script has keys to begin with."""
    from bespeak.cli.databases import connected
    from bespeak.cli.readiness import fresh_keys
    from bespeak.cli.supervision.supervisor import Ready
    from bespeak.demo import demo_sources
    from bespeak.http.server.operators.accounts import has_none
    from bespeak.http.server.operators.first_owner import first_link
    from bespeak.inventory.resources import list_page
    from bespeak.postgres.migrate import migrate, require_migrated
    from bespeak.verticals.installed import migration_sources

    async with connected(url) as connection:
        bring = migrate if embedded else require_migrated
        await bring(connection, [*migration_sources(), *demo_sources(settings)])
        if not with_keys:
            link = await first_link(connection)
            return Ready(has_no_login=await has_none(connection), first_link=link)
        keys = await fresh_keys(connection, "serve")
        page = await list_page(connection, limit=1000)
    return Ready(keys={kind: key.text for kind, key in keys.items()}, resources=page.items)
