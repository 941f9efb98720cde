"""Lines on standard error that say what a start is doing and how far it is, where a person sees
them; else nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bespeak.cli.output import say

_ERASE = "\r\x1b[K"


def say_step(text: str) -> None:
    """Says what is done now, which takes a moment, to a person at a terminal."""
    if sys.stderr.isatty():
        say(text)


@contextmanager
def progress_line(what: str) -> Iterator[Callable[[int, int], None]]:
    """What shows so many of so many; the line is gone after the block."""
    is_shown = sys.stderr.isatty()

    def write(text: str) -> None:
        if is_shown:
            sys.stderr.write(text)
            sys.stderr.flush()

    try:
        yield lambda done, total: write(f"{_ERASE}  {done:,} of {total:,} {what}")
    finally:
        write(_ERASE)
