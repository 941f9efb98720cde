"""A catalogue made of a spreadsheet: its parts, judged as what is read from JSON is, the line that
each of them comes from, and what is kept of them that the sheet does not say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bespeak.postgres.queries import load
from bespeak.pricing.rules import Pricing
from bespeak.translations import Translation
from bespeak.verticals.cinema.catalogue_changes import pricing_of
from bespeak.verticals.cinema.forms import Catalogue, NewFilm
from bespeak.verticals.cinema.palette import hues_of
from bespeak.verticals.cinema.sheets import FilmLine
from bespeak.verticals.sheet_words import Texts, said_once
from bespeak.verticals.sheets import place_of
from bespeak.verticals.stored_texts import translations_of

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.verticals.cinema", "files.sql")

Kept: TypeAlias = Mapping[str, tuple[Translation, ...]]
"""The translations that are kept, by the id or the reference of what they are of."""

# What a field of the catalogue is called in a sheet of shows.
_COLUMNS = {"starts_at": "time", "prices": "price"}


class Lines(NamedTuple):
    """A catalogue made of a sheet, and the line that each part of it comes from."""

    said: Catalogue
    numbers: dict[tuple[str, int], int]

    def place(self, kind: str, index: int, field: str | None) -> str:
        column = None if field is None else _COLUMNS.get(field, field)
        return place_of(self.numbers.get((kind, index), 1), column)


async def kept_words(connection: Connection, ids: Iterable[str]) -> Kept:
    """The translations of cities, cinemas, screens and films that are there."""
    rows = await connection.fetch(_QUERIES["words"], list(set(ids)))
    return {row["id"]: translations_of(row["translations"]) for row in rows}


async def kept_show_words(connection: Connection, refs: Iterable[str]) -> Kept:
    """The translations of shows that are there, by their references."""
    rows = await connection.fetch(_QUERIES["show_words"], list(set(refs)))
    return {row["ref"]: translations_of(row["translations"] or "[]") for row in rows}


async def kept_pricings(connection: Connection, ids: Iterable[str]) -> dict[str, Pricing | None]:
    """The pricing of cinemas that are there."""
    rows = await connection.fetch(_QUERIES["pricings"], list(set(ids)))
    return {row["cinema_id"]: pricing_of(row["pricing"]) for row in rows}


async def kept_hues(connection: Connection, ids: Iterable[str]) -> dict[str, list[int]]:
    """The colours of films that are there, where they are others than those of the reference."""
    rows = await connection.fetch(_QUERIES["hues"], list(set(ids)))
    return {row["film_id"]: row["hues"] for row in rows if row["hues"] != list(hues_of(row["ref"]))}


def film_texts(film: FilmLine | NewFilm, genres: tuple[str, ...]) -> Texts:
    """The texts of a film that may be called otherwise in another language, by their columns."""
    return {
        "title": said_once(film.title),
        "tagline": said_once(film.tagline),
        "synopsis": said_once(film.synopsis),
        "rating": said_once(film.rating),
        "genres": genres,
    }
