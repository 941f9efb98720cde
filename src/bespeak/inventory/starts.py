"""When what a line is of begins: the instant from which terms of cancellation count back."""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec import UnsetType

from bespeak.inventory.calendars.feed import place_of
from bespeak.inventory.resources import ReadyResource


def starts_of(
    ready: ReadyResource, from_: str | UnsetType, to: str | UnsetType = ""
) -> datetime | None:
    """When a line with these ends begins: a stay at the check-in time of its first date, a journey
    when the run leaves its first stop, and what has no range when the resource does (its
    `starts_at`). None: nobody says when."""
    place = place_of(ready, from_, to)
    if place is None:
        return None
    begins = place[0]
    if isinstance(begins, datetime):
        return begins
    return datetime.combine(begins, ready.plan.check_in, ready.zone).astimezone(UTC)
