"""What a visitor may ask of the catalogue, as the queries of its calls."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.inventory.fields import NAME_PATTERN, NAME_SCHEMA
from bespeak.translations import LanguageName
from bespeak.verticals.cinema.forms import Word
from bespeak.verticals.cinema.names import CINEMA, CITY, FILM, id_pattern
from bespeak.verticals.cinema.views import PageLimit

Cursor = Annotated[str, Meta(min_length=1, max_length=600)]
CityId = Annotated[str, Meta(extra_json_schema={"pattern": id_pattern(CITY)}, max_length=60)]
CinemaId = Annotated[str, Meta(extra_json_schema={"pattern": id_pattern(CINEMA)}, max_length=60)]
FilmId = Annotated[str, Meta(extra_json_schema={"pattern": id_pattern(FILM)}, max_length=60)]


class LanguageQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """In which language the texts are."""

    lang: LanguageName | None = None


class FilmQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which films: those with shows to come of a city, on a date (by the clocks there), in a
    language and a format, in rooms with places for wheelchairs; of a genre; and with all these
    words in the title, the director's name or the cast's."""

    city: CityId | None = None
    date: date | None = None
    language: Word | None = None
    format: Word | None = None
    accessible: bool = False
    q: Annotated[str, Meta(max_length=100, pattern=NAME_PATTERN, extra_json_schema=NAME_SCHEMA)] = (
        ""
    )
    genre: Word | None = None
    after: Cursor | None = None
    limit: PageLimit = 50
    lang: LanguageName | None = None

    @property
    def asks_for_shows(self) -> bool:
        """Whether films without a matching show are left out."""
        return bool(self.city or self.date or self.language or self.format or self.accessible)


class ShowQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which shows. Without a date those that are still to come; with one all of that day."""

    film: FilmId | None = None
    city: CityId | None = None
    cinema: CinemaId | None = None
    date: date | None = None
    language: Word | None = None
    format: Word | None = None
    accessible: bool = False
    after: Cursor | None = None
    limit: PageLimit = 100
    lang: LanguageName | None = None


class CinemaQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which cinemas."""

    city: CityId | None = None
    after: Cursor | None = None
    limit: PageLimit = 100
    lang: LanguageName | None = None


class ScreenQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which screens."""

    cinema: CinemaId | None = None
    after: Cursor | None = None
    limit: PageLimit = 100
    lang: LanguageName | None = None


class PosterQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which edition of a poster: it makes another address of another picture, and nothing else."""

    v: Annotated[str, Meta(max_length=40)] = ""
