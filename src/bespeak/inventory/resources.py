"""Resources: one thing with inventory of its own. They are created, read, changed and listed here,
and kept ready for the hot path with the version against which the database checks each request.
"""

from __future__ import annotations

import asyncio
import hashlib
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal
from zoneinfo import ZoneInfo

import asyncpg
import msgspec
from msgspec import UNSET, Meta, UnsetType

from bespeak import ids
from bespeak.errors import (
    IdempotencyKeyReused,
    InvalidCursor,
    InvalidRequest,
    PlanChanged,
    ResourceInUse,
    ResourceNotFound,
    VersionMismatch,
)
from bespeak.inventory.errors import ResourceCalledOff
from bespeak.inventory.fields import NAME_PATTERN, NAME_SCHEMA
from bespeak.inventory.plans import CompiledPlan
from bespeak.inventory.price_lists import PriceList
from bespeak.inventory.resource_checks import check_resource, lost_units
from bespeak.inventory.shapes import registry
from bespeak.inventory.shapes.registry import compile_plan, stored_plan
from bespeak.money import Money
from bespeak.postgres.json_text import json_text
from bespeak.postgres.queries import load
from bespeak.pricing.rules import Pricing

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.inventory", "resources.sql")
_DEFAULT_HOLD_SECONDS = 600
_DEFAULT_HOLD_SECONDS_MAX = 1800
# More than a class or a coach party needs, and far less than a house: nobody takes all of it alone.
DEFAULT_OWNER_LIMIT = 50
_DEFAULT_PAYMENT_SECONDS = 900
_SHOWN_MAX = 20
_CHANGES_MAX = 5
_LOCK_TURNS, _LOCK_TURN_MS, _LOCK_PAUSE_SECONDS = 15, 50, 0.1

ResourceName = Annotated[
    str,
    Meta(min_length=1, max_length=200, pattern=NAME_PATTERN, extra_json_schema=NAME_SCHEMA),
]
Kind = Annotated[
    str,
    Meta(
        pattern=r"^[a-z][a-z0-9_-]{0,39}\Z",
        extra_json_schema={"pattern": "^[a-z][a-z0-9_-]{0,39}$"},
    ),
]
Currency = Annotated[str, Meta(pattern=r"^[A-Z]{3}\Z", extra_json_schema={"pattern": "^[A-Z]{3}$"})]
HoldSeconds = Annotated[int, Meta(ge=1, le=86_400)]
HoldSecondsMax = Annotated[int, Meta(ge=1, le=604_800)]
OwnerLimit = Annotated[int, Meta(ge=1, le=1_000_000)]
PaymentSeconds = Annotated[int, Meta(ge=60, le=86_400)]
PaymentRule = Literal["none", "required", "at_venue"]
LatePayment = Literal["same_units", "equal_offer", "refund"]
_PRICING: msgspec.json.Decoder[Pricing] = msgspec.json.Decoder(Pricing)


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The price of one unit in minor units of a currency (ISO 4217)."""

    amount: Annotated[int, Meta(ge=0, le=1_000_000_000_000)] = 0
    currency: Currency = "EUR"


class NewResource(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What it takes to create a resource; all but name and plan have defaults. `owner_limit` is
    None where one owner may have as much as there is."""

    name: ResourceName
    plan: registry.AnyPlan
    kind: Kind = "show"
    state: Literal["open", "closed"] = "open"
    time_zone: str = "UTC"
    opens_at: datetime | None = None
    closes_at: datetime | None = None
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    hold_seconds: HoldSeconds = _DEFAULT_HOLD_SECONDS
    hold_seconds_max: HoldSecondsMax = _DEFAULT_HOLD_SECONDS_MAX
    owner_limit: OwnerLimit | None = DEFAULT_OWNER_LIMIT
    payment: PaymentRule = "none"
    payment_seconds: PaymentSeconds = _DEFAULT_PAYMENT_SECONDS
    late_payment: LatePayment = "same_units"
    price: Price = Price()
    pricing: Pricing | None = None
    attributes: dict[str, str | int | float | bool | None] = {}


class ResourceChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fields of a resource that are to change; `version`, if given, must be the present one."""

    version: int | UnsetType = UNSET
    name: ResourceName | UnsetType = UNSET
    plan: registry.AnyPlan | UnsetType = UNSET
    kind: Kind | UnsetType = UNSET
    state: Literal["open", "closed"] | UnsetType = UNSET
    time_zone: str | UnsetType = UNSET
    opens_at: datetime | UnsetType | None = UNSET
    closes_at: datetime | UnsetType | None = UNSET
    starts_at: datetime | UnsetType | None = UNSET
    ends_at: datetime | UnsetType | None = UNSET
    hold_seconds: HoldSeconds | UnsetType = UNSET
    hold_seconds_max: HoldSecondsMax | UnsetType = UNSET
    owner_limit: OwnerLimit | UnsetType | None = UNSET
    payment: PaymentRule | UnsetType = UNSET
    payment_seconds: PaymentSeconds | UnsetType = UNSET
    late_payment: LatePayment | UnsetType = UNSET
    price: Price | UnsetType = UNSET
    pricing: Pricing | UnsetType | None = UNSET
    attributes: dict[str, str | int | float | bool | None] | UnsetType = UNSET


class Resource(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A resource as it is. `version` rises with every change; `replayed` says that this answers
    a repeated request."""

    id: str
    name: str
    kind: str
    state: Literal["open", "closed"]
    plan: registry.AnyPlan
    time_zone: str
    opens_at: datetime | None
    closes_at: datetime | None
    starts_at: datetime | None
    ends_at: datetime | None
    hold_seconds: int
    hold_seconds_max: int
    owner_limit: int | None
    payment: PaymentRule
    payment_seconds: int
    late_payment: LatePayment
    price: Money
    pricing: Pricing | None
    attributes: dict[str, str | int | float | bool | None]
    version: int
    created_at: datetime
    updated_at: datetime
    replayed: bool = False


class ResourcePage(msgspec.Struct, frozen=True):
    """A page of resources; `next` is the cursor of the one after, null at the end."""

    items: list[Resource]
    next: str | None


class ReadyResource(msgspec.Struct, frozen=True):
    """A resource made ready for the hot path: its policy, its compiled plan, and the version
    against which the database checks each request that was judged by them."""

    number: int
    resource: Resource
    plan: CompiledPlan
    zone: ZoneInfo
    prices: PriceList | None = None


def ready_resource(resource: Resource) -> ReadyResource:
    """The resource made ready."""
    return ReadyResource(
        ids.parse_resource(resource.id),
        resource,
        compile_plan(resource.plan),
        ZoneInfo(resource.time_zone),
        None if resource.pricing is None else PriceList(resource.pricing),
    )


