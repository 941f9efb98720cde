"""Placing holds: judge by the cached plans, refuse at once what is known to be taken, hand the rest
to the committer, and turn its answer into a hold or an error.
"""

from __future__ import annotations

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
    NotOnSale,
    NotTogether,
    OrphanSeat,
    PlanChanged,
    SoldOut,
    UnitTaken,
)
from bespeak.inventory.conflicts import Conflict, moment, raw_conflicts
from bespeak.inventory.fingerprints import differing_fields
from bespeak.inventory.lines import Line
from bespeak.inventory.snapshot import TakenClaims
from bespeak.money import Money
from bespeak.postgres.queries import load
from bespeak.pricing.quotes import Quote
from bespeak.reservations.choice import Attempt, Chooser, ChosenLines, lost_numbers, reduce_lines
from bespeak.reservations.committer import Arguments, Committer, BatchEntry, Verb
from bespeak.reservations.demand_cache import DemandCache
from bespeak.reservations.holds import Hold, hold_of
from bespeak.reservations.judge import (
    KEY_LENGTH_MAX,
    OWNER_LENGTH_MAX,
    PLACE_FIELDS,
    HoldRequest,
    Claim,
    JudgedRequest,
    check_text,
    numbers_of,
    place_fingerprint,
)
from bespeak.reservations.memory import TakenMemory, Unit
from bespeak.reservations.offers import Offers
from bespeak.reservations.outcomes import raw_conflicts_of_lines, refusal_of
from bespeak.reservations.snapshots import SnapshotCache
from bespeak.reservations.preparation import Preparer
from bespeak.reservations.shown_conflicts import tell_conflicts
from bespeak.reservations.ready_resources import ResourceCache
from bespeak.settings import Settings
from bespeak.states import HoldState, UnitState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database, Record

_QUERIES = load("bespeak.reservations", "verbs.sql")
_ATTEMPTS_MAX = 12
_ORPHAN_TRIES_MAX = 4
_OFFERED = (UnitTaken, SoldOut, NotTogether, OrphanSeat, NotOnSale)
_SOLD_OUT = UnitState.BOOKED  # how the memory notes a pool that has nothing left


def _place_arguments(jobs: Sequence[BatchEntry]) -> Arguments:
    versions = {pair for job in jobs for pair in job.versions}
    return (
        jobs[0].versions[0][0],
        [job.request for job in jobs],
        [number for number, _ in versions],
        [version for _, version in versions],
    )


PLACE = Verb("place", _QUERIES["place_holds"], _place_arguments)


