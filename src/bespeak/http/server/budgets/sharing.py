"""How workers tell each other what guests do: some times a second each writes what is new with it
and reads what is new with the others. No request waits for it. While the database is away, each
worker judges by what it knows itself.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import structlog

from bespeak import ids
from bespeak.clock import DatabaseClock
from bespeak.errors import BespeakError
from bespeak.http.server.budgets.counts import PERIOD_SECONDS, CountKey, Counts
from bespeak.http.server.budgets.guest_holds import REMEMBERED_SECONDS, GuestHold, GuestHolds
from bespeak.postgres.pool import FAULTS, is_away
from bespeak.postgres.queries import load
from bespeak.states import HoldState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database

_QUERIES = load("bespeak.http.server.budgets", "budgets.sql")
_BUSY_SECONDS = 0.25
_IDLE_SECONDS = 1.0
_TIDY_SECONDS = 60.0
_WRITTEN_MAX = 2000
_WAITING_MAX = 50_000
_READ_MAX = 5000
_LAPSED_MAX = 500
_FORGOTTEN_MAX = 2000
_log = structlog.get_logger()


class Sharing:
    """Tells and learns, for as long as `run` is not cancelled."""

    def __init__(
        self, database: Database, clock: DatabaseClock, holds: GuestHolds, counts: Counts
    ) -> None:
        self._database = database
        self._clock = clock
        self._holds = holds
        self._counts = counts
        self._waiting: dict[tuple[object, int], GuestHold] = {}
        self._seen_holds = self._seen_counts = "0"
        self._tidied_at = time.monotonic()

    def tell(self, hold: GuestHold) -> None:
        """Has the others told of a hold, or of its end."""
        if hold.part in self._waiting or len(self._waiting) < _WAITING_MAX:
            self._waiting[hold.part] = hold

    async def run(self) -> None:
        while True:
            is_busy = False
            try:
                is_busy = await self.look()
            except BespeakError:
                pass  # the database is away; requests say so
            except FAULTS as error:
                if not is_away(error):
                    _log.error("budgets are not shared", error=str(error))
            await asyncio.sleep(_BUSY_SECONDS if is_busy else _IDLE_SECONDS)

    async def look(self) -> bool:
        """Tells and learns once; answers whether there was anything. Raises what asyncpg raises."""
        self._counts.forget(now := self._clock.seconds())
        self._holds.forget(now)
        async with self._database.borrow() as connection:
            told = await self._tell_holds(connection) | await self._tell_counts(connection)
            learned = await self._learn(connection)
            lapsed = await self._settle_lapsed(connection, now)
            await self._tidy(connection, now)
        return told or learned or lapsed

    async def _tell_holds(self, connection: Connection) -> bool:
        parts = list(self._waiting)[:_WRITTEN_MAX]
        if not parts:
            return False
        rows = [self._waiting.pop(part) for part in parts]
        try:
            await connection.execute(_QUERIES["write_holds"], *_columns(rows))
        except BaseException:
            for row in rows:
                self.tell(row)
            raise
        return True

    async def _tell_counts(self, connection: Connection) -> bool:
        taken = self._counts.take_own()
        if not taken:
            return False
        try:
            rows = await connection.fetch(
                _QUERIES["write_counts"],
                [key.budget for key in taken],
                [key.who for key in taken],
                [key.begins_at for key in taken],
                list(taken.values()),
            )
        except BaseException:
            self._counts.give_back(taken)
            raise
        for row in rows:
            self._counts.learn(_count_key(row["budget"], row["who"], row["period"]), row["amount"])
        return True

    async def _learn(self, connection: Connection) -> bool:
        """What was committed since the last time: whoever was still at it then has a transaction
        at least as young as the oldest that ran then."""
        running: str = await connection.fetchval(_QUERIES["oldest"])
        holds = await connection.fetch(_QUERIES["read_holds"], self._seen_holds, _READ_MAX)
        for row in holds:
            self._holds.add(
                GuestHold(
                    row["hold_id"],
                    row["resource_id"],
                    row["prefix"],
                    row["guest"],
                    row["units"],
                    row["placed_at"].timestamp(),
                    row["expires_at"].timestamp(),
                    row["outcome"],
                )
            )
        self._seen_holds = holds[-1]["changed"] if len(holds) == _READ_MAX else running
        counts = await connection.fetch(_QUERIES["read_counts"], self._seen_counts, _READ_MAX)
        for row in counts:
            self._counts.learn(_count_key(row["budget"], row["who"], row["period"]), row["amount"])
        self._seen_counts = counts[-1]["changed"] if len(counts) == _READ_MAX else running
        return bool(holds or counts)

    async def _settle_lapsed(self, connection: Connection, now: float) -> bool:
        """Looks up what became of holds whose time seems to be over: the end of most is seen by
        nobody, and that of one that was paid in the background neither."""
        due = self._holds.due(now, _LAPSED_MAX)
        if not due:
            return False
        try:
            homes = [ids.home_of(hold_id) for hold_id in due]
            rows = await connection.fetch(_QUERIES["lapsed"], homes, due)
        except BaseException:
            self._holds.ask_again(due, now)
            raise
        unknown = set(due)
        for row in rows:
            unknown.discard(row["hold_id"])
            if row["state"] == HoldState.CONFIRMED:
                self._holds.end(row["hold_id"], "booked", now)
            elif row["state"] == HoldState.HELD and not row["is_over"]:
                self._holds.extend(row["hold_id"], row["expires_at"].timestamp())
            else:
                self._holds.end(row["hold_id"], "wasted", now)
        for hold_id in unknown:  # erased, or of a database that was restored
            self._holds.end(hold_id, "released", now)
        return True

    async def _tidy(self, connection: Connection, now: float) -> None:
        if time.monotonic() - self._tidied_at < _TIDY_SECONDS:
            return
        self._tidied_at = time.monotonic()
        for name, seconds in (
            ("forget_holds", 2 * REMEMBERED_SECONDS),
            ("forget_counts", 2 * PERIOD_SECONDS),
        ):
            before = datetime.fromtimestamp(now - seconds, UTC)
            await connection.execute(_QUERIES[name], before, _FORGOTTEN_MAX)


def _columns(rows: Sequence[GuestHold]) -> tuple[list[object], ...]:
    return (
        [row.hold_id for row in rows],
        [row.resource for row in rows],
        [row.prefix for row in rows],
        [row.guest for row in rows],
        [row.units for row in rows],
        [datetime.fromtimestamp(row.placed_at, UTC) for row in rows],
        [datetime.fromtimestamp(row.expires_at, UTC) for row in rows],
        [row.outcome for row in rows],
    )


def _count_key(budget: str, who: str, period: datetime) -> CountKey:
    return CountKey(budget, who, int(period.timestamp()))
