"""Choosing for lines that leave a choice open (the best seats, any room), and giving less where
less will do. What is chosen is marked in the pictures at once, so that requests which are on their
way together choose different units.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec import UNSET

from bespeak import ids
from bespeak.clock import DatabaseClock
from bespeak.errors import BespeakError, NotOnSale, NotTogether, SoldOut
from bespeak.inventory.conflicts import Conflict
from bespeak.inventory.lines import Line
from bespeak.inventory.snapshot import TakenClaims
from bespeak.inventory.resources import ReadyResource
from bespeak.reservations.costs import bare_line
from bespeak.reservations.judge import JudgedRequest, sale_context, resource_in
from bespeak.reservations.memory import Unit
from bespeak.reservations.own_claims import OwnClaims
from bespeak.reservations.snapshots import SnapshotCache
from bespeak.reservations.shown_conflicts import tell_line
from bespeak.states import UnitState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_KEPT_SECONDS = 1.0
_IN_FLIGHT_SECONDS = 5.0
_NEXT = "next"  # how the database names numbers that are short


class ChosenLines(NamedTuple):
    """Lines without a choice; for each the place of the line that it fulfils; the units that were
    chosen for them, and the pools they draw from; and what of the lines could not be given."""

    lines: list[Line]
    origins: list[int]
    units: list[Unit]
    pools: list[Unit]
    missing: list[Line]


class Attempt:
    """Where an attempt stands: the lines that are left, what is missing of them, whether it wants
    fresh pictures, whether single seats are guarded, how often it lost."""

    __slots__ = ("fresh", "guarded", "lines", "missing", "tries")

    def __init__(
        self, lines: list[Line], missing: list[Line], *, fresh: bool, guarded: bool
    ) -> None:
        self.lines = lines
        self.missing = missing
        self.fresh = fresh
        self.guarded = guarded
        self.tries = 0


class Chooser:
    """Chooses for one process."""

    def __init__(self, snapshots: SnapshotCache, clock: DatabaseClock) -> None:
        self._pictures = snapshots
        self._clock = clock

    async def choose(
        self,
        lines: Sequence[Line],
        ready_resources: Mapping[int, ReadyResource],
        connection: Connection | None,
        *,
        partial: bool,
        fresh: bool,
    ) -> ChosenLines:
        """Lines that leave nothing open, in the order of those that they fulfil. The caller lets
        the units go with `land`.

        Raises SoldOut, NotTogether, NotOnSale, InvalidRequest, UnknownUnit, ResourceNotFound; with
        `partial` only where nothing at all is left of the lines.
        """
        used = [
            resource_in(ready_resources, ids.parse_resource(line.resource_id)) for line in lines
        ]
        plain = [bare_line(line, ready) for line, ready in zip(lines, used, strict=True)]
        open_places = [
            place
            for place, (ready, line) in enumerate(zip(used, plain, strict=True))
            if ready.plan.is_open(line)
        ]
        found = [[line] for line in lines]
        chosen = ChosenLines([], [], [], [], [])
        refusal: BespeakError | None = None
        own = self._named(plain, used, open_places)
        try:
            for place in open_places:
                try:
                    found[place] = await self._choose_line(
                        plain[place], used[place], connection, chosen, own, partial, fresh
                    )
                    if plain[place] is not lines[place]:
                        found[place] = [
                            msgspec.structs.replace(one, code=lines[place].code)
                            for one in found[place]
                        ]
                except BespeakError as error:
                    tell_line(error, place)
                    if not (partial and isinstance(error, SoldOut | NotTogether | NotOnSale)):
                        raise
                    refusal = refusal or error
                    found[place] = []
            if refusal is not None and not any(found):
                raise refusal
        except BaseException:
            self.undo(chosen)
            raise
        for place, ones in enumerate(found):
            chosen.lines.extend(ones)
            chosen.origins.extend([place] * len(ones))
        for place in open_places:
            chosen.missing.extend(_lacking(lines[place], found[place]))
        return chosen

    def _named(
        self, lines: Sequence[Line], used: Sequence[ReadyResource], open_places: Sequence[int]
    ) -> OwnClaims:
        """What the lines without a choice take, which is not there for the others to choose."""
        own = OwnClaims()
        if open_places:
            for place, (ready, line) in enumerate(zip(used, lines, strict=True)):
                if place not in open_places:
                    with suppress(BespeakError):  # whoever judges the line says so
                        needs = ready.plan.line_claims(
                            line, sale_context(ready, self._clock.now())
                        ).needs
                        own.take(ready.number, needs)
        return own

    async def _choose_line(
        self,
        line: Line,
        ready: ReadyResource,
        connection: Connection | None,
        chosen: ChosenLines,
        own: OwnClaims,
        partial: bool,
        fresh: bool,
    ) -> list[Line]:
        sale = sale_context(ready, self._clock.now())
        watched = ready.plan.watched(line, sale)
        age_max = self._pictures.fresh_seconds if fresh else _KEPT_SECONDS
        snapshot = await self._pictures.read(ready.number, watched, connection, age_max=age_max)
        with own.seen_in(snapshot, ready.number):
            found = ready.plan.choose(line, snapshot, sale, partial=partial)
        # No await since the picture was read: the next request sees these as taken.
        until = TakenClaims(UnitState.HELD, self._clock.seconds() + _IN_FLIGHT_SECONDS)
        for one in found:
            needs = ready.plan.line_claims(one, sale).needs
            names = [need.unit for need in needs if need.quantity is None and need.unit]
            snapshot.mark(names, until)
            own.take(ready.number, needs, snapshot)
            for need in needs:
                if need.quantity is not None:
                    snapshot.draw(need.unit, need.quantity)
                    chosen.pools.append((ready.number, need.unit))
            units = [(ready.number, name) for name in names]
            self._pictures.fly(units)
            chosen.units.extend(units)
        return found

    def undo(self, chosen: ChosenLines) -> None:
        """Lets a choice go that nobody will ask for."""
        self.land(chosen.units)
        self._pictures.forget((*chosen.units, *chosen.pools))

    def land(self, units: Sequence[Unit]) -> None:
        """Lets chosen units go that are on their way no more."""
        self._pictures.land(units)

    def lost(self, units: Sequence[Unit], conflicts: Sequence[Conflict]) -> None:
        """Learns from a refusal: what stood in the way is taken, the rest of the choice is not."""
        self._pictures.forget(units)
        for conflict in conflicts:
            if conflict.state != "short" and conflict.unit is not None:
                until = None if conflict.until is None else conflict.until.timestamp()
                taken = TakenClaims(UnitState(conflict.state), until)
                number = ids.parse_resource(conflict.resource_id)
                self._pictures.learn(number, [conflict.unit], taken)


def _lacking(line: Line, found: Sequence[Line]) -> list[Line]:
    """What of a line its choice does not fulfil."""
    wanted = line.best.quantity if line.best is not UNSET else line.quantity or 1
    got = sum(one.quantity or 1 for one in found)
    if got >= wanted:
        return []
    if line.best is not UNSET:
        best = msgspec.structs.replace(line.best, quantity=wanted - got)
        return [msgspec.structs.replace(line, best=best)]
    return [msgspec.structs.replace(line, quantity=wanted - got)]


class Reduced(NamedTuple):
    """Lines of which so much is left as conflicts allow, and what is missing of each."""

    lines: list[Line]
    missing: list[Line]


def reduce_lines(
    lines: Sequence[Line],
    judged: JudgedRequest,
    origins: Sequence[int],
    conflicts: Sequence[Conflict],
) -> Reduced:
    """The lines without what stands in the way: an exclusive claim in conflict takes its whole line
    away, a pool that is short as many of the line as it lacks; of numbers those that are left."""
    taken = {(c.resource_id, c.unit) for c in conflicts if c.state != "short"}
    left = {(c.resource_id, c.unit): c.available or 0 for c in conflicts if c.state == "short"}
    kept = [_wanted(line) for line in lines]
    for meant, place in enumerate(origins):
        claims = _claims_of(judged, meant)
        if any(unit in taken for unit, _ in claims):
            kept[place] = 0
            continue
        short = [(unit, each) for unit, each in claims if unit in left]
        kept[place] = min([kept[place], *(left[unit] // each for unit, each in short)])
        for unit, each in short:
            left[unit] -= kept[place] * each
    reduced, missing = [], []
    for line, quantity in zip(lines, kept, strict=True):
        wanted = _wanted(line)
        if quantity == wanted:
            reduced.append(line)
            continue
        if quantity > 0:
            reduced.append(_of(line, quantity))
        missing.append(_of(line, wanted - quantity))
    return Reduced(reduced, missing)


def _wanted(line: Line) -> int:
    return line.next if line.next is not UNSET else line.quantity or 1


def _of(line: Line, quantity: int) -> Line:
    """The line of so many."""
    if line.next is not UNSET:
        return msgspec.structs.replace(line, next=quantity)
    if line.quantity is None:
        return line
    return msgspec.structs.replace(line, quantity=quantity)


def _claims_of(judged: JudgedRequest, meant: int) -> list[tuple[tuple[str, str], int]]:
    """The claims of one line, as conflicts name them, and how many of it each one of the line
    draws. The numbers of a line are one shortage, told once."""
    line = judged.lines[meant]
    if line.next is not UNSET:
        return [((line.resource_id, _NEXT), 1)]
    mine = judged.meant[meant] if judged.meant else [(meant, line.quantity or 1)]
    of_one = line.quantity or 1
    found = []
    for index, quantity in mine:
        number, unit = judged.claims[index].unit
        found.append(((ids.show_resource(number), unit), max(1, quantity // of_one)))
    return found


def lost_numbers(
    lines: Sequence[Line], judged: JudgedRequest, conflicts: Sequence[Conflict]
) -> bool:
    """Whether all that was lost are numbers that the database gave while others named them: it
    gives others the next time."""
    given = {line.resource_id for line in lines if line.next is not UNSET}
    named = {(ids.show_resource(claim.unit[0]), claim.unit[1]) for claim in judged.claims}
    return bool(given and conflicts) and all(
        one.resource_id in given
        and one.state != "short"
        and (one.resource_id, one.unit) not in named
        for one in conflicts
    )
