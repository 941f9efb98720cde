"""The index in a file, so that a process can answer which starts while the database is away, and
one that starts beside it need not read all listings anew. The file is written aside and put in its
place in one step; what is cut off, of another version or of another database is as no file.
"""

from __future__ import annotations

import asyncio
import os
import struct
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import msgspec
import structlog

from bespeak.verticals.stays.search.index import StaysIndex
from bespeak.verticals.stays.search.listing import IndexedListing
from bespeak.verticals.stays.search.records import ListingRecord, listing_of_record, record_of

_VERSION = 3
_MAGIC = b"bespeak-stays\n"
_FRAME = struct.Struct(">II")  # how many bytes, and their checksum
_FRAME_LISTINGS = 500
_FRAME_BYTES_MAX = 64 << 20
_DRAFT = ".new"
_DRAFT_SECONDS_MAX = 3600
_log = structlog.get_logger()


class SnapshotHead(msgspec.Struct, frozen=True):
    """What a snapshot says of itself: where in the feed one goes on, the time for which it holds,
    the ordinal of its first night, and how many listings it has."""

    version: int
    cursor: str
    as_of: datetime
    first_night: int
    listings: int


@dataclass(frozen=True)
class Restored:
    """An index as it was, and what its snapshot says."""

    index: StaysIndex
    head: SnapshotHead


class _Unusable(Exception):
    """It is no snapshot that can be used, and why."""


_HEAD = msgspec.msgpack.Decoder(SnapshotHead)
_LISTINGS = msgspec.msgpack.Decoder(list[ListingRecord])


class SnapshotFile:
    """The snapshot of one database in a folder, which only its user can read. `mark` parts it from
    those of other databases."""

    def __init__(self, folder: Path, mark: str) -> None:
        self._folder = folder
        self.path = folder / f"stays-{mark}.snapshot"

    async def write(self, index: StaysIndex, cursor: str, as_of: datetime) -> None:
        """Writes the index, which nobody changes meanwhile; whoever waits for this process is
        answered in between. A disk that refuses is told in the log: the next may work."""
        try:
            await self._write(index, cursor, as_of)
        except OSError as error:
            _log.warning("search snapshot not written", path=str(self.path), error=str(error))

    async def _write(self, index: StaysIndex, cursor: str, as_of: datetime) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._forget_drafts()
        draft = self.path.with_suffix(f".{os.getpid()}{_DRAFT}")
        opened = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(opened, "wb") as file:
            head = SnapshotHead(_VERSION, cursor, as_of, index.first_night, len(index))
            file.write(_MAGIC)
            _put(file, msgspec.msgpack.encode(head))
            records = (record_of(one, index.first_night) for one in index.listings())
            while some := list(islice(records, _FRAME_LISTINGS)):
                _put(file, msgspec.msgpack.encode(some))
                await asyncio.sleep(0)
            file.flush()
            await asyncio.to_thread(os.fsync, file.fileno())
        draft.replace(self.path)

    def _forget_drafts(self) -> None:
        """Takes away what a process left that was killed while it wrote."""
        for draft in self._folder.glob(f"*{_DRAFT}"):
            with suppress(OSError):
                if time.time() - draft.stat().st_mtime > _DRAFT_SECONDS_MAX:
                    draft.unlink()

    @property
    def written_at(self) -> float:
        """When it was written, in seconds since 1970; 0 where there is none."""
        try:
            return self.path.stat().st_mtime
        except OSError:
            return 0.0

    async def read(self, first_night: int) -> Restored | None:
        """The index as it was, its nights counted from this ordinal on; None where there is no
        snapshot that can be used, which the log tells."""
        try:
            content = await asyncio.to_thread(self.path.read_bytes)
        except FileNotFoundError:
            return None
        except OSError as error:
            _log.warning("search snapshot not read", path=str(self.path), error=str(error))
            return None
        try:
            return await self._restored(content, first_night)
        except _Unusable as error:
            _log.warning("search snapshot not usable", path=str(self.path), why=str(error))
            return None

    async def _restored(self, content: bytes, first_night: int) -> Restored:
        """Raises _Unusable."""
        frames = _frames(content)
        head = _head(next(frames, b""))
        index = StaysIndex(first_night)
        for frame in frames:
            for one in _listings(frame, head):
                index.put(one)
            await asyncio.sleep(0)
        if len(index) != head.listings:
            raise _Unusable(f"{len(index)} listings of {head.listings}")
        return Restored(index, head)


def _put(file: BinaryIO, payload: bytes) -> None:
    file.write(_FRAME.pack(len(payload), zlib.crc32(payload)))
    file.write(payload)


def _frames(content: bytes) -> Iterator[bytes]:
    """The frames of a file. Raises _Unusable where one is not as it was written."""
    if not content.startswith(_MAGIC):
        raise _Unusable("it does not begin as a snapshot")
    at = len(_MAGIC)
    while at < len(content):
        if at + _FRAME.size > len(content):
            raise _Unusable("it is cut off")
        length, checksum = _FRAME.unpack_from(content, at)
        payload = content[at + _FRAME.size : at + _FRAME.size + length]
        if length > _FRAME_BYTES_MAX or len(payload) != length or zlib.crc32(payload) != checksum:
            raise _Unusable("it is cut off or damaged")
        yield payload
        at += _FRAME.size + length


def _head(payload: bytes) -> SnapshotHead:
    try:
        head = _HEAD.decode(payload)
    except ValueError as error:  # as msgspec's are
        raise _Unusable(str(error)) from error
    if head.version != _VERSION:
        raise _Unusable(f"it is of version {head.version}, not {_VERSION}")
    return head


def _listings(payload: bytes, head: SnapshotHead) -> list[IndexedListing]:
    """Raises _Unusable, also for what a later version says of a plan or a zone."""
    try:
        records = _LISTINGS.decode(payload)
        return [listing_of_record(record, head.first_night) for record in records]
    except (ValueError, KeyError) as error:  # msgspec's and zoneinfo's errors are such
        raise _Unusable(f"{type(error).__name__}: {error}") from error
