"""Reading the catalogue: one statement a question, pages by the key of their last entry."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import msgspec

from bespeak import ids
from bespeak.inventory.shapes.seats.plan import SeatsPlan
from bespeak.list_cursors import read_cursor, show_cursor
from bespeak.postgres.queries import load
from bespeak.translations import Translation, merged, words_in
from bespeak.verticals.cinema import views
from bespeak.verticals.cinema.catalogue_changes import pricing_of
from bespeak.verticals.cinema.errors import (
    CinemaNotFound,
    FilmNotFound,
    ScreenNotFound,
    ShowNotFound,
)
from bespeak.verticals.cinema.film_rows import (
    PosterSubject,
    film_rows,
    shown_facets,
    shown_film,
)
from bespeak.verticals.cinema.names import CINEMA, CITY, FILM, SCREEN, check_id
from bespeak.verticals.cinema.queries import (
    CinemaQuestion,
    FilmQuestion,
    ScreenQuestion,
    ShowQuestion,
)
from bespeak.verticals.searching import search_patterns

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record
    from bespeak.pricing.rules import Pricing

_QUERIES = load("bespeak.verticals.cinema", "catalogue.sql")
_TRANSLATIONS: msgspec.json.Decoder[tuple[Translation, ...]] = msgspec.json.Decoder(
    tuple[Translation, ...]
)


async def cities(
    connection: Connection, *, language: str | None = None, published_only: bool = False
) -> views.Cities:
    """All cities. Here as below, `published_only` is what guests see, and `language` that of the
    texts; None: as they were typed, with their translations."""
    rows = await connection.fetch(_QUERIES["cities"], None, published_only)
    return views.Cities([_city(row, language) for row in rows])


async def city(connection: Connection, city_id: str) -> views.City:
    """One city that exists."""
    (row,) = await connection.fetch(_QUERIES["cities"], city_id, False)
    return _city(row, None)


async def films(
    connection: Connection,
    asked: FilmQuestion,
    *,
    language: str | None = None,
    published_only: bool = False,
) -> views.Films:
    """A page of films, with what is left to choose. Raises InvalidCursor, InvalidId."""
    after = read_cursor(asked.after, tuple[date, str])
    if asked.city is not None:
        check_id(CITY, asked.city)
    row = await connection.fetchrow(
        _QUERIES["films"],
        asked.city,
        asked.date,
        asked.language,
        asked.format,
        asked.accessible,
        search_patterns(asked.q),
        asked.genre,
        asked.asks_for_shows,
        *(after or (None, None)),
        asked.limit + 1,
        None,
        published_only,
    )
    if row is None:
        raise RuntimeError("the statement answers one row")
    found = film_rows(row["items"])
    items = [shown_film(one, language) for one in found[: asked.limit]]
    more = len(found) > asked.limit
    facets = shown_facets(msgspec.json.decode(row["facets"], type=views.Facets), found, language)
    return views.Films(
        items, show_cursor(items[-1].released, items[-1].id) if more else None, facets
    )


async def film(
    connection: Connection,
    film_id: str,
    *,
    language: str | None = None,
    published_only: bool = False,
) -> views.Film:
    """One film. Raises FilmNotFound, InvalidId."""
    check_id(FILM, film_id)
    none = (None,) * 4
    row = await connection.fetchrow(
        _QUERIES["films"], *none, False, [], None, False, None, None, 1, film_id, published_only
    )
    found = [] if row is None else film_rows(row["items"])
    if not found:
        raise FilmNotFound(film_id=film_id)
    return shown_film(found[0], language)


async def poster(connection: Connection, film_id: str) -> tuple[PosterSubject, str | None]:
    """What the poster of a film is made of, and its own picture (SVG) if it has one. Raises
    FilmNotFound, InvalidId."""
    check_id(FILM, film_id)
    row = await connection.fetchrow(_QUERIES["film"], film_id)
    if row is None:
        raise FilmNotFound(film_id=film_id)
    return _subject(film_id, row), row["poster"]


async def shows(
    connection: Connection,
    asked: ShowQuestion,
    *,
    language: str | None = None,
    published_only: bool = False,
) -> views.Shows:
    """A page of shows. Raises InvalidCursor, InvalidId."""
    after = read_cursor(asked.after, tuple[datetime, int])
    for prefix, named in ((FILM, asked.film), (CITY, asked.city), (CINEMA, asked.cinema)):
        if named is not None:
            check_id(prefix, named)
    rows = await connection.fetch(
        _QUERIES["shows"],
        asked.film,
        asked.city,
        asked.cinema,
        asked.date,
        asked.language,
        asked.format,
        asked.accessible,
        *(after or (None, None)),
        None,
        asked.limit + 1,
        published_only,
    )
    items = [_show(row, language) for row in rows[: asked.limit]]
    last = rows[len(items) - 1] if len(rows) > asked.limit else None
    return views.Shows(items, None if last is None else show_cursor(last["starts_at"], last[0]))


async def show(
    connection: Connection,
    show_id: str,
    *,
    language: str | None = None,
    published_only: bool = False,
) -> views.Show:
    """One show. Raises ShowNotFound, InvalidId."""
    number = ids.parse_resource(show_id)
    none = (None,) * 6
    rows = await connection.fetch(
        _QUERIES["shows"], *none, False, None, None, number, 1, published_only
    )
    if not rows:
        raise ShowNotFound(show_id=show_id)
    return _show(rows[0], language)


async def cinemas(
    connection: Connection, asked: CinemaQuestion, *, language: str | None = None
) -> views.Cinemas:
    """A page of cinemas. Raises InvalidCursor, InvalidId."""
    after = read_cursor(asked.after, tuple[str, str])
    if asked.city is not None:
        check_id(CITY, asked.city)
    rows = await connection.fetch(
        _QUERIES["cinemas"], asked.city, *(after or (None, None)), asked.limit + 1, None
    )
    items = [_cinema(row, language, None) for row in rows[: asked.limit]]
    more = len(rows) > asked.limit
    return views.Cinemas(items, show_cursor(items[-1].name, items[-1].id) if more else None)


async def cinema(
    connection: Connection, cinema_id: str, *, language: str | None = None, sells: bool = True
) -> views.Cinema:
    """One cinema with its pricing, of which only who `sells` sees the codes. Raises CinemaNotFound,
    InvalidId."""
    check_id(CINEMA, cinema_id)
    rows = await connection.fetch(_QUERIES["cinemas"], None, None, None, 1, cinema_id)
    if not rows:
        raise CinemaNotFound(cinema_id=cinema_id)
    pricing = pricing_of(rows[0]["pricing"])
    if pricing is not None and not sells:
        pricing = pricing.without_secrets()
    return _cinema(rows[0], language, pricing)


async def screens(
    connection: Connection, asked: ScreenQuestion, *, language: str | None = None
) -> views.Screens:
    """A page of screens, without their plans. Raises InvalidCursor, InvalidId."""
    after = read_cursor(asked.after, tuple[str, str])
    if asked.cinema is not None:
        check_id(CINEMA, asked.cinema)
    rows = await connection.fetch(
        _QUERIES["screens"], asked.cinema, *(after or (None, None)), asked.limit + 1, None
    )
    items = [_screen(row, language) for row in rows[: asked.limit]]
    more = len(rows) > asked.limit
    return views.Screens(items, show_cursor(items[-1].name, items[-1].id) if more else None)


async def screen(
    connection: Connection, screen_id: str, *, language: str | None = None
) -> views.Screen:
    """One screen with its plan. Raises ScreenNotFound, InvalidId."""
    check_id(SCREEN, screen_id)
    rows = await connection.fetch(_QUERIES["screens"], None, None, None, 1, screen_id)
    if not rows:
        raise ScreenNotFound(screen_id=screen_id)
    return _screen(rows[0], language)


class _Said:
    """Texts in a language: `said(text)`. Without a language as they were typed."""

    def __init__(self, language: str | None, *stored: str) -> None:
        self.translations = merged(*(_TRANSLATIONS.decode(one) for one in stored))
        self.words = words_in(language, self.translations)

    def __call__(self, text: str) -> str:
        return self.words.get(text, text)

    def whole(self, language: str | None) -> tuple[Translation, ...]:
        """The translations, for who did not ask for one language."""
        return self.translations if language is None else ()


def _city(row: Record, language: str | None) -> views.City:
    values = dict(row)
    said = _Said(language, values.pop("translations"))
    values["name"] = said(values["name"])
    return views.City(**values, translations=said.whole(language))


def _subject(film_id: str, row: Record) -> PosterSubject:
    first, second = row["hues"]
    return PosterSubject(
        film_id,
        row["title"],
        row["director"],
        row["released"].year,
        (first, second),
        row["picture"],
    )


def _show(row: Record, language: str | None) -> views.Show:
    said = _Said(language, row["translations"])
    subject = _subject(row["film_id"], row)
    zone = ZoneInfo(row["time_zone"])
    return views.Show(
        id=ids.show_resource(row["resource_id"]),
        film=views.FilmOfShow(
            id=subject.film_id,
            title=said(subject.title),
            minutes=row["minutes"],
            rating=said(row["rating"]),
            poster=subject.path,
            hues=subject.hues,
        ),
        cinema=views.CinemaOfShow(
            id=row["cinema_id"],
            name=said(row["cinema_name"]),
            address=said(row["address"]),
            city=views.CityOfCinema(row["city_id"], said(row["city_name"])),
        ),
        screen=views.ScreenOfShow(
            id=row["screen_id"], name=said(row["screen_name"]), features=row["features"]
        ),
        starts_at=row["starts_at"].astimezone(zone),
        ends_at=row["ends_at"].astimezone(zone),
        time_zone=row["time_zone"],
        language=said(row["language"]),
        subtitles=None if row["subtitles"] is None else said(row["subtitles"]),
        format=said(row["format"]),
        accessible=row["accessible"],
        price_from=row["price_from"],
        currency=row["currency"],
        units_total=row["units_total"],
        units_free=row["units_free"],
        state=row["state"],
        published=row["published"],
    )


def _cinema(row: Record, language: str | None, pricing: Pricing | None) -> views.Cinema:
    said = _Said(language, row["city_translations"], row["translations"])
    return views.Cinema(
        id=row["cinema_id"],
        name=said(row["name"]),
        address=said(row["address"]),
        city=views.CityOfCinema(row["city_id"], said(row["city_name"])),
        time_zone=row["time_zone"],
        screens=row["screens"],
        pricing=pricing,
        translations=_Said(None, row["translations"]).whole(language),
    )


def _screen(row: Record, language: str | None) -> views.Screen:
    said = _Said(language, row["cinema_translations"], row["translations"])
    plan = row["plan"]
    return views.Screen(
        id=row["screen_id"],
        cinema=views.CityOfCinema(row["cinema_id"], said(row["cinema_name"])),
        name=said(row["name"]),
        features=[said(one) for one in row["features"]],
        translations=_Said(None, row["translations"]).whole(language),
        cleaning_minutes=row["cleaning_minutes"],
        seats=row["seats"],
        accessible=row["accessible"],
        plan=None if plan is None else msgspec.json.decode(plan, type=SeatsPlan),
    )
