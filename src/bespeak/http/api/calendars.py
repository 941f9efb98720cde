"""The calls about calendars: the feed of a resource for calendar programs, by a key or by a link
that needs none; and other calendars, imported as blocks.
"""

from __future__ import annotations

import hashlib
import time
from datetime import UTC, datetime
from typing import Annotated

import msgspec
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey
from msgspec import Meta

from bespeak.errors import InvalidId, ResourceNotFound, UnknownUnit
from bespeak.http.server.call import Answer, Call
from bespeak.http.server.endpoint import OPERATORS, SERVERS, Endpoint
from bespeak.http.server.errors import CalendarLinkInvalid
from bespeak.http.server.keys import KeyKind
from bespeak.inventory.calendars.events import FILE_BYTES_MAX
from bespeak.inventory.calendars.imports import CalendarImport
from bespeak.inventory.lines import Quantity, UnitName

_CREATED = 201
_NOT_MODIFIED = 304
_MEDIA_TYPE = "text/calendar; charset=utf-8"
_ALGORITHM = "HS256"
# Neither is that of shopper tokens, so that no token opens what it was not made for.
_ISSUER = "bespeak/calendars"
_AUDIENCE = "calendar"
_TOKEN_LENGTH_MAX = 4096
_LINK_SECONDS_MAX = 315_360_000
_NAMES_MAX = 20

CalendarName = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,59}\Z",
        extra_json_schema={"pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$"},
    ),
]


class CalendarQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the feed tells, with a key; or the token of a link, which says it itself."""

    details: bool = False
    without: CalendarName | None = None
    token: Annotated[str, Meta(max_length=_TOKEN_LENGTH_MAX)] | None = None


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


class _Opened(msgspec.Struct, frozen=True):
    details: bool
    without: list[str]


class CalendarLinks:
    """Makes and reads the tokens of calendar links."""

    def __init__(self, secret: bytes) -> None:
        self._key = OctKey.import_key(secret)
        self._registry = jwt.JWTClaimsRegistry(
            iss={"essential": True, "value": _ISSUER},
            aud={"essential": True, "value": _AUDIENCE},
            sub={"essential": True},
        )

    def make(
        self, resource_id: str, details: bool, without: list[str], seconds: int | None
    ) -> tuple[str, int | None]:
        """A token for the feed of a resource, and when it ends (seconds since 1970)."""
        now = int(time.time())
        ends = None if seconds is None else now + seconds
        claims: dict[str, object] = {
            "iss": _ISSUER,
            "aud": _AUDIENCE,
            "sub": resource_id,
            "iat": now,
            "details": details,
            "without": without,
            **({} if ends is None else {"exp": ends}),
        }
        return jwt.encode({"alg": _ALGORITHM}, claims, self._key), ends

    def read(self, token: str | None, resource_id: str) -> _Opened:
        """What a token opens. Raises CalendarLinkInvalid for one that is not of this resource."""
        if not token or len(token) > _TOKEN_LENGTH_MAX:
            raise CalendarLinkInvalid
        try:
            claims = jwt.decode(token, self._key, algorithms=[_ALGORITHM]).claims
            self._registry.validate(claims)
            opened = msgspec.convert(claims, _Opened)
        except (JoseError, msgspec.ValidationError, ValueError, TypeError) as error:
            raise CalendarLinkInvalid from error
        if claims["sub"] != resource_id:
            raise CalendarLinkInvalid("the link is to the calendar of another resource")
        return opened


async def export_calendar(call: Call, _: None) -> Answer:
    """What of the resource is booked or blocked, as an iCalendar feed. Repeat it with
    If-None-Match."""
    query = call.query
    if not isinstance(query, CalendarQuery):
        raise TypeError("the endpoint has this query")
    resource_id = call.path["resource_id"]
    details, without = query.details, [] if query.without is None else [query.without]
    if call.caller.kind is None:
        opened = call.service.calendar_links.read(query.token, resource_id)
        details, without = opened.details, opened.without
        await call.service.limits.count(KeyKind.PUBLISHABLE, f"calendar:{resource_id}")
    body = await call.service.engine.export_calendar(resource_id, details=details, without=without)
    etag = f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
    headers = ((b"etag", etag.encode()), (b"cache-control", b"private, no-cache"))
    asked = call.headers.get(b"if-none-match", "")
    if asked == "*" or etag in asked:
        return Answer(_NOT_MODIFIED, body=b"", headers=headers)
    return Answer(200, body=body, headers=headers, content_type=_MEDIA_TYPE.encode())


async def make_calendar_link(call: Call, body: MakeCalendarLink) -> Answer:
    """Makes a path that opens the feed without a key, for calendar programs."""
    resource = await call.service.engine.get_resource(call.path["resource_id"])
    token, ends = call.service.calendar_links.make(
        resource.id, body.details, body.without, body.expires_in_seconds
    )
    path = f"/v1/resources/{resource.id}/calendar.ics?token={token}"
    expires_at = None if ends is None else datetime.fromtimestamp(ends, UTC)
    return Answer(_CREATED, CalendarLink(path, expires_at))


async def import_calendar(call: Call, body: ImportCalendar) -> Answer:
    """Blocks what an iCalendar file keeps busy. Under the same name, a later file takes the place
    of an earlier one, and only what differs is changed."""
    done = await call.service.engine.import_calendar(
        call.path["resource_id"],
        body.calendar.encode("utf-8", "surrogatepass"),
        name=body.name,
        unit=body.unit,
        quantity=body.quantity,
    )
    return Answer(200, done)


_OF_RESOURCE = (InvalidId, ResourceNotFound)

ENDPOINTS = [
    Endpoint(
        "GET",
        "/v1/resources/{resource_id}/calendar.ics",
        export_calendar,
        "The calendar of a resource",
        _MEDIA_TYPE,
        kinds=SERVERS,
        link_opens=True,
        query=CalendarQuery,
        errors=(*_OF_RESOURCE, CalendarLinkInvalid),
        other_statuses=((_NOT_MODIFIED, "Nothing changed since the version of If-None-Match"),),
    ),
    Endpoint(
        "POST",
        "/v1/resources/{resource_id}/calendar-links",
        make_calendar_link,
        "Make a link to the calendar",
        CalendarLink,
        _CREATED,
        kinds=SERVERS,
        body=MakeCalendarLink,
        errors=_OF_RESOURCE,
    ),
    Endpoint(
        "PUT",
        "/v1/resources/{resource_id}/calendar",
        import_calendar,
        "Import a calendar as blocks",
        CalendarImport,
        kinds=OPERATORS,
        body=ImportCalendar,
        takes_document=True,
        errors=(*_OF_RESOURCE, UnknownUnit),
    ),
]
