"""Whose turn it is in the committer: which of its queues the next batch comes from. Verbs that give
way, such as the holds of a call for many, go in small parts between the batches of the others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Protocol, TypeVar


class _Queued(Protocol):
    queued_at: float


class _GivesWay(Protocol):
    part_max: int


Verb = TypeVar("Verb", bound=_GivesWay)
Entry = TypeVar("Entry", bound=_Queued)


class LaneTurns:
    """The turns of one committer, whose batches have at most so many requests."""

    def __init__(self, batch_max: int) -> None:
        self._batch_max = batch_max
        self._others_went = False

    def take(self, queues: Mapping[Verb, deque[Entry]]) -> list[Entry]:
        """Takes the next batch: of the verb whose oldest request waits longest. What gives way
        comes when there is nothing else, and else after each batch of the others, so that it comes
        at all."""
        oldest: deque[Entry] | None = None
        behind: deque[Entry] | None = None
        size = self._batch_max
        for verb, queue in queues.items():
            if not queue:
                continue
            if verb.part_max:
                behind, size = queue, min(size, verb.part_max)
            elif oldest is None or queue[0].queued_at < oldest[0].queued_at:
                oldest = queue
        if behind is not None and (oldest is None or self._others_went):
            self._others_went = False
            return _first(behind, size)
        self._others_went = behind is not None
        return [] if oldest is None else _first(oldest, self._batch_max)


def _first(queue: deque[Entry], count: int) -> list[Entry]:
    return [queue.popleft() for _ in range(min(len(queue), count))]
