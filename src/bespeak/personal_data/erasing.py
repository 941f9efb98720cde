"""The work of erasures, turn by turn, each in one transaction that also says where the next begins.
Whoever is killed leaves whole turns; any process goes on, and does none twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from bespeak.actors import ACTOR_LENGTH_MAX
from bespeak.background import PAUSE_SECONDS_MAX
from bespeak.personal_data.erasures import QUERIES
from bespeak.personal_data.upcoming import Upcoming
from bespeak.reservations.ready_resources import ResourceCache
from bespeak.verticals.vertical import OwnerRecords

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database, Record

_BATCH = 500
_ROWS = 20_000
_WAIT_SECONDS = 30.0
_HELD, _BOOKED, _REST = "held", "booked", "rest"


class _Place(NamedTuple):
    """Where the next turn of a pass begins."""

    phase: str
    at: datetime
    resource: int
    hold: UUID


_EARLIEST = datetime.min.replace(tzinfo=UTC)
_ZERO = UUID(int=0)
_FIRST_HELD = _Place(_HELD, _EARLIEST, 0, _ZERO)
_FIRST_BOOKED = _FIRST_HELD._replace(phase=_BOOKED)
_FIRST_REST = _FIRST_HELD._replace(phase=_REST)


class _Turn(NamedTuple):
    """What a turn did, and where it leaves off."""

    next: _Place | None
    holds: int = 0
    bookings: int = 0
    payments: int = 0
    mails_dropped: int = 0
    released: int = 0
    kept: int = 0
    waiting: int = 0


class ErasureWorker:
    """Goes through the erasures that run. `records` are what verticals keep of owners."""

    name = "erasing"

    def __init__(
        self,
        database: Database,
        ready_resources: ResourceCache,
        records: Sequence[OwnerRecords] = (),
        *,
        batch: int = _BATCH,
        rows: int = _ROWS,
    ) -> None:
        self._database = database
        self._upcoming = Upcoming(ready_resources)
        self._records = records
        self._batch = batch
        self._rows = rows

    async def look(self) -> float:
        """Does all turns that are due; answers the seconds until the next look."""
        while await self.step():
            pass
        return PAUSE_SECONDS_MAX

    async def step(self) -> bool:
        """Does one turn, in one transaction; whether there was one."""
        async with self._database.borrow() as connection, connection.transaction():
            erasure = await connection.fetchrow(QUERIES["next_due"])
            if erasure is None:
                return False
            turn = await self._turn(connection, erasure)
            is_over = turn.next is None
            has_waiting = erasure["waiting"] + turn.waiting > 0
            await _move_on(connection, erasure, turn, is_again=is_over and has_waiting)
            if is_over and not has_waiting:
                await self._finish(connection, erasure)
        return True

    async def _turn(self, connection: Connection, erasure: Record) -> _Turn:
        if erasure["phase"] == _HELD:
            return await self._release(connection, erasure)
        if erasure["phase"] == _BOOKED:
            return await self._erase_booked(connection, erasure)
        return await self._erase_rest(connection, erasure)

    async def _release(self, connection: Connection, erasure: Record) -> _Turn:
        done = await connection.fetchrow(
            QUERIES["release"], erasure["owner"], erasure["begun_at"], self._batch, _actor(erasure)
        )
        ended = done is not None and done["ended"] > 0
        released = done["released"] if done is not None else 0
        return _Turn(_FIRST_HELD if ended else _FIRST_BOOKED, released=released)

    async def _erase_booked(self, connection: Connection, erasure: Record) -> _Turn:
        rows = await connection.fetch(
            QUERIES["bookings_after"],
            *(erasure["owner"], erasure["begun_at"]),
            *(erasure["after_at"], erasure["after_hold"], self._batch),
        )
        # One that was being confirmed when the erasure began was not seen then, and has no leave.
        standing: list[Record] = []
        if not erasure["including_upcoming"]:
            standing = await self._upcoming.among(connection, rows, erasure["begun_at"])
        left = {row["booking_id"] for row in standing}
        reached = _FIRST_REST
        if len(rows) == self._batch:
            reached = _Place(_BOOKED, rows[-1]["confirmed_at"], 0, rows[-1]["booking_id"])
        goes = [row for row in rows if row["booking_id"] not in left]
        turn = await _erase(
            connection,
            erasure,
            [row["resource_id"] for row in goes],
            [row["booking_id"] for row in goes],
        )
        return turn._replace(next=reached, kept=len(left))

    async def _erase_rest(self, connection: Connection, erasure: Record) -> _Turn:
        rows = await connection.fetch(
            QUERIES["rest_after"],
            *(erasure["owner"], erasure["begun_at"]),
            *(erasure["after_resource"], erasure["after_hold"], self._rows, self._batch),
        )
        reached = rows[-1]
        owned = rows[:-1]
        turn = await _erase(
            connection,
            erasure,
            [row["resource_id"] for row in owned],
            [row["hold_id"] for row in owned],
        )
        if reached["hold_id"] is None:
            return turn
        return turn._replace(
            next=_Place(_REST, _EARLIEST, reached["resource_id"], reached["hold_id"])
        )

    async def _finish(self, connection: Connection, erasure: Record) -> None:
        owner, pseudonym = erasure["owner"], erasure["pseudonym"]
        for records in self._records:
            await records.erase(connection, owner, pseudonym)
        await connection.execute(QUERIES["erase_tokens"], owner)
        later = await connection.fetchval(QUERIES["came_later"], owner, erasure["begun_at"])
        await connection.execute(QUERIES["finish"], erasure["erasure_id"], later)


def _actor(erasure: Record) -> str | None:
    """Who asked for it: all that it does is theirs."""
    asked_by: str = erasure["asked_by"]
    return asked_by[:ACTOR_LENGTH_MAX] or None


async def _erase(
    connection: Connection, erasure: Record, homes: list[int], holds: list[UUID]
) -> _Turn:
    if not holds:
        return _Turn(None)
    done = await connection.fetchrow(
        QUERIES["erase"], erasure["owner"], erasure["pseudonym"], homes, holds, _actor(erasure)
    )
    if done is None:
        raise TypeError("a turn is answered with its counts")
    return _Turn(
        None,
        holds=done["holds"],
        bookings=done["bookings"],
        payments=done["payments"],
        mails_dropped=done["mails_dropped"],
        waiting=done["waiting"],
    )


async def _move_on(connection: Connection, erasure: Record, turn: _Turn, *, is_again: bool) -> None:
    """Counts a turn. After the last of a pass in which something waited, a new pass begins, a while
    later."""
    place = turn.next or _FIRST_HELD
    await connection.execute(
        QUERIES["move_on"],
        *(erasure["erasure_id"], *place, _WAIT_SECONDS if is_again else 0.0),
        *(turn.holds, turn.bookings, turn.payments, turn.mails_dropped, turn.released),
        *(turn.kept, is_again, turn.waiting),
    )
