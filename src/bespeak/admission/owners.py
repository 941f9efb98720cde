"""What waiting rooms keep of owners: the passes that they were given. Whoever only waited is not
known here at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.admission", "owners.sql")


async def export_passes(connection: Connection, owner: str) -> Mapping[str, object]:
    """The passes of an owner: where, and when."""
    rows = await connection.fetch(_QUERIES["passes"], owner)
    return {"passes": [dict(row) for row in rows]}


async def erase_passes(connection: Connection, owner: str, pseudonym: str) -> None:
    """Puts the pseudonym in the owner's place."""
    await connection.execute(_QUERIES["erase"], owner, pseudonym)
