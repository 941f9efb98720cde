"""Pages of entries: those of a list by their places, or those of an owner, what goes on first."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from bespeak.errors import InvalidCursor
from bespeak.list_cursors import read_cursor, show_cursor
from bespeak.postgres.queries import load
from bespeak.waitlists.entry import EntryState, WaitlistEntryPage, entry_of

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.waitlists", "entry_lists.sql")


async def page_of_list(
    connection: Connection,
    waitlist: UUID,
    owner: str | None,
    state: EntryState | None,
    place: int,
    limit: int,
    workspace: str | None,
) -> WaitlistEntryPage:
    """A page of the entries of a list behind a place, or of what an owner has there."""
    rows = await connection.fetch(
        _QUERIES["of_list"], waitlist, owner, state, place, limit + 1, workspace
    )
    items = [entry_of(row) for row in rows[:limit]]
    return WaitlistEntryPage(items, str(items[-1].place) if len(rows) > limit else None)


async def page_of_owner(
    connection: Connection,
    owner: str,
    state: EntryState | None,
    after: str | None,
    limit: int,
    workspace: str | None,
) -> WaitlistEntryPage:
    """A page of the entries of an owner. Raises InvalidCursor."""
    # When the first page was read; whether the last entry of a page had ended then, when it was
    # made, and which it is.
    behind = read_cursor(after, tuple[datetime, bool, datetime, UUID])
    seen, *last = behind or (None, None, None, None)
    rows = await connection.fetch(
        _QUERIES["of_owner"], owner, state, *last, seen, workspace, limit + 1
    )
    following = None
    if len(rows) > limit:
        row = rows[limit - 1]
        following = show_cursor(
            row["seen_at"], row["had_ended"], row["created_at"], row["entry_id"]
        )
    return WaitlistEntryPage([entry_of(row) for row in rows[:limit]], following)


def place_after(after: str | None) -> int:
    """The place behind which a page of a list begins. Raises InvalidCursor."""
    if after is None:
        return 0
    if not (after.isascii() and after.isdigit() and len(after) <= 18):
        raise InvalidCursor(after=after[:60])
    return int(after)
