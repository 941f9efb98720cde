"""Choosing numbers. The database does it when the hold is placed, under a lock, so that of new
numbers a later hold has the higher one; here is told which it would give. One number is as good as
another, so there are no offers.
"""

from __future__ import annotations

from collections.abc import Mapping

from bespeak.inventory.plans import Chooser, TakenUnit
from bespeak.inventory.shapes.tickets.numbers import TicketNumbers
from bespeak.inventory.snapshot import Snapshot
from bespeak.states import UnitState

NEXT_NUMBER = ""
"""The unit of a claim whose number the database gives."""
LAST_GIVEN = "next:"
"""The name under which a snapshot may tell the highest number that was given, as a pool's level."""


class TicketsChooser(Chooser):
    def __init__(self, numbers: TicketNumbers) -> None:
        self._numbers = numbers

    def left(self, taken: Mapping[int, TakenUnit], snapshot: Snapshot) -> tuple[int, int | None]:
        """How many numbers can be handed out, and the first of them. The taken ones are in
        order."""
        plan = self._numbers.plan
        start = plan.first
        if plan.refill == "never":
            given = [number for number, one in taken.items() if one.state != UnitState.BLOCKED]
            last = snapshot.pools.get(LAST_GIVEN, start - 1)
            start = max(start, last + 1, given[-1] + 1 if given else start)
        left = max(0, self._numbers.end - start) - sum(number >= start for number in taken)
        following = start
        while following in taken:
            following += 1
        return left, following if left > 0 else None
