"""Many holds in one call. Each is placed by the ordinary verb and has an outcome of its own; what
differs is when. Of all calls of a process so many holds are under way at a time, for which the
calls take turns, and in the committer's queue whoever asks for a single hold goes first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from typing import TypeAlias

import msgspec

from bespeak.errors import (
    BespeakError,
    DatabaseUnavailable,
    InvalidRequest,
    Overloaded,
    ShuttingDown,
)
from bespeak.lines import Line
from bespeak.reservations.holds import Hold
from bespeak.reservations.request import KEY_LENGTH_MAX, check_text

HOLDS_MAX = 500
UNDER_WAY_MAX = 32
"""Holds under way at a time, of all batches of a process: what is written, and as much again that
is ready to be when that is done."""
_CALL_KEY_LENGTH_MAX = KEY_LENGTH_MAX - len(f"/{HOLDS_MAX}")
_AWAY = (DatabaseUnavailable, Overloaded, ShuttingDown)
_NOT_TRIED = "not tried: the service went away while other holds of this call were placed"

HoldOutcome: TypeAlias = Hold | BespeakError
"""What became of one hold of a batch."""

_gives_way: ContextVar[bool] = ContextVar("gives_way", default=False)
gives_way = _gives_way.get
"""Whether this task places holds of a batch, so that single ones go first."""


class WantedHold(msgspec.Struct, frozen=True, kw_only=True):
    """One hold of a batch, as `place_hold` takes it."""

    owner: str
    lines: Sequence[Line]
    hold_seconds: int | None = None
    partial: bool = False
    idempotency_key: str | None = None


class HoldBatches:
    """The batches of one process. `queue_max` is how many of their holds wait at most; the call
    that comes then is refused as a whole."""

    def __init__(self, queue_max: int) -> None:
        self._queue_max = queue_max
        self._waiting = 0
        self._turns = asyncio.Semaphore(UNDER_WAY_MAX)

    async def place(self, holds: Sequence[Callable[[], Awaitable[Hold]]]) -> list[HoldOutcome]:
        """Places holds, each by its call; the outcomes are in the order of the calls. Where one
        meets that the service is away, those that have not begun are not tried, and say so. Raises
        Overloaded; then none was tried."""
        if self._waiting >= self._queue_max:
            raise Overloaded(retry_after_seconds=1)
        batch = _Batch(holds)
        self._waiting += len(holds)
        try:
            # The tasks are made here, so that each hold is the caller's and no other actor's.
            async with asyncio.TaskGroup() as group:
                for _ in range(min(len(holds), UNDER_WAY_MAX)):
                    group.create_task(self._work(batch))
        finally:
            self._waiting -= len(holds)
        return [batch.outcomes[index] for index in range(len(holds))]

    async def _work(self, batch: _Batch) -> None:
        """Places one hold of a batch after the other. Turns are given in the order in which they
        were asked for, so no batch has two of them while another waits for its first."""
        _gives_way.set(True)
        for index in batch.left:
            async with self._turns:
                await batch.place(index)


class _Batch:
    """The holds of one call, and what has become of them. Each index is taken from `left` once."""

    def __init__(self, holds: Sequence[Callable[[], Awaitable[Hold]]]) -> None:
        self._holds = holds
        self._away: BespeakError | None = None
        self.left: Iterator[int] = iter(range(len(holds)))
        self.outcomes: dict[int, HoldOutcome] = {}

    async def place(self, index: int) -> None:
        if self._away is not None:
            self.outcomes[index] = type(self._away)(_NOT_TRIED, retry_after_seconds=1)
            return
        try:
            self.outcomes[index] = await self._holds[index]()
        except _AWAY as error:
            self.outcomes[index] = self._away = error
        except BespeakError as error:
            self.outcomes[index] = error


def hold_keys(
    asked: Iterable[tuple[str | None, str | None]], call_key: str | None
) -> list[str | None]:
    """The key of each hold of a batch, of which its owner and its own key are given: where it has
    none, that of the call with its place. Raises InvalidRequest for more or fewer holds than a
    batch has, and for a key that an owner has twice."""
    pairs = list(asked)
    if not 1 <= len(pairs) <= HOLDS_MAX:
        raise InvalidRequest(f"a batch has 1 to {HOLDS_MAX} holds", field="holds", limit=HOLDS_MAX)
    if call_key is not None:
        check_text(call_key, "idempotency_key", _CALL_KEY_LENGTH_MAX)
    keys: list[str | None] = []
    seen: dict[tuple[str, str], int] = {}
    for index, (owner, own) in enumerate(pairs):
        key = f"{call_key}/{index}" if own is None and call_key is not None else own
        keys.append(key)
        if not isinstance(key, str):  # what is no text is for the verb to refuse
            continue
        first = seen.setdefault((str(owner), key), index)
        if first != index:
            raise InvalidRequest(
                f"holds[{first}] of the same owner has this key: which of them the hold is of "
                "could not be told",
                field=f"holds[{index}].idempotency_key",
            )
    return keys
