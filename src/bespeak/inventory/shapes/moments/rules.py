"""Moments: exact ranges of courts, drivers, meeting rooms, on a raster that the plan declares. A
line names a range, and a thing or none: then the engine takes the one that leaves the least rest.
Each claim is a cell of the raster, so that what overlaps in time collides in the database.
"""

from __future__ import annotations

from zoneinfo import ZoneInfo

from bespeak.errors import InvalidRequest, NotOnSale, SoldOut
from bespeak.inventory.bounds import check_bounds
from bespeak.inventory.plans import (
    CLAIMS_MAX,
    AvailabilityQuery,
    CompiledPlan,
    LineClaims,
    Need,
    Offer,
    SaleContext,
    ShownClaim,
    is_of_any,
    refuse_choice,
    unknown,
)
from bespeak.inventory.lines import Line
from bespeak.inventory.snapshot import Snapshot, TakenClaims
from bespeak.inventory.shapes.moments.availability import (
    MomentsAvailability,
    availability,
    availability_units,
    together,
)
from bespeak.inventory.shapes.moments.ranges import MomentsPlan, MomentsRule, Range
from bespeak.inventory.timeline.instants import DAY, day_start, local_day, shown
from bespeak.inventory.timeline.raster import UNNAMED, block_cells, check_block, containing
from bespeak.states import UnitState

WATCHED_MAX = 4000
_DAYS_AROUND = 7


