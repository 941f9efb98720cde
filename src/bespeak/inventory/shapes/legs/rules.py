"""Legs: the rule of a run with stops. A seat is claimed leg by leg, so one seat serves a journey
from A to C and another from C to E; places without a number and quotas are pools of each leg.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from zoneinfo import ZoneInfo

import msgspec
from msgspec import UNSET

from bespeak.errors import InvalidRequest, NotOnSale, SoldOut
from bespeak.inventory.plans import (
    AvailabilityQuery,
    CompiledPlan,
    LineClaims,
    Need,
    Offer,
    SaleContext,
    ShownClaim,
    unknown,
)
from bespeak.inventory.lines import CHOICE_MAX, Line
from bespeak.inventory.snapshot import Snapshot
from bespeak.inventory.shapes.legs.availability import LegsAvailability, RunBoard
from bespeak.inventory.shapes.legs.choice import Group, LegsChooser
from bespeak.inventory.shapes.legs.plan import QUOTA_PREFIX, LegsPlan, check_plan
from bespeak.inventory.shapes.legs.run import Journey, Run
from bespeak.inventory.shapes.legs.seats import RunSeats

# What the database can say is more; a price beyond this is a mistake in the plan.
_AMOUNT_MAX = 10**18


class CompiledLegs(CompiledPlan):
    """A run made ready."""

    def __init__(self, plan: LegsPlan) -> None:
        self.plan = plan
        self.categories = check_plan(plan)
        self.run = Run(plan, list(dict.fromkeys(self.categories.values())))
        self.exclusive_total = len(self.categories) * self.run.legs
        self._seats = RunSeats(self.categories, self.run.suffixes)
        self._chooser = LegsChooser(self.run, self._seats)
        self._board = RunBoard(self.run, self._seats)

    def line_claims(self, line: Line, sale: SaleContext) -> LineClaims:
        """A claim for each leg: of a seat, with the quotas there, or so many places of a pool.

        Raises UnknownUnit, NotOnSale (after the closing time, or over a leg that is not sold), and
        InvalidRequest for a line without two stops in their order.
        """
        _refuse_choice(line)
        unit = line.unit
        if unit is None:
            raise InvalidRequest("this line must name a seat or a pool", field="lines.unit")
        journey = self.run.journey_of(line)
        category = self.categories.get(unit)
        if category is None:
            return self._pool_meaning(line, unit, journey, sale)
        if line.quantity is not None:
            raise unknown(line, "it is a single seat: leave the quantity out")
        price = self._price(line, self.run.price(category, journey, sale), journey, sale)
        return LineClaims(line, self.run.seat_needs(unit, category, journey), price)

    def is_open(self, line: Line) -> bool:
        """Any seat of the run, or of a class."""
        return line.unit is None

    def choose(
        self, line: Line, snapshot: Snapshot, sale: SaleContext, *, partial: bool
    ) -> list[Line]:
        """Seats for the whole journey, in the class of `best` or else where they cost the least;
        of equal ones those that leave the best gaps, a group next to each other if possible.

        Raises SoldOut, NotOnSale, InvalidRequest.
        """
        group = self._group(line)
        self._check_class(line, group, sale)
        places = self._chooser.choose(group, snapshot, sale)
        if len(places) < (1 if partial else group.quantity):
            raise SoldOut(
                f"seats for the whole journey: {len(places)} of {group.quantity}",
                resource_id=line.resource_id,
                available=len(places),
            )
        return [
            self.run.line(line.resource_id, self._seats.units[place], group.journey, None)
            for place in places
        ]

    def offers(self, line: Line, snapshot: Snapshot, sale: SaleContext, count: int) -> list[Offer]:
        """Other seats of the class, the other classes, places without a number, and seats with a
        change on the way. Raises InvalidRequest, UnknownUnit."""
        return self.group_offers([line], snapshot, sale, count)

    def is_grouped(self, line: Line) -> bool:
        """Exact seats: who travels together is seated together."""
        return line.unit in self.categories

    def group_offers(
        self, lines: Sequence[Line], snapshot: Snapshot, sale: SaleContext, count: int
    ) -> list[Offer]:
        """As `offers`; for several seats, which have one journey, as many instead. Seats of several
        journeys are replaced one by one. Raises InvalidRequest, UnknownUnit."""
        groups = [self._wanted(line) for line in lines]
        if any(self.run.is_closed(group.journey, sale) for group in groups):
            return []
        if len({group.journey for group in groups}) > 1:
            return self._one_by_one(lines, groups, snapshot, sale)[:count]
        everyone = groups[0]._replace(quantity=sum(group.quantity for group in groups))
        return list(islice(self._chooser.instead(lines, everyone, snapshot, sale), count))

    def block_needs(self, line: Line, sale: SaleContext) -> list[Need]:
        """A seat, or all seats, or so many places of a pool, on each leg from `from` until `to`;
        from the first stop or to the last where these are absent. A block draws from no quota.

        Raises UnknownUnit, InvalidRequest.
        """
        _refuse_choice(line)
        journey = self.run.journey_within(line)
        unit = line.unit
        if unit is None:
            if line.quantity is not None:
                raise InvalidRequest(
                    "a block takes a seat by its name, or all of them", field="lines.quantity"
                )
            if not self.categories:
                raise InvalidRequest("the run has no seats: name a pool", field="lines.unit")
            return [need for one in self.categories for need in self.run.leg_needs(one, journey)]
        if unit in self.categories:
            if line.quantity is not None:
                raise unknown(line, "it is a single seat: leave the quantity out")
            return self.run.leg_needs(unit, journey)
        self._check_pool(line, unit)
        if line.quantity is None:
            raise unknown(line, "it is a pool: say a quantity")
        return self.run.pool_needs(unit, line.quantity, journey)

    def has(self, unit: str) -> bool:
        """Whether it is a seat, a pool or a quota on a leg that it has."""
        name, _, code = unit.rpartition("@")
        leg = self.run.leg_of(code)
        if leg is None:
            return False
        if name in self.categories or name in self.run.pools:
            return True
        return any(
            name == QUOTA_PREFIX + quota.name and quota.legs.start <= leg < quota.legs.stop
            for quota in self.run.quotas
        )

    def keeps(self, before: CompiledPlan) -> bool:
        """Only while the run has the same stops: a claim is named by the stop where it begins."""
        return isinstance(before, CompiledLegs) and before.run.codes == self.run.codes

    def category_of(self, unit: str | None) -> str | None:
        """The class of a seat."""
        return None if unit is None else self.categories.get(unit)

    def told(self, unit: str, zone: ZoneInfo) -> ShownClaim:
        """A seat, a pool or a quota from one stop to the next."""
        name, _, code = unit.rpartition("@")
        leg = self.run.leg_of(code)
        if leg is None:
            return ShownClaim(unit)
        return ShownClaim(name, code, self.run.codes[leg + 1], leg)

    def availability_units(self, query: AvailabilityQuery, sale: SaleContext) -> list[str] | None:
        """What the journey claims; None for more than is asked for by name.
        Raises InvalidRequest, UnknownUnit."""
        return self._board.units(query, sale)

    def availability(
        self, query: AvailabilityQuery, snapshot: Snapshot, sale: SaleContext
    ) -> LegsAvailability:
        """What is free for a journey. Raises InvalidRequest, UnknownUnit."""
        return self._board.answer(query, snapshot, sale)

    def _pool_meaning(
        self, line: Line, unit: str, journey: Journey, sale: SaleContext
    ) -> LineClaims:
        self._check_pool(line, unit)
        quantity = line.quantity or 1
        price = self._price(line, self.run.pool_price(unit, journey, sale), journey, sale)
        if price * quantity > _AMOUNT_MAX:
            raise InvalidRequest("the price of this line is beyond all bounds", field="lines")
        shown = line if line.quantity else msgspec.structs.replace(line, quantity=1)
        return LineClaims(
            shown, self.run.pool_needs(unit, quantity, journey), price * quantity, quantity
        )

    def _price(self, line: Line, price: int | None, journey: Journey, sale: SaleContext) -> int:
        """The price of what is on sale. Raises NotOnSale."""
        if price is None or self.run.is_closed(journey, sale):
            raise self._not_on_sale(line, journey, price, sale)
        return price

    def _not_on_sale(
        self, line: Line, journey: Journey, price: int | None, sale: SaleContext
    ) -> NotOnSale:
        reasons = self.run.broken(line.unit, journey, price, sale)
        return NotOnSale(reasons=reasons, resource_id=line.resource_id)

    def _check_pool(self, line: Line, unit: str) -> None:
        """Raises UnknownUnit, InvalidRequest for a unit that is no pool."""
        if unit not in self.run.pools:
            if not unit.isprintable():
                raise InvalidRequest("a unit's name has no control characters", field="lines")
            is_class = unit in self._seats.classes
            raise unknown(line, "it is a class: ask for it by `best`" if is_class else None)

    def _check_class(self, line: Line, group: Group, sale: SaleContext) -> None:
        """Raises InvalidRequest for a class that the run does not have, NotOnSale."""
        classes = self._seats.classes
        if not classes:
            raise InvalidRequest("the run has no seats: name a pool", field="lines.unit")
        if group.category is not None:
            if group.category not in classes:
                raise InvalidRequest(
                    f"the run has no class {group.category[:60]!r}", field="lines.best.category"
                )
            classes = [group.category]
        prices = [self.run.price(name, group.journey, sale) for name in classes]
        price = next((one for one in prices if one is not None), None)
        self._price(line, price, group.journey, sale)

    def _wanted(self, line: Line) -> Group:
        """How many a line that was refused is for, and of which class. Raises UnknownUnit,
        InvalidRequest."""
        if line.unit is None:
            group = self._group(line)
            if group.category is not None and group.category not in self._seats.classes:
                raise InvalidRequest("no such class", field="lines.best.category")
            return group
        category = self.categories.get(line.unit)
        if category is None:
            self._check_pool(line, line.unit)
        return Group(self.run.journey_of(line), line.quantity or 1, category)

    def _group(self, line: Line) -> Group:
        """Who travels, by a line that names no unit. Raises InvalidRequest."""
        _refuse_choice(line)
        journey = self.run.journey_of(line)
        best = line.best
        if best is UNSET:
            quantity = line.quantity or 1
            if quantity > CHOICE_MAX:
                raise InvalidRequest(
                    f"at most {CHOICE_MAX} seats at once", field="lines.quantity", limit=CHOICE_MAX
                )
            return Group(journey, quantity, None)
        if line.quantity is not None:
            raise InvalidRequest("`best` says how many", field="lines.quantity")
        if best.strategy != "best" or best.accessible:
            raise InvalidRequest("the seats of a run are chosen by class only", field="lines.best")
        return Group(journey, best.quantity, best.category)

    def _one_by_one(
        self, lines: Sequence[Line], groups: Sequence[Group], snapshot: Snapshot, sale: SaleContext
    ) -> list[Offer]:
        """One offer of another seat for each line, none twice; nothing unless each has one."""
        used = list(lines)
        offer: Offer = []
        for line, group in zip(lines, groups, strict=True):
            others = [one for one in used if one is not line]
            found = next(self._chooser.instead([line, *others], group, snapshot, sale), None)
            if found is None:
                return []
            offer += found
            used += found
        return [offer] if self._fits(offer, snapshot) else []

    def _fits(self, offer: Offer, snapshot: Snapshot) -> bool:
        """Whether the pools and quotas have enough for all lines of an offer together."""
        drawn: Counter[tuple[str, int]] = Counter()
        for line in offer:
            journey, unit = self.run.journey_of(line), line.unit or ""
            category = self.categories.get(unit)
            if category is None:
                needs = self.run.pool_needs(unit, line.quantity or 1, journey)
            else:
                needs = self.run.quota_needs(category, journey)
            for need in needs:
                drawn[need.unit, need.capacity or 0] += need.quantity or 0
        return all(
            quantity <= capacity - snapshot.drawn(unit)
            for (unit, capacity), quantity in drawn.items()
        )


def _refuse_choice(line: Line) -> None:
    """Raises InvalidRequest for a named unit with a choice, and for a number or a code."""
    if line.best is not UNSET and line.unit is not None:
        raise InvalidRequest("`best` goes with no `unit`", field="lines.best")
    for field in ("next", "code"):
        if getattr(line, field) is not UNSET:
            raise InvalidRequest(f"this resource takes no `{field}`", field=f"lines.{field}")
