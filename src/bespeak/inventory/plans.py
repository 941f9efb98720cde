"""What every plan answers, once compiled. Four questions, one rule: which units exist, which are
free and at what price, why this one is not, and which claims a line means. Each plan is a module
with its data (a struct that people write) and its rule (a subclass of CompiledPlan).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

import msgspec
from msgspec import UNSET

from bespeak.errors import InvalidRequest, UnknownUnit
from bespeak.inventory.lines import Line
from bespeak.inventory.snapshot import Snapshot
from bespeak.pricing.demand import Demand, Level, Scope

RESERVED_PREFIXES = ("owner:", "code:", "next:")
"""What no unit begins with: pools that the engine keeps beside those of the plan."""
CODE_PREFIX = "code:"
CLAIMS_MAX = 10_000
"""The most claims that one line of a hold or a block may mean."""
SOLD_OUT = "sold_out"
"""What availability says where the rules would sell, but not as many are left."""
_CHOICES = ("best", "next", "code")


class Reason(StrEnum):
    """Why a unit or a range cannot be held though nobody has it."""

    NOT_OFFERED = "not_offered"  # the plan's rules have nothing there
    CLOSED = "closed"  # stop-sell, holiday, exception
    CLOSED_TO_ARRIVAL = "closed_to_arrival"
    CLOSED_TO_DEPARTURE = "closed_to_departure"
    MIN_STAY = "min_stay"
    MAX_STAY = "max_stay"
    CUTOFF = "cutoff"  # too late: past, or within the notice
    BEYOND_WINDOW = "beyond_window"  # too early: outside of the booking window
    CODE_NEEDED = "code_needed"


class SaleContext(NamedTuple):
    """What the rule needs of the resource and the clock: the time (of the database, UTC), the
    resource's time zone and name, the price of a unit that the plan gives none, and what demand
    makes of prices, where the resource has steps for it."""

    now: datetime
    zone: ZoneInfo
    resource_id: str = ""
    price: int = 0
    demand: Demand | None = None

    def priced(
        self,
        price: int | None,
        unit: str | None = None,
        category: str | None = None,
        at: int = 0,
    ) -> int:
        """What one costs of which the plan says this price (None: that of the resource)."""
        price = self.price if price is None else price
        return price if self.demand is None else self.demand.price(price, unit, category, at)


class Need(NamedTuple):
    """One claim: an exclusive unit (no quantity), or so many of a pool of that capacity."""

    unit: str
    quantity: int | None = None
    capacity: int | None = None


class Guard(NamedTuple):
    """A seat that the hold must not leave single: `unit` is beside the seats of the hold, and
    `beyond` is its other neighbour (None: a wall or an aisle). `row` is what is locked."""

    row: str
    unit: str
    beyond: str | None


class LineClaims(NamedTuple):
    """What a line means: the line as it will be shown, its claims, the price of all of it in
    minor units, how many it counts against an owner's limit, and the seats to look after."""

    line: Line
    needs: Sequence[Need]
    amount: int
    weight: int = 1
    guards: Sequence[Guard] = ()


class PlainClaims(NamedTuple):
    """Lines that are one claim each, side by side: units, quantities and capacities as a Need has
    them, what each costs, and how many they all count against an owner's limit."""

    units: list[str]
    quantities: list[int | None]
    capacities: list[int | None]
    amounts: list[int]
    weight: int


class ShownClaim(NamedTuple):
    """A claim as people know it: its unit (None: any), and the range that it is of it, if it is
    one; claims of one unit sort by `order`."""

    unit: str | None
    from_: str | None = None
    to: str | None = None
    order: int = 0


class AvailabilityQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which part of the availability: a range of dates, times or stops, for how many, of what. What
    is absent the plan fills in: all units, the days from now on."""

    from_: str | None = msgspec.field(default=None, name="from")
    to: str | None = None
    quantity: int = 1
    unit: str | None = None


class TakenUnit(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a unit is not free, and until when at the latest (absent: no end)."""

    state: str
    until: datetime | None = None


class PoolLevel(msgspec.Struct, frozen=True):
    """How many a pool has, and how many are left."""

    capacity: int
    available: int


Offer: TypeAlias = list[Line]


