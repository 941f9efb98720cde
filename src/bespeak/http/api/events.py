"""The feed: every change, in order."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidCursor, InvalidId
from bespeak.feed.cursors import FEED_PATTERN
from bespeak.feed.errors import CursorExpired, CursorOfAnotherLife
from bespeak.feed.feed_snapshot import SNAPSHOT_PATTERN, FeedSnapshotPage
from bespeak.feed.reader import EVENTS_MAX, EventPage
from bespeak.http.server import tags
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import RESOURCE_PATTERN, SERVERS, documented, endpoint_table
from bespeak.http.server.scopes import READ
from bespeak.http.server.subjects import by_query
from bespeak.http.server.workspaces import Reach

ENDPOINTS, endpoint = endpoint_table(tags.EVENTS)


class EventQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From where to read the feed, how much, and of which resource."""

    after: Annotated[str, documented(FEED_PATTERN)] | None = None
    limit: Annotated[int, Meta(ge=1, le=EVENTS_MAX)] = 100
    resource_id: Annotated[str, documented(RESOURCE_PATTERN)] | None = None


class EventSnapshotQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which page of the snapshot, and how many holds, bookings or blocks at most."""

    after: Annotated[str, documented(SNAPSHOT_PATTERN)] | None = None
    limit: Annotated[int, Meta(ge=1, le=EVENTS_MAX)] = 100


@endpoint(
    "GET",
    "/v1/events",
    "Read the feed",
    kinds=SERVERS,
    errors=(InvalidCursor, CursorExpired, CursorOfAnotherLife, InvalidId),
    scopes=READ,
    reach=Reach.WORKSPACE,
    about=by_query,
)
async def list_events(call: Call[EventQuery, None]) -> EventPage:
    """The feed from a cursor on: every change, each once, causes before effects."""
    query = call.query
    return await call.engine.events(
        after=query.after,
        limit=query.limit,
        resource_id=query.resource_id,
        workspace=call.workspace,
    )


@endpoint(
    "GET",
    "/v1/events/snapshot",
    "Read what stands, to follow the feed from",
    kinds=SERVERS,
    errors=(InvalidCursor,),
    scopes=READ,
    reach=Reach.WORKSPACE,
)
async def get_feed_snapshot(call: Call[EventSnapshotQuery, None]) -> FeedSnapshotPage:
    """What stands now, as the events that would have led to it, and the cursor to follow from."""
    query = call.query
    return await call.engine.events_snapshot(
        after=query.after, limit=query.limit, workspace=call.workspace
    )
