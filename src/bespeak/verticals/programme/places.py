"""Venues as places that a key may be bound to: it works for the performances there, those of
tomorrow too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bespeak import ids
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.verticals.programme", "places.sql")


async def has_venue(connection: Connection, venue_id: str) -> bool:
    if not venue_id.isprintable():  # PostgreSQL takes no text with a zero byte
        return False
    return bool(await connection.fetchval(_QUERIES["has_venue"], venue_id))


async def performances_in_venue(
    connection: Connection, venue_id: str, resource_ids: Sequence[str]
) -> set[str]:
    """Which of these resources are performances in this venue. Raises InvalidId."""
    numbers = [ids.parse_resource(one) for one in resource_ids]
    rows = await connection.fetch(_QUERIES["performances_in_venue"], venue_id, numbers)
    return {ids.show_resource(row["resource_id"]) for row in rows}
