"""The plan of times: slots of one provider or of several, by weekly hours."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated

from msgspec import Meta

from bespeak.inventory.bounds import check_bounds, check_names, nonsense
from bespeak.inventory.fields import Name, PlanPart, PriceAmount
from bespeak.inventory.plans import Plan
from bespeak.inventory.timeline.hours import (
    MINUTES_OF_DAY,
    Exceptions,
    Holidays,
    HorizonDays,
    NoticeMinutes,
    Weekly,
)

PROVIDERS_MAX = 500

SlotMinutes = Annotated[int, Meta(ge=1, le=MINUTES_OF_DAY)]
BufferMinutes = Annotated[int, Meta(ge=0, le=MINUTES_OF_DAY)]
SlotCapacity = Annotated[int, Meta(ge=1, le=1_000_000)]
RATES_MAX = 100


class Provider(PlanPart, frozen=True):
    """Who or what has the times: a doctor, a table, a court. Its own hours, exceptions and capacity
    stand in place of the plan's; empty hours are of one that has left."""

    name: Name
    weekly: Weekly | None = None
    exceptions: Exceptions | None = None
    capacity: SlotCapacity | None = None


class TimesRate(PlanPart, frozen=True, kw_only=True):
    """A rate: one of several things that the providers give, each of its own length and price. Its
    slots are of `minutes`, and begin every `step_minutes`. What is absent is as the plan has it;
    `providers` are those who give it (absent: all)."""

    name: Name
    minutes: SlotMinutes
    step_minutes: SlotMinutes | None = None
    buffer_before_minutes: BufferMinutes | None = None
    buffer_after_minutes: BufferMinutes | None = None
    price: PriceAmount | None = None
    providers: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=PROVIDERS_MAX)] | None = (
        None
    )


class TimesPlan(Plan, frozen=True, kw_only=True, tag="times"):
    """Times: slots of `slot_minutes` that begin every `step_minutes` (absent: every slot) in the
    hours of the week, of one provider without a name or of several.

    A slot is sold from `horizon_days` before its date until `notice_minutes` before it begins.
    With a `capacity` above 1 it is a pool of places. A line may have up to `consecutive_max` slots
    in a row. The price is of one place in one slot; without it a slot costs what the resource does.
    `raster_minutes` is the length of a claim: it divides all lengths and the beginnings of hours.
    Absent it is the longest that divides the lengths and the 15 minutes of offsets from UTC.

    A plan with `rates` is sold by them only: a line names one, and has one slot of it. All have one
    raster.
    """

    slot_minutes: SlotMinutes
    weekly: Weekly = ()
    exceptions: Exceptions = ()
    holidays: Holidays = ()
    providers: Annotated[tuple[Provider, ...], Meta(max_length=PROVIDERS_MAX)] = ()
    step_minutes: SlotMinutes | None = None
    buffer_before_minutes: BufferMinutes = 0
    buffer_after_minutes: BufferMinutes = 0
    notice_minutes: NoticeMinutes = 0
    horizon_days: HorizonDays = 90
    capacity: SlotCapacity = 1
    consecutive_max: Annotated[int, Meta(ge=1, le=1000)] = 1
    price: PriceAmount | None = None
    raster_minutes: Annotated[int, Meta(ge=1, le=60)] | None = None
    rates: Annotated[tuple[TimesRate, ...], Meta(max_length=RATES_MAX)] = ()


def check_plan(plan: TimesPlan) -> TimesPlan:
    """The plan as its JSON is read; SlotRules checks its hours and lengths. Raises InvalidRequest
    for one that makes no sense."""
    read = check_bounds(plan)
    check_names([provider.name for provider in read.providers], "provider")
    check_names([rate.name for rate in read.rates], "rate")
    known = {provider.name for provider in read.providers}
    for rate in read.rates:
        _check_providers(rate, known)
    if read.rates and read.consecutive_max > 1:
        raise nonsense("slots in a row (`consecutive_max`) are of a plan without `rates`")
    return read


def _check_providers(rate: TimesRate, known: Collection[str]) -> None:
    names = rate.providers or ()
    if len(set(names)) < len(names):
        raise nonsense(f"the rate {rate.name[:60]!r} has a provider twice")
    for name in names:
        if name not in known:
            raise nonsense(f"the rate {rate.name[:60]!r} is of {name[:60]!r}, who is no provider")
