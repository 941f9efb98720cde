"""`bespeak keys`: creates, lists and revokes API keys in the database itself, which is how the
first key of an installation comes to be.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Parameter

from bespeak.actors import CLI
from bespeak.cli.databases import on_migrated
from bespeak.cli.options import DatabaseChoice, Json

if TYPE_CHECKING:
    from bespeak.http.server.keys import ApiKey, KeyKind, Rights
    from bespeak.postgres.pool import Connection

Kind = Literal["pk", "sk", "ak", "rk"]
ScopeName = Literal["read", "sell", "check_in", "refund", "personal_data", "manage", "admin"]

_HELP = """Create, list and revoke API keys.

There are three kinds, and a fourth that may only what you say:

- `pk` (publishable): for browsers. It looks, and holds for a shopper whose token you made.
- `sk` (secret): for your server. It holds, books and cancels for any owner.
- `ak` (admin): for the operator. It also creates resources and keys.
- `rk` (restricted): for one task, as a scanner at a door: it may do what its `--scope` says.

For example:

    bespeak keys create sk "box office"
    bespeak keys create rk "north door" --scope check_in --resource res_kbq6mf4p
    bespeak keys list
    bespeak keys revoke key_4r9hc1zjq0n7w2ma
"""

app = App(name="keys", help=_HELP, help_format="markdown")


@app.command
def create(
    kind: Kind,
    name: str,
    /,
    *,
    scope: Annotated[list[ScopeName] | None, Parameter(negative=())] = None,
    resource: Annotated[list[str] | None, Parameter(negative=())] = None,
    place: str | None = None,
    expires: datetime | None = None,
    workspace: str | None = None,
    database: DatabaseChoice | None = None,
    as_json: Json = False,
) -> int:
    """Create a key. Its text is shown once and kept nowhere.

    For example:

        bespeak keys create sk "box office"

    Parameters
    ----------
    kind
        pk for browsers, sk for your server, ak for the operator, rk with the scopes that you name.
    name
        What the key is for; it stands in the list.
    scope
        What an rk key may: read, sell, check_in, refund, personal_data, manage, admin. Repeat it.
    resource
        An rk key works for this resource only. Repeat it for more.
    place
        An rk key works for the resources of this place only: a vertical, a slash and an id.
    expires
        When the key ends, as 2026-12-31 or 2026-12-31T22:00:00; UTC.
    workspace
        The key works in this workspace only; without it, in `default`.
    as_json
        Print one JSON object.
    """
    from bespeak.cli.output import print_json, say
    from bespeak.http.server.keys import PREFIXES, Rights
    from bespeak.http.server.scopes import KeyScope

    rights = Rights(
        scopes=[KeyScope(one) for one in scope or ()],
        resources=resource,
        place=place,
        expires_at=None if expires is None else expires.replace(tzinfo=expires.tzinfo or UTC),
    )
    known = next(one for one, prefix in PREFIXES.items() if prefix == kind)
    text, key = on_migrated(
        database, lambda connection: _made(connection, known, name, rights, workspace)
    )
    if as_json:
        print_json({"id": key.id, "kind": key.kind, "name": key.name, "key": text})
    else:
        print(text)
        say(f"{key.id} is made. This is the only time that its text is shown.")
    return 0


async def _made(
    connection: Connection, kind: KeyKind, name: str, rights: Rights, workspace: str | None
) -> tuple[str, ApiKey]:
    from bespeak.http.server.audit_log import add_entry
    from bespeak.http.server.bindings import check_place
    from bespeak.http.server.keys import create_key
    from bespeak.inventory import workspaces

    within = await workspaces.checked(connection, workspace)
    if rights.place is not None:
        await check_place(connection, rights.place, within)
    async with connection.transaction():
        text, key = await create_key(connection, kind, name, rights, within)
        await add_entry(connection, CLI, "key_made", subject=key.id)
    return text, key


async def _revoked(connection: Connection, key_id: str) -> ApiKey:
    from bespeak.http.server.audit_log import add_entry
    from bespeak.http.server.keys import revoke_key

    async with connection.transaction():
        key = await revoke_key(connection, key_id)
        await add_entry(connection, CLI, "revoke_key", subject=key.id)
    return key


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

    keys = on_migrated(database, list_keys)
    if as_json:
        print_json(keys)
        return 0
    table = Table("id", "kind", "name", "ends with", "may", "created", "expires", "revoked")
    table.columns[0].no_wrap = True  # it is there to be copied
    for key in keys:
        revoked = f"{key.revoked_at:%Y-%m-%d %H:%M}" if key.revoked_at else ""
        created = f"{key.created_at:%Y-%m-%d %H:%M}"
        expires = f"{key.expires_at:%Y-%m-%d %H:%M}" if key.expires_at else ""
        table.add_row(key.id, key.kind, key.name, key.ending, _may(key), created, expires, revoked)
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
    key = on_migrated(database, lambda connection: _revoked(connection, key_id))
    print(f"revoked {key.id} ({key.name})")
    return 0


def _may(key: ApiKey) -> str:
    """What a restricted key may, and where; the other kinds may what their kind may."""
    from bespeak.http.server.keys import KeyKind

    if key.kind is not KeyKind.RESTRICTED:
        return ""
    where = key.place or ", ".join(key.resources or ())
    return ", ".join(key.scopes) + (f" of {where}" if where else "")
