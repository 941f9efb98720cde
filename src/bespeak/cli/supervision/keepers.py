"""Keeps the embedded PostgreSQL running: starts it, starts it again when it dies, stops it."""

from __future__ import annotations

import subprocess
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

from bespeak.cli.output import say
from bespeak.errors import DatabaseUnavailable

_LOOK_SECONDS = 0.2
_DATABASE_WAIT_SECONDS = 3.0


class StopRequest:
    """Notes that somebody wants this process to stop; signal handlers set it, all else asks."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        """Asks for the stop."""
        self._event.set()

    def __bool__(self) -> bool:
        return self._event.is_set()

    def wait(self, seconds: float) -> bool:
        """Waits so long at most; whether the stop was asked for."""
        return self._event.wait(seconds)


class DatabaseKeeper:
    """Keeps the embedded PostgreSQL of a folder running, from `start` to the end of the block."""

    def __init__(self, folder: Path, shared_megabytes: int) -> None:
        from bespeak.postgres.embedded import EmbeddedServer

        self._server = EmbeddedServer(folder, shared_megabytes)
        self._closing = threading.Event()
        self._came_up = threading.Event()
        self._url: str | None = None
        self._failure: Exception | None = None
        self._thread = threading.Thread(target=self._keep, name="database", daemon=True)

    def start(self, stop: StopRequest) -> str | None:
        """Starts it and answers its URL, or None if a stop is asked for meanwhile.
        Raises DatabaseUnavailable."""
        self._thread.start()
        while not self._came_up.wait(_LOOK_SECONDS / 10):
            if stop:
                return None
        if self._failure is not None:
            raise DatabaseUnavailable(str(self._failure)) from self._failure
        return self._url

    def _keep(self) -> None:
        try:
            self._url = self._server.start()
        except Exception as error:  # of whatever kind: the main thread raises it
            self._failure = error
        self._came_up.set()
        while self._failure is None and not self._closing.wait(_LOOK_SECONDS):
            if self._server.is_running():
                continue
            say("PostgreSQL died; starting it again")
            try:
                self._server.start()
            except (DatabaseUnavailable, OSError, subprocess.SubprocessError) as error:
                say(f"PostgreSQL does not start yet: {error}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.set()
        if self._thread.ident is not None:
            # A start that is under way is waited for, so that there is something to stop.
            self._thread.join(_DATABASE_WAIT_SECONDS)
        self._server.stop()
