"""The calls of the catalogue: reading for everybody with a key, writing for the operator."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

import msgspec

from bespeak import ids
from bespeak.verticals.cinema import catalogue, catalogue_changes, views
from bespeak.verticals.cinema.catalogue_import import import_catalogue
from bespeak.verticals.cinema.forms import (
    Catalogue,
    CinemaChange,
    CityChange,
    FilmChange,
    NewCinema,
    NewCity,
    NewFilm,
    NewScreen,
    NewShow,
    ScreenChange,
    ShowChange,
)
from bespeak.verticals.cinema.names import CINEMA, CITY, FILM, SCREEN, check_id
from bespeak.verticals.cinema.placeholder import placeholder
from bespeak.verticals.cinema.queries import (
    CinemaQuestion,
    FilmQuestion,
    ImportQuestion,
    ScreenQuestion,
    ShowQuestion,
)
from bespeak.verticals.cinema.shows import change_show, put_show
from bespeak.verticals.vertical import VerticalRequest, Document, ImportReport

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection

_YEAR_SECONDS = 31_536_000
_Said = TypeVar("_Said", bound=msgspec.Struct)


@asynccontextmanager
async def _reading(engine: Engine) -> AsyncIterator[Connection]:
    async with engine.database.borrow() as connection:
        yield connection


@asynccontextmanager
async def _writing(engine: Engine) -> AsyncIterator[Connection]:
    async with _reading(engine) as connection, connection.transaction():
        yield connection


async def list_cities(asked: VerticalRequest) -> views.Cities:
    """All cities, by name, with how many cinemas they have and how many shows are to come."""
    async with _reading(asked.engine) as connection:
        return await catalogue.cities(connection)


async def list_films(asked: VerticalRequest) -> views.Films:
    """A page of films, those released last first, with what is left to choose of each filter."""
    async with _reading(asked.engine) as connection:
        return await catalogue.films(connection, asked.query_as(FilmQuestion))


async def get_film(asked: VerticalRequest) -> views.Film:
    """Reads a film."""
    async with _reading(asked.engine) as connection:
        return await catalogue.film(connection, asked.path["film_id"])


async def get_poster(asked: VerticalRequest) -> Document:
    """The poster of a film: its picture, or else its title on its hues. An address with another
    `v` is another picture, so it may be kept for ever."""
    async with _reading(asked.engine) as connection:
        subject, picture = await catalogue.poster(connection, asked.path["film_id"])
    drawn = picture or placeholder(subject)
    return Document(drawn.encode(), "image/svg+xml", subject.etag, _YEAR_SECONDS)


async def list_shows(asked: VerticalRequest) -> views.Shows:
    """A page of shows, by time, each with how much of it is free."""
    async with _reading(asked.engine) as connection:
        return await catalogue.shows(connection, asked.query_as(ShowQuestion))


async def get_show(asked: VerticalRequest) -> views.Show:
    """Reads a show."""
    async with _reading(asked.engine) as connection:
        return await catalogue.show(connection, asked.path["show_id"])


async def list_cinemas(asked: VerticalRequest) -> views.Cinemas:
    """A page of cinemas, by name."""
    async with _reading(asked.engine) as connection:
        return await catalogue.cinemas(connection, asked.query_as(CinemaQuestion))


async def list_screens(asked: VerticalRequest) -> views.Screens:
    """A page of screens, by name, without their plans."""
    async with _reading(asked.engine) as connection:
        return await catalogue.screens(connection, asked.query_as(ScreenQuestion))


async def get_screen(asked: VerticalRequest) -> views.Screen:
    """Reads a screen with its plan."""
    async with _reading(asked.engine) as connection:
        return await catalogue.screen(connection, asked.path["screen_id"])


async def create_city(asked: VerticalRequest) -> views.City:
    """Adds a city. Said again, it is added once."""
    async with _writing(asked.engine) as connection:
        put = await catalogue_changes.put_city(connection, asked.body_as(NewCity))
        return await catalogue.city(connection, put.id)


async def update_city(asked: VerticalRequest) -> views.City:
    """Changes a city."""
    city_id = check_id(CITY, asked.path["city_id"])
    async with _writing(asked.engine) as connection:
        said = await catalogue_changes.said_city(connection, city_id)
        await catalogue_changes.put_city(
            connection, _changed(said, asked.body_as(CityChange)), update=True
        )
        return await catalogue.city(connection, city_id)


async def create_cinema(asked: VerticalRequest) -> views.Cinema:
    """Adds a cinema to a city. Said again, it is added once."""
    async with _writing(asked.engine) as connection:
        put = await catalogue_changes.put_cinema(connection, asked.body_as(NewCinema))
        return await catalogue.cinema(connection, put.id)


async def update_cinema(asked: VerticalRequest) -> views.Cinema:
    """Changes a cinema."""
    cinema_id = check_id(CINEMA, asked.path["cinema_id"])
    async with _writing(asked.engine) as connection:
        said = await catalogue_changes.said_cinema(connection, cinema_id)
        change = asked.body_as(CinemaChange)
        await catalogue_changes.put_cinema(connection, _changed(said, change), update=True)
        return await catalogue.cinema(connection, cinema_id)


async def create_screen(asked: VerticalRequest) -> views.Screen:
    """Adds a screen with its seats to a cinema. Said again, it is added once."""
    async with _writing(asked.engine) as connection:
        put = await catalogue_changes.put_screen(connection, asked.body_as(NewScreen))
        return await catalogue.screen(connection, put.id)


async def update_screen(asked: VerticalRequest) -> views.Screen:
    """Changes a screen. A new plan is for shows that are made from now on; a seat that it lacks is
    retired."""
    screen_id = check_id(SCREEN, asked.path["screen_id"])
    async with _writing(asked.engine) as connection:
        said = await catalogue_changes.said_screen(connection, screen_id)
        change = asked.body_as(ScreenChange)
        await catalogue_changes.put_screen(connection, _changed(said, change), update=True)
        return await catalogue.screen(connection, screen_id)


async def create_film(asked: VerticalRequest) -> views.Film:
    """Adds a film. Said again, it is added once."""
    async with _writing(asked.engine) as connection:
        put = await catalogue_changes.put_film(connection, asked.body_as(NewFilm))
        return await catalogue.film(connection, put.id)


async def update_film(asked: VerticalRequest) -> views.Film:
    """Changes a film; what was sold already keeps the name that it was sold by."""
    film_id = check_id(FILM, asked.path["film_id"])
    async with _writing(asked.engine) as connection:
        said = await catalogue_changes.said_film(connection, film_id)
        await catalogue_changes.put_film(
            connection, _changed(said, asked.body_as(FilmChange)), update=True
        )
        return await catalogue.film(connection, film_id)


async def create_show(asked: VerticalRequest) -> views.Show:
    """Adds a show and its resource, on sale until it begins. Said again, it is added once."""
    async with _writing(asked.engine) as connection:
        put = await put_show(asked.engine, connection, asked.body_as(NewShow))
        return await catalogue.show(connection, put.id)


async def update_show(asked: VerticalRequest) -> views.Show:
    """Changes a show and its resource: its time, its prices, whether it is on sale. To call it off,
    call off its resource."""
    show_id = asked.path["show_id"]
    ids.parse_resource(show_id)
    async with _writing(asked.engine) as connection:
        await change_show(asked.engine, connection, show_id, asked.body_as(ShowChange))
        return await catalogue.show(connection, show_id)


async def import_cinema(asked: VerticalRequest) -> ImportReport:
    """Takes a catalogue: all of it, or, where anything is wrong, nothing, and says what. With
    `check` it only says what it would do."""
    check = asked.query_as(ImportQuestion).check
    return await import_catalogue(asked.engine, asked.body_as(Catalogue), check=check)


def _changed(said: _Said, change: msgspec.Struct) -> _Said:
    """What was said, with the fields that the change names."""
    given = {
        field: value
        for field in change.__struct_fields__
        if (value := getattr(change, field)) is not msgspec.UNSET
    }
    return msgspec.structs.replace(said, **given)
