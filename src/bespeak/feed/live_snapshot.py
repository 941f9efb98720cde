"""Reading a resource as a live channel begins with it: plan, picture and the horizon of the feed,
all of one instant; and the events that a channel takes in.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bespeak import ids
from bespeak.feed.live_channel import ChannelEvent, ChannelState
from bespeak.inventory import resources
from bespeak.inventory.shapes.registry import compile_plan
from bespeak.inventory.shapes.seats.rules import CompiledSeats
from bespeak.inventory.snapshot import read_snapshot
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_FEED = load("bespeak.feed", "feed.sql")


async def read_scene(connection: Connection, resource_id: str) -> ChannelState:
    """The resource at one instant. Raises ResourceNotFound, InvalidId."""
    async with connection.transaction(isolation="repeatable_read", readonly=True):
        (feed,) = await connection.fetch(_FEED["horizon"])
        resource = await resources.get(connection, resource_id)
        snapshot = await read_snapshot(connection, ids.parse_resource(resource_id))
    plan = compile_plan(resource.plan)
    seat_map = plan if isinstance(plan, CompiledSeats) else None
    return ChannelState(
        version=resource.version,
        published=resource.published,
        epoch=feed["epoch"],
        horizon=feed["horizon"],
        at=datetime.fromtimestamp(snapshot.now, UTC),
        seats=None if seat_map is None else seat_map.categories.keys(),
        capacities={} if seat_map is None else seat_map.pools,
        taken={unit: found.state for unit, found in snapshot.units.items()},
        drawn=snapshot.pools,
    )


def happening_of(row: Record) -> ChannelEvent:
    """An event from its row, which may have no units."""
    return ChannelEvent(row["kind"], row["units"] or (), row["quantities"] or (), row["horizon"])
