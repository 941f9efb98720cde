"""Saves for the version that was seen, of what is saved whole and has no counter, and takes it away
for that version. It is a number of what stands there, and the statement that writes compares it: of
two who saw the same, one saves and the other is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

from msgspec import Meta, UnsetType

from bespeak.errors import VersionMismatch

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

NOTHING = 0
"""The version where nothing was said yet."""
SeenVersion: TypeAlias = Annotated[int, Meta(ge=NOTHING, le=1 << 53)]


async def save_seen(
    connection: Connection,
    statement: str,
    present: str,
    *,
    key: tuple[object, ...],
    values: tuple[object, ...] = (),
    seen: int | UnsetType,
) -> int:
    """Saves values under a key by a statement whose last parameter is the version that was seen,
    null for any; answers the new version. `present` is the statement that reads the version. Raises
    VersionMismatch."""
    wanted = None if isinstance(seen, UnsetType) else seen
    version: int | None = await connection.fetchval(statement, *key, *values, wanted)
    if version is None:
        raise VersionMismatch(version=await connection.fetchval(present, *key) or NOTHING)
    return version


async def remove_seen(
    connection: Connection,
    statement: str,
    present: str,
    *,
    key: tuple[object, ...],
    seen: int | None,
) -> None:
    """Takes away what stands under a key, by a statement whose last parameter is the version that
    was seen, null for any. Where nothing stands, nothing is left to do: who asks again after a lost
    answer is not refused. Raises VersionMismatch."""
    removed = await connection.fetchval(statement, *key, seen)
    if removed is None and seen is not None:
        version = await connection.fetchval(present, *key)
        if version is not None:
            raise VersionMismatch(version=version)
