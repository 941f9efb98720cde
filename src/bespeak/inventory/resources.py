"""Resources: one thing with inventory of its own. They are created, read and listed here, and
kept ready for the hot path with the version against which the database checks each request.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal
from zoneinfo import ZoneInfo

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bespeak import ids
from bespeak.actors import acting
from bespeak.errors import (
    IdempotencyKeyReused,
    InvalidCursor,
    InvalidRequest,
    PlanChanged,
    ResourceNotFound,
)
from bespeak.inventory import workspaces
from bespeak.inventory.fields import NAME_PATTERN, NAME_SCHEMA
from bespeak.inventory.payment_rules import PaymentRule, usual_rule
from bespeak.inventory.plans import CompiledPlan
from bespeak.inventory.price_lists import PriceList
from bespeak.inventory.questions import CheckoutQuestion, Questions
from bespeak.inventory.resource_checks import check_resource
from bespeak.inventory.shapes import registry
from bespeak.inventory.shapes.registry import compile_plan, stored_plan
from bespeak.money import Money
from bespeak.postgres.json_text import json_text
from bespeak.postgres.queries import load
from bespeak.pricing.rules import Pricing
from bespeak.translations import Translation, Translations, words_in

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.inventory", "resources.sql")
_DEFAULT_HOLD_SECONDS, _DEFAULT_HOLD_SECONDS_MAX = 600, 1800
# More than a class or a coach party needs, and far less than a house: nobody takes all of it alone.
DEFAULT_OWNER_LIMIT = 50
_DEFAULT_PAYMENT_SECONDS = 900

ResourceName = Annotated[
    str,
    Meta(min_length=1, max_length=200, pattern=NAME_PATTERN, extra_json_schema=NAME_SCHEMA),
]
Kind = Annotated[
    str,
    Meta(
        pattern=r"^[a-z][a-z0-9_-]{0,39}\Z",
        extra_json_schema={"pattern": "^[a-z][a-z0-9_-]{0,39}$"},
        description="up to 40 small letters, digits, - and _, the first of them a letter",
        examples=["concert"],
    ),
]
Currency = Annotated[
    str,
    Meta(
        pattern=r"^[A-Z]{3}\Z",
        extra_json_schema={"pattern": "^[A-Z]{3}$"},
        description="a currency by its three capital letters (ISO 4217)",
        examples=["EUR"],
    ),
]
HoldSeconds = Annotated[int, Meta(ge=1, le=86_400)]
HoldSecondsMax = Annotated[int, Meta(ge=1, le=604_800)]
OwnerLimit = Annotated[int, Meta(ge=1, le=1_000_000)]
PaymentSeconds = Annotated[int, Meta(ge=60, le=86_400)]
LatePayment = Literal["same_units", "equal_offer", "refund"]
_TRANSLATIONS: msgspec.json.Decoder[tuple[Translation, ...]] = msgspec.json.Decoder(
    tuple[Translation, ...]
)
_QUESTIONS: msgspec.json.Decoder[tuple[CheckoutQuestion, ...]] = msgspec.json.Decoder(
    tuple[CheckoutQuestion, ...]
)
_PRICING: msgspec.json.Decoder[Pricing] = msgspec.json.Decoder(Pricing)


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The price of one unit in minor units of a currency (ISO 4217)."""

    amount: Annotated[int, Meta(ge=0, le=1_000_000_000_000)] = 0
    currency: Currency = "EUR"


