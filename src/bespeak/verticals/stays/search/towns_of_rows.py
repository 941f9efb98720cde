"""The towns of the rows of an index, counted when somebody asks, and again once a listing has
changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bespeak.inventory.arrays import np
from bespeak.verticals.stays.search.town_count import TownCount
from bespeak.verticals.stays.search.towns import CodedTown, Town, TownBook

if TYPE_CHECKING:
    from bespeak.verticals.stays.search.cells import Rows
    from bespeak.verticals.stays.search.listing_rows import ListingRows


class TownsWhose(NamedTuple):
    """Which listings count: those of a workspace, all or the published ones."""

    workspace: str
    published_only: bool


class TownsAsked(NamedTuple):
    """Which towns are looked for, and how many at most."""

    whose: TownsWhose
    text: str
    limit: int


class TownsOfRows:
    """The towns that have listings."""

    def __init__(self, rows: ListingRows) -> None:
        self._rows = rows
        # Of all listings and of the published ones, and which of them are as the rows are.
        self._counts = {False: TownCount(), True: TownCount()}
        self._counted: set[bool] = set()
        # Each with the version of the count that it was made of.
        self._books: dict[TownsWhose, tuple[int, TownBook]] = {}

    def forget(self) -> None:
        """A listing is another one, or gone."""
        self._counted.clear()

    def called(self, asked: TownsAsked) -> list[Town]:
        """Towns that are called like the text."""
        chosen = self._book(asked.whose).chosen(asked.text, asked.limit)
        return [self.placed(one, asked.whose) for one in chosen]

    def nearly_called(self, asked: TownsAsked) -> list[Town]:
        """Towns that are called so but for slips of the keys."""
        chosen = self._book(asked.whose).nearly(asked.text, asked.limit)
        return [self.placed(one, asked.whose) for one in chosen]

    def there(self, rows: Rows, whose: TownsWhose) -> list[CodedTown]:
        """The towns in which listings of these rows are."""
        codes = np.unique(self._rows.columns.arrays.towns[rows]).tolist()
        return self._book(whose).of_codes(codes)

    def placed(self, one: CodedTown, whose: TownsWhose) -> Town:
        """The town with its middle."""
        rows = self._shown(published_only=whose.published_only)
        there = rows[np.isin(self._rows.columns.arrays.towns[rows], one.codes)]
        return one.town._replace(middle=self._rows.cells.middle_of(there))

    def _book(self, whose: TownsWhose) -> TownBook:
        count = self._count(published_only=whose.published_only)
        version, book = self._books.get(whose, (-1, None))
        if book is None or version != count.version:
            towns = [one for one in count.towns if one.town.key.workspace == whose.workspace]
            book = TownBook(towns, book)
            self._books[whose] = count.version, book
        return book

    def _count(self, *, published_only: bool) -> TownCount:
        count = self._counts[published_only]
        if published_only not in self._counted:
            rows, keys = self._shown(published_only=published_only), self._rows.towns.keys
            towns = self._rows.columns.arrays.towns[rows]
            count.update(keys, np.bincount(towns, minlength=len(keys)))
            self._counted.add(published_only)
        return count

    def _shown(self, *, published_only: bool) -> Rows:
        rows = self._rows.live()
        if not published_only:
            return rows
        return rows[self._rows.groups.published()[self._rows.columns.arrays.groups[rows]]]
