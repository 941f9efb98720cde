"""Reading the programme: one statement a question, pages by the key of their last entry. Every
statement is asked for a workspace; what is another's is as what does not exist.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from bespeak import ids
from bespeak.list_cursors import read_cursor, show_cursor
from bespeak.postgres.queries import load
from bespeak.verticals.pictures import PictureNotFound
from bespeak.verticals.programme import views
from bespeak.verticals.programme.errors import (
    HallNotFound,
    PerformanceNotFound,
    ProductionNotFound,
    VenueNotFound,
)
from bespeak.verticals.programme.names import HALL, PRODUCTION, VENUE, check_id
from bespeak.verticals.programme.queries import (
    HallQuestion,
    PerformanceQuestion,
    ProductionQuestion,
    VenueQuestion,
)
from bespeak.verticals.programme.shown import (
    shown_hall,
    shown_performance,
    shown_production,
    shown_venue,
)
from bespeak.verticals.searching import search_patterns

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.verticals.programme", "catalogue.sql")
_EVERYTHING = ProductionQuestion(state="all")


class Reader(NamedTuple):
    """For whom the programme is read: of which workspace, whether a guest, who sees what is
    published, and in which language (None: as the texts were typed)."""

    workspace: str
    published_only: bool = False
    language: str | None = None


class Picture(NamedTuple):
    """A picture, and its digest."""

    digest: str
    content: bytes


async def venues(connection: Connection, reader: Reader, asked: VenueQuestion) -> views.Venues:
    """A page of venues. Raises InvalidCursor."""
    after = read_cursor(asked.after, tuple[str, str]) or (None, None)
    rows = await connection.fetch(
        _QUERIES["venues"], reader.workspace, None, asked.archived, *after, asked.limit + 1
    )
    items = [shown_venue(row, reader.language) for row in rows[: asked.limit]]
    return views.Venues(items, _after(rows, asked.limit, "name", "venue_id"))


async def venue(connection: Connection, reader: Reader, venue_id: str) -> views.Venue:
    """One venue. Raises VenueNotFound, InvalidId."""
    check_id(VENUE, venue_id)
    rows = await connection.fetch(
        _QUERIES["venues"], reader.workspace, venue_id, True, None, None, 1
    )
    if not rows:
        raise VenueNotFound(venue_id=venue_id)
    return shown_venue(rows[0], reader.language)


async def halls(connection: Connection, reader: Reader, asked: HallQuestion) -> views.Halls:
    """A page of halls, without their plans. Raises InvalidCursor, InvalidId."""
    after = read_cursor(asked.after, tuple[str, str]) or (None, None)
    if asked.venue is not None:
        check_id(VENUE, asked.venue)
    told = (reader.workspace, None, asked.venue, asked.archived)
    rows = await connection.fetch(_QUERIES["halls"], *told, *after, asked.limit + 1)
    items = [shown_hall(row, reader.language) for row in rows[: asked.limit]]
    return views.Halls(items, _after(rows, asked.limit, "name", "hall_id"))


async def hall(connection: Connection, reader: Reader, hall_id: str) -> views.Hall:
    """One hall with its plan. Raises HallNotFound, InvalidId."""
    check_id(HALL, hall_id)
    rows = await connection.fetch(
        _QUERIES["halls"], reader.workspace, hall_id, None, True, None, None, 1
    )
    if not rows:
        raise HallNotFound(hall_id=hall_id)
    return shown_hall(rows[0], reader.language)


async def productions(
    connection: Connection, reader: Reader, asked: ProductionQuestion
) -> views.Productions:
    """A page of productions. Raises InvalidCursor, InvalidId."""
    if asked.venue is not None:
        check_id(VENUE, asked.venue)
    rows = await _productions(connection, reader, asked, None, asked.limit + 1)
    items = [shown_production(row, reader.language) for row in rows[: asked.limit]]
    return views.Productions(items, _after(rows, asked.limit, "place", "production_id"))


async def production(
    connection: Connection, reader: Reader, production_id: str
) -> views.Production:
    """One production. Raises ProductionNotFound, InvalidId."""
    check_id(PRODUCTION, production_id)
    rows = await _productions(connection, reader, _EVERYTHING, production_id, 1)
    if not rows:
        raise ProductionNotFound(production_id=production_id)
    return shown_production(rows[0], reader.language)


async def _productions(
    connection: Connection,
    reader: Reader,
    asked: ProductionQuestion,
    production_id: str | None,
    limit: int,
) -> list[Record]:
    return await connection.fetch(
        _QUERIES["productions"],
        reader.workspace,
        reader.published_only,
        production_id,
        search_patterns(asked.search),
        asked.kind,
        asked.series,
        asked.from_,
        asked.to,
        asked.venue,
        asked.city,
        asked.state,
        *(read_cursor(asked.after, tuple[int, str]) or (None, None)),
        limit,
    )


async def performances(
    connection: Connection, reader: Reader, asked: PerformanceQuestion
) -> views.Performances:
    """A page of performances. Raises InvalidCursor, InvalidId."""
    after = read_cursor(asked.after, tuple[datetime, int]) or (None, None)
    for prefix, named in ((PRODUCTION, asked.production), (VENUE, asked.venue)):
        if named is not None:
            check_id(prefix, named)
    rows = await connection.fetch(
        _QUERIES["performances"],
        reader.workspace,
        reader.published_only,
        None,
        asked.production,
        asked.venue,
        asked.from_,
        asked.to,
        *after,
        asked.limit + 1,
    )
    items = [shown_performance(row, reader.language) for row in rows[: asked.limit]]
    return views.Performances(items, _after(rows, asked.limit, "starts_at", "resource_id"))


async def performance(
    connection: Connection, reader: Reader, performance_id: str
) -> views.Performance:
    """One performance. Raises PerformanceNotFound, InvalidId."""
    found = await numbered(connection, reader, [ids.parse_resource(performance_id)])
    if not found:
        raise PerformanceNotFound(performance_id=performance_id)
    return found[0]


async def numbered(
    connection: Connection, reader: Reader, numbers: list[int]
) -> list[views.Performance]:
    """The performances with these numbers, by time."""
    none = (None,) * 6
    rows = await connection.fetch(
        _QUERIES["performances"],
        reader.workspace,
        reader.published_only,
        numbers,
        *none,
        len(numbers),
    )
    return [shown_performance(row, reader.language) for row in rows]


async def picture(connection: Connection, production_id: str, *, card: bool) -> Picture:
    """The picture of a production. Raises ProductionNotFound, PictureNotFound, InvalidId."""
    check_id(PRODUCTION, production_id)
    row = await connection.fetchrow(_QUERIES["picture"], production_id, card)
    if row is None:
        raise ProductionNotFound(production_id=production_id)
    if row["picture"] is None:
        raise PictureNotFound(production_id=production_id)
    return Picture(row["picture"], row["content"])


def _after(rows: list[Record], limit: int, *key: str) -> str | None:
    """The cursor of the next page, where there is one."""
    return show_cursor(*(rows[limit - 1][name] for name in key)) if len(rows) > limit else None
