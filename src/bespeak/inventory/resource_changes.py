"""Changes of resources. One that changes the plan waits until nothing is judged by the old one, and
keeps all that is taken.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import asyncpg
from msgspec import UNSET

from bespeak import ids
from bespeak.actors import acting
from bespeak.errors import PlanChanged, ResourceInUse, VersionMismatch
from bespeak.inventory.errors import ResourceCalledOff
from bespeak.inventory.payment_rules import check_rule
from bespeak.inventory.readiness import check_ready, read_facts
from bespeak.inventory.resource_checks import check_resource, lost_units
from bespeak.inventory.resources import (
    NewResource,
    Price,
    Resource,
    ResourceChange,
    columns_of,
    get,
    resource_of,
)
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.inventory", "resources.sql")
_SHOWN_MAX, _CHANGES_MAX = 20, 5
_LOCK_TURNS, _LOCK_TURN_MS, _LOCK_PAUSE_SECONDS = 15, 50, 0.1


async def update(
    connection: Connection,
    resource_id: str,
    change: ResourceChange,
    *,
    takes_payments: bool = False,
) -> Resource:
    """Changes a resource. Holds that were judged by the version before are judged anew.

    Raises ResourceNotFound, VersionMismatch, InvalidRequest, PaymentRuleNeeded when what was free
    gets a price and nobody says how it is paid, ResourceInUse when the new plan lacks
    units that are taken, ResourceCalledOff when it is to open a resource that was called off, and
    PlanChanged when a long transaction that places holds is in the way. ResourceNotReady when it is
    to be published, and something essential is missing; `takes_payments` says that there is
    somebody who takes them.
    """
    number = ids.parse_resource(resource_id)
    for _ in range(_CHANGES_MAX):
        before = await get(connection, resource_id)
        if change.version is not UNSET and change.version != before.version:
            raise VersionMismatch(version=before.version)
        after = _changed(before, change)
        if (before.state, after.state) == ("closed", "open") and await connection.fetchval(
            _QUERIES["is_called_off"], number
        ):
            raise ResourceCalledOff
        # Compiles the plan, which may take long, before anything is locked.
        check_resource(after, before)
        if change.payment is UNSET:
            check_rule(before, after, before.payment)
        if after.published and not before.published:
            check_ready(after, await read_facts(connection, number, takes_payments=takes_payments))
        changed = await _replace(connection, number, before, after)
        if changed is not None:
            return changed
    raise PlanChanged("others change this resource all the time; repeat")


async def _replace(
    connection: Connection, number: int, before: Resource, after: NewResource
) -> Resource | None:
    """Stores a resource as it is from now on; None where it is not any more as it was."""
    async with connection.transaction():
        row = await connection.fetchrow(
            _QUERIES["update"], number, before.version, *columns_of(after)
        )
        if row is None:
            return None
        if after.plan == before.plan:
            await connection.execute(_QUERIES["tell"], number, "changed", acting())
        else:
            # Nothing is in flight by the old plan then, so this look is final.
            taken = await _in_turns(connection, "change_plan", number, acting())
            outside = lost_units(before.plan, after.plan, [found["unit"] for found in taken])
            if outside:
                raise ResourceInUse(units=outside[:_SHOWN_MAX])
    return resource_of(row)


async def tell_changed(connection: Connection, numbers: Sequence[int]) -> None:
    """Tells whoever follows the feed that something of these resources changed which a vertical
    keeps beside them. The resources themselves are not touched."""
    await connection.execute(_QUERIES["tell_changed"], numbers, acting())


async def lock_plan(connection: Connection, number: int) -> None:
    """Lets what is in flight by a resource's plan finish, and keeps it alone until the transaction
    ends. Raises PlanChanged when a long transaction that places holds is in the way."""
    await connection.execute(_QUERIES["lock"], number)  # the row first, as every change does
    await _in_turns(connection, "lock_plan", number)


async def _in_turns(
    connection: Connection, statement: str, number: int, *more: object
) -> list[Record]:
    """Asks for the lock of a plan in short turns: new holds wait behind who waits for it, and go on
    between. Raises PlanChanged."""
    for turn in range(_LOCK_TURNS):
        await asyncio.sleep(_LOCK_PAUSE_SECONDS if turn else 0)
        try:
            async with connection.transaction():  # a savepoint, which a vain turn goes back to
                return await connection.fetch(_QUERIES[statement], number, _LOCK_TURN_MS, *more)
        except asyncpg.LockNotAvailableError:
            continue
    raise PlanChanged("holds are being placed by the old plan; repeat")


def _changed(before: Resource, change: ResourceChange) -> NewResource:
    values = {
        field: getattr(before, field) for field in NewResource.__struct_fields__ if field != "price"
    }
    values["price"] = Price(before.price.amount, before.price.currency)
    for field in NewResource.__struct_fields__:
        if getattr(change, field) is not UNSET:
            values[field] = getattr(change, field)
    return NewResource(**values)
