"""Placing holds: judge by the cached plans, refuse at once what is known to be taken, hand the rest
to the committer, and turn its answer into a hold or an error.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from bespeak import ids
from bespeak.clock import DatabaseClock
from bespeak.errors import (
    BespeakError,
    IdempotencyKeyReused,
    InternalError,
    PlanChanged,
    SoldOut,
    UnitTaken,
)
from bespeak.inventory import resources
from bespeak.inventory.fingerprints import differing_fields
from bespeak.inventory.resources import Stock
from bespeak.postgres.pool import borrow
from bespeak.postgres.queries import load
from bespeak.reservations.committer import Arguments, Committer, Job, Verb
from bespeak.reservations.holds import Hold, hold_of
from bespeak.reservations.judge import (
    KEY_LENGTH_MAX,
    OWNER_LENGTH_MAX,
    PLACE_FIELDS,
    Asked,
    Judged,
    check_text,
    closed_reason,
    judge,
    numbers_of,
    place_fingerprint,
)
from bespeak.reservations.memory import Conflict, TakenMemory, Unit, moment
from bespeak.reservations.outcomes import raw_conflicts, refusal_of
from bespeak.settings import Settings
from bespeak.states import HoldState, UnitState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Pool, Record

_QUERIES = load("bespeak.reservations", "verbs.sql")
_STOCKS_MAX = 10_000
_JUDGEMENTS_MAX = 3
_SOLD_OUT = UnitState.BOOKED  # how the memory notes a pool that has nothing left


def _place_arguments(jobs: Sequence[Job]) -> Arguments:
    versions = {pair for job in jobs for pair in job.stock}
    return (
        jobs[0].stock[0][0],
        [job.request for job in jobs],
        [number for number, _ in versions],
        [version for _, version in versions],
    )


PLACE = Verb("place", _QUERIES["place_holds"], _place_arguments)


class Placer:
    """Places holds for one process."""

    def __init__(
        self,
        pool: Pool,
        committer: Committer,
        memory: TakenMemory,
        clock: DatabaseClock,
        settings: Settings,
    ) -> None:
        self._pool = pool
        self._committer = committer
        self._memory = memory
        self._clock = clock
        self._settings = settings
        self._ids = ids.IdMaker()
        self._stocks: OrderedDict[int, Stock] = OrderedDict()

    async def place(self, asked: Asked, connection: Connection | None) -> Hold:
        """Places a hold through the committer, or on the caller's connection."""
        check_text(asked.owner, "owner", OWNER_LENGTH_MAX)
        if asked.idempotency_key is not None:
            check_text(asked.idempotency_key, "idempotency_key", KEY_LENGTH_MAX)
        numbers = numbers_of(asked.lines, self._settings.lines_max)
        for _ in range(_JUDGEMENTS_MAX):
            try:
                judged = await self._judge(asked, numbers, connection)
            except BespeakError:
                # A repeat is answered even when its resource has closed or changed since.
                placed = await self._placed_before(asked, numbers[0], connection)
                if placed is None:
                    raise
                return placed
            row = await self._commit(judged, asked, connection)
            if row["outcome"] != "unavailable":
                return self._answer(row, judged, asked)
            for number in numbers:
                self._stocks.pop(number, None)
        raise PlanChanged

    async def stocks_of(
        self, numbers: Sequence[int], connection: Connection | None
    ) -> OrderedDict[int, Stock]:
        """The resources made ready, from the cache or the database; unknown ones are absent."""
        stocks = self._stocks
        missing = [number for number in numbers if number not in stocks]
        if missing:
            if connection is not None:
                found = await resources.get_many(connection, missing)
            else:
                async with borrow(self._pool, self._settings.database_wait_seconds) as borrowed:
                    found = await resources.get_many(borrowed, missing)
            for resource in found:
                stock = resources.stock_of(resource)
                stocks[stock.number] = stock
            while len(stocks) > max(_STOCKS_MAX, len(numbers)):
                stocks.popitem(last=False)
        return stocks

    def forget_stock(self, number: int) -> None:
        """Drops a resource from the cache, as its change demands."""
        self._stocks.pop(number, None)

    async def _judge(
        self, asked: Asked, numbers: Sequence[int], connection: Connection | None
    ) -> Judged:
        stocks = await self.stocks_of(numbers, connection)
        judged = judge(asked, numbers, stocks, self._ids.new(numbers[0]))
        for number in numbers:
            reason = closed_reason(stocks[number], self._clock)
            if reason is not None:
                # The cache may be behind: what it says is closed is looked at once more.
                self._stocks.pop(number, None)
                stocks = await self.stocks_of(numbers, connection)
                reason = closed_reason(stocks[number], self._clock)
                if reason is not None:
                    raise reason
        return judged

    async def _commit(self, judged: Judged, asked: Asked, connection: Connection | None) -> Record:
        if connection is not None:
            row = await connection.fetchrow(
                PLACE.text,
                judged.home,
                [judged.request],
                [number for number, _ in judged.stock],
                [version for _, version in judged.stock],
            )
            if row is None:
                raise InternalError("place_holds answered nothing")
            return row
        refusal = self._early(judged.units, asked)
        if refusal is not None:
            raise refusal
        exclusive = tuple(
            unit for unit, line in zip(judged.units, asked.lines, strict=True) if not line.quantity
        )
        return await self._committer.submit(
            PLACE,
            judged.request,
            exclusive,
            partial(self._early, judged.units, asked),
            partial(self._learn, exclusive, asked.owner, judged.hold_seconds),
            judged.stock,
        )

    def _early(self, units: Sequence[Unit], asked: Asked) -> BespeakError | None:
        """The refusal that the memory justifies, if any."""
        now = self._clock.seconds()
        conflicts: list[Conflict] = []
        pools = 0
        for unit, line in zip(units, asked.lines, strict=True):
            taken = self._memory.find(unit, asked.owner, now)
            if taken is None:
                continue
            if line.quantity:
                pools += 1
                conflicts.append(
                    Conflict(
                        resource_id=line.resource_id, unit=line.unit, state="short", available=0
                    )
                )
            else:
                conflicts.append(
                    Conflict(
                        resource_id=line.resource_id,
                        unit=line.unit,
                        state=taken.state,
                        until=moment(taken.until),
                    )
                )
        if not conflicts:
            return None
        if pools == len(conflicts):
            return SoldOut(conflicts=conflicts)
        return UnitTaken(conflicts=conflicts)

    def _learn(self, exclusive: Sequence[Unit], owner: str, hold_seconds: int, row: Record) -> None:
        self._clock.observe(row["answered_at"])
        if row["outcome"] == "held":
            until = row["answered_at"].timestamp() + hold_seconds
            self._memory.learn(exclusive, UnitState.HELD, until, owner)
        elif row["outcome"] == "taken":
            for conflict in raw_conflicts(row["details"]):
                unit = (conflict.resource_id, conflict.unit)
                if conflict.state != "short":
                    self._memory.learn(
                        (unit,), UnitState(conflict.state), conflict.until, conflict.owner
                    )
                elif conflict.available is not None and conflict.available <= 0:
                    self._memory.learn((unit,), _SOLD_OUT, None, None)

    def _answer(self, row: Record, judged: Judged, asked: Asked) -> Hold:
        match row["outcome"]:
            case "held":
                placed_at = row["answered_at"]
                return Hold(
                    id=ids.show(ids.HOLD, judged.request[0]),  # type: ignore[arg-type]
                    state=HoldState.HELD,
                    owner=asked.owner,
                    lines=list(asked.lines),
                    created_at=placed_at,
                    expires_at=placed_at + timedelta(seconds=judged.hold_seconds),
                    extends_until=placed_at + timedelta(seconds=judged.cap_seconds),
                )
            case "replayed":
                return hold_of(row["hold"], replayed=row["hold"]["hold_id"] != judged.request[0])
            case "key_reused":
                raise _key_reused(asked, row["hold"])
            case "taken":
                raise refusal_of(raw_conflicts(row["details"]))
        raise InternalError(f"unknown outcome {row['outcome']}")

    async def _placed_before(
        self, asked: Asked, home: int, connection: Connection | None
    ) -> Hold | None:
        if asked.idempotency_key is None:
            return None
        arguments = (home, asked.owner, asked.idempotency_key)
        if connection is not None:
            row = await connection.fetchrow(_QUERIES["find_placed"], *arguments)
        else:
            async with borrow(self._pool, self._settings.database_wait_seconds) as borrowed:
                row = await borrowed.fetchrow(_QUERIES["find_placed"], *arguments)
        if row is None:
            return None
        if row["fingerprint"] != place_fingerprint(asked):
            raise _key_reused(asked, row)
        return hold_of(row, replayed=True)


def _key_reused(asked: Asked, row: Record) -> IdempotencyKeyReused:
    fields = differing_fields(PLACE_FIELDS, place_fingerprint(asked), row["fingerprint"])
    return IdempotencyKeyReused(
        f"the key was used with other {' and '.join(fields)}", fields=fields
    )
