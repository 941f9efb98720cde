"""When and where a ticket is for: the range of its line, or else when its resource begins and ends.
Dates of nights stay dates.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from bespeak.inventory.calendars.events import When
from bespeak.inventory.calendars.feed import place_of
from bespeak.inventory.resources import ReadyResource
from bespeak.reservations.lines import BookedLine

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


def location_of(ready: ReadyResource) -> str:
    """Where it is, as the resource's attributes say; empty where they do not."""
    for name in _PLACES:
        place = ready.resource.attributes.get(name)
        if isinstance(place, str) and place:
            return place[:_PLACE_LENGTH_MAX]
    return ""


def coordinates_of(ready: ReadyResource) -> tuple[float, float] | None:
    """The latitude and longitude of where it is, as the resource's attributes say; None where they
    do not, or say no place on earth."""
    latitude, longitude = (_degrees(ready, name) for name in ("latitude", "longitude"))
    if latitude is None or longitude is None or abs(latitude) > 90 or abs(longitude) > 180:
        return None
    return latitude, longitude


def _degrees(ready: ReadyResource, name: str) -> float | None:
    value = ready.resource.attributes.get(name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _in_utc(when: When | None) -> When | None:
    return when.astimezone(UTC) if isinstance(when, datetime) else when
