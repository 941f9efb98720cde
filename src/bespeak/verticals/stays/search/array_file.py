"""Arrays in a file that many processes map: they share its pages, and what one of them writes to an
array is its own. A file that is not as it was written is found out before anything of it is used.

A page says where the table of the arrays is; then come the arrays, each from a page of its own
on, with room behind it that takes no place on the disk; then the table, with checksums of all
before it.
"""

from __future__ import annotations

import mmap
import os
import struct
import zlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, BinaryIO, TypeVar

import msgspec

from bespeak.inventory.arrays import np

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[np.generic]
    _Item = TypeVar("_Item", bound=np.generic)

_MAGIC = b"bespeak arrays 1"
_FRONT = struct.Struct("<16sQQII")  # magic, table's place and length, its checksum, and this one's
_PAGE = 4096
_BLOCK = 4 << 20
_TABLE_MAX = 1 << 30


class UnusableFile(Exception):
    """It is no file that can be used, and why."""


class _Section(msgspec.Struct, frozen=True, array_like=True):
    name: str
    kind: str
    rows: int
    width: int
    place: int


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
        checksums = _checksums(descriptor, self._end)
        table = msgspec.msgpack.encode(_Table(head, tuple(self._sections), checksums))
        self._file.seek(self._end)
        self._file.write(table)
        self._file.seek(0)
        self._file.write(_front(self._end, table))
        self._file.flush()


class MappedArrays:
    """The arrays of a file, by their names, and what its head says."""

    def __init__(self, descriptor: int) -> None:
        """Looks through all of the file. Raises UnusableFile, OSError."""
        table = _table_of(descriptor)
        self.head = table.head
        self._mapped = mmap.mmap(descriptor, 0, access=mmap.ACCESS_COPY)
        self._sections = {one.name: one for one in table.sections}

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
        return {
            name: one.rows * (one.width or 1) * np.dtype(one.kind).itemsize
            for name, one in self._sections.items()
        }

    def bytes(self, name: str) -> memoryview:
        """Bytes of which some are looked at here and there: nothing is read ahead of them."""
        section = self._sections[name]
        if section.rows:
            self._mapped.madvise(mmap.MADV_RANDOM, section.place, section.rows)
        return memoryview(self._mapped)[section.place : section.place + section.rows]


def _front(place: int, table: bytes) -> bytes:
    """The first page."""
    front = _FRONT.pack(_MAGIC, place, len(table), zlib.crc32(table), 0)
    return _FRONT.pack(*_FRONT.unpack(front)[:-1], zlib.crc32(front)).ljust(_PAGE, b"\0")


def _table_of(descriptor: int) -> _Table:
    """The table of a file that is as it was written. Raises UnusableFile."""
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
    found = _TABLE.decode(table)
    if _checksums(descriptor, place) != found.checksums:
        raise UnusableFile("it is damaged")
    return found


def _checksums(descriptor: int, end: int) -> bytes:
    """A checksum for each block between the first page and there. Sums of words are ten times as
    quick to work out as a CRC of all bytes, and that of a page tells each byte that differs."""
    block, found, place = bytearray(_BLOCK), [], _PAGE
    while place < end:
        wanted = min(_BLOCK, end - place)
        view = memoryview(block)[:wanted]
        if os.preadv(descriptor, [view], place) != wanted:
            raise UnusableFile("it is cut off")
        sums = np.frombuffer(view, np.uint64).reshape(-1, _PAGE // 8).sum(axis=1, dtype=np.uint64)
        found.append(zlib.crc32(sums.tobytes()))
        place += wanted
    return struct.pack(f"<{len(found)}I", *found)
