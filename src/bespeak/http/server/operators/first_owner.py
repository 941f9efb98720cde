"""The first owner of an installation: while nobody can log in and nobody was invited by hand, a
start of the server makes a link for one. Each start makes another, and the one before is void.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bespeak.actors import CLI
from bespeak.http.server.audit_log import add_entry
from bespeak.http.server.operators.accounts import (
    NewOperator,
    OperatorState,
    by_login,
    has_none,
    invite,
    list_operators,
)
from bespeak.http.server.operators.errors import OperatorExists
from bespeak.http.server.operators.links import make_link
from bespeak.http.server.operators.roles import OperatorRole

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

LOGIN = "owner"


async def first_link(connection: Connection) -> str | None:
    """The secret of a link by which the first owner sets up a login; None where somebody can log in
    already, or was invited otherwise."""
    if not await has_none(connection):
        return None
    known = await list_operators(connection)
    if any(one.login != LOGIN or one.state is not OperatorState.INVITED for one in known):
        return None
    wanted = NewOperator(login=LOGIN, name="Owner", role=OperatorRole.OWNER)
    async with connection.transaction():
        try:
            operator = await invite(connection, wanted)
        except OperatorExists:  # by an earlier start, or by another server at this instant
            operator = await by_login(connection, LOGIN)
        text, _ = await make_link(connection, operator)
        await add_entry(connection, CLI, "operator_invited", subject=operator.id)
    return text