class Placer:
    """Places holds for one process."""

    def __init__(
        self,
        database: Database,
        committer: Committer,
        memory: TakenMemory,
        ready_resources: ResourceCache,
        snapshots: SnapshotCache,
        demands: DemandCache,
        clock: DatabaseClock,
        settings: Settings,
    ) -> None:
        self._database = database
        self._committer = committer
        self._memory = memory
        self._clock = clock
        self._settings = settings
        self._stocks = ready_resources
        self._pictures = snapshots
        self._chooser = Chooser(snapshots, clock)
        self._preparer = Preparer(ready_resources, self._chooser, demands, clock)
        self._offers = Offers(snapshots, clock)

    async def place(self, asked: HoldRequest, connection: Connection | None) -> Hold:
        """Places a hold through the committer, or on the caller's connection."""
        check_text(asked.owner, "owner", OWNER_LENGTH_MAX)
        if asked.idempotency_key is not None:
            check_text(asked.idempotency_key, "idempotency_key", KEY_LENGTH_MAX)
        numbers = numbers_of(asked.lines, self._settings.lines_max)
        try:
            return await self._place(asked, numbers, connection)
        except _OFFERED as refusal:
            if asked.alternatives:
                await self._offers.attach(
                    refusal, asked.lines, self._stocks.known, asked.alternatives, connection
                )
            tell_conflicts(refusal, self._stocks.known)
            raise

    async def quote(self, lines: Sequence[Line], connection: Connection | None) -> Quote:
        """What lines would cost now, without holding them."""
        numbers = numbers_of(lines, self._settings.lines_max)
        return await self._preparer.quote(lines, numbers, connection)

    async def _place(
        self, asked: HoldRequest, numbers: Sequence[int], connection: Connection | None
    ) -> Hold:
        attempt = Attempt(list(asked.lines), [], fresh=False, guarded=True)
        last: BespeakError = PlanChanged()
        for _ in range(_ATTEMPTS_MAX):
            chosen: ChosenLines | None = None
            try:
                judged, chosen = await self._preparer.prepare(asked, attempt, numbers, connection)
            except BespeakError as error:
                if isinstance(error, SoldOut | NotTogether) and not attempt.fresh:
                    attempt.fresh = True
                    continue
                # A repeat is answered even when its resource has closed or changed since.
                placed = await self._placed_before(asked, numbers[0], connection)
                if placed is None:
                    raise
                return placed
            try:
                row = await self._commit(judged, asked, connection)
                if row["outcome"] != "unavailable":
                    return self._answer(row, judged, asked)
                for number in numbers:
                    self._stocks.forget(number)
            except (UnitTaken, SoldOut, OrphanSeat) as refusal:
                if not await self._try_again(refusal, asked, attempt, judged, chosen, connection):
                    raise
                last = refusal
            finally:
                if chosen is not None:
                    self._chooser.land(chosen.units)
        raise last

    async def _try_again(
        self,
        refusal: BespeakError,
        asked: HoldRequest,
        attempt: Attempt,
        judged: JudgedRequest,
        chosen: ChosenLines | None,
        connection: Connection | None,
    ) -> bool:
        """Prepares the next attempt, if another choice, or less, may still be given."""
        conflicts = [one for one in refusal.data.get("conflicts", ()) if isinstance(one, Conflict)]  # type: ignore[attr-defined]
        attempt.tries += 1
        if chosen is not None:
            self._chooser.lost(chosen.units, conflicts)
        if isinstance(refusal, OrphanSeat):
            if await self._may_leave_single(attempt, judged, connection):
                return True
            attempt.fresh = True
            return chosen is not None and bool(chosen.units) and attempt.tries < _ORPHAN_TRIES_MAX
        others = conflicts
        if chosen is not None and (chosen.units or chosen.pools):
            own = {
                (ids.show_resource(number), unit) for number, unit in (*chosen.units, *chosen.pools)
            }
            others = [one for one in conflicts if (one.resource_id, one.unit) not in own]
            if not others:
                # Conflicts tell which units are taken, but not how far pools are drawn; and where
                # others take faster than conflicts tell, the picture is looked at anew.
                is_short = any(one.state == "short" for one in conflicts)
                attempt.fresh = is_short or attempt.tries > 1
                if attempt.fresh:
                    for number in {number for number, _ in (*chosen.units, *chosen.pools)}:
                        self._pictures.outdated(number)
                return True
        if lost_numbers(attempt.lines, judged, conflicts):
            return True
        if not asked.partial or chosen is None:
            return False
        # What was chosen and lost is chosen again; of what was named there is less.
        reduced = reduce_lines(attempt.lines, judged, chosen.origins, others)
        if not reduced.lines or not reduced.missing:
            return False
        attempt.fresh = attempt.fresh or len(others) < len(conflicts)
        attempt.lines = reduced.lines
        attempt.missing += reduced.missing
        return True

    async def _may_leave_single(
        self, attempt: Attempt, judged: JudgedRequest, connection: Connection | None
    ) -> bool:
        """Whether the rooms' rule is lenient and finds nothing better than these seats."""
        if not attempt.guarded:
            return False
        for number, _ in judged.versions:
            ready = self._stocks.known.get(number)
            if ready is None or not ready.plan.guards_seats:
                continue
            units = [claim.unit[1] for claim in judged.claims if claim.unit[0] == number]
            snapshot = await self._pictures.read(
                number, None, connection, age_max=self._pictures.fresh_seconds
            )
            if not ready.plan.lenient_allows(units, snapshot, self._clock.seconds()):
                return False
        attempt.guarded = False
        return True

    async def _commit(
        self, judged: JudgedRequest, asked: HoldRequest, connection: Connection | None
    ) -> Record:
        if connection is not None:
            row = await connection.fetchrow(
                PLACE.text,
                judged.home,
                [judged.request],
                [number for number, _ in judged.versions],
                [version for _, version in judged.versions],
            )
            if row is None:
                raise InternalError("place_holds answered nothing")
            return row
        refusal = self._early(judged.claims, asked.owner)
        if refusal is not None:
            raise refusal
        exclusive = tuple(
            [claim.unit for claim in judged.claims if claim.quantity is None and claim.unit[1]]
        )
        return await self._committer.submit(
            PLACE,
            judged.request,
            # Two holds beside each other in one row see each other only in different batches.
            (*exclusive, *judged.rows) if judged.rows else exclusive,
            partial(self._early, judged.claims, asked.owner),
            partial(self._learn, exclusive, asked.owner, judged.terms.hold_seconds),
            judged.versions,
        )

    def _early(self, claims: Sequence[Claim], owner: str) -> BespeakError | None:
        """The refusal that the memory justifies, if any."""
        now = self._clock.seconds()
        conflicts: list[Conflict] = []
        pools = 0
        for unit, quantity, _ in claims:
            taken = self._memory.find(unit, owner, now)
            if taken is None:
                continue
            resource_id = ids.show_resource(unit[0])
            if quantity is not None:
                pools += 1
                conflicts.append(
                    Conflict(resource_id=resource_id, unit=unit[1], state="short", available=0)
                )
            else:
                conflicts.append(
                    Conflict(
                        resource_id=resource_id,
                        unit=unit[1],
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
            taken = TakenClaims(UnitState.HELD, until)
            for number, name in exclusive:
                self._pictures.learn(number, (name,), taken)
        elif row["outcome"] == "taken":
            for conflict in raw_conflicts(row["details"]):
                unit = (conflict.resource_id, conflict.unit)
                if conflict.state != "short":
                    self._memory.learn(
                        (unit,), UnitState(conflict.state), conflict.until, conflict.owner
                    )
                elif conflict.available is not None and conflict.available <= 0:
                    self._memory.learn((unit,), _SOLD_OUT, None, None)

    def _answer(self, row: Record, judged: JudgedRequest, asked: HoldRequest) -> Hold:
        match row["outcome"]:
            case "held" if row["hold"] is not None:
                return hold_of(row["hold"])  # with the numbers that the database gave out
            case "held":
                placed_at = row["answered_at"]
                return Hold(
                    id=ids.show(ids.HOLD, judged.request[0]),  # type: ignore[arg-type]
                    state=HoldState.HELD,
                    owner=asked.owner,
                    lines=judged.lines,
                    created_at=placed_at,
                    expires_at=placed_at + timedelta(seconds=judged.terms.hold_seconds),
                    extends_until=placed_at + timedelta(seconds=judged.terms.cap_seconds),
                    amount=Money(judged.terms.amount, judged.terms.currency),
                    quote=judged.terms.quote,
                    missing=[] if judged.shown is None else judged.shown.missing,
                )
            case "replayed":
                return hold_of(row["hold"], replayed=row["hold"]["hold_id"] != judged.request[0])
            case "key_reused":
                raise _key_reused(asked, row["hold"])
            case "taken":
                raise refusal_of(raw_conflicts(row["details"]))
            case "orphan":
                raise OrphanSeat(units=raw_conflicts_of_lines(row["details"]))
        raise InternalError(f"unknown outcome {row['outcome']}")

    async def _placed_before(
        self, asked: HoldRequest, home: int, connection: Connection | None
    ) -> Hold | None:
        if asked.idempotency_key is None:
            return None
        arguments = (home, asked.owner, asked.idempotency_key)
        if connection is not None:
            row = await connection.fetchrow(_QUERIES["find_placed"], *arguments)
        else:
            async with self._database.borrow() as borrowed:
                row = await borrowed.fetchrow(_QUERIES["find_placed"], *arguments)
        if row is None:
            return None
        if row["fingerprint"] != place_fingerprint(asked):
            raise _key_reused(asked, row)
        return hold_of(row, replayed=True)


def _key_reused(asked: HoldRequest, row: Record) -> IdempotencyKeyReused:
    fields = differing_fields(PLACE_FIELDS, place_fingerprint(asked), row["fingerprint"])
    return IdempotencyKeyReused(
        f"the key was used with other {' and '.join(fields)}", fields=fields
    )
