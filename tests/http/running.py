"""Runs the real commands in processes of their own, and never leaves one behind."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import psutil

from tests.harness.loaded_demo import EARTHLESS, FEW_LISTINGS

READY_SECONDS_MAX = 30
END_SECONDS_MAX = 30  # it takes a second or two; a busy machine takes its time
Value = TypeVar("Value")


@dataclass
class Server:
    """A running `demo` or `serve`, with the line that it printed when it was ready."""

    process: subprocess.Popen[str]
    ready: dict[str, object]
    data: Path
    environment: dict[str, str]

    @property
    def url(self) -> str:
        return str(self.ready["url"])

    @property
    def keys(self) -> dict[str, str]:
        keys = self.ready["keys"]
        assert isinstance(keys, dict)
        return keys

    @property
    def resources(self) -> list[dict[str, object]]:
        resources = self.ready["resources"]
        assert isinstance(resources, list)
        return resources

    def call(self, method: str, path: str, body: object = None, kind: str = "sk") -> object:
        """Asks the server; the JSON of its answer, or AssertionError for a refusal."""
        request = urllib.request.Request(  # noqa: S310 - our own server
            self.url + path,
            method=method,
            data=json.dumps(body).encode() if body is not None else None,
            headers={
                "Authorization": f"Bearer {self.keys[kind]}",
                "Content-Type": "application/json",
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.code} {error.read()!r}") from error

    def healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=10) as answer:  # noqa: S310
                return bool(answer.status == 200)
        except OSError:
            return False

    def postgres(self) -> psutil.Process:
        """The PostgreSQL server of the data folder."""
        file = self.data / "postgres" / "postmaster.pid"
        return psutil.Process(int(file.read_text().split()[0]))

    def has_other_postgres(self, pid: int) -> bool:
        """Whether another server than this one runs by now."""
        try:
            return bool(self.postgres().pid != pid)
        except (OSError, IndexError, ValueError, psutil.NoSuchProcess):
            return False  # it is on its way up or down

    def worker(self) -> psutil.Process | None:
        """The background worker."""
        for child in psutil.Process(self.process.pid).children():
            with suppress(psutil.Error):
                if child.name() == "bespeak-worker" and child.status() != psutil.STATUS_ZOMBIE:
                    return child
        return None

    def tree(self) -> list[psutil.Process]:
        """Every process that the server started, itself and PostgreSQL included."""
        roots = [psutil.Process(self.process.pid), self.postgres()]
        return [found for root in roots for found in (root, *root.children(recursive=True))]

    def stop(self) -> None:
        """SIGTERM, and waits for the end. TimeoutExpired if it never comes."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(END_SECONDS_MAX)


@contextmanager
def running(data: Path, *command: str, **variables: str) -> Iterator[Server]:
    """Runs a command with --json until it is ready; whatever happens, nothing is left after."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("BESPEAK_")},
        "XDG_STATE_HOME": str(data.parent / "state"),
        **FEW_LISTINGS,
        **EARTHLESS,
        **variables,
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "bespeak", *command, "--port", "0", "--json"],
        env=environment, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
        start_new_session=True,
    )  # fmt: skip
    started: list[psutil.Process] = []
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, "the command ended before it was ready"
        server = Server(process, json.loads(line), data, environment)
        yield server
    finally:
        started = _all_of(process, data)
        process.terminate()
        try:
            process.wait(8)
        except subprocess.TimeoutExpired:
            process.kill()
        if process.stdout is not None:
            process.stdout.close()
        process.wait()
        for left in psutil.wait_procs(started, 3)[1]:
            left.kill()


def _all_of(process: subprocess.Popen[str], data: Path) -> list[psutil.Process]:
    found: list[psutil.Process] = []
    with suppress(psutil.NoSuchProcess):
        found += psutil.Process(process.pid).children(recursive=True)
    with suppress(OSError, ValueError, IndexError, psutil.NoSuchProcess):
        pid = int((data / "postgres" / "postmaster.pid").read_text().split()[0])
        found.append(psutil.Process(pid))
    return found


def gone(processes: list[psutil.Process], seconds: float) -> bool:
    """Whether all of them end in time. An orphan that waits to be buried by process 1 has ended."""
    _, left = psutil.wait_procs(processes, seconds)
    for process in left:
        with suppress(psutil.NoSuchProcess):
            if process.status() != psutil.STATUS_ZOMBIE:
                return False
    return True


def eventually(
    look: Callable[[], Value | None], seconds: float, pause_seconds: float = 0.02
) -> Value:
    """What `look` finds, within so many seconds; AssertionError if it finds nothing in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = look()
        if found:
            return found
        time.sleep(pause_seconds)
    raise AssertionError(f"not within {seconds} s")


def command(
    server: Server, *arguments: str, seconds: float = 60
) -> subprocess.CompletedProcess[str]:
    """Runs another command beside the server, as the same user would."""
    return subprocess.run(
        [sys.executable, "-m", "bespeak", *arguments],
        env=server.environment, capture_output=True, text=True, timeout=seconds, check=False,
    )  # fmt: skip
