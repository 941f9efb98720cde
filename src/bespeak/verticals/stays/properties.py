"""Writing properties. What the resources of its listings take from a property (where it is, when
one arrives) is written anew with it, so that mails, tickets and the search tell the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import asyncpg
import msgspec
from msgspec import UNSET

from bespeak import ids
from bespeak.errors import InvalidRequest
from bespeak.inventory.resource_changes import tell_changed
from bespeak.inventory.resource_checks import check_time_zone
from bespeak.inventory.resources import ResourceChange
from bespeak.postgres.queries import load
from bespeak.verticals.changes import with_changes
from bespeak.verticals.once import made_before, remember
from bespeak.verticals.searching import searchable
from bespeak.verticals.stays.errors import PropertyNotFound, StayReferenceTaken
from bespeak.verticals.stays.forms import NewProperty, PropertyChange
from bespeak.verticals.stays.names import check_property_id, new_property_id
from bespeak.verticals.stays.pictures import show_pictures
from bespeak.verticals.stays.resource_parts import (
    attributes_of,
    nights_of,
    property_of,
    words_of,
)
from bespeak.verticals.stored_texts import stored_translations

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.verticals.stays", "changes.sql")


async def create_property(
    connection: Connection, workspace: str, new: NewProperty, key: str | None
) -> tuple[str, bool]:
    """A new property, and whether it was there by this key. Raises StayReferenceTaken,
    PictureUnknown, InvalidRequest, IdempotencyKeyReused."""
    columns = property_columns(new)
    before = await made_before(connection, _QUERIES, workspace, key, "property", new)
    if before is not None:
        return before, True
    property_id = new_property_id()
    await _write(connection, "insert_property", workspace, property_id, columns)
    await show_pictures(connection, new.pictures, property_id=property_id)
    await remember(connection, _QUERIES, workspace, key, property_id)
    return property_id, False


async def change_property(
    engine: Engine, connection: Connection, workspace: str, property_id: str, change: PropertyChange
) -> None:
    """Changes a property, and what its listings take from it. Raises PropertyNotFound,
    StayReferenceTaken, PictureUnknown, InvalidRequest, InvalidId."""
    said = await take_property(connection, workspace, property_id)
    after = with_changes(said, change)
    columns = property_columns(after)
    listings = await connection.fetch(_QUERIES["listings_of_property"], property_id)
    if after.time_zone != said.time_zone and listings:
        raise InvalidRequest(
            "the time_zone of a property does not change once it has listings", field="time_zone"
        )
    await _write(connection, "update_property", workspace, property_id, columns)
    if after.pictures != said.pictures:
        await show_pictures(connection, after.pictures, property_id=property_id)
    if after == said:
        return
    if msgspec.structs.replace(after, rated_elsewhere=said.rated_elsewhere) == said:
        # Resources say nothing of it, and the search looks at all listings of what is told of one.
        await tell_changed(connection, [row["resource_id"] for row in listings[:1]])
        return
    for row in listings:
        listing_id = ids.show_resource(row["resource_id"])
        there = await engine.get_resource(listing_id, connection=connection)
        plan = nights_of(there.plan, after)
        await engine.update_resource(
            listing_id,
            ResourceChange(
                plan=UNSET if plan == there.plan else plan,
                attributes=attributes_of(after, property_id, there.attributes),
                translations=words_of(after, row["translations"], row["name"], there),
            ),
            connection=connection,
        )


async def take_property(connection: Connection, workspace: str, property_id: str) -> NewProperty:
    """A property as it was said, locked for who writes it or its listings. Raises PropertyNotFound,
    InvalidId."""
    check_property_id(property_id)
    row = await connection.fetchrow(_QUERIES["property"], workspace, property_id)
    if row is None:
        raise PropertyNotFound(property_id=property_id)
    return property_of(dict(row))


async def _write(
    connection: Connection,
    statement: str,
    workspace: str,
    property_id: str,
    columns: tuple[object, ...],
) -> None:
    try:
        async with connection.transaction():
            await connection.execute(_QUERIES[statement], workspace, property_id, *columns)
    except asyncpg.UniqueViolationError as error:
        raise StayReferenceTaken(ref=columns[0], field="ref") from error


def property_columns(said: NewProperty) -> tuple[object, ...]:
    """The columns of a property in their order. Raises InvalidRequest."""
    check_time_zone(said.time_zone)
    words = [word for one in said.translations for word in one.words.values()]
    return (
        said.ref,
        said.name,
        said.kind,
        said.stars,
        said.address,
        said.city,
        said.country,
        said.lat,
        said.lon,
        said.time_zone,
        said.check_in_time,
        said.check_out_time,
        said.summary,
        said.description,
        said.house_rules,
        list(said.amenities),
        list(said.languages),
        said.website,
        stored_translations(said.translations),
        searchable(said.name, said.city, said.ref or "", *words),
        None
        if said.rated_elsewhere is None
        else msgspec.json.encode(said.rated_elsewhere).decode(),
    )
