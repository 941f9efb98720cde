"""The verbs of the client for the feed: read in pages, and followed without an end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from bespeak.client.async_transport import AsyncTransport
from bespeak.client.requests import read
from bespeak.errors import Unavailable
from bespeak.feed.feed_snapshot import FeedSnapshotPage
from bespeak.feed.reader import Event, EventPage

_FOLLOW_PAUSE_SECONDS = 0.2
_FOLLOW_PAUSE_SECONDS_MAX = 2.0
_PAGE = 500


class AsyncFeed(AsyncTransport):
    """The feed of a server."""

    async def events(
        self,
        *,
        after: str | None = None,
        limit: int = 100,
        resource_id: str | None = None,
        timeout: float | None = None,
    ) -> EventPage:
        """A page of the feed after a cursor."""
        asked = read("/v1/events", EventPage, after=after, limit=limit, resource_id=resource_id)
        return await self._send(asked, timeout)

    async def events_snapshot(
        self, *, after: str | None = None, limit: int = 100, timeout: float | None = None
    ) -> FeedSnapshotPage:
        """A page of what stands, and the cursor to follow the feed from."""
        asked = read("/v1/events/snapshot", FeedSnapshotPage, after=after, limit=limit)
        return await self._send(asked, timeout)

    async def follow(
        self, *, after: str | None = None, resource_id: str | None = None
    ) -> AsyncIterator[Event]:
        """The events of the feed after a cursor, and then each as it comes, without an end, through
        any absence of the server. Keep the `cursor` of what you have done, and begin there again.
        Raises CursorExpired, CursorOfAnotherLife, InvalidCursor."""
        pause = _FOLLOW_PAUSE_SECONDS
        while True:
            try:
                page = await self.events(after=after, limit=_PAGE, resource_id=resource_id)
            except Unavailable:
                continue  # it was tried for as long as a verb may take
            for event in page.items:
                yield event
            after = page.next
            longer = min(_FOLLOW_PAUSE_SECONDS_MAX, pause * 1.5)
            pause = _FOLLOW_PAUSE_SECONDS if page.items else longer
            if len(page.items) < _PAGE:
                await asyncio.sleep(pause)
