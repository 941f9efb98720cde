"""The seam of the shapes. A shape is a folder of `shapes/` with four parts: its `Plan` (the data
that people write), a `CompiledPlan` (its rules), an `AvailabilityReader` and a `Chooser`. What they
take and answer stands here; docs/guides/shapes/write-your-own.md builds a small one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from enum import StrEnum
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

import msgspec

from bespeak.inventory.fields import PlanPart, has_price
from bespeak.inventory.price_parts import PriceParts
from bespeak.inventory.snapshot import Snapshot, TakenClaims
from bespeak.lines import Line, UnitsByDay
from bespeak.pricing.demand import Demand, Level, Scope
from bespeak.refusals import Offer
from bespeak.states import UnitState, one_of
from bespeak.translations import Translation

RESERVED_PREFIXES = ("owner:", "code:", "next:")
"""What no unit begins with: pools that the engine keeps beside those of the plan."""
CODE_PREFIX = "code:"
CLAIMS_MAX = 10_000
"""The most claims that one line of a hold or a block may mean."""
SOLD_OUT = "sold_out"
"""What availability says where the rules would sell, but not as many are left."""

When: TypeAlias = date | datetime
RangeKind: TypeAlias = Literal["dates", "times", "stops"]


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


_TAKEN = (UnitState.HELD, UnitState.BOOKED, UnitState.BLOCKED)
TakenState: TypeAlias = Annotated[str, one_of("TakenState", _TAKEN)]
"""How somebody has what is not free."""
UnavailableReason: TypeAlias = Annotated[
    str, one_of("UnavailableReason", (*Reason, SOLD_OUT, *_TAKEN))
]
"""Why availability says that something cannot be held: by the rules, or who has it."""


class SaleContext(NamedTuple):
    """What the rules need of the resource and the clock: the time (of the database, UTC), the
    resource's time zone and id, the price of a unit that the plan gives none, and what demand
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
        rate: str | None = None,
    ) -> int:
        """What one costs of which the plan says this price (None: that of the resource)."""
        price = self.price if price is None else price
        return price if self.demand is None else self.demand.price(price, unit, category, at, rate)


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
    minor units, how many it counts against an owner's limit, the seats to look after, and whether
    there is more to say of its price (see `CompiledPlan.price_parts`)."""

    line: Line
    needs: Sequence[Need]
    amount: int
    weight: int = 1
    guards: Sequence[Guard] = ()
    has_parts: bool = False


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
    """Which part of the availability: a range of dates, times or stops, for how many, of what, at
    which rate of times. What is absent the plan fills in: all units, the days from now on."""

    from_: str | None = msgspec.field(default=None, name="from")
    to: str | None = None
    quantity: int = 1
    unit: str | None = None
    rate: str | None = None


class TakenUnit(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a unit is not free, and until when at the latest (absent: no end)."""

    state: TakenState
    until: datetime | None = None


class PoolLevel(msgspec.Struct, frozen=True):
    """How many a pool has, and how many are left."""

    capacity: int
    available: int


class Plan(PlanPart, frozen=True):
    """A plan as people write it, decoded from its JSON; its `type` is the struct's tag. Plans are
    compared and hashed, so lists in them are tuples."""

    def without_secrets(self) -> Plan:
        """The plan as a browser may see it."""
        return self

    def has_price(self) -> bool:
        """Whether a `price` of it is above zero. One with other names for prices says so itself."""
        return has_price(self)

    def own_translations(self) -> tuple[Translation, ...]:
        """What its texts are called in other languages, where the plan itself says so: that of a
        room does, which many resources share."""
        return ()


