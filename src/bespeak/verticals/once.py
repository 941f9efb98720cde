"""What is made once for each idempotency key, whatever becomes of the answer. A vertical keeps the
keys in a table of its own; its statements `make`, `made` and `name_made` are given to these.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from bespeak.errors import IdempotencyKeyReused
from bespeak.reservations.request import KEY_LENGTH_MAX, check_text

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

Queries = Mapping[str, str]


async def made_before(
    connection: Connection,
    queries: Queries,
    workspace: str,
    key: str | None,
    kind: str,
    said: msgspec.Struct,
) -> str | None:
    """The id of what was made by this key; None where it is for the caller to make, and to say so
    by `remember` in the same transaction. A twin in flight is waited for. Raises InvalidRequest,
    IdempotencyKeyReused."""
    if key is None:
        return None
    check_text(key, "idempotency_key", KEY_LENGTH_MAX)
    content = hashlib.sha256(msgspec.json.encode(said)).digest()
    told = (workspace, _kept(key), kind, "", content)
    if await connection.fetchval(queries["make"], *told) is not None:
        return None
    row = await connection.fetchrow(queries["made"], workspace, _kept(key))
    if row is None or (row["kind"], row["content"]) != (kind, content):
        raise IdempotencyKeyReused(fields=["body"])
    thing_id: str = row["thing_id"]
    return thing_id


async def remember(
    connection: Connection, queries: Queries, workspace: str, key: str | None, thing_id: str
) -> None:
    """Says what was made by a key."""
    if key is not None:
        await connection.execute(queries["name_made"], workspace, _kept(key), thing_id)


def _kept(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()
