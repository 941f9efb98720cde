"""Availability: a sparse map of what is taken (what is absent is free) with a version. It follows
the rule by which units are taken, so that what is shown free can be held at that instant.
"""

from __future__ import annotations

from datetime import MAXYEAR, datetime
from typing import TYPE_CHECKING

import msgspec

from bespeak import ids
from bespeak.inventory.resources import Stock
from bespeak.postgres.queries import load
from bespeak.states import UnitState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.inventory", "availability.sql")


class TakenUnit(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a unit is not free, and until when at the latest (absent: no end)."""

    state: UnitState
    until: datetime | None = None


class PoolLevel(msgspec.Struct, frozen=True):
    """How many a pool has, and how many are left."""

    capacity: int
    available: int


class Availability(msgspec.Struct, frozen=True, kw_only=True):
    """What of a resource is taken. `version` changes with every event of the resource."""

    resource_id: str
    version: str
    taken: dict[str, TakenUnit]
    pools: dict[str, PoolLevel]
    units_total: int
    units_free: int


async def availability(connection: Connection, stock: Stock) -> Availability:
    """The present availability of a resource, from one statement."""
    row = await connection.fetchrow(_QUERIES["availability"], stock.number)
    if row is None:
        raise RuntimeError("the availability statement answers one row")
    taken: dict[str, TakenUnit] = {}
    for unit, holder, expires_at in zip(
        row["units"] or (), row["holders"] or (), row["expiries"] or (), strict=True
    ):
        # asyncpg gives infinity as the last moment that a datetime can say.
        if expires_at.year < MAXYEAR:
            taken[unit] = TakenUnit(UnitState.HELD, expires_at)
        elif ids.is_block(holder):
            taken[unit] = TakenUnit(UnitState.BLOCKED)
        else:
            taken[unit] = TakenUnit(UnitState.BOOKED)
    drawn = dict(zip(row["pools"] or (), row["taken"] or (), strict=True))
    pools = {
        unit: PoolLevel(capacity, max(0, capacity - drawn.get(unit, 0)))
        for unit, capacity in stock.plan.pools.items()
    }
    total = len(stock.plan.categories)
    inside = sum(1 for unit in taken if unit in stock.plan.categories)
    return Availability(
        resource_id=stock.resource.id,
        version=row["version"] or "0.0",
        taken=taken,
        pools=pools,
        units_total=total,
        units_free=total - inside,
    )
