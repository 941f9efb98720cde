"""The live state of one resource, kept by its events in rounds. A viewer is at a round; what it is
told is the difference between its round and the present one, made once for all who are at the same.
So nobody has a backlog: who was away for long is told the whole picture instead.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import datetime
from typing import NamedTuple, Protocol

import msgspec

from bespeak.feed.cursors import FeedPlace, show_live_cursor
from bespeak.feed.live_news import LiveChange, LiveNews, LiveSnapshot, LiveStale
from bespeak.inventory.plans import RESERVED_PREFIXES, PoolLevel
from bespeak.states import FREEING, EventKind, UnitState

ROUNDS_MAX = 1200
NAMES_MAX = 20_000
"""How many rounds a channel remembers at most, and how many names of units in them all."""
BEHIND_MAX = 40
"""By how many rounds a viewer may be behind before it is told the whole picture instead."""
CHANGE_NAMES_MAX = 2000
"""The most units of one message; where more have changed, the whole picture is told."""

STALE_KINDS = frozenset((EventKind.CHANGED, EventKind.CALLED_OFF))
# What an event makes of its units. Those that a hold is extended with are held as before.
_STATES: dict[str, UnitState] = {
    EventKind.HELD: UnitState.HELD,
    EventKind.CONFIRMED: UnitState.BOOKED,
    EventKind.MOVED: UnitState.BOOKED,
    EventKind.BLOCKED: UnitState.BLOCKED,
    **dict.fromkeys(FREEING, UnitState.FREE),
}
_NONE: Mapping[str, int] = {}


class ChannelEvent(NamedTuple):
    """An event, as far as a channel needs it. A quantity of None marks an exclusive unit."""

    kind: str
    units: Sequence[str]
    quantities: Sequence[int | None]
    horizon: int


class ChannelState(NamedTuple):
    """A resource as the database showed it at one instant: all events before the horizon, and
    perhaps some after it, are in it. The horizon is one of this epoch of the feed. `seats` are the
    exclusive units of its seat map, or None where the plan is no seat map; `taken` may have others,
    which are not shown."""

    version: int
    published: bool
    epoch: int
    horizon: int
    at: datetime
    seats: Set[str] | None
    capacities: Mapping[str, int]
    taken: Mapping[str, UnitState]
    drawn: Mapping[str, int]


class Viewer(Protocol):
    """Who looks at a channel; a guest (`published_only`) only for as long as it is published, which
    each looks after itself."""

    published_only: bool

    def tell(self) -> None:
        """There may be news. It is called on the event loop, and must not take long."""

    def end(self) -> None:
        """There will be no more news."""


class ViewerUpdate:
    """What viewers at one round are told: they are at `place` then. `wire` is kept by whoever
    encodes it, so that it is encoded once for all of them."""

    __slots__ = ("catches_up", "messages", "place", "wire")

    def __init__(self, place: int, messages: tuple[LiveNews, ...], *, catches_up: bool) -> None:
        self.place = place
        self.messages = messages
        self.catches_up = catches_up
        self.wire: object = None


class _Round(NamedTuple):
    until: int  # the round has the events before this horizon, from that of the round before on
    units: frozenset[str]
    pools: frozenset[str]


_STALE = "stale"
_SNAPSHOT = "snapshot"


class Channel:
    """The live state of a resource and its last rounds. It knows no database."""

    def __init__(self, number: int, resource_id: str, scene: ChannelState) -> None:
        self.number = number
        self.resource_id = resource_id
        self.viewers: dict[Viewer, None] = {}
        self.idle_since: float | None = None
        # Held by who reads what happened before.
        self.reaching = asyncio.Lock()
        self.round = ROUNDS_MAX
        self.resets = 0
        self._rounds: deque[_Round] = deque()
        self._names = 0
        self._stale_before = 0
        self._news: dict[int | str, ViewerUpdate] = {}
        self._show(scene)

    def _show(self, scene: ChannelState) -> None:
        self._scene = scene
        self.published = scene.published
        self.horizon = self.covered_from = scene.horizon
        self.at = scene.at
        seats = scene.seats
        self._taken = {} if seats is None else {u: s for u, s in scene.taken.items() if u in seats}
        self._levels = {
            pool: PoolLevel(capacity, max(0, capacity - scene.drawn.get(pool, 0)))
            for pool, capacity in scene.capacities.items()
        }
        self._rounds.clear()
        self._names = 0
        self._first = self.round
        # Whether what happened before it has been asked for, and does not go back further.
        self.reached_its_end = False
        self._news.clear()

    @property
    def epoch(self) -> int:
        """In which life of the feed its horizons are."""
        return self._scene.epoch

    @property
    def version(self) -> int:
        return self._scene.version

    @property
    def pools(self) -> Mapping[str, int]:
        """The capacities of the pools whose levels are shown."""
        return self._scene.capacities

    def reset(self, scene: ChannelState, *, stale: bool) -> None:
        """Takes over a fresh picture. With `stale` the resource itself may have changed."""
        # With room below it for the rounds that are remembered later: their numbers are not those
        # of the rounds before the reset.
        self.round += 1 + ROUNDS_MAX
        self.resets += 1
        self._show(scene)
        if stale:
            self._stale_before = self.round - ROUNDS_MAX

    def touched_pools(self, happenings: Iterable[ChannelEvent]) -> set[str]:
        """The pools whose levels these events may have changed. What a lapsed hold had of a pool
        may have been taken over in silence: its end does not list it."""
        touched: set[str] = set()
        for one in happenings:
            if one.kind == EventKind.EXPIRED:
                return set(self.pools)
            if _STATES.get(one.kind) is not None:
                touched.update(unit for unit in one.units if unit in self.pools)
        return touched

    def apply(
        self, happenings: Sequence[ChannelEvent], horizon: int, drawn: Mapping[str, int] = _NONE
    ) -> bool:
        """Takes in the events up to a horizon, in order, and what is drawn of the pools that they
        touched. Tells whether there is anything to tell: then it is a round.

        What an event names is told even where the state here is the same already: the picture and
        the levels were read after the horizon that they are shown for, and a viewer that comes from
        another process, at that horizon, may not have seen what they have.
        """
        changed = self._change_units(happenings)
        for pool, quantity in drawn.items():
            self._levels[pool] = PoolLevel(self.pools[pool], max(0, self.pools[pool] - quantity))
        self.horizon = horizon
        if not changed and not drawn:
            return False
        self.round += 1
        self._rounds.append(_Round(horizon, frozenset(changed), frozenset(drawn)))
        self._names += len(changed) + len(drawn)
        while len(self._rounds) > ROUNDS_MAX or self._names > NAMES_MAX:
            oldest = self._rounds.popleft()
            self._names -= len(oldest.units) + len(oldest.pools)
            self._first += 1
            self.covered_from = oldest.until
        self._news.clear()
        return True

    def _change_units(self, happenings: Sequence[ChannelEvent]) -> set[str]:
        changed: set[str] = set()
        taken = self._taken
        for one in happenings:
            state = _STATES.get(one.kind)
            if state is None:
                continue
            units = list(self._shown(one))
            changed.update(units)
            if self._scene.seats is None:
                continue
            for unit in units:
                if state is UnitState.FREE:
                    taken.pop(unit, None)
                else:
                    taken[unit] = state
        return changed

    def reach_back(self, happenings: Sequence[ChannelEvent], since: int) -> None:
        """Remembers also the events from a horizon on, up to those that it has: in order, and all
        that there are. Who left meanwhile can go on from where it was."""
        rounds: list[_Round] = []
        for one in happenings:
            state = _STATES.get(one.kind)
            if state is None:
                continue
            units = frozenset(self._shown(one))
            pools = frozenset(self.touched_pools((one,)))
            rounds.append(_Round(one.horizon + 1, units, pools))
        # They need not all fit; what is kept is the latest.
        kept = 0
        for made in reversed(rounds):
            weight = len(made.units) + len(made.pools)
            if len(self._rounds) >= ROUNDS_MAX or self._names + weight > NAMES_MAX:
                break
            self._rounds.appendleft(made)
            self._names += weight
            self._first -= 1
            kept += 1
        self.covered_from = since if kept == len(rounds) else rounds[-kept - 1].until

    def _shown(self, one: ChannelEvent) -> Iterable[str]:
        seats = self._scene.seats
        for unit, quantity in zip(one.units, one.quantities, strict=True):
            if seats is None:
                if not unit.startswith(RESERVED_PREFIXES):
                    yield unit
            elif quantity is None and unit in seats:
                yield unit

    def place(self, seen: FeedPlace) -> int | None:
        """The round at which a viewer is that has seen all events before this horizon, or None:
        the channel cannot say what it missed."""
        if seen.epoch != self.epoch or not self.covered_from <= seen.horizon <= self.horizon:
            return None
        return self._first + bisect_right(self._rounds, seen.horizon, key=lambda made: made.until)

    def news(
        self, place: int | None, *, resumes: bool = False, lost: bool = False
    ) -> ViewerUpdate | None:
        """What a viewer at this round is told; None: nothing. Without a round it has seen nothing
        so far; `resumes` says that it comes back with a round of `place()`; `lost` that it has seen
        something of which nobody knows what it missed since."""
        if place == self.round:
            return None
        key: int | str
        if lost or (place is not None and place < self._stale_before):
            key = _STALE
        elif place is None or place < self._first:
            key = _SNAPSHOT
        else:
            is_slow = self.round - place > BEHIND_MAX and not resumes
            key = _SNAPSHOT if is_slow else place
        made = self._news.get(key)
        if made is None:
            made = self._news[key] = self._make(key)
        return made

    def _make(self, key: int | str) -> ViewerUpdate:
        cursor = show_live_cursor(FeedPlace(self.epoch, self.horizon))
        if isinstance(key, int):
            change = self._change(key, cursor)
            if change is not None:
                return ViewerUpdate(self.round, (change,), catches_up=False)
            return ViewerUpdate(self.round, (self._snapshot(cursor),), catches_up=True)
        snapshot = self._snapshot(cursor)
        if key == _SNAPSHOT:
            return ViewerUpdate(self.round, (snapshot,), catches_up=True)
        stale = LiveStale(
            cursor=cursor, resource_id=self.resource_id, resource_version=self.version
        )
        return ViewerUpdate(self.round, (stale, snapshot), catches_up=False)

    def _change(self, place: int, cursor: str) -> LiveChange | None:
        units: set[str] = set()
        pools: set[str] = set()
        for number in range(place - self._first, len(self._rounds)):
            units |= self._rounds[number].units
            pools |= self._rounds[number].pools
            if len(units) + len(pools) > CHANGE_NAMES_MAX:
                return None
        knows = self._scene.seats is not None
        taken = self._taken
        return LiveChange(
            cursor=cursor,
            units={unit: taken.get(unit, UnitState.FREE) if knows else None for unit in units},
            pools={pool: self._levels[pool] for pool in pools if pool in self._levels},
            units_free=self._free,
        )

    def _snapshot(self, cursor: str) -> LiveSnapshot:
        scene = self._scene
        snapshot = LiveSnapshot(
            cursor=cursor,
            resource_id=self.resource_id,
            resource_version=scene.version,
            at=self.at,
            units_free=self._free,
        )
        if scene.seats is None:
            return snapshot
        return msgspec.structs.replace(
            snapshot,
            taken=dict(self._taken),
            pools=dict(self._levels),
            units_total=len(scene.seats),
        )

    @property
    def _free(self) -> int | None:
        seats = self._scene.seats
        return None if seats is None else len(seats) - len(self._taken)
