"""The rules of a run with stops. A seat is claimed leg by leg, so one seat serves a journey from A
to C and another from C to E; places without a number and quotas are pools of each leg.
"""

from __future__ import annotations

from datetime import UTC
from functools import cached_property
from zoneinfo import ZoneInfo

import msgspec

from bespeak.errors import InvalidRequest
from bespeak.inventory.line_checks import check_amount, unknown
from bespeak.inventory.plans import (
    CompiledPlan,
    LineClaims,
    Need,
    SaleContext,
    ShownClaim,
    When,
)
from bespeak.inventory.shapes.legs.availability import LegsReader
from bespeak.inventory.shapes.legs.choice import LegsChooser
from bespeak.inventory.shapes.legs.plan import QUOTA_PREFIX, LegsPlan, check_plan
from bespeak.inventory.shapes.legs.run import Journey, Run, refuse_choice_of_seat
from bespeak.inventory.shapes.legs.seats import RunSeats
from bespeak.inventory.shapes.seats.plan import SeatsPlan, named_categories
from bespeak.inventory.shapes.seats.rows import section_names
from bespeak.lines import Line


class CompiledLegs(CompiledPlan):
    reader: LegsReader
    chooser: LegsChooser
    range_kind = "stops"
    moves_in_category = True  # quotas count the classes of seats

    def __init__(self, plan: LegsPlan) -> None:
        self.plan = plan
        self.categories = check_plan(plan)
        self.run = Run(plan, list(dict.fromkeys(self.categories.values())))
        self.exclusive_total = len(self.categories) * self.run.legs
        self._seats = RunSeats(self.categories, self.run.suffixes)
        self.reader = LegsReader(self.run, self._seats)
        self.chooser = LegsChooser(self.run, self._seats)

    def line_claims(self, line: Line, sale: SaleContext) -> LineClaims:
        """A claim for each leg: of a seat, with the quotas there, or so many places of a pool."""
        refuse_choice_of_seat(line)
        unit = line.unit
        if unit is None:
            raise InvalidRequest("this line must name a seat or a pool", field="lines.unit")
        journey = self.run.journey_of(line)
        category = self.categories.get(unit)
        if category is None:
            return self._pool_claims(line, unit, journey, sale)
        if line.quantity is not None:
            raise unknown(line, "it is a single seat: leave the quantity out")
        price = self.run.price(category, journey, sale)
        return LineClaims(
            line,
            self.run.seat_needs(unit, category, journey),
            self.run.check_sale(line, price, journey, sale),
        )

    def is_open(self, line: Line) -> bool:
        """Any seat of the run, or of a class."""
        return line.unit is None

    def is_grouped(self, line: Line) -> bool:
        """Exact seats: who travels together is seated together."""
        return line.unit in self.categories

    def block_needs(self, line: Line, sale: SaleContext) -> list[Need]:
        """A seat, or all seats, or so many places of a pool, on each leg from `from` until `to`;
        from the first stop or to the last where these are absent. A block draws from no quota."""
        refuse_choice_of_seat(line)
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
        self.run.check_pool(line, self._seats.classes)
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

    def is_exact(self, unit: str) -> bool:
        return unit in self.categories

    def keeps(self, before: CompiledPlan) -> bool:
        """Only while the run has the same stops: a claim is named by the stop where it begins."""
        return isinstance(before, CompiledLegs) and before.run.codes == self.run.codes

    def category_of(self, unit: str | None) -> str | None:
        return None if unit is None else self.categories.get(unit)

    def category_names(self) -> set[str]:
        return named_categories(self.plan.sections, self.plan.pools)

    def section_of(self, unit: str) -> str:
        return self._coaches.get(unit, "")

    def shown_claim(self, unit: str, zone: ZoneInfo) -> ShownClaim:
        """A seat, a pool or a quota from one stop to the next."""
        name, _, code = unit.rpartition("@")
        leg = self.run.leg_of(code)
        if leg is None:
            return ShownClaim(unit)
        return ShownClaim(name, code, self.run.codes[leg + 1], leg)

    def when(self, start: str, end: str | None, zone: ZoneInfo) -> tuple[When, When | None] | None:
        """When the run leaves the first stop, and when it comes to the last."""
        stops = {stop.code: stop for stop in self.plan.stops}
        first, last = stops.get(start), stops.get(end or "")
        begins = None if first is None else first.departs or first.arrives
        ends = None if last is None else last.arrives or last.departs
        if begins is None:
            return None
        return begins.astimezone(UTC), None if ends is None else ends.astimezone(UTC)

    @cached_property
    def _coaches(self) -> dict[str, str]:
        return section_names(SeatsPlan(sections=self.plan.sections))

    def _pool_claims(
        self, line: Line, unit: str, journey: Journey, sale: SaleContext
    ) -> LineClaims:
        self.run.check_pool(line, self._seats.classes)
        quantity = line.quantity or 1
        price = self.run.pool_price(unit, journey, sale)
        amount = self.run.check_sale(line, price, journey, sale) * quantity
        check_amount(amount)
        shown = line if line.quantity else msgspec.structs.replace(line, quantity=1)
        return LineClaims(shown, self.run.pool_needs(unit, quantity, journey), amount, quantity)
