"""What the lines of a sheet of stays say: properties and listings, each with what is kept of it
that the line does not say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from bespeak import ids
from bespeak.errors import BespeakError, InvalidRequest
from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.inventory.shapes.nights.stay_limits import STAY_MAX
from bespeak.money import check_currency, decimals_of
from bespeak.postgres.queries import load
from bespeak.verticals.currencies import CurrencyNeeded, usual_currency
from bespeak.verticals.imports import made_part
from bespeak.verticals.sheet_words import said_once, said_words, same_words
from bespeak.verticals.sheets import Numbered, Sheet, amount_of, place_of
from bespeak.verticals.stays.catalogue_import import number_of
from bespeak.verticals.stays.import_forms import ImportedListing, ImportedProperty, StaysCatalogue
from bespeak.verticals.stays.sheets import PROPERTIES, ListingLine, PropertyLine, said_cells
from bespeak.verticals.stays.shown import plan_of
from bespeak.verticals.stored_texts import translations_of

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.verticals.stays", "files.sql")


class StaysLines(NamedTuple):
    """What a sheet of stays says, and the line of each part of it."""

    said: StaysCatalogue
    numbers: Sequence[int]

    def place(self, _kind: str, index: int, field: str | None) -> str:
        column = "rooms" if field is not None and field.partition(".")[0] == "plan" else field
        return place_of(self.numbers[index], column)


async def lines_of(connection: Connection, workspace: str, sheet: Sheet) -> StaysLines:
    """What a sheet says; what is wrong with its lines is noted in it."""
    if sheet.kind is PROPERTIES:
        return await _properties(connection, workspace, sheet)
    return await _listings(connection, workspace, sheet)


async def _properties(connection: Connection, workspace: str, sheet: Sheet) -> StaysLines:
    refs = [line.ref for _, line in sheet.of(PropertyLine)]
    kept = _named(
        await connection.fetch(_QUERIES["properties"], workspace, refs),
        lambda row: str(row["property_id"]),
    )
    made: list[ImportedProperty] = []
    numbers: list[int] = []
    for numbered, line in sheet.of(PropertyLine):
        try:
            said = said_cells(sheet, line)
            _rate(said)
            _translate(sheet, numbered, said, kept.get(line.ref))
            made.append(made_part(ImportedProperty, said))
        except BespeakError as error:
            sheet.fault(numbered.number, error)
        else:
            numbers.append(numbered.number)
    return StaysLines(StaysCatalogue(properties=tuple(made)), numbers)


async def _listings(connection: Connection, workspace: str, sheet: Sheet) -> StaysLines:
    refs = [line.ref for _, line in sheet.of(ListingLine)]
    named = [number for ref in refs if (number := number_of(ref)) is not None]
    kept = _named(
        await connection.fetch(_QUERIES["listings"], workspace, refs, named),
        lambda row: ids.show_resource(row["resource_id"]),
    )
    usual = await _usual_currency(connection, workspace)
    made: list[ImportedListing] = []
    numbers: list[int] = []
    for numbered, line in sheet.of(ListingLine):
        try:
            said = said_cells(sheet, line)
            row = kept.get(line.ref)
            _plan(said, row)
            _price(said, row, usual)
            _translate(sheet, numbered, said, row)
            made.append(made_part(ImportedListing, said))
        except BespeakError as error:
            sheet.fault(numbered.number, error)
        else:
            numbers.append(numbered.number)
    return StaysLines(StaysCatalogue(listings=tuple(made)), numbers)


def _named(rows: Sequence[Record], id_of: Callable[[Record], str]) -> dict[str, Record]:
    """What is kept, by reference or id; what is called so comes before what has that id."""
    by_id = {id_of(row): row for row in rows}
    return by_id | {row["ref"]: row for row in rows if row["ref"] is not None}


async def _usual_currency(connection: Connection, workspace: str) -> str | CurrencyNeeded:
    try:
        return await usual_currency(connection, workspace)
    except CurrencyNeeded as error:
        return error


def _plan(said: dict[str, object], row: Record | None) -> None:
    """Makes the plan of what a line says of rooms and stays. Raises InvalidRequest."""
    fields: dict[str, object] = {}
    if "rooms" in said:
        rooms = said.pop("rooms")
        is_count = isinstance(rooms, int)
        fields |= {"count": rooms if is_count else None, "rooms": None if is_count else rooms}
    elif row is None:
        raise InvalidRequest("a new listing needs `rooms`: how many, or their names", field="rooms")
    for column, field, usual in (
        ("min_stay", "min_nights", 1),
        ("max_stay", "max_nights", STAY_MAX),
    ):
        if column in said:
            given = said.pop(column)
            if given is not None and not 1 <= int(str(given)) <= STAY_MAX:
                raise InvalidRequest(f"a stay has 1 to {STAY_MAX} nights", field=column)
            fields[field] = usual if given is None else given
    if not fields:
        return
    kept: dict[str, object] = (
        {"type": "nights"} if row is None else msgspec.to_builtins(plan_of(row))
    )
    whole = {name: value for name, value in {**kept, **fields}.items() if value is not None}
    try:
        said["plan"] = made_part(NightsPlan, whole)
    except InvalidRequest as error:
        raise InvalidRequest(error.detail, field="rooms") from error


def _rate(said: dict[str, object]) -> None:
    """Makes the rating from elsewhere of its three columns, which are all there or all empty.
    Raises InvalidRequest."""
    columns = {"rating": "rating", "ratings": "ratings", "rating_source": "source"}
    given = {field: said.pop(column) for column, field in columns.items() if column in said}
    if not given:
        return
    said["rated_elsewhere"] = None
    if any(value is not None for value in given.values()):
        missing = [column for column, field in columns.items() if given.get(field) is None]
        if missing:
            told = "a rating from elsewhere has `rating`, `ratings` and `rating_source`"
            raise InvalidRequest(told, field=missing[0])
        said["rated_elsewhere"] = given


def _price(said: dict[str, object], row: Record | None, usual: str | CurrencyNeeded) -> None:
    """Reads the price in its currency. Raises InvalidRequest, CurrencyNeeded."""
    if "price" not in said:
        if row is None:
            raise InvalidRequest("a new listing needs a `price`; 0 is free", field="price")
        return
    currency = said.get("currency") or (usual if row is None else row["currency"])
    if isinstance(currency, CurrencyNeeded):
        raise currency
    check_currency(str(currency))
    said["price"] = amount_of(str(said["price"]), decimals_of(str(currency)), "price")


def _translate(
    sheet: Sheet, numbered: Numbered, said: dict[str, object], row: Record | None
) -> None:
    """Adds what the texts of a line are called in other languages. Raises InvalidRequest."""
    if not sheet.words:
        return
    texts = {
        column: said_once(str(said.get(column, "" if row is None else row[column])))
        for column in sheet.kind.translated
    }
    stored = () if row is None else translations_of(row["translations"])
    words = said_words(sheet.words, numbered.words, texts, stored)
    if not same_words(words, stored):
        said["translations"] = words
