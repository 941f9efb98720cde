"""Alarms of waiting rooms: what an operator should look at while a sale runs. They compare what
happened in the last minutes, as whoever lets people in has seen it; another process that goes on
with that begins to watch anew.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Set
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

import structlog

from bespeak.admission.forms import AlarmKind, RoomAlarm
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.admission.board import RoomOnBoard
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.admission", "alarms.sql")
WATCHED = timedelta(minutes=5)
"""Over how long it is looked."""
SLOW_SECONDS = 10.0
"""A payment provider that has not answered for longer is slow."""
STUCK_SECONDS = 600.0
"""One that has not for longer than this is stuck for a reason of its own."""
_EVERY = timedelta(seconds=5)
_CASES_MIN = 20
_TURNS_SHARE = 0.6
_PASSES_SHARE = 0.7
_SLOW_MIN = 3
_SLOW_SHARE = 0.34
_log = structlog.get_logger()


class RoomCounts(NamedTuple):
    """How many in a room: those whose turn is over, those of them who came, passes that ended with
    something bought, and with nothing."""

    called: int = 0
    came: int = 0
    bought: int = 0
    unused: int = 0


class Waits(NamedTuple):
    """Payments that wait for their provider now, and how many of them for too long."""

    all: int
    slow: int


class _Sample(NamedTuple):
    at: datetime
    called: int
    came: int


class Wrong(NamedTuple):
    """Of so many cases a share that went wrong."""

    cases: int
    share: float


class AlarmWatch:
    """Watches the rooms that one process lets people into."""

    def __init__(self) -> None:
        self._samples: dict[str, deque[_Sample]] = {}
        self._alarms: dict[str, tuple[RoomAlarm, ...]] = {}

    @property
    def rooms_with_alarms(self) -> int:
        """How many rooms have one."""
        return sum(bool(alarms) for alarms in self._alarms.values())

    def forget(self, kept: Set[str]) -> None:
        """Forgets all rooms but these."""
        for known in (self._samples, self._alarms):
            for room_id in known.keys() - kept:
                del known[room_id]

    async def look(
        self, connection: Connection, room: RoomOnBoard, called: int, came: int, *, sells: bool
    ) -> tuple[RoomAlarm, ...]:
        """What there is to look at in a room, found anew every few seconds: nothing where it does
        not let people in (not `sells`)."""
        samples = self._samples.setdefault(room.room_id, deque())
        if not sells:
            samples.clear()
            self._alarms[room.room_id] = ()
            return ()
        now = room.answered_at
        if samples and now - samples[-1].at < _EVERY:
            return self._alarms.get(room.room_id, ())
        samples.append(_Sample(now, called, came))
        while len(samples) > 1 and samples[1].at <= now - WATCHED:
            samples.popleft()
        first = samples[0]
        waits = await _counted(connection, "waits", room.resources, SLOW_SECONDS, STUCK_SECONDS)
        # From the table: it has those who left, too, and it outlives the process.
        passes = await _counted(connection, "passes", room.room_id, room.resources, now - WATCHED)
        lately = RoomCounts(max(0, called - first.called), max(0, came - first.came), *passes)
        wrong = wrong_of(lately, Waits(*waits), knows_sales=_knows(room, lately))
        return self._raised(room, wrong)

    def _raised(self, room: RoomOnBoard, wrong: Mapping[AlarmKind, Wrong]) -> tuple[RoomAlarm, ...]:
        """The alarms of a room, each since it was raised; the log is told of new ones."""
        since = {one.kind: one.since for one in self._alarms.get(room.room_id, ())}
        alarms = self._alarms[room.room_id] = tuple(
            RoomAlarm(
                kind=kind,
                share=round(one.share, 2),
                cases=one.cases,
                since=since.get(kind, room.answered_at),
            )
            for kind, one in wrong.items()
        )
        for one in alarms:
            if one.kind not in since:
                found = {"alarm": one.kind, "share": one.share, "cases": one.cases}
                _log.warning("a waiting room wants a look", room=room.room_id, **found)
        return alarms


def wrong_of(lately: RoomCounts, waits: Waits, *, knows_sales: bool) -> dict[AlarmKind, Wrong]:
    """What is so far from usual that somebody should look. Where sales are not known (the room is
    in front of another shop), no pass is missed."""
    found: dict[AlarmKind, Wrong] = {}
    stayed_away = Wrong(lately.called, _share(lately.called - lately.came, lately.called))
    if lately.called >= _CASES_MIN and stayed_away.share >= _TURNS_SHARE:
        found["turns_not_taken"] = stayed_away
    ended = lately.bought + lately.unused
    unused = Wrong(ended, _share(lately.unused, ended))
    if knows_sales and ended >= _CASES_MIN and unused.share >= _PASSES_SHARE:
        found["passes_not_used"] = unused
    if is_slow(waits):
        found["provider_slow"] = Wrong(waits.all, _share(waits.slow, waits.all))
    return found


def is_slow(waits: Waits) -> bool:
    """Whether so many payments wait for too long that it is the provider."""
    return waits.slow >= _SLOW_MIN and _share(waits.slow, waits.all) >= _SLOW_SHARE


def _knows(room: RoomOnBoard, lately: RoomCounts) -> bool:
    return room.pace == "stock" or lately.bought > 0


async def _counted(connection: Connection, name: str, *arguments: object) -> tuple[int, int]:
    row = await connection.fetchrow(_QUERIES[name], *arguments)
    if row is None:
        raise LookupError("a count has a row")
    return row[0], row[1]


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
