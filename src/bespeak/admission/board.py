"""What a process knows of the waiting rooms: read from the database once a second, and asked as
often as anybody likes. Joining and looking after one's place need the database for nothing;
while it is away, the queue stands as it was, and those who come are counted when it is back.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import msgspec
import structlog

from bespeak.admission.category_chances import CategoryOnBoard, stock_of
from bespeak.admission.forms import (
    TAKEN_BACK,
    ChallengeRule,
    EarlyOrder,
    Pace,
    PaymentsPace,
    RoomState,
    TakenBackOpening,
)
from bespeak.admission.joins import TICK_US, QueueJoins
from bespeak.admission.passes_over import OVER_MAX, PassesOver
from bespeak.admission.place_keys import draw_of, late_key
from bespeak.admission.queue_clock import QueueClock
from bespeak.admission.queue_tokens import QueueToken
from bespeak.errors import BespeakError
from bespeak.postgres.json_text import json_text
from bespeak.postgres.pool import FAULTS, end_if_cancelled
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database, Record

_QUERIES = load("bespeak.admission", "board.sql")
LOOK_SECONDS = 1.0
RATE_SECONDS = 60
"""Over how long it is looked how fast the front moves."""
AWAY_SECONDS = 5.0
"""Nobody looked after a room for longer than this: those who were called could not come."""
# What others noted a moment ago may be committed after what was read.
_OVERLAP = timedelta(seconds=10)
# By then every process that lives has written down who joined, while the database is there.
_NOTED_WITHIN = timedelta(seconds=5)
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
_US = 1_000_000
_Tick: TypeAlias = tuple[str, int, int]
"""A tick of a queue of a room."""
_AWAY: tuple[type[Exception], ...] = (BespeakError, *FAULTS)
_log = structlog.get_logger()


class QueueOnBoard(msgspec.Struct, frozen=True):
    """A queue as the database has it. Keys before `front` were called, those before
    `lost_before` too long ago; `front_before` is the front of RATE_SECONDS ago."""

    queue: int
    name: str
    share: int
    invited: bool
    front: int
    lost_before: int
    front_before: int


_READ_APART = ("categories", "places_left", "queues", "joins", "taken_back")
_QUEUES: msgspec.json.Decoder[tuple[QueueOnBoard, ...]] = msgspec.json.Decoder(
    tuple[QueueOnBoard, ...]
)


class RoomOnBoard(NamedTuple):
    """A room as the database has it, and how many joined each of its queues."""

    room_id: str
    workspace: str
    name: str
    state: RoomState
    early_order: EarlyOrder
    early_opens_at: datetime
    opens_at: datetime
    pace: Pace
    a_minute: int
    inside_max: int
    pass_seconds: int
    grace_seconds: int
    units_max: int | None
    message: str | None
    challenge: ChallengeRule
    draining: bool
    seed: bytes
    public_value: str | None
    opened_at: datetime | None
    sold_out: bool
    version: int
    credit: float
    units_left: int | None
    units_a_place: float | None
    payments: PaymentsPace
    categories: tuple[CategoryOnBoard, ...]
    places_left: float | None
    answered_at: datetime
    step_seconds: float
    resources: list[int]
    queues: tuple[QueueOnBoard, ...]
    joins: tuple[QueueJoins, ...]
    taken_back: tuple[TakenBackOpening, ...]

    @property
    def opened_us(self) -> int:
        """When the sale was opened, in microseconds since 1970; 0 before that."""
        return 0 if self.opened_at is None else int(self.opened_at.timestamp() * _US)

    @property
    def waiting(self) -> list[tuple[int, int]]:
        """Of each queue its share, and how many wait in it."""
        return [
            (one.share, max(0, joins.total - joins.place_of(one.front)))
            for one, joins in zip(self.queues, self.joins, strict=True)
        ]

    def key_of(self, token: QueueToken) -> int | None:
        """The place key of a token; None before the opening, for those whose draw is not made
        yet."""
        if self.early_order == "first_come":
            return late_key(token.joined_us)
        if self.opened_at is None or self.public_value is None:
            return None
        if token.joined_us >= self.opened_us:
            return late_key(token.joined_us)
        return draw_of(self.seed, self.public_value, self.room_id, token.subject)

    def queue_named(self, name: str) -> QueueOnBoard | None:
        return next((one for one in self.queues if one.name == name), None)


class QueueBoard:
    """The rooms of an installation that are not over, or have not been for long, as this process
    knows them; and, where it `judges_passes`, whose passes are over before their time."""

    def __init__(self, database: Database, *, judges_passes: bool = True) -> None:
        self._database = database
        self._judges_passes = judges_passes
        self.clock = QueueClock()
        self.rooms: Mapping[str, RoomOnBoard] = {}
        self.behind: Mapping[int, RoomOnBoard] = {}
        """The rooms by the numbers of the resources that are behind them."""
        self.passes_over = PassesOver()
        self.has_looked = False
        self.read_at = 0.0
        self.noted = 0
        """How many joined here and are written down; whoever counts on sets it back."""
        self._joins: dict[tuple[str, int], QueueJoins] = {}
        self._noted_since = _LONG_AGO
        self._counted: dict[_Tick, int] = {}
        self._counted_again: set[_Tick] = set()

    def count_join(self, room_id: str, queue: int, joined_us: int) -> None:
        """Counts somebody who joined; the database hears of it within a second."""
        key = (room_id, queue, joined_us // TICK_US)
        self._counted[key] = self._counted.get(key, 0) + 1

    def count_again(self, room: RoomOnBoard, token: QueueToken) -> None:
        """Counts somebody who looks and whom no count has, since their process was killed before it
        told: if nobody came after them, the front would never move on to them. Of several in one
        tick this counts one, whoever counts it: one that stands for nobody would be called, and
        would keep a place from others as long as the grace says."""
        if room.state == "ended" or token.joined_at > room.answered_at - _NOTED_WITHIN:
            return
        index = next(n for n, one in enumerate(room.queues) if one.queue == token.queue)
        tick = (room.room_id, token.queue, token.joined_us // TICK_US)
        if tick not in self._counted and not room.joins[index].has_counted(token.joined_us):
            self._counted_again.add(tick)

    @property
    def step_seconds(self) -> float:
        """How long ago the room at work was looked after that has waited longest for it."""
        at_work = [room for room in self.rooms.values() if room.state != "ended"]
        if not at_work:
            return 0.0
        # What was read is older than it was: while the database is away nobody is let in either.
        return max(room.step_seconds for room in at_work) + time.monotonic() - self.read_at

    async def run(self) -> None:
        """Looks once a second, until cancelled."""
        while True:
            try:
                await self.look()
            except _AWAY as error:
                _log.debug("waiting rooms not read", error=str(error))
                end_if_cancelled()
            except Exception:  # whatever it is: who joins is to be counted all the same
                _log.exception("waiting rooms not read")
            await asyncio.sleep(LOOK_SECONDS)

    async def close(self) -> None:
        """Writes down who joined since the last look, if the database is there."""
        if self._counted or self._counted_again:
            with suppress(*_AWAY):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self.look()

    async def look(self) -> None:
        """Notes who joined, and reads how the rooms stand. Raises DatabaseUnavailable."""
        async with self._database.borrow() as connection:
            await self.read(connection)

    async def read(self, connection: Connection) -> None:
        """As `look`, with a connection."""
        await self._note(connection)
        asked = time.monotonic()
        now = await connection.fetchval(_QUERIES["now"])
        self.clock.observe(asked, time.monotonic(), now)
        rows = await connection.fetch(_QUERIES["rooms"], float(RATE_SECONDS), AWAY_SECONDS)
        since = self._noted_since
        joins = [] if not rows else await connection.fetch(_QUERIES["joins"], since)
        if rows and self._judges_passes:
            over = await connection.fetch(_QUERIES["passes_over"], since, OVER_MAX)
            self.passes_over.take(over, now)
        self._take(rows, joins, now)

    def _take(self, rows: list[Record], joins: list[Record], now: datetime) -> None:
        fresh: dict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
        for row in joins:
            fresh[row["room_id"], row["queue"]].append((row["tick"], row["joined"]))
        rooms = [self._room(row, fresh) for row in rows]
        kept = {(room.room_id, one.queue) for room in rooms for one in room.queues}
        self._joins = {key: one for key, one in self._joins.items() if key in kept}
        self._noted_since = now - _OVERLAP if rooms else _LONG_AGO
        self.rooms = {room.room_id: room for room in rooms}
        at_work = [room for room in rooms if room.state != "ended"]
        self.behind = {number: room for room in at_work for number in room.resources}
        self.has_looked, self.read_at = True, time.monotonic()

    def _room(
        self, row: Record, fresh: Mapping[tuple[str, int], list[tuple[int, int]]]
    ) -> RoomOnBoard:
        queues = _QUEUES.decode(json_text(row["queues"]))
        opened_at: datetime | None = row["opened_at"]
        opened_us = 0 if opened_at is None else int(opened_at.timestamp() * _US)
        joins = []
        for one in queues:
            key = (row["room_id"], one.queue)
            shuffled = row["early_order"] == "shuffle"
            known = self._joins.setdefault(key, QueueJoins(shuffled=shuffled))
            known.shuffled = shuffled  # which an operator may change until people can join
            known.take(fresh.get(key, ()), opened_us)
            joins.append(known)
        stock = stock_of(row["categories"])
        fields = {name: row[name] for name in RoomOnBoard._fields if name not in _READ_APART}
        return RoomOnBoard(
            **fields,
            categories=stock.categories,
            places_left=stock.places,
            queues=queues,
            joins=tuple(joins),
            taken_back=TAKEN_BACK.decode(json_text(row["taken_back"])),
        )

    async def _note(self, connection: Connection) -> None:
        """Writes down how many joined here. What could not be written is counted again; of what
        was written and not answered, some are counted twice."""
        if self._counted:
            counted, self._counted = self._counted, {}
            keys = sorted(counted)
            try:
                await connection.execute(
                    _QUERIES["note_joins"], *_columns(keys), [counted[key] for key in keys]
                )
            except BaseException:
                for key, count in counted.items():
                    self._counted[key] = self._counted.get(key, 0) + count
                raise
            self.noted += sum(counted.values())
        if self._counted_again:
            # Should it fail, whoever is still not counted looks again.
            again, self._counted_again = sorted(self._counted_again), set()
            await connection.execute(_QUERIES["note_again"], *_columns(again))


def _columns(ticks: list[_Tick]) -> tuple[list[str], list[int], list[int]]:
    """As statements take them."""
    return [tick[0] for tick in ticks], [tick[1] for tick in ticks], [tick[2] for tick in ticks]
