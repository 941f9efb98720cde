"""The calls of the catalogue as a table: who may make them, what they take, answer and refuse."""

from __future__ import annotations

from bespeak import ids
from bespeak.errors import DatabaseUnavailable, InvalidCursor, InvalidId, PlanChanged
from bespeak.verticals.cinema import calls
from bespeak.verticals.cinema.errors import (
    CinemaNotFound,
    CityNotFound,
    FilmNotFound,
    ReferenceTaken,
    ScreenNotFound,
    ScreenOccupied,
    SeatRetired,
    ShowNotFound,
)
from bespeak.verticals.cinema.names import CINEMA, CITY, FILM, SCREEN, id_pattern
from bespeak.verticals.vertical import VerticalCall

_CITY = {"city_id": id_pattern(CITY)}
_CINEMA = {"cinema_id": id_pattern(CINEMA)}
_SCREEN = {"screen_id": id_pattern(SCREEN)}
_FILM = {"film_id": id_pattern(FILM)}
_SHOW = {"show_id": f"^{ids.RESOURCE}_[0-9a-hjkmnp-tv-z]{{8}}$"}

_READS = (
    VerticalCall("GET", "/cities", calls.list_cities, "List cities"),
    VerticalCall(
        "GET", "/films", calls.list_films, "List films", errors=(InvalidCursor, InvalidId)
    ),
    VerticalCall(
        "GET",
        "/films/{film_id}",
        calls.get_film,
        "Read a film",
        errors=(InvalidId, FilmNotFound),
        patterns=_FILM,
    ),
    VerticalCall(
        "GET",
        "/films/{film_id}/poster.svg",
        calls.get_poster,
        "A film's poster",
        media_type="image/svg+xml",
        who="anyone",
        errors=(InvalidId, FilmNotFound, DatabaseUnavailable),
        patterns=_FILM,
    ),
    VerticalCall(
        "GET", "/shows", calls.list_shows, "List shows", errors=(InvalidCursor, InvalidId)
    ),
    VerticalCall(
        "GET",
        "/shows/{show_id}",
        calls.get_show,
        "Read a show",
        errors=(InvalidId, ShowNotFound),
        patterns=_SHOW,
    ),
    VerticalCall(
        "GET", "/cinemas", calls.list_cinemas, "List cinemas", errors=(InvalidCursor, InvalidId)
    ),
    VerticalCall(
        "GET", "/screens", calls.list_screens, "List screens", errors=(InvalidCursor, InvalidId)
    ),
    VerticalCall(
        "GET",
        "/screens/{screen_id}",
        calls.get_screen,
        "Read a screen",
        errors=(InvalidId, ScreenNotFound),
        patterns=_SCREEN,
    ),
)

_ADDITIONS = (
    VerticalCall(
        "POST",
        "/cities",
        calls.create_city,
        "Add a city",
        who="operators",
        status=201,
        errors=(ReferenceTaken,),
    ),
    VerticalCall(
        "POST",
        "/cinemas",
        calls.create_cinema,
        "Add a cinema",
        who="operators",
        status=201,
        errors=(CityNotFound, ReferenceTaken),
    ),
    VerticalCall(
        "POST",
        "/screens",
        calls.create_screen,
        "Add a screen",
        who="operators",
        status=201,
        errors=(CinemaNotFound, ReferenceTaken),
        takes_document=True,
    ),
    VerticalCall(
        "POST",
        "/films",
        calls.create_film,
        "Add a film",
        who="operators",
        status=201,
        errors=(ReferenceTaken,),
    ),
    VerticalCall(
        "POST",
        "/shows",
        calls.create_show,
        "Add a show",
        who="operators",
        status=201,
        errors=(FilmNotFound, ScreenNotFound, ScreenOccupied, ReferenceTaken),
    ),
    VerticalCall(
        "POST",
        "/import",
        calls.import_cinema,
        "Import a catalogue",
        who="operators",
        takes_document=True,
    ),
)

_CHANGES = (
    VerticalCall(
        "PATCH",
        "/cities/{city_id}",
        calls.update_city,
        "Change a city",
        who="operators",
        errors=(InvalidId, CityNotFound),
        patterns=_CITY,
    ),
    VerticalCall(
        "PATCH",
        "/cinemas/{cinema_id}",
        calls.update_cinema,
        "Change a cinema",
        who="operators",
        errors=(InvalidId, CinemaNotFound),
        patterns=_CINEMA,
    ),
    VerticalCall(
        "PATCH",
        "/screens/{screen_id}",
        calls.update_screen,
        "Change a screen",
        who="operators",
        errors=(InvalidId, ScreenNotFound, SeatRetired),
        takes_document=True,
        patterns=_SCREEN,
    ),
    VerticalCall(
        "PATCH",
        "/films/{film_id}",
        calls.update_film,
        "Change a film",
        who="operators",
        errors=(InvalidId, FilmNotFound),
        patterns=_FILM,
    ),
    VerticalCall(
        "PATCH",
        "/shows/{show_id}",
        calls.update_show,
        "Change a show",
        who="operators",
        errors=(InvalidId, ShowNotFound, ScreenOccupied, PlanChanged),
        patterns=_SHOW,
    ),
)

CALLS = (*_READS, *_ADDITIONS, *_CHANGES)
