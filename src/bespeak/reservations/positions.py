"""Places in line: whoever holds or booked a number may ask how many come before, and the operator
says which number is being served.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

import asyncpg
import msgspec

from bespeak import ids
from bespeak.errors import HoldNotFound, InvalidRequest, NotOwner, ResourceNotFound
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.reservations", "positions.sql")
_NUMBER_MAX = 999_999_999


class Position(msgspec.Struct, frozen=True):
    """A place in line: the (lowest) number of the hold, how many with lower ones wait before it,
    and the number that is being served (0: none yet)."""

    resource_id: str
    number: int
    ahead: int
    serving: int


class Positions(msgspec.Struct, frozen=True):
    """The places in line of a hold or booking, one for each resource with numbers."""

    items: list[Position]
    next: str | None = None


async def positions(connection: Connection, number: UUID, owner: str | None) -> Positions:
    """Where a hold or booking stands. Raises HoldNotFound, NotOwner."""
    held = await connection.fetchrow(_QUERIES["hold"], ids.home_of(number), number)
    if held is None:
        raise HoldNotFound
    if owner is not None and held["owner"] != owner:
        raise NotOwner
    rows = await connection.fetch(_QUERIES["positions"], sorted(set(held["resources"])), number)
    return Positions(
        [
            Position(
                ids.show_resource(row["resource_id"]), row["number"], row["ahead"], row["serving"]
            )
            for row in rows
        ]
    )


def parse_place(place_id: str) -> UUID:
    """The number of a hold or a booking, from the id of either. Raises InvalidId."""
    kind = ids.BOOKING if place_id.startswith(f"{ids.BOOKING}_") else ids.HOLD
    return ids.parse(kind, place_id)


async def set_serving(connection: Connection, resource_id: str, number: int) -> int:
    """Says which number is being served. Raises ResourceNotFound, InvalidRequest for a resource
    without numbers."""
    if type(number) is not int or not 0 <= number <= _NUMBER_MAX:
        raise InvalidRequest(f"a number is 0 to {_NUMBER_MAX}", field="number")
    home = ids.parse_resource(resource_id)
    try:
        serving: int = await connection.fetchval(_QUERIES["set_serving"], home, number)
    except asyncpg.PostgresError as error:
        if error.sqlstate == ResourceNotFound.sqlstate:
            raise ResourceNotFound(resource_id=resource_id) from error
        if error.sqlstate == InvalidRequest.sqlstate:
            raise InvalidRequest("this resource has no numbers", field="resource") from error
        raise
    return serving
