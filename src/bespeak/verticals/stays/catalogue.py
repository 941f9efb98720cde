"""Reading properties and listings: one statement a question, pages by the key of their last entry.
Every statement is asked for a workspace; what is another's is as what does not exist.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from bespeak import ids
from bespeak.errors import InvalidRequest
from bespeak.inventory.plans import AvailabilityQuery
from bespeak.inventory.shapes.nights.availability import NightsAvailability
from bespeak.list_cursors import read_cursor, show_cursor
from bespeak.postgres.queries import load
from bespeak.verticals.searching import search_patterns
from bespeak.verticals.stays import views
from bespeak.verticals.stays.errors import ListingNotFound, PropertyNotFound
from bespeak.verticals.stays.names import check_property_id
from bespeak.verticals.stays.queries import ListingQuestion, ListingsQuestion, PropertyQuestion
from bespeak.verticals.stays.shown import shown_listing, shown_property

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.verticals.stays", "catalogue.sql")


class StaysReader(NamedTuple):
    """For whom stays are read: of which workspace, whether a guest, who sees what is published, who
    sells (and sees plans), and in which language (None: as the texts were typed)."""

    workspace: str
    published_only: bool = False
    sells: bool = False
    language: str | None = None


async def properties(
    connection: Connection, reader: StaysReader, asked: PropertyQuestion
) -> views.Properties:
    """A page of properties. Raises InvalidCursor."""
    after = read_cursor(asked.after, tuple[str, str]) or (None, None)
    rows = await connection.fetch(
        _QUERIES["properties"],
        reader.workspace,
        reader.published_only,
        None,
        search_patterns(asked.search),
        *after,
        asked.limit + 1,
    )
    items = [shown_property(row, reader.language) for row in rows[: asked.limit]]
    return views.Properties(items, _after(rows, asked.limit, "name", "property_id"))


async def read_property(
    connection: Connection, reader: StaysReader, property_id: str
) -> views.Property:
    """One property. Raises PropertyNotFound, InvalidId."""
    check_property_id(property_id)
    told = (reader.workspace, reader.published_only, property_id)
    rows = await connection.fetch(_QUERIES["properties"], *told, [], None, None, 1)
    if not rows:
        raise PropertyNotFound(property_id=property_id)
    return shown_property(rows[0], reader.language)


async def listings(
    connection: Connection, reader: StaysReader, asked: ListingsQuestion
) -> views.Listings:
    """A page of listings. Raises InvalidCursor, InvalidId."""
    after = read_cursor(asked.after, tuple[str, int]) or (None, None)
    if asked.property is not None:
        check_property_id(asked.property)
    told = (reader.workspace, reader.published_only, None, asked.property)
    rows = await connection.fetch(_QUERIES["listings"], *told, *after, asked.limit + 1)
    items = [
        shown_listing(row, reader.language, with_plan=reader.sells) for row in rows[: asked.limit]
    ]
    return views.Listings(items, _after(rows, asked.limit, "name", "resource_id"))


async def listing(connection: Connection, reader: StaysReader, listing_id: str) -> views.Listing:
    """One listing, without its calendar. Raises ListingNotFound, InvalidId."""
    number = ids.parse_resource(listing_id)
    told = (reader.workspace, reader.published_only, number, None, None, None, 1)
    rows = await connection.fetch(_QUERIES["listings"], *told)
    if not rows:
        raise ListingNotFound(listing_id=listing_id)
    return shown_listing(rows[0], reader.language, with_plan=reader.sells)


async def with_calendar(
    engine: Engine, found: views.Listing, asked: ListingQuestion
) -> views.Listing:
    """The listing with its calendar, as a hold would find it. Raises InvalidRequest."""
    start = None if asked.from_ is None else asked.from_.isoformat()
    query = AvailabilityQuery(from_=start, quantity=asked.rooms)
    if asked.from_ is not None:
        end = _days_after(asked.from_, asked.days)
        query = msgspec.structs.replace(query, to=end.isoformat())
    nights = await engine.availability(found.id, query, form=NightsAvailability)
    if asked.from_ is None and asked.days != len(nights.nights):
        end = _days_after(date.fromisoformat(nights.from_), asked.days)
        query = msgspec.structs.replace(query, from_=nights.from_, to=end.isoformat())
        nights = await engine.availability(found.id, query, form=NightsAvailability)
    calendar = views.Calendar(
        from_=date.fromisoformat(nights.from_),
        to=date.fromisoformat(nights.to),
        first_arrival=date.fromisoformat(nights.first_arrival),
        last_departure=date.fromisoformat(nights.last_departure),
        rooms=nights.quantity,
        nights=nights.nights,
    )
    return msgspec.structs.replace(found, calendar=calendar)


def _days_after(start: date, days: int) -> date:
    """The day so many days later. Raises InvalidRequest behind the last that there is."""
    try:
        return start + timedelta(days=days)
    except OverflowError as error:
        raise InvalidRequest("from: no calendar goes on so long", field="from") from error


def _after(rows: Sequence[Record], limit: int, *key: str) -> str | None:
    """The cursor behind the page, if there is more."""
    return show_cursor(*(rows[limit - 1][part] for part in key)) if len(rows) > limit else None
