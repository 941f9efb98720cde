"""Writing shows: each is a resource and a row of the catalogue, in one transaction, and no two are
in one screen at a time, the cleaning between them included.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import asyncpg
import msgspec

from bespeak import ids
from bespeak.inventory.resources import Resource, ResourceChange
from bespeak.postgres.queries import load
from bespeak.translations import merged
from bespeak.verticals.cinema.catalogue_changes import pricing_of, seats_plan
from bespeak.verticals.cinema.errors import (
    FilmNotFound,
    ReferenceTaken,
    ScreenNotFound,
    ScreenOccupied,
    ShowNotFound,
)
from bespeak.verticals.cinema.forms import NewShow, ShowChange
from bespeak.verticals.cinema.names import FILM, SCREEN, named_id
from bespeak.verticals.cinema.show_parts import FilmOfShows, ScreenOfShows
from bespeak.verticals.cinema.show_plan import PlannedShow, schedule
from bespeak.verticals.imports import Put
from bespeak.verticals.stored_texts import translations_of

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.verticals.cinema", "catalogue_changes.sql")
_NOTHING = ResourceChange()
# What of a resource is as its show says it.
_CHANGED = (
    *(
        "plan",
        "name",
        "time_zone",
        "closes_at",
        "starts_at",
        "ends_at",
        "hold_seconds",
        "hold_seconds_max",
    ),
    *("owner_limit", "payment", "price", "pricing", "attributes", "translations"),
)


class KeptShow(NamedTuple):
    """A show that is there: its number, its screen, and what was last said of it."""

    ref: str
    number: int
    screen_id: str
    said: NewShow


class Clash(NamedTuple):
    """A show that is in a screen at the same time as another."""

    ref: str
    other_ref: str
    other_id: str


async def rooms(connection: Connection, screens: Iterable[str]) -> dict[str, ScreenOfShows]:
    """Screens by their ids, as their shows need them."""
    rows = await connection.fetch(_QUERIES["rooms"], list(set(screens)))
    return {row["screen_id"]: _room(row) for row in rows}


async def titles(connection: Connection, films: Iterable[str]) -> dict[str, FilmOfShows]:
    """Films by their ids, as their shows need them."""
    rows = await connection.fetch(_QUERIES["titles"], list(set(films)))
    return {row["film_id"]: _film(row) for row in rows}


async def put_show(engine: Engine, connection: Connection, new: NewShow) -> Put:
    """A show. Said again, it is made once. Raises FilmNotFound, ScreenNotFound, InvalidRequest,
    ScreenOccupied, ReferenceTaken."""
    planned = await _planned(connection, new)
    await take_screens(connection, [planned.room.screen_id])
    kept = await kept_shows(connection, [planned.ref])
    if planned.ref in kept:
        found = kept[planned.ref]
        show_id = ids.show_resource(found.number)
        if found.said != new and new.ref is msgspec.UNSET:
            raise ScreenOccupied(f"show {show_id} begins then", show_id=show_id, field="starts_at")
        if found.said != new:
            raise ReferenceTaken(id=show_id, ref=planned.ref)
        return Put(show_id, "unchanged")
    try:
        async with connection.transaction():
            (made,) = await create_shows(engine, connection, [planned])
    except asyncpg.ExclusionViolationError as error:
        raise await _occupied(connection, planned, None) from error
    except asyncpg.UniqueViolationError as error:
        raise ReferenceTaken(ref=planned.ref) from error
    return Put(made.id, "created")


async def create_shows(
    engine: Engine, connection: Connection, planned: Sequence[PlannedShow]
) -> list[Resource]:
    """Resources and their rows, in the transaction of the caller."""
    made = await engine.create_resources([one.resource for one in planned], connection=connection)
    numbers = [ids.parse_resource(resource.id) for resource in made]
    columns = zip(*(one.columns() for one in planned), strict=True)
    await connection.execute(_QUERIES["insert_shows"], numbers, *(list(one) for one in columns))
    return made


async def change_show(
    engine: Engine, connection: Connection, show_id: str, change: ShowChange
) -> None:
    """Changes a show with its resource. Raises ShowNotFound, InvalidRequest, ScreenOccupied,
    PlanChanged, ResourceCalledOff, ResourceNotReady."""
    number = ids.parse_resource(show_id)
    row = await connection.fetchrow(_QUERIES["show_by_number"], number)
    if row is None:
        raise ShowNotFound(show_id=show_id)
    # The screen first, as all writers of shows take it, and then what the show is by now.
    await take_screens(connection, [row["screen_id"]])
    (row,) = await connection.fetch(_QUERIES["show_by_number"], number)
    kept = _kept(row)
    changes = {
        field: value
        for field in ("starts_at", "language", "subtitles", "format", "translations")
        if (value := getattr(change, field)) is not msgspec.UNSET
    }
    if change.prices is not msgspec.UNSET:
        changes["prices"] = {**kept.said.prices, **change.prices}
    if changes:  # it is still found by what it was first
        changes["ref"] = kept.ref
    said = msgspec.structs.replace(kept.said, **changes)
    planned = await _planned(connection, said)
    try:
        async with connection.transaction():
            own = ResourceChange(state=change.state, published=change.published)
            await move_show(engine, connection, kept, planned, own)
    except asyncpg.ExclusionViolationError as error:
        raise await _occupied(connection, planned, kept.number) from error


async def move_show(
    engine: Engine,
    connection: Connection,
    kept: KeptShow,
    planned: PlannedShow,
    own: ResourceChange = _NOTHING,
) -> None:
    """Makes a show what was said of it now, in the transaction of the caller; `own` is what of its
    resource is changed besides. In the same screen it keeps the seats that it was sold with."""
    show_id = ids.show_resource(kept.number)
    if planned.room.screen_id == kept.screen_id:
        there = await engine.get_resource(show_id, connection=connection)
        plan = seats_plan(msgspec.json.encode(there.plan).decode())
        planned = schedule(planned.said, planned.room, planned.film, plan)
    changed = {field: getattr(planned.resource, field) for field in _CHANGED}
    change = msgspec.structs.replace(own, **changed)
    await engine.update_resource(show_id, change, connection=connection)
    _, *columns = planned.columns()
    await connection.execute(_QUERIES["update_show"], kept.number, kept.ref, *columns)


async def kept_shows(connection: Connection, refs: list[str]) -> dict[str, KeptShow]:
    """The shows that are there already, by their references, locked."""
    rows = await connection.fetch(_QUERIES["shows_by_ref"], refs)
    return {row["ref"]: _kept(row) for row in rows}


async def take_screens(connection: Connection, screens: Iterable[str]) -> None:
    """Keeps other writers of shows out of these screens until the transaction ends, and frees the
    screens of shows that were called off."""
    chosen = sorted(set(screens))
    await connection.execute(_QUERIES["lock_screens"], chosen)
    await connection.execute(_QUERIES["vacate"], chosen)


async def _occupied(
    connection: Connection, planned: PlannedShow, number: int | None
) -> ScreenOccupied:
    """The error that names the show in the way."""
    stretch = planned.occupied
    found = await connection.fetchval(_QUERIES["occupant"], *stretch, number)
    show_id = None if found is None else ids.show_resource(found)
    detail = f"show {show_id} is in the screen then, or it is being cleaned"
    return ScreenOccupied(detail, show_id=show_id, field="starts_at")


async def defer_occupied(connection: Connection) -> None:
    """Lets shows of one transaction change places."""
    await connection.execute(_QUERIES["defer_occupied"])


async def judge_occupied(connection: Connection) -> None:
    """Raises asyncpg's ExclusionViolationError if two shows are in one screen at a time."""
    await connection.execute(_QUERIES["judge_occupied"])


