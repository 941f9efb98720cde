"""What is made once for each idempotency key, whatever becomes of the answer."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Literal

import msgspec

from bespeak.errors import IdempotencyKeyReused
from bespeak.postgres.queries import load
from bespeak.reservations.request import KEY_LENGTH_MAX, check_text

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.verticals.programme", "changes.sql")
Thing = Literal["venue", "hall", "production", "performance"]


async def made_before(
    connection: Connection, workspace: str, key: str | None, kind: Thing, said: msgspec.Struct
) -> str | None:
    """The id of what was made by this key; None where it is for the caller to make, and to say so
    by `remember` in the same transaction. A twin in flight is waited for. Raises InvalidRequest,
    IdempotencyKeyReused."""
    if key is None:
        return None
    check_text(key, "idempotency_key", KEY_LENGTH_MAX)
    content = hashlib.sha256(msgspec.json.encode(said)).digest()
    told = (workspace, _kept(key), kind, "", content)
    if await connection.fetchval(_QUERIES["make"], *told) is not None:
        return None
    row = await connection.fetchrow(_QUERIES["made"], workspace, _kept(key))
    if row is None or (row["kind"], row["content"]) != (kind, content):
        raise IdempotencyKeyReused(fields=["body"])
    thing_id: str = row["thing_id"]
    return thing_id


async def remember(connection: Connection, workspace: str, key: str | None, thing_id: str) -> None:
    """Says what was made by a key."""
    if key is not None:
        await connection.execute(_QUERIES["name_made"], workspace, _kept(key), thing_id)


def _kept(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()
