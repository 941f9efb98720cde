"""Who lets people in: background work that looks after each waiting room once a second. It opens
the sale when it is time, ends passes, counts what is left, and moves the front. One process does
it at a time for a room; another goes on where it stopped, since all that it knows is in the
database.
"""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

import msgspec

from bespeak.actors import acting
from bespeak.admission.alarms import SLOW_SECONDS, STUCK_SECONDS, AlarmWatch
from bespeak.admission.board import AWAY_SECONDS, QueueBoard, RoomOnBoard
from bespeak.admission.categories import CategoryWatch
from bespeak.admission.observer import AdmissionObserver, RoomCrowd
from bespeak.admission.pace import (
    Chances,
    Inside,
    Lately,
    PaceBounds,
    Stock,
    is_sold_out,
    persons_wanted,
    places_called,
)
from bespeak.admission.provider_pace import (
    ANSWERS_SECONDS,
    PAYMENTS_KEPT_SECONDS,
    RoomPayments,
    provider_pace,
)
from bespeak.admission.rooms import open_due
from bespeak.admission.shares import shared_out
from bespeak.admission.turn_mails import forget_mails, note_near
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from datetime import datetime

    from bespeak.postgres.pool import Connection, Database
    from bespeak.reservations.ready_resources import ResourceCache

_QUERIES = load("bespeak.admission", "steering.sql")
_EVERY_SECONDS = 0.9
_PAUSE_SECONDS = 0.5
_LATELY = timedelta(minutes=10)
_SOON_SECONDS = 60.0
# Who joined in the last moments may not be counted yet, and places follow from counts.
_COUNTED_AFTER_SECONDS = 2.0
_CREDIT_SECONDS = 5.0
_FORGET_SECONDS = 60.0
_DRAINED_SECONDS = 60.0
_STALE_SECONDS = 10.0


class _Seen(NamedTuple):
    """What a look at a room found; of all whose time to come is over, how many were called and
    came."""

    inside: Inside
    stock: Stock | None
    chances: Chances
    called: int
    came: int
    payments: RoomPayments


