"""API keys: created, listed and revoked by the operator."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bespeak.http.server import keys, tags
from bespeak.http.server.answers import WholeList
from bespeak.http.server.audit_log import NOBODY, add_entry
from bespeak.http.server.bindings import check_place
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OPERATORS, endpoint_table
from bespeak.http.server.errors import KeyNotFound
from bespeak.http.server.keys import BOUND_MAX, ApiKey, Rights
from bespeak.http.server.scopes import ADMIN, KeyScope
from bespeak.http.server.workspaces import Reach
from bespeak.lines import ResourceId

ENDPOINTS, endpoint = endpoint_table(tags.KEYS)


class NewKey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for a key of a kind, with a name to know it by, and a time when it ends. A `restricted`
    one has `scopes`, and may be bound: to `resources`, or to a `place` of a vertical."""

    kind: Literal["publishable", "secret", "admin", "restricted"]
    name: Annotated[str, Meta(min_length=1, max_length=100)]
    scopes: Annotated[list[KeyScope], Meta(max_length=len(KeyScope))] = []
    resources: Annotated[list[ResourceId], Meta(min_length=1, max_length=BOUND_MAX)] | None = None
    place: Annotated[str, Meta(min_length=1, max_length=100)] | None = None
    expires_at: Annotated[datetime, Meta(tz=True)] | None = None


class MadeKey(msgspec.Struct, frozen=True):
    """A new key. Its text is shown this once."""

    key: str
    details: ApiKey


class KeyList(WholeList[ApiKey], frozen=True):
    """The keys of the caller's workspace, newest first."""


@endpoint(
    "POST",
    "/v1/keys",
    "Create a key",
    status=201,
    kinds=OPERATORS,
    scopes=ADMIN,
    reach=Reach.WORKSPACE,
    audited=True,
    needs_proof=True,
)
async def create_key(call: Call[None, NewKey]) -> MadeKey:
    """Makes an API key; its text is in this answer and nowhere else."""
    body = call.body
    rights = Rights(
        scopes=body.scopes,
        resources=body.resources,
        place=body.place,
        expires_at=body.expires_at,
    )
    async with call.engine.database.borrow() as connection, connection.transaction():
        if rights.place is not None:
            await check_place(connection, rights.place, call.workspace)
        text, details = await keys.create_key(
            connection, body.kind, body.name, rights, call.workspace
        )
        actor = call.caller.key_id or NOBODY
        await add_entry(connection, actor, "key_made", subject=details.id)
    return MadeKey(text, details)


@endpoint(
    "GET",
    "/v1/keys",
    "List keys",
    kinds=OPERATORS,
    scopes=ADMIN,
    reach=Reach.WORKSPACE,
)
async def list_keys(call: Call[None, None]) -> KeyList:
    """Lists the API keys."""
    async with call.engine.database.borrow() as connection:
        return KeyList(await keys.list_keys(connection, call.workspace))


@endpoint(
    "DELETE",
    "/v1/keys/{key_id}",
    "Revoke a key",
    kinds=OPERATORS,
    errors=(KeyNotFound,),
    scopes=ADMIN,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def revoke_key(call: Call[None, None]) -> ApiKey:
    """Revokes an API key; within seconds it is refused everywhere."""
    async with call.engine.database.borrow() as connection:
        return await keys.revoke_key(connection, call.path["key_id"], call.workspace)
