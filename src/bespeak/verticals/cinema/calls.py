"""The calls of the catalogue: reading for everybody with a key, writing for the operator."""

from __future__ import annotations

from functools import partial
from typing import TypeVar

import msgspec

from bespeak import ids
from bespeak.verticals.changes import writing
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
    LanguageQuestion,
    PosterQuestion,
    ScreenQuestion,
    ShowQuestion,
)
from bespeak.verticals.cinema.shows import change_show, put_show
from bespeak.verticals.imports import ImportQuestion
from bespeak.verticals.vertical import Document, ImportReport, VerticalRequest

_YEAR_SECONDS = 31_536_000
_Said = TypeVar("_Said", bound=msgspec.Struct)


async def list_cities(request: VerticalRequest[LanguageQuestion, None]) -> views.Cities:
    """All cities, by name, with how many cinemas they have and how many shows are to come."""
    return await request.engine.reads.run(
        partial(catalogue.cities, language=request.language, published_only=request.published_only)
    )


async def list_films(request: VerticalRequest[FilmQuestion, None]) -> views.Films:
    """A page of films, those released last first, with what is left to choose of each filter."""
    return await request.engine.reads.run(
        partial(
            catalogue.films,
            asked=request.query,
            language=request.language,
            published_only=request.published_only,
        )
    )


async def get_film(request: VerticalRequest[LanguageQuestion, None]) -> views.Film:
    """Reads a film."""
    return await request.engine.reads.run(
        partial(
            catalogue.film,
            film_id=request.path["film_id"],
            language=request.language,
            published_only=request.published_only,
        )
    )


async def get_poster(request: VerticalRequest[PosterQuestion, None]) -> Document:
    """The poster of a film: its picture, or else its title on its hues. An address with another
    `v` is another picture, so it may be kept for ever."""
    subject, picture = await request.engine.reads.run(
        lambda used: catalogue.poster(used, request.path["film_id"])
    )
    drawn = picture or placeholder(subject)
    return Document(drawn.encode(), "image/svg+xml; charset=utf-8", subject.etag, _YEAR_SECONDS)


async def list_shows(request: VerticalRequest[ShowQuestion, None]) -> views.Shows:
    """A page of shows, by time, each with how much of it is free."""
    return await request.engine.reads.run(
        partial(
            catalogue.shows,
            asked=request.query,
            language=request.language,
            published_only=request.published_only,
        )
    )


async def get_show(request: VerticalRequest[LanguageQuestion, None]) -> views.Show:
    """Reads a show."""
    return await request.engine.reads.run(
        partial(
            catalogue.show,
            show_id=request.path["show_id"],
            language=request.language,
            published_only=request.published_only,
        )
    )


async def list_cinemas(request: VerticalRequest[CinemaQuestion, None]) -> views.Cinemas:
    """A page of cinemas, by name."""
    return await request.engine.reads.run(
        partial(catalogue.cinemas, asked=request.query, language=request.language)
    )


async def get_cinema(request: VerticalRequest[LanguageQuestion, None]) -> views.Cinema:
    """Reads a cinema with its pricing, which has its codes for who sells only."""
    return await request.engine.reads.run(
        partial(
            catalogue.cinema,
            cinema_id=request.path["cinema_id"],
            language=request.language,
            sells=request.sells,
        )
    )


async def list_screens(request: VerticalRequest[ScreenQuestion, None]) -> views.Screens:
    """A page of screens, by name, without their plans."""
    return await request.engine.reads.run(
        partial(catalogue.screens, asked=request.query, language=request.language)
    )


async def get_screen(request: VerticalRequest[LanguageQuestion, None]) -> views.Screen:
    """Reads a screen with its plan."""
    return await request.engine.reads.run(
        partial(catalogue.screen, screen_id=request.path["screen_id"], language=request.language)
    )


async def create_city(request: VerticalRequest[None, NewCity]) -> views.City:
    """Adds a city. Said again, it is added once."""
    async with writing(request.engine) as connection:
        put = await catalogue_changes.put_city(connection, request.body)
        return await catalogue.city(connection, put.id)


