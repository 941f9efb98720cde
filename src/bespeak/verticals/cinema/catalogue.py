"""Reading the catalogue: one statement a question, pages by the key of their last entry."""

from __future__ import annotations

import base64
import hashlib
from datetime import date, datetime
from typing import TYPE_CHECKING, TypeVar
from zoneinfo import ZoneInfo

import msgspec

from bespeak import ids
from bespeak.errors import InvalidCursor
from bespeak.inventory.shapes.seats.plan import SeatsPlan
from bespeak.postgres.queries import load
from bespeak.verticals.cinema import views
from bespeak.verticals.cinema.errors import (
    CinemaNotFound,
    FilmNotFound,
    ScreenNotFound,
    ShowNotFound,
)
from bespeak.verticals.cinema.names import CINEMA, CITY, FILM, SCREEN, check_id, search_patterns
from bespeak.verticals.cinema.queries import (
    CinemaQuestion,
    FilmQuestion,
    ScreenQuestion,
    ShowQuestion,
)

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.verticals.cinema", "catalogue.sql")
POSTER_EDITION = "2"
"""Rises when the placeholder of a film looks otherwise: browsers then ask for its poster again."""

_Key = TypeVar("_Key")


class PosterSubject(msgspec.Struct, frozen=True):
    """What a poster is made of; `picture` is the digest of the film's own, if it has one."""

    film_id: str
    title: str
    director: str
    year: int
    hues: tuple[int, int]
    picture: str | None = None

    @property
    def etag(self) -> str:
        """Stands for the picture: the same as long as it is the same."""
        said = msgspec.json.encode((POSTER_EDITION, self))
        return hashlib.blake2b(said, digest_size=6).hexdigest()

    @property
    def path(self) -> str:
        """Where the poster is, for ever: another picture has another path."""
        return f"/v1/cinema/films/{self.film_id}/poster.svg?v={self.etag}"


class _FilmRow(msgspec.Struct, frozen=True, kw_only=True):
    """A film as its statement gives it, with what its view has beside the columns."""

    id: str
    title: str
    original_title: str | None
    tagline: str
    synopsis: str
    minutes: int
    rating: str
    genres: list[str]
    director: str
    cast: list[str]
    released: date
    hues: tuple[int, int]
    picture: str | None
    languages: list[str]
    formats: list[str]
    shows: int
    next_id: int | None
    next_starts_at: datetime | None
    next_city_id: str | None
    next_time_zone: str | None

    @property
    def poster(self) -> str:
        year = self.released.year
        return PosterSubject(self.id, self.title, self.director, year, self.hues, self.picture).path

    @property
    def next_show(self) -> views.NextShow | None:
        if self.next_id is None or self.next_starts_at is None:
            return None
        zone = self.next_time_zone or "UTC"
        return views.NextShow(
            id=ids.show_resource(self.next_id),
            starts_at=self.next_starts_at.astimezone(ZoneInfo(zone)),
            time_zone=zone,
            city_id=self.next_city_id or "",
        )


async def cities(connection: Connection) -> views.Cities:
    rows = await connection.fetch(_QUERIES["cities"], None)
    return views.Cities([views.City(**dict(row)) for row in rows])


async def city(connection: Connection, city_id: str) -> views.City:
    """One city that exists."""
    (row,) = await connection.fetch(_QUERIES["cities"], city_id)
    return views.City(**dict(row))


async def films(connection: Connection, asked: FilmQuestion) -> views.Films:
    """A page of films, with what is left to choose. Raises InvalidCursor, InvalidId."""
    after = _read_cursor(asked.after, tuple[date, str])
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
    )
    if row is None:
        raise RuntimeError("the statement answers one row")
    found = _films(row["items"])
    items = found[: asked.limit]
    more = len(found) > asked.limit
    facets = msgspec.json.decode(row["facets"], type=views.Facets)
    return views.Films(items, _cursor(items[-1].released, items[-1].id) if more else None, facets)


async def film(connection: Connection, film_id: str) -> views.Film:
    """One film. Raises FilmNotFound, InvalidId."""
    check_id(FILM, film_id)
    none = (None,) * 4
    row = await connection.fetchrow(
        _QUERIES["films"], *none, False, [], None, False, None, None, 1, film_id
    )
    found = [] if row is None else _films(row["items"])
    if not found:
        raise FilmNotFound(film_id=film_id)
    return found[0]


async def poster(connection: Connection, film_id: str) -> tuple[PosterSubject, str | None]:
    """What the poster of a film is made of, and its own picture (SVG) if it has one. Raises
    FilmNotFound, InvalidId."""
    check_id(FILM, film_id)
    row = await connection.fetchrow(_QUERIES["film"], film_id)
    if row is None:
        raise FilmNotFound(film_id=film_id)
    return _subject(film_id, row), row["poster"]


async def shows(connection: Connection, asked: ShowQuestion) -> views.Shows:
    """A page of shows. Raises InvalidCursor, InvalidId."""
    after = _read_cursor(asked.after, tuple[datetime, int])
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
    )
    items = [_show(row) for row in rows[: asked.limit]]
    last = rows[len(items) - 1] if len(rows) > asked.limit else None
    return views.Shows(items, None if last is None else _cursor(last["starts_at"], last[0]))


