"""Which numbers are taken, and which comes next."""

from __future__ import annotations

from bespeak.errors import UnknownUnit
from bespeak.inventory.line_checks import check_query
from bespeak.inventory.plans import (
    SOLD_OUT,
    Availability,
    AvailabilityQuery,
    AvailabilityReader,
    SaleContext,
    TakenUnit,
    UnavailableReason,
)
from bespeak.inventory.shapes.tickets.choice import TicketsChooser
from bespeak.inventory.shapes.tickets.numbers import TicketNumbers
from bespeak.inventory.snapshot import Snapshot


class TicketsAvailability(Availability, frozen=True, kw_only=True, tag="tickets"):
    """Which numbers are taken; one that is absent is free. `left` is how many can be handed out,
    and `next` the unit that would come first, if nobody is quicker; `reason` says why as many as
    were asked for cannot be had. `version` changes with every event."""

    count: int
    left: int
    price: int
    taken: dict[str, TakenUnit]
    next: str | None = None
    reason: UnavailableReason | None = None


class TicketsReader(AvailabilityReader):
    def __init__(self, numbers: TicketNumbers, chooser: TicketsChooser) -> None:
        self._numbers = numbers
        self._chooser = chooser

    def units(self, query: AvailabilityQuery, sale: SaleContext) -> None:
        check_query(query, without_range="numbers")
        if query.unit is not None and self._numbers.number_of(query.unit) is None:
            raise UnknownUnit(resource_id=sale.resource_id, unit=query.unit)

    def answer(
        self, query: AvailabilityQuery, snapshot: Snapshot, sale: SaleContext
    ) -> TicketsAvailability:
        """The sparse map, or the state of one `unit`."""
        self.units(query, sale)
        numbers = self._numbers
        taken = numbers.taken(snapshot, sale.now.timestamp())
        left, following = self._chooser.left(taken, snapshot)
        return TicketsAvailability(
            resource_id=sale.resource_id,
            version=snapshot.version,
            count=numbers.plan.count,
            left=left,
            price=sale.priced(numbers.plan.price),
            taken={
                unit: one
                for number, one in taken.items()
                if (unit := numbers.unit(number)) == (query.unit or unit)
            },
            next=None if following is None else numbers.unit(following),
            reason=SOLD_OUT if left < query.quantity else None,
        )
