"""An inventory in memory, which grants and refuses as the database does: the tests of plans hold
what these show against it.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from bespeak import Line
from bespeak.inventory.plans import CompiledPlan, Need, SaleContext
from bespeak.inventory.snapshot import Snapshot, TakenClaims
from bespeak.states import UnitState

RESOURCE = "res_00000001"
NOW = datetime(2026, 11, 22, 9, 0, tzinfo=UTC)
SALE = SaleContext(NOW, ZoneInfo("UTC"), RESOURCE, 100)
BOOKED = TakenClaims(UnitState.BOOKED, None)


class Ledger:
    """What is taken of one resource."""

    def __init__(self, plan: CompiledPlan, sale: SaleContext = SALE) -> None:
        self.plan = plan
        self.sale = sale
        self.picture = Snapshot(now=sale.now.timestamp())

    def fits(self, lines: Sequence[Line]) -> bool:
        """Whether one hold with these lines would be granted. Raises what their meant does."""
        return self._fit([need for line in lines for need in self._needs(line)])

    def hold(self, lines: Sequence[Line], taken: TakenClaims = BOOKED) -> bool:
        """Grants a hold with these lines, or refuses it."""
        return self.take([need for line in lines for need in self._needs(line)], taken)

    def take(self, needs: Sequence[Need], taken: TakenClaims = BOOKED) -> bool:
        """Grants these claims, or refuses all of them."""
        if not self._fit(needs):
            return False
        self.picture.mark([need.unit for need in needs if need.quantity is None], taken)
        for need in needs:
            if need.quantity is not None:
                self.picture.draw(need.unit, need.quantity)
        return True

    def _needs(self, line: Line) -> Sequence[Need]:
        return self.plan.line_claims(line, self.sale).needs

    def _fit(self, needs: Sequence[Need]) -> bool:
        drawn: Counter[str] = Counter()
        capacities: dict[str, int] = {}
        units = [need.unit for need in needs if need.quantity is None]
        for need in needs:
            assert self.plan.has(need.unit)
            if need.quantity is not None:
                assert need.capacity is not None
                assert capacities.setdefault(need.unit, need.capacity) == need.capacity
                drawn[need.unit] += need.quantity
        now = self.sale.now.timestamp()
        return (
            len(set(units)) == len(units)
            and all(self.picture.taken(unit, now) is None for unit in units)
            and all(
                quantity <= capacities[unit] - self.picture.drawn(unit)
                for unit, quantity in drawn.items()
            )
        )
