"""The operators of an installation, for its owners: invited, listed, changed, disabled, and given
a link to set up their login anew.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bespeak.errors import InvalidId, InvalidRequest
from bespeak.http.server import tags
from bespeak.http.server.answers import WholeList
from bespeak.http.server.audit_log import NOBODY, add_entry
from bespeak.http.server.bindings import check_place
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OPERATORS, endpoint_table
from bespeak.http.server.keys import BOUND_MAX
from bespeak.http.server.operators import accounts
from bespeak.http.server.operators.accounts import (
    NAME_LENGTH_MAX,
    NewOperator,
    Operator,
    OperatorChange,
    OperatorState,
)
from bespeak.http.server.operators.errors import (
    LastOwner,
    OperatorDisabled,
    OperatorExists,
    OperatorNotFound,
)
from bespeak.http.server.operators.links import link_at, make_link
from bespeak.http.server.operators.roles import OperatorRole
from bespeak.http.server.scopes import ADMIN
from bespeak.http.server.workspaces import Reach
from bespeak.lines import ResourceId

ENDPOINTS, endpoint = endpoint_table(tags.OPERATORS)

_Text = Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH_MAX)]
_Resources = Annotated[list[ResourceId], Meta(min_length=1, max_length=BOUND_MAX)]


class InviteOperator(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Invite an operator: what they log in with, a name, a role, and, but for owners, to which
    resources or which place of a vertical they are bound."""

    login: _Text
    name: _Text
    role: OperatorRole
    resources: _Resources | None = None
    place: _Text | None = None


class ChangeOperator(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Change an operator: what is given becomes so. `resources` or `place`, also as null, replace
    both."""

    name: _Text | None = None
    role: OperatorRole | None = None
    state: Literal["active", "disabled"] | None = None
    resources: _Resources | UnsetType | None = UNSET
    place: _Text | UnsetType | None = UNSET


class InvitedOperator(msgspec.Struct, frozen=True):
    """An operator, and the link with which they set up their login. It is shown this once, is good
    for a day, and once."""

    operator: Operator
    link: str
    expires_at: datetime


class OperatorList(WholeList[Operator], frozen=True):
    """The operators of the caller's workspace, by name."""


@endpoint(
    "GET",
    "/v1/operators",
    "List operators",
    kinds=OPERATORS,
    scopes=ADMIN,
    reach=Reach.WORKSPACE,
)
async def list_operators(call: Call[None, None]) -> OperatorList:
    """Lists the people who work at the console."""
    async with call.engine.database.borrow() as connection:
        return OperatorList(await accounts.list_operators(connection, call.workspace))


@endpoint(
    "POST",
    "/v1/operators",
    "Invite an operator",
    status=201,
    kinds=OPERATORS,
    scopes=ADMIN,
    reach=Reach.WORKSPACE,
    audited=True,
    needs_proof=True,
    errors=(InvalidRequest, InvalidId, OperatorExists),
)
async def invite_operator(call: Call[None, InviteOperator]) -> InvitedOperator:
    """Makes an account, and the link with which its operator sets up how to log in."""
    body = call.body
    wanted = NewOperator(
        login=body.login,
        name=body.name,
        role=body.role,
        resources=body.resources,
        place=body.place,
    )
    async with call.engine.database.borrow() as connection, connection.transaction():
        if wanted.place is not None:
            await check_place(connection, wanted.place, call.workspace)
        operator = await accounts.invite(connection, wanted, call.workspace)
        text, expires_at = await make_link(connection, operator)
        actor = call.caller.key_id or NOBODY
        await add_entry(connection, actor, "operator_invited", subject=operator.id)
    return InvitedOperator(operator, link_at(call.engine.settings.public_url, text), expires_at)


@endpoint(
    "PATCH",
    "/v1/operators/{operator_id}",
    "Change an operator",
    kinds=OPERATORS,
    scopes=ADMIN,
    reach=Reach.WORKSPACE,
    audited=True,
    needs_proof=True,
    errors=(InvalidRequest, InvalidId, OperatorNotFound, LastOwner),
)
async def change_operator(call: Call[None, ChangeOperator]) -> Operator:
    """Changes what an operator may, or disables them: their sessions end within seconds. The last
    owner who can log in stays one."""
    body = call.body
    wanted = OperatorChange(
        name=body.name,
        role=body.role,
        state=None if body.state is None else OperatorState(body.state),
        is_rebound=body.resources is not UNSET or body.place is not UNSET,
        resources=None if isinstance(body.resources, UnsetType) else body.resources,
        place=None if isinstance(body.place, UnsetType) else body.place,
    )
    async with call.engine.database.borrow() as connection, connection.transaction():
        if wanted.place is not None:
            await check_place(connection, wanted.place, call.workspace)
        changed = await accounts.change(
            connection, call.path["operator_id"], wanted, call.workspace
        )
    call.service.operators.sessions.forget()
    return changed


@endpoint(
    "POST",
    "/v1/operators/{operator_id}/link",
    "Give an operator a link to set up their login",
    status=201,
    kinds=OPERATORS,
    scopes=ADMIN,
    reach=Reach.WORKSPACE,
    audited=True,
    needs_proof=True,
    errors=(OperatorNotFound, OperatorDisabled),
)
async def make_operator_link(call: Call[None, None]) -> InvitedOperator:
    """A new link; those before are good no more. Of who had a login all sessions end, and when the
    link is used, all that was there before is gone."""
    async with call.engine.database.borrow() as connection, connection.transaction():
        operator = await accounts.get(connection, call.path["operator_id"], call.workspace)
        text, expires_at = await make_link(connection, operator)
    call.service.operators.sessions.forget()
    return InvitedOperator(operator, link_at(call.engine.settings.public_url, text), expires_at)