class NewResource(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What it takes to create a resource; all but name and plan have defaults. `owner_limit` is
    None where one owner may have as much as there is. What is not `published` is not found
    by browsers and guests. Without `payment`, what has a price is to be paid here (`required`);
    `none` says that your own server takes the money, and confirms. `translations` say what its
    texts are called in other languages: its name, its plan's, its prices', its questions'. These
    `questions` are asked of buyers at checkout."""

    name: ResourceName
    plan: registry.AnyPlan
    kind: Kind = "show"
    state: Literal["open", "closed"] = "open"
    published: bool = True
    time_zone: str = "UTC"
    opens_at: datetime | None = None
    closes_at: datetime | None = None
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    hold_seconds: HoldSeconds = _DEFAULT_HOLD_SECONDS
    hold_seconds_max: HoldSecondsMax = _DEFAULT_HOLD_SECONDS_MAX
    owner_limit: OwnerLimit | None = DEFAULT_OWNER_LIMIT
    payment: PaymentRule | UnsetType = UNSET
    payment_seconds: PaymentSeconds = _DEFAULT_PAYMENT_SECONDS
    late_payment: LatePayment = "same_units"
    price: Price = Price()
    pricing: Pricing | None = None
    attributes: dict[str, str | int | float | bool | None] = {}
    translations: Translations = ()
    questions: Questions = ()


class ResourceChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fields of a resource that are to change; `version`, if given, must be the present one."""

    version: int | UnsetType = UNSET
    name: ResourceName | UnsetType = UNSET
    plan: registry.AnyPlan | UnsetType = UNSET
    kind: Kind | UnsetType = UNSET
    state: Literal["open", "closed"] | UnsetType = UNSET
    published: bool | UnsetType = UNSET
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
    translations: Translations | UnsetType = UNSET
    questions: Questions | UnsetType = UNSET


class Resource(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A resource as it is. While it is `kept_for_waitlist`, guests hold nothing of it: what comes
    back is for who waits. `version` rises with every change; `workspace` is left out where it is
    the default one; `replayed` says that this answers a repeated request. An answer in a language
    has `words` in place of `translations`: what texts of it are called in that language."""

    id: str
    name: str
    kind: str
    state: Literal["open", "closed"]
    published: bool
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
    translations: Translations = ()
    words: dict[str, str] = {}
    questions: Questions = ()
    kept_for_waitlist: bool = False
    workspace: str = workspaces.DEFAULT
    replayed: bool = False


class ResourcePage(msgspec.Struct, frozen=True):
    """A page of resources; `next` is the cursor of the one after, null at the end."""

    items: list[Resource]
    next: str | None


class ReadyResource(msgspec.Struct, frozen=True):
    """A resource made ready for the hot path: its policy, its compiled plan, and the version
    against which the database checks each request that was judged by them. Guests buy until
    `guests_until` (None: without an end)."""

    number: int
    resource: Resource
    plan: CompiledPlan
    zone: ZoneInfo
    prices: PriceList | None = None
    guests_until: datetime | None = None


def ready_resource(resource: Resource) -> ReadyResource:
    """The resource made ready."""
    plan = compile_plan(resource.plan)
    return ReadyResource(
        ids.parse_resource(resource.id),
        resource,
        plan,
        ZoneInfo(resource.time_zone),
        None if resource.pricing is None else PriceList(resource.pricing),
        # What has no dates, times or stops of its own begins when the resource does.
        resource.closes_at or (resource.starts_at if plan.range_kind is None else None),
    )


def resource_of(row: Record) -> Resource:
    """A resource from its row."""
    return Resource(
        id=ids.show_resource(row["resource_id"]),
        name=row["name"],
        kind=row["kind"],
        state=row["state"],
        published=row["published"],
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
        translations=_TRANSLATIONS.decode(json_text(row["translations"])),
        questions=_QUESTIONS.decode(json_text(row["questions"])),
        kept_for_waitlist=row["kept_for_waitlist"],
        workspace=workspaces.named(row["workspace"]),
    )


async def create(
    connection: Connection,
    new: NewResource,
    key: str | None = None,
    workspace: str | None = None,
) -> Resource:
    """Creates a resource in a workspace (None: the default one), once for each idempotency key.

    Raises InvalidRequest for a plan or times that make no sense, IdempotencyKeyReused.
    """
    check_resource(new)
    within = await workspaces.checked(connection, workspace)
    content = hashlib.sha256(msgspec.json.encode(new)).digest()
    new = settled(new)
    try:
        return await _create_once(connection, new, key, content, within)
    except _Twin:
        # A twin was being answered and has committed; what it created is undone here, and seen.
        return await _create_once(connection, new, key, content, within)


class _Twin(PlanChanged):
    """The key was used by a request that was in flight."""


async def _create_once(
    connection: Connection, new: NewResource, key: str | None, content: bytes, workspace: str
) -> Resource:
    creator = workspaces.creator(workspace)
    async with connection.transaction():
        if key is not None:
            found = await connection.fetchrow(_QUERIES["recall_created"], key, creator)
            if found is not None:
                return _recalled(found, content)
        row = None
        while row is None:
            number = ids.new_resource_number()
            row = await connection.fetchrow(_QUERIES["insert"], number, *columns_of(new), workspace)
        if key is not None:
            subject = ids.IdMaker().new(number)
            kept = (key, content, subject, creator)
            if not await connection.fetchval(_QUERIES["remember_created"], *kept):
                raise _Twin
        await connection.execute(_QUERIES["tell"], number, "created", acting())
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
    connection: Connection,
    after: str | None = None,
    limit: int = 100,
    kind: str | None = None,
    *,
    published_only: bool = False,
    workspace: str | None = None,
) -> ResourcePage:
    """A page of resources, of a workspace or of all. Raises InvalidCursor."""
    start = 0
    if after is not None:
        try:
            start = ids.parse_resource(after)
        except InvalidRequest as error:
            raise InvalidCursor(after=after[:60]) from error
    rows = await connection.fetch(
        _QUERIES["list"], start, kind, limit + 1, published_only, workspace
    )
    items = [resource_of(row) for row in rows[:limit]]
    return ResourcePage(items, items[-1].id if len(rows) > limit else None)


def settled(new: NewResource) -> NewResource:
    """The resource with its payment rule said."""
    if new.payment is not UNSET:
        return new
    return msgspec.structs.replace(new, payment=usual_rule(new))


def columns_of(new: NewResource) -> tuple[object, ...]:
    """The fields of a resource, settled, as the statements that write one take them."""
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
        new.published,
        msgspec.json.encode(new.translations).decode(),
        msgspec.json.encode(new.questions).decode(),
    )


def texts_in(resource: Resource, language: str | None) -> dict[str, str]:
    """What texts of a resource are called in a language: by the resource's own translations, else
    by those of its plan."""
    return words_in(language, resource.plan.own_translations(), resource.translations)


def in_language(resource: Resource, language: str | None) -> Resource:
    """A resource for who reads a language (None: whole, with its translations)."""
    if language is None:
        return resource
    words = texts_in(resource, language)
    name = words.get(resource.name, resource.name)
    return msgspec.structs.replace(resource, name=name, translations=(), words=words)


def _pricing_of(row: Record) -> Pricing | None:
    return None if row["pricing"] is None else _PRICING.decode(json_text(row["pricing"]))


def _recalled(found: Record, content: bytes) -> Resource:
    if found["fingerprint"] != content:
        raise IdempotencyKeyReused(fields=["body"])
    return msgspec.structs.replace(resource_of(found), replayed=True)
