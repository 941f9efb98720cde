"""The archive: files of JSON lines, one line a row, to which goes what is about to be deleted.

A file stands under its name only when it is whole and on disk; what deletes waits for that. Killed
before the deletion, the same rows may be written once more; none is lost.
"""

from __future__ import annotations

import asyncio
import gzip
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import ParamSpec, TypeVar

from bespeak.retention.errors import ArchiveUnavailable

_SUFFIX = ".jsonl.gz"
_Asked = ParamSpec("_Asked")
_Answer = TypeVar("_Answer")


class Archive:
    """A folder of archive files, with a folder in it for each kind of row."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def write(self, kind: str, name: str, lines: Sequence[str]) -> None:
        """Writes a file, unless there is nothing to write. Raises ArchiveUnavailable."""
        if lines:
            async with self.file(kind, name) as file:
                await file.add(lines)

    @asynccontextmanager
    async def file(self, kind: str, name: str) -> AsyncIterator[ArchiveFile]:
        """A file to add lines to; it stands when the block has ended well, in place of one that had
        its name. Raises ArchiveUnavailable."""
        made = await _on_disk(ArchiveFile, self._folder / kind / f"{name}{_SUFFIX}")
        try:
            yield made
        except BaseException:
            made.abandon()
            raise
        await _on_disk(made.finish)


class ArchiveFile:
    """A file of the archive that is being written, until then under a name of this process."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._part = path.with_name(f"{path.name}.{os.getpid()}.part")
        self._raw = self._part.open("wb")
        self._zipped = gzip.GzipFile("", "wb", 6, self._raw, mtime=0)

    async def add(self, lines: Sequence[str]) -> None:
        """Adds lines, each one JSON value without a line break. Raises ArchiveUnavailable."""
        await _on_disk(self._zipped.write, "".join(f"{line}\n" for line in lines).encode())

    def finish(self) -> None:
        """Gives the file its name once all of it is on disk."""
        self._zipped.close()
        self._raw.flush()
        os.fsync(self._raw.fileno())
        self._raw.close()
        self._part.replace(self._path)
        folder = os.open(self._path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)  # its name is on disk too
        finally:
            os.close(folder)

    def abandon(self) -> None:
        """Removes what was written so far."""
        self._raw.close()
        self._part.unlink(missing_ok=True)


async def _on_disk(
    work: Callable[_Asked, _Answer], *args: _Asked.args, **kwargs: _Asked.kwargs
) -> _Answer:
    try:
        return await asyncio.to_thread(work, *args, **kwargs)
    except OSError as error:
        raise ArchiveUnavailable(str(error)) from error
