"""Choosing among times: which provider takes a line that names none, and what could be held instead
of what was refused. Both go by a picture and by the rule that a hold is judged by.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from bespeak.inventory.plans import Offer, SaleContext
from bespeak.inventory.lines import Line
from bespeak.inventory.snapshot import Snapshot
from bespeak.inventory.shapes.times.availability import places_of_day
from bespeak.inventory.timeline.hours import sale_window
from bespeak.inventory.timeline.instants import day_start, local_day, shown
from bespeak.inventory.shapes.times.slots import TimesRule, Track

WATCHED_MAX = 4000
_DAYS_AROUND = 100
_GOLDEN = 0x9E3779B1  # spreads neighbouring slots far apart, so that turns do not follow the clock


class AskedSlots(NamedTuple):
    """What a line asks: slots in a row from an instant on, and how many places in each."""

    start: int
    slots: int
    quantity: int


def line_of(
    rule: TimesRule, resource_id: str, track: Track, asked: AskedSlots, sale: SaleContext
) -> Line:
    """The line that leaves no choice, as it is shown."""
    return Line(
        resource_id,
        unit=track.name or None,
        quantity=asked.quantity if track.capacity > 1 else None,
        from_=shown(asked.start, sale.zone),
        to=shown(asked.start + asked.slots * rule.slot, sale.zone),
    )


def pick(
    rule: TimesRule,
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
    left = [(rule.left(track, cells, snapshot, now)[0], track) for track in tracks]
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


def days_around(rule: TimesRule, asked: AskedSlots, sale: SaleContext) -> list[int]:
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


def offers(
    rule: TimesRule,
    line: Line,
    named: Track | None,
    asked: AskedSlots,
    snapshot: Snapshot,
    sale: SaleContext,
    count: int,
) -> list[Offer]:
    """Other providers at the same time; then the nearest times, those of the same date first: of
    the same provider, then of any. More slots in a row than may be are offered as many as may."""
    near = _Near(rule, asked, snapshot, sale)
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


class _Near:
    """What is on sale and has a place left on the dates around a line, by provider."""

    def __init__(
        self, rule: TimesRule, asked: AskedSlots, snapshot: Snapshot, sale: SaleContext
    ) -> None:
        self._rule, self._asked, self._picture, self._sale = rule, asked, snapshot, sale
        self.slots = min(asked.slots, rule.plan.consecutive_max)
        self._free: dict[int, set[int]] = {track.place: set() for track in rule.tracks}
        plan, now, zone = rule.plan, sale.now.timestamp(), sale.zone
        window = sale_window(now, zone, plan.notice_minutes, plan.horizon_days)
        end = window.end - (self.slots - 1) * rule.slot
        days = days_around(rule, asked, sale)
        for track in rule.tracks:
            free = self._free[track.place]
            for day in days:
                track_day = rule.track_day(track, zone, day)
                left = places_of_day(track, track_day, snapshot, now)
                for start, places in zip(track_day.slots.starts, left, strict=True):
                    if places.available > 0 and window.earliest <= start < end:
                        free.add(start)

    def has(self, track: Track, start: int) -> bool:
        """Whether the provider has a place in the first slot."""
        return start in self._free[track.place]

    def is_other(self, start: int) -> bool:
        """Whether the slots from there are not just those that were asked for."""
        return (start, self.slots) != (self._asked.start, self._asked.slots)

    def starts(self, tracks: Sequence[Track]) -> list[int]:
        """When any of the providers has a place, nearest first, the same date before others."""
        zone = self._sale.zone
        asked = self._asked.start
        date = local_day(asked, zone)
        since, until = day_start(zone, date), day_start(zone, date + 1)

        def distance(start: int) -> tuple[bool, int, int]:
            return not since <= start < until, abs(start - asked), start

        return sorted(set().union(*(self._free[track.place] for track in tracks)), key=distance)

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
            chosen, _ = pick(rule, offered, asked, self._picture, sale, partial=False)
            if chosen:
                yield [
                    line_of(rule, line.resource_id, track, asked._replace(quantity=places), sale)
                    for track, places in chosen
                ]


def _fairly(
    rule: TimesRule, tracks: Sequence[Track], start: int, snapshot: Snapshot, sale: SaleContext
) -> list[Track]:
    """Those with the least taken on their date first; of equals each is first in turn."""
    turn = (start // 60 * _GOLDEN & 0xFFFFFFFF) >> 16

    def rank(track: Track) -> tuple[int, int]:
        day = rule.day_of(track, start, sale.zone)
        load = 0 if day is None else rule.load(track, day, snapshot, sale)
        return load, (track.place + turn) % len(rule.tracks)

    return sorted(tracks, key=rank) if len(tracks) > 1 else list(tracks)
