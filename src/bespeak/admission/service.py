"""Waiting rooms for a Python program that steers them: what operators do over the API, by the same
verbs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from bespeak.admission.forms import ChangeWaitingRoom, NewWaitingRoom, WaitingRoom
from bespeak.admission.rooms import (
    LISTED_MAX,
    WaitingRoomPage,
    change_room,
    list_rooms,
    make_room,
    read_room,
)
from bespeak.arguments import checked
from bespeak.errors import InvalidRequest

if TYPE_CHECKING:
    from bespeak.postgres.pool import Database


class WaitingRoomVerbs:
    """The verbs of operators. Whoever stands in a queue does so at a server, which gives out the
    places and judges the passes; the background work of an engine lets people in."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @checked
    async def create(
        self, new: NewWaitingRoom, *, workspace: str | None = None, timeout: float | None = None
    ) -> WaitingRoom:
        """Puts resources behind a waiting room. Raises InvalidRequest, InvalidId,
        ResourceNotFound, ResourceInWaitingRoom."""
        _check_struct(new)
        async with self._database.borrow() as connection:
            return await make_room(connection, new, workspace)

    @checked
    async def update(
        self,
        waiting_room_id: str,
        change: ChangeWaitingRoom,
        *,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> WaitingRoom:
        """Changes a waiting room; by its `state` it is opened, paused, opened again and ended.

        Raises WaitingRoomNotFound, VersionMismatch, WaitingRoomOpened, WaitingRoomPassesGiven,
        PublicValueStands, EarlyOrderStands, OpeningsTakenBack, InvalidRequest, InvalidId,
        ResourceNotFound, ResourceInWaitingRoom."""
        _check_struct(change)
        async with self._database.borrow() as connection:
            return await change_room(connection, waiting_room_id, change, workspace)

    @checked
    async def get(
        self, waiting_room_id: str, *, workspace: str | None = None, timeout: float | None = None
    ) -> WaitingRoom:
        """Reads a waiting room, with how many joined, were let in, are inside and have bought.
        Raises WaitingRoomNotFound."""
        async with self._database.borrow() as connection:
            return await read_room(connection, waiting_room_id, workspace)

    @checked
    async def list_page(
        self,
        *,
        after: str | None = None,
        limit: int = 50,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> WaitingRoomPage:
        """A page of waiting rooms, the newest first. Raises InvalidCursor, InvalidRequest."""
        if not 1 <= limit <= LISTED_MAX:
            raise InvalidRequest(f"limit is from 1 to {LISTED_MAX}", field="limit")
        async with self._database.borrow() as connection:
            return await list_rooms(connection, workspace, after, limit)


def _check_struct(value: NewWaitingRoom | ChangeWaitingRoom) -> None:
    """Holds what was made in Python to the limits that decoding enforces for the API. Raises
    InvalidRequest."""
    try:
        msgspec.convert(msgspec.to_builtins(value), type(value))
    except (msgspec.ValidationError, TypeError) as error:
        raise InvalidRequest(f"waiting room: {error}"[:300], field="waiting_room") from error