class CompiledMoments(CompiledPlan):
    """A plan of moments made ready."""

    def __init__(self, plan: MomentsPlan) -> None:
        """Raises InvalidRequest for a plan that makes no sense."""
        self.plan = check_bounds(plan)
        self.rule = MomentsRule(self.plan)

    def line_claims(self, line: Line, sale: SaleContext) -> LineClaims:
        """The claims of all cells of the range and its buffers. Raises UnknownUnit,
        InvalidRequest, NotOnSale."""
        refuse_choice(line)
        asked = self.rule.asked(line, sale)
        thing = self._thing(line)
        if thing is None:
            raise InvalidRequest("this line must name a thing", field="lines.unit")
        if line.quantity not in (None, 1):
            raise InvalidRequest("one thing is taken at a time", field="lines.quantity")
        cells = self.rule.claimed(asked)
        reasons = self.rule.reasons(asked, sale)
        if reasons:
            raise NotOnSale(reasons=reasons, resource_id=line.resource_id)
        price = sale.price if self.plan.price is None else self.plan.price
        return LineClaims(
            self._line(line, thing, asked, sale),
            [Need(unit) for unit in self.rule.raster.names(thing, cells)],
            price * (asked[1] - asked[0]),
        )

    def is_open(self, line: Line) -> bool:
        """Whether it is for any of several things, or for several at once."""
        return len(self.rule.things) > 1 and is_of_any(line)

    def watched(self, line: Line, sale: SaleContext) -> list[str] | None:
        """The cells of all things around the range, or what is on sale nearest to it: as many as
        `WATCHED_MAX` allows, but never less than the range and its buffers."""
        asked = self.rule.asked(line, sale)
        self.rule.claimed(asked)
        cells = range(*self._looked_at(asked, sale))
        if len(self.rule.things) * len(cells) > CLAIMS_MAX:
            return None
        names = self.rule.raster.names
        return [unit for thing in self.rule.things for unit in names(thing, cells)]

    def choose(
        self, line: Line, snapshot: Snapshot, sale: SaleContext, *, partial: bool
    ) -> list[Line]:
        """The things whose free range around the asked one has the least left over, so that long
        ranges stay whole; of equals in the order of the plan.

        Raises InvalidRequest, UnknownUnit, NotOnSale, SoldOut.
        """
        refuse_choice(line)
        asked = self.rule.asked(line, sale)
        if not self.is_open(line):
            return [line]
        self.rule.claimed(asked)
        reasons = self.rule.reasons(asked, sale)
        if reasons:
            raise NotOnSale(reasons=reasons, resource_id=line.resource_id)
        things = self._best_fits(self._free(asked, snapshot, sale), asked)
        wanted = line.quantity or 1
        if not things or (len(things) < wanted and not partial):
            raise SoldOut(
                f"{len(things)} free for the whole range, of {wanted}",
                resource_id=line.resource_id,
                available=len(things),
            )
        return [self._line(line, thing, asked, sale) for thing in things[:wanted]]

    def offers(self, line: Line, snapshot: Snapshot, sale: SaleContext, count: int) -> list[Offer]:
        """Other things at the same time; then the nearest times, those of the same date first, of
        the same thing and then of any. A length that may not be is the nearest that may.
        Raises InvalidRequest, UnknownUnit."""
        refuse_choice(line)
        asked = self.rule.asked(line, sale)
        self.rule.claimed(asked)
        named = self._thing(line)
        length = min(max(asked[1] - asked[0], self.rule.shortest), self.rule.longest)
        free = self._free(asked, snapshot, sale)
        if named is not None and length == asked[1] - asked[0] and containing(free[named], *asked):
            # It was refused for something else: what is next to it, and not itself with a shift.
            free = self._free(asked, snapshot, sale, named)
        found: list[Offer] = []
        if named is not None and not self.rule.reasons(asked, sale):
            for thing in self._best_fits(free, asked):
                if thing != named:
                    found.append([self._line(line, thing, asked, sale)])
        if named is not None:
            for at in self._nearest(free[named], asked, length, sale):
                found.append([self._line(line, named, at, sale)])
        wanted = line.quantity or 1 if named is None else 1
        known = {offer[0].from_ for offer in found}
        if len(found) < count:
            for at in self._nearest(together(free.values(), wanted), asked, length, sale):
                things = self._best_fits(free, at)[:wanted]
                if len(things) == wanted and shown(at[0] * self._seconds, sale.zone) not in known:
                    found.append([self._line(line, thing, at, sale) for thing in things])
        return found[:count]

    def block_needs(self, line: Line, sale: SaleContext) -> list[Need]:
        """The cells of any range, in or out of hours, of one thing or of all, without buffers; ends
        off the raster are rounded outwards. Raises UnknownUnit, InvalidRequest."""
        refuse_choice(line)
        if line.quantity not in (None, 1):
            raise InvalidRequest("a block names a thing, or is of all", field="lines.quantity")
        cells = block_cells(self.rule.raster, line, sale, None)
        thing = self._thing(line)
        things = self.rule.things if thing is None else (thing,)
        check_block(len(things), cells)
        return [Need(unit) for one in things for unit in self.rule.raster.names(one, cells)]

    def has(self, unit: str) -> bool:
        """Whether it is a cell of the raster, of a thing of the plan, by its one name."""
        return self.rule.raster.cell_of(unit) is not None

    def told(self, unit: str, zone: ZoneInfo) -> ShownClaim:
        """A cell of the raster, as the clocks of the zone show it."""
        return self.rule.raster.told(unit, zone)

    def keeps(self, before: CompiledPlan) -> bool:
        """Whether the claims made by the plan before mean the same by this one: cells of one
        length."""
        return (
            isinstance(before, CompiledMoments)
            and before.rule.raster.seconds == self.rule.raster.seconds
        )

    def availability_units(self, query: AvailabilityQuery, sale: SaleContext) -> list[str] | None:
        """The cells of the range and around it, or None if they are many. Raises InvalidRequest."""
        return availability_units(self.rule, query, sale)

    def availability(
        self, query: AvailabilityQuery, snapshot: Snapshot, sale: SaleContext
    ) -> MomentsAvailability:
        """What of each thing is free and what is taken. Raises InvalidRequest."""
        return availability(self.rule, query, snapshot, sale)

    @property
    def _seconds(self) -> int:
        return self.rule.raster.seconds

    def _thing(self, line: Line) -> str | None:
        """The thing of a line: the one that it names, or the only one. None: any of several."""
        if line.unit is None:
            return self.rule.things[0] if len(self.rule.things) == 1 else None
        if line.unit not in self.rule.raster.tracks or line.unit == UNNAMED:
            raise unknown(line, "there is no such thing")
        return line.unit

    def _line(self, line: Line, thing: str, asked: Range, sale: SaleContext) -> Line:
        return Line(
            line.resource_id,
            unit=thing or None,
            from_=shown(asked[0] * self._seconds, sale.zone),
            to=shown(asked[1] * self._seconds, sale.zone),
        )

    def _looked_at(self, asked: Range, sale: SaleContext) -> Range:
        """The cells around a range that are looked at, the same for every look at one instant: so
        far to both sides as `WATCHED_MAX` allows, from what is on sale."""
        rule = self.rule
        earliest, end = rule.on_sale(sale)
        length = asked[1] - asked[0] + rule.before + rule.after
        first = min(max(asked[0], earliest), max(earliest, end - (asked[1] - asked[0])))
        aside = max(0, (WATCHED_MAX // len(rule.things) - length) // 2)
        aside = min(aside, _DAYS_AROUND * DAY // self._seconds)
        low = max(first - rule.before - aside, earliest - rule.before)
        high = min(first + length - rule.before + aside, end + rule.after)
        return low, high

    def _free(
        self, asked: Range, snapshot: Snapshot, sale: SaleContext, named: str | None = None
    ) -> dict[str, list[Range]]:
        """The free ranges of each thing around a range; of the named one without that range."""
        rule = self.rule
        first, past = self._looked_at(asked, sale)
        now = sale.now.timestamp()
        taken = rule.raster.taken(snapshot, rule.things, first, past, now)
        if named is not None:
            known = dict(taken[named])
            own = TakenClaims(UnitState.HELD, None)
            for cell in range(asked[0] - rule.before, asked[1] + rule.after):
                known.setdefault(cell, own)
            taken[named] = sorted(known.items())
        opened = rule.opened(first + rule.before, past - rule.after, sale)
        return {thing: rule.free(opened, taken[thing]) for thing in rule.things}

    def _best_fits(self, free: dict[str, list[Range]], asked: Range) -> list[str]:
        """The things that are free for a range, those first that leave the least rest around it."""
        rests = []
        for place, thing in enumerate(self.rule.things):
            around = containing(free[thing], *asked)
            if around is not None:
                rests.append((around[1] - around[0], place))
        return [self.rule.things[place] for _, place in sorted(rests)]

    def _nearest(
        self, free: list[Range], asked: Range, length: int, sale: SaleContext
    ) -> list[Range]:
        """In each free range that is long enough what is nearest to the asked range."""
        zone, seconds = sale.zone, self._seconds
        date = local_day(asked[0] * seconds, zone)
        since, until = day_start(zone, date), day_start(zone, date + 1)
        found = []
        for low, high in free:
            if high - low >= length:
                first = min(max(asked[0], low), high - length)
                if (first, first + length) != asked:
                    other_day = not since <= first * seconds < until
                    found.append((other_day, abs(first - asked[0]), first))
        return [(first, first + length) for _, _, first in sorted(found)]
