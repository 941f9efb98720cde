"""`bespeak workspaces`: creates and lists the workspaces of an installation. Who has one business
needs none of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cyclopts import App

from bespeak.actors import CLI
from bespeak.cli.options import DatabaseChoice, Json

if TYPE_CHECKING:
    from bespeak.inventory.workspaces import Workspace
    from bespeak.postgres.pool import Connection

_HELP = """Create and list workspaces: several businesses in one installation.

Each has resources, keys and webhooks of its own, and none sees what is another's. Everything is in
the workspace `default` unless it is said otherwise. For example:

    bespeak workspaces create acme
    bespeak keys create ak "acme's operator" --workspace acme
    bespeak workspaces list
"""

app = App(name="workspaces", help=_HELP, help_format="markdown")


@app.command
def create(name: str, /, *, database: DatabaseChoice | None = None, as_json: Json = False) -> int:
    """Create a workspace.

    For example:

        bespeak workspaces create acme

    Parameters
    ----------
    name
        A letter, then up to 39 of a-z, 0-9 and -. It stays as it is.
    as_json
        Print one JSON object.
    """
    from bespeak.cli.databases import on_connection
    from bespeak.cli.output import print_json, say

    made = on_connection(database, lambda connection: _made(connection, name))
    if as_json:
        print_json(made)
    else:
        print(made.name)
        say(f"A key for it: bespeak keys create ak NAME --workspace {made.name}")
    return 0


@app.command(name="list")
def list_all(*, database: DatabaseChoice | None = None, as_json: Json = False) -> int:
    """List all workspaces, the oldest first, each with how many resources and good keys it has.

    For example:

        bespeak workspaces list --json

    Parameters
    ----------
    as_json
        Print one JSON array.
    """
    from rich.table import Table

    from bespeak.cli.databases import on_connection
    from bespeak.cli.output import print_json, results
    from bespeak.inventory import workspaces

    found = on_connection(database, workspaces.list_all)
    if as_json:
        print_json(found)
        return 0
    table = Table("workspace", "resources", "keys", "created")
    for one in found:
        created = f"{one.created_at:%Y-%m-%d %H:%M}"
        table.add_row(one.name, str(one.resources), str(one.keys), created)
    results().print(table)
    return 0


async def _made(connection: Connection, name: str) -> Workspace:
    from bespeak.http.server.audit_log import add_entry
    from bespeak.inventory import workspaces

    async with connection.transaction():
        made = await workspaces.create(connection, name)
        await add_entry(connection, CLI, "workspace_made", subject=made.name)
    return made
