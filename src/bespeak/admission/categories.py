"""What is left, in all and by category, of what is behind a waiting room. It is looked at with the
room, once a second; where much is taken and the look takes long, no more often than a tenth of the
time.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from bespeak.admission.board import RoomOnBoard
from bespeak.admission.category_chances import (
    CategoryOnBoard,
    StockOnBoard,
    kept_stock,
    places_for,
    places_until_gone,
)
from bespeak.admission.pace import Chances, Inside
from bespeak.inventory.category_stock import CategoryCounted, CategoryStock
from bespeak.inventory.resources import ReadyResource
from bespeak.inventory.snapshot import Snapshot, read_snapshot

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection
    from bespeak.reservations.ready_resources import ResourceCache

CATEGORIES_MAX = 60
"""Of a room that has more in all, none is told."""
_DRAWS_MAX = 500
_REST = 9
"""For how many times as long as the look took it is not looked again."""


class CategoryLook(NamedTuple):
    """Whether it was looked, and what was found, as it is kept (None: not counted)."""

    looked: bool
    categories: str | None


class CategoryWatch:
    """Looks what is left by category, for as long as `look` is called."""

    def __init__(self, ready_resources: ResourceCache) -> None:
        self._ready_resources = ready_resources
        self._rests_until: dict[str, datetime] = {}

    async def look(
        self,
        connection: Connection,
        room: RoomOnBoard,
        left: int | None,
        inside: Inside,
        chances: Chances,
    ) -> CategoryLook:
        """What is to be kept of a room of which so much is `left` in all (None: not counted)."""
        if left is None:
            return CategoryLook(True, None)
        rests_until = self._rests_until.get(room.room_id)
        if rests_until is not None and room.answered_at < rests_until:
            return CategoryLook(False, None)
        began = time.monotonic()
        found = await self._found(connection, room, inside, chances)
        rest = timedelta(seconds=(time.monotonic() - began) * _REST)
        self._rests_until[room.room_id] = room.answered_at + rest
        places = places_for(left, _spoken_for(inside, chances), chances.units_a_place)
        return CategoryLook(True, kept_stock(left, StockOnBoard(tuple(found), places)))

    def forget(self, kept: Collection[str]) -> None:
        """Forgets all other rooms."""
        self._rests_until = {of: at for of, at in self._rests_until.items() if of in kept}

    async def _found(
        self, connection: Connection, room: RoomOnBoard, inside: Inside, chances: Chances
    ) -> list[CategoryOnBoard]:
        """The categories; none where it is not counted by category, or there are too many."""
        known = await self._ready_resources.get_many(room.resources, connection)
        # Of a draft nothing is told, not even what its categories are called.
        selling = [
            one
            for _, one in sorted(known.items())
            if one.resource.state == "open" and one.resource.published
        ]
        if not _can_tell(_stock_of(one, Snapshot(), room.answered_at) for one in selling):
            return []
        stocks = [(one, await self._stock(connection, one, room.answered_at)) for one in selling]
        if not _can_tell(stock for _, stock in stocks):
            return []
        counted = [(one, stock) for one, stock in stocks if stock is not None]
        places = places_until_gone(
            [stock for _, stock in counted], _spoken_for(inside, chances), chances.units_a_place
        )
        return [
            CategoryOnBoard(ready.number, one.name, one.units, one.left, of_one)
            for (ready, stock), of_stock in zip(counted, places, strict=True)
            for one, of_one in zip(stock.categories, of_stock, strict=True)
        ]

    async def _stock(
        self, connection: Connection, ready: ReadyResource, now: datetime
    ) -> CategoryStock | None:
        """What is left of a resource, by its plan of now."""
        snapshot = await read_snapshot(connection, ready.number)
        version = snapshot.resource_version
        if version is not None and version > ready.resource.version:
            newer = await self._ready_resources.at_least({ready.number: version}, connection)
            ready = newer.get(ready.number, ready)
        return _stock_of(ready, snapshot, now)


def _spoken_for(inside: Inside, chances: Chances) -> float:
    """How many units those inside, and those who were called, will still take."""
    coming = inside.without_hold + inside.called * chances.comes
    return coming * chances.units * chances.holds


def _stock_of(ready: ReadyResource, snapshot: Snapshot, now: datetime) -> CategoryStock | None:
    plan = ready.plan
    if not isinstance(plan, CategoryCounted):
        return None
    stock = plan.category_stock(snapshot)
    opens_at = ready.resource.opens_at
    if not ready.resource.kept_for_waitlist or (opens_at is not None and opens_at > now):
        return stock
    # What comes back is offered to those who wait elsewhere, and nobody else can hold it.
    return CategoryStock(
        tuple(one._replace(left=0) for one in stock.categories), dict.fromkeys(stock.left, 0)
    )


def _can_tell(stocks: Iterable[CategoryStock | None]) -> bool:
    """Whether all are counted by category, and it is not too much to tell."""
    count = draws = 0
    for stock in stocks:
        if stock is None:
            return False
        count += len(stock.categories)
        if count > CATEGORIES_MAX:
            return False
        draws += sum(len(one.draws) for one in stock.categories)
    return count > 0 and draws <= _DRAWS_MAX
