"""The claims of lines that each name a seat, or so many of a pool: what nearly every hold asks for,
looked up in one pass. It says the same as `CompiledSeats.meaning` line by line, and a test holds
the two together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bespeak.inventory.plans import PlainClaims
from bespeak.inventory.lines import Line

if TYPE_CHECKING:
    from bespeak.inventory.shapes.seats.rules import CompiledSeats


def plain_claims(
    room: CompiledSeats,
    lines: Sequence[Line],
    prices: Mapping[str, int | None],
    pool_categories: Mapping[str, str],
    price: int,
) -> PlainClaims | None:
    """The claims of all lines, or None where one of them is more, or makes no sense. `prices` are
    those of categories, and `price` is that of a unit whose category has none."""
    units: list[str] = []
    quantities: list[int | None] = []
    capacities: list[int | None] = []
    amounts: list[int] = []
    weight = 0
    for line in lines:
        unit, quantity = line.unit, line.quantity
        if unit is None or not line.is_plain:
            return None
        if quantity is None:
            category = room.categories.get(unit)
            if category is None:
                return None
            own = prices.get(category)
            capacities.append(None)
            amounts.append(price if own is None else own)
            weight += 1
        else:
            capacity = room.pools.get(unit)
            if capacity is None:
                return None
            own = prices.get(pool_categories.get(unit, ""))
            capacities.append(capacity)
            amounts.append((price if own is None else own) * quantity)
            weight += quantity
        units.append(unit)
        quantities.append(quantity)
    return PlainClaims(units, quantities, capacities, amounts, weight)
