"""Times: slots of one provider or of several, by weekly hours in the resource's time zone. A line
names a slot's beginning, and a provider or none: then the engine chooses, fairly. Each claim is a
cell of the raster, so that what overlaps in time collides in the database.
"""

from __future__ import annotations

from zoneinfo import ZoneInfo

from msgspec import UNSET

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
from bespeak.inventory.snapshot import Snapshot
from bespeak.inventory.shapes.times.availability import (
    TimesAvailability,
    availability,
    availability_units,
)
from bespeak.inventory.shapes.times.choice import AskedSlots, days_around, line_of, offers, pick
from bespeak.inventory.timeline.instants import end_of, instant_of
from bespeak.inventory.timeline.raster import UNNAMED, block_cells, check_block
from bespeak.inventory.shapes.times.slots import TimesPlan, TimesRule, Track
from bespeak.pricing.demand import Level, Scope


class CompiledTimes(CompiledPlan):
    """A plan of times made ready."""

    demand_scopes = frozenset(("all",))

    def __init__(self, plan: TimesPlan) -> None:
        """Raises InvalidRequest for a plan that makes no sense."""
        self.plan = check_bounds(plan)
        self.rule = TimesRule(self.plan)

    def line_claims(self, line: Line, sale: SaleContext) -> LineClaims:
        """The claims of all cells of the slots and their buffers. Raises UnknownUnit,
        InvalidRequest, NotOnSale."""
        asked = self._asked(line, sale)
        track = self._track(line)
        if track is None:
            raise InvalidRequest("this line must name a provider", field="lines.unit")
        if track.capacity == 1 and asked.quantity > 1:
            raise InvalidRequest("this provider takes one at a time", field="lines.quantity")
        reasons = self.rule.reasons(track, asked.start, asked.slots, sale)
        if reasons:
            raise NotOnSale(reasons=reasons, resource_id=line.resource_id)
        return LineClaims(
            line_of(self.rule, line.resource_id, track, asked, sale),
            self.rule.needs(track, self.rule.cells(asked.start, asked.slots), asked.quantity),
            self._price(asked, sale) * asked.quantity,
            asked.quantity,
        )

    def is_open(self, line: Line) -> bool:
        """Whether it is for any of several providers."""
        return len(self.rule.tracks) > 1 and is_of_any(line)

    def watched(self, line: Line, sale: SaleContext) -> list[str] | None:
        """The cells of all providers on the date of the line and on dates around it, as many as
        `WATCHED_MAX` of times_choice allows; the date of the line itself in any case."""
        asked = self._asked(line, sale)
        rule = self.rule
        units: dict[str, None] = {}
        cells = rule.cells(asked.start, min(asked.slots, self.plan.consecutive_max))
        for track in rule.tracks:
            units.update(dict.fromkeys(rule.raster.names(track.name, cells)))
        for day in days_around(rule, asked, sale):
            for track in rule.tracks:
                units.update(dict.fromkeys(rule.track_day(track, sale.zone, day).places))
        return None if len(units) > CLAIMS_MAX else list(units)

    def choose(
        self, line: Line, snapshot: Snapshot, sale: SaleContext, *, partial: bool
    ) -> list[Line]:
        """The provider who has the least taken on that date, of equals each in turn. Of exclusive
        providers so many as the line asks for; of others one who has room for all.

        Raises InvalidRequest, UnknownUnit, NotOnSale, SoldOut.
        """
        asked = self._asked(line, sale)
        if not self.is_open(line):
            return [line]
        offered = []
        reasons: list[dict[str, object]] = []
        for track in self.rule.tracks:
            found = self.rule.reasons(track, asked.start, asked.slots, sale)
            if not found:
                offered.append(track)
            elif not reasons or len(found) < len(reasons):
                reasons = found
        if not offered:
            raise NotOnSale(reasons=reasons, resource_id=line.resource_id)
        chosen, available = pick(self.rule, offered, asked, snapshot, sale, partial=partial)
        if not chosen:
            raise SoldOut(
                f"{available} left at that time, of {asked.quantity}",
                resource_id=line.resource_id,
                available=available,
            )
        return [
            line_of(self.rule, line.resource_id, track, asked._replace(quantity=places), sale)
            for track, places in chosen
        ]

    def offers(self, line: Line, snapshot: Snapshot, sale: SaleContext, count: int) -> list[Offer]:
        """Other providers at the same time; then the nearest times, those of the same date first,
        of the same provider and then of any. Raises InvalidRequest, UnknownUnit."""
        asked = self._asked(line, sale)
        return offers(self.rule, line, self._track(line), asked, snapshot, sale, count)

    def block_needs(self, line: Line, sale: SaleContext) -> list[Need]:
        """The cells of any range, in or out of hours, of one provider or of all; of pools so many
        places, or all of them. Raises UnknownUnit, InvalidRequest."""
        refuse_choice(line)
        cells = block_cells(self.rule.raster, line, sale, self.rule.slot)
        track = self._track(line)
        tracks = self.rule.tracks if track is None else (track,)
        check_block(len(tracks), cells)
        needs: list[Need] = []
        for one in tracks:
            if one.capacity == 1 and line.quantity not in (None, 1):
                raise InvalidRequest("this provider takes one at a time", field="lines.quantity")
            needs.extend(self.rule.needs(one, cells, line.quantity or one.capacity))
        return needs

    def has(self, unit: str) -> bool:
        """Whether it is a cell of the raster, of a provider of the plan, by its one name."""
        return self.rule.raster.cell_of(unit) is not None

    def level(self, scope: Scope, snapshot: Snapshot, sale: SaleContext) -> Level:
        """How many places are taken of the slot that begins then, over all who offer it."""
        rule, now = self.rule, sale.now.timestamp()
        cells = rule.cells(scope.at, 1)
        tracks = [one for one in rule.tracks if rule.day_of(one, scope.at, sale.zone) is not None]
        left = sum(rule.left(track, cells, snapshot, now)[0] for track in tracks)
        capacity = sum(track.capacity for track in tracks)
        return Level(capacity - left, capacity)

    def told(self, unit: str, zone: ZoneInfo) -> ShownClaim:
        """A cell of the raster, as the clocks of the zone show it."""
        return self.rule.raster.told(unit, zone)

    def keeps(self, before: CompiledPlan) -> bool:
        """Whether the claims made by the plan before mean the same by this one: cells of one
        length, and each provider as exclusive or as much a pool as it was."""
        if not isinstance(before, CompiledTimes):
            return False
        kinds = {track.name: track.capacity > 1 for track in before.rule.tracks}
        return before.rule.raster.seconds == self.rule.raster.seconds and all(
            kinds.get(track.name, track.capacity > 1) == (track.capacity > 1)
            for track in self.rule.tracks
        )

    def availability_units(self, query: AvailabilityQuery, sale: SaleContext) -> list[str] | None:
        """The cells of the range, or None if they are many. Raises InvalidRequest."""
        return availability_units(self.rule, query, sale)

    def availability(
        self, query: AvailabilityQuery, snapshot: Snapshot, sale: SaleContext
    ) -> TimesAvailability:
        """Every slot of the range, free or with the reason why not. Raises InvalidRequest."""
        return availability(self.rule, query, snapshot, sale)

    def _asked(self, line: Line, sale: SaleContext) -> AskedSlots:
        refuse_choice(line)
        if line.from_ is UNSET:
            raise InvalidRequest(
                "this line needs `from`, the beginning of a slot", field="lines.from"
            )
        start = instant_of(line.from_, sale.zone, "lines.from")
        slots = 1
        if line.to is not UNSET:
            length = end_of(line.to, start, sale.zone, "lines.to") - start
            slots = length // self.rule.slot
            if length <= 0 or length % self.rule.slot:
                raise InvalidRequest(
                    f"`to` is not a whole number of slots of {self.plan.slot_minutes} minutes"
                    " after `from`",
                    field="lines.to",
                )
        return AskedSlots(start, slots, line.quantity or 1)

    def _price(self, asked: AskedSlots, sale: SaleContext) -> int:
        """The price of one place in all slots."""
        if sale.demand is None:
            return sale.priced(self.plan.price) * asked.slots
        starts = [asked.start + place * self.rule.slot for place in range(asked.slots)]
        return sum(sale.priced(self.plan.price, at=start) for start in starts)

    def _track(self, line: Line) -> Track | None:
        """The provider of a line: the one that it names, or the only one. None: any of several."""
        if line.unit is None:
            return self.rule.tracks[0] if len(self.rule.tracks) == 1 else None
        track = self.rule.by_name.get(line.unit)
        if track is None or track.name == UNNAMED:
            raise unknown(line, "there is no such provider")
        return track