async def show(connection: Connection, show_id: str) -> views.Show:
    """One show. Raises ShowNotFound, InvalidId."""
    number = ids.parse_resource(show_id)
    none = (None,) * 6
    rows = await connection.fetch(_QUERIES["shows"], *none, False, None, None, number, 1)
    if not rows:
        raise ShowNotFound(show_id=show_id)
    return _show(rows[0])


async def cinemas(connection: Connection, asked: CinemaQuestion) -> views.Cinemas:
    """A page of cinemas. Raises InvalidCursor, InvalidId."""
    after = _read_cursor(asked.after, tuple[str, str])
    if asked.city is not None:
        check_id(CITY, asked.city)
    rows = await connection.fetch(
        _QUERIES["cinemas"], asked.city, *(after or (None, None)), asked.limit + 1, None
    )
    items = [_cinema(row) for row in rows[: asked.limit]]
    more = len(rows) > asked.limit
    return views.Cinemas(items, _cursor(items[-1].name, items[-1].id) if more else None)


async def cinema(connection: Connection, cinema_id: str) -> views.Cinema:
    """One cinema. Raises CinemaNotFound, InvalidId."""
    check_id(CINEMA, cinema_id)
    rows = await connection.fetch(_QUERIES["cinemas"], None, None, None, 1, cinema_id)
    if not rows:
        raise CinemaNotFound(cinema_id=cinema_id)
    return _cinema(rows[0])


async def screens(connection: Connection, asked: ScreenQuestion) -> views.Screens:
    """A page of screens, without their plans. Raises InvalidCursor, InvalidId."""
    after = _read_cursor(asked.after, tuple[str, str])
    if asked.cinema is not None:
        check_id(CINEMA, asked.cinema)
    rows = await connection.fetch(
        _QUERIES["screens"], asked.cinema, *(after or (None, None)), asked.limit + 1, None
    )
    items = [_screen(row) for row in rows[: asked.limit]]
    more = len(rows) > asked.limit
    return views.Screens(items, _cursor(items[-1].name, items[-1].id) if more else None)


async def screen(connection: Connection, screen_id: str) -> views.Screen:
    """One screen with its plan. Raises ScreenNotFound, InvalidId."""
    check_id(SCREEN, screen_id)
    rows = await connection.fetch(_QUERIES["screens"], None, None, None, 1, screen_id)
    if not rows:
        raise ScreenNotFound(screen_id=screen_id)
    return _screen(rows[0])


def _cursor(*key: object) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(key)).decode().rstrip("=")


def _read_cursor(text: str | None, form: type[_Key]) -> _Key | None:
    """The key in a cursor. Raises InvalidCursor for one that no list gave out."""
    if text is None:
        return None
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        key = msgspec.json.decode(raw, type=form)
    except (ValueError, msgspec.MsgspecError) as error:
        raise InvalidCursor(after=text[:60]) from error
    if not isinstance(key, tuple) or not all(_is_storable(part) for part in key):
        raise InvalidCursor(after=text[:60])
    return key


def _is_storable(part: object) -> bool:
    """Whether PostgreSQL can hold it, so that a made-up cursor is refused and no fault."""
    if isinstance(part, str):
        return "\x00" not in part
    if isinstance(part, datetime):
        return part.tzinfo is not None and 1900 <= part.year <= 9990
    return not isinstance(part, int) or abs(part) < 1 << 62


def _films(items: str) -> list[views.Film]:
    rows = msgspec.json.decode(items, type=list[_FilmRow])
    return msgspec.convert(rows, list[views.Film], from_attributes=True)


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


def _show(row: Record) -> views.Show:
    subject = _subject(row["film_id"], row)
    zone = ZoneInfo(row["time_zone"])
    return views.Show(
        id=ids.show_resource(row["resource_id"]),
        film=views.FilmOfShow(
            id=subject.film_id,
            title=subject.title,
            minutes=row["minutes"],
            rating=row["rating"],
            poster=subject.path,
            hues=subject.hues,
        ),
        cinema=views.CinemaOfShow(
            id=row["cinema_id"],
            name=row["cinema_name"],
            address=row["address"],
            city=views.CityOfCinema(row["city_id"], row["city_name"]),
        ),
        screen=views.ScreenOfShow(
            id=row["screen_id"], name=row["screen_name"], features=row["features"]
        ),
        starts_at=row["starts_at"].astimezone(zone),
        ends_at=row["ends_at"].astimezone(zone),
        time_zone=row["time_zone"],
        language=row["language"],
        subtitles=row["subtitles"],
        format=row["format"],
        accessible=row["accessible"],
        price_from=row["price_from"],
        currency=row["currency"],
        units_total=row["units_total"],
        units_free=row["units_free"],
        state=row["state"],
    )


def _cinema(row: Record) -> views.Cinema:
    return views.Cinema(
        id=row["cinema_id"],
        name=row["name"],
        address=row["address"],
        city=views.CityOfCinema(row["city_id"], row["city_name"]),
        time_zone=row["time_zone"],
        screens=row["screens"],
    )


def _screen(row: Record) -> views.Screen:
    plan = row["plan"]
    return views.Screen(
        id=row["screen_id"],
        cinema=views.CityOfCinema(row["cinema_id"], row["cinema_name"]),
        name=row["name"],
        features=row["features"],
        cleaning_minutes=row["cleaning_minutes"],
        seats=row["seats"],
        accessible=row["accessible"],
        plan=None if plan is None else msgspec.json.decode(plan, type=SeatsPlan),
    )
