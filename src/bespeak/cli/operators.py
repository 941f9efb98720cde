"""`bespeak operators`: invites, lists, disables and enables the people at the console, in the
database itself, which is how the first of them comes to be.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Parameter

from bespeak.actors import CLI
from bespeak.cli.databases import on_migrated
from bespeak.cli.options import DatabaseChoice, Json

if TYPE_CHECKING:
    from bespeak.http.server.operators.accounts import NewOperator, Operator
    from bespeak.postgres.pool import Connection

Role = Literal["owner", "manager", "seller", "door", "viewer"]

_HELP = """Invite, list, disable and reset the people who work at the console.

Each has an account with a role:

- `owner`: everything, the accounts of others too.
- `manager`: everything but accounts, keys and webhooks.
- `seller`: sells, checks in and gives back.
- `door`: checks in, and reads.
- `viewer`: reads.

For example:

    bespeak operators invite asha@example.com --name "Asha Rao" --role owner
    bespeak operators list
    bespeak operators reset asha@example.com
"""

app = App(name="operators", help=_HELP, help_format="markdown")


@app.command
def invite(
    login: str,
    /,
    *,
    role: Role,
    name: str | None = None,
    resource: Annotated[list[str] | None, Parameter(negative=())] = None,
    place: str | None = None,
    workspace: str | None = None,
    url: str | None = None,
    database: DatabaseChoice | None = None,
    as_json: Json = False,
) -> int:
    """Invite somebody. Prints a link to set up how to log in; it is good once, for a day.

    For example:

        bespeak operators invite asha@example.com --role owner

    Parameters
    ----------
    login
        What they log in with: a name or an e-mail address.
    role
        owner, manager, seller, door or viewer.
    name
        How others see them; the login, if it is left out.
    resource
        They work for this resource only. Repeat it for more.
    place
        They work for the resources of this place only: a vertical, a slash and an id.
    workspace
        They are of this workspace; of `default`, if it is left out.
    url
        Where the server is reached; BESPEAK_PUBLIC_URL if it is left out.
    as_json
        Print one JSON object.
    """
    from bespeak.http.server.operators.accounts import NewOperator
    from bespeak.http.server.operators.roles import OperatorRole

    wanted = NewOperator(
        login=login, name=name or login, role=OperatorRole(role), resources=resource, place=place
    )
    operator, text, expires_at = on_migrated(
        database, lambda connection: _invited(connection, wanted, workspace)
    )
    return _show_link(operator, text, expires_at, url, as_json=as_json)


@app.command
def reset(
    login: str,
    /,
    *,
    url: str | None = None,
    database: DatabaseChoice | None = None,
    as_json: Json = False,
) -> int:
    """Give somebody a new link, whose telephone is lost or who forgot the password.

    Their sessions end now. When the link is used, the passkeys, the password and the authenticator
    app from before are gone.

    For example:

        bespeak operators reset asha@example.com

    Parameters
    ----------
    login
        What they log in with.
    url
        Where the server is reached; BESPEAK_PUBLIC_URL if it is left out.
    as_json
        Print one JSON object.
    """
    operator, text, expires_at = on_migrated(database, lambda connection: _reset(connection, login))
    return _show_link(operator, text, expires_at, url, as_json=as_json)


@app.command(name="list")
def list_all(*, database: DatabaseChoice | None = None, as_json: Json = False) -> int:
    """List all operators, by name.

    For example:

        bespeak operators list --json

    Parameters
    ----------
    as_json
        Print one JSON array.
    """
    from rich.table import Table

    from bespeak.cli.output import print_json, results
    from bespeak.http.server.operators.accounts import list_operators

    operators = on_migrated(database, list_operators)
    if as_json:
        print_json(operators)
        return 0
    table = Table("id", "login", "name", "role", "of", "state", "logs in by", "last seen")
    table.columns[0].no_wrap = True  # it is there to be copied
    for one in operators:
        seen = f"{one.last_seen_at:%Y-%m-%d %H:%M}" if one.last_seen_at else ""
        where = one.place or ", ".join(one.resources or ())
        table.add_row(one.id, one.login, one.name, one.role, where, one.state, _ways(one), seen)
    results().print(table)
    return 0


@app.command
def disable(login: str, /, *, database: DatabaseChoice | None = None) -> int:
    """Disable somebody. Servers refuse their sessions within seconds. The last owner stays.

    For example:

        bespeak operators disable bela@example.com

    Parameters
    ----------
    login
        What they log in with.
    """
    operator = on_migrated(database, lambda connection: _turned(connection, login, "disabled"))
    print(f"disabled {operator.id} ({operator.name})")
    return 0


@app.command
def enable(login: str, /, *, database: DatabaseChoice | None = None) -> int:
    """Enable somebody again, who then logs in as before.

    For example:

        bespeak operators enable bela@example.com

    Parameters
    ----------
    login
        What they log in with.
    """
    operator = on_migrated(database, lambda connection: _turned(connection, login, "active"))
    print(f"enabled {operator.id} ({operator.name})")
    return 0


async def _invited(
    connection: Connection, wanted: NewOperator, workspace: str | None
) -> tuple[Operator, str, datetime]:
    from bespeak.http.server.audit_log import add_entry
    from bespeak.http.server.bindings import check_place
    from bespeak.http.server.operators.accounts import invite as invited
    from bespeak.http.server.operators.links import make_link

    if wanted.place is not None:
        await check_place(connection, wanted.place, workspace)
    async with connection.transaction():
        operator = await invited(connection, wanted, workspace)
        text, expires_at = await make_link(connection, operator)
        await add_entry(connection, CLI, "operator_invited", subject=operator.id)
    return operator, text, expires_at


async def _reset(connection: Connection, login: str) -> tuple[Operator, str, datetime]:
    from bespeak.http.server.audit_log import add_entry
    from bespeak.http.server.operators.accounts import by_login
    from bespeak.http.server.operators.links import make_link

    async with connection.transaction():
        operator = await by_login(connection, login)
        text, expires_at = await make_link(connection, operator)
        await add_entry(connection, CLI, "make_operator_link", subject=operator.id)
    return operator, text, expires_at


async def _turned(
    connection: Connection, login: str, state: Literal["active", "disabled"]
) -> Operator:
    from bespeak.http.server.audit_log import add_entry
    from bespeak.http.server.operators.accounts import (
        OperatorChange,
        OperatorState,
        by_login,
        change,
    )

    async with connection.transaction():
        operator = await by_login(connection, login)
        wanted = OperatorChange(state=OperatorState(state))
        changed = await change(connection, operator.id, wanted)
        await add_entry(connection, CLI, "change_operator", subject=operator.id)
    return changed


def _show_link(
    operator: Operator, text: str, expires_at: datetime, url: str | None, *, as_json: bool
) -> int:
    from bespeak.cli.output import print_json, say
    from bespeak.http.server.operators.links import link_at
    from bespeak.settings import Settings

    link = link_at(url or Settings.read().public_url, text)
    if as_json:
        print_json({"id": operator.id, "login": operator.login, "link": link})
    else:
        print(link)
        say(
            f"{operator.name} sets up a login there, once, until {expires_at:%Y-%m-%d %H:%M} UTC. "
            "Send it to nobody else."
        )
    return 0


def _ways(operator: Operator) -> str:
    ways = [f"{operator.passkeys} passkeys"] if operator.passkeys else []
    if operator.has_password:
        ways.append("password and app" if operator.has_authenticator else "password")
    return ", ".join(ways)
