"""A catalogue made of a spreadsheet: its parts, judged as what is read from JSON is, the line that
each of them comes from, and the translations that are kept of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

import msgspec

from bespeak.errors import InvalidRequest
from bespeak.postgres.queries import load
from bespeak.translations import Translation
from bespeak.verticals.cinema.catalogue_changes import translations_of
from bespeak.verticals.cinema.forms import Catalogue
from bespeak.verticals.cinema.sheets import place_of

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.verticals.cinema", "files.sql")

Kept: TypeAlias = Mapping[str, tuple[Translation, ...]]
"""The translations that are kept, by the id or the reference of what they are of."""

_Part = TypeVar("_Part")
# What a field of the catalogue is called in a sheet of shows.
_COLUMNS = {"starts_at": "time", "prices": "price"}


class Lines(NamedTuple):
    """A catalogue made of a sheet, and the line that each part of it comes from."""

    said: Catalogue
    numbers: dict[tuple[str, int], int]

    def place(self, kind: str, index: int, field: str | None) -> str:
        column = None if field is None else _COLUMNS.get(field, field)
        return place_of(self.numbers.get((kind, index), 1), column)


def made_part(form: type[_Part], said: Mapping[str, object]) -> _Part:
    """What was made in Python, judged as what is read is. Raises InvalidRequest with its field."""
    try:
        return msgspec.convert(msgspec.to_builtins(said), form)
    except msgspec.ValidationError as error:
        words, _, place = str(error).partition(" - at `$.")
        raise InvalidRequest(words, field=place.rstrip("`").partition("[")[0] or None) from error


async def kept_words(connection: Connection, ids: Iterable[str]) -> Kept:
    """The translations of cities, cinemas, screens and films that are there."""
    rows = await connection.fetch(_QUERIES["words"], list(set(ids)))
    return {row["id"]: translations_of(row["translations"]) for row in rows}


async def kept_show_words(connection: Connection, refs: Iterable[str]) -> Kept:
    """The translations of shows that are there, by their references."""
    rows = await connection.fetch(_QUERIES["show_words"], list(set(refs)))
    return {row["ref"]: translations_of(row["translations"] or "[]") for row in rows}


def said_once(text: str | None) -> tuple[str, ...]:
    """A text as those of its column, which are none where it is empty."""
    return (text,) if text else ()
