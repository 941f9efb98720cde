"""The holds that are still good, by owner, so that a page that was closed finds what it held. Many
ask at once after a rush; the database is asked once for all of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from uuid import UUID

import msgspec

from bespeak import ids
from bespeak.clock import DatabaseClock
from bespeak.errors import InvalidCursor, InvalidId
from bespeak.postgres.pool import Connection, Database
from bespeak.postgres.queries import load
from bespeak.reservations.holds import Hold, hold_of

_QUERIES = load("bespeak.reservations", "live_holds.sql")
_FETCHED_MAX = 10_000


class HoldPage(msgspec.Struct, frozen=True):
    """A page of holds; `next` is the cursor of the one after, None at the end."""

    items: list[Hold]
    next: str | None


async def list_owned(connection: Connection, owner: str, after: str | None, limit: int) -> HoldPage:
    """A page of the owner's holds that are still good, those that end first at the front. Raises
    InvalidCursor."""
    ends_at, hold = (None, None) if after is None else _parse(after)
    rows = await connection.fetch(_QUERIES["owned_holds"], owner, ends_at, hold, limit + 1)
    items = [hold_of(row) for row in rows[:limit]]
    return HoldPage(items, _cursor(items[-1]) if len(rows) > limit else None)


def _cursor(hold: Hold) -> str:
    return f"{hold.expires_at.isoformat()}.{hold.id}"


def _parse(after: str) -> tuple[datetime, UUID]:
    moment, _, hold_id = after.rpartition(".")
    try:
        ends_at = datetime.fromisoformat(moment)
        return ends_at.astimezone(UTC), ids.parse(ids.HOLD, hold_id)
    except (ValueError, OverflowError, InvalidId) as error:
        raise InvalidCursor(after=after[:60]) from error


class LiveHolds:
    """Whoever asks while a question is under way joins the next one. (A cache would not do: what
    an owner has just held must be in the answer.)"""

    def __init__(self, database: Database, clock: DatabaseClock) -> None:
        self._database = database
        self._clock = clock
        self._next: set[str] = set()
        self._asked: asyncio.Task[Mapping[str, list[Hold]]] | None = None
        self._gate = asyncio.Lock()

    async def of_owner(self, owner: str) -> list[Hold]:
        """The owner's live holds, those that end first at the front."""
        self._next.add(owner)
        if self._asked is None:
            self._asked = asyncio.create_task(self._ask())
        found = await asyncio.shield(self._asked)
        return found.get(owner, [])

    async def all(self, limit: int, workspace: str | None = None) -> list[Hold]:
        """The live holds of a workspace or of any that end first, whosever they are."""
        return await self._fetch(None, limit, workspace)

    async def _ask(self) -> Mapping[str, list[Hold]]:
        async with self._gate:  # until the question before is answered, others may join this one
            owners, self._next = self._next, set()
            self._asked = None
            found: dict[str, list[Hold]] = {}
            for hold in await self._fetch(sorted(owners), _FETCHED_MAX):
                found.setdefault(hold.owner, []).append(hold)
            return found

    async def _fetch(
        self, owners: Sequence[str] | None, limit: int, workspace: str | None = None
    ) -> list[Hold]:
        async with self._database.borrow() as connection:
            rows = await connection.fetch(_QUERIES["live_holds"], owners, limit, workspace)
        if rows:
            self._clock.observe(rows[0]["answered_at"])
        return [hold_of(row) for row in rows]
