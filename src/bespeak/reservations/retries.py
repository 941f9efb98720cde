"""Whether a refused hold may be tried again: by another choice where the engine chose, by less
where less will do, or with a single seat left where the room's rule is lenient.
"""

from __future__ import annotations

from collections.abc import Sequence

from bespeak import ids
from bespeak.clock import DatabaseClock
from bespeak.errors import BespeakError, OrphanSeat
from bespeak.refusals import SHORT, Conflict
from bespeak.reservations.attempt import Attempt, State
from bespeak.reservations.choice import ChosenLines, LineChooser
from bespeak.reservations.ready_resources import ResourceCache
from bespeak.reservations.reduction import lost_numbers, reduce_lines
from bespeak.reservations.snapshots import SnapshotCache

_ORPHAN_LOSSES_MAX = 4


class Retries:
    """Prepares refused holds for another attempt, for one process."""

    def __init__(
        self,
        resources: ResourceCache,
        snapshots: SnapshotCache,
        chooser: LineChooser,
        clock: DatabaseClock,
    ) -> None:
        self._resources = resources
        self._snapshots = snapshots
        self._chooser = chooser
        self._clock = clock

    async def next_state(self, attempt: Attempt, refusal: BespeakError) -> State:
        """How a refused attempt goes on. Raises the refusal where that is its end."""
        if await self._may_retry(attempt, refusal):
            return State.PREPARE
        if attempt.may_be_repeat:
            return State.INVALID
        raise refusal

    async def _may_retry(self, attempt: Attempt, refusal: BespeakError) -> bool:
        """Notes what a refusal says of what is taken, and changes the attempt to what may still be
        given; false where there is no such thing."""
        given = refusal.data.get("conflicts", ())
        conflicts = [one for one in given if isinstance(one, Conflict)]  # type: ignore[attr-defined]
        attempt.losses += 1
        if attempt.chosen is not None:
            self._chooser.note_refusal(attempt.chosen, conflicts)
        if isinstance(refusal, OrphanSeat):
            return await self._choose_without_orphan(attempt)
        return (
            self._choose_others(attempt, conflicts)
            or lost_numbers(attempt.lines, attempt.judged, conflicts)
            or _reduce(attempt, conflicts)
        )

    async def _choose_without_orphan(self, attempt: Attempt) -> bool:
        if await self._may_leave_single(attempt):
            attempt.guarded = False
            return True
        attempt.wants_fresh = True
        return bool(attempt.chosen and attempt.chosen.units) and attempt.losses < _ORPHAN_LOSSES_MAX

    async def _may_leave_single(self, attempt: Attempt) -> bool:
        """Whether the rooms' rule is lenient and finds nothing better than these seats."""
        if not attempt.guarded:
            return False
        for number, _ in attempt.judged.versions:
            ready = self._resources.peek(number)
            if ready is None or not ready.plan.guards_seats:
                continue
            units = [name for home, name in attempt.judged.units if home == number]
            snapshot = await self._snapshots.read_whole(
                number, attempt.connection, seconds=self._snapshots.fresh_seconds
            )
            if not ready.plan.lenient_allows(units, snapshot, self._clock.seconds()):
                return False
        return True

    def _choose_others(self, attempt: Attempt, conflicts: Sequence[Conflict]) -> bool:
        """Whether all that is in conflict was chosen, so that another choice may do."""
        chosen = attempt.chosen
        if chosen is None or not chosen.all_units or _not_chosen(chosen, conflicts):
            return False
        # Conflicts tell which units are taken, but not how far pools are drawn; and where others
        # take faster than conflicts tell, the snapshot is read anew.
        attempt.wants_fresh = attempt.losses > 1 or any(one.state == SHORT for one in conflicts)
        if attempt.wants_fresh:
            for number in {number for number, _ in chosen.all_units}:
                self._snapshots.forget_wrong(number)
        return True


def _not_chosen(chosen: ChosenLines, conflicts: Sequence[Conflict]) -> list[Conflict]:
    own = {(ids.show_resource(number), unit) for number, unit in chosen.all_units}
    return [one for one in conflicts if (one.resource_id, one.unit) not in own]


def _reduce(attempt: Attempt, conflicts: Sequence[Conflict]) -> bool:
    """Whether less of the lines may be given. What was chosen and lost is chosen again; of what was
    named there is less."""
    chosen = attempt.chosen
    if not attempt.request.partial or chosen is None:
        return False
    others = _not_chosen(chosen, conflicts)
    reduced = reduce_lines(attempt.lines, attempt.judged, chosen.origins, others)
    if not reduced.lines or not reduced.missing:
        return False
    attempt.wants_fresh = attempt.wants_fresh or len(others) < len(conflicts)
    attempt.lines = reduced.lines
    attempt.missing = [*attempt.missing, *reduced.missing]
    return True
