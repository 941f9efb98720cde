"""That a process of the server is at work: each writes the time of its heartbeat into memory that
it shares with the supervisor, which replaces who is silent, and with the others, which tell of it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.sharedctypes import RawValue

SILENT_SECONDS_MAX = 40.0
"""Who is silent for longer is replaced. A leader's statement may take 30 seconds."""

_LATE_SECONDS = 5.0


class Heartbeat:
    """The heartbeat of one process. It is made by the supervisor, which the process is forked from;
    the clock is the machine's monotonic one, which all processes read alike."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._at = RawValue("d", 0.0)

    def beat(self) -> None:
        """This process is at work."""
        self._at.value = time.monotonic()

    def forget(self) -> None:
        """The process is gone."""
        self._at.value = 0.0

    @property
    def at(self) -> float:
        """When it was heard last, or 0."""
        return float(self._at.value)

    @property
    def is_missing(self) -> bool:
        """Whether it is not at work: gone, or not ready yet, or late."""
        return time.monotonic() - self.at > _LATE_SECONDS or self.at == 0.0


@dataclass(frozen=True)
class Heartbeats:
    """Those of all processes of the server, as one of them has them."""

    own: Heartbeat
    all: Sequence[Heartbeat] = ()

    def missing(self) -> list[str]:
        """The names of those that are not at work."""
        return [each.name for each in self.all if each.is_missing]
