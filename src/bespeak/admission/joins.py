"""How many joined a queue and have not left, tick by tick: from which every place follows. Of those
who join within a tick of ten milliseconds the order is kept by their keys, but how many of them are
before whom is guessed; a rush of a million in two minutes is 12,000 numbers.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import accumulate

from bespeak.admission.place_keys import DRAW_BITS, FIRST_LATE, late_key, time_of

TICK_US = 10_000
"""How long a tick is, in microseconds."""


class QueueJoins:
    """The joins of a queue. Who joined before `opened_us` (0: nobody yet) is early; of them
    `shuffled` says whether they have draws, or come by their time as all others do."""

    def __init__(self, *, shuffled: bool) -> None:
        self.shuffled = shuffled
        self._ticks = array("q")
        self._counts = array("i")
        self._before = array("q", [0])  # how many joined before the tick of the same index
        self.early = 0
        self._opened_us = 0

    @property
    def total(self) -> int:
        """How many have joined in all, but for those who left."""
        return self._before[-1]

    def take(self, counts: Iterable[tuple[int, int]], opened_us: int) -> None:
        """Takes the counts of some ticks anew: (tick, joined). Those of the last ticks still grow,
        and come again; of any tick, whose people have left."""
        fresh = sorted((tick, joined if joined > 0 else 0) for tick, joined in dict(counts).items())
        behind = bisect_left(fresh, (self._ticks[-1] + 1,)) if self._ticks else 0
        changed, new = len(self._ticks), []
        for tick, count in fresh[:behind]:
            index = bisect_left(self._ticks, tick)
            if not self._is_at(index, tick):
                new.append((tick, count))
            elif self._counts[index] != count:
                self._counts[index] = count
                changed = min(changed, index)
        new += fresh[behind:]
        if new:
            index = bisect_left(self._ticks, new[0][0])
            changed = min(changed, index)
            tail = sorted([*zip(self._ticks[index:], self._counts[index:], strict=True), *new])
            del self._ticks[index:], self._counts[index:]
            self._ticks.extend(tick for tick, _ in tail)
            self._counts.extend(count for _, count in tail)
        if changed < len(self._ticks):
            sums = accumulate(self._counts[changed:], initial=self._before[changed])
            self._before = self._before[:changed] + array("q", sums)
        self._opened_us = opened_us
        self.early = self._joined_before(opened_us) if opened_us else self.total

    def has_counted(self, us: int) -> bool:
        """Whether anybody is counted who joined in the tick of a time."""
        tick = us // TICK_US
        return self._is_at(bisect_left(self._ticks, tick), tick)

    def place_of(self, key: int) -> int:
        """How many are before a key, about: exactly so many were, but for who joined in its
        tick."""
        if key < FIRST_LATE:
            return (key * self.early) >> DRAW_BITS
        return self._joined_before(max(time_of(key), self._opened_us if self.shuffled else 0))

    def key_at(self, place: int) -> int:
        """The least key before which so many are; of more than have joined, one after the last."""
        if self.shuffled and place <= self.early:
            return FIRST_LATE if place >= self.early else -(-(place << DRAW_BITS) // self.early)
        index = bisect_right(self._before, place) - 1
        if index >= len(self._ticks):
            last = self._ticks[-1] + 1 if self._ticks else 0
            return late_key(last * TICK_US)
        # Rounded up, or one more place would be none: the front would stand still within a tick.
        into = -(-(place - self._before[index]) * TICK_US // self._counts[index])
        return late_key(self._ticks[index] * TICK_US + into)

    def _joined_before(self, us: int) -> int:
        tick, part = divmod(us, TICK_US)
        index = bisect_left(self._ticks, tick)
        before = self._before[index]
        if self._is_at(index, tick):
            before += self._counts[index] * part // TICK_US
        return before

    def _is_at(self, index: int, tick: int) -> bool:
        return index < len(self._ticks) and self._ticks[index] == tick
