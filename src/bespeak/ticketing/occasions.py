"""When a ticket is for, and how that is written for people: the range of its line, or else when its
resource begins and ends. Dates of nights stay dates; times are shown by the resource's own clocks.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from bespeak.inventory.calendars.events import When
from bespeak.inventory.calendars.feed import place_of
from bespeak.inventory.resources import ReadyResource
from bespeak.reservations.lines import BookedLine

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_PLACES = ("location", "venue", "address")
_PLACE_LENGTH_MAX = 300


class Occasion(NamedTuple):
    """From when until when: times in UTC, or dates of nights, half-open. None: nobody says."""

    start: When | None = None
    end: When | None = None

    @property
    def starts_at(self) -> datetime | None:
        """The beginning, where it is a time."""
        return self.start if isinstance(self.start, datetime) else None

    @property
    def ends_at(self) -> datetime | None:
        """The end, where it is a time."""
        return self.end if isinstance(self.end, datetime) else None

    @property
    def in_code(self) -> int | str | None:
        """The beginning as a ticket code says it: seconds since 1970, or a date."""
        if isinstance(self.start, datetime):
            return int(self.start.timestamp())
        return None if self.start is None else self.start.isoformat()


def occasion_of(ready: ReadyResource, line: BookedLine) -> Occasion:
    """When a line of a booking is for."""
    place = place_of(ready, line.from_, line.to)
    return Occasion() if place is None else Occasion(*map(_in_utc, place))


def written(occasion: Occasion, zone: ZoneInfo) -> str:
    """For people, by the clocks of the zone: `Sat 5 Jan 2030, 20:00 to 22:30`. Empty where nobody
    says when."""
    start, end = occasion
    if isinstance(start, datetime):
        begins = start.astimezone(zone)
        shown = f"{_day(begins)}, {begins:%H:%M}"
        if not isinstance(end, datetime) or end <= start:
            return shown
        ends = end.astimezone(zone)
        other_day = "" if ends.date() == begins.date() else f"{_day(ends)}, "
        return f"{shown} to {other_day}{ends:%H:%M}"
    if start is None:
        return ""
    return _day(start) if end is None else f"{_day(start)} to {_day(end)}"


def location_of(ready: ReadyResource) -> str:
    """Where it is, as the resource's attributes say; empty where they do not."""
    for name in _PLACES:
        place = ready.resource.attributes.get(name)
        if isinstance(place, str) and place:
            return place[:_PLACE_LENGTH_MAX]
    return ""


def _in_utc(when: When | None) -> When | None:
    return when.astimezone(UTC) if isinstance(when, datetime) else when


def _day(day: date) -> str:
    return f"{_DAYS[day.weekday()]} {day.day} {_MONTHS[day.month - 1]} {day.year}"
