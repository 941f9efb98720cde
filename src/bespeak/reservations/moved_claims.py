"""What a booking claims once some of it is moved: all its claims anew, so that the database takes
what is new and frees what is left by one statement. A claim keeps its place where it can;
what a stay needs more stands behind the others, before the draws from the owner's limits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from bespeak.errors import InvalidRequest, UnitTaken
from bespeak.inventory.conflicts import told
from bespeak.inventory.errors import UnitNotMovable
from bespeak.inventory.resources import ReadyResource
from bespeak.refusals import Conflict
from bespeak.states import UnitState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Record


class ClaimsAfter(NamedTuple):
    """All claims of a booking after a move, as its hold keeps them, with how many of each are
    cancelled (None: none); and the place (from 0) that each claim of before has now."""

    resources: list[int]
    units: list[str]
    quantities: list[int | None]
    cancelled: list[int] | None
    places: list[int | None]


@dataclass
class MovedClaims:
    """The claims of a booking while its moves are planned; places count from 0."""

    row: Record
    ready: ReadyResource

    def __post_init__(self) -> None:
        self._units: dict[int, str] = {}
        self._dropped: set[int] = set()
        self.added: list[str] = []

    @property
    def count(self) -> int:
        """How many claims there were, without the draws from limits."""
        hold = self.row["hold"]
        return len(hold["units"]) - int(hold["limit_lines"])

    def unit(self, place: int) -> str:
        """The claim that stands there now."""
        return str(self.row["hold"]["units"][place])

    def rename(self, place: int, unit: str) -> None:
        """That a claim is of another unit."""
        self._units[place] = unit

    def replace(self, places: Sequence[int], wanted: Iterable[str]) -> range:
        """That these claims are to be those instead. Answers the places among `added` of what had
        none left to stand in."""
        wanted = list(wanted)
        kept = {self.unit(place) for place in places}.intersection(wanted)
        open_places = [place for place in places if self.unit(place) not in kept]
        fresh = [unit for unit in wanted if unit not in kept]
        for place, unit in zip(open_places, fresh, strict=False):
            self._units[place] = unit
        self._dropped.update(open_places[len(fresh) :])
        before = len(self.added)
        self.added += fresh[len(open_places) :]
        return range(before, len(self.added))

    def after(self) -> ClaimsAfter:
        """All claims. Raises InvalidRequest, UnitTaken, UnitNotMovable."""
        self._check_own()
        hold, gone = self.row["hold"], self.row["booking"]["cancelled"]
        count, extra, number = self.count, len(self.added), self.ready.number
        kept = [place for place in range(len(hold["units"])) if place not in self._dropped]
        head = [place for place in kept if place < count]
        tail = [place for place in kept if place >= count]
        units = [self._units.get(place, hold["units"][place]) for place in kept]
        places: list[int | None] = [None] * len(hold["units"])
        for now, place in enumerate(head):
            places[place] = now
        for now, place in enumerate(tail, len(head) + extra):
            places[place] = now
        at = len(head)
        return ClaimsAfter(
            [hold["resources"][p] for p in head]
            + [number] * extra
            + [hold["resources"][p] for p in tail],
            units[:at] + self.added + units[at:],
            [hold["quantities"][p] for p in head]
            + [None] * extra
            + [hold["quantities"][p] for p in tail],
            None
            if gone is None
            else [gone[p] for p in head] + [0] * extra + [gone[p] for p in tail],
            places,
        )

    def _check_own(self) -> None:
        """That no unit comes twice among the claims of the booking, also of those that were given
        back: its record says which these were."""
        hold, gone = self.row["hold"], self.row["booking"]["cancelled"]
        new = [*self._units.values(), *self.added]
        wanted = set(new)
        if len(wanted) < len(new):
            raise InvalidRequest("two moves end at one unit", field="moves")
        taken: list[Conflict] = []
        for place, (resource, unit, quantity) in enumerate(
            zip(hold["resources"], hold["units"], hold["quantities"], strict=True)
        ):
            if place in self._units or place in self._dropped:
                continue
            if unit not in wanted or resource != self.ready.number:
                continue
            if quantity is None and gone is not None and gone[place]:
                name = self.ready.plan.shown_claim(unit, self.ready.zone).unit
                raise UnitNotMovable(
                    reason="given_back", resource_id=self.ready.resource.id, unit=name
                )
            taken.append(Conflict(self.ready.resource.id, unit, UnitState.BOOKED))
        if taken:
            raise UnitTaken(conflicts=told(taken, self.ready))
