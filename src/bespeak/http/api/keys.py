"""API keys: created, listed and revoked by the operator."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bespeak.http.server import keys, tags
from bespeak.http.server.answers import WholeList
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OPERATORS, endpoint_table
from bespeak.http.server.errors import KeyNotFound
from bespeak.http.server.keys import ApiKey

ENDPOINTS, endpoint = endpoint_table(tags.KEYS)


class NewKey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for a key of a kind, with a name to know it by."""

    kind: Literal["publishable", "secret", "admin"]
    name: Annotated[str, Meta(min_length=1, max_length=100)]


class MadeKey(msgspec.Struct, frozen=True):
    """A new key. Its text is shown this once."""

    key: str
    details: ApiKey


class KeyList(WholeList[ApiKey], frozen=True):
    """All keys, newest first."""


@endpoint("POST", "/v1/keys", "Create a key", status=201, kinds=OPERATORS)
async def create_key(call: Call[None, NewKey]) -> MadeKey:
    """Makes an API key; its text is in this answer and nowhere else."""
    async with call.engine.database.borrow() as connection:
        text, details = await keys.create_key(connection, call.body.kind, call.body.name)
    return MadeKey(text, details)


@endpoint("GET", "/v1/keys", "List keys", kinds=OPERATORS)
async def list_keys(call: Call[None, None]) -> KeyList:
    """Lists the API keys."""
    async with call.engine.database.borrow() as connection:
        return KeyList(await keys.list_keys(connection))


@endpoint("DELETE", "/v1/keys/{key_id}", "Revoke a key", kinds=OPERATORS, errors=(KeyNotFound,))
async def revoke_key(call: Call[None, None]) -> ApiKey:
    """Revokes an API key; within seconds it is refused everywhere."""
    async with call.engine.database.borrow() as connection:
        return await keys.revoke_key(connection, call.path["key_id"])
