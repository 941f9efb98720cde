"""Sheets of all films, with a column for each language of each text. Imported again, a sheet
changes nothing. What no sheet can say is refused.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bespeak.errors import InvalidRequest
from bespeak.postgres.queries import load
from bespeak.translations import Translation, check_translations
from bespeak.verticals.cinema.catalogue_changes import film_of
from bespeak.verticals.cinema.forms import NewFilm
from bespeak.verticals.cinema.names import ref_of
from bespeak.verticals.cinema.sheet_parts import film_texts
from bespeak.verticals.cinema.sheets import FILM_TEXTS, FilmLine

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
    languages = _languages(films)
    lines = [{**_own(film), **_words(film, languages)} for film in films]
    columns = dict.fromkeys(FilmLine.__struct_fields__)
    used = {column for line in lines for column in line}
    every = (f"{field}:{language}" for language in languages.values() for field in FILM_TEXTS)
    columns |= dict.fromkeys(column for column in every if column in used)
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(columns), restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue()


def _languages(films: Sequence[NewFilm]) -> dict[str, str]:
    """The languages of films, as each is spelled first, by its tag in small letters."""
    found: dict[str, str] = {}
    for film in films:
        for translation in film.translations:
            found.setdefault(translation.language.lower(), translation.language)
    check_translations([Translation(language, {}) for language in found], "the sheet")
    return found


def _own(film: NewFilm) -> dict[str, str]:
    """The cells of a film as it was typed. A reference that is made of its title is left out."""
    cells = {"minutes": str(film.minutes), "released": film.released.isoformat()}
    for column in ("title", "original_title", "tagline", "synopsis", "rating", "director"):
        cells[column] = _cell(film, column, getattr(film, column) or "")
    for column in _LISTS:
        cells[column] = _list(film, column, getattr(film, column))
    if isinstance(film.ref, str) and film.ref != ref_of(film.title):
        cells["ref"] = _cell(film, "ref", film.ref)
    return cells


def _words(film: NewFilm, languages: Mapping[str, str]) -> dict[str, str]:
    """The cells of translations, where there are any."""
    cells: dict[str, str] = {}
    texts = film_texts(film, film.genres)
    for translation in film.translations:
        for field, own in texts.items():
            if any(text in translation.words for text in own):
                column = f"{field}:{languages[translation.language.lower()]}"
                cells[column] = _translated(film, column, own, translation.words)
    return cells


def _translated(
    film: NewFilm, column: str, texts: tuple[str, ...], words: Mapping[str, str]
) -> str:
    said = [words.get(text, "") for text in texts]
    return _list(film, column, said) if column.startswith(_LISTS) else _cell(film, column, said[0])


def _list(film: NewFilm, column: str, parts: Sequence[str]) -> str:
    """Several in a cell; a semicolon at the end says of one with a comma that it is one."""
    if any(";" in part for part in parts):
        raise _unsayable(film, column, "a semicolon parts the cell")
    cell = "; ".join(_cell(film, column, part) for part in parts)
    return f"{cell};" if len(parts) == 1 and "," in cell else cell


def _cell(film: NewFilm, column: str, text: str) -> str:
    if text != text.strip():
        raise _unsayable(film, column, "it begins or ends with a space")
    if "\r" in text:
        raise _unsayable(film, column, "it has a carriage return")
    return text


def _unsayable(film: NewFilm, column: str, why: str) -> InvalidRequest:
    return InvalidRequest(
        f"a sheet cannot say the {column} of {film.title[:60]!r}: {why}", field=column
    )
