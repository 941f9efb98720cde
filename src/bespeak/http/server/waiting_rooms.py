"""The waiting rooms as a worker has them: who joins, how the queues stand, and the gate at which
guests show their pass. All but giving a pass is judged in the memory of the worker.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from bespeak import ids
from bespeak.admission.board import QueueBoard, RoomOnBoard
from bespeak.admission.errors import PassInvalid, PassRequired, WaitingRoomNotFound
from bespeak.admission.invite_codes import InviteCodes
from bespeak.admission.passes import Pass, read_pass
from bespeak.admission.queue_tokens import QueueTokens
from bespeak.admission.told import room_now
from bespeak.cache import Cache
from bespeak.engine import Engine
from bespeak.inventory.workspaces import DEFAULT
from bespeak.lines import Line
from bespeak.ticketing.codes import key_named
from bespeak.ticketing.keys import TicketKeyStore

_PASSES_MAX = 50_000
_ANY_TIME = datetime.fromtimestamp(0, UTC)


class ToldRoom(NamedTuple):
    """How a room stands, encoded once for all who ask, and its version (quoted, as an ETag)."""

    body: bytes
    etag: str


class WaitingRooms:
    """The waiting rooms, as a worker knows them."""

    def __init__(self, engine: Engine, secret: bytes, keys: TicketKeyStore) -> None:
        self.board = QueueBoard(engine.database)
        self.tokens = QueueTokens(secret)
        self.invite_codes = InviteCodes(secret)
        self.keys = keys
        self._clock = engine.clock
        self._passes: Cache[str, Pass] = Cache(size_max=_PASSES_MAX)
        self._told: dict[str, tuple[float, ToldRoom]] = {}

    def room(self, room_id: str, workspace: str | None = None) -> RoomOnBoard:
        """A room that is not over, in a workspace or in any. Raises WaitingRoomNotFound."""
        found = self.board.rooms.get(room_id)
        if found is None or workspace not in (None, found.workspace):
            raise WaitingRoomNotFound(waiting_room_id=room_id[:40])
        return found

    def told(self, room_id: str) -> ToldRoom:
        """How a room stands. Raises WaitingRoomNotFound."""
        room = self.room(room_id)
        known = self._told.get(room_id)
        if known is None or known[0] != self.board.read_at:
            known = self._told[room_id] = (self.board.read_at, self._encoded(room))
            self._told = {of: one for of, one in self._told.items() if of in self.board.rooms}
        return known[1]

    @staticmethod
    def shown_resources(room: RoomOnBoard) -> list[str]:
        """The ids of what is behind a room."""
        return [ids.show_resource(number) for number in room.resources]

    @property
    def are_at_work(self) -> bool:
        """Whether anything is behind a waiting room, or may be: nothing was read yet."""
        return bool(self.board.behind) or not self.board.has_looked

    async def check_pass(self, lines: Iterable[Line], owner: str, text: str | None) -> int | None:
        """How many units of a resource may be bought by whoever has this pass; None: as many as
        any guest. Raises PassRequired, PassInvalid."""
        if not self.are_at_work:
            return None
        if not self.board.has_looked:
            await self.board.look()  # a worker that knows nothing yet lets nobody by
        behind = {
            number: room
            for line in lines
            if (room := self.board.behind.get(number := ids.parse_resource(line.resource_id)))
            is not None
        }
        if not behind:
            return None
        return await self._checked(behind, owner, text)

    async def _checked(
        self, behind: Mapping[int, RoomOnBoard], owner: str, text: str | None
    ) -> int | None:
        room = next(iter(behind.values()))
        if text is None:
            raise PassRequired(waiting_room_id=room.room_id, opens_at=room.opens_at)
        found = self._passes.peek(text)
        if found is None:
            found = read_pass(await self.keys.with_key(key_named(text)), text)
            self._passes.put(text, found)
        if any(one.room_id != found.room_id for one in behind.values()):
            raise PassInvalid("the pass is of another waiting room", waiting_room_id=room.room_id)
        if not found.is_for(behind):
            raise PassInvalid("the pass is for other resources", waiting_room_id=room.room_id)
        if found.owner != owner:
            raise PassInvalid("the pass is another shopper's", waiting_room_id=room.room_id)
        is_over = found.name is not None and self.board.passes_over.has(found.name)
        if is_over or found.ends_at <= self._clock.seconds():
            raise PassInvalid("the pass has ended", waiting_room_id=room.room_id)
        return found.units_max

    def _encoded(self, room: RoomOnBoard) -> ToldRoom:
        told = room_now(room, self.shown_resources(room), room.answered_at)
        # The time of the look changes with every look, and by itself makes no new version.
        same = msgspec.json.encode(msgspec.structs.replace(told, as_of=_ANY_TIME))
        body = msgspec.json.encode(told)
        return ToldRoom(body, f'"{hashlib.sha256(same).hexdigest()[:16]}"')


def workspace_of(named: str | None) -> str:
    """The workspace of a caller's key; of who has none, the default one."""
    return named or DEFAULT
