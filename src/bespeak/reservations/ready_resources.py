"""The resources that a process has ready: their policy and their compiled plan. The cache may be
behind; the database compares versions, and who was judged by an old one is judged anew.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bespeak.inventory import resources
from bespeak.inventory.resources import ReadyResource
from bespeak.settings import Settings

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database

_STOCKS_MAX = 10_000


class ResourceCache:
    """Resources by their number, the latest used ones kept."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database = database
        self._stocks: OrderedDict[int, ReadyResource] = OrderedDict()

    @property
    def known(self) -> Mapping[int, ReadyResource]:
        """Those that are here."""
        return self._stocks

    async def get(
        self, numbers: Sequence[int], connection: Connection | None
    ) -> Mapping[int, ReadyResource]:
        """These resources, from the cache or the database; unknown ones are absent."""
        ready_resources = self._stocks
        missing = [number for number in numbers if number not in ready_resources]
        if missing:
            if connection is not None:
                found = await resources.get_many(connection, missing)
            else:
                async with self._database.borrow() as borrowed:
                    found = await resources.get_many(borrowed, missing)
            for resource in found:
                ready = resources.ready_resource(resource)
                ready_resources[ready.number] = ready
            while len(ready_resources) > max(_STOCKS_MAX, len(numbers)):
                ready_resources.popitem(last=False)
        return ready_resources

    def forget(self, number: int) -> None:
        """Drops a resource, as its change demands."""
        self._stocks.pop(number, None)
