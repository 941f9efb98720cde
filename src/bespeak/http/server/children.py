"""A process that the supervisor keeps running. It never gives up: one that ends is started again,
at once at first and after a pause where that happens often; one that is silent is ended.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections import deque
from collections.abc import Callable
from multiprocessing.process import BaseProcess

import structlog

from bespeak.http.server.heartbeats import SILENT_SECONDS_MAX, Heartbeat
from bespeak.http.server.metrics import PROCESSES_REPLACED

_PAUSES = (0.0, 0.1, 0.3, 1.0)  # with a start of half a second it is back within two, however often
_OFTEN_SECONDS = 10.0
_AWAY_SECONDS = 2.0
_PR_SET_NAME = 15  # linux/prctl.h
_log = structlog.get_logger()


def name_this_process(name: str) -> None:
    """What `ps -o comm` and `top` call it, 15 letters at most: all are forks of one command."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_NAME, name.encode(), 0, 0, 0)


class Child:
    """One process after the other, under one name. `look` is called every moment by the thread that
    forks, which must live as long as they do: at its end they would be ended."""

    def __init__(
        self,
        heartbeat: Heartbeat,
        spawn: Callable[[], BaseProcess],
        silent_seconds_max: float = SILENT_SECONDS_MAX,
    ) -> None:
        self.heartbeat = heartbeat
        self.process: BaseProcess | None = None
        self._spawn = spawn
        self._silent_seconds_max = silent_seconds_max
        self._ends: deque[float] = deque(maxlen=len(_PAUSES))
        self._because = "ended"
        self._due = self._looked = time.monotonic()
        self._heard = 0.0

    @property
    def ends(self) -> int:
        """How often it ended in the last seconds, as far as that decides the pause."""
        return sum(time.monotonic() - end < _OFTEN_SECONDS for end in self._ends)

    def look(self) -> None:
        """Starts it if it is due, notes its end, ends it if it is silent."""
        now = time.monotonic()
        if self.process is None:
            if now >= self._due:
                self._start(now)
        elif not self.process.is_alive():
            self._note_end(self.process, now)
        else:
            self._end_if_silent(self.process, now)
        self._looked = now

    def stop(self, seconds: float) -> None:
        """Ends it: gently, and by force when it takes longer than that."""
        process, self.process = self.process, None
        if process is None:
            return
        process.terminate()
        process.join(max(0.0, seconds))
        if process.is_alive():
            _log.warning("killed at the stop", process=self.heartbeat.name)
            process.kill()
            process.join()

    def _start(self, now: float) -> None:
        self.heartbeat.forget()
        self._heard = now
        self._because = "ended"
        self.process = self._spawn()
        self.process.start()

    def _note_end(self, process: BaseProcess, now: float) -> None:
        self.process = None
        self.heartbeat.forget()
        pause = _PAUSES[min(self.ends, len(_PAUSES) - 1)]
        self._ends.append(now)
        self._due = now + pause
        PROCESSES_REPLACED.labels(self.heartbeat.name.partition("-")[0], self._because).inc()
        _log.error(
            "process is replaced",
            process=self.heartbeat.name,
            pid=process.pid,
            because=self._because,
            status=process.exitcode,
            pause_seconds=pause,
        )

    def _end_if_silent(self, process: BaseProcess, now: float) -> None:
        if now - self._looked > _AWAY_SECONDS:
            self._heard = now  # we were stopped ourselves, and so may it have been
        self._heard = max(self._heard, self.heartbeat.at)
        if now - self._heard > self._silent_seconds_max and self._because != "silent":
            self._because = "silent"
            process.kill()
