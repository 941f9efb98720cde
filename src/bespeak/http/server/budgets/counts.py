"""What was spent of budgets that are counted by the hour: new guests, payments that failed, codes
that were no good. Each worker adds to its own and learns the others' in the background.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import NamedTuple

PERIOD_SECONDS = 3600
STEPS_PREFIX = "step:"
"""How the counts of the steps that guests met begin, among those of budgets."""
_KEPT_MAX = 200_000


class CountKey(NamedTuple):
    """A budget, who spends it, and the hour (its begin, in seconds since 1970)."""

    budget: str
    who: str
    period: int

    @property
    def begins_at(self) -> datetime:
        return datetime.fromtimestamp(self.period, UTC)


class Counts:
    """The sums as they were told last, and what this worker has added since."""

    def __init__(self) -> None:
        self._told: dict[CountKey, int] = {}
        self._own: Counter[CountKey] = Counter()

    def spent(self, budget: str, who: str, now: float) -> int:
        key = _key(budget, who, now)
        return self._told.get(key, 0) + self._own[key]

    def add(self, budget: str, who: str, now: float, amount: int = 1) -> None:
        """Counts one, or takes one back. Beyond a bound nobody new is counted: a flood must not
        fill the memory."""
        key = _key(budget, who, now)
        if key in self._own or len(self._own) < _KEPT_MAX:
            self._own[key] += amount

    def seconds_left(self, now: float) -> int:
        """Until the hour is over, and the budgets are whole again."""
        return PERIOD_SECONDS - int(now) % PERIOD_SECONDS

    def take_own(self) -> Counter[CountKey]:
        """What is to be told to the others. It counts as told, until it is given back."""
        taken, self._own = self._own, Counter()
        for key, amount in taken.items():
            self._told[key] = self._told.get(key, 0) + amount
        return taken

    def give_back(self, taken: Counter[CountKey]) -> None:
        """What could not be told is this worker's own again."""
        for key, amount in taken.items():
            self._told[key] -= amount
            self._own[key] += amount

    def learn(self, key: CountKey, amount: int) -> None:
        """The sum of all workers, with what this one has told."""
        self._told[key] = amount

    def forget(self, now: float) -> None:
        """Forgets the hours that are over."""
        since = _period(now)
        self._told = {key: told for key, told in self._told.items() if key.period >= since}
        for key in [key for key in self._own if key.period < since]:
            del self._own[key]


def _period(now: float) -> int:
    return int(now) // PERIOD_SECONDS * PERIOD_SECONDS


def _key(budget: str, who: str, now: float) -> CountKey:
    return CountKey(budget, who, _period(now))
