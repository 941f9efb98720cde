"""The slots of a plan of times, and why one is not sold. A slot begins every step from where the
hours begin, lies within them, and claims each cell of the raster that is in it or in its buffers.
So slots collide by the time that they take, whatever hours they were sold by.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import gcd
from typing import NamedTuple
from zoneinfo import ZoneInfo

from msgspec import UNSET

from bespeak.cache import Cache
from bespeak.errors import InvalidRequest
from bespeak.inventory.bounds import nonsense
from bespeak.inventory.line_checks import refuse_choice, refuse_choice_at_rate, unknown
from bespeak.inventory.plans import CLAIMS_MAX, Need, Reason, SaleContext
from bespeak.inventory.shapes.times.plan import TimesPlan, TimesRate
from bespeak.inventory.snapshot import Snapshot
from bespeak.inventory.timeline.hours import (
    MINUTES_OF_DAY,
    Exceptions,
    Schedule,
    Weekly,
    sale_window,
)
from bespeak.inventory.timeline.instants import end_of, instant_of, local_day, shown
from bespeak.inventory.timeline.raster import UNNAMED, Raster
from bespeak.lines import Line

# Offsets from UTC are multiples of 15 minutes, so what is on such a raster here is so everywhere.
_OFFSET_STEP_MINUTES = 15
_CELLS_OF_DAY_MAX = 50_000
_CACHED_MAX = 400_000

Reasons = list[dict[str, object]]


class Track(NamedTuple):
    """A provider made ready, by its number in the plan. With a capacity of 1 each of its slots is
    exclusive."""

    name: str
    number: int
    capacity: int
    schedule: Schedule


class AskedSlots(NamedTuple):
    """What a line asks: slots in a row from an instant on, and how many places in each."""

    start: int
    slots: int
    quantity: int


class SlotDay(NamedTuple):
    """The slots that begin in the hours of one date: when, and their cells, in order and each once.
    `touched` says which slots have each cell: their indexes, from and until before."""

    starts: tuple[int, ...]
    cells: tuple[int, ...]
    touched: tuple[tuple[int, int], ...]


class TrackDay(NamedTuple):
    """The slots of a provider on one date, and the claims of their cells, in order, each with
    its index."""

    slots: SlotDay
    claims: dict[str, int]


class SlotRules:
    """A plan of times, or one of its rates, made ready. All times within are seconds since 1970."""

    def __init__(
        self,
        plan: TimesPlan,
        tracks: tuple[Track, ...] | None = None,
        raster: Raster | None = None,
        rate: str | None = None,
    ) -> None:
        """A rate has the tracks and the raster that the plan has already made. Raises
        InvalidRequest for a plan that makes no sense."""
        self.plan = plan
        self.rate = rate
        self.slot = plan.slot_minutes * 60
        self.step = (plan.step_minutes or plan.slot_minutes) * 60
        self.before = plan.buffer_before_minutes * 60
        self.after = plan.buffer_after_minutes * 60
        self.tracks = _tracks(plan) if tracks is None else tracks
        self.by_name = {track.name: track for track in self.tracks}
        self.capacity_max = max(track.capacity for track in self.tracks)
        if raster is None:
            raster = Raster(_raster_minutes(plan, self.tracks) * 60, self.by_name)
        self.raster = raster
        _check_sizes(self)

    def asked(self, line: Line, sale: SaleContext) -> AskedSlots:
        """What a line asks. Raises InvalidRequest."""
        if self.rate is None:
            refuse_choice(line)
        else:
            refuse_choice_at_rate(line)
        if line.from_ is UNSET:
            raise InvalidRequest(
                "this line needs `from`, the beginning of a slot", field="lines.from"
            )
        start = instant_of(line.from_, sale.zone, "lines.from")
        slots = 1
        if line.to is not UNSET:
            length = end_of(line.to, start, sale.zone, "lines.to") - start
            slots = length // self.slot
            if self.rate is not None and length != self.slot:
                raise InvalidRequest(
                    f"`to` is not the {self.plan.slot_minutes} minutes of this rate after `from`",
                    field="lines.to",
                )
            if length <= 0 or length % self.slot:
                raise InvalidRequest(
                    f"`to` is not a whole number of slots of {self.plan.slot_minutes} minutes"
                    " after `from`",
                    field="lines.to",
                )
        return AskedSlots(start, slots, line.quantity or 1)

    def track_of(self, line: Line) -> Track | None:
        """The provider of a line: the one that it names, or the only one. None: any of several."""
        if line.unit is None:
            return self.tracks[0] if len(self.tracks) == 1 else None
        track = self.by_name.get(line.unit)
        if track is None or track.name == UNNAMED:
            is_known = self.rate is not None and line.unit in self.raster.tracks
            raise unknown(line, "not at this rate" if is_known else "there is no such provider")
        return track

    def line(self, resource_id: str, track: Track, asked: AskedSlots, sale: SaleContext) -> Line:
        """The line that leaves no choice, as it is shown."""
        return Line(
            resource_id,
            unit=track.name or None,
            quantity=asked.quantity if track.capacity > 1 else None,
            from_=shown(asked.start, sale.zone),
            to=shown(asked.start + asked.slots * self.slot, sale.zone),
            rate=UNSET if self.rate is None else self.rate,
        )

    def cells(self, start: int, slots: int) -> range:
        """The cells that so many slots in a row claim, with their buffers."""
        end = start + slots * self.slot
        return range(self.raster.down(start - self.before), self.raster.up(end + self.after))

    def needs(self, track: Track, cells: Sequence[int], quantity: int) -> list[Need]:
        """The claims of cells: exclusive ones, or so many places of each cell's pool."""
        units = self.raster.names(track.name, cells)
        if track.capacity == 1:
            return [Need(unit) for unit in units]
        return [Need(unit, quantity, track.capacity) for unit in units]

    def day(self, schedule: Schedule, zone: ZoneInfo, day: int) -> SlotDay:
        key = (self, schedule, zone, day)
        found = _SLOT_DAYS.peek(key)
        if found is None:
            found = self._made_day(schedule, zone, day)
            _SLOT_DAYS.put(key, found)
        return found

    def at_most(self, schedule: Schedule, day: int) -> tuple[int, int]:
        """How many slots and cells a date has at most, reckoned from its hours."""
        slots = cells = 0
        taken, seconds = self.before + self.after, self.raster.seconds
        for begin, end in schedule.windows(day):
            length = (end - begin) * 60
            if length >= self.slot:
                slots += (length - self.slot) // self.step + 1
                cells += (length + taken) // seconds + 2
        # Hours near each other have cells in common.
        longest = 2 * MINUTES_OF_DAY * 60 + taken
        return slots, min(cells, longest // seconds + 2)

    def track_day(self, track: Track, zone: ZoneInfo, day: int) -> TrackDay:
        key = (self, track.number, zone, day)
        found = _TRACK_DAYS.peek(key)
        if found is None:
            slots = self.day(track.schedule, zone, day)
            units = self.raster.names(track.name, slots.cells)
            found = TrackDay(slots, {unit: index for index, unit in enumerate(units)})
            _TRACK_DAYS.put(key, found)
        return found

    def day_of(self, track: Track, start: int, zone: ZoneInfo) -> int | None:
        """The date in whose hours the provider has a slot that begins then, or None. After
        midnight that may be the date before."""
        local = local_day(start, zone)
        for day in (local, local - 1):
            starts = self.day(track.schedule, zone, day).starts
            index = bisect_left(starts, start)
            if index < len(starts) and starts[index] == start:
                return day
        return None

    def reasons(self, track: Track, start: int, slots: int, sale: SaleContext) -> Reasons:
        """Every rule that forbids so many slots in a row; none: they are on sale."""
        found: Reasons = []
        plan, zone = self.plan, sale.zone
        if slots > plan.consecutive_max:
            found.append({"reason": Reason.MAX_STAY, "slots": plan.consecutive_max})
            slots = 1
        for begin in range(start, start + slots * self.slot, self.slot):
            if self.day_of(track, begin, zone) is None:
                is_closed = track.schedule.is_closed(local_day(begin, zone))
                reason = Reason.CLOSED if is_closed else Reason.NOT_OFFERED
                found.append({"reason": reason, "from": shown(begin, zone)})
        window = sale_window(sale.now.timestamp(), zone, plan.notice_minutes, plan.horizon_days)
        if start < window.earliest:
            found.append({"reason": Reason.CUTOFF, "notice_minutes": plan.notice_minutes})
        if start + (slots - 1) * self.slot >= window.end:
            found.append({"reason": Reason.BEYOND_WINDOW, "horizon_days": plan.horizon_days})
        return found

    def left(self, track: Track, cells: Sequence[int], snapshot: Snapshot, now: float) -> int:
        """How many places of a provider are left over all of these cells."""
        units = self.raster.names(track.name, cells)
        if track.capacity > 1:
            return max(0, track.capacity - max(map(snapshot.drawn, units)))
        return int(all(snapshot.taken(unit, now) is None for unit in units))

    def load(self, track: Track, day: int, snapshot: Snapshot, sale: SaleContext) -> int:
        """How much of a provider's date is taken, in cells."""
        units = self.track_day(track, sale.zone, day).claims.keys()
        if track.capacity > 1:
            return sum(snapshot.drawn(unit) for unit in units & snapshot.pools.keys())
        now = sale.now.timestamp()
        hits = units & snapshot.units.keys()
        return sum(1 for unit in hits if snapshot.taken(unit, now) is not None)

    def _made_day(self, schedule: Schedule, zone: ZoneInfo, day: int) -> SlotDay:
        starts: list[int] = []
        for since, until in schedule.pieces(zone, day):
            # Hours that begin off the raster, as offsets with seconds would have it, begin with it.
            begin = self.raster.up(since) * self.raster.seconds
            starts.extend(range(begin, until - self.slot + 1, self.step))
        starts.sort()
        ranges = [self.cells(start, 1) for start in starts]
        cells: list[int] = []
        past = ranges[0].start if ranges else 0
        for own in ranges:  # all of one length and in order, so each adds to the end
            cells.extend(range(max(past, own.start), own.stop))
            past = own.stop
        firsts, pasts = [own.start for own in ranges], [own.stop for own in ranges]
        return SlotDay(
            tuple(starts),
            tuple(cells),
            tuple((bisect_right(pasts, cell), bisect_right(firsts, cell)) for cell in cells),
        )


# What was made of late, of all plans together.
_SLOT_DAYS: Cache[tuple[SlotRules, Schedule, ZoneInfo, int], SlotDay] = Cache(
    size_max=_CACHED_MAX, size_of=lambda day: 1 + len(day.starts) + len(day.cells)
)
_TRACK_DAYS: Cache[tuple[SlotRules, int, ZoneInfo, int], TrackDay] = Cache(
    size_max=_CACHED_MAX, size_of=lambda day: 1 + len(day.claims)
)


def _tracks(plan: TimesPlan) -> tuple[Track, ...]:
    made: dict[tuple[Weekly, Exceptions], Schedule] = {}

    def schedule(weekly: Weekly | None, exceptions: Exceptions | None) -> Schedule:
        own = (
            plan.weekly if weekly is None else weekly,
            plan.exceptions if exceptions is None else exceptions,
        )
        if own not in made:
            made[own] = Schedule(*own, plan.holidays)
        if weekly is None and not made[own].all_windows:
            raise nonsense("it has no hours")
        return made[own]

    if not plan.providers:
        return (Track(UNNAMED, 0, plan.capacity, schedule(None, None)),)
    return tuple(
        Track(
            provider.name,
            index,
            plan.capacity if provider.capacity is None else provider.capacity,
            schedule(provider.weekly, provider.exceptions),
        )
        for index, provider in enumerate(plan.providers)
    )


def _raster_minutes(plan: TimesPlan, tracks: Sequence[Track]) -> int:
    lengths = gcd(plan.slot_minutes, *_lengths(plan))
    for rate in plan.rates:
        lengths = gcd(lengths, rate.minutes, *_lengths(rate))
    raster = plan.raster_minutes or gcd(lengths, _OFFSET_STEP_MINUTES)
    if lengths % raster or 60 % raster:
        raise nonsense(
            f"the raster of {raster} minutes does not divide slot, step, buffers and an hour"
        )
    for begin, end in {window for track in tracks for window in track.schedule.all_windows}:
        if begin % raster:
            raise nonsense(
                f"hours that begin at {begin // 60:02}:{begin % 60:02} are not on the raster"
                f" of {raster} minutes: `raster_minutes` {gcd(raster, begin)} has them on it"
            )
        if end - begin < plan.slot_minutes:
            raise nonsense(f"hours of {end - begin} minutes are shorter than a slot")
    return raster


def _lengths(part: TimesPlan | TimesRate) -> tuple[int, int, int]:
    """Its lengths beside that of its slots; zero divides by all."""
    return (
        part.step_minutes or 0,
        part.buffer_before_minutes or 0,
        part.buffer_after_minutes or 0,
    )


def _check_sizes(rule: SlotRules) -> None:
    if len(rule.cells(0, rule.plan.consecutive_max)) > CLAIMS_MAX:
        raise nonsense(
            f"{rule.plan.consecutive_max} slots in a row are more than {CLAIMS_MAX} claims"
        )
    slots_of_day = MINUTES_OF_DAY * 60 // rule.step + 1
    if len(rule.cells(0, 1)) * slots_of_day > _CELLS_OF_DAY_MAX:
        raise nonsense("its slots are too long for so short a step; take a longer step")
