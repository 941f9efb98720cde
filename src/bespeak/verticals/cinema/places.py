"""Cinemas as places that a key may be bound to: it works for the shows of its cinema, those of
tomorrow too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bespeak import ids
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.verticals.cinema", "places.sql")


async def has_cinema(connection: Connection, cinema_id: str) -> bool:
    if not cinema_id.isprintable():  # PostgreSQL takes no text with a zero byte
        return False
    return bool(await connection.fetchval(_QUERIES["has_cinema"], cinema_id))


async def shows_in_cinema(
    connection: Connection, cinema_id: str, resource_ids: Sequence[str]
) -> set[str]:
    """Which of these resources are shows in this cinema. Raises InvalidId."""
    numbers = [ids.parse_resource(one) for one in resource_ids]
    rows = await connection.fetch(_QUERIES["shows_in_cinema"], cinema_id, numbers)
    return {ids.show_resource(row["resource_id"]) for row in rows}
