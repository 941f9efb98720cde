"""Arrays in a file that many processes map: they share its pages, and what one of them writes to an
array is its own. A file that is not as it was written is found out before anything of it is used.

A page says where the table of the arrays is; then come the arrays, each from a page of its own
on, with room behind it that takes no place on the disk; then the table, with checksums of all
before it, a block each. Bytes of which few are ever used, and which are a great many, are looked
through when they are: each block of them before anything in it is.
"""

from __future__ import annotations

import mmap
import os
import struct
import weakref
import zlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, BinaryIO, Protocol, TypeVar

import msgspec

from bespeak.inventory.arrays import np

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[np.generic]
    _Item = TypeVar("_Item", bound=np.generic)

_MAGIC = b"bespeak arrays 2"
_FRONT = struct.Struct("<16sQQII")  # magic, table's place and length, its checksum, and this one's
_PAGE = 4096
_BLOCK = 64 << 10
_READ_BLOCKS = 64
_SUM = 4
# So many bytes are looked through at once in no time.
_LATE_MIN = 64 << 20
_TABLE_MAX = 1 << 30


class UnusableFile(Exception):
    """It is no file that can be used, or no more of it, and why."""


class _Section(msgspec.Struct, frozen=True, array_like=True):
    name: str
    kind: str
    rows: int
    width: int
    place: int

    @property
    def size(self) -> int:
        """How many bytes it has, with the room behind it."""
        return self.rows * (self.width or 1) * np.dtype(self.kind).itemsize


class _Table(msgspec.Struct, frozen=True, array_like=True):
    head: bytes
    sections: tuple[_Section, ...]
    checksums: bytes


_TABLE = msgspec.msgpack.Decoder(_Table)


