"""`bespeak import cinema FILE`: a catalogue in JSON, or a spreadsheet in CSV whose names are looked
up in the catalogue that is there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import msgspec

from bespeak.errors import BespeakError, InvalidRequest
from bespeak.inventory.shapes.seats.room_maker import make_room
from bespeak.money import decimals_of
from bespeak.postgres.queries import load
from bespeak.verticals.cinema.catalogue_import import import_catalogue
from bespeak.verticals.cinema.errors import (
    CatalogueInvalid,
    FilmNotFound,
    ScreenNotFound,
)
from bespeak.verticals.cinema.forms import (
    Catalogue,
    NewCinema,
    NewCity,
    NewFilm,
    NewScreen,
    NewShow,
)
from bespeak.verticals.cinema.names import CINEMA, CITY, SCREEN, id_of, ref_of
from bespeak.verticals.cinema.sheets import (
    PRICE,
    FilmLine,
    Numbered,
    RoomLine,
    Sheet,
    ShowLine,
    amount_of,
    listed,
    moment_of,
    place_of,
    read_sheet,
)
from bespeak.verticals.vertical import FileFormat, ImportReport

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.verticals.cinema", "files.sql")
_KINDS = ("cities", "cinemas", "screens", "films", "shows")
_Line = TypeVar("_Line", ShowLine, FilmLine)
_Part = TypeVar("_Part")
# What a field of the catalogue is called in a sheet of shows.
_COLUMNS = {"starts_at": "time", "prices": "price"}


class _Lines(NamedTuple):
    """A catalogue made of a sheet, and the line that each part of it comes from."""

    said: Catalogue
    numbers: dict[tuple[str, int], int]

    def place(self, kind: str, index: int, field: str | None) -> str:
        column = None if field is None else _COLUMNS.get(field, field)
        return place_of(self.numbers.get((kind, index), 1), column)


class _Named(NamedTuple):
    """A screen and all that it may be called by."""

    screen_id: str
    currency: str
    screen: frozenset[str]
    cinema: frozenset[str]
    city: frozenset[str]


async def import_file(
    engine: Engine, text: str, file_format: FileFormat, check: bool
) -> ImportReport:
    """Takes a file: all of it or nothing. Raises CatalogueInvalid for one that cannot be read."""
    if file_format == "json":
        return await import_catalogue(engine, _read_json(text), check=check)
    sheet = read_sheet(text)
    if sheet.kind == "shows":
        async with engine.database.borrow() as connection:
            lines = await _shows(connection, sheet)
    elif sheet.kind == "rooms":
        async with engine.database.borrow() as connection:
            lines = await _rooms(connection, sheet)
    else:
        lines = _films(sheet)
    if sheet.problems:
        none = dict.fromkeys(_KINDS, 0)
        return ImportReport(
            applied=False,
            created=none,
            updated=none,
            unchanged=none,
            problems=sorted(sheet.problems, key=lambda one: int(one.where.split()[1].strip(","))),
        )
    return await import_catalogue(engine, lines.said, check=check, place=lines.place)


def _read_json(text: str) -> Catalogue:
    try:
        return msgspec.json.decode(text.encode(), type=Catalogue)
    except msgspec.ValidationError as error:
        words, _, place = str(error).partition(" - at `$")
        where = place.rstrip("`").lstrip(".") or "the document"
        raise CatalogueInvalid(f"{where}: {words}", where=where) from error
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise CatalogueInvalid(f"this is not JSON: {error}", where="the document") from error


def _films(sheet: Sheet) -> _Lines:
    made, numbers = _parts_of(sheet, "films", FilmLine, lambda _, line: _film(line))
    return _Lines(Catalogue(films=made), numbers)


def _film(line: FilmLine) -> NewFilm:
    said = {
        name: value for name, value in msgspec.structs.asdict(line).items() if value is not None
    }
    return _made(NewFilm, {**said, "genres": listed(line.genres), "cast": listed(line.cast)})


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


async def _rooms(connection: Connection, sheet: Sheet) -> _Lines:
    """Cities and cinemas once each, and the screens that are not there yet."""
    cities: dict[str, NewCity] = {}
    cinemas: dict[str, NewCinema] = {}
    screens: dict[str, NewScreen] = {}
    numbers: dict[tuple[str, int], int] = {}
    there = {row["screen_id"] for row in await connection.fetch(_QUERIES["screens"])}
    for numbered, line in sheet.of(RoomLine):
        try:
            city = NewCity(
                name=line.city,
                country=line.country,
                time_zone=line.time_zone,
                currency=line.currency,
            )
            city_id = id_of(CITY, ref_of(line.city))
            if cities.setdefault(city_id, city) != city:
                raise InvalidRequest("a line before this one says it otherwise", field="city")
            numbers.setdefault(("cities", list(cities).index(city_id)), numbered.number)
            cinema = NewCinema(city=city_id, name=line.cinema, address=line.address)
            cinema_id = id_of(CINEMA, ref_of(city_id, line.cinema))
            if cinemas.setdefault(cinema_id, cinema) != cinema:
                raise InvalidRequest("a line before this one says it otherwise", field="cinema")
            numbers.setdefault(("cinemas", list(cinemas).index(cinema_id)), numbered.number)
            screen_id = id_of(SCREEN, ref_of(cinema_id, line.screen))
            if screen_id in screens:
                raise InvalidRequest("this screen comes twice", field="screen")
            if screen_id not in there:
                screens[screen_id] = _screen(line, cinema_id)
                numbers["screens", len(screens) - 1] = numbered.number
        except BespeakError as error:
            sheet.fault(numbered.number, error)
    said = Catalogue(
        cities=tuple(cities.values()),
        cinemas=tuple(cinemas.values()),
        screens=tuple(screens.values()),
    )
    return _Lines(said, numbers)


def _screen(line: RoomLine, cinema_id: str) -> NewScreen:
    said = {
        "cinema": cinema_id,
        "name": line.screen,
        "plan": make_room("screen", line.seats),
        "features": listed(line.features),
        "cleaning_minutes": line.cleaning_minutes,
    }
    return _made(NewScreen, said)


async def _shows(connection: Connection, sheet: Sheet) -> _Lines:
    films = _by_name(await connection.fetch(_QUERIES["films"]))
    screens = [
        _Named(
            row["screen_id"],
            row["currency"],
            frozenset((row["screen_id"], row["ref"], _plain(row["name"]))),
            frozenset((row["cinema_id"], row["cinema_ref"], _plain(row["cinema_name"]))),
            frozenset((row["city_id"], row["city_ref"], _plain(row["city_name"]))),
        )
        for row in await connection.fetch(_QUERIES["screens"])
    ]
    made, numbers = _parts_of(
        sheet, "shows", ShowLine, lambda numbered, line: _show(numbered, line, films, screens)
    )
    return _Lines(Catalogue(shows=made), numbers)


def _show(
    numbered: Numbered, line: ShowLine, films: dict[str, set[str]], screens: list[_Named]
) -> NewShow:
    found = films.get(line.film) or films.get(_plain(line.film)) or set()
    if not found:
        raise FilmNotFound(f"there is no film {line.film[:100]!r}", field="film")
    if len(found) > 1:
        raise InvalidRequest(
            f"several films are called {line.film[:100]!r}: give the id", field="film"
        )
    room = _room(line, screens)
    digits = decimals_of(room.currency)
    return NewShow(
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


def _made(form: type[_Part], said: Mapping[str, object]) -> _Part:
    """What was made in Python, judged as what is read is. Raises InvalidRequest with its field."""
    try:
        return msgspec.convert(msgspec.to_builtins(said), form)
    except msgspec.ValidationError as error:
        words, _, place = str(error).partition(" - at `$.")
        raise InvalidRequest(words, field=place.rstrip("`").partition("[")[0] or None) from error
