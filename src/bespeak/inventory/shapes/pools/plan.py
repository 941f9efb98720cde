"""The plan of pools: what is only counted, and products that draw from several pools at once. A
ticket counts against the area, its category and the presale code together; two products share a
quota by drawing the same pool.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.inventory.bounds import check_bounds, check_names, nonsense
from bespeak.inventory.fields import Name, PlanPart, PoolPlan, PriceAmount
from bespeak.inventory.plans import Plan
from bespeak.lines import QUANTITY_MAX

# A product draws at most so many of a pool, so that a line's claims fit the database's integers.
_EACH_MAX = 1000


class ProductDraw(PlanPart, frozen=True):
    """That one of a product draws `each` from a pool."""

    pool: Name
    each: Annotated[int, Meta(ge=1, le=_EACH_MAX)] = 1


class Product(PlanPart, frozen=True):
    """What is sold: its name is the unit of a line. One of it draws from all of its pools at once
    and costs `price` in minor units (absent: the resource's own). `needs_code` sells it only with a
    code; a line has `max_per_line` of it at most."""

    name: Name
    draws: Annotated[tuple[ProductDraw, ...], Meta(min_length=1, max_length=100)]
    price: PriceAmount | None = None
    max_per_line: Annotated[int, Meta(ge=1, le=QUANTITY_MAX)] | None = None
    needs_code: bool = False

    def draws_by_pool(self) -> dict[str, int]:
        """How many one of it draws of each pool."""
        found: dict[str, int] = {}
        for draw in self.draws:
            found[draw.pool] = found.get(draw.pool, 0) + draw.each
        return found


class Code(PlanPart, frozen=True):
    """A presale code: for how many in all, and of which products (empty: of all)."""

    code: Name
    capacity: Annotated[int, Meta(ge=0, le=1_000_000_000)]
    products: Annotated[tuple[Name, ...], Meta(max_length=1000)] = ()


class PoolsPlan(Plan, frozen=True, cache_hash=True, tag="pools"):
    """Counted pools, and the products that draw from them. A plan without products sells its pools
    as they are; one with products sells only these, unless `sell_pools` says otherwise."""

    pools: Annotated[tuple[PoolPlan, ...], Meta(min_length=1, max_length=1000)]
    products: Annotated[tuple[Product, ...], Meta(max_length=1000)] = ()
    codes: Annotated[tuple[Code, ...], Meta(max_length=10_000)] = ()
    sell_pools: bool = False

    def without_secrets(self) -> PoolsPlan:
        return msgspec.structs.replace(self, codes=())


def check_plan(plan: PoolsPlan) -> None:
    """Raises InvalidRequest for a plan that makes no sense."""
    check_bounds(plan)
    pools = [pool.unit for pool in plan.pools]
    products = [product.name for product in plan.products]
    check_names(pools, "pool")
    check_names(products, "product")
    for name in sorted(set(pools) & set(products)):
        raise nonsense(f"{name!r} is a pool and a product")
    known = frozenset(pools)
    for product in plan.products:
        for draw in product.draws:
            if draw.pool not in known:
                raise nonsense(f"the product {product.name!r} draws from no pool {draw.pool!r}")
        if max(product.draws_by_pool().values()) > _EACH_MAX:
            raise nonsense(f"the product {product.name!r} draws more than {_EACH_MAX} of a pool")
    check_names([code.code for code in plan.codes], "code", reserved=())
    sold = {*products, *(pools if plan.sell_pools or not products else ())}
    for code in plan.codes:
        for name in code.products:
            if name not in sold:
                raise nonsense(f"a code is for {name!r}, which is not sold")
