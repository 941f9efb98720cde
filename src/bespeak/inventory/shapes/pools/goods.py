"""What is sold of pools: products, and pools as they are; what of each is left, and for which code
it is sold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from bespeak.errors import InvalidRequest
from bespeak.inventory.plans import CODE_PREFIX, Need, PoolLevel, SaleContext
from bespeak.inventory.shapes.pools.plan import PoolsPlan, Product
from bespeak.inventory.snapshot import Snapshot
from bespeak.lines import QUANTITY_MAX

_CLAIM_MAX = 2**31 - 1


class Good(NamedTuple):
    """What a line may name: how many one of it draws of each pool, its price in minor units (None:
    the resource's own), and how many a line may have of it."""

    draws: Mapping[str, int]
    price: int | None
    most: int
    needs_code: bool

    def priced(self, sale: SaleContext) -> int:
        """What one costs. The demand for the first pool that it draws counts."""
        return sale.priced(self.price, next(iter(self.draws)))


class Goods:
    """All that one plan sells, by name. Codes are secrets: no answer names one."""

    def __init__(self, plan: PoolsPlan) -> None:
        self.pools = {pool.unit: pool.capacity for pool in plan.pools}
        self.products = {product.name: _product(product) for product in plan.products}
        self.by_name: dict[str, Good] = dict(self.products)
        if plan.sell_pools or not plan.products:
            self.by_name |= {pool: _pool(pool) for pool in self.pools}
        self.codes = {code.code: (code.capacity, frozenset(code.products)) for code in plan.codes}

    def for_block(self, name: str) -> Good | None:
        """What a block may name: a product, or any pool."""
        return self.products.get(name) or (_pool(name) if name in self.pools else None)

    def needs(self, good: Good, quantity: int, code: str | None) -> Iterator[Need]:
        """The claims of so many of it. Raises InvalidRequest."""
        for pool, each in good.draws.items():
            if quantity * each > _CLAIM_MAX:
                raise InvalidRequest(f"so many of {pool!r} there never are", field="lines.quantity")
            yield Need(pool, quantity * each, self.pools[pool])
        if code is not None:
            yield Need(CODE_PREFIX + code, quantity, self.codes[code][0])

    def admits(self, name: str, good: Good, code: str | None) -> bool:
        """Whether it is sold with this code, or without one."""
        if code is None:
            return not good.needs_code
        known = self.codes.get(code)
        return known is not None and (not known[1] or name in known[1])

    def level(self, pool: str, snapshot: Snapshot) -> PoolLevel:
        """How many a pool has, and how many are left."""
        capacity = self.pools[pool]
        return PoolLevel(capacity, max(0, capacity - snapshot.drawn(pool)))

    def left(self, good: Good, code: str | None, snapshot: Snapshot) -> int:
        """How many of it can be held now."""
        left = min(
            self.level(pool, snapshot).available // each for pool, each in good.draws.items()
        )
        if code is None:
            return left
        return min(left, self.codes[code][0] - snapshot.drawn(CODE_PREFIX + code))

    def has_left(self, name: str, code: str | None, quantity: int, snapshot: Snapshot) -> bool:
        """Whether so many of it could be held now."""
        good = self.by_name[name]
        return (
            quantity <= good.most
            and self.admits(name, good, code)
            and self.left(good, code, snapshot) >= quantity
        )


def _product(product: Product) -> Good:
    most = product.max_per_line or QUANTITY_MAX
    return Good(product.draws_by_pool(), product.price, most, product.needs_code)


def _pool(name: str) -> Good:
    return Good({name: 1}, None, QUANTITY_MAX, False)
