"""Many resources at once, as imports make them: a week of shows in one statement, and each plan
that several of them share sent once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from bespeak import ids
from bespeak.actors import acting
from bespeak.inventory import workspaces
from bespeak.inventory.resource_checks import check_resource
from bespeak.inventory.resources import NewResource, Resource, settled
from bespeak.money import Money
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.inventory", "resource_batches.sql")


async def create_many(
    connection: Connection, news: Sequence[NewResource], workspace: str | None = None
) -> list[Resource]:
    """Creates many resources in a workspace (None: the default one) in one transaction, in their
    order. Raises InvalidRequest."""
    for new in news:
        check_resource(new)
    news = [settled(new) for new in news]
    within = await workspaces.checked(connection, workspace)
    made: dict[int, Resource] = {}
    async with connection.transaction():
        left = list(range(len(news)))
        while left:  # once, but for a number that was taken already
            numbers = {ids.new_resource_number(): place for place in left}
            rows = await connection.fetch(
                _QUERIES["insert_many"],
                list(numbers),
                *_arrays([news[n] for n in numbers.values()]),
                acting(),
                within,
            )
            for row in rows:
                place = numbers[row["resource_id"]]
                made[place] = _made(row, news[place], within)
            left = [place for place in left if place not in made]
    return [made[place] for place in range(len(news))]


def _arrays(news: Sequence[NewResource]) -> tuple[list[object], ...]:
    """The columns of all, one array each; plans as places in an array of those that differ."""
    plans: dict[bytes, int] = {}
    places = [plans.setdefault(msgspec.json.encode(new.plan), len(plans)) for new in news]
    return (
        [plan.decode() for plan in plans],
        [place + 1 for place in places],
        [new.name for new in news],
        [new.kind for new in news],
        [new.state for new in news],
        [new.time_zone for new in news],
        [new.opens_at for new in news],
        [new.closes_at for new in news],
        [new.hold_seconds for new in news],
        [new.hold_seconds_max for new in news],
        [new.owner_limit for new in news],
        [new.payment for new in news],
        [new.price.amount for new in news],
        [new.price.currency for new in news],
        [msgspec.json.encode(new.attributes).decode() for new in news],
        [new.starts_at for new in news],
        [new.ends_at for new in news],
        [new.payment_seconds for new in news],
        [new.late_payment for new in news],
        [
            None if new.pricing is None else msgspec.json.encode(new.pricing).decode()
            for new in news
        ],
        [new.published for new in news],
        [msgspec.json.encode(new.translations).decode() for new in news],
        [msgspec.json.encode(new.questions).decode() for new in news],
    )


def _made(row: Record, new: NewResource, workspace: str) -> Resource:
    given = {
        field: getattr(new, field)
        for field in NewResource.__struct_fields__
        if field not in ("price", "attributes")
    }
    return Resource(
        id=ids.show_resource(row["resource_id"]),
        price=Money(new.price.amount, new.price.currency),
        attributes=dict(new.attributes),
        version=1,
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        workspace=workspace,
        **given,
    )