class ArrayWriter:
    """Writes arrays one after the other, and `finish` what makes them a file."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._sections: list[_Section] = []
        self._end = _PAGE

    def put(self, name: str, parts: Iterable[Array], room: int = 0) -> None:
        """An array in parts, of which there is one at least, with zeros for so many rows more."""
        self._file.seek(self._end)
        rows, last = 0, None
        for part in parts:
            self._file.write(np.ascontiguousarray(part).data)
            rows, last = rows + len(part), part
        if last is None:
            raise ValueError(name)
        width = last.shape[1] if last.ndim > 1 else 0
        self._added(name, last.dtype.str, rows + room, width, last.dtype.itemsize)

    def put_bytes(self, name: str, parts: Iterable[bytes | memoryview]) -> None:
        """Bytes in parts."""
        self._file.seek(self._end)
        length = sum(self._file.write(part) for part in parts)
        self._added(name, "|u1", length, 0, 1)

    def _added(self, name: str, kind: str, rows: int, width: int, size: int) -> None:
        self._sections.append(_Section(name, kind, rows, width, self._end))
        end = self._end + rows * (width or 1) * size
        self._end = -(-end // _PAGE) * _PAGE

    def finish(self, head: bytes) -> None:
        """Writes the table, with some bytes that say what the arrays are, and the first page."""
        self._file.flush()
        descriptor = self._file.fileno()
        os.ftruncate(descriptor, self._end)
        checksums = _checksums(descriptor, _blocks(_PAGE, self._end), self._end)
        table = msgspec.msgpack.encode(_Table(head, tuple(self._sections), checksums))
        self._file.seek(self._end)
        self._file.write(table)
        self._file.seek(0)
        self._file.write(_front(self._end, table))
        self._file.flush()


class MappedArrays:
    """The arrays of a file, by their names, and what its head says."""

    def __init__(self, descriptor: int, late: str = "") -> None:
        """Looks through all of the file, but for the array that is named, where it is large. Raises
        UnusableFile, OSError."""
        place, table = _table_of(descriptor)
        self.head, self._checksums = table.head, table.checksums
        self._sections = {one.name: one for one in table.sections}
        section = self._sections.get(late)
        self._late = None if section is None or section.size < _LATE_MIN else section
        self._descriptor, self._end = descriptor, place
        for blocks in _beside(self._late, place):
            known = table.checksums[blocks.start * _SUM : blocks.stop * _SUM]
            if _checksums(descriptor, blocks, place) != known:
                raise UnusableFile("it is damaged")
        self._mapped = mmap.mmap(descriptor, 0, access=mmap.ACCESS_COPY)

    def array(self, name: str, like: NDArray[_Item]) -> NDArray[_Item]:
        """An array of the same kind as another, but for its width, with the room behind it. Writing
        to it changes nothing but this process."""
        section = self._sections[name]
        found: NDArray[_Item] = np.zeros(0, dtype=section.kind)
        count = section.rows * (section.width or 1)
        if count:
            found = np.frombuffer(self._mapped, section.kind, count, section.place)
        return found.reshape(section.rows, section.width) if section.width else found

    def sizes(self) -> dict[str, int]:
        """How many bytes each array has, with the room behind it."""
        return {name: one.size for name, one in self._sections.items()}

    def bytes(self, name: str) -> Bytes:
        """Bytes of which some are looked at here and there: nothing is read ahead of them. The
        file is still open."""
        section = self._sections[name]
        if section.rows:
            self._mapped.madvise(mmap.MADV_RANDOM, section.place, section.rows)
        if section is self._late:
            file = memoryview(self._mapped)[: self._end]
            return _LateBytes(file, self._descriptor, section.place, self._checksums)
        return memoryview(self._mapped)[section.place : section.place + section.rows]


class Bytes(Protocol):
    """Bytes of which parts are taken."""

    def __getitem__(self, part: slice, /) -> memoryview:
        """Those from one place until before another. Raises UnusableFile."""


class _LateBytes:
    """Bytes of a mapped file that are looked through as they are used: as they are read, for a
    page that cannot be mapped ends the process."""

    def __init__(self, file: memoryview, descriptor: int, place: int, checksums: bytes) -> None:
        self._file, self._descriptor = file, os.dup(descriptor)
        weakref.finalize(self, os.close, self._descriptor)
        self._place, self._checksums = place, checksums
        self._known = bytearray(len(checksums) // _SUM)

    def __getitem__(self, part: slice, /) -> memoryview:
        first, end = self._place + part.start, self._place + part.stop
        for block in _blocks(first, end):
            if not self._known[block]:
                self._look_through(block)
        return self._file[first:end]

    def _look_through(self, block: int) -> None:
        try:
            sums = _checksums(self._descriptor, range(block, block + 1), len(self._file))
        except OSError as error:
            raise UnusableFile("it cannot be read") from error
        if sums != self._checksums[block * _SUM : (block + 1) * _SUM]:
            raise UnusableFile("it is damaged")
        self._known[block] = True


def _front(place: int, table: bytes) -> bytes:
    """The first page."""
    front = _FRONT.pack(_MAGIC, place, len(table), zlib.crc32(table), 0)
    return _FRONT.pack(*_FRONT.unpack(front)[:-1], zlib.crc32(front)).ljust(_PAGE, b"\0")


def _table_of(descriptor: int) -> tuple[int, _Table]:
    """Where the table of a file is, and the table as it was written. Raises UnusableFile."""
    page = os.pread(descriptor, _PAGE, 0)
    if not page.startswith(_MAGIC):
        raise UnusableFile("it does not begin as a snapshot of this version")
    if len(page) < _PAGE:
        raise UnusableFile("it is cut off")
    _, place, length, _, _ = _FRONT.unpack_from(page)
    if length > _TABLE_MAX or place % _PAGE:
        raise UnusableFile("its first page is damaged")
    table = os.pread(descriptor, length, place) if place < 1 << 62 else b""
    if os.fstat(descriptor).st_size != place + length or page != _front(place, table):
        raise UnusableFile("it is cut off or damaged")
    return place, _TABLE.decode(table)


def _beside(late: _Section | None, end: int) -> list[range]:
    """The blocks before `end` but for those that lie wholly in a section."""
    blocks = _blocks(_PAGE, end)
    if late is None:
        return [blocks]
    first = -(-(late.place - _PAGE) // _BLOCK)
    last = max(first, (late.place + late.size - _PAGE) // _BLOCK)
    return [range(first), range(last, blocks.stop)]


def _blocks(first: int, end: int) -> range:
    """The blocks in which the bytes are from one place until before another."""
    return range((first - _PAGE) // _BLOCK, -(-(end - _PAGE) // _BLOCK))


def _place(block: int) -> int:
    return _PAGE + block * _BLOCK


def _checksums(descriptor: int, blocks: range, end: int) -> bytes:
    """A checksum for each of these blocks, which end before `end`. Raises UnusableFile."""
    buffer, found = bytearray(min(_READ_BLOCKS, len(blocks)) * _BLOCK), bytearray()
    for first in blocks[::_READ_BLOCKS]:
        place = _place(first)
        stop = min(_place(min(first + _READ_BLOCKS, blocks.stop)), end)
        view = memoryview(buffer)[: stop - place]
        if os.preadv(descriptor, [view], place) != stop - place:
            raise UnusableFile("it is cut off")
        found += _sums_of(view)
    return bytes(found)


def _sums_of(view: memoryview) -> bytes:
    """The checksums of some blocks. Sums of words are ten times as quick to work out as a CRC of
    all bytes, and that of a page tells each byte that differs."""
    words = np.frombuffer(view, np.uint64).reshape(-1, _PAGE // 8)
    sums = words.sum(axis=1, dtype=np.uint64).tobytes()
    pages = _BLOCK // _PAGE * 8
    found = [zlib.crc32(sums[at : at + pages]) for at in range(0, len(sums), pages)]
    return struct.pack(f"={len(found)}I", *found)
