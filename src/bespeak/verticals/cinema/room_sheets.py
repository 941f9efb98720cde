"""Sheets of rooms: cities and cinemas once each, and the screens that are not there yet. A screen
that is there keeps what it has, but for what its texts are called in other languages; a cinema
keeps its pricing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import msgspec

from bespeak.errors import BespeakError, InvalidRequest
from bespeak.inventory.shapes.seats.room_maker import make_room
from bespeak.postgres.queries import load
from bespeak.pricing.rules import Pricing
from bespeak.translations import Translation
from bespeak.verticals.cinema.catalogue_changes import said_screen
from bespeak.verticals.cinema.forms import Catalogue, NewCinema, NewCity, NewScreen
from bespeak.verticals.cinema.names import CINEMA, CITY, SCREEN, id_of, ref_of
from bespeak.verticals.cinema.sheet_parts import (
    Kept,
    Lines,
    kept_pricings,
    kept_words,
)
from bespeak.verticals.cinema.sheets import RoomLine
from bespeak.verticals.imports import made_part
from bespeak.verticals.sheet_words import Texts, said_once, said_words, same_words
from bespeak.verticals.sheets import Numbered, Sheet, listed

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.verticals.cinema", "files.sql")


async def room_lines(connection: Connection, sheet: Sheet) -> Lines:
    """What a sheet of rooms makes; what is wrong with its lines is noted in it."""
    there = {row["screen_id"] for row in await connection.fetch(_QUERIES["screens"])}
    pricings = await kept_pricings(connection, _ids_of(sheet))
    rooms = _Rooms(sheet, there, await kept_words(connection, _ids_of(sheet)), pricings)
    for numbered, line in sheet.of(RoomLine):
        try:
            rooms.take(numbered, line)
        except BespeakError as error:
            sheet.fault(numbered.number, error)
    for screen_id, translations in rooms.translated.items():
        screen = await said_screen(connection, screen_id)
        rooms.screens[screen_id] = msgspec.structs.replace(screen, translations=translations)
    return rooms.lines()


def _ids_of(sheet: Sheet) -> Iterable[str]:
    return (one for _, line in sheet.of(RoomLine) for one in _place_of(line))


def _place_of(line: RoomLine) -> tuple[str, str, str]:
    """The ids of the city, the cinema and the screen of a line."""
    city_id = id_of(CITY, ref_of(line.city))
    cinema_id = id_of(CINEMA, ref_of(city_id, line.cinema))
    return city_id, cinema_id, id_of(SCREEN, ref_of(cinema_id, line.screen))


class _Rooms:
    """What the lines of a sheet make, each thing with the line that it comes from first."""

    def __init__(
        self, sheet: Sheet, there: set[str], kept: Kept, pricings: Mapping[str, Pricing | None]
    ) -> None:
        self.sheet = sheet
        self.there = there
        self.kept = kept
        self.pricings = pricings
        self.cities: dict[str, NewCity] = {}
        self.cinemas: dict[str, NewCinema] = {}
        self.screens: dict[str, NewScreen] = {}
        self.translated: dict[str, tuple[Translation, ...]] = {}
        self.first: dict[str, int] = {}

    def take(self, numbered: Numbered, line: RoomLine) -> None:
        """Takes a line. Raises InvalidRequest."""
        city_id, cinema_id, screen_id = _place_of(line)
        city = self._city(numbered, line, city_id)
        if self.cities.setdefault(city_id, city) != city:
            raise InvalidRequest("a line before this one says it otherwise", field="city")
        self.first.setdefault(city_id, numbered.number)
        cinema = self._cinema(numbered, line, city_id, cinema_id)
        if self.cinemas.setdefault(cinema_id, cinema) != cinema:
            raise InvalidRequest("a line before this one says it otherwise", field="cinema")
        self.first.setdefault(cinema_id, numbered.number)
        if self.first.setdefault(screen_id, numbered.number) != numbered.number:
            raise InvalidRequest("this screen comes twice", field="screen")
        self._take_screen(numbered, line, cinema_id, screen_id)

    def _city(self, numbered: Numbered, line: RoomLine, city_id: str) -> NewCity:
        return NewCity(
            name=line.city,
            country=line.country,
            time_zone=line.time_zone,
            currency=line.currency,
            translations=self._words(numbered, city_id, {"city": said_once(line.city)}),
        )

    def _cinema(
        self, numbered: Numbered, line: RoomLine, city_id: str, cinema_id: str
    ) -> NewCinema:
        texts = {"cinema": said_once(line.cinema), "address": said_once(line.address)}
        return NewCinema(
            city=city_id,
            name=line.cinema,
            address=line.address,
            pricing=self.pricings.get(cinema_id),
            translations=self._words(numbered, cinema_id, texts),
        )

    def _take_screen(
        self, numbered: Numbered, line: RoomLine, cinema_id: str, screen_id: str
    ) -> None:
        texts = {"screen": said_once(line.screen), "features": listed(line.features)}
        translations = self._words(numbered, screen_id, texts)
        if screen_id not in self.there:
            self.screens[screen_id] = _screen(line, cinema_id, translations)
        elif not same_words(translations, self.kept.get(screen_id, ())):
            self.translated[screen_id] = translations

    def _words(self, numbered: Numbered, thing_id: str, texts: Texts) -> tuple[Translation, ...]:
        kept = self.kept.get(thing_id, ())
        return said_words(self.sheet.words, numbered.words, texts, kept)

    def lines(self) -> Lines:
        parts: dict[str, Iterable[str]] = {
            "cities": self.cities,
            "cinemas": self.cinemas,
            "screens": self.screens,
        }
        numbers = {
            (kind, index): self.first[thing_id]
            for kind, found in parts.items()
            for index, thing_id in enumerate(found)
        }
        said = Catalogue(
            cities=tuple(self.cities.values()),
            cinemas=tuple(self.cinemas.values()),
            screens=tuple(self.screens.values()),
        )
        return Lines(said, numbers)


def _screen(line: RoomLine, cinema_id: str, translations: tuple[Translation, ...]) -> NewScreen:
    said = {
        "cinema": cinema_id,
        "name": line.screen,
        "plan": make_room("screen", line.seats),
        "features": listed(line.features),
        "cleaning_minutes": line.cleaning_minutes,
        "translations": translations,
    }
    return made_part(NewScreen, said)
