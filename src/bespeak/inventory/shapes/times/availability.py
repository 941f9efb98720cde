"""The availability of times: every slot of a range of dates, free or with the reason why not. It
asks the same rule as a hold does, once for each date of a provider instead of once for each slot.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

import msgspec

from bespeak.errors import InvalidRequest, UnknownUnit
from bespeak.inventory.plans import SOLD_OUT, AvailabilityQuery, Reason, SaleContext
from bespeak.inventory.lines import QUANTITY_MAX
from bespeak.inventory.snapshot import Snapshot, TakenClaims
from bespeak.inventory.timeline.hours import sale_window
from bespeak.inventory.timeline.instants import (
    DAY,
    day_start,
    edge_of,
    local_day,
    shown,
    shown_day,
)
from bespeak.inventory.timeline.raster import UNNAMED, worse
from bespeak.inventory.shapes.times.slots import SlotDay, TimesRule, Track, TrackDay

DAYS_SHOWN = 7
DAYS_MAX = 62
SLOTS_MAX = 20_000
_DAYS_OF_PROVIDERS_MAX = 31_000
_UNITS_MAX = 5000


class ProviderPlaces(msgspec.Struct, frozen=True, omit_defaults=True):
    """How many places a provider has left in a slot; of an exclusive one that has none, why, and
    until when at the latest (absent: no end)."""

    available: int
    reason: str | None = None
    until: datetime | None = None


class TimeSlot(msgspec.Struct, frozen=True, omit_defaults=True):
    """A slot. Without a `reason` it can be held; `available` is how many places are left, over all
    providers. `until` is when at the latest there may be enough. The price is of one place."""

    from_: str = msgspec.field(name="from")
    to: str
    available: int
    price: int
    reason: str | None = None
    until: datetime | None = None
    providers: dict[str, ProviderPlaces] = {}


class TimesAvailability(msgspec.Struct, frozen=True, kw_only=True, tag="times"):
    """The slots that begin from `from` until before `to`, in order, for `quantity` places each, and
    the dates that an exception or a holiday closes. `version` changes with every event."""

    resource_id: str
    version: str
    from_: str = msgspec.field(name="from")
    to: str
    quantity: int
    slots: list[TimeSlot]
    closed: list[str]


class AskedRange(NamedTuple):
    """What an availability is asked for: instants, as seconds since 1970, and how many."""

    first: int
    past: int
    quantity: int


def asked_range(
    query: AvailabilityQuery, sale: SaleContext, days: int, days_max: int
) -> AskedRange:
    """The range of a query: from today and for so many days, unless it says otherwise.
    Raises InvalidRequest."""
    zone = sale.zone
    if not 1 <= query.quantity <= QUANTITY_MAX:
        raise InvalidRequest(f"a quantity is 1 to {QUANTITY_MAX}", field="quantity")
    if query.from_ is None:
        first = day_start(zone, local_day(sale.now.timestamp(), zone))
    else:
        first = edge_of(query.from_, zone, "from")
    if query.to is None:
        past = day_start(zone, local_day(first, zone) + days)
    else:
        past = edge_of(query.to, zone, "to")
    if past <= first:
        raise InvalidRequest("`to` is not after `from`", field="to")
    if past - first > (days_max + 1) * DAY:  # a day of grace for dates of 25 hours
        raise InvalidRequest(f"availability is of at most {days_max} days", field="to")
    return AskedRange(first, past, query.quantity)


def availability_units(
    rule: TimesRule, query: AvailabilityQuery, sale: SaleContext
) -> list[str] | None:
    """The claims that an availability looks at, or None if they are so many that reading all is
    less work. Raises InvalidRequest."""
    units: list[str] = []
    asked = asked_range(query, sale, DAYS_SHOWN, DAYS_MAX)
    for track, day in _track_days(rule, query, asked, sale):
        units.extend(rule.track_day(track, sale.zone, day).places)
        if len(units) > _UNITS_MAX:
            return None
    return units


def availability(
    rule: TimesRule, query: AvailabilityQuery, snapshot: Snapshot, sale: SaleContext
) -> TimesAvailability:
    """Every slot of the asked range. Raises InvalidRequest, also for more slots than one answer
    can have."""
    zone = sale.zone
    asked = asked_range(query, sale, DAYS_SHOWN, DAYS_MAX)
    groups: dict[tuple[int, int], _Group] = {}
    seen = 0
    open_days: set[int] = set()
    closed_days: set[int] = set()
    for track, day in _track_days(rule, query, asked, sale):
        (closed_days if track.schedule.is_closed(day) else open_days).add(day)
        track_day = rule.track_day(track, zone, day)
        starts = track_day.slots.starts
        low, high = bisect_left(starts, asked.first), bisect_left(starts, asked.past)
        seen += high - low
        if seen > SLOTS_MAX:
            raise InvalidRequest(
                f"more than {SLOTS_MAX} slots: ask for fewer days, or for one `unit`", field="to"
            )
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
        slots=_shown_slots(rule, _merged(groups.values()), query, sale),
        closed=[
            shown_day(day)
            for day in sorted(closed_days - open_days)
            if asked.first <= day_start(zone, day) < asked.past
        ],
    )


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


def _track_days(
    rule: TimesRule, query: AvailabilityQuery, asked: AskedRange, sale: SaleContext
) -> list[tuple[Track, int]]:
    """The dates of providers whose hours may have slots in the range. After midnight there are
    slots of the date before."""
    tracks = asked_tracks(rule, query, sale)
    days = range(local_day(asked.first, sale.zone) - 1, local_day(asked.past - 1, sale.zone) + 1)
    if len(tracks) * len(days) > _DAYS_OF_PROVIDERS_MAX:
        raise InvalidRequest("too much: ask for fewer days, or for one `unit`", field="to")
    return [(track, day) for day in days for track in tracks]


def asked_tracks(rule: TimesRule, query: AvailabilityQuery, sale: SaleContext) -> tuple[Track, ...]:
    """The providers that a query is about: one, or all. Raises UnknownUnit."""
    if query.unit is None:
        return rule.tracks
    track = rule.by_name.get(query.unit)
    if track is None or track.name == UNNAMED:
        raise UnknownUnit(resource_id=sale.resource_id, unit=query.unit, field="unit")
    return (track,)


def places_of_day(
    track: Track, track_day: TrackDay, snapshot: Snapshot, now: float
) -> list[ProviderPlaces]:
    """What a provider has left in each slot of a date."""
    slots, places = track_day
    found = [_free(track.capacity)] * len(slots.starts)
    if track.capacity > 1:
        most: dict[int, int] = {}
        for unit in places.keys() & snapshot.pools.keys():
            drawn = snapshot.drawn(unit)
            for place in range(*slots.touched[places[unit]]):
                most[place] = max(drawn, most.get(place, 0))
        for place, drawn in most.items():
            left = max(0, track.capacity - drawn)
            found[place] = ProviderPlaces(left, None if left else SOLD_OUT)
        return found
    why: dict[int, TakenClaims] = {}
    for unit in places.keys() & snapshot.units.keys():
        taken = snapshot.taken(unit, now)
        if taken is not None:
            for place in range(*slots.touched[places[unit]]):
                known = why.get(place)
                why[place] = taken if known is None else worse(known, taken)
    for place, taken in why.items():
        found[place] = _gone(taken)
    return found


@lru_cache(maxsize=1024)
def _free(capacity: int) -> ProviderPlaces:
    return ProviderPlaces(capacity)


@lru_cache(maxsize=4096)
def _gone(taken: TakenClaims) -> ProviderPlaces:
    until = None if taken.until is None else datetime.fromtimestamp(taken.until, UTC)
    return ProviderPlaces(0, taken.state, until)


def _shown_slots(
    rule: TimesRule, slots: dict[int, _Slot], query: AvailabilityQuery, sale: SaleContext
) -> list[TimeSlot]:
    plan = rule.plan
    window = sale_window(sale.now.timestamp(), sale.zone, plan.notice_minutes, plan.horizon_days)
    named = len(rule.tracks) > 1 and query.unit is None
    shown_slots = []
    for start in sorted(slots):
        slot = slots[start]
        price = sale.priced(plan.price, at=start)
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
    rule: TimesRule, found: Sequence[ProviderPlaces], quantity: int, available: int
) -> tuple[str | None, datetime | None]:
    """Why a slot does not have enough, and when at the latest it may. Several exclusive providers
    count together; places of pools do not, because a group is not split."""
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
