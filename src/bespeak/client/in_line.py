"""Waiting in line before a sale, without asking for more than it takes: how the room stands is one
answer for everybody, and by its front each knows alone whether the turn has come.
"""

from __future__ import annotations

import random
import time

import msgspec

from bespeak.admission.told import GivenPass, PlaceNow, QueueNow, WaitingRoomNow

_OPENED = frozenset(("open", "paused", "sold_out"))
_SPREAD = 0.3  # of the time between two looks, so that not all look at once


class InLine(msgspec.Struct, frozen=True, kw_only=True):
    """A look at the room while one waits in it. `given` is null until the turn has come, and then
    the pass. With the `queue_token` one goes on later, or elsewhere, at the same place."""

    queue_token: str
    now: WaitingRoomNow
    place: PlaceNow
    given: GivenPass | None = None


class WaitingLine:
    """The place of one who waits, for so many seconds at most."""

    def __init__(self, queue_token: str, place: PlaceNow, seconds: float) -> None:
        self.queue_token = queue_token
        self.place = place
        self._seed: str | None = None
        self._end = time.monotonic() + seconds
        self._spread = 1 + _SPREAD * random.random()

    @property
    def is_over(self) -> bool:
        """Whether nothing more is waited for."""
        return time.monotonic() >= self._end

    def is_place_old(self, now: WaitingRoomNow) -> bool:
        """Whether the place is asked for again: as the draw is made, or taken back with the
        opening; when the front comes by; when half of those ahead have gone; and while one is the
        next: who asks is counted again, if the count of them was lost."""
        if now.seed != self._seed:
            return True
        queue = self._queue(now)
        if now.phase not in _OPENED or queue is None:
            return False
        if self.place.place is None:  # of another process, which has not heard of the draw
            return True
        is_called = self._is_called(queue)
        ahead = max(0, self.place.place - 1 - queue.called)
        is_next = ahead == 0 and now.phase == "open"
        return is_called != (self.place.turn in ("called", "lost")) or (
            not is_called and (is_next or ahead * 2 < (self.place.ahead or 0))
        )

    def take(self, place: PlaceNow, now: WaitingRoomNow) -> None:
        """Notes the place as it is by this look at the room."""
        self.place = place
        self._seed = now.seed

    def may_come_in(self, now: WaitingRoomNow) -> bool:
        """Whether it is time to ask for the pass. Of a room that has ended, the server says it."""
        queue = self._queue(now)
        if now.phase == "ended" or self.is_over:
            return True
        return now.phase in _OPENED and queue is not None and self._is_called(queue)

    def look(self, now: WaitingRoomNow, given: GivenPass | None = None) -> InLine:
        """What is told of it."""
        return InLine(queue_token=self.queue_token, now=now, place=self.place, given=given)

    def pause(self, poll_seconds: float) -> float:
        """How many seconds pass until the next look."""
        return max(0.0, min(poll_seconds * self._spread, self._end - time.monotonic()))

    def _queue(self, now: WaitingRoomNow) -> QueueNow | None:
        return next((one for one in now.queues if one.name == self.place.queue), None)

    def _is_called(self, queue: QueueNow) -> bool:
        return self.place.place_key is not None and self.place.place_key < queue.front
