"""Which rows are in cells: ranges of those that are sorted by them, and arrays of the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bespeak.inventory.arrays import np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Rows: TypeAlias = NDArray[np.int64]


class TouchedCells(NamedTuple):
    """Cells from south to north and from west to east, perhaps over the date line."""

    rows: range
    columns: range


def rows_in(parts: Sequence[range | Rows]) -> int:
    """How many rows."""
    return sum(len(part) for part in parts)


def joined_rows(parts: Sequence[range | Rows]) -> Rows:
    """All rows as one array."""
    arrays = [
        np.arange(part.start, part.stop) if isinstance(part, range) else part for part in parts
    ]
    return np.concatenate(arrays) if arrays else np.zeros(0, dtype=np.int64)


def sorted_ranges(cells: tuple[Rows, Rows], touched: TouchedCells, around: int) -> list[range]:
    """The sorted rows in these cells, of which so many are around the earth: of each row of cells
    they are behind each other. `cells` are those that have any, and where each begins."""
    codes, starts = cells
    rows, columns = touched
    parts = [(columns.start % around, columns.start % around + len(columns))]
    if parts[0][1] > around:
        parts = [(parts[0][0], around), (0, min(parts[0][0], parts[0][1] - around))]
    lines = np.arange(rows.start, rows.stop, dtype=np.int64) * around
    found: list[range] = []
    for west, east in parts:
        places = np.searchsorted(codes, np.concatenate([lines + west, lines + east]))
        first, end = starts[places].reshape(2, -1).tolist()
        found += [range(*one) for one in zip(first, end, strict=True) if one[0] < one[1]]
    return found
