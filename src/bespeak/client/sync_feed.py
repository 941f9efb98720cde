"""The client without asyncio, for any thread. Written by `scripts/sync-client` from
`async_feed.py`; change that one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from bespeak.client.requests import read
from bespeak.client.sync_transport import SyncTransport
from bespeak.errors import Unavailable
from bespeak.feed.feed_snapshot import FeedSnapshotPage
from bespeak.feed.reader import Event, EventPage

_FOLLOW_PAUSE_SECONDS = 0.2
_FOLLOW_PAUSE_SECONDS_MAX = 2.0
_PAGE = 500


class SyncFeed(SyncTransport):
    """The feed of a server."""

    def events(
        self,
        *,
        after: str | None = None,
        limit: int = 100,
        resource_id: str | None = None,
        timeout: float | None = None,
    ) -> EventPage:
        """A page of the feed after a cursor."""
        asked = read("/v1/events", EventPage, after=after, limit=limit, resource_id=resource_id)
        return self._send(asked, timeout)

    def events_snapshot(
        self, *, after: str | None = None, limit: int = 100, timeout: float | None = None
    ) -> FeedSnapshotPage:
        """A page of what stands, and the cursor to follow the feed from."""
        asked = read("/v1/events/snapshot", FeedSnapshotPage, after=after, limit=limit)
        return self._send(asked, timeout)

    def follow(
        self, *, after: str | None = None, resource_id: str | None = None
    ) -> Iterator[Event]:
        """The events of the feed after a cursor, and then each as it comes, without an end, through
        any absence of the server. Keep the `cursor` of what you have done, and begin there again.
        Raises CursorExpired, CursorOfAnotherLife, InvalidCursor."""
        pause = _FOLLOW_PAUSE_SECONDS
        while True:
            try:
                page = self.events(after=after, limit=_PAGE, resource_id=resource_id)
            except Unavailable:
                continue  # it was tried for as long as a verb may take
            for event in page.items:
                yield event
            after = page.next
            longer = min(_FOLLOW_PAUSE_SECONDS_MAX, pause * 1.5)
            pause = _FOLLOW_PAUSE_SECONDS if page.items else longer
            if len(page.items) < _PAGE:
                time.sleep(pause)
