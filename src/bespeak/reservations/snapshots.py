"""The pictures by which a process chooses: what is taken of a resource, kept for about a second,
and what its own requests in flight are about to take. They only help to choose well; whoever chose
badly is refused by the database, and chooses again by a fresh picture.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from bespeak.inventory.snapshot import Snapshot, TakenClaims, read_snapshot
from bespeak.reservations.memory import Unit
from bespeak.settings import Settings
from bespeak.states import UnitState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database

_PICTURES_MAX = 200
_KEPT_SECONDS = 1.0
_FRESH_SECONDS_MAX = 0.25
_JUST_NOW_SECONDS = 0.02


class _Kept(NamedTuple):
    snapshot: Snapshot
    read_at: float


class SnapshotCache:
    """Whole pictures of the resources that are chosen from, and the units in flight."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database = database
        # How old a picture may be by which somebody is refused.
        self.fresh_seconds = min(_FRESH_SECONDS_MAX, settings.known_taken_seconds)
        self._kept: OrderedDict[int, _Kept] = OrderedDict()
        self._reading: dict[int, asyncio.Task[Snapshot]] = {}
        self._in_flight: Counter[Unit] = Counter()
        # What was learned of a resource while its picture is read: the database looked before.
        self._meanwhile: dict[int, list[tuple[str, TakenClaims | None]]] = {}

    async def read(
        self,
        number: int,
        units: list[str] | None,
        connection: Connection | None,
        *,
        age_max: float = _KEPT_SECONDS,
    ) -> Snapshot:
        """A picture of the resource, at most `age_max` seconds old: of these units, or whole."""
        if units is not None or connection is not None:
            return await self._read_now(number, units, connection)
        kept = self._kept.get(number)
        if kept is not None and time.monotonic() - kept.read_at <= age_max:
            return kept.snapshot
        task = self._reading.get(number)
        if task is None:
            task = asyncio.create_task(self._keep(number))
            self._reading[number] = task
            task.add_done_callback(lambda _: self._reading.pop(number, None))
        return await asyncio.shield(task)

    def fly(self, units: Sequence[Unit]) -> None:
        """Notes units of a request that is on its way to the database."""
        self._in_flight.update(units)

    def land(self, units: Sequence[Unit]) -> None:
        """The request has its answer."""
        self._in_flight.subtract(units)
        for unit in units:
            if self._in_flight[unit] <= 0:
                del self._in_flight[unit]

    def learn(self, number: int, units: Iterable[str], taken: TakenClaims) -> None:
        """Notes units that were seen taken, in the picture that is kept, if there is one."""
        if number not in self._kept and number not in self._meanwhile:
            return
        for unit in units:
            self._note(number, unit, taken)

    def forget(self, units: Iterable[Unit]) -> None:
        """Notes units that were freed. How much of a pool was, is asked of the database."""
        for number, unit in units:
            self._note(number, unit, None)
            kept = self._kept.get(number)
            if kept is not None and unit in kept.snapshot.pools:
                del self._kept[number]

    def _note(self, number: int, unit: str, taken: TakenClaims | None) -> None:
        kept = self._kept.get(number)
        if kept is not None:
            _apply(kept.snapshot, unit, taken)
        meanwhile = self._meanwhile.get(number)
        if meanwhile is not None:
            meanwhile.append((unit, taken))

    def outdated(self, number: int) -> None:
        """Lets go of a picture that proved to be wrong, unless it was read just now."""
        kept = self._kept.get(number)
        if kept is not None and time.monotonic() - kept.read_at > _JUST_NOW_SECONDS:
            del self._kept[number]

    def drop(self, number: int) -> None:
        """Lets go of a picture whose resource has changed."""
        self._kept.pop(number, None)

    async def _keep(self, number: int) -> Snapshot:
        read_at = time.monotonic()
        self._meanwhile[number] = []
        try:
            snapshot = await self._read_now(number, None, None)
        finally:
            meanwhile = self._meanwhile.pop(number)
        for unit, taken in meanwhile:
            _apply(snapshot, unit, taken)
        self._kept[number] = _Kept(snapshot, read_at)
        self._kept.move_to_end(number)
        while len(self._kept) > _PICTURES_MAX:
            self._kept.popitem(last=False)
        return snapshot

    async def _read_now(
        self, number: int, units: list[str] | None, connection: Connection | None
    ) -> Snapshot:
        if connection is not None:
            snapshot = await read_snapshot(connection, number, units)
        else:
            async with self._database.borrow() as borrowed:
                snapshot = await read_snapshot(borrowed, number, units)
        flying = [unit for home, unit in self._in_flight if home == number]
        if flying:
            snapshot.mark(flying, TakenClaims(UnitState.HELD, snapshot.now + _KEPT_SECONDS))
        return snapshot


def _apply(snapshot: Snapshot, unit: str, taken: TakenClaims | None) -> None:
    if taken is None:
        snapshot.unmark([unit])
    else:
        snapshot.mark([unit], taken)
