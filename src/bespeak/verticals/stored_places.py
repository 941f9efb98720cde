"""Places that a key may be bound to, as a vertical's `places.sql` finds them: a key works for what
is in its place, tomorrow's too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bespeak import ids
from bespeak.postgres.queries import load
from bespeak.verticals.vertical import Places

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection


def stored_places(package: str) -> Places:
    """The places of a vertical, whose package has a `places.sql` with two statements: `has_place`
    says whether there is a place ($1), `resources_in_place` which of some resources are in it, by
    their numbers ($2)."""
    queries = load(package, "places.sql")

    async def exists(connection: Connection, place_id: str) -> bool:
        if not place_id.isprintable():  # PostgreSQL takes no text with a zero byte
            return False
        return bool(await connection.fetchval(queries["has_place"], place_id))

    async def resources_in(
        connection: Connection, place_id: str, resource_ids: Sequence[str]
    ) -> set[str]:
        """Raises InvalidId."""
        numbers = [ids.parse_resource(one) for one in resource_ids]
        rows = await connection.fetch(queries["resources_in_place"], place_id, numbers)
        return {ids.show_resource(row["resource_id"]) for row in rows}

    return Places(exists, resources_in)
