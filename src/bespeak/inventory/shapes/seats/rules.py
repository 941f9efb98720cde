"""Seats: the rule of a seat map. Each seat is an exclusive unit with a category, each standing area
a pool. `bespeak.plan_units` is the same rule in SQL, and a test holds the two together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cached_property

import msgspec
import numpy as np
from msgspec import UNSET, UnsetType

from bespeak.errors import InvalidRequest, Refused, UnknownUnit
from bespeak.inventory.bounds import check_bounds, nonsense
from bespeak.inventory.plans import (
    RESERVED_PREFIXES,
    AvailabilityQuery,
    CompiledPlan,
    Guard,
    LineClaims,
    Need,
    Offer,
    PlainClaims,
    PoolLevel,
    SaleContext,
    TakenUnit,
    refuse_choice,
    unknown,
)
from bespeak.inventory.lines import Best, Line, named
from bespeak.inventory.snapshot import Snapshot
from bespeak.inventory.shapes.seats.choice import SeatChooser
from bespeak.inventory.shapes.seats.orphans import Guarding
from bespeak.inventory.shapes.seats.plain import plain_claims
from bespeak.inventory.shapes.seats.rows import SeatRow, check_category, seat_rows, whole_tables
from bespeak.inventory.shapes.seats.seating import Seating
from bespeak.inventory.shapes.seats.plan import SeatsPlan
from bespeak.pricing.demand import Level, Scope
from bespeak.states import UnitState

UNITS_MAX = 200_000
_ENDLESS = {state: TakenUnit(state) for state in UnitState}


class SeatsAvailability(msgspec.Struct, frozen=True, kw_only=True, tag="seats"):
    """What of a room is taken; a seat that is absent is free. `version` changes with every event.
    `prices` gives the price of a seat of each category, where the plan lists categories."""

    resource_id: str
    version: str
    taken: dict[str, TakenUnit]
    pools: dict[str, PoolLevel]
    units_total: int
    units_free: int
    prices: dict[str, int] | UnsetType = UNSET


class CompiledSeats(CompiledPlan):
    """A room made ready.

    `categories` has the category of each exclusive unit, in the plan's order: the seats of the rows
    and of tables whose seats are sold singly, then the tables that are sold whole. `pools` has the
    capacity of each pool.
    """

    demand_scopes = frozenset(("all", "category", "unit"))

    def __init__(self, plan: SeatsPlan) -> None:
        _check_form(plan)
        self.plan = plan
        self.categories: dict[str, str] = {}
        self.pools = {pool.unit: pool.capacity for pool in plan.pools}
        self.tables: dict[str, int] = {}
        self._rows = self._read_rows()
        self._read_pools()
        self._prices = {category.name: category.price for category in plan.categories}
        self.exclusive_total = len(self.categories)
        self.guards_seats = plan.orphans != "off"

    @cached_property
    def seating(self) -> Seating:
        """The single seats as arrays."""
        made = Seating(self.plan, self._rows or list(seat_rows(self.plan)))
        self._rows = []  # they are large, and all that is asked of them is in the arrays now
        return made

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
        return plain_claims(self, lines, self._prices, self._pool_categories, price)

    def is_open(self, line: Line) -> bool:
        """Whether the seats are left to the engine."""
        return line.best is not UNSET

    def choose(
        self, line: Line, snapshot: Snapshot, sale: SaleContext, *, partial: bool
    ) -> list[Line]:
        """The best seats by what the picture shows, a line each, in the plan's order.

        Raises SoldOut, NotTogether, InvalidRequest; and OrphanSeat where seats are there, but any
        choice would leave a single one and the rule is strict.
        """
        if line.best is UNSET:
            return [line]
        best = self._best(line)
        view = self._chooser.view(snapshot, sale.now.timestamp())
        try:
            seats = self._chooser.choose(best, view, partial=partial)
        except Refused as refusal:
            refusal.data["resource_id"] = line.resource_id
            raise
        return self._lines(line.resource_id, seats.tolist())

    def offers(self, line: Line, snapshot: Snapshot, sale: SaleContext, count: int) -> list[Offer]:
        """For a seat the nearest free ones, of its own category first; for the best seats the next
        best, or where none are together, as many in parts; for a pool the others with as many left;
        for a whole table the others that seat as many."""
        if line.best is not UNSET:
            best = self._best(line)
            view = self._chooser.view(snapshot, sale.now.timestamp())
            found = self._chooser.alternatives(best, view, count)
            return [self._lines(line.resource_id, seats.tolist()) for seats in found]
        unit = self._need(line).unit
        if line.quantity is not None:
            return self._other_pools(line, snapshot, count)
        if unit in self.tables:
            return self._other_tables(line, snapshot, sale, count)
        offers = self.offers_for([unit], snapshot, sale, count)
        return [[Line(line.resource_id, seat) for seat in offer] for offer in offers]

    def is_grouped(self, line: Line) -> bool:
        """Whether it names an exact seat: a group that cannot have its seats wants others
        together."""
        return line.is_plain and line.quantity is None and line.unit in self._single

    def group_offers(
        self, lines: Sequence[Line], snapshot: Snapshot, sale: SaleContext, count: int
    ) -> list[Offer]:
        """As many seats together as the lines name, the nearest to them first."""
        units = [line.unit for line in lines if line.unit is not None]
        if len(lines) == 1 and not self.is_grouped(lines[0]):
            return self.offers(lines[0], snapshot, sale, count)
        return [
            [Line(lines[0].resource_id, unit) for unit in offer]
            for offer in self.offers_for(units, snapshot, sale, count)
        ]

    def offers_for(
        self, units: Sequence[str], snapshot: Snapshot, sale: SaleContext, count: int
    ) -> list[list[str]]:
        """For a group of exact seats that was refused: at most `count` choices of as many together,
        the nearest first and the same categories before others. Seats that were asked for and are
        free may be among them; none is just the seats that were asked for."""
        index = self._single
        asked = [index[unit] for unit in units if unit in index]
        if not asked:
            return []
        view = self._chooser.view(snapshot, sale.now.timestamp())
        names = self.seating.units
        found = self._chooser.nearest(np.array(sorted(set(asked)), np.intp), view, count)
        return [[names[seat] for seat in seats.tolist()] for seats in found]

    def guards(self, units: Sequence[str]) -> list[Guard]:
        """The seats beside these units of one hold that must not be left single: none where the
        rule is off."""
        return self._guarding.guards(units) if self.guards_seats else []

    def lenient_allows(self, units: Sequence[str], snapshot: Snapshot, now: float) -> bool:
        """Whether these units of one hold may leave a single seat at this time (seconds since
        1970): where the rule is lenient, and no choice of as many seats together, in their
        categories, would leave none."""
        if self.plan.orphans != "lenient":
            return self.plan.orphans == "off"
        chosen = [self._single[unit] for unit in units if unit in self._single]
        if not chosen:
            return True
        view = self._chooser.view(snapshot, now)
        return not self._chooser.has_better(np.array(chosen, np.intp), view)

    def block_needs(self, line: Line, sale: SaleContext) -> list[Need]:
        """As of a hold."""
        return [self._need(line)]

    def keeps(self, before: CompiledPlan) -> bool:
        """Whether no seat becomes a pool, and no pool a seat."""
        if not isinstance(before, CompiledSeats):
            return False
        return self.pools.keys().isdisjoint(
            before.categories
        ) and self.categories.keys().isdisjoint(before.pools)

    def has(self, unit: str) -> bool:
        """Whether it is a seat, a table or a pool of the room."""
        return unit in self.categories or unit in self.pools

    def category_of(self, unit: str | None) -> str | None:
        """The category of a seat, a table or a pool."""
        return self.categories.get(unit or "") or self._pool_categories.get(unit or "")

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

    def availability_units(self, query: AvailabilityQuery, sale: SaleContext) -> list[str] | None:
        """All of them, or the one that was asked for. Raises InvalidRequest, UnknownUnit."""
        if query.from_ is not None or query.to is not None:
            raise InvalidRequest("seats have no range", field="from")
        if query.unit is None:
            return None
        if not self.has(query.unit):
            raise UnknownUnit(unit=query.unit[:200])
        return [query.unit]

    def availability(
        self, query: AvailabilityQuery, snapshot: Snapshot, sale: SaleContext
    ) -> SeatsAvailability:
        """The sparse map, of the room or of one unit."""
        now = sale.now.timestamp()
        one = query.unit
        taken = {
            unit: _ENDLESS[found.state] if until is None else _lapsing(found.state, until)
            for unit, found in snapshot.units.items()
            if ((until := found.until) is None or until > now)
            and unit in self.categories
            and (one is None or one == unit)
        }
        total = len(self.categories) if one is None else int(one in self.categories)
        return SeatsAvailability(
            resource_id=sale.resource_id,
            version=snapshot.version,
            taken=taken,
            pools={
                unit: PoolLevel(capacity, max(0, capacity - snapshot.drawn(unit)))
                for unit, capacity in self.pools.items()
                if one is None or one == unit
            },
            units_total=total,
            units_free=total - len(taken),
            prices={name: sale.priced(price, category=name) for name, price in self._prices.items()}
            or UNSET,
        )

    @cached_property
    def _chooser(self) -> SeatChooser:
        return SeatChooser(self.seating, self.plan.orphans)

    @cached_property
    def _guarding(self) -> Guarding:
        return Guarding(self.seating)

    @cached_property
    def _single(self) -> dict[str, int]:
        return self.seating.index

    @cached_property
    def _seats_of(self) -> Counter[str]:
        return Counter(self.categories.values())

    @cached_property
    def _pool_categories(self) -> dict[str, str]:
        return {pool.unit: pool.category for pool in self.plan.pools if pool.category}

    def _need(self, line: Line) -> Need:
        """The claim of a line. Raises UnknownUnit, InvalidRequest."""
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
        if not unit.isprintable():
            raise InvalidRequest("a unit's name has no control characters", field="lines")
        raise unknown(line, hint)

    def _best(self, line: Line) -> Best:
        """The choice that a line leaves. Raises InvalidRequest."""
        best = line.best
        if best is UNSET or line.unit is not None or line.quantity is not None:
            raise InvalidRequest(
                "a line with `best` has no unit and no quantity beside it", field="lines.best"
            )
        if line.from_ is not UNSET or line.to is not UNSET:
            raise InvalidRequest("seats have no range", field="lines")
        refuse_choice(msgspec.structs.replace(line, best=UNSET))
        if not self.seating.units:
            raise InvalidRequest("this room has no single seats to choose", field="lines.best")
        if best.category is not None and self.seating.of_category(best.category) is None:
            raise InvalidRequest(
                f"this room has no seats of the category {best.category!r}",
                field="lines.best.category",
            )
        return best

    def _lines(self, resource_id: str, seats: Sequence[int]) -> list[Line]:
        names = self.seating.units
        return [Line(resource_id, names[seat]) for seat in seats]

    def _other_pools(self, line: Line, snapshot: Snapshot, count: int) -> list[Offer]:
        quantity = line.quantity or 1
        own = self._pool_categories.get(line.unit or "")
        others = [
            unit
            for unit, capacity in self.pools.items()
            if unit != line.unit and capacity - snapshot.drawn(unit) >= quantity
        ]
        others.sort(key=lambda unit: self._pool_categories.get(unit) != own)
        return [[Line(line.resource_id, unit, quantity)] for unit in others[:count]]

    def _other_tables(
        self, line: Line, snapshot: Snapshot, sale: SaleContext, count: int
    ) -> list[Offer]:
        asked = line.unit or ""
        now = sale.now.timestamp()
        others = [
            unit
            for unit, seats in self.tables.items()
            if unit != asked and seats >= self.tables[asked] and not snapshot.taken(unit, now)
        ]
        own = self.categories[asked]
        others.sort(key=lambda unit: (self.categories[unit] != own, self.tables[unit]))
        return [[Line(line.resource_id, unit)] for unit in others[:count]]

    def _read_rows(self) -> list[SeatRow]:
        """All rows, after their units are noted. Raises InvalidRequest."""
        rows: list[SeatRow] = []
        for row in seat_rows(self.plan):
            rows.append(row)
            for spot in row.spots:
                _add(self.categories, spot.unit, spot.category)
        for unit, category, seats in whole_tables(self.plan):
            _add(self.categories, unit, category)
            self.tables[unit] = seats
        return rows

    def _read_pools(self) -> None:
        """Checks the pools. Raises InvalidRequest."""
        known = frozenset(category.name for category in self.plan.categories)
        seen = dict(self.categories)
        for pool in self.plan.pools:
            if pool.unit in self.categories:
                raise nonsense(f"{pool.unit!r} is a seat and a pool")
            _add(seen, pool.unit, "")
            if pool.category is not None:
                check_category(pool.category, known)
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


def _check_form(plan: SeatsPlan) -> None:
    """Holds a plan that was made in Python to the bounds of the format. Raises InvalidRequest."""
    if check_bounds(plan) != plan:
        raise nonsense("a number is not a number, or a list is no tuple")


def _lapsing(state: str, until: float) -> TakenUnit:
    return TakenUnit(state, datetime.fromtimestamp(until, UTC))
