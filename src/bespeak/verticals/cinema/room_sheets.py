"""Sheets of rooms: cities and cinemas once each, and the screens that are not there yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bespeak.errors import BespeakError, InvalidRequest
from bespeak.inventory.shapes.seats.room_maker import make_room
from bespeak.postgres.queries import load
from bespeak.verticals.cinema.forms import Catalogue, NewCinema, NewCity, NewScreen
from bespeak.verticals.cinema.names import CINEMA, CITY, SCREEN, id_of, ref_of
from bespeak.verticals.cinema.sheet_parts import Lines, made_part
from bespeak.verticals.cinema.sheets import RoomLine, Sheet, listed

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.verticals.cinema", "files.sql")


async def room_lines(connection: Connection, sheet: Sheet) -> Lines:
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
    return Lines(said, numbers)


def _screen(line: RoomLine, cinema_id: str) -> NewScreen:
    said = {
        "cinema": cinema_id,
        "name": line.screen,
        "plan": make_room("screen", line.seats),
        "features": listed(line.features),
        "cleaning_minutes": line.cleaning_minutes,
    }
    return made_part(NewScreen, said)
