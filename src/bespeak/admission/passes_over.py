"""Which passes are over before the time that stands in them, since their bearer left or has bought.
A pass is judged without the database: a process reads this with the rooms, once a second, and
asks it as often as it likes.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from bespeak.postgres.pool import Record

OVER_MAX = 100_000
"""How many people's ended passes a process knows of; of more, those that would be good longest."""
_FORGET_SECONDS = 60
_US = timedelta(microseconds=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class PassName(NamedTuple):
    """Which pass it is: whose, and when it was given, in microseconds since 1970."""

    subject: bytes
    given_us: int

    @classmethod
    def given(cls, subject: bytes, at: datetime) -> PassName:
        return cls(subject, (at - _EPOCH) // _US)


class _Over(NamedTuple):
    """All that were given to somebody until then are over; `until` the last would have been good,
    in seconds since 1970."""

    given_us: int
    until: float


class PassesOver:
    """The passes that are over, of all rooms that are at work."""

    def __init__(self, most: int = OVER_MAX) -> None:
        self._most = most
        self._over: dict[bytes, _Over] = {}
        self._forget_at = 0.0

    def __len__(self) -> int:
        return len(self._over)

    def has(self, name: PassName) -> bool:
        """Whether a pass is known to be over. A new one of the same person is not."""
        found = self._over.get(name.subject)
        return found is not None and name.given_us <= found.given_us

    def add(self, name: PassName, until: datetime) -> None:
        """Notes that this pass is over, and whichever this person had before it."""
        known = self._over.get(name.subject, _Over(0, 0.0))
        given_us = max(known.given_us, name.given_us)
        self._over[name.subject] = _Over(given_us, max(known.until, until.timestamp()))

    def take(self, rows: Sequence[Record], now: datetime) -> None:
        """Notes what was read, and forgets what is over by its own time."""
        for row in rows:
            name = PassName.given(row["subject"], row["given_at"])
            if row["is_inside"]:  # again: only what was given before is over
                name = name._replace(given_us=name.given_us - 1)
            self.add(name, row["until"])
        seconds = now.timestamp()
        if seconds < self._forget_at and len(self._over) <= self._most:
            return
        self._forget_at = seconds + _FORGET_SECONDS
        left = {whose: one for whose, one in self._over.items() if one.until > seconds}
        if len(left) > self._most:
            left = dict(heapq.nlargest(self._most, left.items(), key=lambda one: one[1].until))
        self._over = left
