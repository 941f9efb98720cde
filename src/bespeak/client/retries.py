"""When a request is sent again: while the service is away or asks for patience, and after an answer
that was lost if a repeat does no harm; never beyond the time that the caller gave, nor beyond the
end of the hold that it is about.
"""

from __future__ import annotations

import random
import time
from collections import OrderedDict
from typing import TYPE_CHECKING

import msgspec

from bespeak.client.answers import ServerUnreachable
from bespeak.errors import BespeakError, Unavailable

if TYPE_CHECKING:
    from bespeak.client.requests import ApiRequest

_PAUSE_SECONDS = 0.1
_PAUSE_SECONDS_MAX = 2.0
_HOLDS_MAX = 10_000


class HoldEnds:
    """Until when holds last, by this machine's clock: the server says how long they still have, so
    that two clocks that differ do no harm."""

    def __init__(self) -> None:
        self._ends: OrderedDict[str, float] = OrderedDict()

    def note(self, body: bytes | msgspec.Raw) -> None:
        """Notes the end of a hold that was answered."""
        try:
            hold = msgspec.json.decode(body, type=_Lasting)
        except msgspec.DecodeError:
            return
        self._ends[hold.id] = time.monotonic() + hold.expires_in_ms / 1000
        self._ends.move_to_end(hold.id)
        while len(self._ends) > _HOLDS_MAX:
            self._ends.popitem(last=False)

    def of(self, hold_id: str | None) -> float | None:
        """When a hold ends, if that is known."""
        return None if hold_id is None else self._ends.get(hold_id)


class _Lasting(msgspec.Struct):
    id: str
    expires_in_ms: int


class Attempts:
    """The attempts at one request."""

    def __init__(
        self, request: ApiRequest[object], seconds: float, hold_ends: float | None
    ) -> None:
        self._repeatable = request.safe or request.key is not None
        self._end = time.monotonic() + seconds
        if hold_ends is not None:
            self._end = min(self._end, hold_ends)
        self._failed = 0

    @property
    def seconds_left(self) -> float:
        """How long an attempt may take. An answer is waited for a little in any case."""
        return max(_PAUSE_SECONDS, self._end - time.monotonic())

    def pause(self, error: BespeakError) -> float | None:
        """How many seconds to wait before the next attempt; None: there is none."""
        if not isinstance(error, Unavailable):
            return None
        if isinstance(error, ServerUnreachable) and not self._repeatable:
            return None
        self._failed += 1
        # Those that failed together must not come back together.
        most = min(_PAUSE_SECONDS_MAX, _PAUSE_SECONDS * 2**self._failed)
        pause = random.uniform(most / 2, most)
        told = error.data.get("retry_after_seconds")
        if isinstance(told, int | float):
            pause = max(pause, float(told))
        return pause if time.monotonic() + pause < self._end else None
