"""Choosing among moments: which thing takes a line that names none, and what could be held instead
of what was refused.
"""

from __future__ import annotations

from bespeak.errors import NotOnSale, SoldOut
from bespeak.inventory.line_checks import is_of_any, refuse_choice
from bespeak.inventory.plans import CLAIMS_MAX, Chooser, SaleContext
from bespeak.inventory.shapes.moments.availability import together
from bespeak.inventory.shapes.moments.ranges import Range, RangeRules
from bespeak.inventory.snapshot import Snapshot, TakenClaims
from bespeak.inventory.timeline.instants import DAY, shown
from bespeak.inventory.timeline.ranges import nearness
from bespeak.inventory.timeline.raster import containing
from bespeak.lines import Line
from bespeak.refusals import Offer
from bespeak.states import UnitState

WATCHED_MAX = 4000
_DAYS_AROUND = 7


class MomentsChooser(Chooser):
    def __init__(self, rule: RangeRules) -> None:
        self._rule = rule

    def is_open(self, line: Line) -> bool:
        """Whether it is for any of several things, or for several at once."""
        return len(self._rule.things) > 1 and is_of_any(line)

    def watched(self, line: Line, sale: SaleContext) -> list[str] | None:
        """The cells of all things around the range, or what is on sale nearest to it: as many as
        `WATCHED_MAX` allows, but never less than the range and its buffers."""
        asked = self._rule.asked(line, sale)
        self._rule.claimed(asked)
        cells = range(*self._cells_around(asked, sale))
        if len(self._rule.things) * len(cells) > CLAIMS_MAX:
            return None
        names = self._rule.raster.names
        return [unit for thing in self._rule.things for unit in names(thing, cells)]

    def choose(
        self, line: Line, snapshot: Snapshot, sale: SaleContext, *, partial: bool
    ) -> list[Line]:
        """The things whose free range around the asked one has the least left over, so that long
        ranges stay whole; of equals in the order of the plan.

        Raises InvalidRequest, UnknownUnit, NotOnSale, SoldOut.
        """
        refuse_choice(line)
        asked = self._rule.asked(line, sale)
        if not self.is_open(line):
            return [line]
        self._rule.claimed(asked)
        reasons = self._rule.reasons(asked, sale)
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
        return [self._rule.line(line.resource_id, thing, asked, sale) for thing in things[:wanted]]

    def offers(self, line: Line, snapshot: Snapshot, sale: SaleContext, count: int) -> list[Offer]:
        """Other things at the same time; then the nearest times, those of the same date first, of
        the same thing and then of any. A length that may not be is the nearest that may.
        Raises InvalidRequest, UnknownUnit."""
        refuse_choice(line)
        asked = self._rule.asked(line, sale)
        self._rule.claimed(asked)
        named = self._rule.thing_of(line)
        length = min(max(asked[1] - asked[0], self._rule.shortest), self._rule.longest)
        free = self._free(asked, snapshot, sale)
        if named is not None and length == asked[1] - asked[0] and containing(free[named], *asked):
            # It was refused for something else: what is next to it, and not itself with a shift.
            free = self._free(asked, snapshot, sale, named)
        found: list[Offer] = []
        if named is not None and not self._rule.reasons(asked, sale):
            for thing in self._best_fits(free, asked):
                if thing != named:
                    found.append([self._rule.line(line.resource_id, thing, asked, sale)])
        if named is not None:
            for at in self._nearest(free[named], asked, length, sale):
                found.append([self._rule.line(line.resource_id, named, at, sale)])
        wanted = line.quantity or 1 if named is None else 1
        known = {offer[0].from_ for offer in found}
        if len(found) < count:
            for at in self._nearest(together(free.values(), wanted), asked, length, sale):
                things = self._best_fits(free, at)[:wanted]
                if (
                    len(things) == wanted
                    and shown(at[0] * self._rule.raster.seconds, sale.zone) not in known
                ):
                    found.append(
                        [self._rule.line(line.resource_id, thing, at, sale) for thing in things]
                    )
        return found[:count]

    def _cells_around(self, asked: Range, sale: SaleContext) -> Range:
        """The cells around a range that are looked at, the same for every look at one instant: so
        far to both sides as `WATCHED_MAX` allows, from what is on sale."""
        rule = self._rule
        earliest, end = rule.on_sale(sale)
        length = asked[1] - asked[0] + rule.before + rule.after
        first = min(max(asked[0], earliest), max(earliest, end - (asked[1] - asked[0])))
        aside = max(0, (WATCHED_MAX // len(rule.things) - length) // 2)
        aside = min(aside, _DAYS_AROUND * DAY // self._rule.raster.seconds)
        low = max(first - rule.before - aside, earliest - rule.before)
        high = min(first + length - rule.before + aside, end + rule.after)
        return low, high

    def _free(
        self, asked: Range, snapshot: Snapshot, sale: SaleContext, named: str | None = None
    ) -> dict[str, list[Range]]:
        """The free ranges of each thing around a range; of the named one without that range."""
        rule = self._rule
        first, past = self._cells_around(asked, sale)
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
        for index, thing in enumerate(self._rule.things):
            around = containing(free[thing], *asked)
            if around is not None:
                rests.append((around[1] - around[0], index))
        return [self._rule.things[index] for _, index in sorted(rests)]

    def _nearest(
        self, free: list[Range], asked: Range, length: int, sale: SaleContext
    ) -> list[Range]:
        """In each free range that is long enough what is nearest to the asked range."""
        seconds = self._rule.raster.seconds
        near = nearness(asked[0] * seconds, sale.zone)
        firsts = [
            min(max(asked[0], low), high - length) for low, high in free if high - low >= length
        ]
        firsts.sort(key=lambda first: near(first * seconds))
        return [(first, first + length) for first in firsts if (first, first + length) != asked]
