"""The availability of times: every slot of a range of dates, free or with the reason why not. It
asks the same rule as a hold does, once for each date of a provider instead of once for each slot.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

import msgspec

from bespeak.errors import InvalidRequest, UnknownUnit
from bespeak.inventory.plans import (
    SOLD_OUT,
    Availability,
    AvailabilityQuery,
    AvailabilityReader,
    Reason,
    SaleContext,
    UnavailableReason,
)
from bespeak.inventory.shapes.times.rates import RateRules
from bespeak.inventory.shapes.times.slots import SlotDay, SlotRules, Track, TrackDay
from bespeak.inventory.snapshot import Snapshot, TakenClaims
from bespeak.inventory.timeline.hours import sale_window
from bespeak.inventory.timeline.instants import day_start, local_day, shown, shown_day
from bespeak.inventory.timeline.ranges import AskedRange, asked_range
from bespeak.inventory.timeline.raster import UNNAMED, worse

_DAYS_SHOWN = 7
_DAYS_MAX = 62
_SLOTS_MAX = 20_000
_CELLS_MAX = 300_000
_DAYS_OF_PROVIDERS_MAX = 31_000
_UNITS_MAX = 5000


class ProviderPlaces(msgspec.Struct, frozen=True, omit_defaults=True):
    """How many places a provider has left in a slot; of an exclusive one that has none, why, and
    until when at the latest (absent: no end)."""

    available: int
    reason: UnavailableReason | None = None
    until: datetime | None = None


class TimeSlot(msgspec.Struct, frozen=True, omit_defaults=True):
    """A slot. Without a `reason` it can be held; `available` is how many places are left, over all
    providers. `until` is when at the latest there may be enough. The price is of one place."""

    from_: str = msgspec.field(name="from")
    to: str
    available: int
    price: int
    reason: UnavailableReason | None = None
    until: datetime | None = None
    providers: dict[str, ProviderPlaces] = {}


class TimesAvailability(Availability, frozen=True, kw_only=True, tag="times"):
    """The slots that begin from `from` until before `to`, in order, for `quantity` places each, and
    the dates that an exception or a holiday closes; at the `rate` that was asked for (absent: none,
    the plan's own slots). `version` changes with every event."""

    from_: str = msgspec.field(name="from")
    to: str
    quantity: int
    slots: list[TimeSlot]
    closed: list[str]
    rate: str | None = None


class TimesReader(AvailabilityReader):
    def __init__(self, rates: RateRules) -> None:
        self._rates = rates

    def units(self, query: AvailabilityQuery, sale: SaleContext) -> list[str] | None:
        units: list[str] = []
        rule = self._rates.of_name(query.rate, "rate")
        asked = asked_range(query, sale, _DAYS_SHOWN, _DAYS_MAX, takes_rate=True)
        for track, day in _track_days(rule, query, asked, sale):
            units.extend(rule.track_day(track, sale.zone, day).claims)
            if len(units) > _UNITS_MAX:
                return None
        return units

    def answer(
        self, query: AvailabilityQuery, snapshot: Snapshot, sale: SaleContext
    ) -> TimesAvailability:
        rule, zone = self._rates.of_name(query.rate, "rate"), sale.zone
        asked = asked_range(query, sale, _DAYS_SHOWN, _DAYS_MAX, takes_rate=True)
        groups: dict[tuple[int, int], _Group] = {}
        seen = cells = 0
        open_days: set[int] = set()
        closed_days: set[int] = set()
        for track, day in _track_days(rule, query, asked, sale):
            (closed_days if track.schedule.is_closed(day) else open_days).add(day)
            track_day = rule.track_day(track, zone, day)
            starts = track_day.slots.starts
            low, high = bisect_left(starts, asked.first), bisect_left(starts, asked.past)
            seen, cells = seen + high - low, cells + len(track_day.claims)
            if seen > _SLOTS_MAX:
                raise InvalidRequest(
                    f"more than {_SLOTS_MAX} slots: ask for fewer days, or for one `unit`",
                    field="to",
                )
            if cells > _CELLS_MAX:  # of few slots that are long, or in a fine raster
                raise _too_much()
            if low < high:
                group = groups.setdefault(
                    (day, id(track.schedule)), _Group(track_day.slots, low, high, [], [])
                )
                group.names.append(track.name)
                group.places.append(places_of_day(track, track_day, snapshot, sale.now.timestamp()))
        return TimesAvailability(
            resource_id=sale.resource_id,
            version=snapshot.version,
            from_=shown(asked.first, zone),
            to=shown(asked.past, zone),
            quantity=asked.quantity,
            rate=rule.rate,
            slots=_shown_slots(rule, _merged(groups.values()), query, sale),
            closed=[
                shown_day(day)
                for day in sorted(closed_days - open_days)
                if asked.first <= day_start(zone, day) < asked.past
            ],
        )


def _track_days(
    rule: SlotRules, query: AvailabilityQuery, asked: AskedRange, sale: SaleContext
) -> list[tuple[Track, int]]:
    """The dates of providers whose hours may have slots in the range. After midnight there are
    slots of the date before."""
    tracks = _asked_tracks(rule, query, sale)
    days = range(local_day(asked.first, sale.zone) - 1, local_day(asked.past - 1, sale.zone) + 1)
    if len(tracks) * len(days) > _DAYS_OF_PROVIDERS_MAX:
        raise _too_much()
    return [(track, day) for day in days for track in tracks]


def _too_much() -> InvalidRequest:
    return InvalidRequest("too much: ask for fewer days, or for one `unit`", field="to")


def _asked_tracks(
    rule: SlotRules, query: AvailabilityQuery, sale: SaleContext
) -> tuple[Track, ...]:
    """The providers that a query is about: one, or all. Raises UnknownUnit."""
    if query.unit is None:
        return rule.tracks
    track = rule.by_name.get(query.unit)
    if track is None or track.name == UNNAMED:
        raise UnknownUnit(resource_id=sale.resource_id, unit=query.unit, field="unit")
    return (track,)


def _shown_slots(
    rule: SlotRules, slots: dict[int, _Slot], query: AvailabilityQuery, sale: SaleContext
) -> list[TimeSlot]:
    plan = rule.plan
    window = sale_window(sale.now.timestamp(), sale.zone, plan.notice_minutes, plan.horizon_days)
    named = len(rule.tracks) > 1 and query.unit is None
    shown_slots = []
    for start in sorted(slots):
        slot = slots[start]
        price = sale.priced(plan.price, at=start, rate=rule.rate)
        begin, end = shown(start, sale.zone), shown(start + rule.slot, sale.zone)
        if start < window.earliest:
            shown_slots.append(TimeSlot(begin, end, 0, price, Reason.CUTOFF))
        elif start >= window.end:
            shown_slots.append(TimeSlot(begin, end, 0, price, Reason.BEYOND_WINDOW))
        else:
            available = sum([found.available for found in slot.places])
            reason, until = _why_not(rule, slot.places, query.quantity, available)
            providers = dict(zip(slot.names, slot.places, strict=True)) if named else {}
            shown_slots.append(TimeSlot(begin, end, available, price, reason, until, providers))
    return shown_slots


def _why_not(
    rule: SlotRules, found: Sequence[ProviderPlaces], quantity: int, available: int
) -> tuple[str | None, datetime | None]:
    """Why a slot does not have enough, and when at the latest it may. Several exclusive
    providers count together; places of pools do not, because a group is not split."""
    if rule.capacity_max == 1:
        if available >= quantity:
            return None, None
        ends = sorted(one.until for one in found if one.until is not None)
        lacking = quantity - available
        until = ends[lacking - 1] if lacking <= len(ends) else None
        reasons = {one.reason for one in found}
        same = available == 0 and len(reasons) == 1
        return (reasons.pop() if same else SOLD_OUT), until
    if max(one.available for one in found) >= quantity:
        return None, None
    if len(found) == 1:
        return found[0].reason or SOLD_OUT, found[0].until
    return SOLD_OUT, None


class _Group(NamedTuple):
    """Providers with the same slots on a date; those from `low` until before `high` are asked for.
    For each provider its places in each slot of the date."""

    slots: SlotDay
    low: int
    high: int
    names: list[str]
    places: list[list[ProviderPlaces]]


class _Slot(NamedTuple):
    names: Sequence[str]
    places: Sequence[ProviderPlaces]


def _merged(groups: Iterable[_Group]) -> dict[int, _Slot]:
    """All slots by their beginnings, with the providers who have them."""
    found: dict[int, _Slot] = {}
    for slots, low, high, names, places in groups:
        columns = zip(
            slots.starts[low:high],
            zip(*(row[low:high] for row in places), strict=True),
            strict=True,
        )
        for start, column in columns:
            known = found.get(start)
            if known is None:
                found[start] = _Slot(names, column)
            else:
                found[start] = known._replace(
                    names=(*known.names, *names), places=(*known.places, *column)
                )
    return found


def places_of_day(
    track: Track, track_day: TrackDay, snapshot: Snapshot, now: float
) -> list[ProviderPlaces]:
    """What a provider has left in each slot of a date."""
    slots, claims = track_day
    found = [_free(track.capacity)] * len(slots.starts)
    if track.capacity > 1:
        most: dict[int, int] = {}
        for unit in claims.keys() & snapshot.pools.keys():
            drawn = snapshot.drawn(unit)
            for slot in range(*slots.touched[claims[unit]]):
                most[slot] = max(drawn, most.get(slot, 0))
        for slot, drawn in most.items():
            left = max(0, track.capacity - drawn)
            found[slot] = ProviderPlaces(left, None if left else SOLD_OUT)
        return found
    why: dict[int, TakenClaims] = {}
    for unit in claims.keys() & snapshot.units.keys():
        taken = snapshot.taken(unit, now)
        if taken is not None:
            for slot in range(*slots.touched[claims[unit]]):
                known = why.get(slot)
                why[slot] = taken if known is None else worse(known, taken)
    for slot, taken in why.items():
        found[slot] = _gone(taken)
    return found


@lru_cache(maxsize=1024)
def _free(capacity: int) -> ProviderPlaces:
    return ProviderPlaces(capacity)


@lru_cache(maxsize=4096)
def _gone(taken: TakenClaims) -> ProviderPlaces:
    return ProviderPlaces(0, taken.state, taken.ends_at)
