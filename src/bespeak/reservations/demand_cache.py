"""What demand makes of prices, kept for half a second: how far a resource is taken is counted by a
look at all of it, and only of resources whose prices have steps.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from bespeak.clock import DatabaseClock
from bespeak.inventory.plans import SaleContext
from bespeak.inventory.snapshot import Snapshot, read_snapshot
from bespeak.inventory.resources import ReadyResource
from bespeak.pricing.demand import Demand, Level, Scope
from bespeak.settings import Settings

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database

_KEPT_SECONDS = 0.5
_KEPT_MAX = 500
_NONE: Mapping[int, Demand] = {}


class _Kept(NamedTuple):
    version: int
    read_at: float
    demand: Demand


class DemandCache:
    """The demand of resources, for one process."""

    def __init__(self, database: Database, clock: DatabaseClock, settings: Settings) -> None:
        self._database = database
        self._clock = clock
        self._kept_seconds = min(_KEPT_SECONDS, settings.known_taken_seconds)
        self._kept: OrderedDict[int, _Kept] = OrderedDict()
        self._reading: dict[tuple[int, int], asyncio.Task[Demand]] = {}

    async def of(
        self, ready_resources: Sequence[ReadyResource], connection: Connection | None
    ) -> Mapping[int, Demand]:
        """The demand of those that have steps, by their numbers: as it was at most a second ago,
        or as the caller's own connection sees it."""
        found: dict[int, Demand] = {}
        for ready in ready_resources:
            if ready.prices is None or not ready.prices.pricing.steps or ready.number in found:
                continue
            if connection is not None:
                snapshot = await read_snapshot(connection, ready.number)
                found[ready.number] = self._made(ready, snapshot)
            else:
                found[ready.number] = await self._recent(ready)
        return found or _NONE

    async def _recent(self, ready: ReadyResource) -> Demand:
        kept = self._kept.get(ready.number)
        version = ready.resource.version
        if (
            kept is not None
            and kept.version == version
            and time.monotonic() - kept.read_at < self._kept_seconds
        ):
            return kept.demand
        key = (ready.number, version)
        task = self._reading.get(key)
        if task is None:
            task = asyncio.create_task(self._read(ready))
            self._reading[key] = task
            task.add_done_callback(lambda _: self._reading.pop(key, None))
        return await asyncio.shield(task)

    async def _read(self, ready: ReadyResource) -> Demand:
        read_at = time.monotonic()
        async with self._database.borrow() as connection:
            snapshot = await read_snapshot(connection, ready.number)
        demand = self._made(ready, snapshot)
        self._kept[ready.number] = _Kept(ready.resource.version, read_at, demand)
        self._kept.move_to_end(ready.number)
        while len(self._kept) > _KEPT_MAX:
            self._kept.popitem(last=False)
        return demand

    def _made(self, ready: ReadyResource, snapshot: Snapshot) -> Demand:
        sale = SaleContext(self._clock.now(), ready.zone, ready.resource.id)
        steps = () if ready.prices is None else ready.prices.pricing.steps
        known: dict[Scope, Level] = {}

        def level(scope: Scope) -> Level:
            found = known.get(scope)
            if found is None:
                found = known[scope] = ready.plan.level(scope, snapshot, sale)
            return found

        return Demand(steps, level)
