"""Reminders: some hours before what was booked begins, its buyer is written to once. They are
written down here, some bookings at a time, and leave as all mails do. Any number may look.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypeAlias

from msgspec import Meta

from bespeak.errors import InvalidRequest
from bespeak.inventory.workspaces import DEFAULT
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Pool

_QUERIES = load("bespeak.notifications.mail", "reminders.sql")
_BATCH = 500
_PAUSE_SECONDS = 10.0

Hours: TypeAlias = Annotated[tuple[Annotated[int, Meta(ge=1, le=720)], ...], Meta(max_length=3)]


class Reminders:
    """Writes reminders down, for as long as `look` is called."""

    name = "reminders"

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def look(self) -> float:
        """Goes on with what is due; answers seconds until the next look. Raises what asyncpg
        raises."""
        row = await self._pool.fetchrow(_QUERIES["write"], _BATCH)
        return _PAUSE_SECONDS if row is None else 0.0


async def hours_of(connection: Connection, workspace: str | None) -> list[int]:
    """How many hours before it begins buyers are reminded, the earliest first; empty: they are
    not."""
    found: list[int] | None = await connection.fetchval(
        _QUERIES["of_workspace"], workspace or DEFAULT
    )
    return found or []


async def set_hours(
    connection: Connection, workspace: str | None, hours: Sequence[int]
) -> list[int]:
    """Says when buyers are reminded; without any hours they are not. Raises InvalidRequest."""
    wanted = sorted(hours, reverse=True)
    if len(set(wanted)) != len(wanted):
        raise InvalidRequest("a number of hours comes twice", field="hours")
    if wanted:
        await connection.execute(_QUERIES["set"], workspace or DEFAULT, wanted)
    else:
        await connection.execute(_QUERIES["remove"], workspace or DEFAULT)
    return wanted
