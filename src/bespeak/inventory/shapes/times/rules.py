"""The rules of times. A line names a slot's beginning, and a provider or none: then the engine
chooses, fairly. Each claim is a cell of the raster, so that what overlaps in time collides in the
database.
"""

from __future__ import annotations

from collections.abc import Collection

from bespeak.errors import InvalidRequest, NotOnSale
from bespeak.inventory.line_checks import refuse_choice
from bespeak.inventory.plans import (
    CompiledPlan,
    LineClaims,
    Need,
    SaleContext,
)
from bespeak.inventory.shapes.times.availability import TimesReader
from bespeak.inventory.shapes.times.choice import TimesChooser
from bespeak.inventory.shapes.times.plan import TimesPlan, check_plan
from bespeak.inventory.shapes.times.rates import RateRules
from bespeak.inventory.shapes.times.slots import AskedSlots, SlotRules
from bespeak.inventory.snapshot import Snapshot
from bespeak.inventory.timeline.ranges import RasterPlan, block_cells, check_block
from bespeak.inventory.timeline.raster import UNNAMED
from bespeak.lines import Line
from bespeak.pricing.demand import Level, Scope


class CompiledTimes(RasterPlan):
    reader: TimesReader
    chooser: TimesChooser
    demand_scopes = frozenset(("all",))

    def __init__(self, plan: TimesPlan) -> None:
        self.plan = check_plan(plan)
        self.rates = RateRules(self.plan)
        self.rule = self.rates.own
        self.raster = self.rule.raster
        self.reader = TimesReader(self.rates)
        self.chooser = TimesChooser(self.rates)

    def line_claims(self, line: Line, sale: SaleContext) -> LineClaims:
        """The claims of all cells of the slots and their buffers."""
        rule = self.rates.of_line(line)
        asked, track = rule.asked(line, sale), rule.track_of(line)
        if track is None:
            raise InvalidRequest("this line must name a provider", field="lines.unit")
        if track.capacity == 1 and asked.quantity > 1:
            raise InvalidRequest("this provider takes one at a time", field="lines.quantity")
        reasons = rule.reasons(track, asked.start, asked.slots, sale)
        if reasons:
            raise NotOnSale(reasons=reasons, resource_id=line.resource_id)
        return LineClaims(
            rule.line(line.resource_id, track, asked, sale),
            rule.needs(track, rule.cells(asked.start, asked.slots), asked.quantity),
            _price(rule, asked, sale) * asked.quantity,
            asked.quantity,
        )

    def is_open(self, line: Line) -> bool:
        return self.chooser.is_open(line)

    def block_needs(self, line: Line, sale: SaleContext) -> list[Need]:
        """The cells of any range, in or out of hours, of one provider or of all; of pools so many
        places, or all of them."""
        refuse_choice(line)
        cells = block_cells(self.raster, line, sale, self.rule.slot)
        track = self.rule.track_of(line)
        tracks = self.rule.tracks if track is None else (track,)
        check_block(len(tracks), cells)
        needs: list[Need] = []
        for one in tracks:
            if one.capacity == 1 and line.quantity not in (None, 1):
                raise InvalidRequest("this provider takes one at a time", field="lines.quantity")
            needs.extend(self.rule.needs(one, cells, line.quantity or one.capacity))
        return needs

    def level(self, scope: Scope, snapshot: Snapshot, sale: SaleContext) -> Level:
        """How many places are taken of the slot that begins then, over all who offer it."""
        rule, now = self.rates.of_name(scope.rate, "rate"), sale.now.timestamp()
        cells = rule.cells(scope.at, 1)
        tracks = [one for one in rule.tracks if rule.day_of(one, scope.at, sale.zone) is not None]
        left = sum(rule.left(track, cells, snapshot, now) for track in tracks)
        capacity = sum(track.capacity for track in tracks)
        return Level(capacity - left, capacity)

    def rate_names(self) -> Collection[str]:
        return self.rates.by_rate or ()

    def is_exact(self, unit: str) -> bool:
        """A provider who takes one at a time."""
        track = self.rule.by_name.get(unit)
        return track is not None and track.name != UNNAMED and track.capacity == 1

    def keeps(self, before: CompiledPlan) -> bool:
        """Whether the cells are of one length, and each provider is as exclusive or as much a pool
        as it was."""
        if not isinstance(before, CompiledTimes):
            return False
        kinds = {track.name: track.capacity > 1 for track in before.rule.tracks}
        return before.raster.seconds == self.raster.seconds and all(
            kinds.get(track.name, track.capacity > 1) == (track.capacity > 1)
            for track in self.rule.tracks
        )


def _price(rule: SlotRules, asked: AskedSlots, sale: SaleContext) -> int:
    """The price of one place in all slots."""
    price = rule.plan.price
    if sale.demand is None:
        return sale.priced(price) * asked.slots
    starts = range(asked.start, asked.start + asked.slots * rule.slot, rule.slot)
    return sum(sale.priced(price, at=start, rate=rule.rate) for start in starts)
