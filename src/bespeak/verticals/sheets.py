"""Spreadsheets as CSV, of the kinds that a vertical has; which it is, its first line says. Every
fault is told with its line and its column, so that it can be found in the sheet. Columns
such as `title:de` are translations.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

import msgspec

from bespeak.errors import BespeakError, InvalidRequest
from bespeak.formulas import unguarded
from bespeak.verticals.errors import CatalogueInvalid
from bespeak.verticals.imports import PROBLEMS_MAX
from bespeak.verticals.sheet_kinds import SheetKind
from bespeak.verticals.sheet_words import WordColumn, read_word_columns, says_language
from bespeak.verticals.vertical import ImportProblem

LINES_MAX = 50_000
PRICE = "price "
_FIRST_LINE_MAX = 10_000
_PLACE = re.compile(r" - at `\$\.(\w+)`$")
_MISSING = re.compile(r"required field `(\w+)`")
_PRICE = re.compile(r"(\d{1,12})(?:[.,](\d{1,4}))?", re.ASCII)


_Form = TypeVar("_Form", bound=msgspec.Struct)


class Numbered(NamedTuple):
    """A line of a sheet, its number in the file, what it asks by category, and what its texts are
    called, by the columns of languages that say something."""

    number: int
    line: msgspec.Struct
    prices: dict[str, str]
    words: dict[str, str]


@dataclass
class Sheet:
    """A sheet as it was read, with what is wrong with it."""

    kind: SheetKind
    columns: tuple[str, ...]
    words: tuple[WordColumn, ...] = ()
    lines: list[Numbered] = field(default_factory=list)
    problems: list[ImportProblem] = field(default_factory=list)

    def of(self, form: type[_Form]) -> Iterator[tuple[Numbered, _Form]]:
        for numbered in self.lines:
            if isinstance(numbered.line, form):
                yield numbered, numbered.line

    def fault(self, number: int, error: BespeakError) -> None:
        """Notes what is wrong with a line, and with which column of it as the error's field."""
        column = error.data.get("field")
        where = place_of(number, column if isinstance(column, str) else None)
        self.problems.append(ImportProblem(where, error.code, error.detail))

    def problems_by_line(self) -> list[ImportProblem]:
        return sorted(self.problems, key=lambda one: int(one.where.split()[1].strip(",")))

    @property
    def is_hopeless(self) -> bool:
        """Whether there is more wrong than anyone would read."""
        return len(self.problems) >= PROBLEMS_MAX


def place_of(number: int, column: str | None) -> str:
    return f"line {number}{f', column {column}' if column else ''}"


def read_sheet_of(
    kinds: Sequence[SheetKind], text: str, told: str, lines_max: int = LINES_MAX
) -> Sheet:
    """A sheet of one of these kinds; `told` says by what one knows which it is. Cells are parted by
    commas, semicolons or tabs. Raises CatalogueInvalid for what is no sheet at all; what is wrong
    with single lines is told in it."""
    text = text.removeprefix("\ufeff")
    first = text[:_FIRST_LINE_MAX].split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        typed = [cell.strip() for cell in next(reader, [])]
        columns = [cell.lower() for cell in typed]
        kind = _kind_of(kinds, columns, told)
        _check_columns(columns, kind)
        words = read_word_columns(kind, [cell for cell in typed if _is_words(cell)])
        sheet = Sheet(kind, tuple(columns), words)
        for count, cells in enumerate(reader, start=1):
            if count > lines_max:
                raise CatalogueInvalid(f"there are more than {lines_max:,} lines", where="line 1")
            if any(cell.strip() for cell in cells) and not sheet.is_hopeless:
                _take(sheet, reader.line_num, columns, cells)
    except csv.Error as error:
        where = place_of(reader.line_num, None)
        raise CatalogueInvalid(f"{where}: this is not CSV: {error}", where=where) from error
    return sheet


def _kind_of(kinds: Sequence[SheetKind], columns: list[str], told: str) -> SheetKind:
    for kind in kinds:
        if any(column in columns for column in kind.told_by):
            return kind
    raise CatalogueInvalid(told, where="line 1")


def _check_columns(columns: list[str], kind: SheetKind) -> None:
    known = kind.line.__struct_fields__
    for column in columns:
        is_price = kind.priced and column.startswith(PRICE) and column != PRICE.strip()
        if column not in known and not is_price and not _is_words(column):
            raise CatalogueInvalid(
                f"line 1: a sheet of {kind.name} has no column {column[:40]!r}",
                where=place_of(1, column[:40]),
            )
        if columns.count(column) > 1:
            raise CatalogueInvalid(
                f"line 1: the column {column[:40]!r} comes twice", where=place_of(1, column[:40])
            )


def _is_words(column: str) -> bool:
    """Whether a column has translations; the name of a category may have a colon too."""
    return says_language(column) and not column.lower().startswith(PRICE)


def _take(sheet: Sheet, number: int, columns: list[str], cells: list[str]) -> None:
    """Reads one line into the sheet, or notes what is wrong with it."""
    if len(cells) > len(columns):
        sheet.fault(number, InvalidRequest("there are more cells than columns"))
        return
    values = {
        column: unguarded(cell.strip()).replace("\r\n", "\n")
        for column, cell in zip(columns, cells, strict=False)
        if cell.strip()
    }
    prices = {
        name.removeprefix(PRICE).strip(): values.pop(name)
        for name in list(values)
        if name.startswith(PRICE)
    }
    words = {name: values.pop(name) for name in list(values) if says_language(name)}
    try:
        if any("\x00" in value for value in values.values()):
            raise InvalidRequest("there is a zero byte")
        line = msgspec.convert(values, sheet.kind.line, strict=False)
    except msgspec.ValidationError as error:
        place = _PLACE.search(str(error))
        problem = _PLACE.sub("", str(error))
        missing = _MISSING.search(problem)
        column = place.group(1) if place else missing.group(1) if missing else None
        sheet.fault(number, InvalidRequest(problem, field=column))
    except BespeakError as error:
        sheet.fault(number, error)
    else:
        sheet.lines.append(Numbered(number, line, prices, words))


def amount_of(text: str, digits: int, column: str) -> int:
    """A price as people write it, `12.50` or `12,50`, in minor units of a currency with so many
    digits. Raises InvalidRequest with the column as its field."""
    found = _PRICE.fullmatch(text.replace(" ", ""))
    if found is None or len(found[2] or "") > digits:
        raise InvalidRequest(
            f"{text[:40]!r} is no price with at most {digits} decimals", field=column
        )
    return int(found[1] + (found[2] or "").ljust(digits, "0"))


def listed(cell: str) -> tuple[str, ...]:
    """The parts of a cell with several: by semicolons, or by commas where there are none."""
    parts = cell.split(";" if ";" in cell else ",")
    return tuple(part.strip() for part in parts if part.strip())
