"""The rules of tickets: how many numbers a line takes, or which one."""

from __future__ import annotations

from msgspec import UNSET

from bespeak.errors import InvalidRequest
from bespeak.inventory.line_checks import refuse_fields, unknown, unknown_name
from bespeak.inventory.lines import named
from bespeak.inventory.plans import CompiledPlan, LineClaims, Need, SaleContext
from bespeak.inventory.shapes.tickets.availability import TicketsReader
from bespeak.inventory.shapes.tickets.choice import NEXT_NUMBER, TicketsChooser
from bespeak.inventory.shapes.tickets.numbers import TicketNumbers
from bespeak.inventory.shapes.tickets.plan import TicketsPlan, check_plan
from bespeak.inventory.snapshot import Snapshot
from bespeak.lines import Line
from bespeak.pricing.demand import Level, Scope

_REFUSED = ("best", "code", "from_", "to")


class CompiledTickets(CompiledPlan):
    reader: TicketsReader
    chooser: TicketsChooser
    demand_scopes = frozenset(("all",))

    def __init__(self, plan: TicketsPlan) -> None:
        check_plan(plan)
        self.plan = plan
        self.exclusive_total = plan.count
        self.numbers = TicketNumbers(plan)
        self.chooser = TicketsChooser(self.numbers)
        self.reader = TicketsReader(self.numbers, self.chooser)

    def line_claims(self, line: Line, sale: SaleContext) -> LineClaims:
        """As many claims without a name as numbers are asked for, or the claim of one number."""
        refuse_fields(line, _REFUSED)
        price = sale.priced(self.plan.price)
        if line.next is UNSET:
            if line.unit is not None and self.plan.refill == "never":
                raise InvalidRequest(
                    "these numbers are handed out in order: ask for `next`", field="lines.unit"
                )
            return LineClaims(line, (self._named(line),), price)
        if line.unit is not None or line.quantity is not None:
            raise InvalidRequest(
                "`next` says how many; it goes with neither `unit` nor `quantity`",
                field="lines.next",
            )
        return LineClaims(line, (Need(NEXT_NUMBER),) * line.next, price * line.next, line.next)

    def block_needs(self, line: Line, sale: SaleContext) -> list[Need]:
        refuse_fields(line, _REFUSED)
        if line.next is not UNSET:
            raise InvalidRequest("a block names its numbers", field="lines.next")
        return [self._named(line)]

    def has(self, unit: str) -> bool:
        return self.numbers.number_of(unit) is not None

    def level(self, scope: Scope, snapshot: Snapshot, sale: SaleContext) -> Level:
        taken = self.numbers.taken(snapshot, sale.now.timestamp())
        return Level(len(taken), self.plan.count)

    def _named(self, line: Line) -> Need:
        if line.unit is None:
            raise InvalidRequest(
                "this line must say how many numbers it wants, as `next`", field="lines.next"
            )
        unit = named(line)
        if self.numbers.number_of(unit) is None:
            raise unknown_name(line)
        if line.quantity is not None:
            raise unknown(line, "it is a single unit: leave the quantity out")
        return Need(unit)
