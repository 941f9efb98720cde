"""The rules of moments. A line names a range, and a thing or none: then the engine takes the one
that leaves the least rest. Each claim is a cell of the raster, so that what overlaps in time
collides in the database.
"""

from __future__ import annotations

from bespeak.errors import InvalidRequest, NotOnSale
from bespeak.inventory.line_checks import refuse_choice
from bespeak.inventory.plans import (
    CompiledPlan,
    LineClaims,
    Need,
    SaleContext,
)
from bespeak.inventory.shapes.moments.availability import MomentsReader
from bespeak.inventory.shapes.moments.choice import MomentsChooser
from bespeak.inventory.shapes.moments.plan import MomentsPlan, check_plan
from bespeak.inventory.shapes.moments.ranges import RangeRules
from bespeak.inventory.timeline.ranges import RasterPlan, block_cells, check_block
from bespeak.inventory.timeline.raster import UNNAMED
from bespeak.lines import Line


class CompiledMoments(RasterPlan):
    reader: MomentsReader
    chooser: MomentsChooser

    def __init__(self, plan: MomentsPlan) -> None:
        self.plan = check_plan(plan)
        self.rule = RangeRules(self.plan)
        self.raster = self.rule.raster
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
            [Need(unit) for unit in self.raster.names(thing, cells)],
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
        cells = block_cells(self.raster, line, sale, None)
        thing = self.rule.thing_of(line)
        things = self.rule.things if thing is None else (thing,)
        check_block(len(things), cells)
        return [Need(unit) for one in things for unit in self.raster.names(one, cells)]

    def is_exact(self, unit: str) -> bool:
        return unit != UNNAMED and unit in self.rule.things

    def keeps(self, before: CompiledPlan) -> bool:
        """Whether the cells are of one length."""
        return isinstance(before, CompiledMoments) and before.raster.seconds == self.raster.seconds
