"""`bespeak keys`: creates, lists and revokes API keys in the database itself, which is how the
first key of an installation comes to be.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Literal, TypeVar

from cyclopts import App

from bespeak.cli.options import DatabaseChoice, Json

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

Kind = Literal["pk", "sk", "ak"]
_Value = TypeVar("_Value")

_HELP = """Create, list and revoke API keys.

There are three kinds:

- `pk` (publishable): for browsers. It looks, and holds for a shopper whose token you made.
- `sk` (secret): for your server. It holds, books and cancels for any owner.
- `ak` (admin): for the operator. It also creates resources and keys.

For example:

    bespeak keys create sk "box office"
    bespeak keys list
    bespeak keys revoke key_4r9hc1zjq0n7w2ma
"""

app = App(name="keys", help=_HELP, help_format="markdown")


@app.command
def create(
    kind: Kind, name: str, /, *, database: DatabaseChoice | None = None, as_json: Json = False
) -> int:
    """Create a key. Its text is shown once and kept nowhere.

    For example:

        bespeak keys create sk "box office"

    Parameters
    ----------
    kind
        pk for browsers, sk for your server, ak for the operator.
    name
        What the key is for; it stands in the list.
    as_json
        Print one JSON object.
    """
    from bespeak.cli.output import print_json, say
    from bespeak.cli.readiness import KINDS
    from bespeak.http.server.keys import create_key

    text, key = _on(database, lambda connection: create_key(connection, KINDS[kind], name))
    if as_json:
        print_json({"id": key.id, "kind": key.kind, "name": key.name, "key": text})
    else:
        print(text)
        say(f"{key.id} is made. This is the only time that its text is shown.")
    return 0


@app.command(name="list")
def list_all(*, database: DatabaseChoice | None = None, as_json: Json = False) -> int:
    """List all keys, newest first; of their texts only the endings.

    For example:

        bespeak keys list --json

    Parameters
    ----------
    as_json
        Print one JSON array.
    """
    from rich.table import Table

    from bespeak.cli.output import print_json, results
    from bespeak.http.server.keys import list_keys

    keys = _on(database, list_keys)
    if as_json:
        print_json(keys)
        return 0
    table = Table("id", "kind", "name", "ends with", "created", "revoked")
    table.columns[0].no_wrap = True  # it is there to be copied
    for key in keys:
        revoked = f"{key.revoked_at:%Y-%m-%d %H:%M}" if key.revoked_at else ""
        created = f"{key.created_at:%Y-%m-%d %H:%M}"
        table.add_row(key.id, key.kind, key.name, key.ending, created, revoked)
    results().print(table)
    return 0


@app.command
def revoke(key_id: str, /, *, database: DatabaseChoice | None = None) -> int:
    """Revoke a key. Servers refuse it within seconds.

    For example:

        bespeak keys revoke key_4r9hc1zjq0n7w2ma

    Parameters
    ----------
    key_id
        The id that the list shows (not the key's text).
    """
    from bespeak.http.server.keys import revoke_key

    key = _on(database, lambda connection: revoke_key(connection, key_id))
    print(f"revoked {key.id} ({key.name})")
    return 0


def _on(database: DatabaseChoice | None, work: Callable[[Connection], Awaitable[_Value]]) -> _Value:
    """Does the work on a connection to the chosen database, if that is up to date."""
    from bespeak.cli.databases import on_connection
    from bespeak.postgres.migrate import require_migrated

    async def migrated(connection: Connection) -> _Value:
        await require_migrated(connection)
        return await work(connection)

    return on_connection(database, migrated)
