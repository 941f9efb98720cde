"""What is left of each pool, and how many of each product they make."""

from __future__ import annotations

import msgspec

from bespeak.errors import UnknownUnit
from bespeak.inventory.line_checks import check_query
from bespeak.inventory.plans import (
    SOLD_OUT,
    Availability,
    AvailabilityQuery,
    AvailabilityReader,
    Reason,
    SaleContext,
    UnavailableReason,
)
from bespeak.inventory.shapes.pools.goods import Goods
from bespeak.inventory.snapshot import Snapshot
from bespeak.lines import QUANTITY_MAX


class PoolState(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How many a pool has, and how many are left. Where it is sold as it is, `price` is that of
    one in minor units, and `reason` says why the number that was asked for cannot be held."""

    capacity: int
    available: int
    price: int | None = None
    reason: UnavailableReason | None = None


class ProductState(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How many of a product its pools have left, its price in minor units, and why the number that
    was asked for cannot be held."""

    available: int
    price: int
    max_per_line: int | None = None
    needs_code: bool = False
    reason: UnavailableReason | None = None


class PoolsAvailability(Availability, frozen=True, kw_only=True, tag="pools"):
    """What is left of each pool and each product. `version` changes with every event."""

    pools: dict[str, PoolState]
    products: dict[str, ProductState]


class PoolsReader(AvailabilityReader):
    def __init__(self, goods: Goods) -> None:
        self._goods = goods

    def units(self, query: AvailabilityQuery, sale: SaleContext) -> list[str]:
        """All the pools. What codes have left is not told."""
        self._asked(query, sale)
        return [*self._goods.pools]

    def answer(
        self, query: AvailabilityQuery, snapshot: Snapshot, sale: SaleContext
    ) -> PoolsAvailability:
        """Of one `unit` only that, and of a product its pools."""
        asked = self._asked(query, sale)
        return PoolsAvailability(
            resource_id=sale.resource_id,
            version=snapshot.version,
            pools={
                name: self._pool(name, query.quantity, snapshot, sale)
                for name in self._goods.pools
                if name in asked
            },
            products={
                name: self._product(name, query.quantity, snapshot, sale)
                for name in self._goods.products
                if name in asked
            },
        )

    def _asked(self, query: AvailabilityQuery, sale: SaleContext) -> set[str]:
        check_query(query, without_range="pools")
        goods = self._goods
        if query.unit is None:
            return {*goods.pools, *goods.products}
        product = goods.products.get(query.unit)
        if product is not None:
            return {query.unit, *product.draws}
        if query.unit not in goods.pools:
            raise UnknownUnit(resource_id=sale.resource_id, unit=query.unit)
        return {query.unit}

    def _pool(self, name: str, quantity: int, snapshot: Snapshot, sale: SaleContext) -> PoolState:
        level = self._goods.level(name, snapshot)
        is_sold = name in self._goods.by_name
        return PoolState(
            capacity=level.capacity,
            available=level.available,
            price=sale.priced(None, name) if is_sold else None,
            reason=SOLD_OUT if is_sold and level.available < quantity else None,
        )

    def _product(
        self, name: str, quantity: int, snapshot: Snapshot, sale: SaleContext
    ) -> ProductState:
        good = self._goods.products[name]
        available = self._goods.left(good, None, snapshot)
        reason: str | None = Reason.CODE_NEEDED.value if good.needs_code else None
        return ProductState(
            available=available,
            price=good.priced(sale),
            max_per_line=None if good.most == QUANTITY_MAX else good.most,
            needs_code=good.needs_code,
            reason=SOLD_OUT if available < quantity else reason,
        )
