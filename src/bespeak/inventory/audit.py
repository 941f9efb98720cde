"""The audit: a resource recounted from its holds and bookings, to prove that nothing was sold
twice. The rush, the doctor, the tests and the API share it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from bespeak import ids
from bespeak.inventory.resource_checks import lost_units
from bespeak.inventory.resources import ReadyResource
from bespeak.inventory.shapes.unknown import UnknownPlan
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.inventory", "audit.sql")
_NOT_IN_PLAN = "not_in_plan"


class Violation(msgspec.Struct, frozen=True):
    """Something that must not be."""

    problem: str
    resource_id: str | None
    unit: str | None
    hold_id: str | None
    detail: str | None


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """The units of a resource by state, and what does not agree (nothing, one hopes)."""

    resource_id: str
    sold: int
    held: int
    blocked: int
    free: int | None
    double_sold: int
    violations: list[Violation]


async def violations(connection: Connection, number: int | None = None) -> list[Violation]:
    """What does not agree, in one resource or in all (at most 1,000)."""
    return [
        Violation(
            row["problem"],
            ids.show_resource(row["resource_id"]) if row["resource_id"] else None,
            row["unit"],
            ids.show(ids.HOLD, row["hold_id"]) if row["hold_id"] else None,
            row["detail"],
        )
        for row in await connection.fetch(_QUERIES["violations"], number)
    ]


async def audit(connection: Connection, ready: ReadyResource) -> Audit:
    """Recounts a resource."""
    async with connection.transaction(isolation="repeatable_read", readonly=True):
        found = await violations(connection, ready.number)
        counts = await connection.fetchrow(_QUERIES["counts"], ready.number)
        taken = await connection.fetch(_QUERIES["taken"], ready.number)
    if counts is None:
        raise RuntimeError("the counting statement answers one row")
    found += _outside_plan(ready, [row["unit"] for row in taken], found)
    total = counts["sold"] + counts["held"] + counts["blocked"]
    return Audit(
        resource_id=ready.resource.id,
        sold=counts["sold"],
        held=counts["held"],
        blocked=counts["blocked"],
        free=None if ready.plan.exclusive_total is None else ready.plan.exclusive_total - total,
        double_sold=sum(1 for one in found if one.problem == "double_sold"),
        violations=found,
    )


def _outside_plan(
    ready: ReadyResource, taken: list[str], found: list[Violation]
) -> list[Violation]:
    """What is taken and not in the plan, of the shapes whose plans the SQL does not know."""
    plan = ready.resource.plan
    if isinstance(plan, UnknownPlan):
        return []
    known = {one.unit for one in found if one.problem == _NOT_IN_PLAN}
    return [
        Violation(_NOT_IN_PLAN, ready.resource.id, unit, None, "the plan cannot have it")
        for unit in lost_units(plan, plan, taken)
        if unit not in known
    ]
