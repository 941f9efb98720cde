"""Writing a calendar: what of a resource is booked or blocked, as an iCalendar feed that calendar
programs subscribe to. Where nothing changed, not a byte does.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from msgspec import UNSET, UnsetType

from bespeak.errors import InvalidRequest
from bespeak.inventory.calendars.library import icalendar
from bespeak.inventory.plans import When
from bespeak.inventory.resources import ReadyResource, Resource
from bespeak.inventory.timeline.instants import instant_of

_PRODUCT = "-//Bespeak//Bespeak//EN"
_REFRESH = timedelta(minutes=15)
_DOMAIN = "bespeak"


class Busy(NamedTuple):
    """Something that keeps the resource busy: where it is told from (a booking or a block, and
    which of its lines), when, since when it is known, and what people may read of it."""

    id: str
    line: int
    start: When
    end: When | None
    known_at: datetime
    summary: str
    details: str
    is_block: bool


def place_of(
    ready: ReadyResource, start: str | UnsetType, end: str | UnsetType
) -> tuple[When, When | None] | None:
    """When a line with these ends is: dates of nights, or times in UTC. The stops of a run are when
    it is there. A line without a range is when the resource's `starts_at` and `ends_at` say,
    or its attributes of these names. None: nobody says when."""
    resource = ready.resource
    if start is UNSET:
        return _of_attributes(resource, ready.zone)
    try:
        return ready.plan.when(start, None if end is UNSET else end, ready.zone)
    except InvalidRequest:
        return None  # a line from before the plan or its zone was changed


def new_calendar() -> icalendar.Calendar:
    calendar = icalendar.Calendar()
    calendar.add("PRODID", _PRODUCT)
    calendar.add("VERSION", "2.0")
    calendar.add("CALSCALE", "GREGORIAN")
    calendar.add("METHOD", "PUBLISH")
    return calendar


def write_calendar(ready: ReadyResource, found: Iterable[Busy]) -> bytes:
    """The calendar of a resource, an event each, in the order given."""
    calendar = new_calendar()
    calendar.add("NAME", ready.resource.name)
    calendar.add("X-WR-CALNAME", ready.resource.name)
    calendar.add("X-WR-TIMEZONE", ready.resource.time_zone)
    calendar.add("REFRESH-INTERVAL", _REFRESH, parameters={"VALUE": "DURATION"})
    for busy in found:
        calendar.add_component(_event(busy))
    return bytes(calendar.to_ical(sorted=False))


def _event(busy: Busy) -> icalendar.Event:
    event = icalendar.Event()
    event.add("UID", f"{busy.id}-{busy.line}@{_DOMAIN}")
    event.add("DTSTAMP", busy.known_at)
    event.add("DTSTART", busy.start)
    if busy.end is not None:
        event.add("DTEND", busy.end)
    event.add("SUMMARY", busy.summary)
    if busy.details:
        event.add("DESCRIPTION", busy.details)
    event.add("CATEGORIES", ["BLOCKED" if busy.is_block else "BOOKED"])
    event.add("STATUS", "CONFIRMED")
    event.add("TRANSP", "OPAQUE")
    return event


def _of_attributes(resource: Resource, zone: ZoneInfo) -> tuple[When, When | None] | None:
    if resource.starts_at is not None:
        return resource.starts_at, resource.ends_at
    start, end = (_attribute(resource, name, zone) for name in ("starts_at", "ends_at"))
    if start is None:
        return None
    return start, end if end is not None and end > start else None


def _attribute(resource: Resource, name: str, zone: ZoneInfo) -> datetime | None:
    found = resource.attributes.get(name)
    if not isinstance(found, str):
        return None
    try:
        return datetime.fromtimestamp(instant_of(found, zone, "lines"), UTC)
    except InvalidRequest:
        return None
