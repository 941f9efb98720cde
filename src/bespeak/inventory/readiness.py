"""What is missing before guests can buy of a resource: for the console, and for programs that
publish. What is essential keeps a draft from being published.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Literal

import msgspec

from bespeak import ids
from bespeak.inventory.errors import ResourceNotReady
from bespeak.inventory.payment_rules import costs
from bespeak.inventory.shapes.registry import compile_plan
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.inventory.resources import NewResource, Resource
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.inventory", "readiness.sql")

Gap = Literal[
    "called_off",
    "date_past",
    "no_date",
    "no_payment_provider",
    "no_price",
    "no_refund_terms",
    "nothing_to_sell",
    "paid_elsewhere",
    "sale_closed",
    "sale_ended",
]
"""What may be missing, as a stable code."""
ESSENTIAL: frozenset[Gap] = frozenset(
    ("called_off", "date_past", "no_payment_provider", "no_price", "nothing_to_sell", "sale_ended")
)
"""What makes it useless, or a trap, to show a resource to guests."""


class Missing(msgspec.Struct, frozen=True):
    """One thing that is missing. `essential` ones keep the resource from being published."""

    code: Gap
    essential: bool


class Readiness(msgspec.Struct, frozen=True, kw_only=True):
    """Whether guests can buy of a resource. `ready` says that nothing essential is missing: it may
    be published."""

    resource_id: str
    published: bool
    ready: bool
    missing: list[Missing]


class Facts(msgspec.Struct, frozen=True):
    """What a resource does not say of itself: the time, whether it was called off, and whether
    there is a provider who takes payments."""

    now: datetime
    called_off: bool
    takes_payments: bool


async def read(connection: Connection, resource: Resource, *, takes_payments: bool) -> Readiness:
    """Whether guests can buy of a resource."""
    number = ids.parse_resource(resource.id)
    facts = await read_facts(connection, number, takes_payments=takes_payments)
    missing = missing_of(resource, facts)
    return Readiness(
        resource_id=resource.id,
        published=resource.published,
        ready=not any(one.essential for one in missing),
        missing=missing,
    )


async def read_facts(connection: Connection, number: int, *, takes_payments: bool) -> Facts:
    (row,) = await connection.fetch(_QUERIES["facts"], number)
    return Facts(row["now"], row["called_off"], takes_payments or row["has_account"])


def missing_of(resource: NewResource | Resource, facts: Facts) -> list[Missing]:
    """What is missing, what is essential first."""
    found = [Missing(code, code in ESSENTIAL) for code in _gaps(resource, facts)]
    return sorted(found, key=lambda one: not one.essential)


def check_ready(resource: NewResource | Resource, facts: Facts) -> None:
    """Raises ResourceNotReady, which names all that is essential and missing."""
    lacking = [one.code for one in missing_of(resource, facts) if one.essential]
    if lacking:
        raise ResourceNotReady(f"guests could not buy of it: {', '.join(lacking)}", missing=lacking)


def _gaps(resource: NewResource | Resource, facts: Facts) -> Iterator[Gap]:
    plan = compile_plan(resource.plan)
    if facts.called_off:
        yield "called_off"
    if plan.units_total() == 0:
        yield "nothing_to_sell"
    yield from _of_time(resource, facts.now, has_range=plan.range_kind is not None)
    yield from _of_money(resource, takes_payments=facts.takes_payments)
    if resource.state == "closed" and not facts.called_off:
        yield "sale_closed"


def _of_time(resource: NewResource | Resource, now: datetime, *, has_range: bool) -> Iterator[Gap]:
    if resource.closes_at is not None:
        if resource.closes_at <= now:
            yield "sale_ended"
    elif resource.starts_at is not None and not has_range and resource.starts_at <= now:
        yield "date_past"
    if resource.starts_at is None and not has_range:
        yield "no_date"


def _of_money(resource: NewResource | Resource, *, takes_payments: bool) -> Iterator[Gap]:
    if not costs(resource):
        if resource.payment == "required":
            yield "no_price"
        return
    if resource.payment == "required" and not takes_payments:
        yield "no_payment_provider"
    if resource.payment == "none":
        yield "paid_elsewhere"
    if resource.pricing is None or resource.pricing.cancellation is None:
        yield "no_refund_terms"