class CompiledPlan(ABC):
    """A plan made ready for questions. `guards_seats` says that holds must not leave single seats;
    `exclusive_total` is how many exclusive units there are, or None where they go on with time;
    `takes_codes` that the plan has codes of its own. `demand_scopes` are what it can tell the level
    of: `all`, `category`, `unit`.

    Whatever a method is given as a line, a query or a unit comes from outside: what makes no sense
    raises InvalidRequest, and never another error.
    """

    guards_seats: bool = False
    exclusive_total: int | None = None
    takes_codes: bool = False
    demand_scopes: frozenset[str] = frozenset()

    @abstractmethod
    def line_claims(self, line: Line, sale: SaleContext) -> LineClaims:
        """The claims of a line that leaves no choice open.

        Raises UnknownUnit, InvalidRequest for a line that this plan does not take, NotOnSale.
        """

    def plain(self, lines: Sequence[Line], price: int) -> PlainClaims | None:
        """What `line_claims` says of all these lines, where each is one claim that needs no more than
        to be looked up. None: ask `line_claims`, which also says what is wrong."""
        return None

    def is_open(self, line: Line) -> bool:
        """Whether the line leaves a choice to the engine: any room, the best seats."""
        return False

    def watched(self, line: Line, sale: SaleContext) -> list[str] | None:
        """The units that choosing and offering for this line look at; None: all of the resource.
        Raises UnknownUnit, InvalidRequest."""
        return None

    def choose(
        self, line: Line, snapshot: Snapshot, sale: SaleContext, *, partial: bool
    ) -> list[Line]:
        """Lines without a choice that fulfil this one, by what the picture shows as free. With
        `partial` as many as there are, at least one.

        Raises SoldOut, NotTogether, NotOnSale, InvalidRequest, UnknownUnit.
        """
        return [line]

    def offers(self, line: Line, snapshot: Snapshot, sale: SaleContext, count: int) -> list[Offer]:
        """The nearest that could be held instead of this line, best first, at most `count`; each
        is what a hold may name, and the line itself is none of them."""
        return []

    def is_grouped(self, line: Line) -> bool:
        """Whether this line wants an alternative together with the others of its kind: exact seats
        of one room are replaced as a group."""
        return False

    def group_offers(
        self, lines: Sequence[Line], snapshot: Snapshot, sale: SaleContext, count: int
    ) -> list[Offer]:
        """As `offers`, for lines that want an alternative together."""
        return self.offers(lines[0], snapshot, sale, count)

    def guards(self, units: Sequence[str]) -> list[Guard]:
        """The seats beside these units of one hold that must not be left single."""
        return []

    def lenient_allows(self, units: Sequence[str], snapshot: Snapshot, now: float) -> bool:
        """Whether these units of one hold may leave a single seat at this time (seconds since
        1970), because nothing better is left."""
        return False

    @abstractmethod
    def block_needs(self, line: Line, sale: SaleContext) -> list[Need]:
        """The claims of a block: as of a hold, but without the rules of the sale; a range without
        a unit means every unit. Raises UnknownUnit, InvalidRequest."""

    @abstractmethod
    def has(self, unit: str) -> bool:
        """Whether this claim could be of this plan, whatever the time: asked when the plan of a
        resource with holds and bookings is to be changed."""

    def keeps(self, before: CompiledPlan) -> bool:
        """Whether claims that were made by the plan before mean the same by this one."""
        return type(before) is type(self)

    def category_of(self, unit: str | None) -> str | None:
        """The category of what a line names, where the plan has categories."""
        return None

    def level(self, scope: Scope, snapshot: Snapshot, sale: SaleContext) -> Level:
        """How far something is taken, by what the picture shows: only of the scopes that the plan
        can tell."""
        raise NotImplementedError(scope)

    def told(self, unit: str, zone: ZoneInfo) -> ShownClaim:
        """A claim of this plan as people know it, with times as the zone shows them."""
        return ShownClaim(unit)

    @abstractmethod
    def availability_units(self, query: AvailabilityQuery, sale: SaleContext) -> list[str] | None:
        """The units that the availability looks at; None: all of the resource.
        Raises InvalidRequest."""

    @abstractmethod
    def availability(
        self, query: AvailabilityQuery, snapshot: Snapshot, sale: SaleContext
    ) -> object:
        """What is free and at what price, and why the rest is not, from the picture: the answer
        of this shape, a struct. Raises InvalidRequest, UnknownUnit."""


def is_of_any(line: Line) -> bool:
    """Whether a line leaves its unit open, and has nothing else that `refuse_choice` refuses."""
    return line.unit is None and all(getattr(line, field) is UNSET for field in _CHOICES)


def refuse_choice(line: Line) -> None:
    """For plans whose lines are a unit or any, over a range: raises InvalidRequest for a choice of
    seats or numbers, or a code."""
    for field in _CHOICES:
        if getattr(line, field) is not UNSET:
            raise InvalidRequest(f"this resource takes no `{field}`", field=f"lines.{field}")


def unknown(line: Line, hint: str | None = None) -> UnknownUnit:
    """The error for a unit that the plan does not have."""
    detail = f"{line.unit!r}: {hint}" if hint else None
    return UnknownUnit(detail, resource_id=line.resource_id, unit=line.unit)
