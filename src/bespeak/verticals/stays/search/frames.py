"""Listings as bytes, by their rows: those that a snapshot has lie one behind the other in its file,
what changed since is kept beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bespeak.inventory.arrays import np
from bespeak.verticals.stays.search.records import called_of, parts_of, with_marks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bespeak.verticals.stays.search.array_file import Bytes
    from bespeak.verticals.stays.search.cells import Rows
    from bespeak.verticals.stays.search.narrow import Column


class Frames:
    """Frames as `frame_of` makes them, of rows from 0 on. `starts` says where in `records` each of
    the first rows begins, and where the last of them ends."""

    def __init__(self, records: Bytes, starts: Column) -> None:
        self._records, self._starts = records, starts
        self._sorted = len(starts) - 1
        self._own: dict[int, bytes] = {}
        self._marks: dict[int, bytes] = {}

    @property
    def changed(self) -> int:
        """Of how many rows something is kept here."""
        return len(self._own) + len(self._marks)

    def cut(self) -> Frames:
        """The frames as they are now, of rows that are neither put nor dropped meanwhile."""
        found = Frames(self._records, self._starts)
        found._own, found._marks = self._own, self._marks.copy()
        return found

    def put(self, row: int, frame: bytes) -> None:
        self._own[row] = frame
        self._marks.pop(row, None)

    def drop(self, row: int) -> None:
        self._own.pop(row, None)
        self._marks.pop(row, None)

    def mark(self, row: int, marks: bytes) -> None:
        """The row has these marks from now on."""
        if marks or parts_of(self.frame(row)).marks:
            self._marks[row] = marks
        else:
            self._marks.pop(row, None)

    def frame(self, row: int) -> bytes | memoryview:
        """The frame of a row; its marks may be old."""
        own = self._own.get(row)
        if own is not None:
            return own
        if not 0 <= row < self._sorted:
            raise LookupError(row)
        return self._records[int(self._starts[row]) : int(self._starts[row + 1])]

    def marks(self, row: int) -> bytes | memoryview:
        """The marks of a row."""
        own = self._marks.get(row)
        return parts_of(self.frame(row)).marks if own is None else own

    def called(self, rows: Rows) -> Iterator[bytes]:
        """What the listings of some rows are called."""
        own, records, count = self._own, self._records, self._sorted
        begin = self._starts[np.minimum(rows, count)].tolist()
        end = self._starts[np.minimum(rows + 1, count)].tolist()
        for row, first, last in zip(rows.tolist(), begin, end, strict=True):
            frame = own.get(row)
            if frame is None and row >= count:
                raise LookupError(row)
            yield called_of(records[first:last] if frame is None else frame)

    def all_of(self, rows: Rows) -> Iterator[bytes | memoryview]:
        """The frames of some rows, one behind the other, with their marks as they are now."""
        for row in rows.tolist():
            marks = self._marks.get(row)
            frame = self.frame(row)
            yield frame if marks is None else with_marks(frame, marks)
