"""Which shapes there are: ours, and what other packages offer as entry points of the group
`bespeak.shapes`. Plans are parsed and compiled here. Other packages are loaded when the first plan
is decoded, not when this module is imported, so that they may import it.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache, reduce
from importlib.metadata import entry_points
from operator import or_
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from bespeak.decoding import explain
from bespeak.errors import InvalidRequest
from bespeak.inventory.bounds import nonsense
from bespeak.inventory.plans import Availability, CompiledPlan, Plan, Shape
from bespeak.inventory.shapes.legs.availability import LegsAvailability
from bespeak.inventory.shapes.legs.plan import LegsPlan
from bespeak.inventory.shapes.legs.rules import CompiledLegs
from bespeak.inventory.shapes.moments.availability import MomentsAvailability
from bespeak.inventory.shapes.moments.plan import MomentsPlan
from bespeak.inventory.shapes.moments.rules import CompiledMoments
from bespeak.inventory.shapes.nights.availability import NightsAvailability
from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.inventory.shapes.nights.rules import CompiledNights
from bespeak.inventory.shapes.pools.availability import PoolsAvailability
from bespeak.inventory.shapes.pools.plan import PoolsPlan
from bespeak.inventory.shapes.pools.rules import CompiledPools
from bespeak.inventory.shapes.seats.availability import SeatsAvailability
from bespeak.inventory.shapes.seats.plan import SeatsPlan
from bespeak.inventory.shapes.seats.rules import CompiledSeats
from bespeak.inventory.shapes.tickets.availability import TicketsAvailability
from bespeak.inventory.shapes.tickets.plan import TicketsPlan
from bespeak.inventory.shapes.tickets.rules import CompiledTickets
from bespeak.inventory.shapes.times.availability import TimesAvailability
from bespeak.inventory.shapes.times.plan import TimesPlan
from bespeak.inventory.shapes.times.rules import CompiledTimes
from bespeak.inventory.shapes.unknown import UnknownPlan, UnknownRules

GROUP = "bespeak.shapes"

OWN_SHAPES = (
    Shape(SeatsPlan, CompiledSeats, SeatsAvailability),
    Shape(NightsPlan, CompiledNights, NightsAvailability),
    Shape(TimesPlan, CompiledTimes, TimesAvailability),
    Shape(TicketsPlan, CompiledTickets, TicketsAvailability),
    Shape(PoolsPlan, CompiledPools, PoolsAvailability),
    Shape(LegsPlan, CompiledLegs, LegsAvailability),
    Shape(MomentsPlan, CompiledMoments, MomentsAvailability),
)

if TYPE_CHECKING:
    AnyPlan: TypeAlias = Plan
    AnyAvailability: TypeAlias = Availability


def __getattr__(name: str) -> object:
    """`AnyPlan` and `AnyAvailability`: what msgspec decodes a plan as, and OpenAPI shows; made when
    they are first asked for."""
    match name:
        case "AnyPlan":
            return reduce(or_, (shape.plan for shape in installed_shapes()))
        case "AnyAvailability":
            return reduce(or_, (shape.availability for shape in installed_shapes()))
    raise AttributeError(name)


@cache
def installed_shapes() -> tuple[Shape, ...]:
    """All shapes, ours first. Raises TypeError or ValueError, with the entry point at fault, for
    one that is none or whose name is taken."""
    found = list(OWN_SHAPES)
    for entry in sorted(entry_points(group=GROUP), key=lambda one: one.name):
        offered = entry.load()
        if not isinstance(offered, Shape):
            raise TypeError(f"{entry.value} is no shape")
        found.append(offered)
    names = Counter(["unknown", *(shape.name for shape in found)])
    for name, count in names.items():
        if count > 1:
            raise ValueError(f"two shapes have the name {name!r}")
    return tuple(found)


def parse_plan(text: bytes | str) -> Plan:
    """A plan from its JSON. Raises InvalidRequest that points at the field."""
    try:
        return _decoder().decode(text)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise nonsense(explain(error, __getattr__("AnyPlan")).detail) from error


def stored_plan(text: bytes | str) -> Plan:
    """A plan from the database: an UnknownPlan where its shape is not installed here."""
    try:
        return parse_plan(text)
    except InvalidRequest:
        shape = msgspec.json.decode(text, type=_Tagged).type
        if shape in {one.name for one in installed_shapes()}:
            raise
        return UnknownPlan(shape)


class _Tagged(msgspec.Struct):
    type: str


@cache
def _decoder() -> msgspec.json.Decoder[Plan]:
    return msgspec.json.Decoder(__getattr__("AnyPlan"))


def compile_plan(plan: Plan) -> CompiledPlan:
    """The plan made ready. Shows in one room share the result. Raises InvalidRequest for a plan
    that makes no sense."""
    try:
        return _compiled(plan)
    except TypeError:
        # Made in Python, with lists where tuples belong: take it as its JSON says.
        return _compiled(parse_plan(_encoded(plan)))


@lru_cache(maxsize=512)
def _compiled(plan: Plan) -> CompiledPlan:
    if isinstance(plan, UnknownPlan):
        return UnknownRules(plan)
    for shape in installed_shapes():
        if type(plan) is shape.plan:
            return shape.compile(plan)
    raise nonsense(f"{type(plan).__name__} is no plan of an installed shape")


def _encoded(plan: Plan) -> bytes:
    try:
        return msgspec.json.encode(plan)
    except (TypeError, ValueError) as error:
        raise nonsense(f"{error}") from error


def compile_seats(plan: SeatsPlan) -> CompiledSeats:
    """A seat map made ready, by the same cache. Raises InvalidRequest."""
    compiled = compile_plan(plan)
    if not isinstance(compiled, CompiledSeats):
        raise TypeError("a seat map is compiled to seats")
    return compiled
