"""Calendars: that of a resource for calendar programs, by a key or by a link that needs none; other
calendars, imported as blocks; and the calendar file of a booking.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidCursor, InvalidId, InvalidRequest, UnknownUnit
from bespeak.http.server import tags
from bespeak.http.server.answers import Answer
from bespeak.http.server.calendar_links import (
    CalendarLink,
    CalendarLinkPage,
    CalendarView,
    list_links,
    revoke_link,
)
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import (
    NOT_MODIFIED,
    OF_BOOKING,
    OF_RESOURCE,
    OPERATORS,
    RESOURCE_PATTERN,
    SERVERS,
    documented,
    endpoint_table,
)
from bespeak.http.server.errors import (
    CalendarLinkInvalid,
    CalendarLinkNotFound,
    CalendarLinksFull,
)
from bespeak.http.server.languages import LanguageTag, language_of
from bespeak.http.server.scopes import MANAGE, READ, SELL
from bespeak.http.server.subjects import by_query
from bespeak.http.server.workspaces import Reach
from bespeak.inventory.calendars.events import FILE_BYTES_MAX
from bespeak.inventory.calendars.imports import CalendarImport
from bespeak.lines import Quantity, UnitName
from bespeak.pages import POSITION_PATTERN, before_position
from bespeak.signed_tokens import TOKEN_LENGTH_MAX

_MEDIA_TYPE = "text/calendar; charset=utf-8"
_LINK_SECONDS_MAX = 315_360_000
_NAMES_MAX = 20

CalendarName = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,59}\Z",
        extra_json_schema={"pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$"},
        description="up to 60 letters, digits, dots, - and _, the first a letter or a digit",
        examples=["other-site"],
    ),
]

ENDPOINTS, endpoint = endpoint_table(tags.CALENDARS)


class CalendarQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the feed tells, with a key; or the token of a link, which says it itself."""

    details: bool = False
    without: CalendarName | None = None
    token: Annotated[str, Meta(max_length=TOKEN_LENGTH_MAX)] | None = None


class BookingCalendarQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """In which language the calendar file of a booking is written."""

    lang: LanguageTag | None = None


class MakeCalendarLink(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for a link to the feed: whether it tells who has booked and why something is blocked,
    which imported calendars it leaves out, and for how long it is good (absent: without an end).
    `name` says who gets it, for the list."""

    name: Annotated[str, Meta(min_length=1, max_length=100)] | None = None
    details: bool = False
    without: Annotated[list[CalendarName], Meta(max_length=_NAMES_MAX)] = []
    expires_in_seconds: Annotated[int, Meta(ge=1, le=_LINK_SECONDS_MAX)] | None = None


class MadeCalendarLink(msgspec.Struct, frozen=True):
    """A path of this server that opens the feed without a key, for whoever has it. It is shown this
    once."""

    id: str
    path: str
    expires_at: datetime | None


class CalendarLinkQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which links: of one resource or of all; which page of them."""

    resource_id: Annotated[str, documented(RESOURCE_PATTERN)] | None = None
    after: Annotated[str, documented(POSITION_PATTERN)] | None = None
    limit: Annotated[int, Meta(ge=1, le=1000)] = 50


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
    engine = call.engine
    view = CalendarView(query.details, [] if query.without is None else [query.without])
    if call.caller.kind is None:
        await call.service.limits.count_calendar(resource_id)
        view = await call.service.calendar_links.open(query.token, resource_id)
        engine = call.service.engine  # the operator gave the link out: it opens this one resource
    body = await engine.export_calendar(resource_id, details=view.details, without=view.without)
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
    errors=(*OF_RESOURCE, CalendarLinksFull),
    scopes=SELL | MANAGE,
    audited=True,
)
async def make_calendar_link(call: Call[None, MakeCalendarLink]) -> MadeCalendarLink:
    """Makes a path that opens the feed without a key, for calendar programs."""
    body = call.body
    if body.name is not None and not body.name.isprintable():
        raise InvalidRequest("a name is printable", field="name")
    resource = await call.engine.get_resource(call.path["resource_id"])
    view = CalendarView(body.details, body.without)
    links = call.service.calendar_links
    token, link = await links.make(resource.id, view, body.name, body.expires_in_seconds)
    path = f"/v1/resources/{resource.id}/calendar.ics?token={token}"
    return MadeCalendarLink(link.id, path, link.expires_at)


@endpoint(
    "GET",
    "/v1/calendar-links",
    "List calendar links",
    kinds=SERVERS,
    errors=(InvalidId, InvalidCursor),
    scopes=SELL | MANAGE,
    reach=Reach.WORKSPACE,
    about=by_query,
)
async def list_calendar_links(call: Call[CalendarLinkQuery, None]) -> CalendarLinkPage:
    """Lists the links to calendars, the latest first, with the hour in which each was last used."""
    query = call.query
    before = before_position(query.after)
    async with call.engine.database.borrow() as connection:
        return await list_links(
            connection, before, query.resource_id, query.limit, workspace=call.workspace
        )


@endpoint(
    "DELETE",
    "/v1/resources/{resource_id}/calendar-links/{link_id}",
    "Revoke a calendar link",
    kinds=SERVERS,
    errors=(InvalidId, CalendarLinkNotFound),
    scopes=SELL | MANAGE,
    audited=True,
)
async def revoke_calendar_link(call: Call[None, None]) -> CalendarLink:
    """Ends one link, everywhere and at once; the others stay good."""
    async with call.engine.database.borrow() as connection:
        return await revoke_link(connection, call.path["resource_id"], call.path["link_id"])


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
    booking_link_opens=True,
    errors=OF_BOOKING,
    tag=tags.BOOKINGS,
    scopes=READ | SELL,
)
async def get_booking_calendar(call: Call[BookingCalendarQuery, None]) -> Answer:
    """When and where the booking is, for the owner's own calendar."""
    booking_id = call.path["booking_id"]
    body = await call.service.tickets.calendar(
        booking_id,
        owner=call.acting_owner(),
        language=language_of(call.headers, call.query.lang),
    )
    named = (b"content-disposition", f'attachment; filename="{booking_id}.ics"'.encode())
    headers = (
        (b"cache-control", b"private, no-store"),
        (b"x-content-type-options", b"nosniff"),
        named,
    )
    return Answer(200, body, headers=headers, content_type=_MEDIA_TYPE.encode())
