"""How far a relay has come, as it stands in the database beside the other durable followers, so
that nothing is deleted before it is sent. A place moves only behind what the broker has
acknowledged, and only from where its mover believes it to be.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import asyncpg

from bespeak.errors import InvalidRequest
from bespeak.feed.cursors import check_feed_cursor
from bespeak.feed.errors import CursorOfAnotherLife
from bespeak.feed.reader import event_of, refusal_of
from bespeak.postgres.queries import load
from bespeak.relay.errors import RelayNotFound
from bespeak.relay.message import RelayMessage

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

QUERIES = load("bespeak.relay", "relay.sql")
PREFIX = "relay:"
"""What the names of relays begin with among those of all durable followers."""
START = "start"
NOW = "now"
LINES_MAX = 50_000
"""With so many lines, which are some megabytes, a batch is full."""
_NAME = re.compile("[a-z0-9][a-z0-9._-]{0,59}")


class RelayPlace(NamedTuple):
    """The event behind which a relay is, by what the feed is ordered by."""

    horizon: int
    position: int


class Batch(NamedTuple):
    """Events that follow each other, and the place behind the last."""

    messages: list[RelayMessage]
    until: RelayPlace


class RelayTrack:
    """The track of one relay through the feed."""

    def __init__(self, name: str) -> None:
        """Raises InvalidRequest."""
        if _NAME.fullmatch(name) is None:
            raise InvalidRequest(
                "a relay's name has 1 to 60 of a-z, 0-9, '.', '_' and '-'", field="name"
            )
        self._name = PREFIX + name

    async def enlist(self, connection: Connection, after: str) -> None:
        """Makes the relay, unless it is there: then it keeps its place. Raises InvalidCursor,
        CursorExpired, CursorOfAnotherLife."""
        if after not in (START, NOW):
            check_feed_cursor(after)
        try:
            await connection.execute(QUERIES["enlist"], self._name, after)
        except asyncpg.PostgresError as error:
            if (refusal := refusal_of(error)) is not None:
                raise refusal from error
            raise

    async def lead(self, connection: Connection) -> bool:
        """Whether this session is the one that sends, from now on until it ends."""
        return bool(await connection.fetchval(QUERIES["try_lead"], self._name))

    async def place(self, connection: Connection) -> RelayPlace:
        """Raises RelayNotFound."""
        row = await connection.fetchrow(QUERIES["place"], self._name)
        if row is None:
            raise self._unknown()
        return _place(row)

    async def place_behind(self, connection: Connection, cursor: str) -> RelayPlace:
        """The place behind a cursor of this database, or, where another life of the feed had it,
        where both still agree. Raises CursorExpired, and CursorOfAnotherLife where nobody can
        say."""
        try:
            return await self._behind(connection, cursor)
        except CursorOfAnotherLife as error:
            same = error.data["cursor"]
            if not isinstance(same, str):
                raise
            return await self._behind(connection, same)

    async def next(self, connection: Connection, place: RelayPlace, limit: int) -> Batch:
        """The next events behind a place. Raises CursorExpired."""
        try:
            rows = await connection.fetch(QUERIES["events"], *place, limit, LINES_MAX)
        except asyncpg.PostgresError as error:
            if (refusal := refusal_of(error)) is not None:
                raise refusal from error
            raise
        last = RelayPlace(rows[-1]["horizon"], rows[-1]["key"]) if rows else place
        return Batch([_message(row) for row in rows], last)

    async def move(self, connection: Connection, place: RelayPlace, to: RelayPlace) -> bool:
        """Moves the relay; False where it is not at that place any more."""
        return bool(await connection.fetchval(QUERIES["move"], self._name, *place, *to))

    async def forget(self, connection: Connection) -> None:
        """Ends the relay. Raises RelayNotFound."""
        if not await connection.fetchval(QUERIES["forget"], self._name):
            raise self._unknown()

    async def _behind(self, connection: Connection, cursor: str) -> RelayPlace:
        try:
            rows = await connection.fetch(QUERIES["place_behind"], cursor)
        except asyncpg.PostgresError as error:
            if (refusal := refusal_of(error)) is not None:
                raise refusal from error
            raise
        return _place(rows[0])

    def _unknown(self) -> RelayNotFound:
        return RelayNotFound(f"no relay is called {self._name.removeprefix(PREFIX)}")


def _place(row: Record) -> RelayPlace:
    return RelayPlace(row["horizon"], row["position"])


def _message(row: Record) -> RelayMessage:
    return RelayMessage(event_of(row, row["cursor"], row["position"]), row["epoch"], row["begins"])
