"""The lines of a seat map in CSV, each checked for itself: what is wrong is said with its line and
its column, so that it can be found in the spreadsheet that it comes from.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidRequest
from bespeak.inventory.fields import Coordinate, Name, PriceAmount
from bespeak.inventory.shapes.seats.plan import Prefix, RowName
from bespeak.inventory.shapes.seats.units import UNITS_MAX

NEEDED = ("section", "row", "seat")
USUAL = (*NEEDED, "category", "x", "y", "accessible", "companion_of", "price")
RARE = ("prefix", "gap", "table", "capacity")

REASONS = {
    "both": "a seat cannot be both",
    "companion_of_nobody": "there is no such accessible seat",
    "half_place": "x and y come together",
    "long_label": "a label has at most 40 characters",
    "needed_column": "this column is needed",
    "no_csv": "this is not CSV: {}",
    "of_a_pool": "a line with a capacity is a pool",
    "price_differs": "the category cost something else before: {}",
    "price_of_category": "the price is of a category",
    "seat_has_row": "a seat has a row",
    "some_places": "all seats of a row have a place, or none",
    "table_category": "a table has one category",
    "table_counts": "the seats of a table are 1, 2, 3 and so on",
    "table_has_none": "a table has neither companions nor gaps",
    "table_numbers": "the seats of a table are numbers",
    "table_place": "a table has one place, its middle",
    "table_seats": "a table has 1 to 100 seats",
    "too_many_cells": "there are more cells than columns",
    "too_many_lines": "there are more than {} lines",
    "unit_twice": "this seat comes twice: {}",
    "unknown_column": "there is no such column, or it comes twice",
    "whole_table": "a whole table has no single seats",
    "wrong_value": "this makes no sense here: {}",
}
_WORDS = {"yes": "true", "no": "false"}
_PLACE = re.compile(r" - at `\$\.(\w+)`$")
_MISSING = re.compile(r"required field `(\w+)`")
_LABEL_LENGTH_MAX = 40
_FIRST_LINE_MAX = 10_000


class Record(msgspec.Struct, frozen=True):
    """One line: a seat of a row, a seat of a table, a whole table (`seat`: how many sit at it), or
    with a capacity a pool (`seat`: its name). `number` is the line of the file."""

    number: int
    seat: Name
    section: Name = "Seats"
    row: RowName | None = None
    category: Name | None = None
    x: Coordinate | None = None
    y: Coordinate | None = None
    accessible: bool = False
    companion_of: RowName | None = None
    price: PriceAmount | None = None
    prefix: Prefix | None = None
    gap: bool = False
    table: Literal["shared", "whole"] | None = None
    capacity: Annotated[int, Meta(ge=0, le=1_000_000_000)] | None = None

    @property
    def unit(self) -> str:
        if self.capacity is not None:
            return self.seat
        if self.table == "whole":
            return self.row or ""
        return f"{self.row}{'-' if self.table else ''}{self.seat}"


def wrong(number: int, column: str, problem: str) -> InvalidRequest:
    """The error for a line and a column."""
    return InvalidRequest(
        f"line {number}, column `{column}`: {problem}", field="plan", line=number, column=column
    )


def wrong_seat(
    number: int, column: str, reason: str, value: str = "", *, problem: str | None = None
) -> InvalidRequest:
    """The same with a reason of `REASONS`, which pages say in their own language, and what the
    words are about: a cell, a unit."""
    error = wrong(number, column, problem or REASONS[reason].format(value))
    error.data |= {"reason": reason, "value": value}
    return error


def records_of(text: str) -> Iterator[Record]:
    """The lines below the first, which names the columns, but for those that are empty. Cells are
    parted by commas, semicolons or tabs. Raises InvalidRequest with `line` and `column`."""
    text = text.removeprefix("\ufeff")
    first = text[:_FIRST_LINE_MAX].split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        columns = _columns(next(reader, []))
        for count, cells in enumerate(reader, start=1):
            if count > UNITS_MAX:
                raise wrong_seat(reader.line_num, "seat", "too_many_lines", str(UNITS_MAX))
            if any(cell.strip() for cell in cells):
                yield _record(reader.line_num, columns, cells)
    except csv.Error as error:
        raise wrong_seat(reader.line_num, "seat", "no_csv", str(error)) from error


def _columns(cells: list[str]) -> list[str]:
    columns = [cell.strip().lower() for cell in cells]
    for column in columns:
        if column not in (*USUAL, *RARE) or columns.count(column) > 1:
            raise wrong_seat(1, column[:40], "unknown_column")
    for column in NEEDED:
        if column not in columns:
            raise wrong_seat(1, column, "needed_column")
    return columns


def _record(number: int, columns: list[str], cells: list[str]) -> Record:
    if len(cells) > len(columns):
        raise wrong_seat(number, columns[-1], "too_many_cells")
    values: dict[str, object] = {"number": number}
    for column, cell in zip(columns, cells, strict=False):
        value = cell.strip()
        if column in ("accessible", "gap"):
            value = _WORDS.get(value.lower(), value.lower())
        if value:
            values[column] = value
    try:
        record = msgspec.convert(values, Record, strict=False)
    except msgspec.ValidationError as error:
        place = _PLACE.search(str(error))
        problem = _PLACE.sub("", str(error))
        missing = _MISSING.search(problem)
        column = place.group(1) if place else missing.group(1) if missing else "seat"
        cell = str(values.get(column, ""))[:40]
        raise wrong_seat(number, column, "wrong_value", cell, problem=problem) from error
    _check_kind(record)
    return record


def _check_kind(record: Record) -> None:
    """What a line may say depends on whether it is a seat, a table or a pool."""
    number = record.number
    if (record.x is None) != (record.y is None):
        raise wrong_seat(number, "x" if record.x is None else "y", "half_place")
    if record.capacity is not None:
        for column in ("row", "table", "x", "accessible", "companion_of", "gap", "prefix"):
            if getattr(record, column):
                raise wrong_seat(number, column, "of_a_pool")
        if record.price is not None and record.category is None:
            raise wrong_seat(number, "category", "price_of_category")
        return
    if record.row is None:
        raise wrong_seat(number, "row", "seat_has_row")
    if len(record.seat) > _LABEL_LENGTH_MAX:
        raise wrong_seat(number, "seat", "long_label")
    if record.table and not (record.seat.isdecimal() and record.seat.isascii()):
        raise wrong_seat(number, "seat", "table_numbers")
    if record.table and (record.companion_of or record.gap):
        raise wrong_seat(number, "table", "table_has_none")
    if record.table == "whole" and record.accessible:
        raise wrong_seat(number, "accessible", "whole_table")
