"""Writing the catalogue: cities, cinemas, screens with their permanent seats, and films. Said
twice, a thing is made once; said otherwise under the same reference, it is refused or, by an
import, changed.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import asyncpg
import msgspec

from bespeak.errors import InvalidRequest, Refused
from bespeak.inventory.resource_checks import check_time_zone
from bespeak.inventory.shapes.registry import compile_seats
from bespeak.inventory.shapes.seats.plan import SeatsPlan
from bespeak.money import check_currency
from bespeak.postgres.queries import load
from bespeak.pricing.rules import Pricing, check_pricing
from bespeak.translations import check_translations
from bespeak.verticals.cinema.errors import (
    CinemaNotFound,
    CityNotFound,
    FilmNotFound,
    ReferenceTaken,
    ScreenNotFound,
    SeatRetired,
)
from bespeak.verticals.cinema.forms import NewCinema, NewCity, NewFilm, NewScreen
from bespeak.verticals.cinema.names import (
    CINEMA,
    CITY,
    FILM,
    SCREEN,
    fingerprint,
    id_of,
    named_id,
    ref_of,
)
from bespeak.verticals.cinema.palette import hues_of
from bespeak.verticals.cinema.show_plan import has_accessible
from bespeak.verticals.imports import Put
from bespeak.verticals.searching import searchable
from bespeak.verticals.stored_texts import translations_of

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.verticals.cinema", "catalogue_changes.sql")
# The first film is of 1888. To the database Python's first and last dates are infinity.
_RELEASED_MIN, _RELEASED_MAX = date(1888, 1, 1), date(9998, 12, 31)


async def put_city(connection: Connection, new: NewCity, *, update: bool = False) -> Put:
    """A city. Raises InvalidRequest, ReferenceTaken."""
    check_time_zone(new.time_zone)
    if not update:  # a city keeps its currency
        check_currency(new.currency)
    ref = new.ref if isinstance(new.ref, str) else ref_of(new.name)
    city_id, content = id_of(CITY, ref), fingerprint(new)
    made = await connection.fetchval(
        _QUERIES["insert_city"],
        *(city_id, ref, new.name, new.country, new.time_zone, new.currency, content),
        translations_text(new),
    )
    if made is not None:
        return Put(city_id, "created")
    row = await _differing(connection, "city", city_id, content, update=update)
    if row is None:
        return Put(city_id, "unchanged")
    for field in ("time_zone", "currency"):
        if row[field] != getattr(new, field):
            raise InvalidRequest(f"the {field} of a city does not change", field=field)
    await connection.execute(
        _QUERIES["update_city"], city_id, new.name, new.country, content, translations_text(new)
    )
    return Put(city_id, "updated")


async def put_cinema(connection: Connection, new: NewCinema, *, update: bool = False) -> Put:
    """A cinema. Raises InvalidRequest, CityNotFound, ReferenceTaken."""
    if new.pricing is not None:
        check_pricing(new.pricing)
    city_id = named_id(CITY, new.city)
    ref = new.ref if isinstance(new.ref, str) else ref_of(city_id, new.name)
    cinema_id, content = id_of(CINEMA, ref), fingerprint(new)
    try:
        async with connection.transaction():
            made = await connection.fetchval(
                _QUERIES["insert_cinema"],
                *(cinema_id, ref, city_id, new.name, new.address, _json(new.pricing), content),
                translations_text(new),
            )
    except asyncpg.ForeignKeyViolationError as error:
        raise CityNotFound(f"there is no city {new.city[:100]!r}", field="city") from error
    if made is not None:
        return Put(cinema_id, "created")
    row = await _differing(connection, "cinema", cinema_id, content, update=update)
    if row is None:
        return Put(cinema_id, "unchanged")
    if row["city_id"] != city_id:
        raise InvalidRequest("a cinema does not move to another city", field="city")
    await connection.execute(
        _QUERIES["update_cinema"],
        cinema_id,
        new.name,
        new.address,
        _json(new.pricing),
        content,
        translations_text(new),
    )
    return Put(cinema_id, "updated")


async def put_screen(connection: Connection, new: NewScreen, *, update: bool = False) -> Put:
    """A screen with its seats. Raises InvalidRequest, CinemaNotFound, ReferenceTaken,
    SeatRetired."""
    if not isinstance(new.plan, SeatsPlan):
        raise InvalidRequest("plan: a screen has seats", field="plan")
    compiled = compile_seats(new.plan)
    cinema_id = named_id(CINEMA, new.cinema)
    ref = new.ref if isinstance(new.ref, str) else ref_of(cinema_id, new.name)
    screen_id, content = id_of(SCREEN, ref), fingerprint(new)
    plan = msgspec.json.encode(new.plan).decode()
    facts = (
        plan,
        compiled.units_total(),
        has_accessible(new.plan),
        content,
        translations_text(new),
    )
    own = (new.name, list(new.features), new.cleaning_minutes)
    try:
        async with connection.transaction():
            made = await connection.fetchval(
                _QUERIES["insert_screen"], screen_id, ref, cinema_id, *own, *facts
            )
    except asyncpg.ForeignKeyViolationError as error:
        raise CinemaNotFound(f"there is no cinema {new.cinema[:100]!r}", field="cinema") from error
    if made is not None:
        await _keep_seats(connection, screen_id, compiled.categories)
        return Put(screen_id, "created")
    row = await _differing(connection, "screen", screen_id, content, update=update)
    if row is None:
        return Put(screen_id, "unchanged")
    if row["cinema_id"] != cinema_id:
        raise InvalidRequest("a screen does not move to another cinema", field="cinema")
    units = list(compiled.categories)
    back = await connection.fetch(_QUERIES["seats_back"], screen_id, units)
    if back:
        raise SeatRetired(units=[one["unit"] for one in back])
    await connection.execute(_QUERIES["update_screen"], screen_id, *own, *facts)
    await connection.execute(_QUERIES["retire_seats"], screen_id, units)
    await _keep_seats(connection, screen_id, compiled.categories)
    return Put(screen_id, "updated")


async def put_film(connection: Connection, new: NewFilm, *, update: bool = False) -> Put:
    """A film. Raises InvalidRequest, ReferenceTaken."""
    if not _RELEASED_MIN <= new.released <= _RELEASED_MAX:
        raise InvalidRequest(
            f"released is not in {_RELEASED_MIN.year} to {_RELEASED_MAX.year}", field="released"
        )
    ref = new.ref if isinstance(new.ref, str) else ref_of(new.title)
    film_id, content = id_of(FILM, ref), fingerprint(new)
    told = (new.title, new.original_title, new.tagline, new.synopsis, new.minutes, new.rating)
    made_by = (list(new.genres), new.director, list(new.cast), new.released)
    searched = searchable(new.title, new.original_title or "", new.director, *new.cast)
    drawn = (list(new.hues or hues_of(ref)), searched, content, translations_text(new))
    columns = (*told, *made_by, *drawn)
    made = await connection.fetchval(_QUERIES["insert_film"], film_id, ref, *columns)
    if made is not None:
        return Put(film_id, "created")
    row = await _differing(connection, "film", film_id, content, update=update)
    if row is None:
        return Put(film_id, "unchanged")
    await connection.execute(_QUERIES["update_film"], film_id, *columns)
    return Put(film_id, "updated")


async def said_city(connection: Connection, city_id: str) -> NewCity:
    """A city as it would be said now. Raises CityNotFound."""
    row = await _kept(connection, "city", city_id, CityNotFound)
    fields = ("name", "country", "time_zone", "currency", "ref")
    return NewCity(
        **{field: row[field] for field in fields}, translations=translations_of(row["translations"])
    )


async def said_cinema(connection: Connection, cinema_id: str) -> NewCinema:
    """A cinema as it would be said now. Raises CinemaNotFound."""
    row = await _kept(connection, "cinema", cinema_id, CinemaNotFound)
    return NewCinema(
        city=row["city_id"],
        name=row["name"],
        address=row["address"],
        pricing=pricing_of(row["pricing"]),
        ref=row["ref"],
        translations=translations_of(row["translations"]),
    )


async def said_screen(connection: Connection, screen_id: str) -> NewScreen:
    """A screen as it would be said now. Raises ScreenNotFound."""
    row = await _kept(connection, "screen", screen_id, ScreenNotFound)
    return NewScreen(
        cinema=row["cinema_id"],
        name=row["name"],
        plan=seats_plan(row["plan"]),
        features=tuple(row["features"]),
        cleaning_minutes=row["cleaning_minutes"],
        ref=row["ref"],
        translations=translations_of(row["translations"]),
    )


async def said_film(connection: Connection, film_id: str) -> NewFilm:
    """A film as it would be said now. Raises FilmNotFound."""
    return film_of(await _kept(connection, "film", film_id, FilmNotFound))


def film_of(row: Record) -> NewFilm:
    """A film of its row, with its reference and its colours."""
    fields = set(row.keys()) & set(NewFilm.__struct_fields__)
    return msgspec.convert(
        {
            **{field: row[field] for field in fields},
            "cast": row["players"],
            "translations": translations_of(row["translations"]),
        },
        NewFilm,
    )


async def _kept(connection: Connection, kind: str, thing_id: str, missing: type[Refused]) -> Record:
    row = await connection.fetchrow(_QUERIES[kind], thing_id)
    if row is None:
        raise missing(**{f"{kind}_id": thing_id})
    return row


def seats_plan(text: str) -> SeatsPlan:
    return msgspec.json.decode(text, type=SeatsPlan)


def pricing_of(text: str | None) -> Pricing | None:
    return None if text is None else msgspec.json.decode(text, type=Pricing)


def translations_text(said: NewCity | NewCinema | NewScreen | NewFilm) -> str:
    """The translations of a thing as they are stored. Raises InvalidRequest."""
    check_translations(said.translations)
    return msgspec.json.encode(said.translations).decode()


def _json(pricing: Pricing | None) -> str | None:
    return None if pricing is None else msgspec.json.encode(pricing).decode()


async def _differing(
    connection: Connection, kind: str, thing_id: str, content: bytes, *, update: bool
) -> Record | None:
    """What has this id already, locked until the transaction ends; None where it is the same.
    Raises ReferenceTaken where it differs and may not be changed."""
    row = await connection.fetchrow(_QUERIES[kind], thing_id)
    if row is None:
        raise ReferenceTaken(f"another {kind} has a reference that makes the same id")
    if row["content"] == content:
        return None
    if not update:
        raise ReferenceTaken(id=thing_id, ref=row["ref"])
    return row


async def _keep_seats(connection: Connection, screen_id: str, categories: dict[str, str]) -> None:
    await connection.execute(
        _QUERIES["keep_seats"], screen_id, list(categories), list(categories.values())
    )
