"""Runs a server that only searches, from its start to its clean end. It has no database of its own
to start and none to prepare, so it starts whether one is there or not.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from urllib.parse import urlsplit

from bespeak.cli.supervision.forks import end_with_this_process
from bespeak.cli.supervision.supervisor import answers, check_port, free_port, reachable, url_of
from bespeak.http.server.metrics_folder import shared_metrics
from bespeak.settings import Settings

_POLL_SECONDS = 0.03


def serve_search(
    database_url: str,
    settings: Settings,
    host: str,
    port: int,
    workers: int,
    announce: Callable[[str], None],
) -> None:
    """Serves until SIGTERM or SIGINT; `announce` is told the URL once it answers. Raises
    PortInUse."""
    from bespeak.http.workers import ApiServer, load_search

    stopped = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopped.set())
    end_with_this_process()
    port = port or free_port(host)
    check_port(host, port)
    url = url_of(host, port)

    def tell() -> None:
        while not stopped.wait(_POLL_SECONDS):
            if answers(urlsplit(url).hostname or host, port):
                announce(url)
                return

    def on_ready() -> None:
        if stopped.is_set():
            # The signal came before the server listened to signals: tell it again.
            os.kill(os.getpid(), signal.SIGTERM)
            return
        threading.Thread(target=tell, daemon=True).start()

    with shared_metrics():
        server = ApiServer(
            database_url, host, port, workers, reachable(settings, url), on_ready, load=load_search
        )
        try:
            server.run()
        finally:
            stopped.set()
