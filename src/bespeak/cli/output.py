"""Standard output is for results, standard error for everything else. A server keeps its standard
output for itself, so that nothing that a library or a child prints gets between its lines.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from bespeak.cli.supervision.forks import keep_private

if TYPE_CHECKING:
    from rich.console import Console

_Value = TypeVar("_Value")


def say(text: str) -> None:
    print(f"bespeak: {text}", file=sys.stderr, flush=True)


def results() -> Console:
    from rich.console import Console

    return Console()


def remarks() -> Console:
    """A console for all else, on standard error."""
    from rich.console import Console

    return Console(stderr=True)


def print_json(value: object) -> None:
    import msgspec

    print(msgspec.json.encode(value).decode(), flush=True)


def answer(value: _Value, show: Callable[[_Value], None], *, as_json: bool) -> None:
    """A result as one JSON line, or as `show` prints it for a person."""
    if as_json:
        print_json(value)
    else:
        show(value)


class OwnOutput:
    """Takes standard output for this object alone: whatever else is printed, here or by children
    started from now on, goes to standard error."""

    def __init__(self) -> None:
        sys.stdout.flush()
        self._descriptor = os.dup(1)
        os.dup2(2, 1)
        keep_private(self._descriptor)

    @property
    def is_terminal(self) -> bool:
        """Whether a person reads it."""
        return os.isatty(self._descriptor)

    def write(self, text: str) -> None:
        """Writes a text and a line's end, in full; a reader that has gone is no fault."""
        rest = f"{text}\n".encode()
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        except BrokenPipeError:
            return