def resource_of(row: Record) -> Resource:
    """A resource from its row."""
    return Resource(
        id=ids.show_resource(row["resource_id"]),
        name=row["name"],
        kind=row["kind"],
        state=row["state"],
        plan=stored_plan(json_text(row["plan"])),
        time_zone=row["time_zone"],
        opens_at=row["opens_at"],
        closes_at=row["closes_at"],
        starts_at=row["starts_at"],
        ends_at=row["ends_at"],
        hold_seconds=row["hold_seconds"],
        hold_seconds_max=row["hold_seconds_max"],
        owner_limit=row["owner_limit"],
        payment=row["payment"],
        payment_seconds=row["payment_seconds"],
        late_payment=row["late_payment"],
        price=Money(row["price_amount"], row["currency"]),
        pricing=_pricing_of(row),
        attributes=msgspec.json.decode(json_text(row["attributes"])),
        version=row["version"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


async def create(connection: Connection, new: NewResource, key: str | None = None) -> Resource:
    """Creates a resource, once for each idempotency key.

    Raises InvalidRequest for a plan or times that make no sense, IdempotencyKeyReused.
    """
    check_resource(new)
    content = hashlib.sha256(msgspec.json.encode(new)).digest()
    try:
        return await _create_once(connection, new, key, content)
    except _Twin:
        # A twin was being answered and has committed; what it created is undone here, and seen.
        return await _create_once(connection, new, key, content)


class _Twin(PlanChanged):
    """The key was used by a request that was in flight."""


async def _create_once(
    connection: Connection, new: NewResource, key: str | None, content: bytes
) -> Resource:
    async with connection.transaction():
        if key is not None:
            found = await connection.fetchrow(_QUERIES["recall_created"], key)
            if found is not None:
                return _recalled(found, content)
        row = None
        while row is None:
            number = ids.new_resource_number()
            row = await connection.fetchrow(_QUERIES["insert"], number, *_columns(new))
        if key is not None:
            subject = ids.IdMaker().new(number)
            if not await connection.fetchval(_QUERIES["remember_created"], key, content, subject):
                raise _Twin
        await connection.execute(_QUERIES["tell"], number, "created")
    return resource_of(row)


async def get(connection: Connection, resource_id: str) -> Resource:
    """Reads a resource. Raises ResourceNotFound, InvalidId."""
    row = await connection.fetchrow(_QUERIES["get"], ids.parse_resource(resource_id))
    if row is None:
        raise ResourceNotFound(resource_id=resource_id)
    return resource_of(row)


async def get_many(connection: Connection, numbers: list[int]) -> list[Resource]:
    """Reads the resources with these numbers; those that do not exist are left out."""
    return [resource_of(row) for row in await connection.fetch(_QUERIES["get_many"], numbers)]


async def list_page(
    connection: Connection, after: str | None = None, limit: int = 100, kind: str | None = None
) -> ResourcePage:
    """A page of resources. Raises InvalidCursor."""
    start = 0
    if after is not None:
        try:
            start = ids.parse_resource(after)
        except InvalidRequest as error:
            raise InvalidCursor(after=after[:60]) from error
    rows = await connection.fetch(_QUERIES["list"], start, kind, limit + 1)
    items = [resource_of(row) for row in rows[:limit]]
    return ResourcePage(items, items[-1].id if len(rows) > limit else None)


async def update(connection: Connection, resource_id: str, change: ResourceChange) -> Resource:
    """Changes a resource. Holds that were judged by the version before are judged anew.

    Raises ResourceNotFound, VersionMismatch, InvalidRequest, ResourceInUse when the new plan lacks
    units that are taken, ResourceCalledOff when it is to open a resource that was called off, and
    PlanChanged when a long transaction that places holds is in the way.
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
        check_resource(after)  # compiles the plan, which may take long, before anything is locked
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
            _QUERIES["update"], number, before.version, *_columns(after)
        )
        if row is None:
            return None
        if after.plan == before.plan:
            await connection.execute(_QUERIES["tell"], number, "changed")
        else:
            # Nothing is in flight by the old plan then, so this look is final.
            taken = await _in_turns(connection, "change_plan", number)
            outside = lost_units(before.plan, after.plan, [found["unit"] for found in taken])
            if outside:
                raise ResourceInUse(units=outside[:_SHOWN_MAX])
    return resource_of(row)


async def lock_plan(connection: Connection, number: int) -> None:
    """Lets what is in flight by a resource's plan finish, and keeps it alone until the transaction
    ends. Raises PlanChanged when a long transaction that places holds is in the way."""
    await connection.execute(_QUERIES["lock"], number)  # the row first, as every change does
    await _in_turns(connection, "lock_plan", number)


async def _in_turns(connection: Connection, statement: str, number: int) -> list[Record]:
    """Asks for the lock of a plan in short turns: new holds wait behind who waits for it, and go on
    between. Raises PlanChanged."""
    for turn in range(_LOCK_TURNS):
        await asyncio.sleep(_LOCK_PAUSE_SECONDS if turn else 0)
        try:
            async with connection.transaction():  # a savepoint, which a vain turn goes back to
                return await connection.fetch(_QUERIES[statement], number, _LOCK_TURN_MS)
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


def _columns(new: NewResource) -> tuple[object, ...]:
    return (
        new.name,
        new.kind,
        msgspec.json.encode(new.plan).decode(),
        new.state,
        new.time_zone,
        new.opens_at,
        new.closes_at,
        new.hold_seconds,
        new.hold_seconds_max,
        new.owner_limit,
        new.payment,
        new.price.amount,
        new.price.currency,
        msgspec.json.encode(new.attributes).decode(),
        new.starts_at,
        new.ends_at,
        new.payment_seconds,
        new.late_payment,
        None if new.pricing is None else msgspec.json.encode(new.pricing).decode(),
    )


def _pricing_of(row: Record) -> Pricing | None:
    stored = row["pricing"]
    return None if stored is None else _PRICING.decode(json_text(stored))


def _recalled(found: Record, content: bytes) -> Resource:
    if found["fingerprint"] != content:
        raise IdempotencyKeyReused(fields=["body"])
    return msgspec.structs.replace(resource_of(found), replayed=True)
