"""The rows of an index in the order of their cells, as arrays in a file; and an index of such a
file. Nothing of it is done row by row in Python but the copying of frames.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from bespeak.inventory.arrays import np
from bespeak.verticals.stays.search.array_file import ArrayWriter, MappedArrays
from bespeak.verticals.stays.search.cells import CellColumns, Cells, EarthPoint, SortedCells
from bespeak.verticals.stays.search.columns import WORD, WORDS, ColumnArrays
from bespeak.verticals.stays.search.listing import FirstPicture, HouseOfListing
from bespeak.verticals.stays.search.listing_rows import RowsCut, SortedRows
from bespeak.verticals.stays.search.narrow import column
from bespeak.verticals.stays.search.records import ListingRecord
from bespeak.verticals.stays.search.sale_group import GroupRecord
from bespeak.verticals.stays.search.shared_codes import KeptCodes
from bespeak.verticals.stays.search.spoken import SAINTS
from bespeak.verticals.stays.words import AMENITIES, PROPERTY_KINDS

if TYPE_CHECKING:
    from bespeak.verticals.stays.search.array_file import Array
    from bespeak.verticals.stays.search.cells import Rows
    from bespeak.verticals.stays.search.columns import ListingColumns

_ALL = (1 << WORD) - 1
_PART_ROWS = 1 << 18
_FRAMES_ROWS = 1 << 12
RECORDS = "records"
"""The array of a file of which few parts are ever used."""
# So many more listings have room in the columns of who maps them, before these are copied.
_ROOM_SHARE, _ROOM_MIN = 16, 1024
_NAMES = (
    "numbers",
    "own_prices",
    "least_prices",
    "groups",
    "charges",
    "towns",
    "guests",
    "cots",
    "kinds",
    "rated",
    "ratings",
    "amenities",
)


class _Shared(msgspec.Struct, frozen=True, array_like=True):
    """What listings share, by its numbers."""

    groups: KeptCodes
    charges: KeptCodes
    towns: KeptCodes


_SHARED = msgspec.msgpack.Decoder(_Shared)


def shape() -> int:
    """A number that differs where what is kept, or how, does: the fields of records, the
    columns and the words that they have numbers for, how names are folded, the order of bytes."""
    records = (ListingRecord, HouseOfListing, GroupRecord)
    fields = [one.__struct_fields__ for one in records]
    said = (
        (*fields, FirstPicture._fields, EarthPoint._fields),
        (*_NAMES, WORDS),
        (AMENITIES, PROPERTY_KINDS),
        sorted(SAINTS),  # names are kept folded
        sys.byteorder,
    )
    return zlib.crc32(repr(said).encode())


def write_rows(writer: ArrayWriter, rows: RowsCut, first_night: int) -> None:
    """Writes the rows, their nights from this one on."""
    order, cells = Cells(rows.places).order(rows.rows)
    room = max(_ROOM_MIN, len(order) // _ROOM_SHARE)
    _write_frames(writer, rows, order)
    arrays = rows.columns.arrays
    for name in _NAMES:
        writer.put(name, _gathered(getattr(arrays, name), order), room)
    _write_nights(writer, rows, order, first_night - rows.first_night, room)
    writer.put("ball", _gathered(rows.places.ball, order), room)
    writer.put("degrees", _gathered(rows.places.degrees, order), room)
    writer.put("cells", [cells.codes])
    writer.put("cell_starts", [cells.starts])
    by_number = np.argsort(arrays.numbers[order], kind="stable")
    writer.put("order", [by_number.astype(np.uint32 if len(order) < 1 << 32 else np.int64)])
    shared = _Shared(rows.groups, rows.charges, rows.towns)
    writer.put_bytes("shared", [msgspec.msgpack.encode(shared)])


def _write_frames(writer: ArrayWriter, rows: RowsCut, order: Rows) -> None:
    lengths = np.zeros(len(order) + 1, dtype=np.int64)

    def parts() -> Iterator[bytes]:
        for first in range(0, len(order), _FRAMES_ROWS):
            some = list(rows.frames.all_of(order[first : first + _FRAMES_ROWS]))
            lengths[first + 1 : first + 1 + len(some)] = [len(frame) for frame in some]
            yield b"".join(some)

    writer.put_bytes(RECORDS, parts())
    starts = np.cumsum(lengths)
    writer.put("starts", [starts.astype(np.uint32) if starts[-1] < 1 << 32 else starts])


def _write_nights(writer: ArrayWriter, rows: RowsCut, order: Rows, over: int, room: int) -> None:
    """The nights without the first ones, which are over."""
    arrays = rows.columns.arrays
    far = {
        place: rows.far_bits(int(order[place])) >> over
        for place in arrays.far[order].nonzero()[0].tolist()
    }
    for place in range(WORDS):
        writer.put(f"nights{place}", _nights(rows.columns, order, place, over, far), room)
    flags = np.zeros(len(order), dtype=bool)
    flags[[one for one, bits in far.items() if bits >> WORD * WORDS]] = True
    writer.put("far", [flags], room)


def _nights(
    columns: ListingColumns, order: Rows, place: int, over: int, far: dict[int, int]
) -> Iterator[Array]:
    """A word of nights of each row, so many nights later than they are kept. What was further ahead
    than they reach may be in it now."""
    words, more = divmod(over, WORD)
    at = place + words
    for first in range(0, max(1, len(order)), _PART_ROWS):
        some = order[first : first + _PART_ROWS]
        found = columns.near_word(at, some) if at < WORDS else np.zeros(len(some), np.uint64)
        if more:
            found >>= np.uint64(more)
            if at + 1 < WORDS:
                found |= columns.near_word(at + 1, some) << np.uint64(WORD - more)
        for one in far.keys() & range(first, first + len(some)) if over and far else ():
            found[one - first] = far[one] >> WORD * place & _ALL
        yield found


def _gathered(array: Array, order: Rows) -> Iterator[Array]:
    for first in range(0, max(1, len(order)), _PART_ROWS):
        yield array[order[first : first + _PART_ROWS]]


def mapped_rows(mapped: MappedArrays) -> SortedRows:
    """What `write_rows` wrote."""
    arrays, places = ColumnArrays(), Cells().columns
    for name in (*_NAMES, "far"):
        setattr(arrays, name, mapped.array(name, getattr(arrays, name)))
    arrays.nights = [mapped.array(f"nights{at}", word) for at, word in enumerate(arrays.nights)]
    rows = np.zeros(0, dtype=np.int64)
    shared = _SHARED.decode(mapped.bytes("shared")[:])
    return SortedRows(
        arrays=arrays,
        places=CellColumns(
            mapped.array("ball", places.ball), mapped.array("degrees", places.degrees)
        ),
        cells=SortedCells(mapped.array("cells", rows), mapped.array("cell_starts", rows)),
        order=mapped.array("order", column()),
        records=mapped.bytes(RECORDS),
        starts=mapped.array("starts", column()),
        groups=shared.groups,
        charges=shared.charges,
        towns=shared.towns,
    )
