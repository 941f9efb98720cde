"""The snapshots by which a process chooses: what is taken of a resource, kept for about a second,
and what its own requests in flight are about to take. They only help to choose well: a bad
choice is refused by the database, and made again by a fresh snapshot.

Of a stay or a day's times only a part of the resource is read, for each request by itself. In a
rush, when such requests are refused, all read one part that has what each of them looks at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from bespeak.cache import Cache
from bespeak.inventory.plans import SaleContext
from bespeak.inventory.resources import ReadyResource
from bespeak.inventory.snapshot import Snapshot, TakenClaims, read_snapshot
from bespeak.lines import Line
from bespeak.reservations.memory import Unit
from bespeak.reservations.rushes import ResourceRush
from bespeak.settings import Settings
from bespeak.states import UnitState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database

_SNAPSHOTS_MAX = 200
LIFETIME_SECONDS = 1.0
_FRESH_SECONDS_MAX = 0.25
_JUST_NOW_SECONDS = 0.02
_RUSH_UNITS_MAX = 100_000


class _Load:
    """A snapshot that is being read, and what was marked meanwhile: the database may have looked
    before that. Two loads of one resource are two, so each equals itself only."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.marks: list[tuple[str, TakenClaims | None]] = []


class SnapshotCache:
    """Whole snapshots of the resources that are chosen from, and the units in flight."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database = database
        self.fresh_seconds = min(_FRESH_SECONDS_MAX, settings.known_taken_seconds)
        """How old a snapshot may be by which a request is refused."""
        self._snapshots: Cache[int, Snapshot] = Cache(
            seconds=LIFETIME_SECONDS, size_max=_SNAPSHOTS_MAX
        )
        # Of a resource in a rush: what is read together for all, and what was read of that.
        self._rushes: Cache[int, ResourceRush] = Cache(
            seconds=LIFETIME_SECONDS, size_max=_RUSH_UNITS_MAX, size_of=lambda rush: len(rush.units)
        )
        self._parts: Cache[int, Snapshot] = Cache(
            seconds=self.fresh_seconds, size_max=_SNAPSHOTS_MAX
        )
        self._in_flight: Counter[Unit] = Counter()
        self._loads: set[_Load] = set()

    async def read_whole(
        self, number: int, connection: Connection | None, *, seconds: float = LIFETIME_SECONDS
    ) -> Snapshot:
        """A snapshot of a resource, at most `seconds` old."""
        if connection is not None:
            return await self._read_now(number, None, connection)
        read = partial(self._read_kept, number, None)
        return await self._snapshots.get(number, read, seconds=seconds)

    async def read_for(
        self,
        line: Line,
        ready: ReadyResource,
        sale: SaleContext,
        connection: Connection | None,
        *,
        seconds: float,
    ) -> Snapshot:
        """A snapshot of all that a line looks at, at most `seconds` old. Of a part of the resource
        it is read now or, in a rush, as fresh as for a refusal. Raises UnknownUnit, InvalidRequest.
        """
        number = ready.number
        rush = self._rushes.peek(number) if connection is None else None
        if rush is None or not rush.knows(line):
            units = ready.plan.watched(line, sale)
            if units is None:
                return await self.read_whole(number, connection, seconds=seconds)
            if rush is None:
                async with self._database.borrow(connection) as used:
                    # A rush may have begun while the connection was waited for.
                    rush = self._rushes.peek(number) if connection is None else None
                    if rush is None:
                        return await self._read_on(used, number, units)
            if rush.add(line, units):
                self._parts.forget(number)  # also what is being read: it is without these units
        return await self._parts.get(number, partial(self._read_kept, number, rush))

    def note_rush(self, line: Line, ready: ReadyResource, sale: SaleContext) -> None:
        """A line that looks at a part of its resource was refused, and others like it may come: for
        a while they are read together."""
        rush = self._rushes.peek(ready.number)
        if rush is None and self.fresh_seconds > 0:
            units = ready.plan.watched(line, sale)
            if units is not None:
                rush = ResourceRush()
                rush.add(line, units)
                self._parts.forget(ready.number)  # a rush before this one looked at others
        if rush is not None:
            self._rushes.put(ready.number, rush)

    def is_older(self, number: int) -> bool:
        """Whether a choice may have been made by a snapshot that is too old for a refusal."""
        age = self._snapshots.age(number)
        return age is not None and age > self.fresh_seconds

    def add_in_flight(self, units: Sequence[Unit]) -> None:
        """Notes units of a request that is on its way to the database."""
        self._in_flight.update(units)

    def remove_in_flight(self, units: Sequence[Unit]) -> None:
        """The request has its answer."""
        self._in_flight.subtract(units)
        for unit in units:
            if self._in_flight[unit] <= 0:
                del self._in_flight[unit]

    def mark_taken(self, units: Iterable[Unit], taken: TakenClaims) -> None:
        """Notes units that were seen taken."""
        if self._loads or len(self._snapshots) or len(self._parts):
            for number, unit in units:
                self._mark(number, unit, taken)

    def mark_free(self, units: Iterable[Unit]) -> None:
        """Notes units that were freed. How much of a pool was, is asked of the database."""
        for number, unit in units:
            self._mark(number, unit, None)
            for kept in (self._snapshots, self._parts):
                snapshot = kept.peek(number)
                if snapshot is not None and unit in snapshot.pools:
                    kept.forget(number)

    def forget_wrong(self, number: int) -> None:
        """Forgets a snapshot that proved to be wrong, unless it was read just now."""
        for kept in (self._snapshots, self._parts):
            age = kept.age(number)
            if age is not None and age > _JUST_NOW_SECONDS:
                kept.forget(number)

    def forget(self, number: int) -> None:
        """Forgets snapshots whose resource has changed."""
        self._snapshots.forget(number)
        self._parts.forget(number)

    def _mark(self, number: int, unit: str, taken: TakenClaims | None) -> None:
        for kept in (self._snapshots, self._parts):
            snapshot = kept.peek(number)
            if snapshot is not None:
                _apply(snapshot, unit, taken)
        for load in self._loads:
            if load.number == number:
                load.marks.append((unit, taken))

    async def _read_kept(self, number: int, rush: ResourceRush | None) -> Snapshot:
        load = _Load(number)
        units = None if rush is None else list(rush.units)
        self._loads.add(load)
        try:
            snapshot = await self._read_now(number, units, None)
        finally:
            self._loads.remove(load)
        for unit, taken in load.marks:
            _apply(snapshot, unit, taken)
        return snapshot

    async def _read_now(
        self, number: int, units: list[str] | None, connection: Connection | None
    ) -> Snapshot:
        async with self._database.borrow(connection) as used:
            return await self._read_on(used, number, units)

    async def _read_on(
        self, connection: Connection, number: int, units: list[str] | None
    ) -> Snapshot:
        snapshot = await read_snapshot(connection, number, units)
        in_flight = [unit for home, unit in self._in_flight if home == number]
        if in_flight:
            snapshot.mark(in_flight, TakenClaims(UnitState.HELD, snapshot.now + LIFETIME_SECONDS))
        return snapshot


def _apply(snapshot: Snapshot, unit: str, taken: TakenClaims | None) -> None:
    if taken is None:
        snapshot.unmark([unit])
    else:
        snapshot.mark([unit], taken)
