"""Calendars: that of a resource for calendar programs, by a key or by a link that needs none; other
calendars, imported as blocks; and the calendar file of a booking.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.errors import UnknownUnit
from bespeak.http.server import tags
from bespeak.http.server.answers import Answer
from bespeak.http.server.calendar_links import CalendarView
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import (
    NOT_MODIFIED,
    OF_BOOKING,
    OF_RESOURCE,
    OPERATORS,
    SERVERS,
    endpoint_table,
)
from bespeak.http.server.errors import CalendarLinkInvalid
from bespeak.http.server.scopes import MANAGE, READ, SELL
from bespeak.inventory.calendars.events import FILE_BYTES_MAX
from bespeak.inventory.calendars.imports import CalendarImport
from bespeak.lines import Quantity, UnitName
from bespeak.signed_tokens import TOKEN_LENGTH_MAX

_MEDIA_TYPE = "text/calendar; charset=utf-8"
_LINK_SECONDS_MAX = 315_360_000
_NAMES_MAX = 20

CalendarName = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,59}\Z",
        extra_json_schema={"pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$"},
    ),
]

ENDPOINTS, endpoint = endpoint_table(tags.CALENDARS)


class CalendarQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the feed tells, with a key; or the token of a link, which says it itself."""

    details: bool = False
    without: CalendarName | None = None
    token: Annotated[str, Meta(max_length=TOKEN_LENGTH_MAX)] | None = None


class MakeCalendarLink(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for a link to the feed: whether it tells who has booked and why something is blocked,
    which imported calendars it leaves out, and for how long it is good (absent: without an end)."""

    details: bool = False
    without: Annotated[list[CalendarName], Meta(max_length=_NAMES_MAX)] = []
    expires_in_seconds: Annotated[int, Meta(ge=1, le=_LINK_SECONDS_MAX)] | None = None


class CalendarLink(msgspec.Struct, frozen=True):
    """A path of this server that opens the feed without a key, for whoever has it."""

    path: str
    expires_at: datetime | None


class ImportCalendar(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An iCalendar file and the name under which it is imported again; of what unit, or of how many
    of a counted one, it is (absent: of all)."""

    name: CalendarName
    calendar: Annotated[str, Meta(max_length=FILE_BYTES_MAX)]
    unit: UnitName | None = None
    quantity: Quantity | None = None


@endpoint(
    "GET",
    "/v1/resources/{resource_id}/calendar.ics",
    "The calendar of a resource",
    answers=_MEDIA_TYPE,
    kinds=SERVERS,
    link_opens=True,
    other_statuses=(NOT_MODIFIED,),
    errors=(*OF_RESOURCE, CalendarLinkInvalid),
    scopes=READ | MANAGE,
)
async def export_calendar(call: Call[CalendarQuery, None]) -> Answer:
    """What of the resource is booked or blocked, as an iCalendar feed. Repeat it with
    If-None-Match."""
    query = call.query
    resource_id = call.path["resource_id"]
    view = CalendarView(query.details, [] if query.without is None else [query.without])
    if call.caller.kind is None:
        view = call.service.calendar_links.read(query.token, resource_id)
        await call.service.limits.count_calendar(resource_id)
    body = await call.engine.export_calendar(
        resource_id, details=view.details, without=view.without
    )
    etag = f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
    headers = ((b"etag", etag.encode()), (b"cache-control", b"private, no-cache"))
    if call.has_etag(etag):
        return Answer(304, headers=headers)
    return Answer(200, body, headers=headers, content_type=_MEDIA_TYPE.encode())


@endpoint(
    "POST",
    "/v1/resources/{resource_id}/calendar-links",
    "Make a link to the calendar",
    status=201,
    kinds=SERVERS,
    errors=OF_RESOURCE,
    scopes=SELL | MANAGE,
    audited=True,
)
async def make_calendar_link(call: Call[None, MakeCalendarLink]) -> CalendarLink:
    """Makes a path that opens the feed without a key, for calendar programs."""
    resource = await call.engine.get_resource(call.path["resource_id"])
    view = CalendarView(call.body.details, call.body.without)
    token, ends = call.service.calendar_links.make(resource.id, view, call.body.expires_in_seconds)
    path = f"/v1/resources/{resource.id}/calendar.ics?token={token}"
    expires_at = None if ends is None else datetime.fromtimestamp(ends, UTC)
    return CalendarLink(path, expires_at)


@endpoint(
    "PUT",
    "/v1/resources/{resource_id}/calendar",
    "Import a calendar as blocks",
    kinds=OPERATORS,
    takes_document=True,
    errors=(*OF_RESOURCE, UnknownUnit),
    scopes=MANAGE,
    audited=True,
)
async def import_calendar(call: Call[None, ImportCalendar]) -> CalendarImport:
    """Blocks what an iCalendar file keeps busy. Under the same name, a later file takes the place
    of an earlier one, and only what differs is changed."""
    return await call.engine.import_calendar(
        call.path["resource_id"],
        call.body.calendar.encode("utf-8", "surrogatepass"),
        name=call.body.name,
        unit=call.body.unit,
        quantity=call.body.quantity,
    )


@endpoint(
    "GET",
    "/v1/bookings/{booking_id}/calendar.ics",
    "The calendar file of a booking",
    answers=_MEDIA_TYPE,
    needs_shopper=True,
    errors=OF_BOOKING,
    tag=tags.BOOKINGS,
    scopes=READ | SELL,
)
async def get_booking_calendar(call: Call[None, None]) -> Answer:
    """When the booking is, for the owner's own calendar."""
    booking_id = call.path["booking_id"]
    body = await call.service.tickets.calendar(booking_id, owner=call.acting_owner())
    named = (b"content-disposition", f'attachment; filename="{booking_id}.ics"'.encode())
    headers = (
        (b"cache-control", b"private, no-store"),
        (b"x-content-type-options", b"nosniff"),
        named,
    )
    return Answer(200, body, headers=headers, content_type=_MEDIA_TYPE.encode())
