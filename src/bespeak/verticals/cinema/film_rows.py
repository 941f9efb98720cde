"""Films as the statements of the catalogue give them: their posters, and what is shown of them in a
language.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

import msgspec

from bespeak import ids
from bespeak.translations import Translation, words_in
from bespeak.verticals.cinema import views

POSTER_EDITION = "2"
"""Rises when the placeholder of a film looks otherwise: browsers then ask for its poster again."""


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


class FilmRow(msgspec.Struct, frozen=True, kw_only=True):
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
    translations: tuple[Translation, ...]
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


def film_rows(items: str) -> list[FilmRow]:
    return msgspec.json.decode(items, type=list[FilmRow])


def shown_film(row: FilmRow, language: str | None) -> views.Film:
    found = msgspec.convert(row, views.Film, from_attributes=True)
    if language is None:
        return found
    words = words_in(language, row.translations)

    def said(text: str) -> str:
        return words.get(text, text)

    return msgspec.structs.replace(
        found,
        title=said(row.title),
        tagline=said(row.tagline),
        synopsis=said(row.synopsis),
        rating=said(row.rating),
        genres=[said(one) for one in row.genres],
        languages=[said(one) for one in row.languages],
        formats=[said(one) for one in row.formats],
        translations=(),
    )


def shown_facets(
    facets: views.Facets, found: Sequence[FilmRow], language: str | None
) -> views.Facets:
    """What can be chosen, with what it is called by the films that are found."""
    words = words_in(language, *(one.translations for one in found))
    chosen = (*facets.languages, *facets.formats, *facets.genres)
    own = {text: words[text] for text in chosen if text in words}
    return msgspec.structs.replace(facets, words=own)
