"""Lists as CSV for spreadsheets: RFC 4180 in UTF-8 with the mark by which they know it. Text that a
spreadsheet would take for a formula, as a guest may call themselves, is shown as the text it is.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TypeAlias
from zoneinfo import ZoneInfo

from bespeak.formulas import begins_formula
from bespeak.http.server.answers import Answer
from bespeak.money import decimals_of

Cell: TypeAlias = str | int | datetime | None
CSV = "text/csv"
_MARK = "\ufeff"


def csv_answer(
    file_name: str, head: Sequence[str], rows: Iterable[Sequence[Cell]], *, next_: str | None = None
) -> Answer:
    """A CSV file to keep. `next_` is the cursor of what did not fit, told in a header."""
    text = io.StringIO(newline="")
    text.write(_MARK)
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([_shown(name) for name in head])
    writer.writerows([_shown(cell) for cell in row] for row in rows)
    headers = [
        (b"content-disposition", f'attachment; filename="{file_name}"'.encode("ascii")),
        (b"x-content-type-options", b"nosniff"),
        (b"cache-control", b"no-store"),
    ]
    if next_ is not None:
        headers.append((b"bespeak-next", next_.encode("ascii")))
    return Answer(
        200,
        text.getvalue().encode(),
        headers=headers,
        content_type=f"{CSV}; charset=utf-8; header=present".encode(),
    )


def decimal(amount: int, currency: str) -> str:
    """An amount of minor units as a decimal number: 1250 EUR is 12.50."""
    digits = decimals_of(currency)
    whole, rest = divmod(abs(amount), 10**digits)
    return f"{'-' * (amount < 0)}{whole}{f'.{rest:0{digits}}' if digits else ''}"


def local(moment: datetime | None, zone: str) -> str | None:
    """A time as it is said at a place, with its offset."""
    if moment is None:
        return None
    return moment.astimezone(ZoneInfo(zone)).isoformat(timespec="minutes")


def _shown(cell: Cell) -> str | int:
    if cell is None:
        return ""
    if isinstance(cell, datetime):
        return cell.isoformat(timespec="seconds")
    if isinstance(cell, str) and begins_formula(cell):
        return f"'{cell}"
    return cell