class Steering:
    """Looks after the waiting rooms, for as long as `look` is called."""

    name = "waiting rooms"

    def __init__(
        self,
        database: Database,
        ready_resources: ResourceCache,
        observer: AdmissionObserver | None = None,
    ) -> None:
        self._database = database
        self._observer = observer or AdmissionObserver()
        self._watch = AlarmWatch()
        self._categories = CategoryWatch(ready_resources)
        self._steered: dict[str, tuple[float, RoomCrowd]] = {}
        self._ready_resources = ready_resources
        self._forget_at = 0.0
        self._board = QueueBoard(database, judges_passes=False)

    async def look(self) -> float:
        """Looks after the rooms that are due; answers seconds until the next look. Raises
        DatabaseUnavailable and what asyncpg raises."""
        async with self._database.borrow() as connection:
            if time.monotonic() >= self._forget_at:
                self._forget_at = time.monotonic() + _FORGET_SECONDS
                await connection.execute(_QUERIES["forget_ended"])
                await forget_mails(connection)
            due = await connection.fetch(_QUERIES["due"], _EVERY_SECONDS)
            if not due:
                self._tell()
                return _PAUSE_SECONDS
            for row in due:
                await open_due(connection, row["room_id"])
            await self._board.read(connection)
            for row in due:
                room = self._board.rooms.get(row["room_id"])
                if room is not None:
                    await self._steer(connection, room)
        self._tell()
        return _PAUSE_SECONDS

    def _tell(self) -> None:
        """Tells how all rooms stand that are looked after here."""
        since = time.monotonic() - _STALE_SECONDS
        self._steered = {of: one for of, one in self._steered.items() if one[0] >= since}
        self._watch.forget(self._steered.keys())
        self._categories.forget(self._steered.keys())
        people = (one for _, one in self._steered.values())
        self._observer.people(
            RoomCrowd(*(sum(each) for each in zip((0, 0, 0), *people, strict=True)))
        )
        self._observer.alarms(self._watch.rooms_with_alarms)

    async def _steer(self, connection: Connection, room: RoomOnBoard) -> None:
        async with connection.transaction():
            seconds = await connection.fetchval(
                _QUERIES["take"], room.room_id, _EVERY_SECONDS, room.version
            )
            if seconds is None:
                return
            ended = await self._end_passes(connection, room)
            seen = await self._seen(connection, room)
            sold_out = seen.stock is not None and is_sold_out(seen.stock)
            pace = provider_pace(seen.payments, seen.chances, room.a_minute)
            a_second = pace.a_minute / 60
            # What is not used is kept for some seconds, and at least until it makes one person.
            credit = min(room.credit + a_second * seconds, max(1.0, a_second * _CREDIT_SECONDS))
            if room.state != "open" or sold_out or seconds > AWAY_SECONDS:
                # Who was called could not come: while it is paused, or the database was away.
                await connection.execute(_QUERIES["hold_calls"], room.room_id, seconds)
            waiting = sum(count for _, count in room.waiting)
            sells = room.state == "open" and not sold_out
            alarms = await self._watch.look(connection, room, seen.called, seen.came, sells=sells)
            called = 0
            if sells and _is_counted(room):
                bounds = PaceBounds(room.inside_max, credit if a_second else 0.0)
                persons = persons_wanted(seen.inside, seen.stock, seen.chances, bounds)
                called = await self._call(connection, room, places_called(persons, seen.chances))
                credit = max(0.0, credit - called * seen.chances.comes)
                waiting -= called
                await note_near(connection, room)
            await connection.execute(_QUERIES["forget_calls"], room.room_id, room.grace_seconds)
            # After an absence those who joined meanwhile may not be counted yet.
            is_empty = waiting <= 0 and seconds <= AWAY_SECONDS
            left = None if seen.stock is None else seen.stock.free
            inside = seen.inside._replace(called=seen.inside.called + called)
            categories = await self._categories.look(connection, room, left, inside, seen.chances)
            await connection.execute(
                _QUERIES["steered"],
                *(room.room_id, sold_out, credit, left, seen.chances.units_a_place),
                *(is_empty, _DRAINED_SECONDS, acting(), msgspec.json.encode(alarms).decode()),
                *(*categories, pace.payments),
            )
        # Only what is committed is counted.
        people = RoomCrowd(waiting, seen.inside.called + called, seen.inside.with_pass)
        self._steered[room.room_id] = (time.monotonic(), people)
        self._observer.called(called)
        for outcome, count in ended.items():
            self._observer.ended(outcome, count)

    async def _end_passes(self, connection: Connection, room: RoomOnBoard) -> dict[str, int]:
        """Ends the passes that are due; how many as what."""
        ended = await connection.fetchrow(_QUERIES["end_passes"], room.room_id, room.resources)
        if ended is None:
            raise LookupError("a count has a row")
        return dict(ended)

    async def _call(self, connection: Connection, room: RoomOnBoard, places: int) -> int:
        """Moves the fronts over so many places in all; over how many they were moved."""
        moved = 0
        for one, joins, count in zip(
            room.queues, room.joins, shared_out(places, room.waiting), strict=True
        ):
            if count > 0:
                front = joins.key_at(joins.place_of(one.front) + count)
                await connection.execute(_QUERIES["call"], room.room_id, one.queue, front)
                moved += count
        return moved

    async def _seen(self, connection: Connection, room: RoomOnBoard) -> _Seen:
        since = room.answered_at - _LATELY
        passes = await connection.fetchrow(_QUERIES["inside"], room.room_id, room.resources, since)
        holds = await connection.fetchrow(
            _QUERIES["holds_lately"],
            *(room.resources, _first_id(since), _SOON_SECONDS),
            *(SLOW_SECONDS, STUCK_SECONDS, PAYMENTS_KEPT_SECONDS, ANSWERS_SECONDS),
        )
        if passes is None or holds is None:
            raise LookupError("a count has a row")
        called, came, coming = await self._calls(connection, room)
        chances = Chances.of(
            Lately(
                called=called,
                came=came,
                passes=passes["ended"],
                passes_holding=max(passes["ended_bought"], min(passes["ended"], holds["ended"])),
                holds=holds["ended"],
                holds_bought=holds["bought"],
                units=holds["ended_units"],
            )
        )
        stock = None
        if room.pace == "stock":
            free = await self._free(connection, room.resources)
            stock = Stock(free, holds["held"], holds["held_until_soon"])
        inside = Inside(passes["with_pass"], passes["without_hold"], coming)
        payments = RoomPayments(*holds["unanswered"], *holds["answered"])
        return _Seen(inside, stock, chances, called, came, payments)

    async def _calls(self, connection: Connection, room: RoomOnBoard) -> tuple[int, int, int]:
        """Of those whose time to come is over, how many were called and came; and how many
        others were called and have not come yet."""
        numbers = [one.queue for one in room.queues]
        came = await connection.fetch(
            _QUERIES["claimed"], room.room_id, numbers, [0] * len(numbers)
        )
        lost = [one.lost_before for one in room.queues]
        lately = await connection.fetch(_QUERIES["claimed"], room.room_id, numbers, lost)
        called = came_of_them = coming = 0
        for one, joins, all_of, new in zip(room.queues, room.joins, came, lately, strict=True):
            over = joins.place_of(one.lost_before)
            called += over
            came_of_them += all_of["passes"] - new["passes"]
            coming += max(0, joins.place_of(one.front) - over - new["passes"])
        return called, min(called, came_of_them), coming

    async def _free(self, connection: Connection, numbers: list[int]) -> int | None:
        """How many units are free of all resources; None where they go on with time."""
        known = await self._ready_resources.get_many(numbers, None)
        taken = {
            row["resource_id"]: int(row["units"])
            for row in await connection.fetch(_QUERIES["taken"], numbers)
        }
        free = 0
        for number, ready in known.items():
            units = ready.plan.units_total()
            if units is None:
                return None
            if ready.resource.state == "open":
                free += max(0, units - taken.get(number, 0))
        return free


def _is_counted(room: RoomOnBoard) -> bool:
    """Whether all who came before the opening have been counted."""
    opened: datetime | None = room.opened_at
    return (
        opened is not None and (room.answered_at - opened).total_seconds() >= _COUNTED_AFTER_SECONDS
    )


def _first_id(since: datetime) -> UUID:
    """The least id of a hold of this time or later."""
    return UUID(int=int(since.timestamp() * 1000) << 80)
