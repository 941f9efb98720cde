"""Reading the feed by cursor. Events come causes before effects within a resource, each once, none
missing, however transactions overlap; `bespeak.horizon()` in SQL says why.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from bespeak import ids
from bespeak.errors import InvalidCursor
from bespeak.postgres.queries import load
from bespeak.states import EventKind

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.feed", "feed.sql")
_CURSOR = re.compile(r"^([0-9a-f]{1,16})-([0-9a-f]{1,15})$")
EVENTS_MAX = 1000
_DATA = dict[str, str | int | bool | None]


class EventLine(msgspec.Struct, frozen=True):
    """A unit whose state an event changed, or so many of a pool."""

    unit: str
    quantity: int | None


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened to a resource. `cursor` reads on from behind it; `data` has the
    payment with its amount, the refund, or the gate, where the event is about such a thing."""

    cursor: str
    kind: EventKind
    resource_id: str
    hold_id: str | None
    lines: list[EventLine]
    at: datetime
    data: dict[str, str | int | bool | None] | None = None


class EventPage(msgspec.Struct, frozen=True):
    """A page of the feed; `next` reads on, also when there is nothing yet."""

    items: list[Event]
    next: str


def parse_cursor(cursor: str | None) -> tuple[str, int]:
    """Horizon and position of a cursor; the beginning without one. Raises InvalidCursor."""
    if cursor is None:
        return "0", 0
    match = _CURSOR.fullmatch(cursor)
    if match is None:
        raise InvalidCursor(after=cursor[:60])
    return str(int(match[1], 16)), int(match[2], 16)


async def read(
    connection: Connection,
    after: str | None = None,
    limit: int = 100,
    resource_id: str | None = None,
) -> EventPage:
    """A page of events after a cursor. Raises InvalidCursor, InvalidId."""
    horizon, position = parse_cursor(after)
    number = ids.parse_resource(resource_id) if resource_id is not None else None
    rows = await connection.fetch(_QUERIES["events_after"], horizon, position, number, limit)
    events = [event_of(row) for row in rows]
    return EventPage(events, events[-1].cursor if events else after or "0-0")


def event_of(row: Record) -> Event:
    holder = row["hold_id"]
    prefix = ids.BLOCK if holder is not None and ids.is_block(holder) else ids.HOLD
    return Event(
        cursor=f"{int(row['horizon']):x}-{row['position']:x}",
        kind=EventKind(row["kind"]),
        resource_id=ids.show_resource(row["resource_id"]),
        hold_id=ids.show(prefix, holder) if holder is not None else None,
        lines=[
            EventLine(unit, quantity)
            for unit, quantity in zip(row["units"] or (), row["quantities"] or (), strict=True)
        ],
        at=row["at"],
        data=None if row["data"] is None else msgspec.json.decode(row["data"], type=_DATA),
    )
