"""A line on standard error that says how far something is, where a person sees it; else nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_ERASE = "\r\x1b[K"


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
