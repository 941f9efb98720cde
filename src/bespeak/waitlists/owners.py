"""What waitlists keep of an owner: its export, and its erasure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bespeak.postgres.queries import load
from bespeak.waitlists.entry import entry_of

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.waitlists", "entries.sql")


async def export_entries(connection: Connection, owner: str) -> Mapping[str, object]:
    """All entries of an owner, the oldest first."""
    rows = await connection.fetch(_QUERIES["of_owner"], owner)
    return {"entries": [entry_of(row) for row in rows]}


async def erase_entries(connection: Connection, owner: str, pseudonym: str) -> None:
    """Takes an owner off all lists, with address and keys. Called again, it finds nothing."""
    await connection.execute(_QUERIES["erase"], owner, pseudonym)
