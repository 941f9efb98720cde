"""Pools: what is only counted, and products that draw from several pools at once. A ticket counts
against the area, its category and the presale code together; two products share a quota by drawing
the same pool. Codes are secrets: no answer names one, and a wrong one learns nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, NamedTuple

import msgspec
from msgspec import UNSET, Meta

from bespeak.errors import InvalidRequest, NotOnSale, UnknownUnit
from bespeak.inventory.bounds import check_bounds, check_names, nonsense
from bespeak.inventory.plans import (
    CODE_PREFIX,
    SOLD_OUT,
    AvailabilityQuery,
    CompiledPlan,
    LineClaims,
    Need,
    Offer,
    PoolLevel,
    Reason,
    SaleContext,
    unknown,
)
from bespeak.inventory.lines import QUANTITY_MAX, Line, named
from bespeak.inventory.snapshot import Snapshot
from bespeak.inventory.shapes.seats.plan import Name, PoolPlan
from bespeak.pricing.demand import Level, Scope

# A product draws at most so many of a pool, so that a line's claims fit the database's integers.
_EACH_MAX = 1000
_CLAIM_MAX = 2**31 - 1

PoolPrice = Annotated[int, Meta(ge=0, le=1_000_000_000_000)]


class ProductDraw(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """That one of a product draws `each` from a pool."""

    pool: Name
    each: Annotated[int, Meta(ge=1, le=_EACH_MAX)] = 1


class Product(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What is sold: its name is the unit of a line. One of it draws from all of its pools at once
    and costs `price` in minor units (absent: the resource's own). `needs_code` sells it only with a
    code; a line has `max_per_line` of it at most."""

    name: Name
    draws: Annotated[tuple[ProductDraw, ...], Meta(min_length=1, max_length=100)]
    price: PoolPrice | None = None
    max_per_line: Annotated[int, Meta(ge=1, le=QUANTITY_MAX)] | None = None
    needs_code: bool = False


