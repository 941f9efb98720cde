"""Nights that differ from what a mapped snapshot says of them, beside its columns. To write into
these would make a page of memory a process's own for each night that is taken; here it is sixteen
bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bespeak.inventory.arrays import np
from bespeak.verticals.stays.search.narrow import grown

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bespeak.inventory.arrays import Counts
    from bespeak.verticals.stays.search.cells import Rows

    Words = NDArray[np.uint64]

# So many are kept as they come, before they are put in order with the others.
_RECENT_MAX = 8192
_PLACES = 8


class NightChanges:
    """Words of nights of the rows that a snapshot has, which are of places 0 to 7."""

    def __init__(self, rows: int) -> None:
        # Which words of a row stand here, as bits. Memory is used for what is written of it.
        self._here: NDArray[np.uint8] = np.zeros(rows, dtype=np.uint8)
        self._recent: dict[int, int] = {}
        self._keys: Counts = np.zeros(0, dtype=np.int64)
        self._words: Words = np.zeros(0, dtype=np.uint64)

    def __len__(self) -> int:
        """How many words are kept, those twice that are among the recent ones again."""
        return len(self._recent) + len(self._keys)

    def copied(self) -> NightChanges:
        """The same, which nobody changes."""
        found = NightChanges(0)
        found._here, found._recent = self._here.copy(), self._recent.copy()
        found._keys, found._words = self._keys.copy(), self._words.copy()
        return found

    def has_room(self, row: int) -> None:
        """That a row may be asked for."""
        self._here = grown(self._here, row)

    def put(self, row: int, place: int, word: int) -> None:
        """The word of a row is this from now on."""
        self._here[row] |= 1 << place
        self._recent[row * _PLACES + place] = word
        if len(self._recent) > _RECENT_MAX:
            self._put_in_order()

    def get(self, row: int, place: int) -> int | None:
        """The word of a row; None: it is as the column has it."""
        if not self._here[row] >> place & 1:
            return None
        key = row * _PLACES + place
        recent = self._recent.get(key)
        return int(self._words[self._keys.searchsorted(key)]) if recent is None else recent

    def lay_over(self, words: Words, rows: Rows, place: int) -> None:
        """Writes over words of these rows, as the column has them, what differs."""
        if not len(self):
            return
        hits = (self._here[rows] & np.uint8(1 << place)).nonzero()[0]
        if not len(hits):
            return
        keys = rows[hits].astype(np.int64) * _PLACES + place
        if len(self._keys):
            at = self._keys.searchsorted(keys)
            at[at == len(self._keys)] = 0
            known = self._keys[at] == keys
            words[hits[known]] = self._words[at[known]]
        if self._recent:
            for hit, key in zip(hits.tolist(), keys.tolist(), strict=True):
                recent = self._recent.get(key)
                if recent is not None:
                    words[hit] = recent

    def _put_in_order(self) -> None:
        count = len(self._recent)
        keys = np.fromiter(self._recent, np.int64, count)
        words = np.fromiter(self._recent.values(), np.uint64, count)
        order = keys.argsort()
        keys, words = keys[order], words[order]
        at = self._keys.searchsorted(keys)
        known = np.zeros(count, dtype=bool)
        inside = at < len(self._keys)
        known[inside] = self._keys[at[inside]] == keys[inside]
        self._words[at[known]] = words[known]
        self._words = np.insert(self._words, at[~known], words[~known])
        self._keys = np.insert(self._keys, at[~known], keys[~known])
        self._recent.clear()
