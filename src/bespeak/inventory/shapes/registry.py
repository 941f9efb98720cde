"""Plans: the rule that says which units a resource has. A plan is data that a person can write and
read; compiled, it answers every question about its units. Each kind is a module of its own; here
they meet.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

import msgspec

from bespeak.inventory.bounds import nonsense
from bespeak.inventory.plans import CompiledPlan
from bespeak.inventory.shapes.legs.availability import LegsAvailability
from bespeak.inventory.shapes.legs.rules import CompiledLegs
from bespeak.inventory.shapes.legs.plan import LegsPlan
from bespeak.inventory.shapes.moments.availability import MomentsAvailability
from bespeak.inventory.shapes.moments.rules import CompiledMoments
from bespeak.inventory.shapes.moments.ranges import MomentsPlan
from bespeak.inventory.shapes.nights.availability import NightsAvailability
from bespeak.inventory.shapes.nights.rules import CompiledNights
from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.inventory.shapes.pools.plan import CompiledPools, PoolsAvailability, PoolsPlan
from bespeak.inventory.shapes.seats.rules import CompiledSeats, SeatsAvailability
from bespeak.inventory.shapes.seats.plan import SeatsPlan
from bespeak.inventory.shapes.tickets.plan import CompiledTickets, TicketsAvailability, TicketsPlan
from bespeak.inventory.shapes.times.availability import TimesAvailability
from bespeak.inventory.shapes.times.rules import CompiledTimes
from bespeak.inventory.shapes.times.slots import TimesPlan

Plan: TypeAlias = (
    SeatsPlan | NightsPlan | TimesPlan | TicketsPlan | PoolsPlan | LegsPlan | MomentsPlan
)
Availability: TypeAlias = (
    SeatsAvailability
    | NightsAvailability
    | TimesAvailability
    | TicketsAvailability
    | PoolsAvailability
    | LegsAvailability
    | MomentsAvailability
)

_DECODER: msgspec.json.Decoder[Plan] = msgspec.json.Decoder(Plan)
_RULES: dict[type, Callable[..., CompiledPlan]] = {
    SeatsPlan: CompiledSeats,
    NightsPlan: CompiledNights,
    TimesPlan: CompiledTimes,
    TicketsPlan: CompiledTickets,
    PoolsPlan: CompiledPools,
    LegsPlan: CompiledLegs,
    MomentsPlan: CompiledMoments,
}


def parse_plan(text: bytes | str) -> Plan:
    """A plan from its JSON. Raises InvalidRequest that points at the field."""
    try:
        return _DECODER.decode(text)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise nonsense(f"{error}") from error


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
    return _RULES[type(plan)](plan)


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


def as_availability(answer: object) -> Availability:
    """The answer of a compiled plan, which is one of the forms that `Availability` lists."""
    if not isinstance(answer, Availability):
        raise TypeError("a plan answers its own form of availability")
    return answer


def without_secrets(plan: Plan) -> Plan:
    """The plan as a browser may see it, without presale codes."""
    return plan.without_secrets() if isinstance(plan, PoolsPlan) else plan
