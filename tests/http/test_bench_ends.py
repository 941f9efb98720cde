"""A benchmark that is told to end does so with all that it started: servers, database, files."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.http.running import eventually, gone

ROOT = Path(__file__).parents[2]
START_SECONDS_MAX = 60
END_SECONDS_MAX = 20


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short name, since the path of a socket may have 107 characters."""
    made = Path(tempfile.mkdtemp(prefix="b-"))
    yield made
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture
def bench(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A case that is under way."""
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks", "hot-seat"],
        cwd=ROOT, env={**os.environ, "TMPDIR": str(folder)}, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    yield process
    process.kill()
    for left in started(folder):
        with suppress(psutil.NoSuchProcess):
            left.kill()
    process.wait()


def started(folder: Path) -> list[psutil.Process]:
    """Every process of the run that is left, wherever it detached itself to: each was given a
    place for its temporary files below the folder."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.environ().get("TMPDIR", "").startswith(f"{folder}/"):
                found.append(process)
    return found


def serving(folder: Path) -> list[psutil.Process]:
    """The same, once the server has its workers, and a database that detached itself."""
    found = started(folder)
    with suppress(psutil.Error):
        commands = [process.cmdline() for process in found]
        servers = [command for command in commands if "serve" in command]
        databases = [command for command in commands if command and "postgres" in command[0]]
        if len(servers) > 1 and databases:
            return found
    return []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_benchmark_and_all_that_it_started(
    bench: subprocess.Popen[bytes], folder: Path, number: signal.Signals
) -> None:
    # To look at every process of the machine is dear.
    before = eventually(lambda: serving(folder), START_SECONDS_MAX, pause_seconds=0.25)
    bench.send_signal(number)
    assert bench.wait(END_SECONDS_MAX) == 128 + number
    assert gone(before, 0)
    assert started(folder) == []
    assert list(folder.iterdir()) == []
