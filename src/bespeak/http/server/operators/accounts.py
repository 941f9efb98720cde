"""The accounts of operators: invited, listed, changed, disabled. There is always an owner who can
log in: what would take the last one away is refused by the statement that would do it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

import asyncpg
import msgspec

from bespeak import ids
from bespeak.errors import InvalidRequest
from bespeak.http.server.keys import BOUND_MAX, ApiKey, KeyKind
from bespeak.http.server.operators.errors import LastOwner, OperatorExists, OperatorNotFound
from bespeak.http.server.operators.roles import OperatorRole, scopes_of
from bespeak.http.server.scopes import KeyScope
from bespeak.inventory import workspaces
from bespeak.inventory.workspaces import DEFAULT
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.http.server.operators", "accounts.sql")
_ID_DIGITS = 16
_ID = re.compile(r"opr_[0-9a-hjkmnp-tv-z]{16}", re.ASCII)
NAME_LENGTH_MAX = 100


class OperatorState(StrEnum):
    """`invited`: has not set up a login yet. `disabled`: may not log in."""

    INVITED = "invited"
    ACTIVE = "active"
    DISABLED = "disabled"


class Operator(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An operator as others see them: what they may and where, and how they can log in.
    `workspace` is left out where it is the default one."""

    id: str
    login: str
    name: str
    role: OperatorRole
    state: OperatorState
    scopes: list[KeyScope]
    resources: list[str] | None
    place: str | None
    passkeys: int
    has_password: bool
    has_authenticator: bool
    created_at: datetime
    disabled_at: datetime | None
    last_seen_at: datetime | None
    workspace: str = DEFAULT


class NewOperator(msgspec.Struct, frozen=True, kw_only=True):
    """Who is invited, with which role, bound to what."""

    login: str
    name: str
    role: OperatorRole
    resources: Sequence[str] | None = None
    place: str | None = None


class OperatorChange(msgspec.Struct, frozen=True, kw_only=True):
    """What of an operator becomes another; None leaves it. `is_rebound` says that the bounds are
    to be these, also where both are None: then there are none."""

    name: str | None = None
    role: OperatorRole | None = None
    state: OperatorState | None = None
    is_rebound: bool = False
    resources: Sequence[str] | None = None
    place: str | None = None


async def invite(
    connection: Connection, wanted: NewOperator, workspace: str | None = None
) -> Operator:
    """An operator of a workspace (None: the default one) who has yet to set up a login. Raises
    InvalidRequest, InvalidId, OperatorExists."""
    within = await workspaces.checked(connection, workspace)
    login = checked_login(wanted.login)
    _check_text(wanted.name, "name")
    _check_bounds(wanted.role, wanted.resources, wanted.place)
    operator_id = "opr_" + ids.random_digits(_ID_DIGITS)
    bound = None if wanted.resources is None else sorted(set(wanted.resources))
    columns = (operator_id, login, wanted.name, wanted.role.value, bound, wanted.place, within)
    if await connection.fetchval(_QUERIES["insert"], *columns) is None:
        raise OperatorExists
    return await get(connection, operator_id)


async def get(connection: Connection, operator_id: str, workspace: str | None = None) -> Operator:
    """An operator, here and below of a workspace or of any. Raises OperatorNotFound."""
    found = await _read(connection, operator_id, None, workspace)
    if not found:
        raise OperatorNotFound
    return found[0]


async def by_login(connection: Connection, login: str) -> Operator:
    """Raises OperatorNotFound."""
    found = await _read(connection, None, login.strip().lower().replace("\0", ""))
    if not found:
        raise OperatorNotFound
    return found[0]


async def list_operators(connection: Connection, workspace: str | None = None) -> list[Operator]:
    """All operators, by name."""
    return await _read(connection, None, None, workspace, everybody=True)


async def change(
    connection: Connection,
    operator_id: str,
    wanted: OperatorChange,
    workspace: str | None = None,
) -> Operator:
    """Changes an operator; who is disabled loses all sessions. In a transaction of the caller's.
    Raises OperatorNotFound, LastOwner, InvalidRequest, InvalidId."""
    before = await get(connection, operator_id, workspace)
    if wanted.name is not None:
        _check_text(wanted.name, "name")
    bound = None if wanted.resources is None else sorted(set(wanted.resources))
    _check_bounds(wanted.role or before.role, bound, wanted.place)
    columns = (operator_id, wanted.name, wanted.role, wanted.state)
    try:
        changed = await connection.fetchval(
            _QUERIES["change"], *columns, wanted.is_rebound, bound, wanted.place
        )
    except asyncpg.CheckViolationError as error:  # which knows the role and bounds that it has now
        raise InvalidRequest("an owner is bound to nothing", field="role") from error
    if changed is None:
        raise LastOwner
    if wanted.state is OperatorState.DISABLED:
        await connection.execute(_QUERIES["end_all"], operator_id)
    return await get(connection, operator_id)


async def has_none(connection: Connection) -> bool:
    """Whether nobody can log in: there is no operator, and no key for the console."""
    return bool(await connection.fetchval(_QUERIES["has_none"]))


def checked_login(text: str) -> str:
    """A login as it is kept. Raises InvalidRequest."""
    login = text.strip().lower()
    _check_text(login, "login")
    if any(character.isspace() for character in login):
        raise InvalidRequest("a login has no spaces", field="login")
    return login


def as_caller(row: Record) -> ApiKey:
    """The operator of a row as what all calls are judged by: a restricted key with the scopes of
    the role."""
    is_bound = row["resources"] is not None or row["place"] is not None
    return ApiKey(
        id=row["operator_id"],
        kind=KeyKind.RESTRICTED,
        name=row["name"],
        ending="",
        scopes=scopes_of(OperatorRole(row["role"]), is_bound=is_bound),
        resources=row["resources"],
        place=row["place"],
        created_at=row["created_at"],
        expires_at=None,
        revoked_at=None,
        workspace=workspaces.named(row["workspace"]),
    )


async def _read(
    connection: Connection,
    operator_id: str | None,
    login: str | None,
    workspace: str | None = None,
    *,
    everybody: bool = False,
) -> list[Operator]:
    if operator_id is not None and _ID.fullmatch(operator_id) is None:
        return []
    rows = await connection.fetch(_QUERIES["read"], operator_id, login, everybody, workspace)
    return [_operator_of(row) for row in rows]


def _operator_of(row: Record) -> Operator:
    is_bound = row["resources"] is not None or row["place"] is not None
    scopes = scopes_of(OperatorRole(row["role"]), is_bound=is_bound)
    within = workspaces.named(row["workspace"])
    shown = {"id": row["operator_id"], "scopes": scopes, "workspace": within}
    return msgspec.convert({**row, **shown}, Operator)


def _check_text(text: str, field: str) -> None:
    if not 1 <= len(text) <= NAME_LENGTH_MAX or not text.isprintable():
        raise InvalidRequest(f"{field} has 1 to {NAME_LENGTH_MAX} characters", field=field)


def _check_bounds(role: OperatorRole, resources: Sequence[str] | None, place: str | None) -> None:
    """Raises InvalidRequest, InvalidId."""
    if resources is None and place is None:
        return
    if resources is not None and place is not None:
        raise InvalidRequest("an operator is bound to resources or to a place", field="resources")
    if role is OperatorRole.OWNER:
        raise InvalidRequest("an owner is bound to nothing", field="role")
    if resources is not None:
        if not 1 <= len(resources) <= BOUND_MAX:
            raise InvalidRequest(f"1 to {BOUND_MAX} resources", field="resources")
        for resource_id in resources:
            ids.parse_resource(resource_id)
