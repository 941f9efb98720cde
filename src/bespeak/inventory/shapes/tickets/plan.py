"""The plan of tickets: numbers that are handed out in order, none twice, as in a clinic."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from bespeak.inventory.bounds import check_bounds, nonsense
from bespeak.inventory.fields import NAME_PATTERN, NAME_SCHEMA, PriceAmount
from bespeak.inventory.plans import RESERVED_PREFIXES, Plan

NUMBER_MAX = 999_999_999
_REFILL_MAX = 10_000

TicketPrefix = Annotated[
    str, Meta(max_length=20, pattern=NAME_PATTERN, extra_json_schema=NAME_SCHEMA)
]


class TicketsPlan(Plan, frozen=True, cache_hash=True, tag="tickets"):
    """`count` numbers from `first` on; the unit of each is the prefix and the number. With `refill`
    freed, numbers that are free again are handed out again, lowest first; with never, they are
    gone. One costs `price` in minor units (absent: the resource's own)."""

    count: Annotated[int, Meta(ge=1, le=100_000)]
    first: Annotated[int, Meta(ge=0, le=NUMBER_MAX)] = 1
    refill: Literal["never", "freed"] = "freed"
    prefix: TicketPrefix = ""
    price: PriceAmount | None = None


def check_plan(plan: TicketsPlan) -> None:
    """Raises InvalidRequest for a plan that makes no sense."""
    check_bounds(plan)
    if plan.refill == "freed" and plan.count > _REFILL_MAX:
        raise nonsense(f"more than {_REFILL_MAX} numbers are never refilled: say `refill` never")
    if plan.first + plan.count - 1 > NUMBER_MAX:
        raise nonsense(f"its last number is beyond {NUMBER_MAX}")
    if f"{plan.prefix}0".startswith(RESERVED_PREFIXES):
        raise nonsense(f"{plan.prefix!r} begins with a reserved word")
