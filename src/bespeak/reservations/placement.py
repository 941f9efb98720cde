"""Placing holds. Each request goes through a few states, with one loop over them:

    PREPARE   its resources are loaded, what it leaves open is chosen, and it is judged
    SUBMIT    the committer hands it to the database, unless it is known to be taken
    REFUSED   it was taken: the process notes by whom, and looks whether another choice, or less,
              may still be given; then PREPARE again
    INVALID   it cannot be placed now; a repeat is still answered with the hold of its key

A hold, or an error, ends the loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from copy import copy
from functools import partial
from typing import TYPE_CHECKING

from bespeak import ids
from bespeak.clock import DatabaseClock
from bespeak.errors import (
    BespeakError,
    DatabaseUnavailable,
    InternalError,
    NotOnSale,
    NotTogether,
    OrphanSeat,
    PlanChanged,
    SoldOut,
    UnitTaken,
)
from bespeak.inventory.conflicts import raw_conflicts
from bespeak.inventory.resources import ReadyResource
from bespeak.inventory.snapshot import TakenClaims
from bespeak.lines import Line
from bespeak.postgres.pool import repeated
from bespeak.postgres.savepoints import savepoint
from bespeak.pricing.quotes import Quote
from bespeak.refusals import SHORT
from bespeak.reservations.alternatives import Alternatives
from bespeak.reservations.attempt import Attempt, State
from bespeak.reservations.choice import ChosenLines, LineChooser
from bespeak.reservations.committer import Committer
from bespeak.reservations.costs import may_come_early
from bespeak.reservations.demand_cache import DemandCache
from bespeak.reservations.errors import BookingNotExchangeable
from bespeak.reservations.hold_batches import gives_way
from bespeak.reservations.holds import Hold
from bespeak.reservations.judgement import (
    JudgedLines,
    closed_reason,
    judge_lines,
    judge_plain_lines,
    judged_request,
    resource_in,
)
from bespeak.reservations.memory import TakenMemory, Unit
from bespeak.reservations.outcomes import placed_hold, show_conflicts
from bespeak.reservations.place_verb import PLACE, PLACE_BEHIND
from bespeak.reservations.placed_keys import PlacedKeys
from bespeak.reservations.ready_resources import ResourceCache
from bespeak.reservations.request import HoldRequest, HoldRequestRow, numbers_of
from bespeak.reservations.retries import Retries
from bespeak.reservations.rooms_of_before import NOT_BEFORE, RoomsOfBefore
from bespeak.reservations.snapshots import SnapshotCache
from bespeak.reservations.stay_changes import ChangedStay, changed_of, name_other, note_change
from bespeak.settings import Settings
from bespeak.states import UnitState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database, Record

_ATTEMPTS_MAX = 12
_OFFERED = (UnitTaken, SoldOut, NotTogether, OrphanSeat, NotOnSale)
_REFUSALS = (UnitTaken, SoldOut, OrphanSeat)
_SOLD_OUT = UnitState.BOOKED  # how the memory notes a pool that has nothing left


class Placer:
    """Places holds for one process."""

    def __init__(
        self,
        database: Database,
        committer: Committer,
        memory: TakenMemory,
        resources: ResourceCache,
        snapshots: SnapshotCache,
        demands: DemandCache,
        clock: DatabaseClock,
        settings: Settings,
    ) -> None:
        self._ids = ids.IdMaker()
        self._database = database
        self._committer = committer
        self._memory = memory
        self._resources = resources
        self._snapshots = snapshots
        self._demands = demands
        self._clock = clock
        self._lines_max = settings.lines_max
        self._chooser = LineChooser(snapshots, clock)
        self._retries = Retries(resources, snapshots, self._chooser, clock)
        self._placed_keys = PlacedKeys(database)
        self._alternatives = Alternatives(resources, snapshots, clock)

    async def place(self, request: HoldRequest, connection: Connection | None) -> Hold:
        """Places a hold through the committer, or on the caller's connection."""
        numbers = request.check(self._lines_max)
        if request.instead_of is None:
            return await self._answered(Attempt(request, numbers, connection))
        if connection is not None:
            return await self._place_instead(request, numbers, connection)
        return await repeated(lambda: self._place_instead(request, numbers, None))

    async def _place_instead(
        self, request: HoldRequest, numbers: list[int], connection: Connection | None
    ) -> Hold:
        """Places a hold in place of a booking, in a transaction with the note of that."""
        async with (
            self._database.borrow_to_write(connection) as used,
            used.transaction() if connection is None else savepoint(used),
        ):
            before = await self._placed_keys.find(request, used)
            if before is not None:
                return before
            instead = await changed_of(used, request, numbers, self._resources)
            try:
                return await self._run_instead(request, numbers, used, instead)
            except BookingNotExchangeable as refusal:
                await name_other(used, instead, refusal)
                raise

    async def _run_instead(
        self, request: HoldRequest, numbers: list[int], used: Connection, instead: ChangedStay
    ) -> Hold:
        rooms = RoomsOfBefore(request, instead)
        while rooms.are_tried:
            try:
                # What it locked where it lost is let go, before the next way locks anew.
                async with savepoint(used):
                    return await self._run(Attempt(request, numbers, used, rooms.lines, instead))
            except (*_OFFERED, NOT_BEFORE) as refusal:
                rooms.give_up(refusal, self._resources.peek)
        return await self._answered(Attempt(request, numbers, used, rooms.lines, instead))

    async def _answered(self, attempt: Attempt) -> Hold:
        """Runs a request, and completes the error that it is refused with."""
        request = attempt.request
        try:
            return await self._run(attempt)
        except DatabaseUnavailable as shared:
            # Whether the hold was placed is not known. This is where it would be. Others may have
            # waited for the same statement, and have the same error.
            error = copy(shared)
            error.idempotency_key = request.idempotency_key
            if attempt.state is State.SUBMIT:
                error.hold_id = ids.show(ids.HOLD, attempt.judged.row.hold_id)
            raise error from shared
        except _OFFERED as refusal:
            if request.alternatives:
                await self._alternatives.attach(
                    refusal, request.lines, request.alternatives, attempt.connection
                )
            show_conflicts(refusal, self._resources.peek)
            raise

    async def quote(
        self, lines: Sequence[Line], connection: Connection | None, *, published_only: bool = False
    ) -> Quote:
        """What lines would cost now; if it is free is asked only of what they leave to choose."""
        attempt = Attempt(
            HoldRequest("", lines, None, None), numbers_of(lines, self._lines_max), connection
        )
        attempt.wants_fresh, attempt.guarded = True, False
        resources = await self._resources.get_many(attempt.numbers, connection)
        for number in attempt.numbers:
            resource_in(resources, number, published_only=published_only)
        judged = await self._judge(attempt, resources, quoted=True)
        if attempt.chosen is not None:
            self._chooser.undo(attempt.chosen)
        if judged.cost.quote is None:
            raise InternalError("a quote was asked for")
        return judged.cost.quote

    async def _run(self, attempt: Attempt) -> Hold:
        attempts = 0
        try:
            while True:
                match attempt.state:
                    case State.PREPARE:
                        attempts += 1
                        if attempts > _ATTEMPTS_MAX:
                            raise attempt.error or PlanChanged()
                        await self._prepare(attempt)
                    case State.SUBMIT:
                        if attempt.connection is not None and attempt.may_lose:
                            hold = await self._submit_undone(attempt, attempt.connection)
                        else:
                            hold = await self._submit(attempt)
                        if hold is not None:
                            return hold
                    case State.REFUSED if attempt.error is not None:
                        attempt.state = await self._retries.next_state(attempt, attempt.error)
                    case State.INVALID:
                        return await self._placed_before(attempt)
        finally:
            if attempt.chosen is not None:
                self._chooser.release(attempt.chosen)

    async def _prepare(self, attempt: Attempt) -> None:
        if attempt.chosen is not None:
            self._chooser.release(attempt.chosen)
            attempt.chosen = None
        try:
            resources = await self._on_sale(attempt)
            plain = None
            if len(resources) == 1 and not attempt.request.partial:
                ready = resources[attempt.numbers[0]]
                plain = judge_plain_lines(attempt.request, attempt.lines, ready)
            judged = plain or await self._judge(attempt, resources)
            hold_id = self._ids.new(attempt.numbers[0])
            attempt.judged = judged_request(
                attempt.request, judged, hold_id, guarded=attempt.guarded
            )
            if attempt.instead is not None:
                attempt.judged, attempt.note = attempt.instead.without_own(
                    attempt.judged, self._ids.new
                )
            attempt.state = State.SUBMIT
        except BespeakError as error:
            if isinstance(error, SoldOut | NotTogether) and self._may_be_old(attempt):
                attempt.wants_fresh = True
                return
            attempt.error = error
            attempt.state = State.INVALID

    def _may_be_old(self, attempt: Attempt) -> bool:
        """Whether it was refused by a snapshot that may only help to choose."""
        if attempt.wants_fresh or attempt.connection is not None:
            return False
        return any(self._snapshots.is_older(number) for number in attempt.numbers)

    async def _on_sale(self, attempt: Attempt) -> dict[int, ReadyResource]:
        """The request's resources. Raises ResourceNotFound, ResourceClosed, ResourceNotOpen."""
        numbers, lines = attempt.numbers, attempt.request.lines
        published_only = attempt.request.published_only
        resources: dict[int, ReadyResource] = {}
        for number in dict.fromkeys(numbers):
            found = self._resources.peek(number)
            if found is None:
                resources = await self._resources.get_many(numbers, attempt.connection)
                break
            resources[number] = found
        for number in dict.fromkeys(numbers):
            ready = resource_in(resources, number)
            reason = closed_reason(ready, self._clock.now, published_only=published_only)
            if reason is not None and not may_come_early(reason, resources[number], lines):
                # The cache may be behind: what it says is closed is looked at once more.
                self._resources.forget(number)
                resources |= await self._resources.get_many([number], attempt.connection)
                ready = resource_in(resources, number)
                reason = closed_reason(ready, self._clock.now, published_only=published_only)
                if reason is not None and not may_come_early(reason, resources[number], lines):
                    raise reason
        return resources

    async def _judge(
        self, attempt: Attempt, resources: dict[int, ReadyResource], *, quoted: bool = False
    ) -> JudgedLines:
        """Judges lines that are not plain, after what they leave open is chosen."""
        # Counted before anything is chosen, so that a request does not raise its own price.
        demands = await self._demands.of(resources.values(), attempt.connection)
        lines, missing = attempt.lines, attempt.missing
        if attempt.request.partial or attempt.leaves_choice(resources):
            chosen = attempt.chosen = await self._choose(attempt, resources)
            lines, missing = chosen.lines, [*attempt.missing, *chosen.missing]
        try:
            return judge_lines(
                attempt.request,
                lines,
                resources,
                self._clock.now(),
                missing=missing,
                demands=demands,
                quoted=quoted,
            )
        except BaseException as error:
            if attempt.chosen is not None:
                if isinstance(error, BespeakError):
                    attempt.chosen.name_asked(error)
                self._chooser.undo(attempt.chosen)
                attempt.chosen = None
            raise

    async def _choose(self, attempt: Attempt, resources: dict[int, ReadyResource]) -> ChosenLines:
        choose = partial(
            self._chooser.choose,
            attempt.lines,
            resources,
            attempt.connection,
            partial=attempt.request.partial,
        )
        chosen = await choose(fresh=attempt.wants_fresh)
        if chosen.missing and not attempt.wants_fresh:
            # Less is given only by a snapshot as fresh as for a refusal.
            self._chooser.undo(chosen)
            attempt.wants_fresh = True
            chosen = await choose(fresh=True)
        return chosen

    async def _submit(self, attempt: Attempt) -> Hold | None:
        judged = attempt.judged
        row = judged.row
        exclusive = [
            unit
            for unit, quantity in zip(judged.units, row.quantities, strict=False)
            if quantity is None and unit[1]
        ]
        keys = tuple(exclusive)
        if row.guards is not None:
            # Two holds beside each other in one row see each other only in different batches.
            keys += tuple({(guard.resource_id, guard.seat_row) for guard in row.guards})
        answer = None
        try:
            answer = await self._committer.submit(
                PLACE_BEHIND if gives_way() else PLACE,
                row,
                keys,
                partial(
                    self._memory.refusal,
                    judged.units,
                    row.quantities,
                    row.owner,
                    self._clock.seconds,
                ),
                partial(self._note_answer, row, exclusive),
                judged.versions,
                attempt.connection,
            )
            if answer["outcome"] != "unavailable":
                if attempt.note is not None and attempt.connection is not None:
                    await note_change(attempt.connection, answer, row.hold_id, attempt.note)
                return placed_hold(answer, judged, attempt.request)
            for number in attempt.numbers:
                self._resources.forget(number)
            attempt.state = State.PREPARE
        except _REFUSALS as refusal:
            attempt.error = refusal
            attempt.state = State.REFUSED
            # The database knows the key. The memory knows whose a unit is, but not whose a pool.
            attempt.may_be_repeat = answer is None and isinstance(refusal, SoldOut)
        return None

    async def _submit_undone(self, attempt: Attempt, connection: Connection) -> Hold | None:
        """Submits what may be tried otherwise in the same transaction. Where it is refused it lets
        go of all that it locked: the next try locks in the order of the keys again, and who has
        what that needs may be waiting for what this one had."""
        with suppress(*_REFUSALS):
            async with savepoint(connection):
                hold = await self._submit(attempt)
                if attempt.state is State.REFUSED and attempt.error is not None:
                    raise attempt.error
                return hold
        return None

    def _note_answer(
        self, request: HoldRequestRow, exclusive: Sequence[Unit], answer: Record
    ) -> None:
        """Notes what an answer says about the time, and about what is taken."""
        self._clock.observe(answer["answered_at"])
        if answer["outcome"] == "held":
            until = answer["answered_at"].timestamp() + request.hold_seconds
            self._memory.remember(exclusive, UnitState.HELD, until, request.owner)
            self._snapshots.mark_taken(exclusive, TakenClaims(UnitState.HELD, until))
        elif answer["outcome"] == "taken":
            for conflict in raw_conflicts(answer["details"]):
                unit = (conflict.resource_id, conflict.unit)
                if conflict.state != SHORT:
                    self._memory.remember(
                        (unit,), UnitState(conflict.state), conflict.until, conflict.owner
                    )
                elif conflict.available is not None and conflict.available <= 0:
                    self._memory.remember((unit,), _SOLD_OUT, None, None)

    async def _placed_before(self, attempt: Attempt) -> Hold:
        """The hold that the request's key placed before, even where its resource has closed or
        changed since; raises the error if there is none."""
        hold = await self._placed_keys.find(attempt.request, attempt.connection)
        if hold is None:
            raise attempt.error or InternalError("no error")
        return hold
