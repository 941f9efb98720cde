"""Reading the feed by cursor. Events come causes before effects within a resource, each once, none
missing, however transactions overlap and whatever server the database has moved to;
`bespeak.horizon()` and `bespeak.number_events()` in SQL say why.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import asyncpg
import msgspec

from bespeak import ids
from bespeak.feed.cursors import START, check_feed_cursor
from bespeak.feed.errors import CursorExpired, CursorOfAnotherLife
from bespeak.postgres.queries import load
from bespeak.states import EventKind

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.feed", "feed.sql")
EVENTS_MAX = 1000
# Of the feed of one workspace: how many pages of all are looked through for one of its own.
_PAGES_MAX = 10
_DATA = dict[str, str | int | bool | None]


class EventLine(msgspec.Struct, frozen=True):
    """A unit whose state an event changed, or so many of a pool."""

    unit: str
    quantity: int | None


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened to a resource. `position` is its number in the feed, without gaps;
    `cursor` reads on from behind it; `data` has the payment with its amount, the refund, or the
    gate, where the event is about such a thing. `actor` is who did it: the id of a key, `shopper`,
    `sweeper`, `system`, `cli`, `provider:` with the name of one, or what a program said; null where
    nobody said it, and of what was written before it was kept."""

    cursor: str
    position: int
    kind: EventKind
    resource_id: str
    hold_id: str | None
    lines: list[EventLine]
    at: datetime
    data: dict[str, str | int | bool | None] | None = None
    actor: str | None = None


class EventPage(msgspec.Struct, frozen=True):
    """A page of the feed; `next` reads on, also when there is nothing yet. `epoch` is the present
    life of the feed: it changes when another server goes on with it."""

    items: list[Event]
    next: str
    epoch: int


async def read(
    connection: Connection,
    after: str | None = None,
    limit: int = 100,
    resource_id: str | None = None,
    workspace: str | None = None,
) -> EventPage:
    """A page of events after a cursor, of a workspace or of all. Raises InvalidCursor,
    CursorExpired, CursorOfAnotherLife, InvalidId."""
    if after is not None:
        check_feed_cursor(after)
    number = ids.parse_resource(resource_id) if resource_id is not None else None
    if workspace is None or number is not None:
        rows = await _rows(connection, after, number, limit, workspace)
        # Of a resource of others not even the place is told: something happened to it there.
        events = _events(row for row in rows if not row["is_hidden"])
        return EventPage(events, events[-1].cursor if events else after or START, rows[0]["epoch"])
    found: list[Record] = []
    place = after
    for _ in range(_PAGES_MAX):
        rows = await _rows(connection, place, number, EVENTS_MAX, workspace)
        found += [row for row in rows if row["kind"] and not row["is_hidden"]]
        if rows[-1]["kind"]:
            place = rows[-1]["cursor"]
        if len(found) >= limit or len(rows) < EVENTS_MAX:
            break
    epoch = rows[0]["epoch"]
    if len(found) > limit:
        return EventPage(_events(found[:limit]), found[limit - 1]["cursor"], epoch)
    # Behind what is of others: who reads on need not pass it again.
    return EventPage(_events(found), place or START, epoch)


async def complete_until(connection: Connection) -> datetime:
    """The time up to which all that was committed stands in the feed, by the clock of this process:
    now, but for events that nobody has numbered yet. To be asked before one reads to the end."""
    asked_at = datetime.now(UTC)
    waits: float | None = await connection.fetchval(_QUERIES["waits"])
    return asked_at - timedelta(seconds=max(0.0, waits or 0.0))


async def _rows(
    connection: Connection, after: str | None, number: int | None, limit: int, workspace: str | None
) -> list[Record]:
    """At least one row; one without a kind says that there is no event."""
    try:
        return await connection.fetch(_QUERIES["events_after"], after, number, limit, workspace)
    except asyncpg.PostgresError as error:
        if (refusal := refusal_of(error)) is not None:
            raise refusal from error
        raise


def _events(rows: Iterable[Record]) -> list[Event]:
    return [event_of(row, row["cursor"], row["position"]) for row in rows if row["kind"]]


def event_of(row: Record, cursor: str, position: int) -> Event:
    """An event from its row, with its place in the feed."""
    holder = row["hold_id"]
    prefix = ids.BLOCK if holder is not None and ids.is_block(holder) else ids.HOLD
    return Event(
        cursor=cursor,
        position=position,
        kind=EventKind(row["kind"]),
        resource_id=ids.show_resource(row["resource_id"]),
        hold_id=ids.show(prefix, holder) if holder is not None else None,
        lines=[
            EventLine(unit, quantity)
            for unit, quantity in zip(row["units"] or (), row["quantities"] or (), strict=True)
        ],
        at=row["at"],
        data=None if row["data"] is None else msgspec.json.decode(row["data"], type=_DATA),
        actor=row["actor"],
    )


def refusal_of(error: asyncpg.PostgresError) -> CursorExpired | CursorOfAnotherLife | None:
    """What an error says of the cursor that was asked with, and of the one to go on from."""
    for refusal in (CursorExpired, CursorOfAnotherLife):
        if error.sqlstate == refusal.sqlstate:
            found = msgspec.json.decode(error.detail or "", type=_Refusal)
            return refusal(cursor=found.cursor)
    return None


class _Refusal(msgspec.Struct):
    cursor: str | None
