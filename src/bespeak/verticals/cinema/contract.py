"""The calls of the catalogue as a table: who may make them, what they take, answer and refuse."""

from __future__ import annotations

from bespeak import ids
from bespeak.errors import DatabaseUnavailable, InvalidCursor, InvalidId, PlanChanged
from bespeak.verticals.cinema import calls, forms, queries, views
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
from bespeak.verticals.vertical import ImportReport, VerticalCall

_CREATED = 201
_CITY = {"city_id": id_pattern(CITY)}
_CINEMA = {"cinema_id": id_pattern(CINEMA)}
_SCREEN = {"screen_id": id_pattern(SCREEN)}
_FILM = {"film_id": id_pattern(FILM)}
_SHOW = {"show_id": f"^{ids.RESOURCE}_[0-9a-hjkmnp-tv-z]{{8}}$"}

_READS = (
    VerticalCall("GET", "/cities", calls.list_cities, "List cities", views.Cities),
    VerticalCall(
        "GET",
        "/films",
        calls.list_films,
        "List films",
        views.Films,
        query=queries.FilmQuestion,
        errors=(InvalidCursor, InvalidId),
    ),
    VerticalCall(
        "GET",
        "/films/{film_id}",
        calls.get_film,
        "Read a film",
        views.Film,
        errors=(InvalidId, FilmNotFound),
        patterns=_FILM,
    ),
    VerticalCall(
        "GET",
        "/films/{film_id}/poster.svg",
        calls.get_poster,
        "A film's poster",
        "image/svg+xml",
        who="anyone",
        query=queries.PosterQuestion,
        errors=(InvalidId, FilmNotFound, DatabaseUnavailable),
        patterns=_FILM,
    ),
    VerticalCall(
        "GET",
        "/shows",
        calls.list_shows,
        "List shows",
        views.Shows,
        query=queries.ShowQuestion,
        errors=(InvalidCursor, InvalidId),
    ),
    VerticalCall(
        "GET",
        "/shows/{show_id}",
        calls.get_show,
        "Read a show",
        views.Show,
        errors=(InvalidId, ShowNotFound),
        patterns=_SHOW,
    ),
    VerticalCall(
        "GET",
        "/cinemas",
        calls.list_cinemas,
        "List cinemas",
        views.Cinemas,
        query=queries.CinemaQuestion,
        errors=(InvalidCursor, InvalidId),
    ),
    VerticalCall(
        "GET",
        "/screens",
        calls.list_screens,
        "List screens",
        views.Screens,
        query=queries.ScreenQuestion,
        errors=(InvalidCursor, InvalidId),
    ),
    VerticalCall(
        "GET",
        "/screens/{screen_id}",
        calls.get_screen,
        "Read a screen",
        views.Screen,
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
        views.City,
        who="operators",
        body=forms.NewCity,
        errors=(ReferenceTaken,),
        status=_CREATED,
    ),
    VerticalCall(
        "POST",
        "/cinemas",
        calls.create_cinema,
        "Add a cinema",
        views.Cinema,
        who="operators",
        body=forms.NewCinema,
        errors=(CityNotFound, ReferenceTaken),
        status=_CREATED,
    ),
    VerticalCall(
        "POST",
        "/screens",
        calls.create_screen,
        "Add a screen",
        views.Screen,
        who="operators",
        body=forms.NewScreen,
        errors=(CinemaNotFound, ReferenceTaken),
        status=_CREATED,
        takes_document=True,
    ),
    VerticalCall(
        "POST",
        "/films",
        calls.create_film,
        "Add a film",
        views.Film,
        who="operators",
        body=forms.NewFilm,
        errors=(ReferenceTaken,),
        status=_CREATED,
    ),
    VerticalCall(
        "POST",
        "/shows",
        calls.create_show,
        "Add a show",
        views.Show,
        who="operators",
        body=forms.NewShow,
        errors=(FilmNotFound, ScreenNotFound, ScreenOccupied, ReferenceTaken),
        status=_CREATED,
    ),
    VerticalCall(
        "POST",
        "/import",
        calls.import_cinema,
        "Import a catalogue",
        ImportReport,
        who="operators",
        query=queries.ImportQuestion,
        body=forms.Catalogue,
        takes_document=True,
    ),
)

_CHANGES = (
    VerticalCall(
        "PATCH",
        "/cities/{city_id}",
        calls.update_city,
        "Change a city",
        views.City,
        who="operators",
        body=forms.CityChange,
        errors=(InvalidId, CityNotFound),
        patterns=_CITY,
    ),
    VerticalCall(
        "PATCH",
        "/cinemas/{cinema_id}",
        calls.update_cinema,
        "Change a cinema",
        views.Cinema,
        who="operators",
        body=forms.CinemaChange,
        errors=(InvalidId, CinemaNotFound),
        patterns=_CINEMA,
    ),
    VerticalCall(
        "PATCH",
        "/screens/{screen_id}",
        calls.update_screen,
        "Change a screen",
        views.Screen,
        who="operators",
        body=forms.ScreenChange,
        errors=(InvalidId, ScreenNotFound, SeatRetired),
        takes_document=True,
        patterns=_SCREEN,
    ),
    VerticalCall(
        "PATCH",
        "/films/{film_id}",
        calls.update_film,
        "Change a film",
        views.Film,
        who="operators",
        body=forms.FilmChange,
        errors=(InvalidId, FilmNotFound),
        patterns=_FILM,
    ),
    VerticalCall(
        "PATCH",
        "/shows/{show_id}",
        calls.update_show,
        "Change a show",
        views.Show,
        who="operators",
        body=forms.ShowChange,
        errors=(InvalidId, ShowNotFound, ScreenOccupied, PlanChanged),
        patterns=_SHOW,
    ),
)

CALLS = (*_READS, *_ADDITIONS, *_CHANGES)
