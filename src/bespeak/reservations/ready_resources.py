"""The resources that a process has ready: their policy and their compiled plan. The cache may be
behind; the database compares versions, and a request that was judged by an old one is judged anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from bespeak import ids
from bespeak.cache import Cache
from bespeak.errors import ResourceNotFound
from bespeak.inventory import resources
from bespeak.inventory.resources import ReadyResource

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database

_RESOURCES_MAX = 10_000


class ResourceCache(Cache[int, ReadyResource]):
    """Resources by their number."""

    def __init__(self, database: Database) -> None:
        super().__init__(size_max=_RESOURCES_MAX)
        self._database = database

    async def get_many(
        self, numbers: Sequence[int], connection: Connection | None
    ) -> dict[int, ReadyResource]:
        """These resources, from the cache or the database; unknown ones are absent."""
        found: dict[int, ReadyResource] = {}
        missing: list[int] = []
        for number in numbers:
            ready = self.peek(number)
            if ready is None:
                missing.append(number)
            else:
                found[number] = ready
        if len(missing) == 1 and connection is None:
            with suppress(ResourceNotFound):
                found[missing[0]] = await self.get(missing[0], partial(self._read_one, missing[0]))
        elif missing:
            for ready in await self._read(missing, connection):
                found[ready.number] = ready
                self.put(ready.number, ready)
        return found

    async def at_least(
        self, versions: Mapping[int, int], connection: Connection | None
    ) -> dict[int, ReadyResource]:
        """Resources of at least these versions: the start of a show may have been moved."""
        known = await self.get_many(list(versions), connection)
        stale = [
            number
            for number, version in versions.items()
            if number in known and known[number].resource.version < version
        ]
        for number in stale:
            self.forget(number)
        return known | await self.get_many(stale, connection)

    async def _read_one(self, number: int) -> ReadyResource:
        for ready in await self._read([number], None):
            return ready
        raise ResourceNotFound(resource_id=ids.show_resource(number))

    async def _read(self, numbers: list[int], connection: Connection | None) -> list[ReadyResource]:
        async with self._database.borrow(connection) as used:
            return [
                resources.ready_resource(one) for one in await resources.get_many(used, numbers)
            ]
