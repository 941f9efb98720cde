"""Runs a module in a process tree of its own and ends the whole tree with it: when the module has
ended, and at once on Ctrl-C, SIGTERM and SIGHUP. Its temporary files go too.

A benchmark starts servers in sessions of their own and databases that detach themselves, so ending
one process, or one group, is not enough. Linux only.
"""

import contextlib
import ctypes
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

import psutil

_PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_DATABASE_SECONDS_MAX = 3.0
_KILL_SECONDS_MAX = 1.0


class _Stopped(Exception):
    """A signal asked for the end; `number` says which."""

    def __init__(self, number: int) -> None:
        self.number = number


def run(
    module: str, arguments: Sequence[str], tidy: Callable[[Path], None] = lambda _: None
) -> int:
    """The module's exit status; 128 and the signal's number when a signal ended it.

    `tidy` is called once nothing runs any more, with the folder of temporary files, which is
    removed after that.
    """
    _adopt_orphans()
    folder = Path(tempfile.mkdtemp(prefix="bespeak-bench-"))
    try:
        for number in _SIGNALS:
            signal.signal(number, _stop)
        child = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            env={**os.environ, "TMPDIR": str(folder)},
            start_new_session=True,  # Ctrl-C in the terminal is for this process alone
        )
        return _status_of(child)
    except _Stopped as stopped:
        return 128 + stopped.number
    finally:
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        _end_descendants()
        tidy(folder)
        shutil.rmtree(folder, ignore_errors=True)


def _stop(number: int, _: FrameType | None) -> None:
    raise _Stopped(number)


def _adopt_orphans() -> None:
    """Makes this process the parent of every descendant whose own parent is gone, so that none
    can leave the tree."""
    if ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError("this system does not let a process adopt orphans")


def _status_of(child: "subprocess.Popen[bytes]") -> int:
    """Waits for the child, and for every orphan that ends meanwhile: whoever asks whether a
    server is gone would still see it otherwise."""
    while True:
        pid, status = os.wait()
        if pid == child.pid:
            child.returncode = os.waitstatus_to_exitcode(status)
            return child.returncode if child.returncode >= 0 else 128 - child.returncode


def _end_descendants() -> None:
    """Ends them all, and those that they start meanwhile."""
    _end_databases()
    while left := psutil.Process().children(recursive=True):
        for process in left:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(left, _KILL_SECONDS_MAX)


def _end_databases() -> None:
    """Tells PostgreSQL to stop at once. Were it killed, it would leave its shared memory behind."""
    databases = []
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            parent = process.parent()
            if _is_database(process) and not (parent and _is_database(parent)):
                process.send_signal(signal.SIGQUIT)
                databases.append(process)
    psutil.wait_procs(databases, _DATABASE_SECONDS_MAX)


def _is_database(process: psutil.Process) -> bool:
    return process.name().startswith("postgres")
