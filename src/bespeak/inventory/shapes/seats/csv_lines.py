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
from bespeak.inventory.shapes.seats.compiled import UNITS_MAX
from bespeak.inventory.shapes.seats.seatmap import Coordinate, Name, Prefix, RowName

NEEDED = ("section", "row", "seat")
USUAL = (*NEEDED, "category", "x", "y", "accessible", "companion_of", "price")
RARE = ("prefix", "gap", "table", "capacity")

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
    price: Annotated[int, Meta(ge=0, le=1_000_000_000_000)] | None = None
    prefix: Prefix | None = None
    gap: bool = False
    table: Literal["shared", "whole"] | None = None
    capacity: Annotated[int, Meta(ge=0, le=1_000_000_000)] | None = None

    @property
    def unit(self) -> str:
        """The unit, without the prefix."""
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
                raise wrong(reader.line_num, "seat", f"there are more than {UNITS_MAX} lines")
            if any(cell.strip() for cell in cells):
                yield _record(reader.line_num, columns, cells)
    except csv.Error as error:
        raise wrong(reader.line_num, "seat", f"this is not CSV: {error}") from error


def _columns(cells: list[str]) -> list[str]:
    columns = [cell.strip().lower() for cell in cells]
    for column in columns:
        if column not in (*USUAL, *RARE) or columns.count(column) > 1:
            raise wrong(1, column[:40], "there is no such column, or it comes twice")
    for column in NEEDED:
        if column not in columns:
            raise wrong(1, column, "this column is needed")
    return columns


def _record(number: int, columns: list[str], cells: list[str]) -> Record:
    if len(cells) > len(columns):
        raise wrong(number, columns[-1], "there are more cells than columns")
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
        raise wrong(number, column, problem) from error
    _check_kind(record)
    return record


def _check_kind(record: Record) -> None:
    """What a line may say depends on whether it is a seat, a table or a pool."""
    number = record.number
    if (record.x is None) != (record.y is None):
        raise wrong(number, "x" if record.x is None else "y", "x and y come together")
    if record.capacity is not None:
        for column in ("row", "table", "x", "accessible", "companion_of", "gap", "prefix"):
            if getattr(record, column):
                raise wrong(number, column, "a line with a capacity is a pool")
        if record.price is not None and record.category is None:
            raise wrong(number, "category", "the price is of a category")
        return
    if record.row is None:
        raise wrong(number, "row", "a seat has a row")
    if len(record.seat) > _LABEL_LENGTH_MAX:
        raise wrong(number, "seat", f"a label has at most {_LABEL_LENGTH_MAX} characters")
    if record.table and not (record.seat.isdecimal() and record.seat.isascii()):
        raise wrong(number, "seat", "the seats of a table are numbers")
    if record.table and (record.companion_of or record.gap):
        raise wrong(number, "table", "a table has neither companions nor gaps")
    if record.table == "whole" and record.accessible:
        raise wrong(number, "accessible", "a whole table has no single seats")