class Code(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A presale code: for how many in all, and of which products (empty: of all)."""

    code: Name
    capacity: Annotated[int, Meta(ge=0, le=1_000_000_000)]
    products: Annotated[tuple[Name, ...], Meta(max_length=1000)] = ()


class PoolsPlan(
    msgspec.Struct,
    frozen=True,
    cache_hash=True,
    omit_defaults=True,
    tag="pools",
    forbid_unknown_fields=True,
):
    """Counted pools, and the products that draw from them. A plan without products sells its pools
    as they are; one with products sells only these, unless `sell_pools` says otherwise."""

    pools: Annotated[tuple[PoolPlan, ...], Meta(min_length=1, max_length=1000)]
    products: Annotated[tuple[Product, ...], Meta(max_length=1000)] = ()
    codes: Annotated[tuple[Code, ...], Meta(max_length=10_000)] = ()
    sell_pools: bool = False

    def without_secrets(self) -> PoolsPlan:
        """The plan as a browser may see it: without its codes."""
        return msgspec.structs.replace(self, codes=())


class PoolState(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How many a pool has, and how many are left. Where it is sold as it is, `price` is that of
    one in minor units, and `reason` says why the number that was asked for cannot be held."""

    capacity: int
    available: int
    price: int | None = None
    reason: str | None = None


class ProductState(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How many of a product its pools have left, its price in minor units, and why the number that
    was asked for cannot be held."""

    available: int
    price: int
    max_per_line: int | None = None
    needs_code: bool = False
    reason: str | None = None


class PoolsAvailability(msgspec.Struct, frozen=True, kw_only=True, tag="pools"):
    """What is left of each pool and each product. `version` changes with every event."""

    resource_id: str
    version: str
    pools: dict[str, PoolState]
    products: dict[str, ProductState]


class _Good(NamedTuple):
    """What a line may name: a product, or a pool that is sold as it is."""

    draws: Mapping[str, int]
    price: int | None
    most: int
    needs_code: bool


class CompiledPools(CompiledPlan):
    """A plan of pools made ready."""

    takes_codes = True
    demand_scopes = frozenset(("all", "unit"))

    def __init__(self, plan: PoolsPlan) -> None:
        _check(plan)
        self.plan = plan
        self.pools = {pool.unit: pool.capacity for pool in plan.pools}
        self._products = {product.name: _good(product) for product in plan.products}
        self._goods: dict[str, _Good] = dict(self._products)
        if plan.sell_pools or not plan.products:
            for pool in plan.pools:
                self._goods[pool.unit] = _Good({pool.unit: 1}, None, QUANTITY_MAX, False)
        self._codes = {code.code: (code.capacity, frozenset(code.products)) for code in plan.codes}

    def line_claims(self, line: Line, sale: SaleContext) -> LineClaims:
        """One claim for each pool that the product draws, and one for the code.

        Raises UnknownUnit, InvalidRequest, and NotOnSale where the product needs a code and this
        line has none that is good for it.
        """
        name = _unit_of(line)
        good = self._goods.get(name)
        if good is None:
            raise self._unknown(line, name)
        quantity = line.quantity or 1
        if quantity > good.most:
            raise InvalidRequest(
                f"a line has {good.most} of {name!r} at most",
                field="lines.quantity",
                limit=good.most,
            )
        code = None if line.code is UNSET else line.code
        if not self._admits(name, good, code):
            # One answer for a code that is missing, unknown or of other products: it tells nothing.
            raise NotOnSale(
                reasons=[{"reason": Reason.CODE_NEEDED, "unit": name}],
                resource_id=line.resource_id,
            )
        amount = sale.priced(good.price, _scope_of(good)) * quantity
        shown = line if line.quantity else msgspec.structs.replace(line, quantity=1)
        return LineClaims(shown, tuple(self._needs(good, quantity, code)), amount, quantity)

    def watched(self, line: Line, sale: SaleContext) -> list[str] | None:
        """All the pools, and the line's code."""
        code = None if line.code is UNSET else line.code
        if code is None or code not in self._codes:
            return [*self.pools]
        return [*self.pools, CODE_PREFIX + code]

    def offers(self, line: Line, snapshot: Snapshot, sale: SaleContext, count: int) -> list[Offer]:
        """The same product without the code, where only that is used up; as many of other products,
        the nearest price first; then the same with as many as are left."""
        found: list[Offer] = []
        for offer in self._offers(line, snapshot, sale):
            if len(found) >= count:
                break
            found.append([offer])
        return found

    def block_needs(self, line: Line, sale: SaleContext) -> list[Need]:
        """So many of a pool, or of what a product draws. Raises UnknownUnit, InvalidRequest."""
        name = _unit_of(line)
        if line.code is not UNSET:
            raise InvalidRequest("a block takes no `code`", field="lines.code")
        good = self._products.get(name)
        if good is None and name in self.pools:
            good = _Good({name: 1}, None, QUANTITY_MAX, False)
        if good is None:
            raise self._unknown(line, name)
        if line.quantity is None:
            raise unknown(line, "it is counted: say a quantity")
        return list(self._needs(good, line.quantity, None))

    def has(self, unit: str) -> bool:
        """Whether it is a pool of the plan, or one of its codes."""
        if unit.startswith(CODE_PREFIX):
            return unit[len(CODE_PREFIX) :] in self._codes
        return unit in self.pools

    def level(self, scope: Scope, snapshot: Snapshot, sale: SaleContext) -> Level:
        """How many are drawn of a pool, or of all pools together."""
        pools = self.pools if scope.unit is None else {scope.unit: self.pools.get(scope.unit, 0)}
        return Level(sum(map(snapshot.drawn, pools)), sum(pools.values()))

    def availability_units(self, query: AvailabilityQuery, sale: SaleContext) -> list[str] | None:
        """All the pools; what codes have left is nobody's business. Raises InvalidRequest,
        UnknownUnit."""
        self._asked(query, sale)
        return [*self.pools]

    def availability(
        self, query: AvailabilityQuery, snapshot: Snapshot, sale: SaleContext
    ) -> PoolsAvailability:
        """The level of each pool, and how many of each product they make; of one `unit`, if asked.
        Raises InvalidRequest, UnknownUnit."""
        asked = self._asked(query, sale)
        pools = [name for name in self.pools if name in asked]
        products = [name for name in self._products if name in asked]
        return PoolsAvailability(
            resource_id=sale.resource_id,
            version=snapshot.version,
            pools={name: self._pool_state(name, query.quantity, snapshot, sale) for name in pools},
            products={
                name: self._product_state(name, query.quantity, snapshot, sale) for name in products
            },
        )

    def _asked(self, query: AvailabilityQuery, sale: SaleContext) -> set[str]:
        """The names that a query asks for. Raises InvalidRequest, UnknownUnit."""
        if query.from_ is not None or query.to is not None:
            raise InvalidRequest("pools have no range", field="from")
        if not 1 <= query.quantity <= QUANTITY_MAX:
            raise InvalidRequest(f"a quantity is 1 to {QUANTITY_MAX}", field="quantity")
        if query.unit is None:
            return {*self.pools, *self._products}
        product = self._products.get(query.unit)
        if product is not None:
            return {query.unit, *product.draws}
        if query.unit not in self.pools:
            raise UnknownUnit(resource_id=sale.resource_id, unit=query.unit)
        return {query.unit}

    def _pool_state(
        self, name: str, quantity: int, snapshot: Snapshot, sale: SaleContext
    ) -> PoolState:
        level = self._level(name, snapshot)
        is_sold = name in self._goods
        return PoolState(
            capacity=level.capacity,
            available=level.available,
            price=sale.priced(None, name) if is_sold else None,
            reason=SOLD_OUT if is_sold and level.available < quantity else None,
        )

    def _product_state(
        self, name: str, quantity: int, snapshot: Snapshot, sale: SaleContext
    ) -> ProductState:
        good = self._products[name]
        available = self._left(good, None, snapshot)
        reason: str | None = Reason.CODE_NEEDED.value if good.needs_code else None
        return ProductState(
            available=available,
            price=sale.priced(good.price, _scope_of(good)),
            max_per_line=None if good.most == QUANTITY_MAX else good.most,
            needs_code=good.needs_code,
            reason=SOLD_OUT if available < quantity else reason,
        )

    def _level(self, pool: str, snapshot: Snapshot) -> PoolLevel:
        capacity = self.pools[pool]
        return PoolLevel(capacity, max(0, capacity - snapshot.drawn(pool)))

    def _left(self, good: _Good, code: str | None, snapshot: Snapshot) -> int:
        """How many of it can be held now."""
        left = min(
            self._level(pool, snapshot).available // each for pool, each in good.draws.items()
        )
        if code is None:
            return left
        return min(left, self._codes[code][0] - snapshot.drawn(CODE_PREFIX + code))

    def _admits(self, name: str, good: _Good, code: str | None) -> bool:
        """Whether it is sold with this code, or without one."""
        if code is None:
            return not good.needs_code
        known = self._codes.get(code)
        return known is not None and (not known[1] or name in known[1])

    def _needs(self, good: _Good, quantity: int, code: str | None) -> Iterator[Need]:
        for pool, each in good.draws.items():
            if quantity * each > _CLAIM_MAX:
                raise InvalidRequest(f"so many of {pool!r} there never are", field="lines.quantity")
            yield Need(pool, quantity * each, self.pools[pool])
        if code is not None:
            yield Need(CODE_PREFIX + code, quantity, self._codes[code][0])

    def _offers(self, line: Line, snapshot: Snapshot, sale: SaleContext) -> Iterator[Line]:
        name, quantity = line.unit or "", line.quantity or 1
        own = self._goods.get(name)
        if own is None:
            return
        code = None if line.code is UNSET else line.code
        if code is not None and self._holds(name, None, quantity, snapshot):
            yield Line(line.resource_id, name, quantity)
        price = sale.price if own.price is None else own.price
        far = {
            other: abs((sale.price if good.price is None else good.price) - price)
            for other, good in self._goods.items()
            if other != name
        }
        for other in sorted(far, key=far.__getitem__):
            for key in (code, None) if code is not None else (None,):
                if self._holds(other, key, quantity, snapshot):
                    yield _line(line.resource_id, other, quantity, key)
                    break
        if self._admits(name, own, code):
            left = min(self._left(own, code, snapshot), own.most)
            if 0 < left < quantity:
                yield _line(line.resource_id, name, left, code)

    def _holds(self, name: str, code: str | None, quantity: int, snapshot: Snapshot) -> bool:
        """Whether so many of it could be held now."""
        good = self._goods[name]
        return (
            quantity <= good.most
            and self._admits(name, good, code)
            and self._left(good, code, snapshot) >= quantity
        )

    def _unknown(self, line: Line, name: str) -> InvalidRequest:
        if not name.isprintable():
            return InvalidRequest("a unit's name has no control characters", field="lines")
        hint = "it is sold as part of the products only" if name in self.pools else None
        return unknown(line, hint)


def _good(product: Product) -> _Good:
    draws: dict[str, int] = {}
    for draw in product.draws:
        draws[draw.pool] = draws.get(draw.pool, 0) + draw.each
    return _Good(draws, product.price, product.max_per_line or QUANTITY_MAX, product.needs_code)


def _scope_of(good: _Good) -> str:
    """The pool whose demand counts for what is sold: the first that it draws."""
    return next(iter(good.draws))


def _line(resource_id: str, unit: str, quantity: int, code: str | None) -> Line:
    return Line(resource_id, unit, quantity, code=UNSET if code is None else code)


def _unit_of(line: Line) -> str:
    """The unit of a line that has no range and no choice. Raises InvalidRequest."""
    if not line.is_plain:
        for field in ("best", "next"):
            if getattr(line, field) is not UNSET:
                raise InvalidRequest(f"this resource takes no `{field}`", field=f"lines.{field}")
        if line.from_ is not UNSET or line.to is not UNSET:
            raise InvalidRequest("pools have no range", field="lines.from")
    return named(line)


def _check(plan: PoolsPlan) -> None:
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
        if max(_good(product).draws.values()) > _EACH_MAX:
            raise nonsense(f"the product {product.name!r} draws more than {_EACH_MAX} of a pool")
    check_names([code.code for code in plan.codes], "code", reserved=())
    sold = {*products, *(pools if plan.sell_pools or not products else ())}
    for code in plan.codes:
        for name in code.products:
            if name not in sold:
                raise nonsense(f"a code is for {name!r}, which is not sold")
