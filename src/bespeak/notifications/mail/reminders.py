"""Reminders: some hours before what was booked begins, its buyer is written to once. They are
written down here, some bookings at a time, and leave as all mails do. Any number may look.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from bespeak.errors import InvalidRequest
from bespeak.inventory.workspaces import DEFAULT
from bespeak.postgres.queries import load
from bespeak.postgres.versions import NOTHING, save_seen

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Pool

_QUERIES = load("bespeak.notifications.mail", "reminders.sql")
_BATCH = 500
_PAUSE_SECONDS = 10.0

Hours: TypeAlias = Annotated[tuple[Annotated[int, Meta(ge=1, le=720)], ...], Meta(max_length=3)]


class KeptHours(NamedTuple):
    """How many hours before it begins buyers are reminded, the earliest first, and the version of
    that; no hours: they are not."""

    hours: Sequence[int]
    version: int


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


async def hours_of(connection: Connection, workspace: str | None) -> KeptHours:
    """When buyers are reminded."""
    row = await connection.fetchrow(_QUERIES["of_workspace"], workspace or DEFAULT)
    return KeptHours([], NOTHING) if row is None else KeptHours(row["hours"], row["version"])


async def set_hours(
    connection: Connection,
    workspace: str | None,
    hours: Sequence[int],
    seen: int | UnsetType = UNSET,
) -> KeptHours:
    """Says when buyers are reminded, in place of the hours that were `seen`; without any they are
    not. Raises InvalidRequest, VersionMismatch."""
    wanted = sorted(hours, reverse=True)
    if len(set(wanted)) != len(wanted):
        raise InvalidRequest("a number of hours comes twice", field="hours")
    statement = _QUERIES["set"] if wanted else _QUERIES["remove"]
    values = (wanted,) if wanted else ()
    key = (workspace or DEFAULT,)
    present = _QUERIES["version"]
    version = await save_seen(connection, statement, present, key=key, values=values, seen=seen)
    return KeptHours(wanted, version)
