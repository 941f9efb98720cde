"""The rules of a seat map. Each seat is an exclusive unit with a category, each standing area a
pool. `bespeak.plan_units` is the same rule in SQL, and a test holds the two together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from msgspec import UNSET

from bespeak.inventory.category_stock import CategoryCounted, CategoryStock, SoldCategory
from bespeak.inventory.plans import (
    CompiledPlan,
    Guard,
    LineClaims,
    Need,
    PlainClaims,
    SaleContext,
)
from bespeak.inventory.shapes.seats.availability import SeatsReader
from bespeak.inventory.shapes.seats.choice import SeatsChooser
from bespeak.inventory.shapes.seats.orphans import OrphanGuards
from bespeak.inventory.shapes.seats.plan import SeatsPlan, named_categories
from bespeak.inventory.shapes.seats.rows import section_names
from bespeak.inventory.shapes.seats.seating import Seating
from bespeak.inventory.shapes.seats.units import RoomUnits
from bespeak.inventory.snapshot import Snapshot
from bespeak.lines import Line
from bespeak.pricing.demand import Level, Scope
from bespeak.states import UnitState


class CompiledSeats(CompiledPlan, CategoryCounted):
    """A room made ready; `categories`, `pools` and `tables` are those of its RoomUnits."""

    reader: SeatsReader
    chooser: SeatsChooser
    demand_scopes = frozenset(("all", "category", "unit"))

    def __init__(self, plan: SeatsPlan) -> None:
        self.plan = plan
        self.room = RoomUnits(plan)
        self.categories = self.room.categories
        self.pools = self.room.pools
        self.tables = self.room.tables
        self.exclusive_total = len(self.categories)
        self.guards_seats = plan.orphans != "off"
        self._need = self.room.need
        self._prices = self.room.prices
        self._pool_categories = self.room.pool_categories
        self.reader = SeatsReader(self.room)
        self.chooser = SeatsChooser(self.room)

    @property
    def seating(self) -> Seating:
        return self.room.seating

    def line_claims(self, line: Line, sale: SaleContext) -> LineClaims:
        """One claim a line: a seat, a whole table, or so many of a pool."""
        need = self._need(line)
        category = self.categories.get(need.unit) or self._pool_categories.get(need.unit)
        price = self._prices.get(category) if category is not None else None
        if price is None:
            price = sale.price
        if sale.demand is not None:
            price = sale.demand.price(price, need.unit, category)
        quantity = need.quantity
        if quantity is None:
            return LineClaims(line, (need,), price)
        return LineClaims(line, (need,), price * quantity, quantity)

    def plain(self, lines: Sequence[Line], price: int) -> PlainClaims | None:
        """Seats and places of pools, as most lines are."""
        categories, pools, prices = self.categories, self.pools, self._prices
        units: list[str] = []
        quantities: list[int | None] = []
        capacities: list[int | None] = []
        amounts: list[int] = []
        weight = 0
        for line in lines:
            unit, quantity = line.unit, line.quantity
            if unit is None or not line.is_plain:
                return None
            if quantity is None:
                category = categories.get(unit)
                if category is None:
                    return None
                own = prices.get(category)
                capacities.append(None)
                amounts.append(price if own is None else own)
                weight += 1
            else:
                capacity = pools.get(unit)
                if capacity is None:
                    return None
                own = prices.get(self._pool_categories.get(unit, ""))
                capacities.append(capacity)
                amounts.append((price if own is None else own) * quantity)
                weight += quantity
            units.append(unit)
            quantities.append(quantity)
        return PlainClaims(units, quantities, capacities, amounts, weight)

    def block_needs(self, line: Line, sale: SaleContext) -> list[Need]:
        return [self._need(line)]

    def has(self, unit: str) -> bool:
        return unit in self.categories or unit in self.pools

    def is_exact(self, unit: str) -> bool:
        return unit in self.categories

    def is_open(self, line: Line) -> bool:
        return line.best is not UNSET

    def is_grouped(self, line: Line) -> bool:
        """Whether it names an exact seat: a group that cannot have its seats wants others
        together."""
        return self.chooser.is_seat(line)

    def guards(self, units: Sequence[str]) -> list[Guard]:
        return self._orphan_guards.of(units) if self.guards_seats else []

    def lenient_allows(self, units: Sequence[str], snapshot: Snapshot, now: float) -> bool:
        """Where the rule is lenient: whether no choice of as many seats together, in their
        categories, would leave none."""
        if self.plan.orphans != "lenient":
            return self.plan.orphans == "off"
        return not self.chooser.has_better_than(units, snapshot, now)

    def keeps(self, before: CompiledPlan) -> bool:
        """Whether no seat becomes a pool, and no pool a seat."""
        return (
            isinstance(before, CompiledSeats)
            and self.pools.keys().isdisjoint(before.categories)
            and self.categories.keys().isdisjoint(before.pools)
        )

    def category_of(self, unit: str | None) -> str | None:
        return self.room.category_of(unit or "")

    def category_names(self) -> set[str]:
        return named_categories(self.plan.sections, self.plan.pools)

    def section_of(self, unit: str) -> str:
        return self._sections.get(unit, "")

    def units_total(self) -> int:
        return len(self.categories) + sum(self.pools.values())

    def level(self, scope: Scope, snapshot: Snapshot, sale: SaleContext) -> Level:
        """How many seats and places are taken: of a pool, of a category, or of the room."""
        if scope.unit is not None:
            return Level(snapshot.drawn(scope.unit), self.pools.get(scope.unit, 0))
        every, now = scope.category is None, sale.now.timestamp()
        pools = [one for one in self.pools if every or self.category_of(one) == scope.category]
        taken = sum(map(snapshot.drawn, pools))
        for unit, one in snapshot.units.items():
            own = self.categories.get(unit)
            if own is not None and (every or own == scope.category):
                taken += one.until is None or one.until > now
        seats = len(self.categories) if every else self._seats_of[scope.category or ""]
        return Level(taken, seats + sum(self.pools[pool] for pool in pools))

    def category_stock(self, snapshot: Snapshot) -> CategoryStock:
        """By the category of seats and pools; a pool without one is a category of its own. What is
        blocked nobody has chosen, but of a pool it is not known apart."""
        units = self._units_of
        left, chosen = dict(units), dict.fromkeys(units, 0)
        for unit, taken in snapshot.units.items():
            name = self.categories.get(unit)
            if name is not None and (taken.until is None or taken.until > snapshot.now):
                left[name] -= 1
                chosen[name] += taken.state != UnitState.BLOCKED
        for pool in self.pools:
            name, drawn = self._pool_categories.get(pool, pool), snapshot.drawn(pool)
            if name in units:
                left[name] -= drawn
                chosen[name] += drawn
        left = {name: max(0, count) for name, count in left.items()}
        return CategoryStock(
            tuple(
                SoldCategory(name, units[name], left[name], chosen[name], {name: 1})
                for name in units
            ),
            left,
        )

    @cached_property
    def _units_of(self) -> dict[str, int]:
        """How many there are of each category, in the order of the plan's list, then of its
        seats."""
        found = Counter(self._seats_of)
        for pool, capacity in self.pools.items():
            found[self._pool_categories.get(pool, pool)] += capacity
        listed = (category.name for category in self.plan.categories)
        return {name: found[name] for name in dict.fromkeys((*listed, *found)) if found[name]}

    @cached_property
    def _orphan_guards(self) -> OrphanGuards:
        return OrphanGuards(self.seating)

    @cached_property
    def _seats_of(self) -> Counter[str]:
        return Counter(self.categories.values())

    @cached_property
    def _sections(self) -> dict[str, str]:
        return section_names(self.plan)
