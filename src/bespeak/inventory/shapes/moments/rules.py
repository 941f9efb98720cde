"""The rules of moments. A line names a range, and a thing or none: then the engine takes the one
that leaves the least rest. Each claim is a cell of the raster, so that what overlaps in time
collides in the database.
"""

from __future__ import annotations

from zoneinfo import ZoneInfo

from bespeak.errors import InvalidRequest, NotOnSale
from bespeak.inventory.line_checks import refuse_choice
from bespeak.inventory.lines import Line
from bespeak.inventory.plans import (
    CompiledPlan,
    LineClaims,
    Need,
    SaleContext,
    ShownClaim,
    When,
)
from bespeak.inventory.shapes.moments.availability import MomentsReader
from bespeak.inventory.shapes.moments.choice import MomentsChooser
from bespeak.inventory.shapes.moments.plan import MomentsPlan, check_plan
from bespeak.inventory.shapes.moments.ranges import RangeRules
from bespeak.inventory.timeline.ranges import block_cells, check_block, times_of


class CompiledMoments(CompiledPlan):
    reader: MomentsReader
    chooser: MomentsChooser
    range_kind = "times"

    def __init__(self, plan: MomentsPlan) -> None:
        self.plan = check_plan(plan)
        self.rule = RangeRules(self.plan)
        self.reader = MomentsReader(self.rule)
        self.chooser = MomentsChooser(self.rule)

    def line_claims(self, line: Line, sale: SaleContext) -> LineClaims:
        """The claims of all cells of the range and its buffers."""
        refuse_choice(line)
        asked, thing = self.rule.asked(line, sale), self.rule.thing_of(line)
        if thing is None:
            raise InvalidRequest("this line must name a thing", field="lines.unit")
        if line.quantity not in (None, 1):
            raise InvalidRequest("one thing is taken at a time", field="lines.quantity")
        cells = self.rule.claimed(asked)
        reasons = self.rule.reasons(asked, sale)
        if reasons:
            raise NotOnSale(reasons=reasons, resource_id=line.resource_id)
        return LineClaims(
            self.rule.line(line.resource_id, thing, asked, sale),
            [Need(unit) for unit in self.rule.raster.names(thing, cells)],
            sale.priced(self.plan.price) * (asked[1] - asked[0]),
        )

    def is_open(self, line: Line) -> bool:
        return self.chooser.is_open(line)

    def block_needs(self, line: Line, sale: SaleContext) -> list[Need]:
        """The cells of any range, in or out of hours, of one thing or of all, without buffers; ends
        off the raster are rounded outwards. Raises UnknownUnit, InvalidRequest."""
        refuse_choice(line)
        if line.quantity not in (None, 1):
            raise InvalidRequest("a block names a thing, or is of all", field="lines.quantity")
        cells = block_cells(self.rule.raster, line, sale, None)
        thing = self.rule.thing_of(line)
        things = self.rule.things if thing is None else (thing,)
        check_block(len(things), cells)
        return [Need(unit) for one in things for unit in self.rule.raster.names(one, cells)]

    def has(self, unit: str) -> bool:
        """Whether it is a cell of the raster, of a thing of the plan, by its one name."""
        return self.rule.raster.cell_of(unit) is not None

    def shown_claim(self, unit: str, zone: ZoneInfo) -> ShownClaim:
        return self.rule.raster.shown_claim(unit, zone)

    def when(self, start: str, end: str | None, zone: ZoneInfo) -> tuple[When, When | None]:
        return times_of(start, end, zone)

    def keeps(self, before: CompiledPlan) -> bool:
        """Whether the cells are of one length."""
        return (
            isinstance(before, CompiledMoments)
            and before.rule.raster.seconds == self.rule.raster.seconds
        )
