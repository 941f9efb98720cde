"""Properties as places that a key may be bound to: it works for the listings there, those of
tomorrow too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bespeak import ids
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.verticals.stays", "places.sql")


async def has_property(connection: Connection, property_id: str) -> bool:
    if not property_id.isprintable():  # PostgreSQL takes no text with a zero byte
        return False
    return bool(await connection.fetchval(_QUERIES["has_property"], property_id))


async def listings_in_property(
    connection: Connection, property_id: str, resource_ids: Sequence[str]
) -> set[str]:
    """Which of these resources are listings of this property. Raises InvalidId."""
    numbers = [ids.parse_resource(one) for one in resource_ids]
    rows = await connection.fetch(_QUERIES["listings_in_property"], property_id, numbers)
    return {ids.show_resource(row["resource_id"]) for row in rows}
