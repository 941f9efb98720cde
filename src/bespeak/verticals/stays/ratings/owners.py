"""What is kept of owners who rated: exported with all else, and taken away with it; the figure of a
rating stays, of nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bespeak import ids
from bespeak.verticals.stays.ratings.giving import QUERIES

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection


async def export(connection: Connection, owner: str) -> Mapping[str, object]:
    """All that an owner said of stays."""
    rows = await connection.fetch(QUERIES["of_owner"], owner)
    return {
        "ratings": [
            {
                "booking_id": ids.show(ids.BOOKING, row["booking_id"]),
                "rating": row["rating"],
                "comment": row["comment"],
                "rated_at": row["rated_at"],
                "hidden": row["hidden"],
            }
            for row in rows
        ]
    }


async def erase(connection: Connection, owner: str, pseudonym: str) -> None:
    """Takes the words and the name away. Called again it finds nothing."""
    await connection.execute(QUERIES["erase"], owner, pseudonym)
