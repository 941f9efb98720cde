"""A box office for the browser's tests: `bespeak demo` in a folder of its own, and its API.

It runs as its users run it, with its own database and worker processes, and ends with the tests.
"""

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import httpx

from tests.harness.loaded_demo import EARTHLESS, FEW_LISTINGS, copy_loaded_demo

Json = dict[str, object]
# Many visitors of the tests are one browser at one address.
UNLIMITED = {
    **{
        f"BESPEAK_RATE_LIMIT_{name}": "" for name in ("PUBLISHABLE", "ADDRESS", "GUESTS", "STREAMS")
    },
    "BESPEAK_BUDGETS": "off",
}
_START_SECONDS_MAX = 120
_STOP_SECONDS_MAX = 20
_KNOWN_SECONDS_MAX = 60
_PAUSE_SECONDS = 0.05
_ROUNDS = 12  # of new connections, each at a worker of two


class Office:
    """A running box office: where it is, its keys by kind (pk, sk, ak), the shows and the
    premiere that it announced, and the folder of the mails that it sent."""

    def __init__(self, announced: Json, outbox: Path) -> None:
        self.outbox = outbox
        self.url = str(announced["url"])
        self.keys = cast("Mapping[str, str]", announced["keys"])
        self.shows = cast("list[Json]", announced["resources"])
        self.premiere = cast("Mapping[str, str]", announced["premiere"])
        self._client = httpx.Client(base_url=self.url, timeout=30)

    def call(
        self, method: str, path: str, body: object = None, key: str = "ak", **headers: str
    ) -> Json:
        """The answer of a call of the API, which must succeed."""
        answer = self.send(method, path, body, key, **headers)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}"
        return cast("Json", answer.json()) if answer.content else {}

    def ask_anew(self, path: str, key: str = "ak") -> httpx.Response:
        """The answer to a look, on a connection of its own: whichever worker gives it. A connection
        that is kept stays with one of them."""
        return self.send("GET", path, key=key, connection="close")

    def send(
        self, method: str, path: str, body: object = None, key: str = "ak", **headers: str
    ) -> httpx.Response:
        """The answer of a call of the API, whatever it is."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self._client.request(
            method,
            path,
            json=body,
            headers={"Authorization": f"Bearer {self.keys[key]}", **named},
        )

    def close(self) -> None:
        self._client.close()


def await_everywhere(
    is_so: Callable[[], bool], what: str, seconds_max: float = _KNOWN_SECONDS_MAX
) -> None:
    """Waits until it is so at every worker: they learn of a change one after the other. `is_so`
    looks by `ask_anew`, several times in a row."""
    deadline = time.monotonic() + seconds_max
    times = 0
    while times < _ROUNDS:
        if is_so():
            times += 1
            continue
        assert time.monotonic() < deadline, f"not at every worker: {what}"
        times = 0
        time.sleep(_PAUSE_SECONDS)


@contextmanager
def running_office(folder: Path, **settings: str) -> Iterator[Office]:
    """A box office with the demo's data; `settings` are environment variables."""
    data = copy_loaded_demo(folder / "data")
    command = [sys.executable, "-m", "bespeak", "demo", "--port", "0", "--json"]
    log = (folder / "server.log").open("wb")
    environment = {**os.environ, **UNLIMITED, **FEW_LISTINGS, **EARTHLESS, **settings}
    server = subprocess.Popen(
        [*command, "--data", str(data)],
        stdout=subprocess.PIPE,
        stderr=log,
        env=environment,
    )
    try:
        office = Office(_announced(server, folder), data / "outbox")
        yield office
        office.close()
    finally:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(_STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
        log.close()


def _announced(server: "subprocess.Popen[bytes]", folder: Path) -> Json:
    """The line that the server prints once it answers."""
    assert server.stdout is not None
    deadline = time.monotonic() + _START_SECONDS_MAX
    while time.monotonic() < deadline and server.poll() is None:
        ready, _, _ = select.select([server.stdout], [], [], 0.5)
        if ready and (line := server.stdout.readline()):
            return cast("Json", json.loads(line))
    raise AssertionError(f"the box office did not start:\n{(folder / 'server.log').read_text()}")
