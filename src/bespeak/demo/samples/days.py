"""Days of the samples, counted from the day on which they are loaded, so that none is ever over
when it is made: the coming Saturday evening, the New Years of the years ahead.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

SATURDAY = 5
SUNDAY = 6
_WEEK = 7
_YEARS = 6


def today(now: datetime, zone: ZoneInfo) -> date:
    """The date in the zone at an instant."""
    return now.astimezone(zone).date()


def coming(weekday: int, after: date) -> date:
    """The first date later than `after` that is this day of the week (0 is Monday)."""
    return after + timedelta(days=(weekday - after.weekday() - 1) % _WEEK + 1)


def at(day: date, hour: int, minute: int, zone: ZoneInfo) -> datetime:
    """The instant at which the clocks of the zone show this time."""
    return datetime.combine(day, time(hour, minute), zone)


def years_from(day: date) -> range:
    """The year of a date and those that follow: more than any booking window reaches."""
    return range(day.year, day.year + _YEARS)
