"""Spreadsheets of stays: one of properties, one of listings, a line for each. What is not said of
one that is there stays as it is, so that a sheet of references and prices is a sheet, too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from bespeak.errors import InvalidRequest
from bespeak.verticals.sheet_kinds import SheetKind
from bespeak.verticals.sheets import Sheet, listed, read_sheet_of
from bespeak.verticals.stays.forms import Reference
from bespeak.verticals.stays.import_forms import ROWS_MAX
from bespeak.verticals.stays.words import AMENITIES, BED_KINDS, PROPERTY_KINDS

_Cell: TypeAlias = str | UnsetType
_TIME = re.compile(r"(\d{1,2}):(\d{2})(?::00)?", re.ASCII)
_BED = re.compile(r"(?:(\d{1,4})\s*x?\s+)?(\S.*)", re.ASCII)
_TRUE, _FALSE = ("true", "yes", "1"), ("false", "no", "0")


class PropertyLine(msgspec.Struct, frozen=True, kw_only=True):
    """A property; amenities and languages are parted by semicolons, or by commas."""

    ref: Reference
    name: _Cell = UNSET
    kind: _Cell = UNSET
    stars: _Cell = UNSET
    address: _Cell = UNSET
    city: _Cell = UNSET
    country: _Cell = UNSET
    lat: _Cell = UNSET
    lon: _Cell = UNSET
    time_zone: _Cell = UNSET
    check_in_time: _Cell = UNSET
    check_out_time: _Cell = UNSET
    amenities: _Cell = UNSET
    languages: _Cell = UNSET
    website: _Cell = UNSET
    rating: _Cell = UNSET
    ratings: _Cell = UNSET
    rating_source: _Cell = UNSET
    summary: _Cell = UNSET
    description: _Cell = UNSET
    house_rules: _Cell = UNSET


class ListingLine(msgspec.Struct, frozen=True, kw_only=True):
    """A listing of a property that is named by its reference or id. `rooms` are so many, or their
    names, parted by semicolons: `101;` is one of that name."""

    ref: Reference
    property: _Cell = UNSET
    name: _Cell = UNSET
    guests: _Cell = UNSET
    rooms: _Cell = UNSET
    price: _Cell = UNSET
    currency: _Cell = UNSET
    payment: _Cell = UNSET
    min_stay: _Cell = UNSET
    max_stay: _Cell = UNSET
    beds: _Cell = UNSET
    square_metres: _Cell = UNSET
    amenities: _Cell = UNSET
    summary: _Cell = UNSET
    description: _Cell = UNSET
    published: _Cell = UNSET


def _only(form: type[msgspec.Struct], other: type[msgspec.Struct]) -> tuple[str, ...]:
    return tuple(set(form.__struct_fields__) - set(other.__struct_fields__))


PROPERTIES = SheetKind(
    "properties",
    PropertyLine,
    _only(PropertyLine, ListingLine),
    ("name", "address", "city", "summary", "description", "house_rules"),
)
LISTINGS = SheetKind(
    "listings", ListingLine, _only(ListingLine, PropertyLine), ("name", "summary", "description")
)
_FIRST_LINE = (
    "the first line names the columns: of properties there is `kind` or another that listings do "
    "not have, of listings `property` or another that properties do not have"
)
# What an empty cell says of what may be absent. Of all else it says nothing.
_ABSENT: Mapping[str, object] = {
    "stars": None,
    "address": "",
    "city": "",
    "country": None,
    "amenities": (),
    "languages": (),
    "website": None,
    "rating": None,
    "ratings": None,
    "rating_source": None,
    "summary": "",
    "description": "",
    "house_rules": "",
    "beds": (),
    "square_metres": None,
    "min_stay": None,
    "max_stay": None,
}


def read_stays_sheet(text: str) -> Sheet:
    """A sheet of stays. Raises CatalogueInvalid for what is none."""
    return read_sheet_of((PROPERTIES, LISTINGS), text, _FIRST_LINE, ROWS_MAX)


def said_cells(sheet: Sheet, line: msgspec.Struct) -> dict[str, object]:
    """What a line says, by its columns. Raises InvalidRequest with the column as its field."""
    said: dict[str, object] = {}
    for column in line.__struct_fields__:
        cell = getattr(line, column)
        if isinstance(cell, str):
            try:
                said[column] = _READ.get(column, str)(cell)
            except InvalidRequest as error:
                raise InvalidRequest(error.detail, field=column) from error
        elif column in sheet.columns and column in _ABSENT:
            said[column] = _ABSENT[column]
    return said


def _one_of(choices: Sequence[str]) -> Callable[[str], str]:
    def read(cell: str) -> str:
        word = "_".join(cell.lower().replace("-", " ").replace("_", " ").split())
        if word not in choices:
            raise InvalidRequest(f"{cell[:40]!r} is none of {', '.join(choices)}")
        return word

    return read


def _degrees(cell: str) -> float:
    try:
        found = float(cell.replace(",", "."))
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise InvalidRequest(f"{cell[:40]!r} is no number of degrees; write 53.5453")
    return found


def _rating(cell: str) -> float:
    if not re.fullmatch(r"\d{1,2}([.,]\d{1,2})?", cell, re.ASCII):
        raise InvalidRequest(f"{cell[:40]!r} is no rating; write 8.7")
    return float(cell.replace(",", "."))


def _whole(cell: str) -> int:
    if not re.fullmatch(r"\d{1,9}", cell, re.ASCII):
        raise InvalidRequest(f"{cell[:40]!r} is no whole number")
    return int(cell)


def _time(cell: str) -> str:
    found = _TIME.fullmatch(cell)
    if found is None or int(found[1]) > 23 or int(found[2]) > 59:
        raise InvalidRequest(f"{cell[:40]!r} is no time of day; write 15:00")
    return f"{int(found[1]):02}:{found[2]}"


def _truth(cell: str) -> bool:
    if cell.lower() not in _TRUE + _FALSE:
        raise InvalidRequest(f"{cell[:40]!r} is neither true nor false")
    return cell.lower() in _TRUE


def _beds(cell: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    kind = _one_of(BED_KINDS)
    for part in listed(cell):
        bed = _BED.fullmatch(part)
        if bed is None:
            raise InvalidRequest(f"{part[:40]!r} is no bed; write double or 2 single")
        found.append({"kind": kind(bed[2]), "count": int(bed[1] or 1)})
    return found


def _rooms(cell: str) -> int | tuple[str, ...]:
    return int(cell) if re.fullmatch(r"\d{1,9}", cell, re.ASCII) else listed(cell)


_READ: Mapping[str, Callable[[str], object]] = {
    "kind": _one_of(PROPERTY_KINDS),
    "stars": _whole,
    "country": str.upper,
    "rating": _rating,
    "ratings": _whole,
    "lat": _degrees,
    "lon": _degrees,
    "check_in_time": _time,
    "check_out_time": _time,
    "amenities": lambda cell: [_one_of(AMENITIES)(part) for part in listed(cell)],
    "languages": listed,
    "guests": _whole,
    "rooms": _rooms,
    "currency": str.upper,
    "payment": _one_of(("none", "required", "at_venue")),
    "min_stay": _whole,
    "max_stay": _whole,
    "beds": _beds,
    "square_metres": _whole,
    "published": _truth,
}
