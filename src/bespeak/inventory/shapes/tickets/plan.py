"""Tickets: numbers that are handed out in order, none twice, as the tokens of a clinic are. The
database gives a number when the hold is placed, under a lock, so that of new numbers a later hold
has the higher one; the rule here says which numbers there are, and which could come next.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta

from bespeak.errors import InvalidRequest, UnknownUnit
from bespeak.inventory.bounds import check_bounds, nonsense
from bespeak.inventory.plans import (
    RESERVED_PREFIXES,
    SOLD_OUT,
    AvailabilityQuery,
    CompiledPlan,
    LineClaims,
    Need,
    SaleContext,
    TakenUnit,
    unknown,
)
from bespeak.inventory.lines import QUANTITY_MAX, Line, named
from bespeak.inventory.snapshot import Snapshot
from bespeak.inventory.shapes.seats.plan import NAME_PATTERN, NAME_SCHEMA
from bespeak.pricing.demand import Level, Scope
from bespeak.states import UnitState

NEXT_NUMBER = ""
"""The unit of a claim whose number the database gives."""
LAST_GIVEN = "next:"
"""The name under which a picture may tell the highest number that was given, as a pool's level."""
_REFILL_MAX = 10_000
_NUMBER_MAX = 999_999_999

TicketPrice = Annotated[int, Meta(ge=0, le=1_000_000_000_000)]
TicketPrefix = Annotated[
    str, Meta(max_length=20, pattern=NAME_PATTERN, extra_json_schema=NAME_SCHEMA)
]


class TicketsPlan(
    msgspec.Struct,
    frozen=True,
    cache_hash=True,
    omit_defaults=True,
    tag="tickets",
    forbid_unknown_fields=True,
):
    """`count` numbers from `first` on; the unit of each is the prefix and the number. With `refill`
    freed, numbers that are free again are handed out again, lowest first; with never, they are
    gone. One costs `price` in minor units (absent: the resource's own)."""

    count: Annotated[int, Meta(ge=1, le=100_000)]
    first: Annotated[int, Meta(ge=0, le=_NUMBER_MAX)] = 1
    refill: Literal["never", "freed"] = "freed"
    prefix: TicketPrefix = ""
    price: TicketPrice | None = None


class TicketsAvailability(
    msgspec.Struct, frozen=True, kw_only=True, tag="tickets", omit_defaults=True
):
    """Which numbers are taken; one that is absent is free. `left` is how many can be handed out,
    and `next` the unit that would come first, if nobody is quicker; `reason` says why as many as
    were asked for cannot be had. `version` changes with every event."""

    resource_id: str
    version: str
    count: int
    left: int
    price: int
    taken: dict[str, TakenUnit]
    next: str | None = None
    reason: str | None = None


