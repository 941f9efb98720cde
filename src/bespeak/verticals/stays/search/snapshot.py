"""The index in a file, so that a process can answer which starts while the database is away, and
one that starts beside it need not read all listings anew. The file is written aside and put in its
place in one step; what is cut off, of another version or of another database is as no file.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, TypeVar

import msgspec
import structlog

from bespeak.verticals.stays.search.array_file import ArrayWriter, MappedArrays, UnusableFile
from bespeak.verticals.stays.search.index import StaysIndex
from bespeak.verticals.stays.search.listing_rows import RowsCut
from bespeak.verticals.stays.search.packing import RECORDS, mapped_rows, shape, write_rows

_Result = TypeVar("_Result")
_DRAFT = ".new"
_DRAFT_SECONDS_MAX = 3600
_log = structlog.get_logger()


class SnapshotHead(msgspec.Struct, frozen=True):
    """What a snapshot says of itself: how its records look, where in the feed one goes on, the time
    for which it holds, the ordinal of its first night, and how many listings it has."""

    shape: int
    cursor: str
    as_of: datetime
    first_night: int
    listings: int


@dataclass(frozen=True)
class Restored:
    """An index as it was, and what its snapshot says."""

    index: StaysIndex
    head: SnapshotHead


_HEAD = msgspec.msgpack.Decoder(SnapshotHead)


class SnapshotFile:
    """The snapshot of one database in a folder, which only its user can read. `mark` parts it from
    those of other databases."""

    def __init__(self, folder: Path, mark: str) -> None:
        self._folder = folder
        self.path = folder / f"stays-{mark}.snapshot"

    async def write(
        self, index: StaysIndex, cursor: str, as_of: datetime, first_night: int = 0
    ) -> None:
        """Writes the index as it is now, without nights before this ordinal; it may go on
        meanwhile. A disk that refuses is told in the log: the next may work. Raises
        UnusableFile."""
        first = max(first_night, index.first_night)
        head = SnapshotHead(shape(), cursor, as_of, first, len(index))
        try:
            await _aside(index, lambda rows: self._write(rows, head))
        except OSError as error:
            _log.warning("search snapshot not written", path=str(self.path), error=str(error))

    def _write(self, rows: RowsCut, head: SnapshotHead) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._forget_drafts()
        draft = self.path.with_suffix(f".{os.getpid()}{_DRAFT}")
        opened = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(opened, "w+b") as file:
            _write_rows(file, rows, head)
            os.fsync(file.fileno())
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
        """The index as it was, of which nights from this ordinal on are asked; None where there is
        no snapshot that can be used, which the log tells."""
        try:
            return await asyncio.to_thread(self._read, first_night)
        except FileNotFoundError:
            return None
        except OSError as error:
            _log.warning("search snapshot not read", path=str(self.path), error=str(error))
        except UnusableFile as error:
            _log.warning("search snapshot not usable", path=str(self.path), why=str(error))
        return None

    def _read(self, first_night: int) -> Restored:
        """Raises UnusableFile, OSError."""
        opened = os.open(self.path, os.O_RDONLY)
        try:
            restored = _restored(opened)
        finally:
            os.close(opened)
        if restored.head.first_night > first_night:
            raise UnusableFile("its first night is later")
        return restored


async def sorted_anew(index: StaysIndex, first_night: int) -> StaysIndex:
    """The index as it is now, in the order of its cells, as a snapshot has it, in a file without a
    name; it may go on meanwhile. Raises UnusableFile where what is read is damaged, OSError."""
    first = max(first_night, index.first_night)
    head = SnapshotHead(shape(), "", datetime.fromtimestamp(0, UTC), first, len(index))

    def sort(rows: RowsCut) -> StaysIndex:
        with tempfile.TemporaryFile() as file:
            _write_rows(file, rows, head)
            try:
                return _restored(file.fileno()).index
            except UnusableFile as error:  # the disk's fault, and none of the index
                raise OSError(str(error)) from error

    return await _aside(index, sort)


async def _aside(index: StaysIndex, work: Callable[[RowsCut], _Result]) -> _Result:
    """Does something with the rows as they are now, in another thread. Who gives it up does not
    end it: what it reads stays until it is done."""
    task = asyncio.create_task(asyncio.to_thread(work, index.rows.cut()))

    def end(task: asyncio.Task[_Result]) -> None:
        index.rows.resume()
        if not task.cancelled():
            task.exception()  # which nobody may be there to hear

    task.add_done_callback(end)
    return await asyncio.shield(task)


def _write_rows(file: BinaryIO, rows: RowsCut, head: SnapshotHead) -> None:
    writer = ArrayWriter(file)
    write_rows(writer, rows, head.first_night)
    writer.finish(msgspec.msgpack.encode(head))


def _restored(descriptor: int) -> Restored:
    """Raises UnusableFile, OSError."""
    mapped = MappedArrays(descriptor, RECORDS)
    try:
        head = _HEAD.decode(mapped.head)
    except msgspec.MsgspecError as error:
        raise UnusableFile("it says of itself what this version does not know") from error
    if head.shape != shape():
        raise UnusableFile("it is of another version")
    return Restored(StaysIndex(head.first_night, mapped_rows(mapped)), head)
