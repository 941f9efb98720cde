"""The live stream of a resource."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidCursor, InvalidId, ResourceNotFound
from bespeak.feed.cursors import START, STREAM_PATTERN, parse_live_cursor
from bespeak.http.server import tags
from bespeak.http.server.answers import StreamAnswer
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import documented, endpoint_table
from bespeak.http.server.errors import KeyKindWrong, TooManyStreams
from bespeak.http.server.scopes import ANY_SCOPE

_HEADERS = (
    (b"cache-control", b"no-store"),
    # Proxies that collect answers before they pass them on, nginx above all, are told not to.
    (b"x-accel-buffering", b"no"),
)

ENDPOINTS, endpoint = endpoint_table(tags.LIVE)


class StreamQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From which cursor on; and the browser key, because EventSource sends no headers."""

    after: Annotated[str, documented(STREAM_PATTERN)] | None = None
    key: Annotated[str, Meta(min_length=1, max_length=100)] | None = None


@endpoint(
    "GET",
    "/v1/resources/{resource_id}/stream",
    "Follow a resource live",
    answers="text/event-stream",
    key_in_query=True,
    errors=(InvalidId, InvalidCursor, KeyKindWrong, ResourceNotFound, TooManyStreams),
    scopes=ANY_SCOPE,
)
async def stream_resource(call: Call[StreamQuery, None]) -> StreamAnswer:
    """What happens to a resource, as it happens: a snapshot, then changes, as server-sent events.
    It goes on until either side ends it."""
    after = _cursor(call.headers.get(b"last-event-id"), call.query.after)
    address = call.client_address
    opened = await call.service.streams.open(
        call.path["resource_id"],
        address.prefix if address.is_known else None,
        after,
        published_only=call.engine.published_only,
    )
    return StreamAnswer(opened, _HEADERS)


def _cursor(last: str | None, after: str | None) -> str | None:
    """From where on: a browser that comes back says so in a header (`last`), which is later than
    its query. It would never try again if that were refused, so nonsense there begins anew."""
    if last is None:
        return after
    try:
        parse_live_cursor(last)
    except InvalidCursor:
        return START
    return last
