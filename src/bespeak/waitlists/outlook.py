"""What would be freed by what, and whom it would serve: each hold, block or booking is let go by
its own verb and the list is matched by the matcher itself, in a transaction that is undone. What
could not be found out within the time is said to be unknown.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Literal, TypeAlias
from uuid import UUID

import asyncpg
import msgspec

from bespeak import ids
from bespeak.errors import BespeakError, DatabaseUnavailable, InternalError
from bespeak.inventory import blocks
from bespeak.postgres.queries import load
from bespeak.waitlists.errors import WaitlistNotFound
from bespeak.waitlists.matcher import Candidate, WaitlistMatcher

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record
    from bespeak.reservations.verbs import Reservations

Sources: TypeAlias = Literal["holds", "blocks", "bookings"]
_KINDS: dict[Sources, str] = {"holds": ids.HOLD, "blocks": ids.BLOCK, "bookings": ids.BOOKING}
_QUERIES = load("bespeak.waitlists", "outlook.sql")
SOURCES_MAX = 10
SERVED_MAX = 10
_SECONDS_MAX = 2.0
"""The list is lent for as long: nobody joins it meanwhile."""
_ONE_SECONDS_MAX = 0.5
"""What one question lets go of is locked for as long."""


class Served(msgspec.Struct, frozen=True, kw_only=True):
    """A party that would be offered something."""

    entry_id: str
    place: int
    party: int


class FreedBy(msgspec.Struct, frozen=True, kw_only=True):
    """A hold, a block or a booking, and whom it would serve if it were gone: at most ten parties in
    their order; null where that is not known. A hold ends by itself at `ends_at`; it may be what
    is offered to the entry `offered_to`. A block has its `reason`."""

    id: str
    ends_at: datetime | None
    reason: str | None
    offered_to: str | None
    serves: list[Served] | None


class Outlook(msgspec.Struct, frozen=True, kw_only=True):
    """What would be freed by what: at most ten holds that end first, or the newest blocks or
    bookings, each by itself; and whom all `together` would serve."""

    of: Sources
    sources: list[FreedBy]
    together: list[Served] | None


async def look_out(
    engine: Reservations,
    connection: Connection,
    waitlist: UUID,
    of: Sources,
    workspace: str | None,
) -> Outlook:
    """Raises WaitlistNotFound, DatabaseUnavailable where somebody else is at the list."""
    until = time.monotonic() + _SECONDS_MAX
    undone = connection.transaction()
    await undone.start()
    try:
        await connection.execute(_QUERIES["patience"])
        row = await _claimed(connection, waitlist, workspace)
        sources = await connection.fetch(_QUERIES[of], row["of_list"], SOURCES_MAX)
        question = _Question(engine, connection, row, of, until)
        numbers = [one["number"] for one in sources if not one["is_busy"]]
        each = [
            _freed_by(
                one, of, None if one["is_busy"] else await question.served_by([one["number"]])
            )
            for one in sources
        ]
        return Outlook(of=of, sources=each, together=await question.served_by(numbers))
    finally:
        await undone.rollback()


async def _claimed(connection: Connection, waitlist: UUID, workspace: str | None) -> Record:
    try:
        row = await connection.fetchrow(_QUERIES["claim"], waitlist, workspace)
    except asyncpg.LockNotAvailableError as error:
        raise DatabaseUnavailable("somebody is at the list", retry_after_seconds=1) from error
    if row is None:
        raise WaitlistNotFound(waitlist_id=ids.show(ids.WAITLIST, waitlist))
    return row


class _Question:
    """Asks for one list, within a time for all of its answers."""

    def __init__(
        self,
        engine: Reservations,
        connection: Connection,
        row: Record,
        of: Sources,
        until: float,
    ) -> None:
        self._engine = engine
        self._connection = connection
        self._row = row
        self._of: Sources = of
        self._matcher = WaitlistMatcher(engine)
        self._until = until

    async def served_by(self, numbers: Sequence[UUID]) -> list[Served] | None:
        """Who would be served if all of these were gone; None where that is not known."""
        left = self._until - time.monotonic()
        if left <= 0:
            return None
        undone = self._connection.transaction()
        await undone.start()
        try:
            async with asyncio.timeout(min(left, _ONE_SECONDS_MAX)):
                for number in numbers:
                    await self._free(ids.show(_KINDS[self._of], number))
                found = await self._matcher.would_offer(self._connection, self._row, SERVED_MAX)
        except InternalError:
            raise
        except (BespeakError, asyncpg.LockNotAvailableError, TimeoutError):
            return None  # one that is being paid for is not let go; another has what it needs
        finally:
            await undone.rollback()
        return [_served(one) for one in found]

    async def _free(self, name: str) -> None:
        match self._of:
            case "holds":
                await self._engine.release_hold(name, connection=self._connection)
            case "bookings":
                await self._engine.cancel_booking(
                    name, reason="outlook", connection=self._connection
                )
            case "blocks":
                await blocks.unblock(self._connection, None, name)


def _freed_by(row: Record, of: Sources, serves: list[Served] | None) -> FreedBy:
    offered = row["offered_to"]
    return FreedBy(
        id=ids.show(_KINDS[of], row["number"]),
        ends_at=row["ends_at"],
        reason=row["reason"],
        offered_to=None if offered is None else ids.show(ids.WAITLIST_ENTRY, offered),
        serves=serves,
    )


def _served(one: Candidate) -> Served:
    return Served(
        entry_id=ids.show(ids.WAITLIST_ENTRY, one.entry), place=one.place, party=one.party
    )
