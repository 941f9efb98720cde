"""Running the API: Granian with its worker processes, each with an engine of its own. The process
that calls it only watches over them.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import granian
from granian.constants import Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels

from bespeak.http.metrics_folder import shared_metrics
from bespeak.settings import Settings

if TYPE_CHECKING:
    from bespeak.http.app import Application

_BACKLOG = 16_384
_STOP_SECONDS = 3
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
        self._server = granian.Granian(
            "bespeak.http.app",
            address=host,
            port=port,
            interface=Interfaces.ASGI,
            workers=workers,
            loop=Loops.uvloop,
            backlog=_BACKLOG,
            backpressure=_BACKLOG,
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
            self._server.serve(target_loader=self._load, wrap_loader=False)


def _load(settings: Settings, database_url: str) -> Application:
    """Makes the application, in the worker process."""
    # Not in the supervisor: it stays small.
    from bespeak.http import logs  # noqa: PLC0415
    from bespeak.http.app import create_app  # noqa: PLC0415

    logs.configure(settings.log_level)
    # Thousands of requests in flight are thousands of live objects: at the usual threshold the
    # cycle collector walks them over and over and finds nothing, since requests make no cycles.
    gc.freeze()
    gc.set_threshold(*_GC_THRESHOLDS)
    return create_app(settings, database_url)
