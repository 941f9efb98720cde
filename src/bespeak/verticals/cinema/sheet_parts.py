"""A catalogue made of a spreadsheet: its parts, judged as what is read from JSON is, and the line
that each of them comes from.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeVar

import msgspec

from bespeak.errors import InvalidRequest
from bespeak.verticals.cinema.forms import Catalogue
from bespeak.verticals.cinema.sheets import place_of

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
