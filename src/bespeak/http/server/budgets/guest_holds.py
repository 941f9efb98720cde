"""The holds of guests as a worker knows them, its own and the others': how many units are held now,
were booked, and were held for nothing, by address, guest and resource. It is kept up by dict
look-ups only; nothing here asks the database.
"""

from __future__ import annotations

import heapq
from collections import Counter, deque
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, TypeVar
from uuid import UUID

_Key = TypeVar("_Key", bound=Hashable)
Outcome: TypeAlias = Literal["booked", "released", "wasted"]
HoldPart: TypeAlias = tuple[UUID, int]  # the hold, and one of its resources

REMEMBERED_SECONDS = 3600.0
"""For how long an end counts: what was held for nothing, and what was booked."""
GRACE_SECONDS = 60.0
"""Who lets go within this time has only changed their mind."""
GRACE_UNITS = 50
"""So many units an hour, of one address."""
_SAME_TURN_SECONDS = 60.0
_HOLDS_MAX = 200_000


@dataclass(slots=True)
class GuestHold:
    """What a guest holds of one resource by one hold. Times are seconds since 1970; the address is
    None where it is not known."""

    hold_id: UUID
    resource: int
    prefix: str | None
    guest: str
    units: int
    placed_at: float
    expires_at: float
    outcome: Outcome | None = None

    @property
    def part(self) -> HoldPart:
        return self.hold_id, self.resource


class Lapses(NamedTuple):
    """How often holds of one address on one resource came to nothing, those of one minute counted
    once, and when last."""

    times: int
    last_at: float