async def update_city(request: VerticalRequest[None, CityChange]) -> views.City:
    """Changes a city."""
    city_id = check_id(CITY, request.path["city_id"])
    async with writing(request.engine) as connection:
        said = await catalogue_changes.said_city(connection, city_id)
        await catalogue_changes.put_city(connection, _changed(said, request.body), update=True)
        return await catalogue.city(connection, city_id)


async def create_cinema(request: VerticalRequest[None, NewCinema]) -> views.Cinema:
    """Adds a cinema to a city. Said again, it is added once."""
    async with writing(request.engine) as connection:
        put = await catalogue_changes.put_cinema(connection, request.body)
        return await catalogue.cinema(connection, put.id)


async def update_cinema(request: VerticalRequest[None, CinemaChange]) -> views.Cinema:
    """Changes a cinema."""
    cinema_id = check_id(CINEMA, request.path["cinema_id"])
    async with writing(request.engine) as connection:
        said = await catalogue_changes.said_cinema(connection, cinema_id)
        change = request.body
        await catalogue_changes.put_cinema(connection, _changed(said, change), update=True)
        return await catalogue.cinema(connection, cinema_id)


async def create_screen(request: VerticalRequest[None, NewScreen]) -> views.Screen:
    """Adds a screen with its seats to a cinema. Said again, it is added once."""
    async with writing(request.engine) as connection:
        put = await catalogue_changes.put_screen(connection, request.body)
        return await catalogue.screen(connection, put.id)


async def update_screen(request: VerticalRequest[None, ScreenChange]) -> views.Screen:
    """Changes a screen. A new plan is for shows that are made from now on; a seat that it lacks is
    retired."""
    screen_id = check_id(SCREEN, request.path["screen_id"])
    async with writing(request.engine) as connection:
        said = await catalogue_changes.said_screen(connection, screen_id)
        change = request.body
        await catalogue_changes.put_screen(connection, _changed(said, change), update=True)
        return await catalogue.screen(connection, screen_id)


async def create_film(request: VerticalRequest[None, NewFilm]) -> views.Film:
    """Adds a film. Said again, it is added once."""
    async with writing(request.engine) as connection:
        put = await catalogue_changes.put_film(connection, request.body)
        return await catalogue.film(connection, put.id)


async def update_film(request: VerticalRequest[None, FilmChange]) -> views.Film:
    """Changes a film; what was sold already keeps the name that it was sold by."""
    film_id = check_id(FILM, request.path["film_id"])
    async with writing(request.engine) as connection:
        said = await catalogue_changes.said_film(connection, film_id)
        await catalogue_changes.put_film(connection, _changed(said, request.body), update=True)
        return await catalogue.film(connection, film_id)


async def create_show(request: VerticalRequest[None, NewShow]) -> views.Show:
    """Adds a show and its resource, on sale until it begins. Said again, it is added once."""
    async with writing(request.engine) as connection:
        put = await put_show(request.engine, connection, request.body)
        return await catalogue.show(connection, put.id)


async def update_show(request: VerticalRequest[None, ShowChange]) -> views.Show:
    """Changes a show and its resource: its time, its prices, whether it is on sale. To call it off,
    call off its resource."""
    show_id = request.path["show_id"]
    ids.parse_resource(show_id)
    async with writing(request.engine) as connection:
        await change_show(request.engine, connection, show_id, request.body)
        return await catalogue.show(connection, show_id)


async def import_cinema(request: VerticalRequest[ImportQuestion, Catalogue]) -> ImportReport:
    """Takes a catalogue: all of it, or, where anything is wrong, nothing, and says what. With
    `check` it only says what it would do."""
    check = request.query.check
    return await import_catalogue(request.engine, request.body, check=check)


def _changed(said: _Said, change: msgspec.Struct) -> _Said:
    """What was said, with the fields that the change names."""
    given = {
        field: value
        for field in change.__struct_fields__
        if (value := getattr(change, field)) is not msgspec.UNSET
    }
    return msgspec.structs.replace(said, **given)
