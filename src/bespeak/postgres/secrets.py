"""Secrets that an installation made for itself, each under a name, kept in its database and shared
by all its processes.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.postgres", "secrets.sql")
_BYTES = 32
_SIGNING = "shopper_tokens"  # what it signed first


async def installation_secret(connection: Connection, name: str) -> bytes:
    """The secret of this name, made now if there is none yet."""
    value: bytes | None = await connection.fetchval(_QUERIES["secret"], name)
    if value is None:
        await connection.execute(_QUERIES["make_secret"], name, secrets.token_bytes(_BYTES))
        value = await connection.fetchval(_QUERIES["secret"], name)
    if value is None:
        raise LookupError(f"the secret {name} was not kept")
    return value


async def signing_secret(connection: Connection, setting: str | None) -> bytes:
    """The secret that keys are derived from: the setting, or one that the installation made for
    itself."""
    return setting.encode() if setting else await installation_secret(connection, _SIGNING)
