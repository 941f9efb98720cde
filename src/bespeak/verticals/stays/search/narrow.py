"""Columns that are as long and as wide as what stands in them: a price of some hundred takes two
bytes a row until the first that needs four. Ten million rows of a machine's memory are why.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypeVar

from bespeak.inventory.arrays import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    _Item = TypeVar("_Item", bound=np.generic)
    Column: TypeAlias = NDArray[np.integer]
    """Whole numbers, a row each; none is below zero."""

_ROWS_MIN = 1024
# By how many bytes a value has.
_KINDS = {1: "u1", 2: "u2", 4: "u4", 8: "i8"}
_MOST = {1: (1 << 8) - 1, 2: (1 << 16) - 1, 4: (1 << 32) - 1, 8: (1 << 63) - 1}


def column() -> Column:
    """A column in which nothing stands."""
    return np.zeros(_ROWS_MIN, dtype=np.uint8)


def written(column: Column, row: int, value: int) -> Column:
    """The column with a value: another one where it was too short or too narrow for it."""
    longer: Column = column if row < len(column) else grown(column, row)
    if value > _MOST[longer.itemsize]:
        width = next(width for width, most in _MOST.items() if value <= most)
        longer = longer.astype(_KINDS[width])
    longer[row] = value
    return longer


def grown(array: NDArray[_Item], row: int) -> NDArray[_Item]:
    """The array with room for the row: twice as long where it has none."""
    if row < len(array):
        return array
    length = max(row + 1, 2 * len(array), _ROWS_MIN)
    more = np.zeros((length, *array.shape[1:]), dtype=array.dtype)
    more[: len(array)] = array
    return more
