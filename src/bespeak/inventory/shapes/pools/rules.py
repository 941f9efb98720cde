"""The rules of pools: what a line draws, and with which code it is sold."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from bespeak.errors import InvalidRequest, NotOnSale
from bespeak.inventory.category_stock import CategoryCounted, CategoryStock, SoldCategory
from bespeak.inventory.line_checks import refuse_fields, unknown, unknown_name
from bespeak.inventory.lines import named
from bespeak.inventory.plans import (
    CODE_PREFIX,
    CompiledPlan,
    LineClaims,
    Need,
    Reason,
    SaleContext,
)
from bespeak.inventory.shapes.pools.availability import PoolsReader
from bespeak.inventory.shapes.pools.choice import PoolsChooser
from bespeak.inventory.shapes.pools.goods import Goods
from bespeak.inventory.shapes.pools.plan import PoolsPlan, check_plan
from bespeak.inventory.snapshot import Snapshot
from bespeak.lines import Line
from bespeak.pricing.demand import Level, Scope


class CompiledPools(CompiledPlan, CategoryCounted):
    reader: PoolsReader
    chooser: PoolsChooser
    takes_codes = True
    demand_scopes = frozenset(("all", "unit"))

    def __init__(self, plan: PoolsPlan) -> None:
        check_plan(plan)
        self.plan = plan
        self.goods = Goods(plan)
        self.pools = self.goods.pools
        self.reader = PoolsReader(self.goods)
        self.chooser = PoolsChooser(self.goods)

    def line_claims(self, line: Line, sale: SaleContext) -> LineClaims:
        """One claim for each pool that the product draws, and one for the code."""
        name = _unit_of(line)
        goods = self.goods
        good = goods.by_name.get(name)
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
        if not goods.admits(name, good, code):
            # One answer for a code that is missing, unknown or of other products: it tells nothing.
            raise NotOnSale(
                reasons=[{"reason": Reason.CODE_NEEDED, "unit": name}],
                resource_id=line.resource_id,
            )
        shown = line if line.quantity else msgspec.structs.replace(line, quantity=1)
        needs = tuple(goods.needs(good, quantity, code))
        return LineClaims(shown, needs, good.priced(sale) * quantity, quantity)

    def block_needs(self, line: Line, sale: SaleContext) -> list[Need]:
        """So many of a pool, or of what a product draws."""
        name = _unit_of(line)
        if line.code is not UNSET:
            raise InvalidRequest("a block takes no `code`", field="lines.code")
        good = self.goods.for_block(name)
        if good is None:
            raise self._unknown(line, name)
        if line.quantity is None:
            raise unknown(line, "it is counted: say a quantity")
        return list(self.goods.needs(good, line.quantity, None))

    def has(self, unit: str) -> bool:
        """Whether it is a pool of the plan, or one of its codes."""
        if unit.startswith(CODE_PREFIX):
            return unit[len(CODE_PREFIX) :] in self.goods.codes
        return unit in self.pools

    def units_total(self) -> int:
        return sum(self.pools.values())

    def level(self, scope: Scope, snapshot: Snapshot, sale: SaleContext) -> Level:
        """How many are drawn of a pool, or of all pools together."""
        pools = self.pools if scope.unit is None else {scope.unit: self.pools.get(scope.unit, 0)}
        return Level(sum(map(snapshot.drawn, pools)), sum(pools.values()))

    def category_stock(self, snapshot: Snapshot) -> CategoryStock:
        """By what is sold without a code. How many have been chosen of a product follows from
        the pool of it that is drawn least: its own, where it shares the others."""
        left = {pool: self.goods.level(pool, snapshot).available for pool in self.pools}
        return CategoryStock(
            tuple(
                SoldCategory(
                    name,
                    min(self.pools[pool] // each for pool, each in good.draws.items()),
                    self.goods.left(good, None, snapshot),
                    min(snapshot.drawn(pool) // each for pool, each in good.draws.items()),
                    good.draws,
                )
                for name, good in self.goods.by_name.items()
                if not good.needs_code
            ),
            left,
        )

    def _unknown(self, line: Line, name: str) -> InvalidRequest:
        hint = "it is sold as part of the products only" if name in self.pools else None
        return unknown_name(line, hint)


def _unit_of(line: Line) -> str:
    """The unit of a line that has no range and no choice."""
    if not line.is_plain:
        refuse_fields(line, ("best", "next"))
        if line.from_ is not UNSET or line.to is not UNSET:
            raise InvalidRequest("pools have no range", field="lines.from")
    return named(line)
