"""The calls of the catalogue as a table: who may make them, what they take, answer and refuse."""

from functools import partial

from bespeak import ids
from bespeak.errors import DatabaseUnavailable, InvalidCursor, InvalidId, PlanChanged
from bespeak.inventory.errors import ResourceCalledOff, ResourceNotReady
from bespeak.postgres.errors import DatabaseReadOnly
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

_PATTERNS = {
    "city_id": id_pattern(CITY),
    "cinema_id": id_pattern(CINEMA),
    "screen_id": id_pattern(SCREEN),
    "film_id": id_pattern(FILM),
    "show_id": f"^{ids.RESOURCE}_[0-9a-hjkmnp-tv-z]{{8}}$",
}
_read = partial(VerticalCall, "GET", patterns=_PATTERNS)
_list = partial(_read, errors=(InvalidCursor, InvalidId))
_add = partial(VerticalCall, "POST", who="operators", status=201)
_change = partial(VerticalCall, "PATCH", who="operators", patterns=_PATTERNS)

CALLS = (
    _read("/cities", calls.list_cities, "List cities"),
    _list("/films", calls.list_films, "List films"),
    _read("/films/{film_id}", calls.get_film, "Read a film", errors=(InvalidId, FilmNotFound)),
    _read(
        "/films/{film_id}/poster.svg",
        calls.get_poster,
        "A film's poster",
        media_type="image/svg+xml",
        who="anyone",
        errors=(InvalidId, FilmNotFound, DatabaseReadOnly, DatabaseUnavailable),
    ),
    _list("/shows", calls.list_shows, "List shows"),
    _read(
        "/shows/{show_id}",
        calls.get_show,
        "Read a show",
        resource="show_id",
        errors=(InvalidId, ShowNotFound),
    ),
    _list("/cinemas", calls.list_cinemas, "List cinemas"),
    _read(
        "/cinemas/{cinema_id}",
        calls.get_cinema,
        "Read a cinema",
        errors=(InvalidId, CinemaNotFound),
    ),
    _list("/screens", calls.list_screens, "List screens"),
    _read(
        "/screens/{screen_id}",
        calls.get_screen,
        "Read a screen",
        errors=(InvalidId, ScreenNotFound),
    ),
    _add("/cities", calls.create_city, "Add a city", errors=(ReferenceTaken,)),
    _add("/cinemas", calls.create_cinema, "Add a cinema", errors=(CityNotFound, ReferenceTaken)),
    _add(
        "/screens",
        calls.create_screen,
        "Add a screen",
        errors=(CinemaNotFound, ReferenceTaken),
        takes_document=True,
    ),
    _add("/films", calls.create_film, "Add a film", errors=(ReferenceTaken,)),
    _add(
        "/shows",
        calls.create_show,
        "Add a show",
        errors=(FilmNotFound, ScreenNotFound, ScreenOccupied, ReferenceTaken),
    ),
    _add("/import", calls.import_cinema, "Import a catalogue", status=200, takes_document=True),
    _change(
        "/cities/{city_id}", calls.update_city, "Change a city", errors=(InvalidId, CityNotFound)
    ),
    _change(
        "/cinemas/{cinema_id}",
        calls.update_cinema,
        "Change a cinema",
        errors=(InvalidId, CinemaNotFound),
    ),
    _change(
        "/screens/{screen_id}",
        calls.update_screen,
        "Change a screen",
        errors=(InvalidId, ScreenNotFound, SeatRetired),
        takes_document=True,
    ),
    _change(
        "/films/{film_id}", calls.update_film, "Change a film", errors=(InvalidId, FilmNotFound)
    ),
    _change(
        "/shows/{show_id}",
        calls.update_show,
        "Change a show",
        resource="show_id",
        errors=(
            InvalidId,
            ShowNotFound,
            ScreenOccupied,
            PlanChanged,
            ResourceCalledOff,
            ResourceNotReady,
        ),
    ),
)
