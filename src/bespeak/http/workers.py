"""Running the API: Granian's worker processes, each with an engine of its own. The process that
calls it only watches over them, and over what else is to run beside them.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Any, TypeAlias

from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.mp import MPServer

from bespeak.http.server import logs
from bespeak.http.server.heartbeats import SILENT_SECONDS_MAX, Heartbeat, Heartbeats
from bespeak.http.server.metrics_folder import shared_metrics
from bespeak.settings import Settings

if TYPE_CHECKING:
    from bespeak.http.app import Application
    from bespeak.http.search_app import SearchApplication
    from bespeak.http.server.children import Child

_BACKLOG = 16_384
_STOP_SECONDS = 3
_LOOK_SECONDS = 0.1
_END_STREAMS = signal.SIGUSR1
_FAILED_STARTS_MAX = 3
# How long a connection may have no request, and how long the headers of one may take.
_HEADER_READ_MS = 10_000
# The request line and all headers: as much as the usual proxies take. More is answered 431.
_HEADERS_BYTES_MAX = 16_384
_GC_THRESHOLDS = (50_000, 20, 50)
Load: TypeAlias = "Callable[[Settings, str, Heartbeats], Application | SearchApplication]"
# What is imported when it is first used: by a server within a minute, in each worker.
_USED_SOON = ("numpy", "icalendar", "dateutil.rrule")


class ApiServer:
    """The API on a port, in several processes. `beside` are processes that are kept running with
    them; where one is silent for longer than `silent_seconds_max`, it is replaced. `load` makes
    the application in each worker: the API, where none is named."""

    def __init__(
        self,
        database_url: str,
        host: str,
        port: int,
        workers: int,
        settings: Settings,
        on_ready: Callable[[], None],
        beside: Sequence[Child] = (),
        silent_seconds_max: float = SILENT_SECONDS_MAX,
        load: Load | None = None,
    ) -> None:
        self._settings = settings
        self._load = partial(load or load_api, settings, database_url)
        self._server = _Server(
            beside,
            silent_seconds_max,
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
            http1_settings=HTTP1Settings(
                header_read_timeout=_HEADER_READ_MS, max_buffer_size=_HEADERS_BYTES_MAX
            ),
            log_level=LogLevels.warning,
        )
        self._server.on_startup(on_ready)

    def run(self) -> None:
        """Serves until SIGTERM or SIGINT. Ends the process with status 1 where the first workers
        fail over and over before any of them serves. Raises InvalidSetting."""
        with shared_metrics():
            # Imported once, here, for all workers: what they are forked with takes no time and no
            # memory of theirs, as long as the cycle collector does not write into it. After the
            # folder of the metrics is named, since the library reads that when it is imported.
            from bespeak.http.app import check_settings, make_once_for_all  # noqa: PLC0415

            check_settings(self._settings)
            make_once_for_all()
            for library in _USED_SOON:
                import_module(library)
            logs.configure(self._settings.log_level)
            gc.collect()
            gc.freeze()
            self._server.serve(target_loader=self._load, wrap_loader=False)


class _Server(MPServer):
    """Granian, with our own watch over its workers: Granian's ends the whole server when a worker
    ends twice within seconds. And workers end their streams before they are stopped: else Granian
    would wait for answers that never end, and kill the workers after all."""

    def __init__(
        self,
        beside: Sequence[Child],
        silent_seconds_max: float,
        **options: Any,  # any: Granian knows what each of its options is
    ) -> None:
        super().__init__("bespeak.http.app", **options)
        self._beside = beside
        self._silent_seconds_max = silent_seconds_max
        self._api: Sequence[Child] = ()

    def signal_handler_interrupt(self, *args: object, **kwargs: object) -> None:
        """Takes the first signal alone: a second one would enter Granian's handler while that holds
        the lock of its event, and wait for ever."""
        if not self.interrupt_signal:
            super().signal_handler_interrupt(*args, **kwargs)  # type: ignore[no-untyped-call]

    def _spawn_workers(self, spawn_target: object, target_loader: Callable[..., object]) -> None:
        from bespeak.http.server.children import Child  # noqa: PLC0415

        own = [Heartbeat(f"api-{number + 1}") for number in range(self.workers)]
        everyone = (*own, *(child.heartbeat for child in self._beside))

        def spawn(number: int) -> BaseProcess:
            load = partial(target_loader, Heartbeats(own[number], everyone))
            process: BaseProcess = self._spawn_worker(number, spawn_target, load).inner
            return process

        self._api = [
            Child(heartbeat, partial(spawn, number), self._silent_seconds_max)
            for number, heartbeat in enumerate(own)
        ]

    def _serve_loop(self, spawn_target: object, target_loader: object) -> None:
        has_served = False
        children = (*self._api, *self._beside)
        while not self.interrupt_signal:
            for child in children:
                child.look()
            has_served = has_served or any(child.heartbeat.at for child in self._api)
            if not has_served and any(child.ends >= _FAILED_STARTS_MAX for child in self._api):
                self.interrupt_children.append(0)  # so that Granian ends the process with status 1
                return
            processes = [child.process for child in children if child.process is not None]
            wait([process.sentinel for process in processes], _LOOK_SECONDS)

    def _stop_workers(self) -> None:
        for child in self._api:
            if child.process is not None and child.process.is_alive():
                with suppress(ProcessLookupError):
                    os.kill(child.process.pid or 0, _END_STREAMS)
                child.process.terminate()
        deadline = time.monotonic() + _STOP_SECONDS
        for child in self._api:
            child.stop(deadline - time.monotonic())


def load_api(settings: Settings, database_url: str, heartbeats: Heartbeats) -> Application:
    """Makes the application of the API, in the worker process."""
    from bespeak.http.app import create_app  # noqa: PLC0415

    _settle_in("bespeak-api", settings)
    return create_app(
        settings, database_url, end_streams_signal=_END_STREAMS, heartbeats=heartbeats
    )


def load_search(settings: Settings, database_url: str, heartbeats: Heartbeats) -> SearchApplication:
    """Makes the application that only searches, in the worker process."""
    from bespeak.http.search_app import SearchApplication  # noqa: PLC0415

    _settle_in("bespeak-search", settings)
    return SearchApplication(settings, database_url, heartbeats)


def _settle_in(name: str, settings: Settings) -> None:
    """What every worker process does first."""
    from bespeak.http.server.children import name_this_process  # noqa: PLC0415

    name_this_process(name)
    # Until the application has a loop to be told on, the signal must not end the process.
    signal.signal(_END_STREAMS, signal.SIG_IGN)
    _open_many_files()
    logs.configure(settings.log_level)
    # Thousands of requests in flight are thousands of live objects: at the usual threshold the
    # cycle collector walks them over and over and finds nothing, since requests make no cycles.
    gc.freeze()
    gc.set_threshold(*_GC_THRESHOLDS)


def _open_many_files() -> None:
    """Every viewer is an open file: as many as this process may have, not as many as is usual."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
