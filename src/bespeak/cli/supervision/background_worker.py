"""The background worker as a process: alone, or forked from a server's supervisor, so that it
shares what that has imported.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path

from bespeak.cli.supervision.forks import outlive_parent
from bespeak.cli.supervision.leader import Leader
from bespeak.http.server import logs
from bespeak.http.server.children import Child, name_this_process
from bespeak.http.server.heartbeats import Heartbeat
from bespeak.settings import Settings

_NAME = "background"
_LOOK_SECONDS = 0.5


def background_child(url: str, folder: Path, settings: Settings, *, is_embedded: bool) -> Child:
    """The background worker of a server. It stops the embedded PostgreSQL of the folder, if that is
    the database, when the supervisor is gone."""
    heartbeat = Heartbeat(_NAME)
    leader = Leader(url, folder, settings, heartbeat.beat)
    job = partial(_work_for, os.getpid(), leader, settings.log_level, folder, is_embedded)

    def spawn() -> BaseProcess:
        if sys.platform == "linux":
            return multiprocessing.get_context("fork").Process(target=job, name=_NAME)
        return multiprocessing.get_context("spawn").Process(target=job, name=_NAME)

    return Child(heartbeat, spawn)


def _work_for(
    supervisor: int, leader: Leader, log_level: str, folder: Path, is_embedded: bool
) -> None:
    """Works in a process of the supervisor's, until told to stop or until that is gone."""
    outlive_parent()
    os.setsid()  # Ctrl-C in the terminal is for the supervisor, which passes on what is meant
    name_this_process("bespeak-worker")
    logs.configure(log_level)
    asyncio.run(work(leader, lambda: os.getppid() == supervisor))
    if is_embedded and os.getppid() != supervisor:
        from bespeak.cli.databases import stop_abandoned

        stop_abandoned(folder)


async def work(leader: Leader, is_wanted: Callable[[], bool] = lambda: True) -> None:
    """Lets a leader work until SIGTERM or SIGINT, or until it is not wanted any more."""
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    leading = asyncio.create_task(leader.run())
    try:
        while is_wanted() and not leading.done() and not stopping.is_set():
            try:
                async with asyncio.timeout(_LOOK_SECONDS):
                    await stopping.wait()
            except TimeoutError:
                continue
        if leading.done():
            leading.result()  # it only ends with a fault, which is raised here
    finally:
        leading.cancel()
        await asyncio.gather(leading, return_exceptions=True)
