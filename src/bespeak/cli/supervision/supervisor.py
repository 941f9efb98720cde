"""Runs a server from its start to its clean end: database, preparation, API workers and background
worker, in this order, and back. SIGTERM and SIGINT stop it at any point of that, within seconds
and with status 0, and nothing that it started is left behind.
"""

from __future__ import annotations

import asyncio
import codecs
import errno
import http.client
import os
import signal
import socket
import threading
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from bespeak.cli import servers
from bespeak.cli.output import say
from bespeak.cli.progress import say_step
from bespeak.cli.supervision.forks import end_with_this_process
from bespeak.cli.supervision.keepers import DatabaseKeeper, StopRequest
from bespeak.errors import BespeakError
from bespeak.http.server.metrics_folder import shared_metrics
from bespeak.inventory.resources import Resource
from bespeak.inventory.shapes.seats.plan import SeatsPlan
from bespeak.notifications.mail.outbox import with_outbox
from bespeak.settings import Settings

if TYPE_CHECKING:
    from bespeak.cli.demo_load import LoadedPremiere, LoadedSample

# Whoever resolves a name loads this. Were that a thread of ours at the instant at which the workers
# are forked, they would have its import lock for ever, and wait in it at their first name.
codecs.lookup("idna")

_POLL_SECONDS = 0.03
_WORKER_STOP_SECONDS = 2.0
_SUGGESTED_MAX = 50
_ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 - compared only


@dataclass(frozen=True)
class ServeOptions:
    """What to serve: an address, a database of one's own or the embedded one of the folder, with so
    much memory for what it has read."""

    host: str
    port: int
    workers: int
    database_url: str | None
    folder: Path
    settings: Settings
    shared_megabytes: int = 256


@dataclass
class Ready:
    """What a server that is ready has to tell. `keys` are texts by kind (pk, sk, ak); `told` says
    in words what the demo has, `samples` are its resources of other shapes, `premiere` is what one
    queues for. `has_no_login`: nobody can log in at the console yet; `first_link` is then the
    secret of a link for the first owner, unless somebody else was invited."""

    url: str = ""
    database_url: str = ""
    keys: dict[str, str] = field(default_factory=dict)
    resources: list[Resource] = field(default_factory=list)
    suggestion: list[str] = field(default_factory=list)
    samples: list[LoadedSample] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    premiere: LoadedPremiere | None = None
    has_no_login: bool = False
    first_link: str | None = None


Prepare = Callable[[str], Awaitable[Ready]]
Announce = Callable[[Ready], None]
Fill = Callable[[Ready, ExitStack], bool]


class PortInUse(BespeakError):
    """Another program listens at the address."""

    code = "port_in_use"
    title = "Another program listens at this address"


class _Stopped(Exception):
    """The stop was asked for before the server served."""


def serve(job: ServeOptions, prepare: Prepare, announce: Announce, fill: Fill | None = None) -> int:
    """Serves until it is told to stop; answers the exit status.

    `prepare` gets the database's URL before anything serves. Once the server answers, `fill` may
    load what is sold, with what ends it at the stop in the stack, and `announce` is told after
    that. Where `fill` answers False, the server stops. Raises what makes a start impossible, with
    nothing left running.
    """
    return _Supervisor(job, prepare, announce, fill).run()


