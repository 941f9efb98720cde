"""Running the API: Granian with its worker processes, each with an engine of its own. The process
that calls it only watches over them.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.mp import MPServer

from bespeak.http.server.metrics_folder import shared_metrics
from bespeak.settings import Settings

if TYPE_CHECKING:
    from bespeak.http.app import Application

_BACKLOG = 16_384
_STOP_SECONDS = 3
_LOOK_SECONDS = 0.005
_END_STREAMS = signal.SIGUSR1
_RESPAWN_SECONDS = 0.5
_HEADER_READ_MS = 10_000
_GC_THRESHOLDS = (50_000, 20, 50)


class ApiServer:
    """The API on a port, in several processes."""

    def __init__(
        self,
        database_url: str,
        host: str,
        port: int,
        workers: int,
        settings: Settings,
        on_ready: Callable[[], None],
    ) -> None:
        self._load = partial(_load, settings, database_url)
        self._server = _Server(
            "bespeak.http.app",
            address=host,
            port=port,
            interface=Interfaces.ASGI,
            workers=workers,
            loop=Loops.uvloop,
            backlog=_BACKLOG,
            backpressure=_BACKLOG,
            # A connection that could be of either version takes 11 kB more, and what comes without
            # TLS is HTTP/1.1: a proxy that speaks HTTP/2 to browsers speaks it to servers.
            http=HTTPModes.http1,
            websockets=False,
            http1_settings=HTTP1Settings(header_read_timeout=_HEADER_READ_MS),
            log_level=LogLevels.warning,
            respawn_failed_workers=True,
            respawn_interval=_RESPAWN_SECONDS,
            workers_kill_timeout=_STOP_SECONDS,
        )
        self._server.on_startup(on_ready)

    def run(self) -> None:
        """Serves until SIGTERM or SIGINT."""
        with shared_metrics():
            # Imported once, here, for all workers: what they are forked with takes no time and no
            # memory of theirs, as long as the cycle collector does not write into it. After the
            # folder of the metrics is named, since the library reads that when it is imported.
            import_module("bespeak.http.app")
            gc.collect()
            gc.freeze()
            self._server.serve(target_loader=self._load, wrap_loader=False)


class _Server(MPServer):
    """Granian, whose workers end their streams before it stops them: else it would wait for answers
    that never end, and kill the workers after all."""

    def _stop_workers(self) -> None:
        for worker in self.wrks:
            with suppress(ProcessLookupError, TypeError):  # it is gone, or never began
                os.kill(worker.inner.pid, _END_STREAMS)
            worker.terminate()  # type: ignore[no-untyped-call]
        deadline = time.monotonic() + _STOP_SECONDS
        for worker in self.wrks:
            worker.join(max(0.0, deadline - time.monotonic()))  # type: ignore[no-untyped-call]
            # One that had thousands of viewers needs a moment for their files, after which Granian
            # would not look again, but call it hung.
            while worker.inner.is_alive() and time.monotonic() < deadline:
                time.sleep(_LOOK_SECONDS)
        super()._stop_workers()  # type: ignore[no-untyped-call]


def _load(settings: Settings, database_url: str) -> Application:
    """Makes the application, in the worker process."""
    from bespeak.http.app import create_app  # noqa: PLC0415
    from bespeak.http.server import logs  # noqa: PLC0415

    # Until the application has a loop to be told on, the signal must not end the process.
    signal.signal(_END_STREAMS, signal.SIG_IGN)
    _open_many_files()
    logs.configure(settings.log_level)
    # Thousands of requests in flight are thousands of live objects: at the usual threshold the
    # cycle collector walks them over and over and finds nothing, since requests make no cycles.
    gc.freeze()
    gc.set_threshold(*_GC_THRESHOLDS)
    return create_app(settings, database_url, end_streams_signal=_END_STREAMS)


def _open_many_files() -> None:
    """Every viewer is an open file: as many as this process may have, not as many as is usual."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
