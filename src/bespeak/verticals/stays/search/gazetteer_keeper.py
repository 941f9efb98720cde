"""How a process comes to a gazetteer: somebody looks for a town, the package is installed, and its
file is mapped, which all processes of a machine share. Where there is none yet, a process of its
own makes it, which takes some seconds; questions are answered without it until then, and where it
cannot be had.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.spawn import get_executable
from pathlib import Path

import structlog

from bespeak.verticals.stays.search.array_file import MappedArrays, UnusableFile
from bespeak.verticals.stays.search.gazetteer import Gazetteer
from bespeak.verticals.stays.search.gazetteer_file import data_mark

_MODULE = "bespeak.verticals.stays.search.gazetteer_maker"
_MAKE_SECONDS_MAX = 300.0
# Whatever it was may pass: a full disk, no memory for it.
_AGAIN_SECONDS = 600.0
_LOOK_SECONDS = 1.0
_DRAFT, _LOCK = "gazetteer.new", "gazetteer.lock"
_OURS = ("BESPEAK_", "PG")
_log = structlog.get_logger()


class GazetteerNotMade(Exception):
    """The file was not made, and why."""


class _MadeElsewhere(Exception):
    """Another process of the folder makes the file."""


class GazetteerKeeper:
    """The gazetteer of a process, where there is one. Its file is in a folder: the one that is
    named, or one in the user's cache."""

    def __init__(self, folder: Path | None, *, is_wanted: bool) -> None:
        self._folder = folder
        self._mark = data_mark() if is_wanted else None
        self._gazetteer: Gazetteer | None = None
        self._task: asyncio.Task[None] | None = None
        self._again_at = 0.0

    async def close(self) -> None:
        """Gives up what is being made."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def now(self) -> Gazetteer | None:
        """The gazetteer, if it is there. If not, it begins to come."""
        if self._gazetteer is None and self._mark is not None:
            is_coming = self._task is not None and not self._task.done()
            if not is_coming and time.monotonic() >= self._again_at:
                self._task = asyncio.create_task(self._come(self._mark))
        return self._gazetteer

    async def _come(self, mark: str) -> None:
        try:
            self._gazetteer = await self._had(mark)
        except _MadeElsewhere:
            self._again_at = time.monotonic() + _LOOK_SECONDS
        except (OSError, UnusableFile, GazetteerNotMade) as error:
            self._again_at = time.monotonic() + _AGAIN_SECONDS
            _log.warning("gazetteer not to be had", why=str(error))

    async def _had(self, mark: str) -> Gazetteer:
        """The one of the folder. Where the cache cannot be used, as of a disk that is only read, it
        is in a file without a name, of this process alone. Raises OSError, UnusableFile,
        GazetteerNotMade, _MadeElsewhere."""
        if self._folder is not None:
            return await _shared(self._folder, mark)
        # It comes with the gazetteer, and not with the library alone.
        from platformdirs import user_cache_path  # noqa: PLC0415

        cache = user_cache_path("bespeak")
        if cache.is_absolute():  # a user without a home has `~`
            try:
                return await _shared(cache / "gazetteer", mark)
            except OSError as error:
                _log.warning("gazetteer not shared", why=str(error))
        with tempfile.TemporaryFile() as file:
            await _write(file.fileno())
            return await asyncio.to_thread(_of_file, file.fileno())


async def _shared(folder: Path, mark: str) -> Gazetteer:
    """The one in the folder; where there is none that can be used, it is made. Raises OSError,
    UnusableFile, GazetteerNotMade, _MadeElsewhere."""
    found = await _kept(folder, mark)
    if found is not None:
        return found
    with _alone(folder):
        # Who made it may have been done between the look and the lock.
        found = await _kept(folder, mark)
        return await _made(folder, mark) if found is None else found


async def _kept(folder: Path, mark: str) -> Gazetteer | None:
    """The one in the folder, where there is one that can be used. Raises OSError."""
    try:
        return await asyncio.to_thread(_mapped, _path(folder, mark))
    except FileNotFoundError:
        return None
    except UnusableFile as error:
        _log.warning("gazetteer not usable", why=str(error))
        return None


async def _made(folder: Path, mark: str) -> Gazetteer:
    """A new one, put in its place whole. Raises OSError, UnusableFile, GazetteerNotMade."""
    path, draft = _path(folder, mark), folder / _DRAFT
    # Another one: whoever was killed here may have left a process that still writes to it.
    draft.unlink(missing_ok=True)
    opened = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        await _write(opened)
        os.fsync(opened)
        draft.replace(path)
        _forget_others(path)
        return await asyncio.to_thread(_of_file, opened)
    finally:
        os.close(opened)
        draft.unlink(missing_ok=True)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """While one process of a folder, which may be new, makes the file, the others do not. The lock
    ends with whoever has it. Raises OSError, _MadeElsewhere."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise _MadeElsewhere from None
    finally:
        os.close(lock)


def _path(folder: Path, mark: str) -> Path:
    return folder / f"gazetteer-{mark}.arrays"


def _forget_others(path: Path) -> None:
    """Takes files of other versions away: who has mapped one keeps it."""
    for other in path.parent.glob("gazetteer-*.arrays"):
        if other != path:
            with suppress(OSError):
                other.unlink()


def _mapped(path: Path) -> Gazetteer:
    """Raises UnusableFile, OSError."""
    opened = os.open(path, os.O_RDONLY)
    try:
        return _of_file(opened)
    finally:
        os.close(opened)


def _of_file(descriptor: int) -> Gazetteer:
    return Gazetteer(MappedArrays(descriptor))


async def _write(descriptor: int) -> None:
    """Has a process of its own write the file. It finds its modules where this one does, and knows
    none of its secrets. Raises OSError, GazetteerNotMade."""
    inherited = {name: text for name, text in os.environ.items() if not name.startswith(_OURS)}
    process = await asyncio.create_subprocess_exec(
        *(os.fsdecode(get_executable() or sys.executable), "-P", "-m", _MODULE),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=descriptor,
        stderr=asyncio.subprocess.PIPE,
        env={**inherited, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    try:
        async with asyncio.timeout(_MAKE_SECONDS_MAX):
            _, said = await process.communicate()
    except TimeoutError:
        raise GazetteerNotMade(f"it took longer than {_MAKE_SECONDS_MAX:g} seconds") from None
    finally:
        if process.returncode is None:  # nobody waits for it any more
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.returncode:
        last = said.decode(errors="replace").strip().splitlines()[-1:]
        raise GazetteerNotMade(last[0] if last else f"it ended with {process.returncode}")
