"""Plans: the rule that says which units a resource has. A plan is data that a person can write and
read; compiled, it answers in constant time whether a unit exists. `bespeak.plan_units` is the
same rule in SQL, and a test holds the two together.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidRequest

UNITS_MAX = 200_000
# Python's $ also stands before a last line break, so the pattern that is checked ends in \Z.
NAME_PATTERN = r"^[^\x00-\x1f\x7f]*\Z"
NAME_SCHEMA: dict[str, object] = {"pattern": r"^[^\x00-\x1f\x7f]*$"}
RESERVED_PREFIX = "owner:"

Name = Annotated[
    str,
    Meta(min_length=1, max_length=100, pattern=NAME_PATTERN, extra_json_schema=NAME_SCHEMA),
]
RowName = Annotated[
    str,
    Meta(min_length=1, max_length=40, pattern=NAME_PATTERN, extra_json_schema=NAME_SCHEMA),
]


class Row(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A row of numbered seats: `seats` numbers from `first` on, without those that do not exist.
    The unit of a seat is the row's name and its number: row F, seat 7 is F7."""

    name: RowName
    seats: Annotated[int, Meta(ge=1, le=10_000)]
    first: Annotated[int, Meta(ge=0, le=100_000)] = 1
    without: Annotated[tuple[int, ...], Meta(max_length=10_000)] = ()


class Section(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A part of the room with one category of seats."""

    name: Name
    rows: Annotated[tuple[Row, ...], Meta(max_length=10_000)]
    category: Name = "standard"


class PoolPlan(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A unit that is counted: its name and how many of it there are."""

    unit: Name
    capacity: Annotated[int, Meta(ge=0, le=1_000_000_000)]


class SeatsPlan(
    msgspec.Struct, frozen=True, omit_defaults=True, tag="seats", forbid_unknown_fields=True
):
    """Seats in sections and rows, and counted pools beside them (a standing area, a car park)."""

    sections: Annotated[tuple[Section, ...], Meta(max_length=1000)] = ()
    pools: Annotated[tuple[PoolPlan, ...], Meta(max_length=10_000)] = ()


Plan = SeatsPlan
_Value = TypeVar("_Value")


class CompiledPlan(msgspec.Struct, frozen=True):
    """A plan made ready for questions: the category of each exclusive unit, in the plan's order,
    and the capacity of each pool."""

    categories: dict[str, str]
    pools: dict[str, int]


def parse_plan(text: bytes | str) -> SeatsPlan:
    """A plan from its JSON. Raises InvalidRequest that points at the field."""
    try:
        return msgspec.json.decode(text, type=SeatsPlan)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise InvalidRequest(f"plan: {error}", field="plan") from error


@lru_cache(maxsize=512)
def compile_plan(plan: SeatsPlan) -> CompiledPlan:
    """The plan made ready. Shows in one room share the result.

    Raises InvalidRequest when two units have one name, a name is reserved, or there are too many.
    """
    categories: dict[str, str] = {}
    for section in plan.sections:
        for row in section.rows:
            without = frozenset(row.without)
            for number in range(row.first, row.first + row.seats):
                if number not in without:
                    _add(categories, f"{row.name}{number}", section.category)
    pools: dict[str, int] = {}
    for pool in plan.pools:
        if pool.unit in categories:
            raise InvalidRequest(f"plan: {pool.unit!r} is a seat and a pool", field="plan")
        _add(pools, pool.unit, pool.capacity)
    if not categories and not pools:
        raise InvalidRequest("plan: it has no unit", field="plan")
    return CompiledPlan(categories, pools)


def _add(units: dict[str, _Value], unit: str, value: _Value) -> None:
    if unit in units:
        raise InvalidRequest(f"plan: the unit {unit!r} comes twice", field="plan")
    if unit.startswith(RESERVED_PREFIX):
        raise InvalidRequest(f"plan: {RESERVED_PREFIX!r} is reserved for limits", field="plan")
    if len(units) >= UNITS_MAX:
        raise InvalidRequest(f"plan: more than {UNITS_MAX} units", field="plan")
    units[unit] = value
