"""Writing listings: each is a resource and a row beside it, in one transaction. Who writes listings
of a property has its row locked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import asyncpg
import msgspec
from msgspec import UNSET

from bespeak import ids
from bespeak.inventory.resources import NewResource, Price, Resource, ResourceChange
from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.money import check_currency
from bespeak.postgres.queries import load
from bespeak.verticals.changes import resource_change, with_changes
from bespeak.verticals.currencies import usual_currency
from bespeak.verticals.once import made_before, remember
from bespeak.verticals.stays.errors import ListingNotFound, PropertyFull, StayReferenceTaken
from bespeak.verticals.stays.forms import (
    Beds,
    ListingChange,
    ListingFields,
    NewListing,
    NewProperty,
)
from bespeak.verticals.stays.pictures import show_pictures
from bespeak.verticals.stays.properties import take_property
from bespeak.verticals.stays.resource_parts import (
    asked_texts,
    attributes_of,
    nights_of,
    resource_name,
    resource_words,
    shown_in,
)
from bespeak.verticals.stored_texts import stored_translations, translations_of

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection, Record

KIND = "stay"
LISTINGS_MAX = 500
"""The most listings of one property."""
_QUERIES = load("bespeak.verticals.stays", "changes.sql")
_BEDS: msgspec.json.Decoder[tuple[Beds, ...]] = msgspec.json.Decoder(tuple[Beds, ...])


async def create_listing(
    engine: Engine, connection: Connection, workspace: str, new: NewListing, key: str | None
) -> tuple[str, bool]:
    """A new listing with its resource, and whether it was there by this key. Raises
    PropertyNotFound, PropertyFull, StayReferenceTaken, PictureUnknown, CurrencyNeeded,
    InvalidRequest, InvalidId, ResourceNotReady, IdempotencyKeyReused."""
    before = await made_before(connection, _QUERIES, workspace, key, "listing", new)
    if before is not None:
        return before, True
    house = await take_property(connection, workspace, new.property)
    count = await connection.fetchval(_QUERIES["count_listings"], new.property)
    if count >= LISTINGS_MAX:
        raise PropertyFull(f"it has {count} listings, the most that one can have", listings=count)
    currency = new.currency or await usual_currency(connection, workspace)
    check_currency(currency)
    made = await engine.create_resource(
        resource_of_listing(new, house, currency), workspace=workspace, connection=connection
    )
    number = ids.parse_resource(made.id)
    try:
        async with connection.transaction():
            await connection.execute(
                _QUERIES["insert_listing"], workspace, number, new.property, *listing_columns(new)
            )
    except asyncpg.UniqueViolationError as error:
        raise StayReferenceTaken(ref=new.ref, field="ref") from error
    await show_pictures(connection, new.pictures, listing=number)
    if new.published:  # a change, so that what is not ready for guests is refused
        await engine.update_resource(made.id, ResourceChange(published=True), connection=connection)
    await remember(connection, _QUERIES, workspace, key, made.id)
    return made.id, False


async def change_listing(
    engine: Engine, connection: Connection, workspace: str, listing_id: str, change: ListingFields
) -> None:
    """Changes a listing with its resource. Raises ListingNotFound, StayReferenceTaken,
    PictureUnknown, InvalidRequest, VersionMismatch, PlanChanged, PaymentRuleNeeded, ResourceInUse,
    ResourceNotReady, InvalidId."""
    house, said, there = await take_listing(engine, connection, workspace, listing_id)
    after = with_changes(msgspec.structs.replace(said, payment=UNSET), change)
    resource = resource_of_listing(after, house, there.price.currency, there)
    own = ResourceChange(
        version=change.version if isinstance(change, ListingChange) else UNSET,
        payment=change.payment,
        published=change.published,
    )
    await engine.update_resource(listing_id, resource_change(resource, own), connection=connection)
    try:
        async with connection.transaction():
            await connection.execute(
                _QUERIES["update_listing"],
                workspace,
                ids.parse_resource(listing_id),
                *listing_columns(after),
            )
    except asyncpg.UniqueViolationError as error:
        raise StayReferenceTaken(ref=after.ref, field="ref") from error
    if after.pictures != said.pictures:
        await show_pictures(connection, after.pictures, listing=ids.parse_resource(listing_id))


async def take_listing(
    engine: Engine, connection: Connection, workspace: str, listing_id: str
) -> tuple[NewProperty, NewListing, Resource]:
    """A listing as it was said, with its property and its resource, locked for who writes it.
    Raises ListingNotFound, InvalidId."""
    number = ids.parse_resource(listing_id)
    property_id = await connection.fetchval(_QUERIES["property_of_listing"], workspace, number)
    if property_id is None:
        raise ListingNotFound(listing_id=listing_id)
    house = await take_property(connection, workspace, property_id)
    row = await connection.fetchrow(_QUERIES["listing"], workspace, number)
    there = await engine.get_resource(listing_id, connection=connection)
    return house, _said(row, there), there


def resource_of_listing(
    said: NewListing, house: NewProperty, currency: str, there: Resource | None = None
) -> NewResource:
    """The resource of a listing, which is not published yet. Raises InvalidRequest."""
    asked = asked_texts(said.questions)
    plan = nights_of(said.plan, house, said)
    return NewResource(
        name=resource_name(house, said.name),
        kind=KIND,
        plan=plan,
        published=False,
        time_zone=house.time_zone,
        hold_seconds=said.hold_seconds,
        hold_seconds_max=max(said.hold_seconds, said.hold_seconds_max),
        owner_limit=said.owner_limit,
        payment=said.payment,
        price=Price(said.price, currency),
        pricing=said.pricing,
        attributes=attributes_of(house, said.property, {} if there is None else there.attributes),
        translations=resource_words(house, said.translations, said.name, said.pricing, asked, plan),
        questions=said.questions,
    )


def _said(row: Record | None, there: Resource) -> NewListing:
    """A listing as it was said last."""
    if row is None or not isinstance(there.plan, NightsPlan):
        raise ListingNotFound(listing_id=there.id)
    return NewListing(
        property=row["property_id"],
        name=row["name"],
        guests=row["guests"],
        plan=there.plan,
        ref=row["ref"],
        price=there.price.amount,
        currency=there.price.currency,
        beds=_BEDS.decode(row["beds"]),
        square_metres=row["square_metres"],
        amenities=tuple(row["amenities"]),
        summary=row["summary"],
        description=row["description"],
        pictures=shown_in(dict(row)),
        payment=there.payment,
        pricing=there.pricing,
        owner_limit=there.owner_limit,
        hold_seconds=there.hold_seconds,
        hold_seconds_max=there.hold_seconds_max,
        published=there.published,
        translations=translations_of(row["translations"]),
        questions=there.questions,
    )


def listing_columns(said: NewListing) -> tuple[object, ...]:
    """The columns of a listing in their order. Raises InvalidRequest."""
    return (
        said.ref,
        said.name,
        said.guests,
        msgspec.json.encode(said.beds).decode(),
        said.square_metres,
        list(said.amenities),
        said.summary,
        said.description,
        stored_translations(said.translations),
    )
