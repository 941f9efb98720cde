"""Sheets of all films. Imported again, a sheet changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bespeak.postgres.queries import load
from bespeak.verticals.cinema.catalogue_changes import film_of
from bespeak.verticals.cinema.forms import NewFilm
from bespeak.verticals.cinema.names import ref_of
from bespeak.verticals.cinema.sheet_parts import film_texts
from bespeak.verticals.cinema.sheets import FILMS
from bespeak.verticals.sheet_writing import CellWriter, languages_of, write_sheet

if TYPE_CHECKING:
    from bespeak.engine import Engine

_QUERIES = load("bespeak.verticals.cinema", "files.sql")
_LISTS = ("genres", "cast")


async def export_films(engine: Engine) -> str:
    """All films as CSV. Raises InvalidRequest for what a sheet cannot say."""
    async with engine.database.borrow() as connection:
        rows = await connection.fetch(_QUERIES["all_films"])
    return write_films([film_of(row) for row in rows])


def write_films(films: Sequence[NewFilm]) -> str:
    """Films as a sheet. Raises InvalidRequest."""
    languages = languages_of(film.translations for film in films)
    lines = []
    for film in films:
        write = CellWriter(FILMS, film.title)
        words = write.words(film_texts(film, film.genres), film.translations, languages)
        lines.append({**_own(write, film), **words})
    return write_sheet(FILMS, lines, languages.values())


def _own(write: CellWriter, film: NewFilm) -> dict[str, str]:
    """The cells of a film as it was typed. A reference that is made of its title is left out."""
    cells = {"minutes": str(film.minutes), "released": film.released.isoformat()}
    for column in ("title", "original_title", "tagline", "synopsis", "rating", "director"):
        cells[column] = write.cell(column, getattr(film, column) or "")
    for column in _LISTS:
        cells[column] = write.list(column, getattr(film, column))
    if isinstance(film.ref, str) and film.ref != ref_of(film.title):
        cells["ref"] = write.cell("ref", film.ref)
    return cells
