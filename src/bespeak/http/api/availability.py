"""What of a resource is taken, and at what price the rest is sold."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, structs

from bespeak.errors import UnknownUnit
from bespeak.http.server import tags
from bespeak.http.server.answers import Answer, PackableAnswer
from bespeak.http.server.asgi import Headers
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import NOT_MODIFIED, OF_RESOURCE, endpoint_table
from bespeak.http.server.packing import VARY
from bespeak.http.server.scopes import ANY_SCOPE
from bespeak.inventory.plans import AvailabilityQuery
from bespeak.inventory.shapes.registry import AnyAvailability
from bespeak.lines import RateName

ENDPOINTS, endpoint = endpoint_table(tags.AVAILABILITY)


class SeenQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which part of the availability: a range of dates, times or stops, for how many, of which
    unit, at which rate. Seats, pools and tickets have no range; only times have slots by rates."""

    from_: Annotated[str, Meta(min_length=1, max_length=60)] | None = msgspec.field(
        default=None, name="from"
    )
    to: Annotated[str, Meta(min_length=1, max_length=60)] | None = None
    quantity: Annotated[int, Meta(ge=1, le=1_000_000)] = 1
    unit: Annotated[str, Meta(min_length=1, max_length=200)] | None = None
    rate: RateName | None = None


@endpoint(
    "GET",
    "/v1/resources/{resource_id}/availability",
    "What of a resource is taken",
    answers=AnyAvailability,
    other_statuses=(NOT_MODIFIED,),
    errors=(*OF_RESOURCE, UnknownUnit),
    scopes=ANY_SCOPE,
)
async def get_availability(call: Call[SeenQuery, None]) -> Answer:
    """What is taken; what is absent is free. Repeat it with If-None-Match."""
    query = AvailabilityQuery(**structs.asdict(call.query))
    found = await call.service.availabilities.get(call.engine, call.path["resource_id"], query)
    headers: Headers = (
        (b"etag", f"W/{found.etag}".encode()),
        (b"cache-control", b"no-cache"),
        *VARY,
    )
    if call.has_etag(found.etag):
        return Answer(304, headers=headers)
    return PackableAnswer(200, found.body, headers=headers, ready=found.packed)
