"""What holds for the processes that this one forks: they end when it is killed, so that none goes
on serving alone, and they do not keep its locks and its output.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1  # linux/prctl.h

_libc = ctypes.CDLL(None) if sys.platform == "linux" else None
_private: set[int] = set()


def keep_private(descriptor: int) -> None:
    """Closes a descriptor in every process that is forked from now on."""
    _private.add(descriptor)


def end_with_this_process() -> None:
    """Ends every process forked from now on when this one is gone, by whatever end, and what those
    fork when they are. It is SIGKILL that does it: who lost its supervisor may soon lose its
    database too, and would wait for it."""
    parent = os.getpid()

    def before() -> None:
        nonlocal parent
        parent = os.getpid()

    def in_child() -> None:
        for descriptor in _private:
            os.close(descriptor)
        _private.clear()
        if _libc is not None:
            _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)  # it went before the line above

    os.register_at_fork(before=before, after_in_child=in_child)


def outlive_parent() -> None:
    """Undoes it in this process, which looks for itself whether its parent is there."""
    if _libc is not None:
        _libc.prctl(_PR_SET_PDEATHSIG, 0, 0, 0, 0)
