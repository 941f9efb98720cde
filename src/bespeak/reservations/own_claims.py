"""What a request itself takes while it chooses: the units that its other lines name, and what was
chosen for it so far. A picture does not show that, and nothing can be taken twice in one request.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from bespeak.inventory.compiled import Need
from bespeak.inventory.picture import Picture, Taken
from bespeak.states import UnitState


class _Own(NamedTuple):
    number: int
    need: Need
    picture: Picture | None


class OwnClaims:
    """The claims of one request, by the number of their resource."""

    def __init__(self) -> None:
        self._all: list[_Own] = []

    def take(self, number: int, needs: Sequence[Need], picture: Picture | None = None) -> None:
        """Notes claims of the request; `picture` is one that shows them already."""
        self._all.extend([_Own(number, need, picture) for need in needs if need.unit])

    @contextmanager
    def seen_in(self, picture: Picture, number: int) -> Iterator[None]:
        """Shows them in a picture for as long as there is no await, so that nobody else sees."""
        mine = [
            own.need for own in self._all if own.number == number and own.picture is not picture
        ]
        units = [need.unit for need in mine if need.quantity is None]
        before = {unit: picture.units[unit] for unit in units if unit in picture.units}
        picture.mark(units, Taken(UnitState.HELD, None))
        draws = [(need.unit, need.quantity) for need in mine if need.quantity is not None]
        for unit, quantity in draws:
            picture.draw(unit, quantity)
        try:
            yield
        finally:
            picture.unmark(units)
            for unit, taken in before.items():
                picture.mark([unit], taken)
            for unit, quantity in draws:
                picture.draw(unit, -quantity)
