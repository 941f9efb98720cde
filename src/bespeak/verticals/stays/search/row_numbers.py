"""In which row a listing is, by its number: of those that a snapshot has by halving their rows in
the order of their numbers, so that nothing of them is kept in the memory of a process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bespeak.verticals.stays.search.columns import ColumnArrays
    from bespeak.verticals.stays.search.narrow import Column


class RowNumbers:
    """The rows by number. `order` has the rows of a snapshot in the order of their numbers, as they
    stand in the columns."""

    def __init__(self, arrays: ColumnArrays, order: Column) -> None:
        self._arrays, self._order = arrays, order
        self._rows: dict[int, int] = {}
        self._gone: set[int] = set()
        self._free: list[int] = []
        self._end = len(order)

    def __len__(self) -> int:
        return len(self._order) - len(self._gone) + len(self._rows)

    @property
    def end(self) -> int:
        """Behind the last row that was ever given."""
        return self._end

    @property
    def loose(self) -> int:
        """How many rows no snapshot has, and how many of its own are gone."""
        return len(self._rows) + len(self._gone)

    def get(self, number: int) -> int | None:
        """The row of a listing; None where it is not known."""
        row = self._rows.get(number)
        return self._sorted_row(number) if row is None else row

    def add(self, number: int) -> int:
        """A row for a listing that has none."""
        if self._free:
            row = self._free.pop()
        else:
            row, self._end = self._end, self._end + 1
        self._rows[number] = row
        return row

    def drop(self, number: int, row: int) -> None:
        """A listing is in its row no longer, which nobody gets before it is said to be free."""
        if self._rows.pop(number, None) is None:
            self._gone.add(row)

    def free(self, row: int) -> None:
        """Gives a row again, but for those of a snapshot: their cells are what they were."""
        if row >= len(self._order):
            self._free.append(row)

    def _sorted_row(self, number: int) -> int | None:
        numbers, order = self._arrays.numbers, self._order
        low, high = 0, len(order)
        while low < high:
            middle = (low + high) // 2
            if int(numbers[order[middle]]) < number:
                low = middle + 1
            else:
                high = middle
        if low == len(order):
            return None
        row = int(order[low])
        return row if int(numbers[row]) == number and row not in self._gone else None
