"""The availability of moments: for each thing the ranges in which it can be had, and what is taken.
Both come from the rule that a hold is judged by, so any part of a free range that is long enough
and not too long can be held.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec

from bespeak.errors import InvalidRequest, UnknownUnit
from bespeak.inventory.plans import (
    Availability,
    AvailabilityQuery,
    AvailabilityReader,
    SaleContext,
    TakenState,
)
from bespeak.inventory.shapes.moments.ranges import Range, RangeRules
from bespeak.inventory.snapshot import Snapshot
from bespeak.inventory.timeline.instants import DAY, shown
from bespeak.inventory.timeline.ranges import AskedRange, asked_range
from bespeak.inventory.timeline.raster import UNNAMED, TakenCells, among

_DAYS_SHOWN = 1
_DAYS_MAX = 62
_CELLS_MAX = 500_000
_CELLS_OF_DAY = 50  # what a day is reckoned at, if its cells are fewer
_UNITS_MAX = 5000


class MomentRange(msgspec.Struct, frozen=True):
    """From an instant until before another."""

    from_: str = msgspec.field(name="from")
    to: str


class TakenRange(msgspec.Struct, frozen=True, omit_defaults=True):
    """A range that is taken, why, and until when at the latest (absent: no end)."""

    from_: str = msgspec.field(name="from")
    to: str
    state: TakenState
    until: datetime | None = None


class ThingMoments(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing; a plan without names has one without a `unit`. In `free` ranges whatever is long
    enough and not too long can be held; what is neither free nor taken is needed as a buffer, too
    short, not in the hours, or not on sale."""

    unit: str | None = None
    free: list[MomentRange]
    taken: list[TakenRange]


class MomentsAvailability(Availability, frozen=True, kw_only=True, tag="moments"):
    """What of each thing can be had from `from` until before `to`. `hours` are when it is open, and
    `on_sale` is what is neither too late nor too early now (absent: nothing of the range is).
    `together` are the ranges in which `quantity` things are free at once, if more than one is asked
    for. The price is of one step of the raster. `version` changes with every event."""

    from_: str = msgspec.field(name="from")
    to: str
    raster_seconds: int
    min_seconds: int
    max_seconds: int
    price: int
    on_sale: MomentRange | None = None
    hours: list[MomentRange]
    things: list[ThingMoments]
    quantity: int = 1
    together: list[MomentRange] | None = None


class MomentsReader(AvailabilityReader):
    def __init__(self, rule: RangeRules) -> None:
        self._rule = rule

    def units(self, query: AvailabilityQuery, sale: SaleContext) -> list[str] | None:
        first, past = self._cells_to_read(query, sale)
        things = self._things(query, sale)
        if len(things) * (past - first) > _UNITS_MAX:
            return None
        return [
            unit for thing in things for unit in self._rule.raster.names(thing, range(first, past))
        ]

    def answer(
        self, query: AvailabilityQuery, snapshot: Snapshot, sale: SaleContext
    ) -> MomentsAvailability:
        raster, zone = self._rule.raster, sale.zone
        asked = asked_range(query, sale, _DAYS_SHOWN, _DAYS_MAX)
        low, high = self._cells_to_read(query, sale)
        first, past = raster.up(asked.first), raster.down(asked.past)
        things = self._things(query, sale)
        days = 1 + (asked.past - asked.first) // DAY
        if len(things) * max(high - low, days * _CELLS_OF_DAY) > _CELLS_MAX:
            raise InvalidRequest("too much: ask for fewer days, or for one `unit`", field="to")
        taken = raster.taken(snapshot, things, low, high, sale.now.timestamp())
        opened = self._rule.opened(first, past, sale)
        free = {thing: self._rule.free(opened, taken[thing]) for thing in things}
        earliest, end = self._rule.on_sale(sale)
        selling = self._shown([(max(first, earliest), min(past, end))], sale)
        return MomentsAvailability(
            resource_id=sale.resource_id,
            version=snapshot.version,
            from_=shown(asked.first, zone),
            to=shown(asked.past, zone),
            raster_seconds=raster.seconds,
            min_seconds=self._rule.shortest * raster.seconds,
            max_seconds=self._rule.longest * raster.seconds,
            price=sale.priced(self._rule.plan.price),
            on_sale=selling[0] if selling else None,
            hours=self._shown(self._rule.in_hours(first, past, sale), sale),
            things=[
                ThingMoments(
                    unit=thing or None,
                    free=self._shown(free[thing], sale),
                    taken=self._shown_taken(among(taken[thing], *self._cells(asked)), sale),
                )
                for thing in things
            ],
            quantity=asked.quantity,
            together=(
                self._shown(together(free.values(), asked.quantity), sale)
                if asked.quantity > 1
                else None
            ),
        )

    def _things(self, query: AvailabilityQuery, sale: SaleContext) -> Sequence[str]:
        """The things that a query is about: one, or all. Raises UnknownUnit."""
        if query.unit is None:
            return self._rule.things
        if query.unit not in self._rule.raster.tracks or query.unit == UNNAMED:
            raise UnknownUnit(resource_id=sale.resource_id, unit=query.unit, field="unit")
        return (query.unit,)

    def _cells(self, asked: AskedRange) -> Range:
        """All cells that an asked range touches."""
        return self._rule.raster.down(asked.first), self._rule.raster.up(asked.past)

    def _cells_to_read(self, query: AvailabilityQuery, sale: SaleContext) -> Range:
        """The cells that decide over the asked range: its own and those that its buffers touch."""
        first, past = self._cells(asked_range(query, sale, _DAYS_SHOWN, _DAYS_MAX))
        return first - self._rule.before, past + self._rule.after

    def _shown(self, ranges: Sequence[Range], sale: SaleContext) -> list[MomentRange]:
        seconds, zone = self._rule.raster.seconds, sale.zone
        return [
            MomentRange(shown(first * seconds, zone), shown(past * seconds, zone))
            for first, past in ranges
            if first < past
        ]

    def _shown_taken(self, cells: TakenCells, sale: SaleContext) -> list[TakenRange]:
        """Taken cells as ranges; cells beside each other with the same reason are one."""
        seconds, zone = self._rule.raster.seconds, sale.zone
        found = []
        for index, (cell, taken) in enumerate(cells):
            if index == 0 or cells[index - 1] != (cell - 1, taken):
                first = cell
            if index + 1 == len(cells) or cells[index + 1] != (cell + 1, taken):
                found.append(
                    TakenRange(
                        shown(first * seconds, zone),
                        shown((cell + 1) * seconds, zone),
                        taken.state,
                        taken.ends_at,
                    )
                )
        return found


def together(free: Iterable[Sequence[Range]], quantity: int) -> list[Range]:
    """The ranges in which so many things are free from beginning to end, none within another; they
    may overlap, where one thing becomes free and another is free no more."""
    found: list[Range] = []
    ends: list[int] = []
    ranges = sorted(one for ranges in free for one in ranges)
    for index, (begin, end) in enumerate(ranges):
        insort(ends, end)
        if index + 1 < len(ranges) and ranges[index + 1][0] == begin:
            continue
        del ends[: bisect_right(ends, begin)]
        if len(ends) >= quantity and (not found or ends[-quantity] > found[-1][1]):
            found.append((begin, ends[-quantity]))
    return found
