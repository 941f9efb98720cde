"""`bespeak import cinema FILE`: a catalogue in JSON, or a spreadsheet in CSV whose names are looked
up in the catalogue that is there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import msgspec

from bespeak.errors import BespeakError, InvalidRequest
from bespeak.money import decimals_of
from bespeak.postgres.queries import load
from bespeak.translations import Translation
from bespeak.verticals.cinema.catalogue_import import CATALOGUE_KINDS, import_catalogue
from bespeak.verticals.cinema.errors import FilmNotFound, ScreenNotFound
from bespeak.verticals.cinema.forms import Catalogue, NewFilm, NewShow
from bespeak.verticals.cinema.names import FILM, id_of, ref_of
from bespeak.verticals.cinema.room_sheets import room_lines
from bespeak.verticals.cinema.sheet_parts import (
    Lines,
    film_texts,
    kept_hues,
    kept_show_words,
    kept_words,
)
from bespeak.verticals.cinema.sheets import ROOMS, SHOWS, FilmLine, ShowLine, moment_of, read_sheet
from bespeak.verticals.cinema.show_plan import show_ref
from bespeak.verticals.imports import made_part, read_document, refused_report
from bespeak.verticals.local_times import read_moment
from bespeak.verticals.sheet_words import said_once, said_words
from bespeak.verticals.sheets import PRICE, Numbered, Sheet, amount_of, listed
from bespeak.verticals.vertical import FileFormat, ImportReport

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.verticals.cinema", "files.sql")
_Line = TypeVar("_Line", ShowLine, FilmLine)
_Part = TypeVar("_Part")


class _Named(NamedTuple):
    """A screen and all that it may be called by."""

    screen_id: str
    currency: str
    time_zone: str
    screen: frozenset[str]
    cinema: frozenset[str]
    city: frozenset[str]


class _Show(NamedTuple):
    """A show of a sheet, the line that says it, and how it is found again."""

    new: NewShow
    numbered: Numbered
    ref: str


async def import_file(
    engine: Engine, text: str, file_format: FileFormat, check: bool
) -> ImportReport:
    """Takes a file: all of it or nothing. Raises CatalogueInvalid for one that cannot be read."""
    if file_format == "json":
        return await import_catalogue(engine, read_document(text, Catalogue), check=check)
    sheet = read_sheet(text)
    if sheet.kind is SHOWS:
        async with engine.database.borrow() as connection:
            lines = await _shows(connection, sheet)
    elif sheet.kind is ROOMS:
        async with engine.database.borrow() as connection:
            lines = await room_lines(connection, sheet)
    else:
        async with engine.database.borrow() as connection:
            lines = await _films(connection, sheet)
    if sheet.problems:
        return refused_report(CATALOGUE_KINDS, sheet.problems_by_line())
    return await import_catalogue(engine, lines.said, check=check, place=lines.place)


async def _films(connection: Connection, sheet: Sheet) -> Lines:
    ids = [_film_id(line) for _, line in sheet.of(FilmLine)]
    kept = await kept_words(connection, ids)
    hues = await kept_hues(connection, ids)

    def film(numbered: Numbered, line: FilmLine) -> NewFilm:
        film_id = _film_id(line)
        stored = kept.get(film_id, ())
        words = said_words(
            sheet.words, numbered.words, film_texts(line, listed(line.genres)), stored
        )
        return _film(line, {"translations": words, "hues": hues.get(film_id)})

    made, numbers = _parts_of(sheet, "films", FilmLine, film)
    return Lines(Catalogue(films=made), numbers)


def _film_id(line: FilmLine) -> str:
    return id_of(FILM, line.ref or ref_of(line.title))


def _film(line: FilmLine, kept: Mapping[str, object]) -> NewFilm:
    said = {
        name: value for name, value in msgspec.structs.asdict(line).items() if value is not None
    }
    lists = {"genres": listed(line.genres), "cast": listed(line.cast)}
    return made_part(NewFilm, {**said, **lists, **kept})


def _parts_of(
    sheet: Sheet, kind: str, form: type[_Line], make: Callable[[Numbered, _Line], _Part]
) -> tuple[tuple[_Part, ...], dict[tuple[str, int], int]]:
    """What the lines of a sheet make, and the line that each part comes from."""
    made: list[_Part] = []
    numbers: dict[tuple[str, int], int] = {}
    for numbered, line in sheet.of(form):
        try:
            made.append(make(numbered, line))
        except BespeakError as error:
            sheet.fault(numbered.number, error)
        else:
            numbers[kind, len(made) - 1] = numbered.number
    return tuple(made), numbers


async def _shows(connection: Connection, sheet: Sheet) -> Lines:
    films = _by_name(await connection.fetch(_QUERIES["films"]))
    screens = [
        _Named(
            row["screen_id"],
            row["currency"],
            row["time_zone"],
            frozenset((row["screen_id"], row["ref"], _plain(row["name"]))),
            frozenset((row["cinema_id"], row["cinema_ref"], _plain(row["cinema_name"]))),
            frozenset((row["city_id"], row["city_ref"], _plain(row["city_name"]))),
        )
        for row in await connection.fetch(_QUERIES["screens"])
    ]
    made, numbers = _parts_of(
        sheet, "shows", ShowLine, lambda numbered, line: _show(numbered, line, films, screens)
    )
    kept = await kept_show_words(connection, (one.ref for one in made))
    shows = tuple(_translated(sheet, one, kept.get(one.ref, ())) for one in made)
    return Lines(Catalogue(shows=shows), numbers)


def _translated(sheet: Sheet, show: _Show, stored: tuple[Translation, ...]) -> NewShow:
    """A show with its translations; what is wrong with them is noted in the sheet."""
    texts = {
        "language": said_once(show.new.language),
        "subtitles": said_once(show.new.subtitles),
        "format": said_once(show.new.format),
    }
    try:
        words = said_words(sheet.words, show.numbered.words, texts, stored)
    except BespeakError as error:
        sheet.fault(show.numbered.number, error)
        return show.new
    return msgspec.structs.replace(show.new, translations=words)


def _show(
    numbered: Numbered, line: ShowLine, films: dict[str, set[str]], screens: list[_Named]
) -> _Show:
    found = films.get(line.film) or films.get(_plain(line.film)) or set()
    if not found:
        raise FilmNotFound(f"there is no film {line.film[:100]!r}", field="film")
    if len(found) > 1:
        raise InvalidRequest(
            f"several films are called {line.film[:100]!r}: give the id", field="film"
        )
    room = _room(line, screens)
    digits = decimals_of(room.currency)
    new = NewShow(
        film=next(iter(found)),
        screen=room.screen_id,
        starts_at=moment_of(line.date, line.time),
        language=line.language,
        subtitles=line.subtitles,
        format=line.format,
        prices={
            category: amount_of(text, digits, f"{PRICE}{category}")
            for category, text in numbered.prices.items()
        },
        ref=line.ref or msgspec.UNSET,
    )
    return _Show(new, numbered, _show_ref(new, room))


def _show_ref(new: NewShow, room: _Named) -> str:
    try:
        starts_at = read_moment(new.starts_at, room.time_zone)
    except InvalidRequest as error:
        raise InvalidRequest(error.detail, field="time") from error
    return show_ref(new, room.screen_id, room.time_zone, starts_at)


def _room(line: ShowLine, screens: list[_Named]) -> _Named:
    """The one screen that a line names."""

    def is_named(asked: str | None, names: frozenset[str]) -> bool:
        return asked is None or asked in names or _plain(asked) in names

    found = [
        one
        for one in screens
        if is_named(line.screen, one.screen)
        and is_named(line.cinema, one.cinema)
        and is_named(line.city, one.city)
    ]
    if not found:
        raise ScreenNotFound(
            f"there is no screen {line.screen[:60]!r} of {(line.cinema or 'any cinema')[:60]!r}",
            field="screen",
        )
    if len(found) > 1:
        raise InvalidRequest(
            f"{len(found)} screens are called {line.screen[:60]!r}: name the cinema, or the city",
            field="screen",
        )
    return found[0]


def _by_name(rows: Sequence[Record]) -> dict[str, set[str]]:
    """Films by their ids, references and titles."""
    found: dict[str, set[str]] = {}
    for row in rows:
        for name in (row["film_id"], row["ref"], _plain(row["title"])):
            found.setdefault(name, set()).add(row["film_id"])
    return found


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())
