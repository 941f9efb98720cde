"""The calendar file of a booking: when its owner is to be where, for the calendar of their own. An
event for each resource and time; the same file twice is the same bytes, and one that is taken in
again after a cancellation takes the event out of the calendar. So that a calendar takes what is
new, each change is told by a higher SEQUENCE (RFC 5545): the seconds from the booking until the
last change, and what else says that there was one.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bespeak import ids
from bespeak.inventory.calendars.feed import new_calendar
from bespeak.inventory.calendars.library import icalendar
from bespeak.inventory.resources import ReadyResource
from bespeak.postgres.queries import load
from bespeak.reservations.holds import Booking
from bespeak.reservations.lines import BookedLine
from bespeak.ticketing.margins import BARE, Margin
from bespeak.ticketing.occasions import Occasion, coordinates_of, location_of, occasion_of
from bespeak.ticketing.wording import Wording

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_DOMAIN = "bespeak"
_LABELS_MAX = 100

_QUERIES = load("bespeak.ticketing", "calendars.sql")


class BookingMoves(NamedTuple):
    """How often a booking was moved to other units, as the feed still has it, and when it was
    last."""

    times: int = 0
    last: datetime | None = None


_Events: TypeAlias = dict[tuple[str, Occasion], list[int]]


def write_booking_calendar(
    booking: Booking,
    ready_resources: Mapping[str, ReadyResource],
    wording: Wording,
    margin: Margin = BARE,
    moves: BookingMoves = BookingMoves(),  # noqa: B008 (it is a constant)
) -> bytes:
    """The calendar. What nobody says the time of is left out."""
    calendar = new_calendar()
    events: _Events = {}
    for place, line in enumerate(booking.lines):
        occasion = occasion_of(ready_resources[line.resource_id], line)
        if occasion.start is not None:
            events.setdefault((line.resource_id, occasion), []).append(place)
    for (resource_id, occasion), places in events.items():
        ready = ready_resources[resource_id]
        event = _event(booking, ready, occasion, places, wording)
        _add_change(event, booking, ready, moves)
        _add_margin(event, margin, wording)
        calendar.add_component(event)
    return bytes(calendar.to_ical(sorted=False))


def _event(
    booking: Booking,
    ready: ReadyResource,
    occasion: Occasion,
    places: list[int],
    wording: Wording,
) -> icalendar.Event:
    lines = [booking.lines[place] for place in places]
    left = [line for line in lines if line.cancelled_quantity < (line.quantity or 1)]
    event = icalendar.Event()
    event.add("UID", f"{booking.id}-{places[0] + 1}@{_DOMAIN}")
    event.add("DTSTART", occasion.start)
    if occasion.end is not None:
        event.add("DTEND", occasion.end)
    event.add("SUMMARY", wording.named(ready, ready.resource.name))
    labels = [_label(ready, line, wording) for line in left[:_LABELS_MAX]]
    event.add("DESCRIPTION", "\n".join([*labels, booking.code]))
    location = wording.named(ready, location_of(ready))
    if location:
        event.add("LOCATION", location)
    coordinates = coordinates_of(ready)
    if coordinates is not None:
        event.add("GEO", coordinates)
    event.add("STATUS", "CONFIRMED" if left else "CANCELLED")
    event.add("TRANSP", "OPAQUE")
    return event


def _add_change(
    event: icalendar.Event, booking: Booking, ready: ReadyResource, moves: BookingMoves
) -> None:
    """When the event was changed last: the booking was cancelled or moved, or its resource was said
    otherwise. Events of the feed go after some time; the seconds until a later change are more than
    all that they counted."""
    times = (booking.confirmed_at, booking.cancelled_at, moves.last, ready.resource.updated_at)
    changed_at = max(time for time in times if time is not None)
    cancelled = sum(line.cancelled_quantity for line in booking.lines)
    seconds = int((changed_at - booking.confirmed_at).total_seconds())
    event.add("DTSTAMP", changed_at)
    event.add("LAST-MODIFIED", changed_at)
    event.add("SEQUENCE", seconds + moves.times + cancelled)


async def moves_of(connection: Connection, booking_id: str) -> BookingMoves:
    """How often and when a booking was moved."""
    row = await connection.fetchrow(_QUERIES["moves"], ids.parse(ids.BOOKING, booking_id))
    return BookingMoves() if row is None else BookingMoves(row["moves"], row["moved_at"])


def _add_margin(event: icalendar.Event, margin: Margin, wording: Wording) -> None:
    """Who sells is the organizer, where they have an address; how to reach them and what cancelling
    gives back stand below the rest."""
    of = margin.letterhead
    told = [str(event["DESCRIPTION"])]
    if margin.refunds:
        told.append(f"{wording.said('if_cancelled')}: {margin.refunds}")
        if of.terms:
            told.append(f"{wording.said('terms')}: {of.terms}")
    if of.name:
        told.append("\n".join((of.name, *of.reach)))
    if of.imprint:
        told.append(f"{wording.said('imprint')}: {of.imprint}")
    del event["DESCRIPTION"]
    event.add("DESCRIPTION", "\n".join(told))
    if of.email and of.name:
        organizer = icalendar.vCalAddress(f"mailto:{of.email}")
        organizer.params["CN"] = icalendar.vText(of.name)
        event.add("ORGANIZER", organizer)


def _label(ready: ReadyResource, line: BookedLine, wording: Wording) -> str:
    quantity = (line.quantity or 1) - line.cancelled_quantity
    if line.quantity is None:
        return wording.label_of(ready, line, 1)
    what = [wording.service_of(ready, line), wording.named(ready, line.unit or "")]
    named = wording.said("between").join(filter(None, what))
    return f"{quantity} \N{MULTIPLICATION SIGN} {named}" if named else str(quantity)
