"""The towns of the rows of an index, counted when somebody asks, and again once a listing has
changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bespeak.inventory.arrays import np
from bespeak.verticals.stays.search.towns import CodedTown, Town, TownBook, counted_towns

if TYPE_CHECKING:
    from bespeak.verticals.stays.search.cells import Rows
    from bespeak.verticals.stays.search.listing_rows import ListingRows


class TownsOfRows:
    """The towns that have listings."""

    def __init__(self, rows: ListingRows) -> None:
        self._rows = rows
        self._counted: dict[bool, list[CodedTown]] = {}
        self._books: dict[tuple[str, bool], TownBook] = {}

    def forget(self) -> None:
        """A listing is another one, or gone."""
        self._counted.clear()
        self._books.clear()

    def called(self, workspace: str, text: str, *, published_only: bool, limit: int) -> list[Town]:
        """Towns that are called like the text, or nearly so where none is, at most so many."""
        book = self._book(workspace, published_only=published_only)
        chosen = book.chosen(text, limit) or book.nearly(text, limit)
        if not chosen:
            return []
        rows = self._shown(published_only=published_only)
        towns, cells = self._rows.columns.arrays.towns[rows], self._rows.cells
        return [
            one.town._replace(middle=cells.middle_of(rows[np.isin(towns, one.codes)]))
            for one in chosen
        ]

    def _book(self, workspace: str, *, published_only: bool) -> TownBook:
        if published_only not in self._counted:
            self._counted[published_only] = self._count(published_only=published_only)
        book = self._books.get((workspace, published_only))
        if book is None:
            towns = self._counted[published_only]
            book = TownBook([one for one in towns if one.town.key.workspace == workspace])
            self._books[workspace, published_only] = book
        return book

    def _count(self, *, published_only: bool) -> list[CodedTown]:
        rows, keys = self._shown(published_only=published_only), self._rows.towns.keys
        counts = np.bincount(self._rows.columns.arrays.towns[rows], minlength=len(keys))
        return counted_towns(keys, counts.tolist())

    def _shown(self, *, published_only: bool) -> Rows:
        rows = self._rows.live()
        if not published_only:
            return rows
        return rows[self._rows.groups.published()[self._rows.columns.arrays.groups[rows]]]