class CompiledTickets(CompiledPlan):
    """A plan of tickets made ready."""

    demand_scopes = frozenset(("all",))

    def __init__(self, plan: TicketsPlan) -> None:
        _check(plan)
        self.plan = plan
        self.exclusive_total = plan.count
        self._end = plan.first + plan.count

    def line_claims(self, line: Line, sale: SaleContext) -> LineClaims:
        """As many claims without a name as numbers are asked for, or the claim of one number.

        Raises UnknownUnit, and InvalidRequest for a line that this plan does not take.
        """
        _refuse_range(line)
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
        """The claim of one number. Raises UnknownUnit, InvalidRequest."""
        _refuse_range(line)
        if line.next is not UNSET:
            raise InvalidRequest("a block names its numbers", field="lines.next")
        return [self._named(line)]

    def has(self, unit: str) -> bool:
        """Whether it is one of the numbers, as it is written."""
        return self.number_of(unit) is not None

    def number_of(self, unit: str) -> int | None:
        """The number that a unit carries, or None: it is none of this plan."""
        prefix = self.plan.prefix
        digits = unit[len(prefix) :]
        if not unit.startswith(prefix) or not (digits.isascii() and digits.isdecimal()):
            return None
        if len(digits) > len(str(_NUMBER_MAX)) or (digits[0] == "0" and digits != "0"):
            return None
        number = int(digits)
        return number if self.plan.first <= number < self._end else None

    def level(self, scope: Scope, snapshot: Snapshot, sale: SaleContext) -> Level:
        """How many numbers are taken."""
        return Level(len(self._live(snapshot, sale.now.timestamp())), self.plan.count)

    def availability_units(self, query: AvailabilityQuery, sale: SaleContext) -> list[str] | None:
        """All of them. Raises InvalidRequest, UnknownUnit."""
        self._check_query(query, sale)
        return None

    def availability(
        self, query: AvailabilityQuery, snapshot: Snapshot, sale: SaleContext
    ) -> TicketsAvailability:
        """The sparse map, or the state of one `unit`. Raises InvalidRequest, UnknownUnit."""
        self._check_query(query, sale)
        live = self._live(snapshot, sale.now.timestamp())
        left, following = self._ahead(live, snapshot)
        return TicketsAvailability(
            resource_id=sale.resource_id,
            version=snapshot.version,
            count=self.plan.count,
            left=left,
            price=sale.priced(self.plan.price),
            taken={
                unit: taken
                for number, taken in live.items()
                if (unit := self._unit(number)) == (query.unit or unit)
            },
            next=None if following is None else self._unit(following),
            reason=SOLD_OUT if left < query.quantity else None,
        )

    def _unit(self, number: int) -> str:
        return f"{self.plan.prefix}{number}"

    def _live(self, snapshot: Snapshot, now: float) -> dict[int, TakenUnit]:
        """The numbers that are taken at this time, in order."""
        found: dict[int, TakenUnit] = {}
        for unit, taken in snapshot.units.items():
            number = self.number_of(unit)
            if number is not None and (taken.until is None or taken.until > now):
                until = None if taken.until is None else datetime.fromtimestamp(taken.until, UTC)
                found[number] = TakenUnit(taken.state, until)
        return dict(sorted(found.items()))

    def _ahead(self, live: dict[int, TakenUnit], snapshot: Snapshot) -> tuple[int, int | None]:
        """How many numbers can be handed out, and the first of them."""
        start = self.plan.first
        if self.plan.refill == "never":
            given = [number for number, one in live.items() if one.state != UnitState.BLOCKED]
            last = snapshot.pools.get(LAST_GIVEN, start - 1)
            start = max(start, last + 1, given[-1] + 1 if given else start)
        left = max(0, self._end - start) - sum(number >= start for number in live)
        following = start
        while following in live:
            following += 1
        return left, following if left > 0 else None

    def _named(self, line: Line) -> Need:
        """The claim of a line that names one number. Raises UnknownUnit, InvalidRequest."""
        if line.unit is None:
            raise InvalidRequest(
                "this line must say how many numbers it wants, as `next`", field="lines.next"
            )
        unit = named(line)
        if self.number_of(unit) is None:
            if not unit.isprintable():
                raise InvalidRequest("a unit's name has no control characters", field="lines")
            raise unknown(line)
        if line.quantity is not None:
            raise unknown(line, "it is a single unit: leave the quantity out")
        return Need(unit)

    def _check_query(self, query: AvailabilityQuery, sale: SaleContext) -> None:
        if query.from_ is not None or query.to is not None:
            raise InvalidRequest("numbers have no range", field="from")
        if not 1 <= query.quantity <= QUANTITY_MAX:
            raise InvalidRequest(f"a quantity is 1 to {QUANTITY_MAX}", field="quantity")
        if query.unit is not None and not self.has(query.unit):
            raise UnknownUnit(resource_id=sale.resource_id, unit=query.unit)


def _refuse_range(line: Line) -> None:
    """Raises InvalidRequest for a line with a range, a choice of seats or a code."""
    for field in ("best", "code", "from_", "to"):
        if getattr(line, field) is not UNSET:
            name = field.rstrip("_")
            raise InvalidRequest(f"this resource takes no `{name}`", field=f"lines.{name}")


def _check(plan: TicketsPlan) -> None:
    """Raises InvalidRequest for a plan that makes no sense."""
    check_bounds(plan)
    if plan.refill == "freed" and plan.count > _REFILL_MAX:
        raise nonsense(f"more than {_REFILL_MAX} numbers are never refilled: say `refill` never")
    if plan.first + plan.count - 1 > _NUMBER_MAX:
        raise nonsense(f"its last number is beyond {_NUMBER_MAX}")
    if f"{plan.prefix}0".startswith(RESERVED_PREFIXES):
        raise nonsense(f"{plan.prefix!r} begins with a reserved word")
