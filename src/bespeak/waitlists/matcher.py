"""The background work of waitlists: what comes back is held for who waits. For each offer there is
one transaction, which locks the list, places the hold and makes it the entry's offer: whoever dies
in between leaves nothing behind, and of two who look at one list the second finds it lent.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

import structlog
from msgspec import UNSET

from bespeak import ids
from bespeak.background import IdlePause
from bespeak.errors import (
    BespeakError,
    DatabaseUnavailable,
    HoldConfirmed,
    HoldExpired,
    HoldNotFound,
    HoldReleased,
    InternalError,
)
from bespeak.inventory.lines import lines_text
from bespeak.inventory.resources import ReadyResource
from bespeak.inventory.snapshot import read_snapshot
from bespeak.lines import Line
from bespeak.postgres.json_text import json_text
from bespeak.postgres.queries import load
from bespeak.pricing.demand import Scope
from bespeak.reservations.holds import Hold
from bespeak.reservations.judgement import sale_context
from bespeak.states import FREEING, EventKind
from bespeak.waitlists.observer import WaitlistObserver
from bespeak.waitlists.policies import is_due, tried_in_order
from bespeak.waitlists.wish import WaitlistWish, decode_wish, ways

if TYPE_CHECKING:
    from datetime import datetime

    from bespeak.postgres.pool import Connection, Record
    from bespeak.reservations.verbs import Reservations

_QUERIES = load("bespeak.waitlists", "matching.sql")
_WAKING = [*FREEING, EventKind.CHANGED, EventKind.MOVED]
_BATCH = 200
_TRIED_MAX = 2000
"""The most of a list that are tried for what came back."""
_PAUSE_SECONDS = 0.1
_QUIET_PAUSE_SECONDS = 0.5
# What neither an event tells of nor the time at which a sale opens is found by looking anyway.
_ANYWAY_SECONDS = 30.0
_ADVANCE_SECONDS = 5.0
_ENDED = (HoldConfirmed, HoldExpired, HoldNotFound, HoldReleased)
_log = structlog.get_logger()


class Candidate(NamedTuple):
    """Who waits, as their row has them."""

    entry: UUID
    place: int
    owner: str
    wish: WaitlistWish
    party: int
    offers: int
    passed: int
    resources: frozenset[int]


class _Way(NamedTuple):
    """Lines that would fulfil a wish, with their resource and as one text."""

    number: int
    lines: Sequence[Line]
    text: str


class _Known:
    """What one matching of a list has learned: the wishes that it has read, the lines of which
    nothing is left, and what others cost. Many wait for the same. What comes back since it began
    is for the next one too, so it says of the list that it was looked at as far as it was then."""

    def __init__(self) -> None:
        self.began: Record | None = None
        self.refused: set[str] = set()
        self.costs: dict[str, int] = {}
        self._came_back: object = None
        self._wishes: dict[str | bytes, WaitlistWish] = {}

    def begin(self, row: Record) -> None:
        """The next look at the list. Where something came back since the one before, or somebody
        joined, all are asked again in their order."""
        self.began = self.began or row
        came_back = (row["came_back"], row["wakes"])
        if came_back != self._came_back:
            self.refused.clear()
        self._came_back = came_back

    def is_hopeless(self, way: _Way, wish: WaitlistWish) -> bool:
        """Whether a way is known to lead nowhere for whoever has this wish."""
        if way.text in self.refused:
            return True
        return wish.price_max is not UNSET and self.costs.get(way.text, 0) > wish.price_max

    def wish(self, stored: str | bytes) -> WaitlistWish:
        wish = self._wishes.get(stored)
        if wish is None:
            wish = self._wishes[stored] = decode_wish(stored)
        return wish


class _TooDear(BespeakError):
    """What would be held costs more than its party would pay; the hold is undone."""

    def __init__(self, amount: int) -> None:
        super().__init__()
        self.amount = amount


class _Gone(BespeakError):
    """The party waits no more, or has this offer already; the hold is undone."""


class WaitlistMatcher:
    """Offers what comes back to who waits, for as long as `look` is called."""

    name = "waitlists"

    def __init__(self, engine: Reservations, observer: WaitlistObserver | None = None) -> None:
        self._engine = engine
        self._database = engine.database
        self._observer = observer or WaitlistObserver()
        # Of each list what had come back when all of it was last looked at.
        self._looked_at: dict[UUID, str] = {}
        # Of each list what was seen when it was looked at last, and when that was.
        self._seen: dict[UUID, tuple[tuple[int, ...], float]] = {}
        self._pause = IdlePause(_PAUSE_SECONDS, _QUIET_PAUSE_SECONDS)
        self._advance_at = 0.0
        self._anyway_at = time.monotonic() + _ANYWAY_SECONDS

    async def look(self) -> float:
        """Does what is due; answers seconds until the next look. Raises what asyncpg raises."""
        async with self._database.borrow() as connection:
            await connection.fetchval(_QUERIES["settle"], _BATCH)
            await connection.fetchval(_QUERIES["end_late"], _BATCH)
            orphans = await connection.fetch(_QUERIES["unreleased"], _BATCH)
            is_anyway = time.monotonic() >= self._anyway_at
            due = await connection.fetch(_QUERIES["due"], _WAKING, is_anyway)
            if is_anyway:
                self._anyway_at = time.monotonic() + _ANYWAY_SECONDS
            if time.monotonic() >= self._advance_at:
                await connection.execute(_QUERIES["advance"], _WAKING)
                self._advance_at = time.monotonic() + _ADVANCE_SECONDS
        for row in orphans:
            with suppress(*_ENDED):
                await self._engine.release_hold(ids.show(ids.HOLD, row["hold_id"]))
        for row in due:
            if (is_anyway or self._is_news(row)) and await self.match(row["waitlist_id"]):
                self._note(row)
        if orphans or (due and not is_anyway):
            self._pause.note_found()
            return _PAUSE_SECONDS
        return self._pause.next()

    async def match(self, waitlist: UUID) -> bool:
        """Makes the offers that there are of one list, and keeps for it what is to be kept; False
        where somebody else is at it."""
        known = _Known()
        while True:
            async with self._database.borrow() as connection:
                made = await self._match_one(connection, waitlist, known)
            if made is not True:
                return made is False

    async def would_offer(self, connection: Connection, row: Record, limit: int) -> list[Candidate]:
        """Makes offers of a list that this transaction has locked, so many at most, and says to
        whom. Who only asks undoes the transaction."""
        ready = await self._engine.ready_resources.get_many(row["of_list"], connection)
        known, found = _Known(), list[Candidate]()
        while len(found) < limit:
            one = await self._offer_next(connection, row, ready, known)
            if one is None:
                break
            found.append(one)
        return found

    async def _match_one(
        self, connection: Connection, waitlist: UUID, known: _Known
    ) -> bool | None:
        """Makes the next offer of a list: True. False: there was none. None: it is lent."""
        try:
            async with connection.transaction():
                row = await connection.fetchrow(_QUERIES["claim"], waitlist, _WAKING)
                if row is None:
                    return None
                known.begin(row)
                numbers: list[int] = row["of_list"]
                ready = await self._engine.ready_resources.get_many(numbers, connection)
                is_made = await self._offer_next(connection, row, ready, known) is not None
                if not is_made:
                    await self._finish(connection, known.began or row, ready)
        except _Gone:
            return True  # what was to be theirs is looked at again
        self._tell(row, is_made=is_made)
        return is_made

    def _tell(self, row: Record, *, is_made: bool) -> None:
        """Counts an offer once it is written. Who joined, or a sale that opened, is offered what
        was there before: that has no time since it came back."""
        waitlist = row["waitlist_id"]
        if is_made:
            is_news = self._looked_at.get(waitlist) != row["came_back"]
            came_at = row["came_at"] if is_news else None
            now = self._engine.clock.seconds()
            self._observer.offered(None if came_at is None else max(0.0, now - came_at.timestamp()))
        else:
            if len(self._looked_at) > _BATCH * _BATCH:
                self._looked_at.clear()
            self._looked_at[waitlist] = row["came_back"]

    async def _offer_next(
        self,
        connection: Connection,
        row: Record,
        ready: dict[int, ReadyResource],
        known: _Known,
    ) -> Candidate | None:
        """Offers something to the first who can be served, and says to whom. What was refused
        before is not asked again: an offer leaves no more of it. Only where no seat may be left
        single, a seat that would have been may be gone since."""
        if any(one.plan.guards_seats for one in ready.values()):
            known.refused.clear()
        known.costs.clear()  # what is left may cost more or less by now
        waiting = await self._waiting(connection, row, known)
        return await self._first_served(connection, row, ready, waiting, known)

    async def _first_served(
        self,
        connection: Connection,
        row: Record,
        ready: dict[int, ReadyResource],
        waiting: Sequence[Candidate],
        known: _Known,
    ) -> Candidate | None:
        """In the order of the list; who was passed by too often shuts those resources for all
        behind."""
        ways_of: dict[WaitlistWish, list[_Way]] = {}
        shut: frozenset[int] = frozenset()
        due = [one for one in waiting if is_due(one, row["passes_max"])]
        others = [one for one in waiting if not is_due(one, row["passes_max"])]
        for one in [*due, *tried_in_order(row["policy"], others, row["window_size"])]:
            if one.wish not in ways_of:
                ways_of[one.wish] = [
                    _Way(ids.parse_resource(lines[0].resource_id), lines, lines_text(lines))
                    for lines in ways(one.wish, ready)
                ]
            left = [
                way
                for way in ways_of[one.wish]
                if way.number not in shut and not known.is_hopeless(way, one.wish)
            ]
            if left and await self._serve(connection, row, ready, one, left, known):
                return one
            if is_due(one, row["passes_max"]):
                shut |= one.resources
        return None

    async def _serve(
        self,
        connection: Connection,
        row: Record,
        ready: dict[int, ReadyResource],
        one: Candidate,
        left: Sequence[_Way],
        known: _Known,
    ) -> bool:
        """Holds the first thing that fulfils a wish, and offers it."""
        for number, lines, text in left:
            longest = ready[number].resource
            try:
                async with connection.transaction():
                    hold = await self._hold(connection, one, lines, row, longest.hold_seconds_max)
                    await self._offer(connection, one, hold, longest.hold_seconds)
                return True
            except (DatabaseUnavailable, InternalError, _Gone):
                raise
            except _TooDear as error:
                known.costs[text] = error.amount
            except BespeakError as error:
                # Of the same lines nobody else gets more, unless it is this owner's own limit.
                if error.code != "owner_limit_reached":
                    known.refused.add(text)
        return False

    async def _hold(
        self,
        connection: Connection,
        one: Candidate,
        lines: Sequence[Line],
        row: Record,
        seconds_max: int,
    ) -> Hold:
        number = one.offers + 1
        hold = await self._engine.place_hold(
            owner=one.owner,
            lines=lines,
            hold_seconds=min(row["decide_seconds"], seconds_max),
            alternatives=0,
            idempotency_key=f"waitlist:{one.entry}:{number}",
            connection=connection,
        )
        if one.wish.price_max is not UNSET and hold.amount.amount > one.wish.price_max:
            raise _TooDear(hold.amount.amount)
        return hold

    async def _offer(
        self, connection: Connection, one: Candidate, hold: Hold, longer_seconds: int
    ) -> None:
        made = await connection.fetchval(
            _QUERIES["offer"],
            one.entry,
            one.offers + 1,
            ids.parse(ids.HOLD, hold.id),
            longer_seconds,
        )
        if not made:
            raise _Gone

    async def _waiting(self, connection: Connection, row: Record, known: _Known) -> list[Candidate]:
        found = await connection.fetch(
            _QUERIES["waiting"], row["waitlist_id"], row["policy"] == "lottery", _TRIED_MAX
        )
        return [
            Candidate(
                one["entry_id"],
                one["place"],
                one["owner"],
                known.wish(json_text(one["wish"])),
                one["party"],
                one["offers"],
                one["passed"],
                frozenset(one["resources"]),
            )
            for one in found
        ]

    async def _finish(
        self, connection: Connection, row: Record, ready: dict[int, ReadyResource]
    ) -> None:
        """Notes how far was looked, and keeps what somebody waits for and nobody could have: where
        something is left that nobody who waits can use, it is anyone's, unless it gathers for who
        was passed by too often. What is not on sale yet is kept until it was looked at when it is:
        nobody can have it before, and who waits comes first then."""
        waitlist, numbers = row["waitlist_id"], row["of_list"]
        # By the clock that is behind: by either of them a sale has not opened unseen.
        looked_at: datetime = min(row["looked_at"], self._engine.clock.now())
        kept: list[int] = []
        if row["freed_goes_to"] == "waitlist":
            found = await connection.fetch(_QUERIES["wanted"], waitlist, numbers, row["passes_max"])
            for wanted in found:
                one = ready.get(wanted["resource_id"])
                if one is None or one.plan.range_kind is not None:
                    continue  # other dates are free, and must not be kept from others
                opens_at = one.resource.opens_at
                is_to_open = opens_at is not None and opens_at > looked_at
                is_for_them = wanted["is_gathering"] or is_to_open
                if is_for_them or await self._is_sold_out(connection, one):
                    kept.append(one.number)
        await connection.fetchval(_QUERIES["keep"], numbers, kept)
        looked = (row["wakes"], row["settled"], looked_at)
        await connection.execute(_QUERIES["matched"], waitlist, *looked)

    async def _is_sold_out(self, connection: Connection, ready: ReadyResource) -> bool:
        """Whether nothing at all is left of what has no dates, times or stops."""
        snapshot = await read_snapshot(connection, ready.number)
        sale = sale_context(ready, self._engine.clock.now())
        level = ready.plan.level(Scope(), snapshot, sale)
        return level.taken >= level.capacity

    def _is_news(self, row: Record) -> bool:
        """Whether there is something that was not looked at here: while a long transaction holds
        the feed back, the same events are due at each look."""
        seen = self._seen.get(row["waitlist_id"])
        if seen is None or row["has_opened"]:
            return True
        return seen[0] != _told(row) or time.monotonic() - seen[1] > _ANYWAY_SECONDS

    def _note(self, row: Record) -> None:
        if len(self._seen) > _BATCH * _BATCH:
            self._seen.clear()
        self._seen[row["waitlist_id"]] = (_told(row), time.monotonic())


def _told(row: Record) -> tuple[int, ...]:
    return (row["wakes"], row["freed"], row["latest"])
