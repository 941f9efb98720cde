"""A waiting room for tests: a worker that people join at, and whoever lets them in."""

from __future__ import annotations

from datetime import datetime, timedelta

import bespeak
from bespeak.admission.board import QueueBoard, RoomOnBoard
from bespeak.admission.forms import ChangeWaitingRoom, NewWaitingRoom, WaitingRoom
from bespeak.admission.joins import TICK_US
from bespeak.admission.passes import give_pass
from bespeak.admission.queue_tokens import QueueToken, QueueTokens
from bespeak.admission.rooms import change_room, make_room
from bespeak.admission.steering import Steering
from bespeak.admission.told import PlaceNow, place_now
from tests.harness.clock import Clock
from tests.harness.database import Connection

TOKENS = QueueTokens(b"a secret of tests")


class Worker:
    """A process that gives out places and passes."""

    def __init__(self, engine: bespeak.Engine, connection: Connection, room_id: str) -> None:
        self.board = QueueBoard(engine.database)
        self._connection = connection
        self.room_id = room_id
        self._last_us = 0

    async def look(self) -> RoomOnBoard:
        await self.board.look()
        return self.board.rooms[self.room_id]

    def join(self, owner: str, queue: int = 0) -> QueueToken:
        """Joins; the database hears of it with the next look."""
        # Each in a tick of their own, so that places are exact.
        self._last_us = now_us = max(self.board.clock.now_us(), self._last_us + TICK_US)
        self.board.count_join(self.room_id, queue, now_us)
        return QueueToken(queue, now_us, TOKENS.subject_of(self.room_id, owner))

    def place(self, token: QueueToken) -> PlaceNow:
        return place_now(self.board.rooms[self.room_id], token)

    async def come_in(self, token: QueueToken, owner: str) -> datetime:
        room = await self.look()
        return (await give_pass(self._connection, room, token, owner)).ends_at


class Hall:
    """A room before a show, its workers, and the time."""

    def __init__(self, engine: bespeak.Engine, connection: Connection, clock: Clock) -> None:
        self._engine, self._connection, self._clock = engine, connection, clock
        self.steering = Steering(engine.database, engine.ready_resources)
        self.room: WaitingRoom

    async def open(self, *resources: str, after: float = 60, **fields: object) -> Worker:
        """Makes a room whose sale begins so many seconds from now, and a worker for it."""
        return await self.open_in(None, *resources, after=after, **fields)

    async def open_in(
        self, workspace: str | None, *resources: str, after: float = 60, **fields: object
    ) -> Worker:
        """The same in a workspace (None: the default one)."""
        new = {"opens_at": self._clock.now + timedelta(seconds=after), "pace": "rate", **fields}
        wanted = NewWaitingRoom(name="Premiere", resources=resources, **new)  # type: ignore[arg-type]
        self.room = await make_room(self._connection, wanted, workspace)
        return await self.worker()

    async def called(self, show: str, grace_seconds: int = 120) -> tuple[Worker, QueueToken]:
        """A room whose sale has begun, and the token of one who has been called (`ada`)."""
        worker = await self.open(show, grace_seconds=grace_seconds)
        token = worker.join("ada")
        await worker.look()
        await self.go_on(60)
        await self.go_on(2, times=3)
        await worker.look()
        return worker, token

    async def worker(self) -> Worker:
        made = Worker(self._engine, self._connection, self.room.id)
        await made.look()
        return made

    async def change(self, **fields: object) -> WaitingRoom:
        change = ChangeWaitingRoom(**fields)  # type: ignore[arg-type]
        self.room = await change_room(self._connection, self.room.id, change, None)
        return self.room

    async def go_on(self, seconds: float = 1, times: int = 1) -> None:
        """Lets time go by, and people in."""
        for _ in range(times):
            await self._clock.advance(seconds)
            await self.steering.look()
