"""What a server keeps alive beside its API workers: the embedded PostgreSQL and the background
worker. Each has a keeper, a thread that starts it, starts it again when it dies, and stops it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from bespeak.cli.output import say
from bespeak.errors import DatabaseUnavailable
from bespeak.settings import Settings

_LOOK_SECONDS = 0.2
_WORKER_STOP_SECONDS = 2.0
_DATABASE_WAIT_SECONDS = 3.0
_WORKER_PAUSE_SECONDS = 0.5


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

    def __init__(self, folder: Path) -> None:
        from bespeak.postgres.embedded import EmbeddedServer

        self._server = EmbeddedServer(folder)
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


class WorkerKeeper:
    """Keeps exactly one background worker process running within the block."""

    def __init__(self, database_url: str, folder: Path | None, settings: Settings) -> None:
        self._command = [sys.executable, "-m", "bespeak", "worker"]
        self._command += ["--supervisor", str(os.getpid())]
        if folder is not None:
            self._command += ["--guard", str(folder)]
        # By the environment, not as an argument: everyone may read those, and URLs hold passwords.
        # The other two are what a demo decides by itself.
        self._environment = {
            **os.environ,
            "BESPEAK_DATABASE_URL": database_url,
            "BESPEAK_PUBLIC_URL": settings.public_url,
            "BESPEAK_PAYMENT_PROVIDERS": settings.payment_providers,
        }
        self._closing = threading.Event()
        self._child: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep, name="worker", daemon=True)

    def _keep(self) -> None:
        while not self._closing.is_set():
            started = time.monotonic()
            child = self._launch()
            while child.poll() is None:
                if self._closing.wait(_LOOK_SECONDS / 2):
                    return
            if self._closing.is_set():
                return
            say(f"the background worker ended with status {child.returncode}; starting another")
            if time.monotonic() - started < _WORKER_PAUSE_SECONDS * 2:
                self._closing.wait(_WORKER_PAUSE_SECONDS)

    def _launch(self) -> subprocess.Popen[bytes]:
        self._child = subprocess.Popen(
            self._command,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C in the terminal is for us; we pass on what is meant
        )
        return self._child

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.set()
        self._thread.join()
        child = self._child
        if child is None or child.poll() is not None:
            return
        child.terminate()
        try:
            child.wait(_WORKER_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
