"""What waiting rooms keep of owners: the passes that they were given, and where they want a mail of
their turn to go. Whoever only waited is not known here at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.admission", "owners.sql")


async def export_of_owner(connection: Connection, owner: str) -> Mapping[str, object]:
    """The passes of an owner: where, and when; and the mails of turns that they asked for."""
    rows = await connection.fetch(_QUERIES["passes"], owner)
    mails = await connection.fetch(_QUERIES["mails"], owner)
    return {"passes": [dict(row) for row in rows], "mails": [dict(row) for row in mails]}


async def erase_owner(connection: Connection, owner: str, pseudonym: str) -> None:
    """Puts the pseudonym in the owner's place; addresses go."""
    await connection.execute(_QUERIES["erase"], owner, pseudonym)
    await connection.execute(_QUERIES["erase_mails"], owner, pseudonym)
