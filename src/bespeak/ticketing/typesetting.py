"""PDFs from a template and texts, by a typesetter in a process of its own: with its fonts it is
40 MB, which go when nothing was set for a minute. `typesetter.py` is what runs in there.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing.spawn import get_executable
from typing import IO

import msgspec

from bespeak.ticketing.typesetter_messages import Job, read_message, write_message

_UNBROKEN = re.compile(r"\S{25,}")
_UNBROKEN_MAX = 24
_BREAK = "\N{ZERO WIDTH SPACE}"
# What turns the direction of all that follows, so that one text could be read as another.
_TURNS = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
_OURS = ("BESPEAK_", "PG", "PROMETHEUS_")
# A document of a hundred tickets takes a second; beyond this the typesetter is taken for stuck.
_SECONDS_MAX = 60.0


class TypesettingFailed(Exception):
    """The typesetter made no document."""


def typeset(package: str, template: str, inputs: Mapping[str, str]) -> bytes:
    """The template of a package as a PDF, with these inputs. It is tagged, so that it can be read
    aloud. The same inputs make the same bytes, on one machine. Raises TypesettingFailed."""
    return _typesetter.typeset(Job(package, template, dict(inputs)))


def printable(text: str) -> str:
    """The text without what turns its direction, and with places to break where there are none."""
    return _UNBROKEN.sub(_broken, text.translate(_TURNS))


def apart(text: str) -> str:
    """The text with a direction of its own: a number or a name among words of another script."""
    return f"\N{FIRST STRONG ISOLATE}{printable(text)}\N{POP DIRECTIONAL ISOLATE}"


def _broken(found: re.Match[str]) -> str:
    run = found.group()
    starts = range(0, len(run), _UNBROKEN_MAX)
    return _BREAK.join(run[start : start + _UNBROKEN_MAX] for start in starts)


class _Typesetter:
    """The process, started when there is something to set. It ends by itself after a minute, and
    when whoever started it is gone, by whatever end."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def typeset(self, job: Job) -> bytes:
        """Raises TypesettingFailed."""
        with self._lock:  # it sets one document at a time
            # The one that is there may end, or be ended, at this moment: then a new one is asked.
            answer = self._ask(job) or self._ask(job)
        if answer is None:
            raise TypesettingFailed("the typesetter ended in the midst of it")
        if not answer.startswith(b"%PDF"):
            raise TypesettingFailed(answer.decode(errors="replace"))
        return answer

    def forked(self) -> None:
        """Leaves the process to the one that this one was forked from."""
        theirs, self._process = self._process, None
        self._lock = threading.Lock()
        for pipe in () if theirs is None else (theirs.stdin, theirs.stdout):
            _close(pipe)

    def _ask(self, job: Job) -> bytes | None:
        """What it answers; None of one that has ended."""
        process = self._living() or self._started()
        if process.stdin is None or process.stdout is None:
            raise TypesettingFailed("the typesetter has no pipes")
        stuck = threading.Event()

        def end() -> None:
            stuck.set()
            process.kill()

        late = threading.Timer(_SECONDS_MAX, end)
        late.daemon = True
        late.start()
        answer = None
        try:
            with suppress(OSError):  # where it has ended, there is no answer
                write_message(process.stdin, msgspec.msgpack.encode(job))
                answer = read_message(process.stdout)
        finally:
            # Also after an exception from outside, as of a signal: the next who asks would read
            # what is answered to this one.
            late.cancel()
            if answer is None:
                self._drop(process)
        if answer is None and stuck.is_set():
            raise TypesettingFailed(f"it took longer than {_SECONDS_MAX:g} seconds")
        return answer

    def _living(self) -> subprocess.Popen[bytes] | None:
        """The one that is there; one that is known to have ended is let go."""
        process = self._process
        if process is not None and process.returncode is not None:
            self._drop(process)
        return self._process

    def _started(self) -> subprocess.Popen[bytes]:
        # It finds its modules where this process does, and knows none of its secrets.
        inherited = {name: text for name, text in os.environ.items() if not name.startswith(_OURS)}
        try:
            self._process = subprocess.Popen(
                [os.fsdecode(get_executable()), "-P", "-m", "bespeak.ticketing.typesetter"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                env={**inherited, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                start_new_session=True,  # Ctrl-C in the terminal is for who started it
            )
        except (OSError, TypeError) as error:  # TypeError: nobody has said where Python is
            raise TypesettingFailed(f"the typesetter does not start: {error}") from error
        # Buried at its end, whenever that is.
        threading.Thread(target=self._process.wait, name="typesetter", daemon=True).start()
        return self._process

    def _drop(self, process: subprocess.Popen[bytes]) -> None:
        self._process = None
        process.kill()
        for pipe in (process.stdin, process.stdout):
            _close(pipe)


def _close(pipe: IO[bytes] | None) -> None:
    if pipe is not None:
        with suppress(OSError):
            pipe.close()


_typesetter = _Typesetter()
os.register_at_fork(after_in_child=_typesetter.forked)
