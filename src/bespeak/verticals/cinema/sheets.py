"""Spreadsheets of a cinema: one of shows, one of films, one of rooms; what their lines say."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidRequest
from bespeak.inventory.fields import Name
from bespeak.inventory.resources import Currency
from bespeak.verticals.cinema import defaults
from bespeak.verticals.cinema.forms import (
    Cleaning,
    Country,
    Line,
    Minutes,
    Rating,
    Text,
    TimeZone,
    Title,
    Word,
)
from bespeak.verticals.cinema.names import Ref
from bespeak.verticals.sheet_kinds import SheetKind
from bespeak.verticals.sheets import Sheet, read_sheet_of

FILM_TEXTS = ("title", "tagline", "synopsis", "rating", "genres")
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})", re.ASCII)
_TIME = re.compile(r"(\d{1,2}):(\d{2})(?::00)?", re.ASCII)


class ShowLine(msgspec.Struct, frozen=True, kw_only=True):
    """A show: film, cinema and screen by their names, ids or references; date and time by the
    clocks of the city."""

    film: Ref
    screen: Ref
    date: str
    time: str
    language: Word
    cinema: Ref | None = None
    city: Ref | None = None
    subtitles: Word | None = None
    format: Word = "2D"
    ref: Ref | None = None


class FilmLine(msgspec.Struct, frozen=True, kw_only=True):
    """A film; genres and cast are parted by semicolons, or by commas."""

    title: Title
    minutes: Minutes
    released: date
    original_title: Title | None = None
    tagline: Line = ""
    synopsis: Text = ""
    rating: Rating = ""
    genres: str = ""
    director: Line = ""
    cast: str = ""
    ref: Ref | None = None


class RoomLine(msgspec.Struct, frozen=True, kw_only=True):
    """A screen with its cinema and city. It gets a usual room of so many seats, which is a plan to
    begin with; a screen that is there already keeps its own."""

    city: Name
    country: Country
    time_zone: TimeZone
    currency: Currency
    cinema: Name
    screen: Name
    seats: Annotated[int, Meta(ge=1, le=20_000)]
    address: Line = ""
    features: str = ""
    cleaning_minutes: Cleaning = defaults.CLEANING_MINUTES


# What pages, tickets and mails look up is translated. Names of people and references stay as they
# are.
SHOWS = SheetKind("shows", ShowLine, ("film",), ("language", "subtitles", "format"), priced=True)
FILMS = SheetKind("films", FilmLine, ("title",), FILM_TEXTS, ("genres",))
ROOMS = SheetKind(
    "rooms",
    RoomLine,
    ("seats",),
    ("city", "cinema", "address", "screen", "features"),
    ("features",),
)
_FIRST_LINE = (
    "the first line names the columns: of shows there is `film`, of films `title`, of rooms `seats`"
)


def read_sheet(text: str) -> Sheet:
    """A sheet of a cinema. Raises CatalogueInvalid for what is none."""
    return read_sheet_of((SHOWS, FILMS, ROOMS), text, _FIRST_LINE)


def moment_of(day: str, clock: str) -> str:
    """Date and time of two cells as RFC 3339 without an offset. Raises InvalidRequest with the
    column as its field."""
    dotted = _DOTTED.fullmatch(day)
    if dotted:
        day = f"{dotted[3]}-{int(dotted[2]):02}-{int(dotted[1]):02}"
    try:
        read = date.fromisoformat(day)
    except ValueError as error:
        raise InvalidRequest(
            f"{day[:40]!r} is no date; write 2026-12-05 or 05.12.2026", field="date"
        ) from error
    time = _TIME.fullmatch(clock)
    if time is None or int(time[1]) > 23 or int(time[2]) > 59:
        raise InvalidRequest(f"{clock[:40]!r} is no time; write 19:30", field="time")
    return f"{read.isoformat()}T{int(time[1]):02}:{time[2]}"
