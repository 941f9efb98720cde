"""What a request itself takes while it chooses: the units that its other lines name, and what was
chosen for it so far. A picture does not show that, and nothing can be taken twice in one request.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from bespeak.inventory.plans import Need
from bespeak.inventory.snapshot import Snapshot, TakenClaims
from bespeak.states import UnitState


class _Own(NamedTuple):
    number: int
    need: Need
    snapshot: Snapshot | None


class OwnClaims:
    """The claims of one request, by the number of their resource."""

    def __init__(self) -> None:
        self._all: list[_Own] = []

    def take(self, number: int, needs: Sequence[Need], snapshot: Snapshot | None = None) -> None:
        """Notes claims of the request; `snapshot` is one that shows them already."""
        self._all.extend([_Own(number, need, snapshot) for need in needs if need.unit])

    @contextmanager
    def seen_in(self, snapshot: Snapshot, number: int) -> Iterator[None]:
        """Shows them in a picture for as long as there is no await, so that nobody else sees."""
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
