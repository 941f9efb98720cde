"""What stands now, told as the events that would have led to it, and the cursor to follow from: for
a follower that begins, or that was away for longer than events are kept. The cursor is older than
every page, so what happens while they are read comes again as events, and nothing is missed.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

import msgspec

from bespeak import ids
from bespeak.errors import InvalidCursor
from bespeak.feed.reader import EventLine
from bespeak.postgres.queries import load
from bespeak.states import EventKind

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.feed", "feed_snapshot.sql")
# In this order nothing falls between two: what leaves one tells so by an event that has it whole.
_SECTIONS = ("blocks", "bookings", "holds")
_NUMBER = "([0-9a-f]{1,15})"
SNAPSHOT_PATTERN = (
    rf"^([0-9a-f]{{1,16}}-[0-9a-f]{{1,15}})\.{_NUMBER}\.{_NUMBER}\.({'|'.join(_SECTIONS)})"
    rf"\.{_NUMBER}\.([0-9a-f]{{32}})$"
)
_PLACE = re.compile(SNAPSHOT_PATTERN.strip("^$"))
_FIRST = (0, UUID(int=0))


class FeedSnapshotItem(msgspec.Struct, frozen=True, kw_only=True):
    """A hold (`held`), a booking (`confirmed`) or a block (`blocked`) with all that it has of one
    resource, as the event of that kind would tell it. `at` is when it was placed or confirmed."""

    kind: EventKind
    resource_id: str
    hold_id: str
    lines: list[EventLine]
    at: datetime


class FeedSnapshotPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of what stands. `next` goes on, null after the last; `cursor` is where to follow the
    feed from when all pages are read, the same on each."""

    items: list[FeedSnapshotItem]
    next: str | None
    cursor: str


class _Place(NamedTuple):
    """Where a page begins: behind which key of which section, of a snapshot that began where."""

    cursor: str
    horizon: int
    position: int
    section: str
    number: int
    key: UUID

    def show(self) -> str:
        """The place as a text that is opaque to who reads on from it."""
        numbers = f"{self.horizon:x}.{self.position:x}.{self.section}.{self.number:x}"
        return f"{self.cursor}.{numbers}.{self.key.hex}"


async def read_feed_snapshot(
    connection: Connection,
    after: str | None = None,
    limit: int = 100,
    workspace: str | None = None,
) -> FeedSnapshotPage:
    """A page of what stands in a workspace or in all, of at most so many holds, bookings or blocks.
    Raises InvalidCursor."""
    place = await _begin(connection) if after is None else _parse(after)
    rows = await connection.fetch(
        _QUERIES[place.section],
        *(place.number, place.key, limit, place.horizon, place.position, workspace),
    )
    following = _following(place, rows, limit)
    return FeedSnapshotPage(
        items=[_item(row) for row in rows if row["stands"]],
        next=None if following is None else following.show(),
        cursor=place.cursor,
    )


async def _begin(connection: Connection) -> _Place:
    (row,) = await connection.fetch(_QUERIES["begin"])
    return _Place(row["cursor"], row["horizon"], row["position"], _SECTIONS[0], *_FIRST)


def _parse(after: str) -> _Place:
    match = _PLACE.fullmatch(after)
    if match is None:
        raise InvalidCursor(after=after[:60])
    numbers = (int(match[2], 16), int(match[3], 16))
    return _Place(match[1], *numbers, match[4], int(match[5], 16), UUID(match[6]))


def _following(place: _Place, rows: list[Record], limit: int) -> _Place | None:
    """Behind the last row; in the next section, if this one has no more."""
    if len({row["key_id"] for row in rows}) == limit:
        return place._replace(number=rows[-1]["key_number"], key=rows[-1]["key_id"])
    left = _SECTIONS[_SECTIONS.index(place.section) + 1 :]
    return place._replace(section=left[0], number=0, key=_FIRST[1]) if left else None


def _item(row: Record) -> FeedSnapshotItem:
    prefix = ids.BLOCK if ids.is_block(row["hold_id"]) else ids.HOLD
    return FeedSnapshotItem(
        kind=EventKind(row["kind"]),
        resource_id=ids.show_resource(row["resource_id"]),
        hold_id=ids.show(prefix, row["hold_id"]),
        lines=[
            EventLine(unit, quantity)
            for unit, quantity in zip(row["units"], row["quantities"], strict=True)
        ],
        at=row["at"],
    )
