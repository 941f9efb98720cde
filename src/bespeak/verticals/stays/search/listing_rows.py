"""The listings of a process in rows: what a search looks through as columns, all else as bytes that
become a listing when it is shown or judged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bespeak.inventory.arrays import np
from bespeak.verticals.stays.search import night_marks
from bespeak.verticals.stays.search.cells import Cells
from bespeak.verticals.stays.search.columns import ColumnArrays, ListingColumns, RowCodes
from bespeak.verticals.stays.search.frames import Frames
from bespeak.verticals.stays.search.listing import (
    FIRST_NIGHT,
    IndexedListing,
    blocked,
    free_rooms,
    night_of,
)
from bespeak.verticals.stays.search.misspelt import named_nearly, slips_of
from bespeak.verticals.stays.search.night_marks import NightMarks
from bespeak.verticals.stays.search.records import (
    frame_of,
    house_of,
    listing_of_frame,
    record_of,
)
from bespeak.verticals.stays.search.row_numbers import RowNumbers
from bespeak.verticals.stays.search.sale_group import SaleGroup, group_key
from bespeak.verticals.stays.search.sale_groups import SaleGroups
from bespeak.verticals.stays.search.shared_codes import KeptCodes, SharedCodes
from bespeak.verticals.stays.search.stay_totals import ListingCharges
from bespeak.verticals.stays.search.towns import town_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bespeak.inventory.arrays import Flags
    from bespeak.verticals.stays.search.array_file import Bytes
    from bespeak.verticals.stays.search.cells import CellColumns, Rows, SortedCells
    from bespeak.verticals.stays.search.narrow import Column
    from bespeak.verticals.stays.search.wanted import Wanted

_SHOWN_MAX = 8192


class SortedRows(NamedTuple):
    """Rows in the order of their cells, as a snapshot has them: the columns, the frames, and what
    is shared."""

    arrays: ColumnArrays
    places: CellColumns
    cells: SortedCells
    order: Column
    records: Bytes
    starts: Column
    groups: KeptCodes
    charges: KeptCodes
    towns: KeptCodes


class RowsCut(NamedTuple):
    """The rows as they were at one time: those in which a listing was, the first night, and all
    that they had."""

    first_night: int
    rows: Rows
    columns: ListingColumns
    places: CellColumns
    frames: Frames
    groups: KeptCodes
    charges: KeptCodes
    towns: KeptCodes

    def far_bits(self, row: int) -> int:
        """The nights in which no room of a row is free, of which some are further ahead than the
        columns reach; a bit a night from the first on."""
        key = self.groups.keys[int(self.columns.arrays.groups[row])]
        if key is None:
            raise LookupError(row)
        marks = night_marks.decoded(self.frames.marks(row))
        bits = blocked(SaleGroup(key).plan, marks.taken, marks.full)
        return bits >> self.first_night - FIRST_NIGHT


class ListingRows:
    """All listings, by rows."""

    def __init__(self, first_night: int, kept: SortedRows | None = None) -> None:
        self.first_night = first_night
        arrays = ColumnArrays() if kept is None else kept.arrays
        sorted_rows = 0 if kept is None else len(kept.order)
        self.columns = ListingColumns(first_night, self.bits_of, arrays, sorted_rows)
        if kept is None:
            self.cells, self.groups, self.charges = Cells(), SaleGroups(), ListingCharges()
            self.towns = SharedCodes()
            self.frames = Frames(memoryview(b""), np.zeros(1, dtype=np.int64))
            self.numbers = RowNumbers(arrays, np.zeros(0, dtype=np.uint32))
        else:
            self.cells = Cells(kept.places, kept.cells)
            self.groups, self.charges = SaleGroups(kept.groups), ListingCharges(kept.charges)
            self.towns = SharedCodes(kept.towns)
            self.frames = Frames(kept.records, kept.starts)
            self.numbers = RowNumbers(arrays, kept.order)
        self.marked = 0
        """How often something was noted since: each time it may be another page of memory."""
        self._shown: dict[int, IndexedListing] = {}
        self._cuts = 0
        self._given_up: list[tuple[int, RowCodes]] = []

    @property
    def loose(self) -> int:
        """Of how many rows a process has something of its own."""
        return self.numbers.loose + self.frames.changed

    def live(self) -> Rows:
        """The rows in which a listing is."""
        rows: Rows = self.columns.arrays.groups[: self.numbers.end].nonzero()[0]
        return rows

    def put(self, listing: IndexedListing) -> None:
        """Adds a listing, or takes it anew."""
        self.drop(listing.number)
        row = self.numbers.add(listing.number)
        self.cells.add(row, listing.house.point)
        town = town_key(listing)
        codes = RowCodes(
            self.groups.join(group_key(listing)),
            self.charges.join(listing.charges),
            self.towns.join(town)[0] if town else 0,
        )
        self.columns.put(row, listing, codes)
        self.frames.put(row, frame_of(record_of(listing), self._marks_of(row, listing)))

    def drop(self, number: int) -> None:
        """Forgets a listing, if it is known."""
        row = self.numbers.get(number)
        if row is None:
            return
        codes = self.columns.codes(row)
        self.cells.remove(row, self.cells.point(row))
        self.columns.forget(row)
        self.numbers.drop(number, row)
        self._shown.pop(row, None)
        if self._cuts:
            self._given_up.append((row, codes))
        else:
            self._let_go(row, codes)

    def _let_go(self, row: int, codes: RowCodes) -> None:
        """Gives a row to others, and what only its listing had."""
        self.groups.leave(codes.group)
        self.charges.leave(codes.charges)
        if codes.town:
            self.towns.leave(codes.town)
        self.frames.drop(row)
        self.numbers.free(row)

    def cut(self) -> RowsCut:
        """All that is there now, for another thread to read while this one goes on. Until `resume`
        nothing that it has is given to others."""
        cut = RowsCut(
            first_night=self.first_night,
            rows=self.live(),
            columns=self.columns.cut(),
            places=self.cells.columns,
            frames=self.frames.cut(),
            groups=self.groups.codes.kept(),
            charges=self.charges.codes.kept(),
            towns=self.towns.kept(),
        )
        self._cuts += 1  # only once there is one, which somebody is to resume
        return cut

    @property
    def is_cut(self) -> bool:
        """Whether some thread may read what was there."""
        return self._cuts > 0

    def resume(self) -> None:
        """What a cut has is read no longer."""
        self._cuts -= 1
        if not self._cuts:
            for row, codes in self._given_up:
                self._let_go(row, codes)
            self._given_up.clear()

    def mark(self, number: int, unit: str, *, is_taken: bool, drawn: int) -> None:
        """Notes how a unit of a listing stands, if it is known."""
        row = self.numbers.get(number)
        if row is None:
            return
        self.marked += 1
        if self._mark_only_room(row, unit, is_taken=is_taken):
            return
        listing = self.listing(row)
        listing.mark(unit, is_taken=is_taken, drawn=drawn)
        self.columns.put_nights(row, listing)
        self.frames.mark(row, self._marks_of(row, listing))

    def _mark_only_room(self, row: int, unit: str, *, is_taken: bool) -> bool:
        """Notes how a night of the only room stands, where the columns say all of it: of most
        listings they do. Whether that was done."""
        room, _, text = unit.rpartition("@")
        if room != self._group(row).one_room or self.columns.arrays.far[row]:
            return False
        day = night_of(text)
        if day is None:
            return True
        over = self.first_night - FIRST_NIGHT
        return day < over or self.columns.mark(row, day - over, is_taken=is_taken)

    def listing(self, row: int) -> IndexedListing:
        """The listing of a row, with its nights. Raises LookupError."""
        group = self._group(row)
        return listing_of_frame(self.frames.frame(row), group, self._marks(row, group))

    def shown(self, row: int) -> IndexedListing:
        """The listing of a row without its nights: none of them is said to be taken. Nobody changes
        it. Raises LookupError."""
        found = self._shown.get(row)
        if found is None:
            if len(self._shown) >= _SHOWN_MAX:
                self._shown.clear()
            found = listing_of_frame(self.frames.frame(row), self._group(row))
            self._shown[row] = found
        return found

    def house(self, row: int) -> str:
        """The property of a row's listing. Raises LookupError."""
        return house_of(self.frames.frame(row))

    def all(self) -> Iterator[IndexedListing]:
        """All listings, in no order; nothing may change meanwhile."""
        return (self.listing(row) for row in self.live().tolist())

    def called_so(self, rows: Rows, wanted: Wanted) -> Flags:
        """Which of some rows are called as it is wanted. Where none is that is on sale, those that
        are but for slips of the keys: what is spelt right is not hidden behind what is not."""
        called = self._are_called(rows, wanted.words)
        if not any(slips_of(word.strip()) for word in wanted.words):
            return called
        sold = self.groups.shared(self.columns.groups(rows), wanted)
        if not (called & sold).any():
            names = self.frames.called(rows[sold])
            called[sold] = np.array(named_nearly(names, wanted.words), dtype=bool)
        return called

    def _are_called(self, rows: Rows, words: Sequence[str]) -> Flags:
        """Of which rows all words begin a word of their names, or of their houses' and towns'."""
        first, *others = (word.encode() for word in words)
        names = self.frames.called(rows)
        found = [first in name and all(word in name for word in others) for name in names]
        return np.array(found, dtype=bool)

    def rooms_of_found(self, row: int, arrival: int, nights: int) -> int:
        """How many rooms are free through all of a stay that was found to be free."""
        return 1 if self._group(row).one_room is not None else self.free_rooms(row, arrival, nights)

    def free_rooms(self, row: int, arrival: int, nights: int) -> int:
        """How many rooms are free through all of a stay, and the cleaning after it."""
        group = self._group(row)
        marks = self._marks(row, group)
        return free_rooms(group.plan, marks.taken, marks.drawn, range(arrival, arrival + nights))

    def _group(self, row: int) -> SaleGroup:
        return self.groups[int(self.columns.arrays.groups[row])]

    def _marks(self, row: int, group: SaleGroup) -> NightMarks:
        marks = night_marks.decoded(self.frames.marks(row))
        if group.one_room is None:
            return marks
        taken = marks.taken.get(group.one_room, 0)
        if not self.columns.arrays.far[row]:
            taken = self.columns.near_bits(row) << self.first_night - FIRST_NIGHT
        return marks._replace(taken={group.one_room: taken} if taken else {})

    def _marks_of(self, row: int, listing: IndexedListing) -> bytes:
        """What of a listing the columns do not say."""
        rooms = listing.plan.rooms
        if rooms is not None and len(rooms) == 1 and not self.columns.arrays.far[row]:
            return b""
        return night_marks.encoded(listing, self.first_night)

    def bits_of(self, row: int) -> int:
        """The nights in which no room of a row is free, a bit a night from the first on."""
        group = self._group(row)
        marks = self._marks(row, group)
        return blocked(group.plan, marks.taken, marks.full) >> self.first_night - FIRST_NIGHT
