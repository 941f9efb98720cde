"""A line on standard error that says how far something is, where a person sees it; else nothing."""

from __future__ import annotations

import sys
from typing import Self

_ERASE = "\r\x1b[K"


class ProgressLine:
    """The line, which is gone after the block."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._is_shown = sys.stderr.isatty()

    def show(self, done: int, total: int) -> None:
        self._write(f"{_ERASE}  {done:,} of {total:,} {self._what}")

    def _write(self, text: str) -> None:
        if self._is_shown:
            sys.stderr.write(text)
            sys.stderr.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._write(_ERASE)
