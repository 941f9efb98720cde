"""Known taken: what a process remembers of units that it has seen taken, and until when, so that a
rush on one seat costs the database one statement and not ten thousand. The memory may refuse
wrongly for a moment; it never grants, and it trusts nothing for longer than a second or so.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence

import msgspec

from bespeak import ids
from bespeak.errors import BespeakError, SoldOut, UnitTaken
from bespeak.inventory.conflicts import moment
from bespeak.refusals import SHORT, Conflict
from bespeak.states import UnitState

Unit = tuple[int, str]


class KnownTaken(msgspec.Struct, frozen=True, gc=False):
    """What is known of one unit; `until` is in seconds since 1970. There are ten thousands of them,
    which the garbage collector need not look at: they refer to nothing that refers back."""

    state: UnitState
    until: float | None
    owner: str | None
    trusted_until: float


class TakenMemory:
    """Units seen taken, bounded in number and in trust."""

    def __init__(self, trust_seconds: float, size_max: int) -> None:
        self._trust_seconds = trust_seconds
        self._size_max = size_max
        self._taken: dict[Unit, KnownTaken] = {}

    def __len__(self) -> int:
        return len(self._taken)

    def find(self, unit: Unit, owner: str, now: float) -> KnownTaken | None:
        """What stands in the way of this owner, if the memory may still be trusted. An owner's
        own hold does not: its request may be a repeat, and the database answers that."""
        taken = self._taken.get(unit)
        if taken is None:
            return None
        lapsed = taken.until is not None and taken.until <= now
        if lapsed or taken.trusted_until <= time.monotonic():
            del self._taken[unit]
            return None
        return None if taken.owner == owner else taken

    def refusal(
        self,
        units: Sequence[Unit],
        quantities: Sequence[int | None],
        owner: str,
        now: Callable[[], float],
    ) -> BespeakError | None:
        """The refusal that the memory justifies, if any, of a hold that claims these units, or so
        many of them. `now` answers seconds since 1970."""
        conflicts: list[Conflict] = []
        at = now()
        for unit, quantity in zip(units, quantities, strict=False):
            taken = self.find(unit, owner, at)
            if taken is None:
                continue
            resource_id, name = ids.show_resource(unit[0]), unit[1]
            if quantity is not None:
                conflicts.append(Conflict(resource_id, name, SHORT, available=0))
            else:
                until = moment(taken.until)
                conflicts.append(Conflict(resource_id, name, taken.state, until=until))
        if not conflicts:
            return None
        if all(conflict.state == SHORT for conflict in conflicts):
            return SoldOut(conflicts=conflicts)
        return UnitTaken(conflicts=conflicts)

    def remember(
        self, units: Iterable[Unit], state: UnitState, until: float | None, owner: str | None
    ) -> None:
        """Notes that these units are taken."""
        taken = KnownTaken(state, until, owner, time.monotonic() + self._trust_seconds)
        for unit in units:
            self._taken[unit] = taken
        if len(self._taken) > self._size_max:
            self._forget_oldest()

    def forget(self, units: Iterable[Unit]) -> None:
        """Forgets units that were freed."""
        for unit in units:
            self._taken.pop(unit, None)

    def _forget_oldest(self) -> None:
        # Insertion order is age; a tenth at once, so that this is rare.
        for unit in list(self._taken)[: max(1, self._size_max // 10)]:
            del self._taken[unit]
