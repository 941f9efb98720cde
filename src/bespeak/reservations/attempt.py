"""A request for a hold on its way: where it stands, and what is known of it so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING

from msgspec import UNSET

from bespeak.errors import BespeakError
from bespeak.inventory.resources import ReadyResource
from bespeak.lines import Line
from bespeak.reservations.choice import ChosenLines
from bespeak.reservations.costs import bare_line
from bespeak.reservations.judgement import JudgedRequest
from bespeak.reservations.request import HoldRequest
from bespeak.reservations.stay_changes import ChangedStay

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection


class State(Enum):
    """Where a request stands; see `placement.py`."""

    PREPARE = auto()
    SUBMIT = auto()
    REFUSED = auto()
    INVALID = auto()


class Attempt:
    """A request on its way: the lines that are left of it and what is missing; whether a choice
    wants fresh snapshots, and whether single seats are guarded; how often it was refused, and how
    last, and whether that may be a repeat's refusal; what was chosen for it, and what it was judged
    to be; the booking that it is in place of, if it is, and what is noted of that."""

    __slots__ = (
        "chosen",
        "connection",
        "error",
        "guarded",
        "instead",
        "judged",
        "lines",
        "losses",
        "may_be_repeat",
        "missing",
        "note",
        "numbers",
        "request",
        "state",
        "wants_fresh",
    )

    def __init__(
        self,
        request: HoldRequest,
        numbers: list[int],
        connection: Connection | None,
        lines: Sequence[Line] | None = None,
        instead: ChangedStay | None = None,
    ) -> None:
        self.request = request
        self.numbers = numbers
        self.connection = connection
        self.lines: Sequence[Line] = request.lines if lines is None else lines
        self.missing: Sequence[Line] = ()
        self.wants_fresh = False
        self.guarded = True
        self.losses = 0
        self.may_be_repeat = False
        self.state = State.PREPARE
        self.error: BespeakError | None = None
        self.chosen: ChosenLines | None = None
        self.judged: JudgedRequest
        self.instead = instead
        self.note: bytes | None = None

    @property
    def may_lose(self) -> bool:
        """Whether, where it is refused, something else may be tried: other units than were chosen,
        other numbers, seats that leave one single."""
        row = self.judged.row
        return self.chosen is not None or row.guards is not None or None in row.units

    def leaves_choice(self, resources: Mapping[int, ReadyResource]) -> bool:
        """Whether something of it is to be chosen: the best seats, any room."""
        lines = self.request.lines if self.instead is None else self.lines
        for number, line in zip(self.numbers, lines, strict=True):
            ready = resources[number]
            if ready.plan.is_open(line if line.code is UNSET else bare_line(line, ready)):
                return True
        return False
