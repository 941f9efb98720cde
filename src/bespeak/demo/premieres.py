"""The premiere of the demo, as visitors are told of it: a show behind a waiting room."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from bespeak import ids
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.demo", "premieres.sql")


class DemoPremiere(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to queue for in the demo: a show, its waiting room, when its sale begins, and
    whether it is sold out."""

    resource_id: str
    waiting_room_id: str
    name: str
    opens_at: datetime
    has_opened: bool
    is_sold_out: bool


async def read_premiere(connection: Connection) -> DemoPremiere | None:
    """The premiere, as far as there is one."""
    row = await connection.fetchrow(_QUERIES["read"])
    if row is None:
        return None
    return DemoPremiere(
        resource_id=ids.show_resource(row["resource_id"]),
        waiting_room_id=row["room_id"],
        name=row["name"],
        opens_at=row["opens_at"],
        has_opened=row["state"] != "scheduled",
        is_sold_out=row["sold_out"],
    )