async def clashes(connection: Connection, numbers: list[int]) -> list[Clash]:
    """Which of these shows are in the way of others."""
    rows = await connection.fetch(_QUERIES["clashes"], numbers)
    return [Clash(row["ref"], row["other_ref"], ids.show_resource(row["other_id"])) for row in rows]


def named_room(found: dict[str, ScreenOfShows], new: NewShow) -> ScreenOfShows:
    """The screen that a show names. Raises ScreenNotFound."""
    room = found.get(named_id(SCREEN, new.screen))
    if room is None:
        raise ScreenNotFound(f"there is no screen {new.screen[:100]!r}", field="screen")
    return room


def named_title(found: dict[str, FilmOfShows], new: NewShow) -> FilmOfShows:
    """The film that a show names. Raises FilmNotFound."""
    film = found.get(named_id(FILM, new.film))
    if film is None:
        raise FilmNotFound(f"there is no film {new.film[:100]!r}", field="film")
    return film


async def _planned(connection: Connection, new: NewShow) -> PlannedShow:
    room = named_room(await rooms(connection, [named_id(SCREEN, new.screen)]), new)
    film = named_title(await titles(connection, [named_id(FILM, new.film)]), new)
    return schedule(new, room, film)


def _kept(row: Record) -> KeptShow:
    said = msgspec.json.decode(row["said"], type=NewShow)
    return KeptShow(row["ref"], row["resource_id"], row["screen_id"], said)


def _film(row: Record) -> FilmOfShows:
    values = dict(row)
    values["translations"] = translations_of(row["translations"])
    return FilmOfShows(**values)


def _room(row: Record) -> ScreenOfShows:
    values = dict(row)
    values["plan"] = seats_plan(row["plan"])
    values["pricing"] = pricing_of(row["pricing"])
    texts = (values.pop(f"{kind}_translations") for kind in ("city", "cinema", "screen"))
    values["translations"] = merged(*(translations_of(text) for text in texts))
    return ScreenOfShows(**values)
