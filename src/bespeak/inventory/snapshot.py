"""A snapshot of what is taken of a resource at one instant. Availability, choices and offers are
made from it. It grants nothing, because the database decides when the hold is placed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import MAXYEAR, UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from bespeak import ids
from bespeak.inventory.arrays import np
from bespeak.postgres.queries import load
from bespeak.states import UnitState

if TYPE_CHECKING:
    from bespeak.inventory.arrays import Numbers
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.inventory", "snapshot.sql")


class TakenClaims(NamedTuple):
    """Why a unit is not free, and until when at the latest: seconds since 1970 (None: no end)."""

    state: UnitState
    until: float | None

    @property
    def ends_at(self) -> datetime | None:
        """`until` as a time in UTC."""
        return None if self.until is None else datetime.fromtimestamp(self.until, UTC)


class Snapshot:
    """What is taken: exclusive units with their state, and how many are drawn of each pool."""

    def __init__(
        self,
        taken: dict[str, TakenClaims] | None = None,
        drawn: dict[str, int] | None = None,
        *,
        now: float = 0.0,
        version: str = "0.0",
        resource_version: int | None = None,
    ) -> None:
        self.units = taken or {}
        self.pools = drawn or {}
        self.now = now
        self.version = version
        self.resource_version = resource_version
        self._index: Mapping[str, int] | None = None
        self._until: Numbers | None = None

    def taken(self, unit: str, now: float) -> TakenClaims | None:
        """Why an exclusive unit is not free at this time, or None: it is."""
        found = self.units.get(unit)
        if found is None or (found.until is not None and found.until <= now):
            return None
        return found

    def drawn(self, unit: str) -> int:
        return self.pools.get(unit, 0)

    def mark(self, units: Iterable[str], taken: TakenClaims) -> None:
        """Notes that exclusive units are taken."""
        for unit in units:
            self.units[unit] = taken
            if self._until is not None and self._index is not None:
                index = self._index.get(unit)
                if index is not None:
                    self._until[index] = math.inf if taken.until is None else taken.until

    def unmark(self, units: Iterable[str]) -> None:
        """Notes that exclusive units are free again."""
        for unit in units:
            self.units.pop(unit, None)
            if self._until is not None and self._index is not None:
                index = self._index.get(unit)
                if index is not None:
                    self._until[index] = -math.inf

    def draw(self, unit: str, quantity: int) -> None:
        """Notes that so many more (or, below zero, fewer) of a pool are drawn."""
        self.pools[unit] = max(0, self.drawn(unit) + quantity)

    def until(self, index: Mapping[str, int]) -> Numbers:
        """For each unit of the index, at its index, until when it is taken (seconds since 1970;
        minus infinity: it is not). The array stays true while units are marked and unmarked."""
        if self._until is None or self._index is not index:
            made = np.full(len(index), -math.inf)
            for unit, taken in self.units.items():
                at = index.get(unit)
                if at is not None:
                    made[at] = math.inf if taken.until is None else taken.until
            self._index, self._until = index, made
        return self._until


async def read_snapshot(
    connection: Connection, number: int, units: list[str] | None = None
) -> Snapshot:
    """The present snapshot of a resource, or of some units of it, from one statement."""
    if units is None:
        row = await connection.fetchrow(_QUERIES["whole"], number)
    else:
        row = await connection.fetchrow(_QUERIES["some"], number, units)
    if row is None:
        raise RuntimeError("the snapshot's statement answers one row")
    return _snapshot_of(row)


async def read_sold(connection: Connection, number: int, *, with_payments: bool) -> Snapshot:
    """What of a resource is booked or blocked, and with `with_payments` what is held while it is
    being paid: what demand is counted by."""
    row = await connection.fetchrow(_QUERIES["sold"], number, with_payments)
    if row is None:
        raise RuntimeError("the snapshot's statement answers one row")
    return _snapshot_of(row)


def _snapshot_of(row: Record) -> Snapshot:
    taken: dict[str, TakenClaims] = {}
    for unit, holder, expires_at in zip(
        row["units"] or (), row["holders"] or (), row["expiries"] or (), strict=True
    ):
        # asyncpg gives infinity as the last moment that a datetime can say.
        if expires_at.year < MAXYEAR:
            taken[unit] = TakenClaims(UnitState.HELD, expires_at.timestamp())
        else:
            state = UnitState.BLOCKED if ids.is_block(holder) else UnitState.BOOKED
            taken[unit] = TakenClaims(state, None)
    drawn = dict(zip(row["pools"] or (), row["taken"] or (), strict=True))
    return Snapshot(
        taken,
        drawn,
        now=row["answered_at"].timestamp(),
        version=row["version"] or "0.0",
        resource_version=row["resource_version"],
    )
