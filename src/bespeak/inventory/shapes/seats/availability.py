"""What of a room is taken: a sparse map, because most maps are mostly free, or mostly sold."""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec import UNSET, UnsetType

from bespeak.errors import UnknownUnit
from bespeak.inventory.line_checks import check_query
from bespeak.inventory.plans import (
    ENDLESS,
    Availability,
    AvailabilityQuery,
    AvailabilityReader,
    PoolLevel,
    SaleContext,
    TakenUnit,
)
from bespeak.inventory.shapes.seats.units import RoomUnits
from bespeak.inventory.snapshot import Snapshot


class SeatsAvailability(Availability, frozen=True, kw_only=True, tag="seats"):
    """What of a room is taken; a seat that is absent is free. `version` changes with every event.
    `prices` gives the price of a seat of each category, where the plan lists categories."""

    taken: dict[str, TakenUnit]
    pools: dict[str, PoolLevel]
    units_total: int
    units_free: int
    prices: dict[str, int] | UnsetType = UNSET


class SeatsReader(AvailabilityReader):
    def __init__(self, room: RoomUnits) -> None:
        self._room = room

    def units(self, query: AvailabilityQuery, sale: SaleContext) -> list[str] | None:
        """All of them, or the one that was asked for."""
        check_query(query, without_range="seats")
        if query.unit is None:
            return None
        if query.unit not in self._room.categories and query.unit not in self._room.pools:
            raise UnknownUnit(unit=query.unit[:200])
        return [query.unit]

    def answer(
        self, query: AvailabilityQuery, snapshot: Snapshot, sale: SaleContext
    ) -> SeatsAvailability:
        """The sparse map, of the room or of one unit."""
        now, one, seats = sale.now.timestamp(), query.unit, self._room.categories
        taken = {
            unit: ENDLESS[found.state] if until is None else _lapsing(found.state, until)
            for unit, found in snapshot.units.items()
            if ((until := found.until) is None or until > now)
            and unit in seats
            and (one is None or one == unit)
        }
        total = len(seats) if one is None else int(one in seats)
        prices = self._room.prices.items()
        return SeatsAvailability(
            resource_id=sale.resource_id,
            version=snapshot.version,
            taken=taken,
            pools={
                unit: PoolLevel(capacity, max(0, capacity - snapshot.drawn(unit)))
                for unit, capacity in self._room.pools.items()
                if one is None or one == unit
            },
            units_total=total,
            units_free=total - len(taken),
            prices={name: sale.priced(price, category=name) for name, price in prices} or UNSET,
        )


def _lapsing(state: str, until: float) -> TakenUnit:
    return TakenUnit(state, datetime.fromtimestamp(until, UTC))
