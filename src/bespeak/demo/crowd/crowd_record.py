"""The crowd's own books: who was given what, kept without asking the server, so that a seat given
to two buyers at once shows even if the server's count says otherwise.
"""

from __future__ import annotations

from bespeak.demo.crowd.seats import Lines


class CrowdRecord:
    """Who has what, by what the buyers were told. Times are seconds of one monotonic clock.

    An entry is struck before its release is sent, and counts only until the hold can have expired,
    so that what is found here twice was truly had by two at once.
    """

    def __init__(self, capacities: dict[str, int]) -> None:
        self._capacities = capacities
        self._holders: dict[str, tuple[str, float | None]] = {}
        self._drawn: dict[str, dict[str, tuple[int, float | None]]] = {}
        self.double_sold: list[str] = []
        self.confirmed_seats = 0

    def grant(self, owner: str, lines: Lines, now: float, until: float) -> None:
        """The owner was given a hold on these until then."""
        for unit, quantity in lines:
            if quantity is not None:
                self._draw(owner, unit, quantity, now, until)
                continue
            holder = self._holders.get(unit)
            if holder is not None and (holder[1] is None or holder[1] > now):
                self.double_sold.append(unit)
            self._holders[unit] = (owner, until)

    def confirm(self, owner: str, lines: Lines) -> None:
        """The owner's hold is a booking: it has no end."""
        for unit, quantity in lines:
            if quantity is not None:
                self._drawn.setdefault(unit, {})[owner] = (quantity, None)
            else:
                self._holders[unit] = (owner, None)
                self.confirmed_seats += 1

    def cancel(self, owner: str, lines: Lines) -> None:
        """The owner has cancelled the booking of these."""
        self.strike(owner, lines)
        self.confirmed_seats -= sum(quantity is None for _, quantity in lines)

    def strike(self, owner: str, lines: Lines) -> None:
        """The owner is about to give these back, or has lost them."""
        for unit, quantity in lines:
            if quantity is not None:
                self._drawn.get(unit, {}).pop(owner, None)
            elif self._holders.get(unit, ("", None))[0] == owner:
                del self._holders[unit]

    def _draw(self, owner: str, unit: str, quantity: int, now: float, until: float) -> None:
        drawn = self._drawn.setdefault(unit, {})
        drawn[owner] = (quantity, until)
        live = sum(many for many, end in drawn.values() if end is None or end > now)
        if live > self._capacities.get(unit, 0):
            self.double_sold.append(unit)
