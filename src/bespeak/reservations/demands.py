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
from bespeak.inventory.compiled import Sale
from bespeak.inventory.picture import Picture, read_picture
from bespeak.inventory.resources import Stock
from bespeak.postgres.pool import borrow
from bespeak.pricing.demand import Demand, Level, Scope
from bespeak.settings import Settings

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Pool

_KEPT_SECONDS = 0.5
_KEPT_MAX = 500
_NONE: Mapping[int, Demand] = {}


class _Kept(NamedTuple):
    version: int
    read_at: float
    demand: Demand


class Demands:
    """The demand of resources, for one process."""

    def __init__(self, pool: Pool, clock: DatabaseClock, settings: Settings) -> None:
        self._pool = pool
        self._clock = clock
        self._wait_seconds = settings.database_wait_seconds
        self._kept_seconds = min(_KEPT_SECONDS, settings.known_taken_seconds)
        self._kept: OrderedDict[int, _Kept] = OrderedDict()
        self._reading: dict[tuple[int, int], asyncio.Task[Demand]] = {}

    async def of(
        self, stocks: Sequence[Stock], connection: Connection | None
    ) -> Mapping[int, Demand]:
        """The demand of those that have steps, by their numbers: as it was at most a second ago,
        or as the caller's own connection sees it."""
        found: dict[int, Demand] = {}
        for stock in stocks:
            if stock.prices is None or not stock.prices.pricing.steps or stock.number in found:
                continue
            if connection is not None:
                picture = await read_picture(connection, stock.number)
                found[stock.number] = self._made(stock, picture)
            else:
                found[stock.number] = await self._recent(stock)
        return found or _NONE

    async def _recent(self, stock: Stock) -> Demand:
        kept = self._kept.get(stock.number)
        version = stock.resource.version
        if (
            kept is not None
            and kept.version == version
            and time.monotonic() - kept.read_at < self._kept_seconds
        ):
            return kept.demand
        key = (stock.number, version)
        task = self._reading.get(key)
        if task is None:
            task = asyncio.create_task(self._read(stock))
            self._reading[key] = task
            task.add_done_callback(lambda _: self._reading.pop(key, None))
        return await asyncio.shield(task)

    async def _read(self, stock: Stock) -> Demand:
        read_at = time.monotonic()
        async with borrow(self._pool, self._wait_seconds) as connection:
            picture = await read_picture(connection, stock.number)
        demand = self._made(stock, picture)
        self._kept[stock.number] = _Kept(stock.resource.version, read_at, demand)
        self._kept.move_to_end(stock.number)
        while len(self._kept) > _KEPT_MAX:
            self._kept.popitem(last=False)
        return demand

    def _made(self, stock: Stock, picture: Picture) -> Demand:
        sale = Sale(self._clock.now(), stock.zone, stock.resource.id)
        steps = () if stock.prices is None else stock.prices.pricing.steps
        known: dict[Scope, Level] = {}

        def level(scope: Scope) -> Level:
            found = known.get(scope)
            if found is None:
                found = known[scope] = stock.plan.level(scope, picture, sale)
            return found

        return Demand(steps, level)
