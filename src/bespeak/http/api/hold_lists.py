"""The list of live holds, so that a page that was closed finds what it held. Many may ask at once
after a rush, and the database is asked once for all of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidRequest, NotOwner
from bespeak.http.server.call import Answer, Call
from bespeak.http.server.endpoint import Endpoint
from bespeak.http.api.holds import HoldView, hold_view
from bespeak.postgres.queries import load
from bespeak.reservations.holds import Hold, hold_of
from bespeak.reservations.judge import OWNER_LENGTH_MAX, check_text

if TYPE_CHECKING:
    from bespeak.engine import Engine

_QUERIES = load("bespeak.http.api", "lists.sql")
_HOLDS_MAX = 1000
_FETCHED_MAX = 10_000


class HoldQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whose live holds, and how many at most."""

    owner: Annotated[str, Meta(min_length=1, max_length=OWNER_LENGTH_MAX)] | None = None
    state: Literal["held"] = "held"
    limit: Annotated[int, Meta(ge=1, le=_HOLDS_MAX)] = 100


class HoldList(msgspec.Struct, frozen=True):
    """Live holds, those that end first at the front."""

    items: list[HoldView]


class LiveHolds:
    """Finds live holds by owner. While the database is being asked, whoever comes joins the next
    question, so that any number of askers costs one question at a time."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
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

    async def all(self, limit: int) -> list[Hold]:
        """The live holds that end first, whosever they are."""
        return await self._fetch(None, limit)

    async def _ask(self) -> Mapping[str, list[Hold]]:
        async with self._gate:  # until the question before is answered, others may join this one
            owners, self._next = self._next, set()
            self._asked = None
            found: dict[str, list[Hold]] = {}
            for hold in await self._fetch(sorted(owners), _FETCHED_MAX):
                found.setdefault(hold.owner, []).append(hold)
            return found

    async def _fetch(self, owners: Sequence[str] | None, limit: int) -> list[Hold]:
        engine = self._engine
        async with engine.database.borrow() as connection:
            rows = await connection.fetch(_QUERIES["live_holds"], owners, limit)
        if rows:
            engine.clock.observe(rows[0]["answered_at"])
        return [hold_of(row) for row in rows]


async def list_holds(call: Call, _: None) -> Answer:
    """Lists live holds: with a pk_ key the shopper's own, else an owner's or all."""
    query = call.query
    if not isinstance(query, HoldQuery):
        raise TypeError("the endpoint has this query")
    owner = query.owner
    if call.caller.shopper is not None:
        if owner not in (None, call.caller.shopper):
            raise NotOwner("a shopper token lists its own subject's holds only")
        owner = call.caller.shopper
    live = call.service.live_holds
    if owner is None:
        found = await live.all(query.limit)
    else:
        check_text(owner, "owner", OWNER_LENGTH_MAX)
        found = (await live.of_owner(owner))[: query.limit]
    now = call.service.engine.clock.seconds()
    return Answer(200, HoldList([hold_view(hold, now) for hold in found]))


ENDPOINTS = [
    Endpoint(
        "GET",
        "/v1/holds",
        list_holds,
        "List live holds",
        HoldList,
        needs_shopper=True,
        query=HoldQuery,
        errors=(InvalidRequest, NotOwner),
    ),
]