class GuestHolds:
    """The holds of guests, and what they come to."""

    def __init__(self) -> None:
        self._holds: dict[HoldPart, GuestHold] = {}
        self._parts: dict[UUID, list[int]] = {}
        self._due: list[tuple[float, HoldPart]] = []
        self._ended: deque[tuple[float, HoldPart]] = deque()
        self.held_by_prefix: Counter[str] = Counter()
        self.held_by_guest: Counter[str] = Counter()
        self.held_of: Counter[tuple[str, int]] = Counter()
        self.booked_by_prefix: Counter[str] = Counter()
        self.booked_of: Counter[int] = Counter()
        self.wasted_of: Counter[int] = Counter()
        self._wasted_of: Counter[tuple[str, int]] = Counter()
        self._lapses: dict[tuple[str, int], Lapses] = {}
        # Of a resource, what addresses hold whose holds of it came to nothing before.
        self.held_again_of: Counter[int] = Counter()
        self._released: Counter[str] = Counter()
        self._wasted: dict[str, deque[tuple[float, int]]] = {}
        self.wasted_by_prefix: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._holds)

    def add(self, hold: GuestHold) -> bool:
        """Notes a hold, once; one that is known and has ended since ends here too. False: there is
        no room, and it counts for nothing."""
        known = self._holds.get(hold.part)
        if known is not None:
            if hold.outcome is not None:
                self._end(known, hold.outcome, hold.expires_at)
            return True
        if len(self._holds) >= _HOLDS_MAX:
            return False
        outcome, hold.outcome = hold.outcome, None
        self._holds[hold.part] = hold
        self._parts.setdefault(hold.hold_id, []).append(hold.resource)
        self._count_held(hold, hold.units)
        heapq.heappush(self._due, (hold.expires_at, hold.part))
        if outcome is not None:
            self._end(hold, outcome, hold.expires_at)
        return True

    def end(self, hold_id: UUID, outcome: Outcome, now: float) -> list[GuestHold]:
        """Notes how a hold ended; answers what of it was not known to have. One that is let go
        soon, or was `released` in time, is neither a booking nor a waste."""
        found = [self._holds[hold_id, one] for one in self._parts.get(hold_id, ())]
        ended = [one for one in found if one.outcome is None]
        for one in ended:
            is_soon = now - one.placed_at <= GRACE_SECONDS and self._has_grace(one.prefix)
            self._end(one, "released" if outcome == "wasted" and is_soon else outcome, now)
        return ended

    def _has_grace(self, prefix: str | None) -> bool:
        """Who lets go and takes again, over and over, keeps it as well."""
        if prefix is None:
            return True
        return self._released[prefix] < GRACE_UNITS + self.booked_by_prefix[prefix]

    def reserve(
        self, prefix: str | None, guest: str, parts: Mapping[int, int], *, sign: int = 1
    ) -> None:
        """Counts what is asked for as held, or (`sign` -1) no more."""
        for resource, units in parts.items():
            self._count(prefix, guest, resource, sign * units)

    def extend(self, hold_id: UUID, expires_at: float) -> None:
        """Notes that a hold lasts longer."""
        for resource in self._parts.get(hold_id, ()):
            hold = self._holds[hold_id, resource]
            if hold.outcome is None and expires_at > hold.expires_at:
                hold.expires_at = expires_at
                heapq.heappush(self._due, (expires_at, hold.part))

    def due(self, now: float, limit: int) -> list[UUID]:
        """Holds whose time seems to be over, each once unless it is extended."""
        found: dict[UUID, None] = {}
        while self._due and self._due[0][0] <= now and len(found) < limit:
            _, part = heapq.heappop(self._due)
            hold = self._holds.get(part)
            if hold is not None and hold.outcome is None and hold.expires_at <= now:
                found[hold.hold_id] = None
        return list(found)

    def ask_again(self, hold_ids: list[UUID], at: float) -> None:
        """Has them due again: nobody could be asked."""
        for hold_id in hold_ids:
            for resource in self._parts.get(hold_id, ()):
                heapq.heappush(self._due, (at, (hold_id, resource)))

    def forget(self, now: float) -> None:
        """Forgets what ended too long ago to count."""
        while self._ended and self._ended[0][0] <= now - REMEMBERED_SECONDS:
            _, part = self._ended.popleft()
            self._drop(self._holds[part])

    def wasted_until(self, prefix: str, units: int, now: float) -> float:
        """In how many seconds the address has wasted at most so many units in the last hour."""
        left = self.wasted_by_prefix[prefix]
        for at, wasted in self._wasted.get(prefix, ()):
            left -= wasted
            if left <= units:
                return max(1.0, at + REMEMBERED_SECONDS - now)
        return 1.0

    def lapses(self, prefix: str, resource: int) -> Lapses | None:
        """How often holds of this address on this resource came to nothing in the last hour."""
        return self._lapses.get((prefix, resource))

    def busiest(self, limit: int) -> Iterator[str]:
        """The addresses that hold or have wasted most."""
        sums = self.held_by_prefix + self.wasted_by_prefix
        return (prefix for prefix, _ in sums.most_common(limit))

    def _end(self, hold: GuestHold, outcome: Outcome, at: float) -> None:
        if hold.outcome is not None:
            return
        hold.outcome = outcome
        self._count_held(hold, -hold.units)
        self._ended.append((at, hold.part))
        if outcome == "booked":
            self.booked_of[hold.resource] += hold.units
            if hold.prefix is not None:
                self.booked_by_prefix[hold.prefix] += hold.units
        elif outcome == "wasted":
            self.wasted_of[hold.resource] += hold.units
            if hold.prefix is not None:
                self.wasted_by_prefix[hold.prefix] += hold.units
                self._wasted.setdefault(hold.prefix, deque()).append((at, hold.units))
                self._add_lapse((hold.prefix, hold.resource), hold.units, at)
        elif hold.prefix is not None:
            self._released[hold.prefix] += hold.units

    def _drop(self, hold: GuestHold) -> None:
        del self._holds[hold.part]
        resources = self._parts[hold.hold_id]
        resources.remove(hold.resource)
        if not resources:
            del self._parts[hold.hold_id]
        if hold.outcome == "booked":
            _less(self.booked_of, hold.resource, hold.units)
            if hold.prefix is not None:
                _less(self.booked_by_prefix, hold.prefix, hold.units)
        elif hold.outcome == "wasted":
            _less(self.wasted_of, hold.resource, hold.units)
            if hold.prefix is not None:
                _less(self.wasted_by_prefix, hold.prefix, hold.units)
                self._drop_lapse((hold.prefix, hold.resource), hold.units)
                past = self._wasted[hold.prefix]
                past.popleft()
                if not past:
                    del self._wasted[hold.prefix]
        elif hold.outcome == "released" and hold.prefix is not None:
            _less(self._released, hold.prefix, hold.units)

    def _add_lapse(self, key: tuple[str, int], units: int, at: float) -> None:
        before = self._lapses.get(key)
        if before is None:
            _less(self.held_again_of, key[1], -self.held_of[key])
            self._lapses[key] = Lapses(1, at)
        elif at - before.last_at > _SAME_TURN_SECONDS:
            self._lapses[key] = Lapses(before.times + 1, at)
        self._wasted_of[key] += units

    def _drop_lapse(self, key: tuple[str, int], units: int) -> None:
        _less(self._wasted_of, key, units)
        if key not in self._wasted_of:
            _less(self.held_again_of, key[1], self.held_of[key])
            del self._lapses[key]

    def _count_held(self, hold: GuestHold, units: int) -> None:
        self._count(hold.prefix, hold.guest, hold.resource, units)

    def _count(self, prefix: str | None, guest: str, resource: int, units: int) -> None:
        _less(self.held_by_guest, guest, -units)
        if prefix is not None:
            _less(self.held_by_prefix, prefix, -units)
            _less(self.held_of, (prefix, resource), -units)
            if (prefix, resource) in self._lapses:
                _less(self.held_again_of, resource, -units)


def _less(counts: Counter[_Key], key: _Key, units: int) -> None:
    """Takes off, and keeps no zeros: else every address that ever came would stay."""
    counts[key] -= units
    if not counts[key]:
        del counts[key]