class _Supervisor:
    def __init__(
        self, job: ServeOptions, prepare: Prepare, announce: Announce, fill: Fill | None
    ) -> None:
        self._job = job
        self._prepare = prepare
        self._announce = announce
        self._fill = fill
        self._stop = StopRequest()
        self._has_failed = False

    def run(self) -> int:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._stop.set())
        end_with_this_process()
        try:
            with ExitStack() as stack:
                self._run_within(stack)
        except _Stopped:
            say("stopped before it served")
        return 1 if self._has_failed else 0

    def _run_within(self, stack: ExitStack) -> None:
        port = free_port(self._job.host) if self._job.port == 0 else self._job.port
        check_port(self._job.host, port)
        database_url = self._database(stack)
        self._go_on()
        say_step("preparing the database")
        ready = asyncio.run(self._prepared(database_url))
        ready.database_url = database_url
        ready.url = url_of(self._job.host, port)
        stack.enter_context(shared_metrics())
        settings = with_outbox(reachable(self._job.settings, ready.url), self._job.folder)
        self._go_on()
        say_step(f"starting the server: {self._job.workers} API workers and a background worker")
        self._serve(port, ready, settings, stack)

    def _database(self, stack: ExitStack) -> str:
        if self._job.database_url is not None:
            return self._job.database_url
        from bespeak.cli.databases import sole_keeper

        stack.enter_context(sole_keeper(self._job.folder))
        say_step(f"starting PostgreSQL, with its data in {self._job.folder}")
        url = stack.enter_context(
            DatabaseKeeper(self._job.folder, self._job.shared_megabytes)
        ).start(self._stop)
        if url is None:
            raise _Stopped
        return url

    def _go_on(self) -> None:
        if self._stop:
            raise _Stopped

    async def _prepared(self, database_url: str) -> Ready:
        """What is done before serving, given up at once when the stop is asked for."""

        async def prepare() -> Ready:
            return await self._prepare(database_url)

        task = asyncio.create_task(prepare())
        while not task.done():
            await asyncio.wait({task}, timeout=_POLL_SECONDS)
            if self._stop:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                raise _Stopped
        return task.result()

    def _serve(self, port: int, ready: Ready, settings: Settings, stack: ExitStack) -> None:
        from bespeak.cli.supervision.background_worker import background_child
        from bespeak.http.workers import ApiServer

        job = self._job
        background = background_child(
            ready.database_url, job.folder, settings, is_embedded=job.database_url is None
        )
        stack.callback(background.stop, _WORKER_STOP_SECONDS)
        ended = threading.Event()

        def on_ready() -> None:
            if self._stop:
                # The signal came before the server listened to signals: tell it again.
                os.kill(os.getpid(), signal.SIGTERM)
                return
            threading.Thread(
                target=self._tell_when_answering, args=(port, ready, ended, stack), daemon=True
            ).start()

        try:
            ApiServer(
                ready.database_url, job.host, port, job.workers, settings, on_ready, [background]
            ).run()
        finally:
            ended.set()  # before anything that it was told about is stopped

    def _tell_when_answering(
        self, port: int, ready: Ready, ended: threading.Event, stack: ExitStack
    ) -> None:
        host = _ANYWHERE.get(self._job.host, self._job.host)
        while not ended.is_set():
            if answers(host, port):
                if self._fill is not None and not self._fill(ready, stack):
                    if not ended.is_set():
                        self._has_failed = True
                        os.kill(os.getpid(), signal.SIGTERM)
                    return
                note = servers.RunningServer(
                    ready.url, os.getpid(), ready.keys, _to_rush_on(ready.resources)
                )
                if ready.keys:
                    stack.callback(servers.forget, note)
                    servers.remember(note)
                self._announce(ready)
                return
            ended.wait(_POLL_SECONDS)


def reachable(settings: Settings, url: str) -> Settings:
    """The settings with where this server is reached: as they say, or else at this URL."""
    if settings.public_url != Settings().public_url:
        return settings
    return msgspec.structs.replace(settings, public_url=url)


def _to_rush_on(resources: list[Resource]) -> list[str]:
    """The resources with seats, those with the plan of the first before all others; some at
    most."""
    seats = [each for each in resources if isinstance(each.plan, SeatsPlan)]
    like_the_first = sorted(seats, key=lambda each: each.plan != seats[0].plan)
    return [each.id for each in like_the_first[:_SUGGESTED_MAX]]


def url_of(host: str, port: int) -> str:
    """The URL at which this machine reaches the server."""
    host = _ANYWHERE.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def answers(host: str, port: int) -> bool:
    """Whether GET /healthz is answered with 200."""
    connection = http.client.HTTPConnection(host, port, timeout=2)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def free_port(host: str) -> int:
    """A port at this address that nobody listens at."""
    with _listening(host, 0) as taken:
        number: int = taken.getsockname()[1]
        return number


def check_port(host: str, port: int) -> None:
    """Raises PortInUse when the server could not listen there."""
    _listening(host, port).close()


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(1)
    except OSError as error:
        listener.close()
        taken = error.errno == errno.EADDRINUSE
        hint = f"port {port} is taken; choose another with --port" if taken else str(error)
        raise PortInUse(f"cannot listen at {host}:{port}: {hint}", host=host, port=port) from error
    return listener
