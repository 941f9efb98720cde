"""Hours: the weekly rules of a plan, with its exceptions and holidays, as the clocks on the wall
show them. A date's hours are local times; which instants they are is asked of the time zone, so an
hour that does not exist is not there, and one that comes twice is there twice.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from typing import Annotated, NamedTuple
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Meta

from bespeak.inventory.bounds import nonsense
from bespeak.inventory.fields import WEEKDAYS, PlanPart, Weekday
from bespeak.inventory.timeline.instants import DAY, FIRST_DATE, day_start, local_day, within

MINUTES_OF_DAY = 1440
HORIZON_DAYS_MAX = 1100
NOTICE_MINUTES_MAX = 366 * MINUTES_OF_DAY
_THURSDAY = 3  # the weekday of 1970-01-01

ClockTime = Annotated[
    str,
    Meta(
        pattern=r"^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)\Z",
        extra_json_schema={"pattern": "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$"},
        description="a time of day from 00:00 to 24:00",
        examples=["09:30"],
    ),
]
Windows = tuple[tuple[int, int], ...]
Pieces = list[tuple[int, int]]


class Hours(PlanPart, frozen=True):
    """From one time of day until before another. If that is not later it is of the next date:
    20:00 to 02:00 is a night. 24:00 is the end of the date."""

    from_: ClockTime = msgspec.field(name="from")
    to: ClockTime


class WeeklyHours(PlanPart, frozen=True):
    """Hours of some days of the week, or of all."""

    from_: ClockTime = msgspec.field(name="from")
    to: ClockTime
    days: Annotated[tuple[Weekday, ...], Meta(min_length=1, max_length=7)] = WEEKDAYS


class SpecialDays(PlanPart, frozen=True):
    """A `date`, or the dates `from` until before `to`, that are `closed` or have other `hours`."""

    date: dt.date | None = None
    from_: dt.date | None = msgspec.field(default=None, name="from")
    to: dt.date | None = None
    closed: bool = False
    hours: Annotated[tuple[Hours, ...], Meta(max_length=50)] = ()


Weekly = Annotated[tuple[WeeklyHours, ...], Meta(max_length=200)]
Exceptions = Annotated[tuple[SpecialDays, ...], Meta(max_length=2000)]
Holidays = Annotated[tuple[dt.date, ...], Meta(max_length=2000)]
NoticeMinutes = Annotated[int, Meta(ge=0, le=NOTICE_MINUTES_MAX)]
HorizonDays = Annotated[int, Meta(ge=0, le=HORIZON_DAYS_MAX)]

ALWAYS = (WeeklyHours("00:00", "24:00"),)


class SaleWindow(NamedTuple):
    """What the clock makes of notice and horizon: now with the notice, as seconds since 1970, and
    the first instant that is not on sale yet."""

    earliest: float
    end: int


def sale_window(now: float, zone: ZoneInfo, notice_minutes: int, horizon_days: int) -> SaleWindow:
    """On sale are the dates from today until `horizon_days` after today, all of the last one."""
    end = day_start(zone, local_day(now, zone) + horizon_days + 1)
    return SaleWindow(now + notice_minutes * 60, end)


class _Special(NamedTuple):
    first: int
    past: int
    windows: Windows


class Schedule:
    """Weekly hours, exceptions and holidays made ready: the hours of any date. An exception wins
    over a holiday, and that over the weekly hours; of two exceptions the later in the plan wins."""

    def __init__(self, weekly: Weekly, exceptions: Exceptions, holidays: Holidays) -> None:
        """Raises InvalidRequest for hours that make no sense."""
        of_days: list[list[tuple[int, int]]] = [[] for _ in WEEKDAYS]
        for hours in weekly:
            for day in set(hours.days):
                of_days[WEEKDAYS.index(day)].append(_window(hours))
        self._weekly = tuple(_in_order(windows) for windows in of_days)
        self._holidays = frozenset(day.toordinal() - FIRST_DATE for day in holidays)
        specials = [_special(one) for one in reversed(exceptions)]
        self._changes, self._special_since = _in_turn(specials)
        self.all_windows: Windows = tuple(
            window
            for windows in (*self._weekly, *(special.windows for special in specials))
            for window in windows
        )

    def is_closed(self, day: int) -> bool:
        """Whether a holiday or an exception closes this date (as days since 1970)."""
        special = self._special_of(day)
        return day in self._holidays if special is None else not special.windows

    def windows(self, day: int) -> Windows:
        """The hours that begin on a date, as minutes from its midnight, in order. A night that
        runs into hours of the next date ends where they begin."""
        own = self._own(day)
        if own and own[-1][1] > MINUTES_OF_DAY:
            following = self._own(day + 1)
            if following:
                begin, end = own[-1]
                return (*own[:-1], (begin, min(end, MINUTES_OF_DAY + following[0][0])))
        return own

    def pieces(self, zone: ZoneInfo, day: int) -> tuple[tuple[int, int], ...]:
        """The hours that begin on a date as ranges of instants, a range or more for each window
        (none for one that the clocks skip), in order of the windows."""
        return _pieces(self, zone, day)

    def opened(self, zone: ZoneInfo, first: int, past: int) -> Pieces:
        """All hours between two instants, in order; what touches is one."""
        days = range(local_day(first, zone) - 1, local_day(past, zone) + 2)
        merged: Pieces = []
        for since, until in sorted(piece for day in days for piece in self.pieces(zone, day)):
            begin, end = max(since, first), min(until, past)
            if begin >= end:
                continue
            if merged and merged[-1][1] >= begin:
                merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
            else:
                merged.append((begin, end))
        return merged

    def _own(self, day: int) -> Windows:
        special = self._special_of(day)
        if special is not None:
            return special.windows
        return () if day in self._holidays else self._weekly[(day + _THURSDAY) % 7]

    def _special_of(self, day: int) -> _Special | None:
        index = bisect_right(self._changes, day) - 1
        return self._special_since[index] if index >= 0 else None


def _in_turn(specials: Sequence[_Special]) -> tuple[list[int], list[_Special | None]]:
    """The dates on which it changes which of these stands, and which does from each on. Of those
    that have a date the first stands."""
    changes = sorted({day for one in specials for day in (one.first, one.past)})
    waiting = sorted(range(len(specials)), key=lambda index: specials[index].first, reverse=True)
    begun: list[int] = []
    since: list[_Special | None] = []
    for day in changes:
        while waiting and specials[waiting[-1]].first <= day:
            heappush(begun, waiting.pop())
        while begun and specials[begun[0]].past <= day:
            heappop(begun)
        since.append(specials[begun[0]] if begun else None)
    return changes, since


@lru_cache(maxsize=8192)
def _pieces(schedule: Schedule, zone: ZoneInfo, day: int) -> tuple[tuple[int, int], ...]:
    return tuple(
        piece
        for begin, end in schedule.windows(day)
        for piece in within(zone, day * DAY + begin * 60, day * DAY + end * 60)
    )


def _window(hours: Hours | WeeklyHours) -> tuple[int, int]:
    begin, end = _minutes(hours.from_), _minutes(hours.to)
    if begin in (MINUTES_OF_DAY, end):
        raise nonsense(f"{hours.from_} to {hours.to} has no length; a whole day is 00:00 to 24:00")
    return begin, end if end > begin else end + MINUTES_OF_DAY


def _minutes(text: str) -> int:
    return int(text[:2]) * 60 + int(text[3:])


def _in_order(windows: list[tuple[int, int]]) -> Windows:
    ordered = sorted(windows)
    for one, other in pairwise(ordered):
        if one[1] > other[0]:
            raise nonsense(f"hours overlap: {_clock(one)} and {_clock(other)}")
    return tuple(ordered)


def _clock(window: tuple[int, int]) -> str:
    return " to ".join(f"{minutes // 60 % 24:02}:{minutes % 60:02}" for minutes in window)


def _special(days: SpecialDays) -> _Special:
    if days.closed == bool(days.hours):
        raise nonsense("an exception is `closed`, or it has `hours`")
    windows = _in_order([_window(hours) for hours in days.hours])
    if days.date is not None and days.from_ is None and days.to is None:
        day = days.date.toordinal() - FIRST_DATE
        return _Special(day, day + 1, windows)
    if days.date is not None or days.from_ is None or days.to is None:
        raise nonsense("an exception has a `date`, or `from` and `to`")
    if days.to <= days.from_:
        raise nonsense(f"the exception ends on {days.to}, not after {days.from_}")
    return _Special(days.from_.toordinal() - FIRST_DATE, days.to.toordinal() - FIRST_DATE, windows)