class Availability(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What of a resource is free, as its shape tells it. `version` changes with every event."""

    resource_id: str
    version: str


class AvailabilityReader(ABC):
    """Makes availability from a snapshot. Both methods raise InvalidRequest for a query that makes
    no sense, and UnknownUnit."""

    @abstractmethod
    def units(self, query: AvailabilityQuery, sale: SaleContext) -> list[str] | None:
        """The units that the answer depends on; None: all, also right where they are thousands."""

    @abstractmethod
    def answer(
        self, query: AvailabilityQuery, snapshot: Snapshot, sale: SaleContext
    ) -> Availability:
        """What is free and at what price, and why the rest is not."""


class Chooser:
    """Chooses for lines that leave something open, and finds offers for refused ones; this one does
    neither. Its methods raise InvalidRequest and UnknownUnit for a line that makes no sense."""

    def watched(self, line: Line, sale: SaleContext) -> list[str] | None:
        """The units that choosing and offering for this line look at; None: all of the resource."""
        return None

    def choose(
        self, line: Line, snapshot: Snapshot, sale: SaleContext, *, partial: bool
    ) -> list[Line]:
        """Lines without a choice that fulfil this one, by what the snapshot shows as free. With
        `partial` as many as there are, at least one.

        Raises SoldOut, NotTogether, NotOnSale.
        """
        return [line]

    def offers(self, line: Line, snapshot: Snapshot, sale: SaleContext, count: int) -> list[Offer]:
        """The nearest that could be held instead of this line, best first, at most `count`; each
        is what a hold may name, and the line itself is none of them."""
        return []

    def group_offers(
        self, lines: Sequence[Line], snapshot: Snapshot, sale: SaleContext, count: int
    ) -> list[Offer]:
        """As `offers`, for lines that want an alternative together; see `is_grouped`."""
        return self.offers(lines[0], snapshot, sale, count)


class CompiledPlan(ABC):
    """A plan made ready: a compiler takes the plan and raises InvalidRequest (see `nonsense`) for
    one that makes no sense. It is shared by all resources with an equal plan, so it keeps nothing
    of one of them.

    Whatever a method is given as a line, a query or a unit comes from outside: what makes no sense
    raises InvalidRequest, and never another error.
    """

    reader: AvailabilityReader
    chooser: Chooser = Chooser()
    guards_seats: bool = False
    """Whether holds must not leave single seats."""
    exclusive_total: int | None = None
    """How many exclusive units there are; None: they go on with time, or there are none."""
    takes_codes: bool = False
    """Whether the plan has codes of its own."""
    moves_in_category: bool = False
    """Whether a unit is moved to those of its category only, because that is counted as well."""
    demand_scopes: frozenset[str] = frozenset()
    """What `level` can tell of: `all`, `category`, `unit`."""
    range_kind: RangeKind | None = None
    """What `from` and `to` of a line are; None: lines have no range."""
    check_in: time = time()
    """When on its first date a line of dates begins, in the resource's time zone."""

    @abstractmethod
    def line_claims(self, line: Line, sale: SaleContext) -> LineClaims:
        """The claims of a line that leaves no choice open, and their price.

        Raises UnknownUnit, InvalidRequest for a line that this plan does not take, and NotOnSale
        with the `reasons`, each a dictionary with a Reason and what it speaks of.
        """

    @abstractmethod
    def block_needs(self, line: Line, sale: SaleContext) -> list[Need]:
        """The claims of a block: as of a hold, but without the rules of the sale; a range without
        a unit means every unit. Raises UnknownUnit, InvalidRequest."""

    @abstractmethod
    def has(self, unit: str) -> bool:
        """Whether a claim could be of this plan at any time: asked when a plan is to be changed."""

    def price_parts(self, line: Line, sale: SaleContext) -> PriceParts | None:
        """What the price of a line is made of, which `line_claims` has taken; None: there is no
        more to say than what all of it costs."""
        return None

    def plain(self, lines: Sequence[Line], price: int) -> PlainClaims | None:
        """The fast path for lines that are one claim each: the same as `line_claims` of each, with
        the resource's price and without demand. None: ask `line_claims`, which also says what is
        wrong."""
        return None

    def is_open(self, line: Line) -> bool:
        """Whether the line leaves a choice to the chooser: any room, the best seats."""
        return False

    def is_grouped(self, line: Line) -> bool:
        """Whether this line wants an alternative together with the others of its kind: exact seats
        of one room are replaced as a group."""
        return False

    def guards(self, units: Sequence[str]) -> list[Guard]:
        """The seats beside these units of one hold that must not be left single."""
        return []

    def lenient_allows(self, units: Sequence[str], snapshot: Snapshot, now: float) -> bool:
        """Whether a hold of these units may leave a single seat now (seconds since 1970)."""
        return False

    def keeps(self, before: CompiledPlan) -> bool:
        """Whether claims that were made by the plan before mean the same by this one."""
        return type(before) is type(self)

    def is_exact(self, unit: str) -> bool:
        """Whether what is booked of this unit can be moved to another of its kind: one alone has
        it, and its claims are its name, or its name and an at sign with what follows."""
        return False

    def parted_units(self, parts: UnitsByDay, end: str, had: Sequence[str]) -> list[str] | None:
        """The claims of a stay in units until `end`, which `had` these; None: it has no nights."""
        return None

    def category_of(self, unit: str | None) -> str | None:
        """The category of what a line names, where the plan has categories."""
        return None

    def category_names(self) -> set[str]:
        """Every category that the plan names."""
        return set()

    def rate_names(self) -> Collection[str]:
        """Every rate that lines can name."""
        return ()

    def section_of(self, unit: str) -> str:
        """The section of a seat, or the coach; empty for what has none."""
        return ""

    def units_total(self) -> int | None:
        """How many units there are, counted ones by their capacity; None: they go on with time."""
        return self.exclusive_total

    def level(self, scope: Scope, snapshot: Snapshot, sale: SaleContext) -> Level:
        """How far something is taken, by what the snapshot shows: only of the scopes that the plan
        can tell."""
        raise NotImplementedError(scope)

    def shown_claim(self, unit: str, zone: ZoneInfo) -> ShownClaim:
        """A claim of this plan as people know it, with times as the zone shows them."""
        return ShownClaim(unit)

    def when(self, start: str, end: str | None, zone: ZoneInfo) -> tuple[When, When | None] | None:
        """When a line with these ends is: dates, or times in UTC. None: nobody knows. Raises
        InvalidRequest for ends of an earlier plan."""
        return None

    # What the reader and the chooser answer.

    def availability_units(self, query: AvailabilityQuery, sale: SaleContext) -> list[str] | None:
        return self.reader.units(query, sale)

    def availability(
        self, query: AvailabilityQuery, snapshot: Snapshot, sale: SaleContext
    ) -> Availability:
        return self.reader.answer(query, snapshot, sale)

    def watched(self, line: Line, sale: SaleContext) -> list[str] | None:
        return self.chooser.watched(line, sale)

    def choose(
        self, line: Line, snapshot: Snapshot, sale: SaleContext, *, partial: bool
    ) -> list[Line]:
        return self.chooser.choose(line, snapshot, sale, partial=partial)

    def offers(self, line: Line, snapshot: Snapshot, sale: SaleContext, count: int) -> list[Offer]:
        return self.chooser.offers(line, snapshot, sale, count)

    def group_offers(
        self, lines: Sequence[Line], snapshot: Snapshot, sale: SaleContext, count: int
    ) -> list[Offer]:
        return self.chooser.group_offers(lines, snapshot, sale, count)


@dataclass(frozen=True)
class Shape:
    """A shape as it is registered: its plan, whose tag is the shape's name, what compiles that, and
    the struct of its availability."""

    plan: type[Plan]
    compile: Callable[[Any], CompiledPlan]  # any: each takes its own plan
    availability: type[Availability]

    @property
    def name(self) -> str:
        """The `type` of its plans."""
        return str(self.plan.__struct_config__.tag)


def taken_unit(taken: TakenClaims) -> TakenUnit:
    """Why a unit is not free, as availability says it."""
    return ENDLESS[taken.state] if taken.until is None else TakenUnit(taken.state, taken.ends_at)


ENDLESS = {state: TakenUnit(state) for state in UnitState}
"""What is taken without an end, by its state."""
