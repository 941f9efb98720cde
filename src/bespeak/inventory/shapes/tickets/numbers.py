"""The numbers of a plan of tickets: how they are written, which are taken."""

from __future__ import annotations

from bespeak.inventory.plans import TakenUnit, taken_unit
from bespeak.inventory.shapes.tickets.plan import NUMBER_MAX, TicketsPlan
from bespeak.inventory.snapshot import Snapshot


class TicketNumbers:
    """The numbers of one plan."""

    def __init__(self, plan: TicketsPlan) -> None:
        self.plan = plan
        self.end = plan.first + plan.count

    def unit(self, number: int) -> str:
        return f"{self.plan.prefix}{number}"

    def number_of(self, unit: str) -> int | None:
        """The number that a unit carries, or None: it is none of this plan."""
        prefix = self.plan.prefix
        digits = unit[len(prefix) :]
        if not unit.startswith(prefix) or not (digits.isascii() and digits.isdecimal()):
            return None
        if len(digits) > len(str(NUMBER_MAX)) or (digits[0] == "0" and digits != "0"):
            return None
        number = int(digits)
        return number if self.plan.first <= number < self.end else None

    def taken(self, snapshot: Snapshot, now: float) -> dict[int, TakenUnit]:
        """The numbers that are taken at this time, in order."""
        found: dict[int, TakenUnit] = {}
        for unit, taken in snapshot.units.items():
            number = self.number_of(unit)
            if number is not None and (taken.until is None or taken.until > now):
                found[number] = taken_unit(taken)
        return dict(sorted(found.items()))
