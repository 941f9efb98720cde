"""The rooms that a changed stay had before, which are tried first for its new nights. One that
cannot be had is given up, and chosen anew; the others stay where they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from bespeak import ids
from bespeak.errors import BespeakError, UnknownUnit
from bespeak.inventory.conflicts import told
from bespeak.inventory.resources import ReadyResource
from bespeak.lines import Line
from bespeak.refusals import Conflict, all_of
from bespeak.reservations.lines import BookedLine
from bespeak.reservations.request import HoldRequest
from bespeak.reservations.stay_changes import ChangedStay, is_gone

NOT_BEFORE = UnknownUnit
"""Who was booked may not give what is wanted now: no wish of the caller's, so another is tried."""


class RoomsOfBefore:
    """For each line of a request that leaves it open the unit of before, by the line's index: the
    lines of a resource have those of the booking's lines of it, in their order. What is free is
    known of no booking's own nights, so they are given up only where a refusal is about them."""

    def __init__(self, request: HoldRequest, instead: ChangedStay) -> None:
        self._asked = request.lines
        self._rooms = _rooms_of(request.lines, instead)

    @property
    def are_tried(self) -> bool:
        """Whether some of them are left, which a refusal may give up."""
        return bool(self._rooms)

    @property
    def lines(self) -> list[Line]:
        """The lines of the request, in these rooms."""
        replace = msgspec.structs.replace
        return [
            replace(line, unit=self._rooms[index]) if index in self._rooms else line
            for index, line in enumerate(self._asked)
        ]

    def give_up(
        self, refusal: BespeakError, resource_of: Callable[[int], ReadyResource | None]
    ) -> None:
        """Gives up those that a refusal is about. Where it is about none of them, other rooms will
        not do either: all are given up, and the refusal of what was asked is told."""
        for index in self._lost_by(refusal, resource_of) or list(self._rooms):
            del self._rooms[index]

    def _lost_by(
        self, refusal: BespeakError, resource_of: Callable[[int], ReadyResource | None]
    ) -> set[int]:
        about = refusal.data.get("line")
        if isinstance(about, int):
            return {about} & self._rooms.keys()
        by_resource: dict[str, list[Conflict]] = {}
        for conflict in all_of(Conflict, refusal.data.get("conflicts")):
            by_resource.setdefault(conflict.resource_id, []).append(conflict)
        lost: set[int] = set()
        for resource_id, conflicts in by_resource.items():
            ready = resource_of(ids.parse_resource(resource_id))
            shown = conflicts if ready is None else told(conflicts, ready)
            units = {one.unit for one in shown}
            own = {at for at in self._rooms if self._asked[at].resource_id == resource_id}
            lost |= {at for at in own if self._rooms[at] in units} or own
        return lost


def _rooms_of(lines: Sequence[Line], instead: ChangedStay) -> dict[int, str]:
    booked = [one for one in instead.booking.lines if not is_gone(one)]
    had = {(one.resource_id, one.unit) for one in booked}
    # A room of before that a line names is that line's, wherever it stands.
    named = {(line.resource_id, line.unit) for line in lines if line.unit is not None} & had
    before: dict[str, list[BookedLine]] = {}
    for one in booked:
        if (one.resource_id, one.unit) not in named:
            before.setdefault(one.resource_id, []).append(one)
    rooms: dict[int, str] = {}
    for index, line in enumerate(lines):
        olds = before.get(line.resource_id)
        if not olds or (line.resource_id, line.unit) in named:
            continue
        old = olds.pop(0)
        is_one = line.quantity in (None, 1) or old.quantity is not None
        if line.unit is None and old.unit is not None and is_one:
            rooms[index] = old.unit
    return rooms
