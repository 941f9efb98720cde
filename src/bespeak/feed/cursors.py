"""Cursors: a place in the feed, or in the live stream of a resource, as its reader keeps it; opaque
to the reader. Both say of which life of the feed they are, and are not taken for each other.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from bespeak.errors import InvalidCursor

START = "0-0"
"""The cursor of the feed's beginning."""
FEED_PATTERN = "^[0-9a-f]{1,16}-[0-9a-f]{1,15}$"
STREAM_PATTERN = "^[0-9a-f]{1,16}-[0-9a-f]{1,15}(-live)?$"
_FEED = re.compile(FEED_PATTERN.strip("^$"))
_LIVE = re.compile("([0-9a-f]{1,16})-([0-9a-f]{1,15})-live")


class FeedPlace(NamedTuple):
    """How far one has read: in an epoch of the feed, all events before a horizon."""

    epoch: int
    horizon: int


def check_feed_cursor(cursor: str) -> None:
    """Raises InvalidCursor for what can be no cursor of the feed."""
    if _FEED.fullmatch(cursor) is None:
        raise InvalidCursor(after=cursor[:60])


def show_live_cursor(place: FeedPlace) -> str:
    return f"{place.epoch:x}-{place.horizon:x}-live"


def parse_live_cursor(cursor: str) -> FeedPlace | None:
    """The place of a stream's cursor; None for one of the feed, which the database knows.
    Raises InvalidCursor."""
    match = _LIVE.fullmatch(cursor)
    if match is None:
        check_feed_cursor(cursor)
        return None
    return FeedPlace(int(match[1], 16), int(match[2], 16))
