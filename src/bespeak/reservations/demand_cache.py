"""What demand makes of prices, kept for half a second: how far a resource is sold is counted by a
look at all of it, and only of resources whose prices have steps. Holds do not count: they cost
nothing, and whoever holds could raise the price for everybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from bespeak.cache import Cache
from bespeak.clock import DatabaseClock
from bespeak.inventory.plans import SaleContext
from bespeak.inventory.resources import ReadyResource
from bespeak.inventory.snapshot import read_sold
from bespeak.pricing.demand import Demand, Level, Scope
from bespeak.pricing.rules import Pricing
from bespeak.settings import Settings

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database

_LIFETIME_SECONDS = 0.5
_DEMANDS_MAX = 500


class DemandCache:
    """The demand of resources, for one process."""

    def __init__(self, database: Database, clock: DatabaseClock, settings: Settings) -> None:
        self._database = database
        self._clock = clock
        # By number and version of the resource.
        self._demands: Cache[tuple[int, int], Demand] = Cache(
            seconds=min(_LIFETIME_SECONDS, settings.known_taken_seconds), size_max=_DEMANDS_MAX
        )

    async def of(
        self, used: Iterable[ReadyResource], connection: Connection | None
    ) -> Mapping[int, Demand]:
        """The demand of those that have steps, by their numbers: as it was half a second ago at
        most, or as the caller's own connection sees it."""
        found: dict[int, Demand] = {}
        for ready in used:
            if ready.prices is None or not ready.prices.pricing.steps:
                continue
            read = partial(self._read, ready, connection)
            if connection is not None:
                found[ready.number] = await read()
            else:
                key = (ready.number, ready.resource.version)
                found[ready.number] = await self._demands.get(key, read)
        return found

    async def _read(self, ready: ReadyResource, connection: Connection | None) -> Demand:
        pricing = Pricing() if ready.prices is None else ready.prices.pricing
        async with self._database.borrow(connection) as used:
            snapshot = await read_sold(
                used, ready.number, with_payments=pricing.steps_count == "payments"
            )
        sale = SaleContext(self._clock.now(), ready.zone, ready.resource.id)
        known: dict[Scope, Level] = {}

        def level(scope: Scope) -> Level:
            found = known.get(scope)
            if found is None:
                found = known[scope] = ready.plan.level(scope, snapshot, sale)
            return found

        return Demand(pricing.steps, level)
