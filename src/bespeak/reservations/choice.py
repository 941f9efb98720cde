"""Choosing for lines that leave a choice open: the best seats, any room. What is chosen is marked
in the snapshots at once, so that requests which are on their way together choose different
units.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec import UNSET

from bespeak import ids
from bespeak.clock import DatabaseClock
from bespeak.errors import BespeakError, NotOnSale, NotTogether, SoldOut
from bespeak.inventory.plans import Need
from bespeak.inventory.resources import ReadyResource
from bespeak.inventory.snapshot import Snapshot, TakenClaims
from bespeak.lines import Line
from bespeak.parties import of_rooms
from bespeak.refusals import SHORT, Conflict
from bespeak.reservations.costs import bare_line
from bespeak.reservations.judgement import resource_in, sale_context
from bespeak.reservations.memory import Unit
from bespeak.reservations.request import name_line
from bespeak.reservations.snapshots import LIFETIME_SECONDS, SnapshotCache
from bespeak.states import UnitState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_IN_FLIGHT_SECONDS = 5.0


class ChosenLines(NamedTuple):
    """Lines without a choice; for each the index of the line that it fulfils; the units that were
    chosen for them, and the pools they draw from; and what of the lines could not be given."""

    lines: list[Line]
    origins: list[int]
    units: list[Unit]
    pools: list[Unit]
    missing: list[Line]

    @property
    def all_units(self) -> list[Unit]:
        """The units and the pools."""
        return [*self.units, *self.pools]

    def name_asked(self, error: BespeakError) -> None:
        """Says of an error about one of the chosen lines which line that was asked for it is."""
        line = error.data.get("line")
        if isinstance(line, int):
            field = error.data.get("field")
            if isinstance(field, str) and field.startswith(chosen := f"lines[{line}]"):
                error.data["field"] = f"lines{field.removeprefix(chosen)}"
            name_line(error, self.origins[line])


class LineChooser:
    """Chooses for one process."""

    def __init__(self, snapshots: SnapshotCache, clock: DatabaseClock) -> None:
        self._snapshots = snapshots
        self._clock = clock

    async def choose(
        self,
        lines: Sequence[Line],
        resources: Mapping[int, ReadyResource],
        connection: Connection | None,
        *,
        partial: bool,
        fresh: bool,
    ) -> ChosenLines:
        """Lines that leave nothing open, in the order of those that they fulfil. The caller lets
        the choice go with `release`.

        Raises SoldOut, NotTogether, NotOnSale, InvalidRequest, UnknownUnit, ResourceNotFound; with
        `partial` only where nothing at all is left of the lines.
        """
        used = [resource_in(resources, ids.parse_resource(line.resource_id)) for line in lines]
        plain = [bare_line(line, ready) for line, ready in zip(lines, used, strict=True)]
        open_lines = [
            index
            for index, (ready, line) in enumerate(zip(used, plain, strict=True))
            if ready.plan.is_open(line)
        ]
        found = [[line] for line in lines]
        chosen = ChosenLines([], [], [], [], [])
        refusal: BespeakError | None = None
        own = self._named(plain, used, open_lines)
        try:
            for index in open_lines:
                try:
                    found[index] = await self._choose_line(
                        plain[index], used[index], connection, chosen, own, partial, fresh
                    )
                    if plain[index] is not lines[index]:
                        found[index] = [
                            msgspec.structs.replace(one, code=lines[index].code)
                            for one in found[index]
                        ]
                except BespeakError as error:
                    name_line(error, index)
                    if not (partial and isinstance(error, SoldOut | NotTogether | NotOnSale)):
                        raise
                    refusal = refusal or error
                    found[index] = []
            if refusal is not None and not any(found):
                raise refusal
        except BaseException:
            self.undo(chosen)
            raise
        for index, ones in enumerate(found):
            chosen.lines.extend(ones)
            chosen.origins.extend([index] * len(ones))
        for index in open_lines:
            chosen.missing.extend(_lacking(lines[index], found[index]))
        return chosen

    def _named(
        self, lines: Sequence[Line], used: Sequence[ReadyResource], open_lines: Sequence[int]
    ) -> OwnClaims:
        """What the lines without a choice take, which is not there for the others to choose."""
        own = OwnClaims()
        if open_lines:
            for index, (ready, line) in enumerate(zip(used, lines, strict=True)):
                if index not in open_lines:
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
        seconds = self._snapshots.fresh_seconds if fresh else LIFETIME_SECONDS
        snapshot = await self._snapshots.read_for(line, ready, sale, connection, seconds=seconds)
        try:
            with own.shown_in(snapshot, ready.number):
                found = ready.plan.choose(line, snapshot, sale, partial=partial)
        except SoldOut:
            self._snapshots.note_rush(line, ready, sale)
            raise
        # No await since the snapshot was read: the next request sees these as taken.
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
            self._snapshots.add_in_flight(units)
            chosen.units.extend(units)
        return found

    def undo(self, chosen: ChosenLines) -> None:
        """Gives up a choice that will not be asked for."""
        self.release(chosen)
        self._snapshots.mark_free(chosen.all_units)

    def release(self, chosen: ChosenLines) -> None:
        """Says that a choice is not on its way to the database any more."""
        self._snapshots.remove_in_flight(chosen.units)

    def note_refusal(self, chosen: ChosenLines, conflicts: Sequence[Conflict]) -> None:
        """Notes of a refusal that the conflicts are taken, and the rest of the choice is not."""
        self._snapshots.mark_free(chosen.units)
        for conflict in conflicts:
            if conflict.state != SHORT and conflict.unit is not None:
                until = None if conflict.until is None else conflict.until.timestamp()
                unit = (ids.parse_resource(conflict.resource_id), conflict.unit)
                self._snapshots.mark_taken([unit], TakenClaims(UnitState(conflict.state), until))


class _Own(NamedTuple):
    number: int
    need: Need
    snapshot: Snapshot | None


class OwnClaims:
    """What a request itself takes while it chooses: the units that its other lines name, and what
    was chosen for it so far. A snapshot does not show that, and nothing can be taken twice in
    one request."""

    def __init__(self) -> None:
        self._all: list[_Own] = []

    def take(self, number: int, needs: Sequence[Need], snapshot: Snapshot | None = None) -> None:
        """Notes claims of the request; `snapshot` is one that shows them already."""
        self._all.extend([_Own(number, need, snapshot) for need in needs if need.unit])

    @contextmanager
    def shown_in(self, snapshot: Snapshot, number: int) -> Iterator[None]:
        """Shows them in a snapshot for as long as there is no await, so that nobody else sees."""
        mine = [
            own.need for own in self._all if own.number == number and own.snapshot is not snapshot
        ]
        units = [need.unit for need in mine if need.quantity is None]
        before = {unit: snapshot.units[unit] for unit in units if unit in snapshot.units}
        snapshot.mark(units, TakenClaims(UnitState.HELD, None))
        draws = [(need.unit, need.quantity) for need in mine if need.quantity is not None]
        for unit, quantity in draws:
            snapshot.draw(unit, quantity)
        try:
            yield
        finally:
            snapshot.unmark(units)
            for unit, taken in before.items():
                snapshot.mark([unit], taken)
            for unit, quantity in draws:
                snapshot.draw(unit, -quantity)


def _lacking(line: Line, found: Sequence[Line]) -> list[Line]:
    """What of a line its choice does not fulfil."""
    wanted = line.best.quantity if line.best is not UNSET else line.quantity or 1
    got = sum(one.quantity or 1 for one in found)
    if got >= wanted:
        return []
    if line.best is not UNSET:
        best = msgspec.structs.replace(line.best, quantity=wanted - got)
        return [msgspec.structs.replace(line, best=best)]
    return [of_rooms(line, got, wanted - got)]
