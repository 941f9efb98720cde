"""The units of a room: seats, tables that are sold whole, and pools; each with its category."""

from __future__ import annotations

from functools import cached_property

from bespeak.errors import InvalidRequest
from bespeak.inventory.bounds import nonsense
from bespeak.inventory.line_checks import refuse_choice, unknown_name
from bespeak.inventory.lines import named
from bespeak.inventory.plans import RESERVED_PREFIXES, Need
from bespeak.inventory.shapes.seats.plan import SeatsPlan, check_plan
from bespeak.inventory.shapes.seats.rows import SeatRow, check_category, seat_rows, whole_tables
from bespeak.inventory.shapes.seats.seating import Seating
from bespeak.lines import Line

UNITS_MAX = 200_000


class RoomUnits:
    """The units of one plan.

    `categories` has the category of each exclusive unit, in the plan's order: the seats of the rows
    and of tables whose seats are sold singly, then the tables that are sold whole. `tables` has how
    many sit at each of these, `pools` the capacity of each pool, and `prices` the price of each
    category that the plan lists (None: the resource's own).
    """

    def __init__(self, plan: SeatsPlan) -> None:
        """Raises InvalidRequest for a plan that makes no sense."""
        check_plan(plan)
        self.plan = plan
        self.categories: dict[str, str] = {}
        self.tables: dict[str, int] = {}
        self._rows = self._read_rows()
        self.pools = {pool.unit: pool.capacity for pool in plan.pools}
        self.pool_categories = {pool.unit: pool.category for pool in plan.pools if pool.category}
        self.prices = {category.name: category.price for category in plan.categories}
        self._check_pools()

    @cached_property
    def seating(self) -> Seating:
        made = Seating(self.plan, self._rows or list(seat_rows(self.plan)))
        self._rows = []  # they are large, and all that is asked of them is in the arrays now
        return made

    def category_of(self, unit: str) -> str | None:
        return self.categories.get(unit) or self.pool_categories.get(unit)

    def need(self, line: Line) -> Need:
        """The claim of a line that leaves no choice. Raises UnknownUnit, InvalidRequest."""
        unit = line.unit
        if not line.is_plain or unit is None:
            refuse_choice(line)
            named(line)
            raise InvalidRequest("seats have no range", field="lines")
        if line.quantity is None:
            if unit in self.categories:
                return Need(unit)
            hint = "it is a pool: say a quantity" if unit in self.pools else None
        else:
            capacity = self.pools.get(unit)
            if capacity is not None:
                return Need(unit, line.quantity, capacity)
            single = unit in self.categories
            hint = "it is a single unit: leave the quantity out" if single else None
        raise unknown_name(line, hint)

    def _read_rows(self) -> list[SeatRow]:
        """All rows, after their units are noted."""
        rows: list[SeatRow] = []
        for row in seat_rows(self.plan):
            rows.append(row)
            for spot in row.spots:
                _add(self.categories, spot.unit, spot.category)
        for unit, category, seats in whole_tables(self.plan):
            _add(self.categories, unit, category)
            self.tables[unit] = seats
        return rows

    def _check_pools(self) -> None:
        seen = dict(self.categories)
        for pool in self.plan.pools:
            if pool.unit in self.categories:
                raise nonsense(f"{pool.unit!r} is a seat and a pool")
            _add(seen, pool.unit, "")
            if pool.category is not None:
                check_category(pool.category, self.prices.keys())
        if not seen:
            raise nonsense("it has no unit")


def _add(units: dict[str, str], unit: str, category: str) -> None:
    if unit in units:
        raise nonsense(f"the unit {unit!r} comes twice")
    if unit.startswith(RESERVED_PREFIXES):
        raise nonsense(f"{unit[:60]!r} begins with a reserved word")
    if len(units) >= UNITS_MAX:
        raise nonsense(f"more than {UNITS_MAX} units")
    units[unit] = category
