"""Choosing among times: which provider takes a line that names none, and what could be held instead
of what was refused. Both go by a snapshot and by the rule that a hold is judged by.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from bespeak.errors import NotOnSale, SoldOut
from bespeak.inventory.line_checks import is_of_any
from bespeak.inventory.plans import CLAIMS_MAX, Chooser, SaleContext
from bespeak.inventory.shapes.times.availability import places_of_day
from bespeak.inventory.shapes.times.rates import RateRules
from bespeak.inventory.shapes.times.slots import AskedSlots, Reasons, SlotRules, Track
from bespeak.inventory.snapshot import Snapshot
from bespeak.inventory.timeline.hours import sale_window
from bespeak.inventory.timeline.instants import local_day, shown
from bespeak.inventory.timeline.ranges import nearness
from bespeak.lines import Line
from bespeak.refusals import Offer

WATCHED_MAX = 4000
_DAYS_AROUND = 100
_GOLDEN = 0x9E3779B1  # spreads neighbouring slots far apart, so that turns do not follow the clock


class TimesChooser(Chooser):
    def __init__(self, rates: RateRules) -> None:
        self._rates = rates

    def is_open(self, line: Line) -> bool:
        """Whether it is for any of several providers. Of a line at no rate that there is, its
        claims say what is wrong."""
        rule = self._rates.find(line)
        if rule is None:
            return False
        return len(rule.tracks) > 1 and is_of_any(line, at_rate=rule.rate is not None)

    def watched(self, line: Line, sale: SaleContext) -> list[str] | None:
        """The cells of all providers on the date of the line and on dates around it, as many as
        `WATCHED_MAX` allows; the date of the line itself in any case."""
        rule = self._rates.of_line(line)
        asked = rule.asked(line, sale)
        units: dict[str, None] = {}
        cells = rule.cells(asked.start, min(asked.slots, rule.plan.consecutive_max))
        for track in rule.tracks:
            units.update(dict.fromkeys(rule.raster.names(track.name, cells)))
        for day in days_around(rule, asked, sale):
            for track in rule.tracks:
                units.update(dict.fromkeys(rule.track_day(track, sale.zone, day).claims))
        return None if len(units) > CLAIMS_MAX else list(units)

    def choose(
        self, line: Line, snapshot: Snapshot, sale: SaleContext, *, partial: bool
    ) -> list[Line]:
        """The provider who has the least taken on that date, of equals each in turn. Of exclusive
        providers so many as the line asks for; of others one who has room for all."""
        rule = self._rates.of_line(line)
        asked = rule.asked(line, sale)
        if not self.is_open(line):
            return [line]
        offered = []
        reasons: Reasons = []
        for track in rule.tracks:
            found = rule.reasons(track, asked.start, asked.slots, sale)
            if not found:
                offered.append(track)
            elif not reasons or len(found) < len(reasons):
                reasons = found
        if not offered:
            raise NotOnSale(reasons=reasons, resource_id=line.resource_id)
        chosen, available = pick(rule, offered, asked, snapshot, sale, partial=partial)
        if not chosen:
            raise SoldOut(
                f"{available} left at that time, of {asked.quantity}",
                resource_id=line.resource_id,
                available=available,
            )
        return [
            rule.line(line.resource_id, track, asked._replace(quantity=places), sale)
            for track, places in chosen
        ]

    def offers(self, line: Line, snapshot: Snapshot, sale: SaleContext, count: int) -> list[Offer]:
        """Other providers at the same time; then the nearest times, those of the same date first:
        of the same provider, then of any. More slots in a row than may be are offered as many as
        may."""
        rule = self._rates.of_line(line)
        asked, named = rule.asked(line, sale), rule.track_of(line)
        near = _NearSlots(rule, asked, snapshot, sale)
        others = tuple(track for track in rule.tracks if track is not named)
        found: list[Offer] = []
        if named is not None:
            at_once = [track for track in others if near.has(track, asked.start)]
            for track in _fairly(rule, at_once, asked.start, snapshot, sale):
                found.extend(near.offers(line, (track,), (asked.start,)))
            times = (start for start in near.starts((named,)) if near.is_other(start))
            found.extend(islice(near.offers(line, (named,), times), count))
        if others and len(found) < count:
            known = {offer[0].from_ for offer in found}
            times = (
                start
                for start in near.starts(others)
                if near.is_other(start) and shown(start, sale.zone) not in known
            )
            found.extend(islice(near.offers(line, others, times), count - len(found)))
        return found[:count]


def pick(
    rule: SlotRules,
    tracks: Sequence[Track],
    asked: AskedSlots,
    snapshot: Snapshot,
    sale: SaleContext,
    *,
    partial: bool,
) -> tuple[list[tuple[Track, int]], int]:
    """Providers and how many places of each, of providers who all offer the slots; none if there
    are not enough. And how many places there are that may go together: of exclusive providers all,
    of others those of one provider, because a group is not split."""
    cells, now = rule.cells(asked.start, asked.slots), sale.now.timestamp()
    left = [(rule.left(track, cells, snapshot, now), track) for track in tracks]
    free = [(places, track) for places, track in left if places > 0]
    spread = rule.capacity_max == 1
    available = len(free) if spread else max((places for places, _ in free), default=0)
    quantity = min(asked.quantity, available) if partial else asked.quantity
    if not 0 < quantity <= available:
        return [], available
    if spread:
        chosen = _fairly(rule, [track for _, track in free], asked.start, snapshot, sale)
        return [(track, 1) for track in chosen[:quantity]], available
    enough = [track for places, track in free if places >= quantity]
    return [(_fairly(rule, enough, asked.start, snapshot, sale)[0], quantity)], available


def days_around(rule: SlotRules, asked: AskedSlots, sale: SaleContext) -> list[int]:
    """The dates that are looked at for a line: those whose hours may have its slot, and outwards
    from it those on sale, while their cells are no more than `WATCHED_MAX`."""
    zone = sale.zone
    today = local_day(sale.now.timestamp(), zone)
    last = today + rule.plan.horizon_days
    local = local_day(asked.start, zone)
    middle = min(max(local, today), last)
    days = {local, local - 1, middle}
    weight = 0
    for step in range(1, _DAYS_AROUND):
        for day in (middle + step, middle - step):
            if today - 1 <= day <= last and day not in days:
                for track in rule.tracks:
                    weight += len(rule.day(track.schedule, zone, day).cells)
                if weight > WATCHED_MAX:
                    return sorted(days)
                days.add(day)
    return sorted(days)


class _NearSlots:
    """What is on sale and has a place left on the dates around a line, by provider."""

    def __init__(
        self, rule: SlotRules, asked: AskedSlots, snapshot: Snapshot, sale: SaleContext
    ) -> None:
        self._rule, self._asked, self._snapshot, self._sale = rule, asked, snapshot, sale
        self.slots = min(asked.slots, rule.plan.consecutive_max)
        self._free: dict[int, set[int]] = {track.number: set() for track in rule.tracks}
        plan, now, zone = rule.plan, sale.now.timestamp(), sale.zone
        window = sale_window(now, zone, plan.notice_minutes, plan.horizon_days)
        end = window.end - (self.slots - 1) * rule.slot
        days = days_around(rule, asked, sale)
        for track in rule.tracks:
            free = self._free[track.number]
            for day in days:
                track_day = rule.track_day(track, zone, day)
                left = places_of_day(track, track_day, snapshot, now)
                for start, places in zip(track_day.slots.starts, left, strict=True):
                    if places.available > 0 and window.earliest <= start < end:
                        free.add(start)

    def has(self, track: Track, start: int) -> bool:
        """Whether the provider has a place in the first slot."""
        return start in self._free[track.number]

    def is_other(self, start: int) -> bool:
        """Whether the slots from there are not just those that were asked for."""
        return (start, self.slots) != (self._asked.start, self._asked.slots)

    def starts(self, tracks: Sequence[Track]) -> list[int]:
        """When any of the providers has a place, nearest first, the same date before others."""
        starts = set().union(*(self._free[track.number] for track in tracks))
        return sorted(starts, key=nearness(self._asked.start, self._sale.zone))

    def offers(self, line: Line, tracks: Sequence[Track], starts: Iterable[int]) -> Iterator[Offer]:
        """What these providers could give at these times, for each time once."""
        rule, sale = self._rule, self._sale
        for start in starts:
            asked = AskedSlots(start, self.slots, self._asked.quantity)
            rest = range(start + rule.slot, start + self.slots * rule.slot, rule.slot)
            offered = [
                track
                for track in tracks
                if self.has(track, start)
                and all(rule.day_of(track, begin, sale.zone) is not None for begin in rest)
            ]
            chosen, _ = pick(rule, offered, asked, self._snapshot, sale, partial=False)
            if chosen:
                yield [
                    rule.line(line.resource_id, track, asked._replace(quantity=places), sale)
                    for track, places in chosen
                ]


def _fairly(
    rule: SlotRules, tracks: Sequence[Track], start: int, snapshot: Snapshot, sale: SaleContext
) -> list[Track]:
    """Those with the least taken on their date first; of equals each is first in turn."""
    turn = (start // 60 * _GOLDEN & 0xFFFFFFFF) >> 16

    def rank(track: Track) -> tuple[int, int]:
        day = rule.day_of(track, start, sale.zone)
        load = 0 if day is None else rule.load(track, day, snapshot, sale)
        return load, (track.number + turn) % len(rule.tracks)

    return sorted(tracks, key=rank) if len(tracks) > 1 else list(tracks)
