"""What the pages need to run: one demo, which all of them use one after the other, as a reader
does, and each with the variables that the demo prints.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from bespeak import NewResource
from tests.docs.running import programs
from tests.harness import database
from tests.harness.loaded_demo import FEW_LISTINGS, copy_loaded_demo

_START_SECONDS = 60
# A reader takes a second from one call to the next, in which every worker has heard of the first.
# These tests do not, so there is one worker, and it answers from what it knows now.
_AT_LEISURE = {"BESPEAK_AVAILABILITY_MS": "0"}
_COMMAND = ("demo", "--port", "0", "--workers", "1", "--json")
_STOP_SECONDS = 20


@dataclass(frozen=True)
class Demo:
    """A demo that answers, and the environment of a reader's terminal: the programs on their path,
    and the variables that the demo prints."""

    environment: dict[str, str]
    show: str

    def environment_of(self, page: Path) -> dict[str, str]:
        """The environment in which a page runs: the same for all of them. The readme, which says
        what the demo does before there is one to try, has one of its own."""
        show = self._another_show() if page.name == "README.md" else self.show
        return {**self.environment, "SHOW": show}

    def _another_show(self) -> str:
        """A show like the one to try."""
        found = self._ask("GET", f"/v1/resources/{self.show}")
        known = {field.encode_name for field in msgspec.structs.fields(NewResource)}
        new = {name: value for name, value in found.items() if name in known}
        return str(self._ask("POST", "/v1/resources", new)["id"])

    def _ask(self, method: str, path: str, body: object = None) -> dict[str, object]:
        request = urllib.request.Request(  # noqa: S310 - our own server
            self.environment["URL"] + path,
            method=method,
            data=json.dumps(body).encode() if body is not None else None,
            headers={
                "Authorization": f"Bearer {self.environment['AK']}",
                "Content-Type": "application/json",
            },
        )
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
            decoded: dict[str, object] = json.loads(answer.read())
            return decoded


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which the commands find each other and leave nothing in the user's."""
    folder = tmp_path_factory.mktemp("home")
    path = f"{programs(folder / 'bin')}{os.pathsep}{os.environ['PATH']}"
    folders = {name: str(folder / name.lower()) for name in ("XDG_DATA_HOME", "XDG_STATE_HOME")}
    return {"PATH": path, "COLUMNS": "100", "NO_COLOR": "1", **folders}


@pytest.fixture(scope="module")
def demo(home: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """`bespeak demo`, started as the tutorial says, in the folder that it takes by itself."""
    copy_loaded_demo(Path(home["XDG_DATA_HOME"]) / "bespeak" / "demo")
    log = tmp_path_factory.mktemp("demo") / "log"
    with log.open("w") as errors:
        process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "bespeak", *_COMMAND],
            env={**os.environ, **home, **_AT_LEISURE, **FEW_LISTINGS},
            stdout=subprocess.PIPE,
            stderr=errors,
        )
    assert process.stdout is not None
    watchdog = threading.Timer(_START_SECONDS, process.kill)
    watchdog.start()
    try:
        line = process.stdout.readline()
        watchdog.cancel()
        assert line, _read(log)
        ready = json.loads(line)
        keys = {name.upper(): key for name, key in ready["keys"].items()}
        printed = {**keys, "URL": ready["url"], "DATABASE_URL": ready["database_url"]}
        yield Demo({**home, **printed}, ready["resources"][0]["id"])
    finally:
        watchdog.cancel()
        process.send_signal(signal.SIGTERM)
        process.wait(_STOP_SECONDS)
        process.stdout.close()


@pytest.fixture
async def own_databases(server: str) -> AsyncIterator[dict[str, str]]:
    """Two databases without anything in them, for pages about one's own."""
    async with (
        database.fresh_database(server, migrated=False) as own,
        database.fresh_database(server, migrated=False) as new,
    ):
        yield {"BESPEAK_DATABASE_URL": own, "NEW_DATABASE_URL": new}


def _read(log: Path) -> str:
    return f"the demo did not start:\n{log.read_text()}"
